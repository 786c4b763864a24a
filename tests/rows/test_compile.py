"""From SymPy to arrays: residuals, coefficients, linearity, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import transnet as tn
from transnet.errors import ProblemError
from transnet.rows.compile import compile_equation

x, y, a = sp.symbols("x y a")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
d = sp.diff
POINTS = np.random.default_rng(0).uniform(0.1, 1, (30, 2))


def compiled(expression, parameters=()):
    return compile_equation(sp.sympify(expression), (u, v), (x, y), parameters, str(expression))


def test_slots_are_the_derivatives_that_occur_and_no_others() -> None:
    equation = compiled(x * d(u, x, 2) + d(v, x, y) - 3 * v + sp.exp(y))
    assert set(equation.slots) == {(0, (2, 0)), (1, (1, 1)), (1, (0, 0))}, "u itself does not occur"
    assert equation.linear
    assert equation.order == 2
    coefficients = dict(zip(equation.slots, equation.jacobian(POINTS), strict=True))
    np.testing.assert_allclose(coefficients[0, (2, 0)], POINTS[:, 0])
    assert coefficients[1, (1, 1)] == 1
    assert coefficients[1, (0, 0)] == -3
    np.testing.assert_allclose(equation.residual(POINTS), np.exp(POINTS[:, 1]))


@pytest.mark.parametrize("expression", [u**2, u * v, sp.sin(u), u * d(u, x), sp.Abs(u), d(u, x) ** 2, sp.exp(d(v, y))])
def test_nonlinear_equations_are_seen(expression: sp.Expr) -> None:
    assert not compiled(expression).linear


@pytest.mark.parametrize(
    "expression",
    [(u + 1) ** 2 - u**2, u * sp.sin(x), d(x * u, x), sp.Piecewise((u, x < 0.5), (2 * u, True)), d(u, x, 3), 0 * u + v],
)
def test_linear_equations_are_seen(expression: sp.Expr) -> None:
    assert compiled(sp.expand(expression)).linear


MULTI = st.tuples(st.integers(0, 3), st.integers(0, 3))
TERM = st.tuples(st.sampled_from([0, 1]), MULTI, st.integers(-3, 3), st.integers(0, 2), st.integers(0, 2))


@settings(max_examples=40, deadline=None)
@given(st.lists(TERM, min_size=1, max_size=5))
def test_random_linear_operators(terms) -> None:
    """L = sum of c x^p y^q D^k applied to a product of exponentials, whose derivatives are known by heart."""
    exact = (sp.exp(2 * x - y), sp.exp(x / 2 + 3 * y))
    rates = ((2.0, -1.0), (0.5, 3.0))
    expression = sum(
        c * x**p * y**q * d((u, v)[n], *[x] * k[0], *[y] * k[1]) if sum(k) else c * x**p * y**q * (u, v)[n]
        for n, k, c, p, q in terms
    )
    if not sp.sympify(expression).has(u, v):
        return
    equation = compiled(expression)
    assert equation.linear
    values = [np.exp(POINTS @ np.array(r)) for r in rates]
    slots = [values[n] * rates[n][0] ** k[0] * rates[n][1] ** k[1] for n, k in equation.slots]
    left = sp.lambdify((x, y), sp.sympify(expression).subs({u: exact[0], v: exact[1]}).doit())(*POINTS.T)
    np.testing.assert_allclose(equation.residual(POINTS, slots=slots), left, rtol=1e-11, atol=1e-9)
    linear = sum(c * s for c, s in zip(equation.jacobian(POINTS), slots, strict=True))
    np.testing.assert_allclose(linear + equation.residual(POINTS), left, rtol=1e-11, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_the_jacobian_is_the_derivative_of_the_residual(seed: int) -> None:
    equation = compiled(u**2 * d(v, x) + sp.sin(d(u, y)) * x + u * v)
    rng = np.random.default_rng(seed)
    slots = rng.standard_normal((len(equation.slots), len(POINTS)))
    for j, factor in enumerate(equation.jacobian(POINTS, slots=list(slots))):
        h = np.zeros_like(slots)
        h[j] = 1e-6
        ahead = equation.residual(POINTS, slots=list(slots + h)) - equation.residual(POINTS, slots=list(slots - h))
        np.testing.assert_allclose(np.broadcast_to(factor, len(POINTS)), ahead / 2e-6, atol=1e-7)


def test_normals_and_parameters_reach_the_equation() -> None:
    equation = compiled(tn.normal_derivative(u) + a * u, (a,))
    normals = np.random.default_rng(1).standard_normal(POINTS.shape)
    found = dict(zip(equation.slots, equation.jacobian(POINTS, normals, (2.5,)), strict=True))
    np.testing.assert_array_equal(found[0, (1, 0)], normals[:, 0])
    np.testing.assert_array_equal(found[0, (0, 1)], normals[:, 1])
    assert found[0, (0, 0)] == 2.5


SHAPES = {
    "a number": lambda p, q: 2.0,
    "an int": lambda p, q: 2,
    "an array": lambda p, q: 2 + 0 * p,
    "a column": lambda p, q: (2 + 0 * p)[:, None],
    "a row": lambda p, q: (2 + 0 * p)[None, :],
    "a list": lambda p, q: [2.0] * len(p),
    "integers": lambda p, q: np.full(len(p), 2),
    "booleans plus one": lambda p, q: (p > -1) + 1,
    "float32": lambda p, q: np.full(len(p), 2, dtype=np.float32),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_given_function_may_answer_in_any_shape(name: str) -> None:
    k = tn.given("k", SHAPES[name], x, y)
    equation = compiled(k * u - k)
    np.testing.assert_allclose(np.broadcast_to(equation.jacobian(POINTS)[0], len(POINTS)), 2)
    np.testing.assert_allclose(equation.residual(POINTS), -2)
    np.testing.assert_allclose(compiled(d(k * u, x) - d(k, x) * u).residual(POINTS), 0)


def test_given_functions_of_one_name_are_kept_apart() -> None:
    one, two = tn.given("k", lambda p: p, x), tn.given("k", lambda p: -p, x)
    np.testing.assert_allclose(compiled(u + one - two).residual(POINTS), 2 * POINTS[:, 0])
    np.testing.assert_allclose(compiled(u + one + two.subs(x, y)).residual(POINTS), POINTS[:, 0] - POINTS[:, 1])


def test_absolute_values_of_plain_symbols_can_be_differentiated() -> None:
    k = 1 + sp.Abs(x - sp.Rational(1, 2))
    found = dict(zip((e := compiled(tn.div(k * tn.grad(u)))).slots, e.jacobian(POINTS), strict=True))
    np.testing.assert_allclose(found[0, (1, 0)], np.sign(POINTS[:, 0] - 0.5))


WRONG = {
    "complex": (u + sp.I, "complex or undefined"),
    "undefined": (u + sp.zoo, "complex or undefined"),
    "an integral": (u + sp.Integral(u, x), "contains Integral"),
    "a jump that is differentiated": (d(sp.Heaviside(x - a) * u, x), "comes from a jump that was differentiated"),
    "a function that is no unknown": (u + sp.Function("f")(x), "neither an unknown nor"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_computed_is_refused(name: str) -> None:
    expression, message = WRONG[name]
    with pytest.raises(ProblemError, match=message):
        compiled(expression, (a,))


def answer(value):
    return tn.given("k", value, x, y)


EVALUATION = {
    "NaN": (answer(lambda p, q: np.where(p > 0.5, np.nan, 1)) * u, "not finite at the point"),
    "a pole": (u - answer(lambda p, q: 1 / (p - p[3])), "not finite at the point"),
    "a logarithm": (u - sp.log(x - 2), "not finite at the point"),
    "a wrong shape": (answer(lambda p, q: np.ones(3)) * u, r"'k' returned shape \(3,\)"),
    "a wrong signature": (answer(lambda p: p) * u, "could not be evaluated.*positional argument"),
    "an if": (answer(lambda p, q: 1 if p > 0 else 2) * u, "could not be evaluated.*truth value"),
    "an index": (answer(lambda p, q: {}["k"]) * u, "could not be evaluated"),
    "words": (answer(lambda p, q: "one") * u, "not a number|could not be evaluated"),
    "complex values": (answer(lambda p, q: 1j * p) * u, "complex values"),
}


@pytest.mark.parametrize("name", EVALUATION)
def test_bad_values_name_the_equation_and_the_cause(name: str) -> None:
    expression, message = EVALUATION[name]
    equation = compiled(expression)
    with pytest.raises(ProblemError, match=message):
        _ = equation.jacobian(POINTS), equation.residual(POINTS)
