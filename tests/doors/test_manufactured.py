"""Manufactured solutions: one table of problems, each solved with more and more neurons.

A line of the table is a domain, an exact solution for each unknown, the left-hand sides of the equations, and those of
the conditions by place. The right-hand sides follow by putting the exact solution in, so a new problem is one line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y, z, t = sp.symbols("x y z t")
pi, sin, cos, exp, diff = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff


@dataclass(frozen=True)
class Case:
    """A problem with a known solution.

    Parameters
    ----------
    domain, exact, equations, conditions
        Where (or a function of a folder for files); the solution for each unknown; operators of the unknowns;
        operators by place.
    neurons : tuple
        A small and a large network; the relative error must fall between them by `fall` at least.
    scale : tuple
        The scale of the spectral space of each network.
    error : float
        What the large network must reach, relative to the largest value.
    more : function of the unknowns
        Further conditions: means, periodicity, data.
    """

    domain: tn.Domain | Callable[[Path], tn.Domain]
    exact: Mapping[str, sp.Expr]
    equations: Callable[..., Any]
    conditions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    neurons: tuple[int, int] = (100, 250)
    scale: tuple[float, float] = (3.0, 4.0)
    error: float = 1e-8
    fall: float = 30.0
    more: Callable[..., Sequence[Any]] = lambda *unknowns: ()
    coordinates: tuple[sp.Symbol, ...] = (x, y)


def state(case: Case, folder: Path) -> tn.Problem:
    """The problem of a case: every right-hand side is the left-hand side of the exact solution."""
    unknowns = [tn.unknown(name, *case.coordinates) for name in case.exact]
    solution = dict(zip(unknowns, case.exact.values(), strict=True))

    def balanced(left: Any) -> list[Any]:
        sides = left if isinstance(left, list) else [left]
        return [sp.Eq(side, side.subs(solution).doit(), evaluate=False) for side in sides]

    return tn.Problem(
        domain=case.domain(folder) if callable(case.domain) else case.domain,
        equations=balanced(case.equations(*unknowns)),
        conditions=[
            *(tn.on(part, *balanced(left(*unknowns))) for part, left in case.conditions.items()),
            *case.more(*unknowns),
        ],
    )


def relative_error(solution: tn.Solution, exact: Mapping[str, sp.Expr], names: Sequence[sp.Symbol]) -> float:
    """The largest root mean square error of an unknown on fresh points, relative to its size."""
    points = solution.problem.domain.interior(2000, "random", 99)
    worst = 0.0
    for name, formula in exact.items():
        truth = np.broadcast_to(sp.lambdify(names, formula)(*points.T), len(points))
        gap = solution[name](points) - truth
        worst = max(worst, float(np.sqrt(np.mean(gap**2)) / np.sqrt(np.mean(truth**2))))
    return worst


def same(*unknowns: sp.Expr) -> list[sp.Expr]:
    """Dirichlet values of all unknowns."""
    return list(unknowns)


def flower() -> tn.Domain:
    r = 1 + sp.Rational(3, 10) * cos(5 * t)
    return tn.Region(tn.Curve((r * cos(t), r * sin(t)), (t, 0, 2 * pi)))


def stl_body(folder: Path) -> tn.Domain:
    """A brick with a slanted roof, by way of a file."""
    trimesh = pytest.importorskip("trimesh")
    corners = [(a, b, c * (1 + 0.3 * a)) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    file = folder / "body.stl"
    trimesh.convex.convex_hull(np.array(corners)).export(file)
    return tn.Mesh(file)


def stokes(u: sp.Expr, v: sp.Expr, p: sp.Expr) -> list[sp.Expr]:
    return [-tn.laplacian(u) + diff(p, x), -tn.laplacian(v) + diff(p, y), diff(u, x) + diff(v, y)]


def elasticity(u: sp.Expr, v: sp.Expr) -> list[sp.Expr]:
    """Plane strain with Lame's constants lambda = 2, mu = 1."""
    d = tn.div([u, v], x, y)
    return [-3 * diff(d, x) - tn.laplacian(u), -3 * diff(d, y) - tn.laplacian(v)]


def traction(u: sp.Expr, v: sp.Expr) -> list[sp.Expr]:
    n, d = tn.normal(x, y), tn.div([u, v], x, y)
    strain = sp.Matrix([[diff(u, x), (diff(u, y) + diff(v, x)) / 2], [(diff(u, y) + diff(v, x)) / 2, diff(v, y)]])
    return list((2 * d * sp.eye(2) + 2 * strain) * n)


square = tn.Box(x=(0, 1), y=(0, 1))
wave = sin(2 * x) * cos(3 * y) + x * y
stream = sin(pi * x) ** 2 * sin(pi * y) ** 2
k = tn.given("k", lambda a, b: 2 + np.sin(3 * a) * b, x, y)
CASES = {
    "Sturm-Liouville, Robin ends": Case(
        tn.Interval(x=(0, 2)), {"u": exp(-x) * sin(6 * x)}, lambda u: -diff((1 + x**2) * diff(u, x), x) + cos(x) * u,
        {"x=0": lambda u: diff(u, x) - 2 * u, "x=2": lambda u: diff(u, x) + u},
        (15, 40), (5.0, 9.0), 1e-9, coordinates=(x,)),
    "Helmholtz": Case(square, {"u": sin(6 * x + 1) * cos(5 * y)}, lambda u: tn.laplacian(u) + 100 * u,
        {"boundary": same}, (140, 250), (3.5, 4.0)),
    "diffusion, variable coefficient": Case(square, {"u": wave},
        lambda u: tn.div((1 + x * y) * tn.grad(u)), {"boundary": same}),
    "diffusion, given coefficient": Case(square, {"u": wave},
        lambda u: tn.div(k * tn.grad(u)), {"boundary": same}),
    "convection-diffusion": Case(square, {"u": wave},
        lambda u: -tn.laplacian(u) / 20 + 2 * diff(u, x) - (1 + x) * diff(u, y),
        {"left": same, "top": same, "bottom": same, "right": lambda u: tn.normal_derivative(u)}),
    "biharmonic, clamped plate": Case(tn.Disk(), {"u": wave},
        tn.biharmonic, {"boundary": lambda u: [u, tn.normal_derivative(u)]}, error=1e-7),
    "biharmonic, supported plate": Case(square, {"u": wave},
        tn.biharmonic, {"boundary": lambda u: [u, tn.laplacian(u)]}, error=1e-7),
    "linear KdV": Case(tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)), {"u": sin(2 * x + t) + x * t},
        lambda u: diff(u, t) + diff(u, x) + diff(u, x, 3),
        {"t=0": same, "x=0": same, "x=1": lambda u: [u, diff(u, x)]}, coordinates=(x, t)),
    "Stokes": Case(tn.Disk(), {"u": diff(wave, y), "v": -diff(wave, x), "p": cos(x) * y},
        stokes, {"boundary": lambda u, v, p: [u, v]}, error=1e-6, more=lambda u, v, p: [tn.mean(p)]),
    "plane elasticity": Case(square, {"u": sin(2 * x) * y, "v": cos(2 * x + y)},
        elasticity, {"left": same, "right": traction, "top": traction, "bottom": traction}),
    "pure Neumann with a mean": Case(tn.Disk(), {"u": cos(2 * x) * sin(y) + x**2 - sp.Rational(1, 4)},
        tn.laplacian, {"boundary": lambda u: tn.normal_derivative(u)}, more=lambda u: [tn.mean(u)]),
    "doubly periodic Poisson": Case(tn.Box(x=(0, 2), y=(0, 1)), {"u": sin(pi * x) * cos(2 * pi * y)},
        tn.laplacian, {}, more=lambda u: [tn.periodic(x), tn.periodic(y), tn.mean(u)]),
    "wave, initial derivative": Case(tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)), {"u": sin(3 * x) * cos(3 * t + 1)},
        lambda u: diff(u, t, 2) - diff(u, x, 2), {"t=0": lambda u: [u, diff(u, t)], "x=0": same, "x=1": same},
        coordinates=(x, t)),
    "heat in 3D and time": Case(tn.Ball() * tn.Interval(t=(0, 1)), {"u": exp(-t) * sin(x + y) * cos(z)},
        lambda u: diff(u, t) - tn.laplacian(u), {"sides": same, "t=0": same}, (150, 500), (0.8, 0.8), 2e-4, 30,
        coordinates=(x, y, z, t)),
    "flower": Case(flower(), {"u": wave}, tn.laplacian, {"boundary": same}),
    "polygon with a hole": Case(
        tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 2), (0, 1)], holes=[[(0.7, 0.6), (1.3, 0.6), (1, 1.1)]]),
        {"u": wave}, tn.laplacian, {"outer": same, "hole 0": lambda u: tn.normal_derivative(u)}, error=1e-7),
    "level set": Case(tn.LevelSet(x**4 + y**4 + x * y / 2 < 1, x=(-2, 2), y=(-2, 2)),
        {"u": wave}, tn.laplacian, {"boundary": lambda u: tn.normal_derivative(u) + u}),
    "sphere minus a sphere": Case(tn.Ball() - tn.Ball(radius=0.4, name="core"), {"u": sin(x + y) * exp(z)},
        tn.laplacian, {"sphere": same, "core": lambda u: tn.normal_derivative(u)}, (150, 500), (1.5, 2.0), 1e-6, 10,
        coordinates=(x, y, z)),
    "STL body": Case(stl_body, {"u": sin(x + y) * exp(z)}, tn.laplacian, {"boundary": same}, (150, 500), (1.5, 2.0),
        1e-6, 10, coordinates=(x, y, z)),
    "Maxwell's cavity": Case(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)),
        {"e": sin(y) * cos(z), "f": sin(z) * cos(x), "g": sin(x) * cos(y)},
        lambda *e: [*(tn.curl(tn.curl(e, x, y, z), x, y, z) - 2 * sp.Matrix(e)), tn.div(e, x, y, z)],
        {"boundary": lambda *e: list(tn.normal(x, y, z).cross(sp.Matrix(e)))}, (60, 200), (1.0, 1.4), 1e-5, 10,
        coordinates=(x, y, z)),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:The estimated relative error")
@pytest.mark.parametrize("name", CASES)
def test_the_error_falls_with_neurons(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    problem = state(case, tmp_path)
    dimension = problem.domain.dimension
    errors = []
    for neurons, scale in zip(case.neurons, case.scale, strict=True):
        space = tn.FeatureSpace.spectral(dimension, neurons, scale)
        errors.append(relative_error(tn.solve(problem, space=space), case.exact, problem.coordinates))
    assert errors[1] < case.error
    assert errors[1] < errors[0] / case.fall


REACHED = {"heat in 3D and time": 1e-6, "Maxwell's cavity": 1e-7}
"""What the defaults reach where there is no time for more; ten digits, and an error of 1e-9, elsewhere."""


@pytest.mark.parametrize("name", CASES)
def test_the_defaults_reach_what_they_say(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    problem = state(case, tmp_path)
    solution = tn.solve(problem)
    error = relative_error(solution, case.exact, problem.coordinates)
    assert error < REACHED.get(name, 1e-9)
    assert error < 5 * solution.error
    assert not solution.diagnostics.messages
