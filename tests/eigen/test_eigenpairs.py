"""Eigenvalues against those that are known in closed form, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import jn_zeros

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
lam = sp.Symbol("lam")
u = tn.unknown("u", x, y)
v = tn.unknown("v", x)


def drum(domain: tn.Domain) -> tn.Problem:
    return tn.Problem(domain, [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", u)])


def test_the_drum_has_the_zeros_of_bessel_functions_and_keeps_doubles_apart() -> None:
    pairs = tn.eigenpairs(drum(tn.Disk(radius=1)), lam, count=6, neurons=400)
    zeros = np.sort(np.concatenate([np.repeat(jn_zeros(m, 4) ** 2, 1 if m == 0 else 2) for m in range(6)]))[:6]
    assert pairs.values == pytest.approx(zeros, rel=1e-12)
    assert (pairs.errors < 1e-9).all()
    first, second = pairs[1], pairs[2]
    nodes, weights = tn.Disk(radius=1).quadrature(4000)
    inner = np.pi * (weights / weights.sum()) @ (first(nodes) * second(nodes))
    assert abs(inner) < 0.01  # two functions, orthogonal on the points that they are seen at
    assert np.pi * (weights / weights.sum()) @ first(nodes) ** 2 == pytest.approx(1.0, rel=1e-6)


def test_functions_of_double_values_are_real() -> None:
    # One of the last double value is asked for; rounding makes the two conjugate to each other.
    pairs = tn.eigenpairs(drum(tn.Disk(radius=1)), lam, count=4)
    assert [function.names for function in pairs] == [("u",)] * 4
    flux, content = pairs[0].flux("circle"), pairs[0].integral(u)
    assert abs(flux / content + pairs.values[0]) < 1e-6


def test_a_zero_eigenvalue_is_found() -> None:
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", tn.normal_derivative(u))]
    )
    pairs = tn.eigenpairs(problem, lam, count=4, neurons=200)
    assert pairs.values == pytest.approx(np.pi**2 * np.array([0, 1, 1, 2]), abs=1e-6)


def test_the_lowest_states_of_a_well_are_below_zero() -> None:
    well = sp.Eq(-sp.diff(v, x, 2) - 12 / sp.cosh(x) ** 2 * v, lam * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(-12, 12)), [well], [tn.on("boundary", v)]), lam, count=3)
    # The walls at a distance of 12 move the highest by exp(-24).
    assert pairs.values == pytest.approx([-9, -4, -1], rel=4e-9)
    assert pairs.values[:2] == pytest.approx([-9, -4], rel=1e-10)


def test_eigenvalues_in_a_condition() -> None:
    steklov = tn.on("boundary", sp.Eq(tn.normal_derivative(u), lam * u))
    pairs = tn.eigenpairs(tn.Problem(tn.Disk(radius=1), [tn.laplacian(u)], [steklov]), lam, count=5, neurons=200)
    assert pairs.values == pytest.approx([0, 1, 1, 2, 2], abs=1e-8)


def test_quadratic_eigenvalues_are_complex() -> None:
    damped = sp.Eq(sp.diff(v, x, 2), lam**2 * v + sp.Rational(1, 5) * lam * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(0, 1)), [damped], [tn.on("boundary", v)]), lam, count=4)
    exact = [-0.1 + s * 1j * np.sqrt((k * np.pi) ** 2 - 0.01) for k in (2, 1) for s in (-1, 1)]
    assert sorted(pairs.values.imag) == pytest.approx(sorted(np.imag(exact)), rel=1e-10)
    assert pairs.values.real == pytest.approx(-0.1, rel=1e-10)
    mode = pairs[0]
    assert np.iscomplexobj(mode(x=np.linspace(0, 1, 5)))


def test_orr_sommerfeld() -> None:
    phi = tn.unknown("phi", y, complex=True)

    def operator(f: sp.Expr) -> sp.Expr:
        return sp.diff(f, y, 2) - f

    flow = 1 - y**2
    inertia = sp.I * 10_000 * ((flow - lam) * operator(phi) - sp.diff(flow, y, 2) * phi)
    problem = tn.Problem(
        tn.Interval(y=(-1, 1)), [sp.Eq(operator(operator(phi)), inertia)], [tn.on("boundary", phi, sp.diff(phi, y))]
    )
    pairs = tn.eigenpairs(problem, lam, count=1, near=0.24 + 0.003j)
    assert abs(pairs.values[0] - (0.2375264888204682 + 0.0037396706229799j)) < 1e-9


def test_the_l_shape() -> None:
    corner = tn.Polygon([(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)])
    pairs = tn.eigenpairs(drum(corner), lam, count=1, neurons=200, tol=1e-6)
    assert pairs.values == pytest.approx([9.6397238440219410], rel=1e-7)


WRONG = {
    "not there": (lambda: tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.on("boundary", u)]), {}, "does not stand"),
    "nonlinear": (
        lambda: tn.Problem(tn.Disk(), [sp.Eq(-tn.laplacian(u), lam * u**3)], [tn.on("boundary", u)]), {}, "not linear",
    ),
    "not homogeneous": (
        lambda: tn.Problem(tn.Disk(), [sp.Eq(-tn.laplacian(u), lam * u + 1)], [tn.on("boundary", u)]), {},
        "not homogeneous",
    ),
    "no polynomial": (
        lambda: tn.Problem(tn.Disk(), [sp.Eq(-tn.laplacian(u), sp.sin(lam) * u)], [tn.on("boundary", u)]), {},
        "whole exponent",
    ),
    "count": (lambda: drum(tn.Disk()), {"count": 0}, "whole number"),
    "near": (lambda: drum(tn.Disk()), {"near": "here"}, "near"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_eigenvalues_is_refused(name: str) -> None:
    make, keywords, words = WRONG[name]
    with pytest.raises(ProblemError, match=words):
        tn.eigenpairs(make(), lam, **keywords)
