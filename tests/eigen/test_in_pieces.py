"""Eigenvalues of materials and wells, against roots of their transcendental equations."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import jv, jvp, yv, yvp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError

x, y = sp.symbols("x y")
lam = sp.Symbol("lam")
u = tn.unknown("u", x, y)
v = tn.unknown("v", x)
DEPTH = 20.0


def roots(function: object, low: float, high: float) -> list[float]:
    at = np.linspace(low, high, 3000)
    values = [function(p) for p in at]  # type: ignore[operator]
    return [
        float(brentq(function, a, b))  # type: ignore[arg-type]
        for a, b, f, g in zip(at[:-1], at[1:], values[:-1], values[1:], strict=True)
        if f * g < 0 and abs(f) + abs(g) < 1e3
    ]


@pytest.mark.parametrize(
    "potential",
    [sp.Piecewise((0, (x > -1) & (x < 1)), (DEPTH, True)), DEPTH * sp.Heaviside(sp.Abs(x) - 1)],
    ids=["piecewise", "heaviside"],
)
def test_a_finite_well_is_cut_at_its_walls(potential: sp.Expr) -> None:
    equation = sp.Eq(-sp.diff(v, x, 2) + potential * v, lam * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(-6, 6)), [equation], [tn.on("boundary", v)]), lam, count=2)

    def even(e: float) -> float:
        k, decay = np.sqrt(e), np.sqrt(DEPTH - e)
        return float(k * np.sin(k) * np.tanh(5 * decay) - decay * np.cos(k))

    def odd(e: float) -> float:
        k, decay = np.sqrt(e), np.sqrt(DEPTH - e)
        return float(k * np.cos(k) * np.tanh(5 * decay) + decay * np.sin(k))

    true = sorted([*roots(even, 0.1, 10.0), *roots(odd, 0.1, 10.0)])[:2]
    assert pairs.values == pytest.approx(true, rel=1e-10)
    assert (np.abs(pairs.values - true) < 10 * pairs.errors + 1e-12).all()
    state = pairs[0]
    assert float(state.integral(v**2)) == pytest.approx(1.0, rel=1e-8)
    assert state(x=0.3) == pytest.approx(state(x=-0.3), rel=1e-9)


def test_a_well_below_zero_has_its_lowest_state_found() -> None:
    """Values next to zero are those of the box around the well, not the lowest."""
    potential = sp.Piecewise((-DEPTH, (x > -1) & (x < 1)), (0, True))
    equation = sp.Eq(-sp.diff(v, x, 2) + potential * v, lam * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(-6, 6)), [equation], [tn.on("boundary", v)]), lam, count=1)
    assert pairs.values[0] == pytest.approx(1.6394801475332643 - DEPTH, rel=1e-10)


def test_a_string_of_two_materials() -> None:
    density = tn.by_piece(a=1, b=4)
    domain = tn.Pieces(a=tn.Interval(x=(0, 1)), b=tn.Interval(x=(1, 2)))
    problem = tn.Problem(domain, [sp.Eq(-sp.diff(v, x, 2), lam * density * v)], [tn.on("boundary", v)])
    true = roots(
        lambda e: 2 * np.sin(np.sqrt(e)) * np.cos(2 * np.sqrt(e)) + np.cos(np.sqrt(e)) * np.sin(2 * np.sqrt(e)), 0.1, 30
    )
    assert tn.eigenpairs(problem, lam, count=5).values == pytest.approx(true[:5], rel=1e-11)
    assert tn.eigenpairs(problem, lam, count=2, near=10).values == pytest.approx(true[1:3], rel=1e-11)


def test_a_membrane_of_two_materials_keeps_doubles_apart() -> None:
    density = tn.by_piece(core=5, shell=1)
    domain = tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5))
    problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), lam * density * u)], [tn.on("boundary", u)])

    def determinant(e: float, n: int) -> float:
        a, b, r = np.sqrt(5 * e), np.sqrt(e), 0.5
        rows = [
            [jv(n, a * r), -jv(n, b * r), -yv(n, b * r)],
            [a * jvp(n, a * r), -b * jvp(n, b * r), -b * yvp(n, b * r)],
            [0, jv(n, b), yv(n, b)],
        ]
        return float(np.linalg.det(np.array(rows)))

    true = sorted(r for n in range(2) for r in roots(lambda e, n=n: determinant(e, n), 0.2, 8.0) * (n + 1))[:3]
    pairs = tn.eigenpairs(problem, lam, count=3, tol=1e-5)
    assert pairs.values == pytest.approx(true, rel=1e-6)
    assert (np.abs(pairs.values - true) < 10 * pairs.errors).all()


def test_what_pieces_cannot_have_is_told() -> None:
    domain = tn.Pieces(a=tn.Interval(x=(0, 1)), b=tn.Interval(x=(1, 2)))
    squared = tn.Problem(domain, [sp.Eq(-sp.diff(v, x, 2), lam**2 * v)], [tn.on("boundary", v)])
    with pytest.raises(ProblemError, match="higher power"):
        tn.eigenpairs(squared, lam)
    plain = tn.Problem(domain, [sp.Eq(-sp.diff(v, x, 2), lam * v)], [tn.on("boundary", v)])
    with pytest.raises(ProblemError, match="each piece"):
        tn.eigenpairs(plain, lam, neurons=100)
    with pytest.raises(ProblemError, match="are real"):
        tn.eigenpairs(plain, lam, near=1 + 2j)


def test_complex_values_are_not_told_as_real_ones() -> None:
    """-a'' + b = lam a and -b'' - a = lam b have k^2 + i and k^2 - i."""
    a, b = tn.unknown("a", x), tn.unknown("b", x)
    domain = tn.Pieces(left=tn.Interval(x=(0, 1)), right=tn.Interval(x=(1, 3)))
    equations = [sp.Eq(-sp.diff(a, x, 2) + b, lam * a), sp.Eq(-sp.diff(b, x, 2) - a, lam * b)]
    with pytest.warns(AccuracyWarning, match="Only 0 of 2 .* only real eigenvalues"):
        pairs = tn.eigenpairs(tn.Problem(domain, equations, [tn.on("boundary", a, b)]), lam, count=2)
    assert len(pairs) == 0
