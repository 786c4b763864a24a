"""Eigenvalues against those that are known in closed form, and what is refused."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy as sp
from scipy.special import jn_zeros

import transnet as tn
from transnet.eigen.grow import basis_of
from transnet.eigen.search import Question
from transnet.errors import ProblemError

x, y, z = sp.symbols("x y z")
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


def test_the_ground_state_of_an_atom_is_the_first_of_many_below_zero() -> None:
    radial = sp.Eq(-x * sp.diff(v, x, 2) / 2 - v, lam * x * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(0, 60)), [radial], [tn.on("boundary", v)]), lam, count=3)
    assert pairs.values == pytest.approx([-1 / 2, -1 / 8, -1 / 18], rel=2e-9)


@pytest.mark.filterwarnings("ignore::transnet.errors.AccuracyWarning")
def test_a_state_far_below_the_others_is_not_missed() -> None:
    """The ground state is seen from no shift amid the others, and a network that has only those is content."""
    radial = sp.Eq(-x * sp.diff(v, x, 2) / 2 - v, lam * x * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(x=(0, 90)), [radial], [tn.on("boundary", v)]), lam, count=3, tol=1e-7)
    assert pairs.values == pytest.approx([-1 / 2, -1 / 8, -1 / 18], rel=1e-4)


def test_the_clamped_plate_has_its_corner_functions() -> None:
    clamped = tn.on("boundary", u, tn.normal_derivative(u))
    square = tn.Box(x=(0, 1), y=(0, 1))
    plate = tn.Problem(square, [sp.Eq(tn.laplacian(tn.laplacian(u)), lam * u)], [clamped])
    pairs = tn.eigenpairs(plate, lam, count=1)
    assert pairs.values == pytest.approx([1294.9339795917], rel=1e-9)
    assert pairs.errors[0] < 1e-9 * pairs.values[0]


def test_eigenvalues_in_a_condition() -> None:
    steklov = tn.on("boundary", sp.Eq(tn.normal_derivative(u), lam * u))
    pairs = tn.eigenpairs(tn.Problem(tn.Disk(radius=1), [tn.laplacian(u)], [steklov]), lam, count=5)
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


def test_values_that_a_search_has_missed_are_found_by_the_second() -> None:
    plain = partial(tn.FeatureSpace.waves, 2, 200, 0.12)
    question = Question(drum(tn.Box(x=(0, 2), y=(0, 1))), lam, {lam: 0.0}, 4, None)
    whole = question.spectrum(basis_of(question.problem, plain()))
    known = whole.candidates
    few = np.arange(len(known.values)) != 1
    poorer = replace(known, values=known.values[few], coefficients=known.coefficients[:, few])
    found = question.complete(question._refined(whole.pencil, poorer), np.empty(0))
    exact = np.pi**2 * np.array([1.25, 2.0, 3.25, 4.25])
    assert found.values == pytest.approx(exact, rel=1e-7)
    assert question.complete(whole, np.empty(0)).values == pytest.approx(exact, rel=1e-7)


def test_a_cube_has_its_triple_values() -> None:
    w = tn.unknown("w", x, y, z)
    cube = tn.Problem(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), [sp.Eq(-tn.laplacian(w), lam * w)], [tn.on("boundary", w)])
    pairs = tn.eigenpairs(cube, lam, count=7, neurons=800, tol=1e-4)
    assert pairs.values == pytest.approx(np.pi**2 * np.array([3, 6, 6, 6, 9, 9, 9]), rel=1e-5)
    points = np.random.default_rng(0).random((40, 3))
    first = np.prod(np.sin(np.pi * points), axis=1) * np.sqrt(8)
    assert pairs[0](points) == pytest.approx(first, abs=1e-4)


def test_a_box_with_a_hole() -> None:
    box = tn.Box(x=(-1, 1), y=(-1, 1))
    pairs = tn.eigenpairs(drum(box - tn.Disk(radius=0.3)), lam, count=3, neurons=400, tol=1e-6)
    # From networks of 1,600 waves, which agree to twelve digits.
    assert pairs.values == pytest.approx([15.08041036, 17.23117578, 17.23117578], rel=1e-8)


WRONG = {
    "not there": (lambda: tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.on("boundary", u)]), {}, "does not appear"),
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


def test_flows_without_a_condition_on_the_pressure() -> None:
    u, v, p = (tn.unknown(n, x, y) for n in "uvp")
    stokes = [
        sp.Eq(-tn.laplacian(u) + sp.diff(p, x), lam * u),
        sp.Eq(-tn.laplacian(v) + sp.diff(p, y), lam * v),
        sp.diff(u, x) + sp.diff(v, y),
    ]
    pairs = tn.eigenpairs(tn.Problem(tn.Disk(), stokes, [tn.on("boundary", u, v)]), lam, count=3, tol=1e-6)
    truth = [jn_zeros(1, 1)[0] ** 2, *[jn_zeros(2, 1)[0] ** 2] * 2]
    assert np.all(np.abs(pairs.values / truth - 1) < 1e-7)


@pytest.mark.parametrize("speed", [12.0, 70.0])
def test_values_far_from_normal_have_errors_that_hold(speed: float) -> None:
    """-u'' + c u' has the values c^2/4 + (n pi)^2; with a large c they follow the slightest errors."""
    s = sp.Symbol("s")
    w = tn.unknown("w", s)
    equation = sp.Eq(-sp.diff(w, s, 2) + speed * sp.diff(w, s), lam * w)
    problem = tn.Problem(tn.Interval(s=(0, 1)), [equation], [tn.on("boundary", sp.Eq(w, 0))])
    truth = speed**2 / 4 + (np.pi * np.arange(1, 4)) ** 2
    if speed < 20:
        pairs = tn.eigenpairs(problem, lam, count=3)
        assert pairs.errors.max() < 1e-6
    else:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            pairs = tn.eigenpairs(problem, lam, count=3)
        assert any("of 3 eigenvalues could be verified" in str(w.message) for w in said)
    assert np.all(np.abs(pairs.values - truth[: len(pairs.values)]) < 10 * pairs.errors)


def test_products_are_compared_across_parities() -> None:
    """sin(2 pi x) is odd about the middle: one degree more, an even one, changes nothing and measures no error."""
    x, y = sp.symbols("x y")
    u, lam = tn.unknown("u", x, y), sp.Symbol("lam")
    drum = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", u)])
    pairs = tn.eigenpairs(drum, lam, count=4)
    true = np.pi**2 * np.array([2, 5, 5, 8])
    assert np.all(np.abs(pairs.values - true) <= 3 * pairs.errors)
    assert np.all(pairs.errors <= 1e-9 * true)


def test_no_value_of_two_wells_is_missed():
    """Asked for four, both searches overlooked the fourth, which half of the polynomials had seen."""
    x, lam = sp.symbols("x lam")
    u = tn.unknown("u", x)
    wells = -11.668 * sp.exp(-((2.11416490486258 * x - 7.55179704016913) ** 2))
    wells -= 17.719 * sp.exp(-((1.90839694656489 * x - 14.8263358778626) ** 2))
    equation = sp.Eq(-sp.diff(u, x, 2) + wells * u, lam * u)
    problem = tn.Problem(tn.Interval(x=(0, 12.005)), [equation], [tn.on("boundary", u)])
    values = tn.eigenpairs(problem, lam, count=4).values
    assert np.allclose(values, [-11.05629751, -6.11012789, -1.33441355, 0.26691971], atol=1e-7)
