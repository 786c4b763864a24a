"""Sources that are singular at a point inside the domain, or have a kink along a line."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.choose.inner import inner_points, singular_places
from transnet.choose.limits import limit_of
from transnet.cuts.piecewise import in_pieces_of_sources
from transnet.drive.facts import Facts
from transnet.drive.plan import Plan
from transnet.features.placement import Placement
from transnet.features.singularities import singularities
from transnet.method import march

x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
HERE = (sp.Rational(1, 3), sp.Rational(2, 5))
r = sp.sqrt((x - HERE[0]) ** 2 + (y - HERE[1]) ** 2)


def stated(source: sp.Expr, value: sp.Expr = sp.S.Zero, operator: sp.Expr | None = None) -> tn.Problem:
    operator = -tn.laplacian(u) if operator is None else operator
    return tn.Problem(SQUARE, [sp.Eq(operator, source)], [tn.on("boundary", sp.Eq(u, value))])


@pytest.mark.parametrize(
    ("source", "families"),
    [
        (1 / r, [(-1.0, False)]),
        (1 / sp.sqrt(r), [(-0.5, False)]),
        (sp.log(r), [(0.0, True)]),
        (r * sp.log(r), [(0.0, True), (1.0, False), (1.0, True)]),
        (r**2 + sp.exp(x), None),
        (sp.sqrt(1 + r**2), None),
        (sp.sqrt(x + 1), None),
    ],
)
def test_the_formula_tells_the_point_and_the_powers(source: sp.Expr, families: list | None) -> None:
    found = inner_points(stated(source))
    if families is None:
        assert not found
        return
    assert found[0].point == pytest.approx(tuple(map(float, HERE)))
    assert set(families) <= set(found[0].families)


@pytest.mark.parametrize("power", [sp.S.One, sp.Rational(3, 2), sp.Integer(3)])
def test_powers_of_the_distance_times_a_smooth_function(power: sp.Expr) -> None:
    exact = r**power * sp.exp(x) * sp.cos(y) + sp.sin(3 * x)
    solution = tn.solve(stated(-sp.diff(exact, x, 2) - sp.diff(exact, y, 2), exact))
    points = SQUARE.interior(500, "random", 2)
    truth = sp.lambdify((x, y), exact)(*points.T)
    error = np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth)
    assert error < 1e-6
    assert error < 10 * solution.error
    assert solution(np.array([HERE], dtype=float))[0] == pytest.approx(float(sp.sin(1)), abs=1e-6)


def test_a_logarithm_and_terms_of_lower_order() -> None:
    exact = r**3 * sp.log(r) * sp.exp(y)
    left = -tn.laplacian(u) + 3 * sp.diff(u, x) - 20 * u
    right = left.subs(u, exact).doit()
    solution = tn.solve(stated(right, exact, left), tol=1e-8)
    points = SQUARE.interior(500, "random", 2)
    truth = sp.lambdify((x, y), exact)(*points.T)
    assert np.linalg.norm(solution(points) - truth) < 1e-8 * np.linalg.norm(truth)


def test_a_coefficient_that_is_singular() -> None:
    """The ground state of an atom in the plane: exp(-2 r) has u_rr + u_r / r = 4 u - 2 u / r."""
    rho = sp.sqrt(x**2 + y**2)
    exact = sp.exp(-2 * rho)
    left = -tn.laplacian(u) - 2 * u / rho + 4 * u
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(left, 0)], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem)
    points = tn.Disk(radius=1).interior(500, "random", 2)
    assert np.abs(solution(points) - np.exp(-2 * np.hypot(*points.T))).max() < 1e-9


def test_the_derivatives_of_the_functions_are_those_of_differences() -> None:
    placement = Placement.of(SQUARE)
    singular = singularities(SQUARE, degree=0.0, inner=[((0.3, 0.4), [(-1.0, False), (0.5, True)])])
    points = placement(np.array([[0.7, 0.2], [0.1, 0.9], [0.35, 0.42]]))
    h = 1e-4
    for axis, index in enumerate([(1, 0), (0, 1)]):
        step = h * np.eye(2)[axis]
        sides = [singular.apply(points + s * step, [((0, 0), 1.0)]) for s in (1, -1)]
        exact = singular.apply(points, [(index, 1.0)])
        np.testing.assert_allclose((sides[0] - sides[1]) / (2 * h), exact, rtol=1e-4, atol=1e-5)


def test_a_kink_of_the_source_is_an_interface() -> None:
    exact = sp.Abs(x - sp.Rational(1, 3)) ** 3 * (1 + y) + sp.sin(3 * x + y)
    source = -6 * sp.Abs(x - sp.Rational(1, 3)) * (1 + y) + 10 * sp.sin(3 * x + y)
    solution = tn.solve(stated(source, exact), tol=1e-8)
    points = SQUARE.interior(500, "random", 2)
    truth = sp.lambdify((x, y), exact)(*points.T)
    assert np.linalg.norm(solution(points) - truth) < 1e-8 * np.linalg.norm(truth)


def test_a_kink_in_space_is_an_interface() -> None:
    coordinates = sp.symbols("x y z", real=True)
    v = tn.unknown("v", *coordinates)
    domain = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    source = sp.Abs(coordinates[0] - sp.Rational(1, 3))
    problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(v), source)], [tn.on("boundary", sp.Eq(v, 0))])
    cut = in_pieces_of_sources(problem)
    assert cut is not None
    ends = [tuple(float(end) for end in np.asarray(shape.bounds)[:, 0]) for _, shape in cut.domain.shapes]
    assert ends == [(0, pytest.approx(1 / 3)), (pytest.approx(1 / 3), 1)]
    assert not Facts.of(Plan(problem)).in_cells


def test_a_singular_point_whose_functions_are_not_known_is_named() -> None:
    coordinates = sp.symbols("x y z", real=True)
    v = tn.unknown("v", *coordinates)
    distance = sp.sqrt(sum((c - sp.Rational(k, 4)) ** 2 for k, c in enumerate(coordinates, 1)))
    domain = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(v), 1 / distance)], [tn.on("boundary", sp.Eq(v, 0))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = tn.solve(problem, space=tn.FeatureSpace.waves(3, 100, 0.1))
    assert "singular at x = 0.25, y = 0.5, z = 0.75" in limit_of(solution)[0]


def test_a_march_says_where_its_equation_grows_without_bound() -> None:
    t = sp.symbols("t", real=True)
    u1, v = tn.unknown("u", x), tn.unknown("v", x, y, t)
    r2 = (x - sp.Rational(1, 4)) ** 2 + y**2

    def heated(source: sp.Expr) -> tn.Problem:
        heat = sp.Eq(sp.diff(v, t), sp.diff(v, x, 2) + sp.diff(v, y, 2) + source)
        return tn.Problem(tn.Disk(radius=1) * tn.Interval(t=(0, 1)), [heat], [tn.on("sides", v), tn.on("t=0", v)])

    assert singular_places(heated(1 / sp.sqrt(r2)), below=0.0) == [{x: 0.25, y: 0.0}]
    assert singular_places(heated(sp.sqrt(r2)), below=0.0) == []
    assert singular_places(heated(1 / sp.sqrt(r2.subs(x, x + 3)))) == []  # outside
    known = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(u1, x, 2)], [tn.on("boundary", sp.Eq(u1, x))]))
    told = march._with_places(replace(known, problem=heated(1 / sp.sqrt(r2))))
    assert "singular at x = 0.25, y = 0" in told.diagnostics.messages[0].text
    assert march._with_places(replace(known, problem=heated(x))).diagnostics.messages == ()
