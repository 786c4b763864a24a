"""Flows in cells: velocities and a pressure, manufactured solutions, corners, jumps of boundary values, benchmarks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cells.corners import IN_PLACE
from transnet.cells.near import NearFunctions
from transnet.choose.sectors import sectors_of
from transnet.features.corner_functions import joint_functions
from transnet.features.singular import Singular
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
SLOW = tn.flow(v, p, viscosity=1)


def error_of(solution: tn.Solution, exact: tuple[sp.Expr, ...]) -> float:
    """The largest relative L2 error of the unknowns."""
    points = solution.problem.domain.interior(400, "random", 1)
    found = []
    for unknown, formula in zip((*v, p), exact, strict=False):
        true = sp.lambdify((x, y), formula)(*points.T)
        found.append(np.linalg.norm(solution.evaluate(unknown, points) - true) / np.linalg.norm(true))
    return float(max(found))


@pytest.mark.parametrize("tol", [1e-4, 1e-8])
def test_a_slow_flow_around_a_shaft(tol: float) -> None:
    psi = sp.sin(2 * x + y) * sp.exp(x * y / 2)
    velocity, pressure = (sp.diff(psi, y), -sp.diff(psi, x)), y * sp.cos(3 * x)
    force = [sp.diff(pressure, c) - tn.laplacian(w, x, y) for w, c in zip(velocity, (x, y), strict=True)]
    fluid = tn.flow(v, p, viscosity=1, force=force)
    domain = tn.Disk(radius=1) - tn.Disk(center=(0.2, 0), radius=0.4)
    problem = tn.Problem(domain, fluid.equations, [fluid.inflow("boundary", *velocity), tn.mean(p - pressure)])
    solution = tn.solve(problem, tol=tol, method="cells")
    assert error_of(solution, (*velocity, pressure)) < solution.error <= tol


def test_kovasznay_flow() -> None:
    rate = 20 - sp.sqrt(400 + 4 * sp.pi**2)
    velocity = (
        1 - sp.exp(rate * x) * sp.cos(2 * sp.pi * y),
        rate / (2 * sp.pi) * sp.exp(rate * x) * sp.sin(2 * sp.pi * y),
    )
    pressure = -sp.exp(2 * rate * x) / 2
    fluid = tn.flow(v, p, viscosity=sp.Rational(1, 40), density=1)
    problem = tn.Problem(
        tn.Box(x=(-0.5, 1), y=(-0.5, 0.5)),
        fluid.equations,
        [fluid.inflow("boundary", *velocity), tn.mean(p - pressure)],
    )
    solution = tn.solve(problem, tol=1e-6, method="cells")
    assert error_of(solution, (*velocity, pressure)) < solution.error <= 1e-6


def test_sums_of_a_corner_satisfy_the_equations_and_the_walls() -> None:
    step = tn.Box(x=(0, 3), y=(0, 1)) - tn.Box(x=(0, 1), y=(0, 0.5))
    problem = tn.Problem(step, SLOW.equations, [SLOW.wall("boundary"), tn.mean(p)])
    known = sectors_of(problem, statements_of(problem), ())
    assert known is not None
    corner, sector, powers, _ = next(entry for entry in known.powers if entry[0].opening() > np.pi)
    rim = corner.point + np.array([[0.3, 0.0], [0.0, 0.3], [-0.3, 0.1]])
    functions, ties = joint_functions(replace(corner, free=np.inf), sector, powers, IN_PLACE, rim, 3.0)
    assert ties.shape[1] < len(functions) / 8  # Moffatt's exponents 0.54, 0.91, 1.63 + 0.23 i, ...
    table = NearFunctions({0: Singular.of(functions)})

    def at(unknown: int, index: tuple[int, int], points: np.ndarray) -> np.ndarray:
        return table.summed(0, points, index, unknown, ties)

    angles = np.linspace(*sector.angles, 7)
    points = corner.point + 0.2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for unknown, pushed in ((0, (1, 0)), (1, (0, 1))):
        inner = points[1:-1]
        spread = at(unknown, (2, 0), inner) + at(unknown, (0, 2), inner)
        assert np.allclose(spread, at(2, pushed, inner), atol=1e-10)
        assert np.allclose(at(unknown, (0, 0), points[[0, -1]]), 0, atol=1e-7)
    assert np.allclose(at(0, (1, 0), points) + at(1, (0, 1), points), 0, atol=1e-9)


def test_taylors_scraper() -> None:
    """A wall that slides along another one: velocities depend on the angle alone, the pressure is like 1 / r."""
    a, b, c, angle = sp.symbols("a b c angle")
    f = a * sp.sin(angle) + b * angle * sp.cos(angle) + c * angle * sp.sin(angle)
    slope, quarter = sp.diff(f, angle), sp.pi / 2
    found = sp.solve([slope.subs(angle, 0) - 1, f.subs(angle, quarter), slope.subs(angle, quarter)], [a, b, c])
    psi = sp.sqrt(x**2 + y**2) * f.subs(found).subs(angle, sp.atan2(y, x))
    velocity = sp.diff(psi, y), -sp.diff(psi, x)
    sides = [SLOW.inflow("left", 0, 0), SLOW.inflow("bottom", 1, 0)]
    sides += [SLOW.inflow(part, *velocity) for part in ("right", "top")]
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), SLOW.equations, [*sides, tn.mean(p)])
    with pytest.warns(tn.errors.AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(problem, tol=1e-5, method="cells")
    assert error_of(solution, velocity) < solution.error <= 1e-5


def test_the_driven_cavity() -> None:
    """The extreme velocities on the centre lines at a Reynolds number of 100, by Botella and Peyret (1998)."""
    fluid = tn.flow(v, p, viscosity=0.01, density=1)
    walls = [fluid.wall(part) for part in ("left", "right", "bottom")]
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), fluid.equations, [fluid.inflow("top", 1, 0), *walls, tn.mean(p)])
    with pytest.warns(tn.errors.AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(problem, tol=5e-3, method="cells")
    at = np.linspace(0.01, 0.99, 2001)
    along, up = solution.evaluate(v[0], x=0.5, y=at[at < 0.9]), solution.evaluate(v[1], x=at, y=0.5)
    assert [along.min(), up.min(), up.max()] == pytest.approx([-0.2140424, -0.2538030, 0.1795728], abs=1e-3)


def test_what_flows_in_flows_out_around_a_block() -> None:
    fluid = tn.flow(v, p, viscosity=0.05, density=1)
    domain = tn.Box(x=(0, 4), y=(0, 1)) - tn.Box(x=(1, 1.3), y=(0, 0.4))
    outer = {q for part in ("left", "right") for q in domain.resolve(part)}
    walls = [fluid.wall(part) for part in domain.parts if part not in outer]
    problem = tn.Problem(
        domain, fluid.equations, [fluid.inflow("left", 4 * y * (1 - y), 0), fluid.outlet("right"), *walls]
    )
    solution = tn.solve(problem, tol=1e-2, method="cells")
    assert solution.error <= 1e-2
    assert solution.integral(v[0], over="right").value == pytest.approx(2 / 3, rel=2e-3)
