"""NGSolve: elements of high degree, curved and statically condensed, graded towards corners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import netgen.geom2d as plane
import netgen.occ as occ
import ngsolve as ng
import numpy as np
import sympy as sp
from ngsolve.meshes import MakeStructured3DMesh
from ngsolve.solvers import BVP

from races import Race

ng.ngsglobals.msg_level = 0
ng.SetNumThreads(1)  # its threads spin while they wait, which would count against it

NAMES = {name: getattr(ng, name) for name in ("sin", "cos", "exp", "sqrt")}
COORDINATES = (ng.x, ng.y, ng.z)


def formula(expression: sp.Expr, coordinates: tuple[sp.Symbol, ...]) -> ng.CoefficientFunction:
    """A SymPy expression of the coordinates as NGSolve takes it."""
    function = sp.lambdify(coordinates, expression, modules=[NAMES, "math"])
    return ng.CoefficientFunction(function(*COORDINATES[: len(coordinates)]))


def _box(low: tuple[float, float], high: tuple[float, float]) -> Callable[[float], ng.Mesh]:
    def mesh(h: float) -> ng.Mesh:
        geometry = plane.SplineGeometry()
        geometry.AddRectangle(low, high)
        return ng.Mesh(geometry.GenerateMesh(maxh=h))

    return mesh


def _disk(h: float) -> ng.Mesh:
    geometry = plane.SplineGeometry()
    geometry.AddCircle((0, 0), 1)
    return ng.Mesh(geometry.GenerateMesh(maxh=h))


def _ring(h: float) -> ng.Mesh:
    geometry = plane.SplineGeometry()
    geometry.AddCircle((0, 0), 1, leftdomain=1, rightdomain=0)
    geometry.AddCircle((0, 0), 0.5, leftdomain=0, rightdomain=1)
    return ng.Mesh(geometry.GenerateMesh(maxh=h))


def _ell(h: float, levels: int, factor: float) -> ng.Mesh:
    """A mesh that is refined so often towards all corners, each time by that factor."""
    geometry = plane.SplineGeometry()
    corners = [(0, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, 0)]
    points = [geometry.AppendPoint(*c, hpref=1.0) for c in corners]
    for a, b in zip(points, points[-1:] + points[:-1], strict=True):
        geometry.Append(["line", a, b], leftdomain=1, rightdomain=0)
    mesh = ng.Mesh(geometry.GenerateMesh(maxh=h))
    mesh.RefineHP(levels, factor=factor)
    return mesh


def _cube(n: int, hexes: bool) -> ng.Mesh:
    return MakeStructured3DMesh(hexes, n, n, n, mapping=lambda x, y, z: (2 * x - 1, 2 * y - 1, 2 * z - 1))


def _ellipsoid(h: float) -> ng.Mesh:
    shape = occ.gp_GTrsf(mat=[1, 0, 0, 0, 0.7, 0, 0, 0, 0.5])(occ.Sphere(occ.Pnt(0, 0, 0), 1))
    # Without the optimisation, which takes three quarters of the time of meshing and hardly changes the error.
    return ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=h, optsteps3d=0))


def _torus(h: float) -> ng.Mesh:
    ends = occ.Pnt(1.4, 0, 0), occ.Pnt(0.6, 0, 0)
    halves = [
        occ.ArcOfCircle(ends[0], occ.Pnt(1, 0, 0.4), ends[1]), occ.ArcOfCircle(ends[1], occ.Pnt(1, 0, -0.4), ends[0])
    ]  # fmt: skip
    shape = occ.Revolve(occ.Face(occ.Wire(halves)), occ.Axis(occ.Pnt(0, 0, 0), occ.Z), 360)
    return ng.Mesh(occ.OCCGeometry(shape).GenerateMesh(maxh=h, optsteps3d=0))


@dataclass(frozen=True)
class Meshes:
    """How the meshes of a race are made: `sizes` are tried one after the other, with the degrees in turn."""

    make: Callable[..., ng.Mesh]
    sizes: tuple[tuple[Any, ...], ...]
    degrees: tuple[int, ...]
    curved: bool = False


PLANE = tuple(range(4, 17))
SPACE = (3, 4, 6, 8)
CORNERS = tuple((0.7, levels, factor) for factor in (0.3, 0.15) for levels in (2, 4, 6, 8, 11))
MESHES: Mapping[str, Meshes] = {
    "C1": Meshes(_box((-1, -1), (1, 1)), ((1.0,), (0.7,), (0.5,), (0.3,)), PLANE),
    "C2": Meshes(_disk, ((1.0,), (0.7,), (0.5,), (0.35,)), PLANE, True),
    "C4": Meshes(_ring, ((1.0,), (0.7,), (0.5,), (0.35,)), PLANE, True),
    "first": Meshes(_ring, ((1.0,), (0.7,), (0.5,), (0.35,)), PLANE, True),
    "L": Meshes(_ell, CORNERS, tuple(range(3, 15))),
    "helmholtz": Meshes(_box((0, 0), (1, 1)), ((0.35,), (0.25,), (0.18,), (0.12,)), tuple(range(6, 19))),
    "C6": Meshes(_box((-0.5, -0.5), (1, 1.5)), ((1.0,), (0.6,), (0.4,), (0.3,)), (4, 5, 6, 7, 8, 9, 10, 12)),
    "C5": Meshes(_cube, tuple((n, h) for h in (True, False) for n in (2, 3, 4, 6)), SPACE),
    "ellipsoid": Meshes(_ellipsoid, ((1.0,), (0.6,)), SPACE, True),
    "torus": Meshes(_torus, ((1.0,), (0.6,)), SPACE, True),
}


def mesh_of(name: str, size: tuple[Any, ...], degree: int) -> ng.Mesh:
    """A mesh, curved for elements of that degree."""
    what = MESHES[name]
    mesh = what.make(*size)
    if what.curved:
        mesh.Curve(degree)
    return mesh


def solved(race: Race, mesh: ng.Mesh, degree: int) -> ng.GridFunction:
    """The solution on a mesh with elements of one degree."""
    if race.name == "C6":
        return _flow(race, mesh, degree)
    coordinates = race.problem.coordinates
    exact = None if race.exact is None else race.exact["u"]
    equation = race.problem.equations[0]
    shift = 1600.0 if race.name == "helmholtz" else 0.0
    if exact is None:
        sign = -1 if race.name == "first" else 1
        source, rim = sign * equation.rhs, (sp.cos(3 * coordinates[0]) if race.name == "first" else sp.Integer(0))
    else:
        source, rim = -equation.rhs, exact
    space = ng.H1(mesh, order=degree, dirichlet=".*")
    u, v = space.TnT()
    form = ng.BilinearForm(space, symmetric=True, condense=True)
    form += (ng.grad(u) * ng.grad(v) - shift * u * v) * ng.dx if shift else ng.grad(u) * ng.grad(v) * ng.dx
    right = ng.LinearForm(space)
    if source != 0:
        right += formula(source, coordinates) * v * ng.dx
    found = ng.GridFunction(space)
    if rim != 0:
        found.Set(formula(rim, coordinates), ng.BND)
    BVP(bf=form, lf=right, gf=found, inverse="sparsecholesky", print=False)
    return found


def _flow(race: Race, mesh: ng.Mesh, degree: int) -> ng.GridFunction:
    """Kovasznay's flow by Newton's method with Taylor-Hood elements."""
    coordinates, exact, nu = race.problem.coordinates, race.exact, 1 / 40
    velocity = ng.CoefficientFunction(tuple(formula(exact[name], coordinates) for name in ("v1", "v2")))
    space = ng.VectorH1(mesh, order=degree, dirichlet=".*") * ng.H1(mesh, order=degree - 1)
    (u, p), (v, q) = space.TnT()
    form = ng.BilinearForm(space, condense=True)
    form += (
        nu * ng.InnerProduct(ng.Grad(u), ng.Grad(v)) + (ng.Grad(u) * u) * v - ng.div(u) * q - ng.div(v) * p
    ) * ng.dx  # fmt: skip
    found = ng.GridFunction(space)
    found.components[0].Set(velocity, definedon=mesh.Boundaries(".*"))
    # The pressure is zero at a vertex, whose value is its first coefficient; the level is put right afterwards.
    free = ng.BitArray(space.FreeDofs(True))
    free.Clear(space.Range(1).start)
    ng.solvers.Newton(form, found, freedofs=free, maxit=12, maxerr=1e-12, printing=False, inverse="umfpack")
    return found


def values(race: Race, mesh: ng.Mesh, found: ng.GridFunction) -> np.ndarray:
    """At the points of the race, (n, unknowns)."""
    where = mesh(*race.points.T)
    if race.name != "C6":
        return np.asarray(found(where)).reshape(len(race.points), 1)
    velocity, pressure = (np.asarray(found.components[k](where)).reshape(len(race.points), -1) for k in (0, 1))
    level = np.mean(race.values[:, race.problem.names.index("p")] - pressure[:, 0])
    columns = {"v1": velocity[:, 0], "v2": velocity[:, 1], "p": pressure[:, 0] + level}
    return np.stack([columns[name] for name in race.problem.names], axis=1)
