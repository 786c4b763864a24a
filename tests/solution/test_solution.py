"""The solution as a function: ways to call it, expressions, shapes and errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, Message, ProblemError

x, y, nu = sp.symbols("x y nu")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
SPACE = tn.FeatureSpace.spectral(2, 250, 4.0)
square = tn.Box(x=(0, 1), y=(0, 1))
exact_u, exact_v = sp.sin(2 * x) * sp.exp(y), x**2 * y
POINTS = np.random.default_rng(0).random((40, 2))


def number(expression: sp.Expr, points: np.ndarray = POINTS) -> np.ndarray:
    return sp.lambdify((x, y), expression)(*points.T)


@pytest.fixture(scope="module")
def one() -> tn.Solution:
    right = tn.laplacian(exact_u, x, y)
    return tn.solve(
        tn.Problem(square, [sp.Eq(tn.laplacian(u), right)], [tn.on("boundary", sp.Eq(u, exact_u))]), space=SPACE
    )


@pytest.fixture(scope="module")
def two() -> tn.Solution:
    first = sp.Eq(nu * tn.laplacian(u) + v, 2 * tn.laplacian(exact_u, x, y) + exact_v)
    second = sp.Eq(tn.laplacian(v), tn.laplacian(exact_v, x, y))
    conditions = [tn.on("boundary", sp.Eq(u, exact_u), sp.Eq(v, exact_v))]
    return tn.solve(tn.Problem(square, [first, second], conditions), space=SPACE, parameters={nu: 2})


def test_it_is_a_function_of_points(one: tn.Solution) -> None:
    np.testing.assert_allclose(one(POINTS), number(exact_u), atol=1e-8)
    assert one(POINTS.reshape(5, 8, 2)).shape == (5, 8)
    assert one(POINTS[0]).shape == ()
    assert one(POINTS.tolist()).shape == (40,)
    assert one(np.zeros((0, 2))).shape == (0,)
    assert one(np.array([[0, 1], [1, 0]])).dtype == float


def test_coordinates_by_name_are_broadcast(one: tn.Solution) -> None:
    a, b = np.linspace(0, 1, 6), np.linspace(0, 1, 4)
    grid = one(x=a[:, None], y=b)
    assert grid.shape == (6, 4)
    np.testing.assert_allclose(grid[2, 3], one([(a[2], b[3])])[0], rtol=1e-12)
    assert one(x=0.5, y=0.25).shape == ()
    np.testing.assert_allclose(one(y=b, x=0.5), one(np.column_stack([np.full(4, 0.5), b])), rtol=1e-12)


def test_one_coordinate_needs_no_column() -> None:
    q = tn.unknown("q", x)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)), [sp.diff(q, x, 2)], [tn.on("x=0", sp.Eq(q, 1)), tn.on("x=1", sp.Eq(q, 3))]
    )
    line = tn.solve(problem, space=tn.FeatureSpace.spectral(1, 30, 4.0))
    grid = np.linspace(0, 1, 9)
    for points, shape in (
        (grid, (9,)),
        (grid[:, None], (9,)),
        (0.5, ()),
        ([0.5], (1,)),
        (grid.reshape(3, 3, 1), (3, 3)),
    ):
        assert line(points).shape == shape
        np.testing.assert_allclose(line(points).ravel(), 1 + 2 * np.ravel(points), atol=1e-9)
    assert line(x=grid).shape == (9,)


def test_several_unknowns_by_name(two: tn.Solution) -> None:
    assert two.names == ("u", "v")
    both = two(POINTS)
    assert both.shape == (40, 2)
    np.testing.assert_allclose(both, np.column_stack([number(exact_u), number(exact_v)]), atol=1e-7)
    np.testing.assert_array_equal(two["v"](POINTS), both[:, 1])
    np.testing.assert_array_equal(two[v](POINTS), both[:, 1])
    assert two["u"].coefficients.shape == (SPACE.size,)
    with pytest.raises(KeyError, match=r"no unknown 'w'\. The solution has: u, v"):
        two["w"]


EXPRESSIONS = {
    "itself": u,
    "a derivative": sp.diff(u, x),
    "a square of one": sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2,
    "a laplacian": tn.laplacian(u),
    "a mixed third": sp.diff(u, x, 2, y),
    "with coordinates": x * u + sp.sin(y),
    "without an unknown": x + y,
    "a number": sp.Integer(3),
    "nonlinear": sp.exp(-u) / (1 + u**2),
    "of both": u * sp.diff(v, y) - v * sp.diff(u, y),
    "with a given function": tn.given("k", lambda a, b: a - b, x, y) * u,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_any_expression_can_be_evaluated(name: str, two: tn.Solution) -> None:
    expression = EXPRESSIONS[name]
    exact = expression.subs({u: exact_u, v: exact_v}).doit()
    if name == "with a given function":
        exact = (x - y) * exact_u
    truth = np.broadcast_to(number(exact), len(POINTS))
    np.testing.assert_allclose(two.evaluate(expression, POINTS), truth, atol=1e-5)


def test_expressions_take_every_form_of_points(two: tn.Solution) -> None:
    assert two.evaluate(u, two.points).shape == (len(two.points),)
    assert two.evaluate(u * v, x=0.5, y=np.linspace(0, 1, 7)).shape == (7,)
    gradient = two.evaluate(tn.grad(u), POINTS.reshape(8, 5, 2))
    assert gradient.shape == (8, 5, 2)
    np.testing.assert_allclose(gradient[..., 1].ravel(), two.evaluate(sp.diff(u, y), POINTS), rtol=1e-12)
    assert two.evaluate(3, POINTS).shape == (len(POINTS),)
    np.testing.assert_allclose(two.evaluate(nu * u, POINTS), 2 * two["u"](POINTS), rtol=1e-12)


WRONG = {
    "one column": (lambda s: s(np.zeros((4, 1))), r"shape \(n, 2\), one column for each of x, y, not \(4, 1\)"),
    "a number": (lambda s: s(3.0), r"shape \(n, 2\)"),
    "transposed": (lambda s: s(np.zeros((2, 5))), r"not \(2, 5\)"),
    "NaN": (lambda s: s([(0, np.nan)]), "finite"),
    "NaN by name": (lambda s: s(x=np.nan, y=0), "finite"),
    "words": (lambda s: s("here"), "numbers"),
    "both ways": (lambda s: s([(0, 0)], x=1, y=1), "not both"),
    "a name too few": (lambda s: s(x=1), "missing: y"),
    "a name too many": (lambda s: s(x=1, y=1, z=1), "unknown: z"),
    "shapes that do not fit": (lambda s: s(x=np.zeros(3), y=np.zeros(4)), r"\(3,\).*\(4,\)"),
    "an unknown of another problem": (lambda s: s.evaluate(tn.unknown("w", x, y)), r"w\(x, y\), which is neither"),
    "a symbol without a value": (lambda s: s.evaluate(u * sp.Symbol("q")), "contains q, which has no value"),
    "the normal": (lambda s: s.evaluate(tn.normal_derivative(u)), "normal"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_points_and_expressions_are_refused(name: str, one: tn.Solution) -> None:
    act, message = WRONG[name]
    with pytest.raises(ProblemError, match=message):
        act(one)


def test_residuals_are_on_fresh_points_and_small(one: tn.Solution) -> None:
    residuals = one.residual_values()
    assert len(residuals) == 2
    assert all(np.abs(r).max() < 1e-5 for r in residuals.values())
    again, other = one.residual_values(), one.residual_values(seed=9)
    for label, values in residuals.items():
        np.testing.assert_array_equal(values, again[label])
        assert not np.array_equal(values, other[label])


def test_residuals_of_equations_with_one_text_are_kept_apart() -> None:
    vector = sp.Eq(tn.grad(u), sp.Matrix([1, 2]))
    found = tn.solve(tn.Problem(square, [vector], [tn.at([(0, 0)], u)]), space=SPACE).residual_values()
    assert len(found) == 3


def test_report_says_what_is_known(one: tn.Solution) -> None:
    text = one.report()
    for words in ("rank", "singular values", "estimated error", "boundary: u = ", "seconds", "rows"):
        assert words in text
    known = one.diagnostics
    assert 0 < one.rank <= known.columns <= known.rows
    assert known.singular_values[0] >= known.singular_values[-1] >= 0
    assert known.condition > 1
    assert [r.rows for r in known.residuals] == [b.rows for b in one.blocks]
    assert all(0 <= r.rms <= r.largest for r in known.residuals)
    assert "250 neurons" in repr(one)


def test_the_estimated_error_is_within_a_factor_of_the_truth(one: tn.Solution) -> None:
    truth = np.sqrt(np.mean((one(POINTS) - number(exact_u)) ** 2) / np.mean(number(exact_u) ** 2))
    assert truth / 30 < one.error < truth * 30


def test_more_digits_are_advised_where_something_finer_is_known() -> None:
    problem = tn.Problem(square, [sp.Eq(tn.laplacian(u), -sp.exp(x * y))], [tn.on("boundary", sp.Eq(u, 0))])
    solution = tn.solve(problem, tol=1e-3)
    assert solution.error > 1e-9
    assert "more digits" in solution.report()
    known = solution.diagnostics
    missed = replace(known, messages=(Message(AccuracyWarning, "The estimated relative error is 2e-2, above 1e-3."),))
    left = replace(known, trail=(*known.trail[:-1], replace(known.trail[-1], outcome="nothing finer")))
    for changed in (missed, left):
        assert "more digits" not in replace(solution, diagnostics=changed).report()


def test_the_report_keeps_its_columns_and_says_the_order_of_the_unknowns(two: tn.Solution) -> None:
    factor = 2 + sp.sin(3 * x) * sp.cos(5 * y) * sp.exp(x * y) + sp.cos(x) ** 2 + sp.cos(y) ** 2
    more = tn.on("left", sp.Eq(factor * u, factor * exact_u), where=y > 0)
    problem = tn.Problem(square, two.problem.equations, [*two.problem.conditions, more])
    solution = tn.solve(problem, space=SPACE, parameters=two.parameters)
    assert max(len(r.label) for r in solution.diagnostics.residuals) > 72
    lines = solution.report().splitlines()
    start = next(k for k, line in enumerate(lines) if "not fitted" in line)
    assert len({len(line) for line in lines[start : start + 6]}) == 1
    assert "  values            as (u, v)" in lines
    assert np.array_equal(two[v](POINTS), two(POINTS)[..., 1])
