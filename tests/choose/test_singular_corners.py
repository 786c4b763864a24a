"""Corners of systems: slow flow, elastic bodies and coupled potentials with the functions that are singular there."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
a, b, p = (tn.unknown(name, x, y) for name in "abp")
ELL = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
POINTS = ELL.interior(300, "quasi", 5)
NO_SLIP = [sp.Eq(a, 0), sp.Eq(b, 0)]


def difference(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other) / np.linalg.norm(other))


def test_slow_flow_around_a_corner_is_exact() -> None:
    opening, alpha = sp.Rational(3, 2) * sp.pi, sp.Float("0.54448373678246393")
    angle = sp.Rational(3, 4) * sp.pi
    theta = sp.atan2(y * sp.cos(angle) - x * sp.sin(angle), x * sp.cos(angle) + y * sp.sin(angle)) + angle
    t, r = sp.Symbol("t"), sp.sqrt(x**2 + y**2)
    stream = (
        sp.cos(alpha * opening) * (sp.sin((1 + alpha) * t) / (1 + alpha) - sp.sin((1 - alpha) * t) / (1 - alpha))
        - sp.cos((1 + alpha) * t)
        + sp.cos((1 - alpha) * t)
    )
    first, third = sp.diff(stream, t), sp.diff(stream, t, 3)
    flow = [
        r**alpha * ((1 + alpha) * sp.sin(t) * stream + sp.cos(t) * first),
        r**alpha * (sp.sin(t) * first - (1 + alpha) * sp.cos(t) * stream),
        -(r ** (alpha - 1)) * ((1 + alpha) ** 2 * first + third) / (1 - alpha),
    ]
    exact = [formula.subs(t, theta) for formula in flow]
    equations = [
        sp.Eq(-tn.laplacian(a) + sp.diff(p, x), 0),
        sp.Eq(-tn.laplacian(b) + sp.diff(p, y), 0),
        sp.Eq(sp.diff(a, x) + sp.diff(b, y), 0),
    ]
    walls = tn.on("boundary", sp.Eq(a, exact[0]), sp.Eq(b, exact[1]))
    solution = tn.solve(tn.Problem(ELL, equations, [walls, tn.mean(p, 0)]), neurons=150)
    for unknown, formula in zip((a, b, p), exact, strict=True):
        truth = sp.lambdify((x, y), formula, "numpy")(*POINTS.T)
        shift = np.mean(truth - solution[unknown](POINTS)) if unknown is p else 0.0
        assert difference(solution[unknown](POINTS) + shift, truth) < 1e-7


def test_potentials_in_a_system_are_those_of_single_equations() -> None:
    u = tn.unknown("u", x, y)
    both = tn.Problem(ELL, [sp.Eq(-tn.laplacian(a), 1), sp.Eq(-tn.laplacian(b), y)], [tn.on("boundary", *NO_SLIP)])
    solution = tn.solve(both)
    for unknown, source in ((a, 1), (b, y)):
        single = tn.solve(tn.Problem(ELL, [sp.Eq(-tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, 0))]))
        assert difference(solution[unknown](POINTS), single(POINTS)) < min(1e-6, 10 * solution.error)


def test_a_body_that_is_held_on_one_side_and_free_on_the_others() -> None:
    lam, mu = sp.Rational(3, 2), 1
    square = tn.Box(x=(0, 1), y=(0, 1))
    trace = sp.diff(a, x) + sp.diff(b, y)
    sxx, syy = lam * trace + 2 * mu * sp.diff(a, x), lam * trace + 2 * mu * sp.diff(b, y)
    sxy = mu * (sp.diff(a, y) + sp.diff(b, x))
    equations = [sp.Eq(sp.diff(sxx, x) + sp.diff(sxy, y), 0), sp.Eq(sp.diff(sxy, x) + sp.diff(syy, y), 0)]
    conditions = [
        tn.on("x=0", *NO_SLIP),
        tn.on("x=1", sp.Eq(sxx, 1), sp.Eq(sxy, 0)),
        *(tn.on(side, sp.Eq(sxy, 0), sp.Eq(syy, 0)) for side in ("y=0", "y=1")),
    ]
    problem = tn.Problem(square, equations, conditions)
    solution, larger = tn.solve(problem), tn.solve(problem, neurons=500)
    points = square.interior(300, "quasi", 5)
    for unknown in (a, b):
        assert difference(solution[unknown](points), larger[unknown](points)) < min(2e-6, 10 * solution.error)
    # The force through every section is that on the end.
    assert solution.integral(sxx, over="x=0").value == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("slant", [0.5, -2.0])
def test_a_condition_that_is_oblique_at_a_reentrant_corner(slant: float) -> None:
    """u = r^l sin(l (w - theta)) has u_n + s u_x = 0 on theta = 0, where u_n = -u_y, if tan(l w) = -1 / s."""
    names = ["west", "down", "east", "right", "top", "left"]
    ell = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)], names=names)
    opening = 1.5 * np.pi
    power = float(np.arctan2(1.0, -slant) / opening)

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        angle = np.mod(np.arctan2(py, px) + 1e-9, 2 * np.pi) - 1e-9
        return np.hypot(px, py) ** power * np.sin(power * (opening - angle))

    u, g = tn.unknown("u", x, y), tn.given("g", exact, x, y)
    outer = [tn.on(name, sp.Eq(u, g)) for name in ("west", "right", "top", "left")]
    inner = [tn.on("down", sp.Eq(u, 0)), tn.on("east", sp.Eq(tn.normal_derivative(u) + slant * sp.diff(u, x), 0))]
    solution = tn.solve(tn.Problem(ell, [sp.Eq(tn.laplacian(u), 0)], [*outer, *inner]))
    assert difference(solution(POINTS), exact(*POINTS.T)) < 1e-9
