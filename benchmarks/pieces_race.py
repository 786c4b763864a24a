"""Pieces against NGSolve at equal error: the table of `docs/theory/pieces.md`.

    python benchmarks/pieces_race.py

Disks and a ball of another material in a uniform field and outflow layers, whose solutions are known. NGSolve has
elements of degree 4 to 12 (2 to 6 in space) on a few meshes, curved and condensed, graded towards the layers; of these
the fastest that reaches the error counts, by the exact solution. Ours is `tn.solve(problem, tol=...)`. Processor time,
one thread.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator

import netgen.geom2d as plane
import netgen.occ as space
import ngsolve as ng
import numpy as np
import sympy as sp

import transnet as tn

x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y)
RADIUS = 0.4
WANTED = (1e-3, 1e-6, 1e-9)
DEGREES = (4, 6, 8, 10, 12)
SIZES = (1.0, 0.6, 0.4)
DEGREES_OF_SOLIDS = (2, 3, 4, 5, 6)

Timed = tuple[float, float]


def inclusion(contrast: float) -> tuple[tn.Problem, Callable[[np.ndarray], np.ndarray], Callable[[int, float], Timed]]:
    """A disk of another conductivity in a square, with the values of the field in the plane on its sides."""
    b = (1 - contrast) / (1 + contrast) * RADIUS**2
    a = 1 + b / RADIUS**2
    disk, square = tn.Disk(radius=RADIUS), tn.Box(x=(-1, 1), y=(-1, 1))
    domain = tn.Pieces(core=disk, shell=square - disk)
    k = tn.by_piece(core=contrast, shell=1)
    outside = sp.Eq(u, x * (1 + b / (x**2 + y**2)))
    problem = tn.Problem(domain, [sp.Eq(tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", outside)])

    def exact(points: np.ndarray) -> np.ndarray:
        square_ = np.sum(points**2, axis=1)
        inside = square_ < RADIUS**2
        return points[:, 0] * np.where(inside, a, 1 + b / np.where(inside, 1.0, square_))

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        geometry = plane.SplineGeometry()
        geometry.AddRectangle((-1, -1), (1, 1), leftdomain=1, rightdomain=0, bc="outer")
        geometry.AddCircle((0, 0), RADIUS, leftdomain=2, rightdomain=1, bc="rim")
        geometry.SetMaterial(1, "shell")
        geometry.SetMaterial(2, "core")
        mesh = ng.Mesh(geometry.GenerateMesh(maxh=size))
        mesh.Curve(degree)
        stiffness = mesh.MaterialCF({"shell": 1.0, "core": contrast})
        values = ng.x * (1 + b / (ng.x**2 + ng.y**2))
        return _solved(
            mesh, degree, "outer", values, lambda v, w: stiffness * ng.grad(v) * ng.grad(w), None, begun, exact
        )

    return problem, exact, elements


def ball(contrast: float) -> tuple[tn.Problem, Callable[[np.ndarray], np.ndarray], Callable[[int, float], Timed]]:
    """A ball of another conductivity in a cube, with the values of a uniform field in space on its sides."""
    b = (1 - contrast) / (2 + contrast) * RADIUS**3
    a = 1 + b / RADIUS**3
    v = tn.unknown("v", x, y, z)
    core, cube = tn.Ball(radius=RADIUS), tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1))
    k = tn.by_piece(core=contrast, shell=1)
    outside = sp.Eq(v, z * (1 + b / (x**2 + y**2 + z**2) ** sp.Rational(3, 2)))
    law = sp.Eq(tn.div(k * tn.grad(v)), 0)
    problem = tn.Problem(tn.Pieces(core=core, shell=cube - core), [law], [tn.on("boundary", outside)])

    def exact(points: np.ndarray) -> np.ndarray:
        r = np.linalg.norm(points, axis=1)
        return points[:, 2] * np.where(r < RADIUS, a, 1 + b / np.maximum(r, RADIUS) ** 3)

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        inner = space.Sphere(space.Pnt(0, 0, 0), RADIUS)
        outer = space.Box(space.Pnt(-1, -1, -1), space.Pnt(1, 1, 1)) - inner
        body = space.Glue([outer, inner])
        body.solids[0].mat("shell")
        body.solids[1].mat("core")
        for face in body.faces:
            far = max(abs(c) for c in (face.center.x, face.center.y, face.center.z))
            face.name = "outer" if far > RADIUS else "rim"
        mesh = ng.Mesh(space.OCCGeometry(body).GenerateMesh(maxh=size))
        mesh.Curve(degree)
        stiffness = mesh.MaterialCF({"shell": 1.0, "core": contrast})
        values = ng.z * (1 + b / (ng.x**2 + ng.y**2 + ng.z**2) ** 1.5)
        return _solved(
            mesh, degree, "outer", values, lambda v, w: stiffness * ng.grad(v) * ng.grad(w), None, begun, exact
        )

    return problem, exact, elements


def layers(eps: float) -> tuple[tn.Problem, Callable[[np.ndarray], np.ndarray], Callable[[int, float], Timed]]:
    """Convection along the diagonal of the unit square, with layers at both outflows."""

    def one(t: sp.Expr) -> sp.Expr:
        return t - sp.exp((t - 1) / eps)

    source = one(x) + one(y)  # -eps g'' + g' = 1 for g = one(t)
    square = tn.Box(x=(0, 1), y=(0, 1))
    left = -eps * tn.laplacian(u) + sp.diff(u, x) + sp.diff(u, y)
    problem = tn.Problem(square, [sp.Eq(left, source)], [tn.on("boundary", sp.Eq(u, one(x) * one(y)))])

    def exact(points: np.ndarray) -> np.ndarray:
        return np.prod(points - np.exp((points - 1) / eps), axis=1)

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        geometry = plane.SplineGeometry()
        corners = [geometry.AppendPoint(*c) for c in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for k in range(4):
            layer = k in (1, 2)
            ends = ["line", corners[k], corners[(k + 1) % 4]]
            geometry.Append(ends, bc="outer", leftdomain=1, rightdomain=0, hpref=1.0 if layer else 0.0)
        mesh = ng.Mesh(geometry.GenerateMesh(maxh=size))
        mesh.RefineHP(max(1, round(np.log(1 / eps) / np.log(4))), factor=0.25)

        def g(t: ng.CoefficientFunction) -> ng.CoefficientFunction:
            return t - ng.exp((t - 1) / eps)

        wind = ng.CoefficientFunction((1.0, 1.0))
        form = lambda v, w: eps * ng.grad(v) * ng.grad(w) + wind * ng.grad(v) * w  # noqa: E731
        return _solved(mesh, degree, "outer", g(ng.x) * g(ng.y), form, g(ng.x) + g(ng.y), begun, exact)

    return problem, exact, elements


def _solved(mesh, degree, sides, values, form, source, begun, exact) -> Timed:  # type: ignore[no-untyped-def]
    """Solve, and give the processor time and the relative error at points."""
    elements = ng.H1(mesh, order=degree, dirichlet=sides)
    v, w = elements.TnT()
    left = ng.BilinearForm(elements, condense=True)
    left += form(v, w) * ng.dx
    right = ng.LinearForm(elements)
    if source is not None:
        right += source * w * ng.dx
    left.Assemble()
    right.Assemble()
    found = ng.GridFunction(elements)
    found.Set(values, ng.BND)
    ng.solvers.BVP(left, right, found, inverse="umfpack" if source is not None else "sparsecholesky", print=False)
    taken = time.process_time() - begun
    points = np.random.default_rng(0).random((2000, mesh.dim))
    points = points if source is not None else 2 * points - 1
    truth = exact(points)
    at = np.array([found(mesh(*p)) for p in points.tolist()])
    return taken, float(np.linalg.norm(at - truth) / np.linalg.norm(truth))


def races() -> Iterator[tuple[str, tuple]]:
    yield "disk, 1 : 1000", inclusion(1000.0)
    yield "disk, 1 : 10", inclusion(10.0)
    yield "layers, 1e-3", layers(1e-3)
    yield "ball, 1 : 10", ball(10.0)


def main() -> None:
    warnings.simplefilter("ignore")
    ng.SetNumThreads(1)
    print("| problem | wanted | NGSolve, ms | its mesh and degree | ours, ms | our error | ratio |")
    print("|---|---|---|---|---|---|---|")
    for name, (problem, exact, elements) in races():
        found = {}
        solid = problem.domain.dimension == 3
        for size in SIZES:
            for degree in DEGREES_OF_SOLIDS if solid else DEGREES:
                try:
                    found[size, degree] = elements(degree, size)
                except Exception:
                    continue
        for wanted in WANTED:
            enough = {key: taken for key, (taken, error) in found.items() if error <= wanted}
            best = min(enough, key=enough.__getitem__, default=None)
            times = []
            for _ in range(2):
                begun = time.process_time()
                solution = tn.solve(problem, tol=wanted)
                times.append(time.process_time() - begun)
            points = problem.domain.interior(2000, "quasi", 7)
            truth = exact(points)
            error = float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))
            theirs = f"{1e3 * enough[best]:.3g}" if best else "-"
            ratio = f"{enough[best] / min(times):.2g}" if best else "-"
            which = f"{best[0]}, {best[1]}" if best else "-"
            print(
                f"| {name} | {wanted:.0e} | {theirs} | {which} | {1e3 * min(times):.3g} | {error:.1e} | {ratio} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
