"""Plates, tables and slow flow against NGSolve at equal error: the second table of `docs/theory/pieces.md`.

    python benchmarks/plates_race.py

A square with 25 and with 100 holes, whose solution is known; a table of 5 x 5 coefficients, against elements of degree
12; Stokes' flow around a cylinder, by its drag. NGSolve has elements of several degrees on a few curved meshes, of
which the fastest that reaches the error counts; ours is `tn.solve(problem, tol=...)`. Processor time, one thread.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import netgen.geom2d as plane
import ngsolve as ng
import numpy as np
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
DEGREES, SIZES = (2, 4, 6, 8, 10), (0.2, 0.1, 0.05)
WANTED = (1e-3, 1e-6)
DRAG = 16.216154
"""Of the flow around the cylinder, in units of the viscosity and of the fastest speed (both methods, eight digits)."""
POINTS = 1000

Timed = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Race:
    """A problem, the error of our solution, and the time and error of elements of a degree and a size."""

    problem: tn.Problem
    error: Callable[[tn.Solution], float]
    elements: Callable[[int, float], Timed]


def plate(rows: int) -> Race:
    """Holes in a square, no two in line, with a source in each, off its centre."""
    rng = np.random.default_rng(0)
    middles = (np.stack(np.meshgrid(range(rows), range(rows)), axis=-1).reshape(-1, 2) + 0.5) / rows
    middles = middles + rng.uniform(-0.15, 0.15, middles.shape) / rows
    radius, sources = 0.25 / rows, rng.normal(size=len(middles))
    charged = (middles + radius * np.array([0.3, 0.2])).tolist()
    domain = tn.Box(x=(0, 1), y=(0, 1))
    for middle in middles:
        domain = domain - tn.Disk(center=tuple(middle), radius=radius)

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        terms = (s * np.log((px - a) ** 2 + (py - b) ** 2) for (a, b), s in zip(charged, sources, strict=True))
        return sum(terms, np.zeros(np.shape(px)))

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        geometry = plane.SplineGeometry()
        geometry.AddRectangle((0, 0), (1, 1), leftdomain=1, rightdomain=0, bc="outer")
        for middle in middles.tolist():
            geometry.AddCircle(middle, radius, leftdomain=0, rightdomain=1, bc="outer")
        mesh = ng.Mesh(geometry.GenerateMesh(maxh=size))
        mesh.Curve(degree)
        terms = (
            s * ng.log((ng.x - a) ** 2 + (ng.y - b) ** 2) for (a, b), s in zip(charged, sources.tolist(), strict=True)
        )
        found = _poisson(mesh, degree, ng.CoefficientFunction(1.0), sum(terms), None)
        return time.process_time() - begun, _apart(_at(found, mesh, points), exact(*points.T))

    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, tn.given("g", exact, x, y)))])
    points = domain.interior(POINTS, "quasi", 7)
    return Race(problem, lambda s: _apart(s(points), exact(*points.T)), elements)


def table() -> Race:
    """A square of 5 x 5 smaller ones with coefficients from 0.1 to 10, and a load."""
    stiffness = 10 ** np.random.default_rng(1).uniform(-1, 1, (5, 5))
    places = [k / 5 for k in range(1, 5)]
    k = tn.given("k", stiffness, x, y, jumps={x: places, y: places})
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [sp.Eq(-tn.div(k * tn.grad(u)), 1)], [tn.on("boundary", u)])
    points = square.interior(POINTS, "quasi", 7)

    def solved(degree: int, size: float, levels: int) -> tuple[ng.GridFunction, ng.Mesh]:
        geometry = plane.SplineGeometry()
        corners = {
            (i, j): geometry.AppendPoint(i / 5, j / 5, hpref=1.0 if 0 < i < 5 or 0 < j < 5 else 0.0)
            for i in range(6)
            for j in range(6)
        }
        number = lambda i, j: 1 + 5 * i + j if 0 <= i < 5 and 0 <= j < 5 else 0  # noqa: E731
        for i in range(6):
            for j in range(5):
                up, along = ["line", corners[i, j], corners[i, j + 1]], ["line", corners[j, i], corners[j + 1, i]]
                rim = "outer" if i in (0, 5) else "inner"
                geometry.Append(up, leftdomain=number(i - 1, j), rightdomain=number(i, j), bc=rim)
                geometry.Append(along, leftdomain=number(j, i), rightdomain=number(j, i - 1), bc=rim)
        for i in range(5):
            for j in range(5):
                geometry.SetMaterial(number(i, j), f"m{i}{j}")
        mesh = ng.Mesh(geometry.GenerateMesh(maxh=size))
        if levels:
            mesh.RefineHP(levels, factor=0.2)
        factor = mesh.MaterialCF({f"m{i}{j}": stiffness[i, j] for i in range(5) for j in range(5)})
        return _poisson(mesh, degree, factor, None, ng.CoefficientFunction(1.0)), mesh

    truth = _at(*solved(12, 0.2, 12), points)

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        found, mesh = solved(degree, size, degree)
        return time.process_time() - begun, _apart(_at(found, mesh, points), truth)

    return Race(problem, lambda s: _apart(s(points), truth), elements)


def cylinder() -> Race:
    """Stokes' flow in a channel around a cylinder of a fifth of its width, by the drag."""
    middle, radius = (0.7, 0.5), 0.1
    domain = tn.Box(x=(0, 3), y=(0, 1)) - tn.Disk(center=middle, radius=radius)
    problem = tn.Problem(
        domain,
        [
            sp.Eq(-tn.laplacian(u) + sp.diff(p, x), 0),
            sp.Eq(-tn.laplacian(v) + sp.diff(p, y), 0),
            sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0),
        ],
        [
            tn.on("left", sp.Eq(u, 4 * y * (1 - y)), v),
            tn.on("right", p, v),
            *(tn.on(part, u, v) for part in ("top", "bottom", "circle")),
        ],
    )

    def error(solution: tn.Solution) -> float:
        angle = 2 * np.pi * (np.arange(POINTS) + 0.5) / POINTS
        n = np.stack([np.cos(angle), np.sin(angle)])
        at = np.array(middle) + radius * n.T
        slopes = [solution.evaluate(sp.diff(u, c), at) for c in (x, y)]
        pull = slopes[0] * n[0] + slopes[1] * n[1] - solution.evaluate(p, at) * n[0]
        return abs(2 * np.pi * radius * float(pull.mean()) / DRAG - 1)

    def elements(degree: int, size: float) -> Timed:
        begun = time.process_time()
        geometry = plane.SplineGeometry()
        geometry.AddRectangle((0, 0), (3, 1), bcs=("wall", "out", "wall", "in"))
        geometry.AddCircle(middle, radius, leftdomain=0, rightdomain=1, bc="rim", maxh=min(size, 0.1))
        mesh = ng.Mesh(geometry.GenerateMesh(maxh=2 * size))
        mesh.Curve(degree)
        velocity = ng.VectorH1(mesh, order=degree, dirichletx="wall|in|rim", dirichlety="wall|in|rim|out")
        both = velocity * ng.H1(mesh, order=degree - 1)
        (a, q), (b, r) = both.TnT()
        form = ng.InnerProduct(ng.Grad(a), ng.Grad(b)) - q * ng.div(b) - r * ng.div(a)
        left = ng.BilinearForm(form * ng.dx, symmetric=True).Assemble()
        found, probe = ng.GridFunction(both), ng.GridFunction(both)
        found.components[0].Set((4 * ng.y * (1 - ng.y), 0), definedon=mesh.Boundaries("in"))
        probe.components[0].Set((1, 0), definedon=mesh.Boundaries("rim"))
        start = (-left.mat * found.vec).Evaluate()
        found.vec.data += left.mat.Inverse(both.FreeDofs(), "sparsecholesky") * start
        pull = ng.InnerProduct(probe.vec, (left.mat * found.vec).Evaluate())
        return time.process_time() - begun, abs(abs(pull) / DRAG - 1)

    return Race(problem, error, elements)


def _poisson(mesh, degree, factor, values, source) -> ng.GridFunction:  # type: ignore[no-untyped-def]
    elements = ng.H1(mesh, order=degree, dirichlet="outer")
    a, b = elements.TnT()
    left = ng.BilinearForm(elements, condense=True, symmetric=True)
    left += factor * ng.grad(a) * ng.grad(b) * ng.dx
    right = ng.LinearForm(elements)
    if source is not None:
        right += source * b * ng.dx
    left.Assemble()
    right.Assemble()
    found = ng.GridFunction(elements)
    if values is not None:
        found.Set(values, ng.BND)
    ng.solvers.BVP(left, right, found, inverse="sparsecholesky", print=False)
    return found


def _at(found: ng.GridFunction, mesh: ng.Mesh, points: np.ndarray) -> np.ndarray:
    return np.array([found(mesh(*place)) for place in points.tolist()])


def _apart(values: np.ndarray, truth: np.ndarray) -> float:
    return float(np.linalg.norm(values - truth) / np.linalg.norm(truth))


RACES = {
    "25 holes": lambda: plate(5),
    "100 holes": lambda: plate(10),
    "5 x 5 coefficients": table,
    "Stokes, cylinder": cylinder,
}


def main() -> None:
    warnings.simplefilter("ignore")
    ng.SetNumThreads(1)
    print("| problem | wanted | NGSolve, s | its mesh and degree | ours, s | our error |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[1:] or RACES:
        race = RACES[name]()
        found = {}
        for size in SIZES:
            for degree in DEGREES:
                try:
                    found[size, degree] = race.elements(degree, size)
                except Exception as error:
                    print(f"{name}: no elements of degree {degree} and size {size}: {error}", file=sys.stderr)
        for wanted in WANTED:
            enough = {key: taken for key, (taken, error) in found.items() if error <= wanted}
            best = min(enough, key=enough.__getitem__, default=None)
            begun = time.process_time()
            solution = tn.solve(race.problem, tol=wanted)
            taken = time.process_time() - begun
            theirs, which = (f"{enough[best]:.2g}", f"{best[0]}, {best[1]}") if best else ("-", "-")
            print(
                f"| {name} | {wanted:.0e} | {theirs} | {which} | {taken:.2g} | {race.error(solution):.0e} |", flush=True
            )


if __name__ == "__main__":
    main()
