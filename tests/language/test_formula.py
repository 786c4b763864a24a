"""Formulas mean what they say, and printing then reading one gives it back."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import transnet as tn
from transnet.language.domains import domain
from transnet.language.errors import FormulaError
from transnet.language.formula import equation, formula
from transnet.language.names import Names
from transnet.language.printer import NotWritable, text_of_domain, text_of_equation, text_of_expression

x, y, t = sp.symbols("x y t", real=True)
u, v = (tn.unknown(n, x, y) for n in "uv")
nu = sp.Symbol("nu", real=True)
NAMES = Names({"x": x, "y": y}, {"u": u, "v": v}, {"nu": nu})


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("-x**2", -(x**2)),
        ("2**-x", 2 ** (-x)),
        ("x^2^3", x**8),
        ("x - y - 1", x - y - 1),
        ("x / y / 2", x / y / 2),
        ("1/3", sp.Rational(1, 3)),
        ("2e-3*x", sp.Float(2e-3) * x),
        (".5", sp.Float(0.5)),
        ("+x", x),
        ("u_xxy", sp.diff(u, x, 2, y)),
        ("u(x, y)", u),
        ("diff(u*v, x)", sp.diff(u * v, x)),
        ("diff(u, x, 2, y)", sp.diff(u, x, 2, y)),
        ("laplacian(x**3*y)", 6 * x * y),
        ("laplacian(u, x)", sp.diff(u, x, 2)),
        ("biharmonic(u)", tn.biharmonic(u)),
        ("div(nu*grad(u))", nu * tn.laplacian(u)),
        ("curl([u, v])", sp.diff(v, x) - sp.diff(u, y)),
        ("dot(grad(u), [1, 2])", sp.diff(u, x) + 2 * sp.diff(u, y)),
        ("dn(u)", tn.normal_derivative(u)),
        ("n_x*u", tn.normal(x)[0] * u),
        ("lagged(u)*u_x", tn.lagged(u) * sp.diff(u, x)),
        ("where(x < 1/2 and y > 0, 1, x)", sp.Piecewise((1, (x < sp.Rational(1, 2)) & (y > 0)), (x, True))),
        ("max(x, y, 0)", sp.Max(x, y, 0)),
        ("abs(x) + ln(2) + atan2(y, x)", sp.Abs(x) + sp.log(2) + sp.atan2(y, x)),
        ("besselj(0, x)", sp.besselj(0, x)),
    ],
)
def test_meaning(text, meaning):
    found = formula(text, NAMES).expression
    assert sp.expand(found - meaning) == 0


def test_an_equation_between_vectors_is_one_for_each_entry():
    first, second = equation("grad(u) = [v, 1]", NAMES)
    assert first == sp.Eq(sp.diff(u, x), v)
    assert second == sp.Eq(sp.diff(u, y), 1)


@pytest.mark.parametrize(
    ("text", "offset"),
    [("x + * y", 4), ("sin(x, y)", 0), ("x + zeta", 4), ("(x + 1", 6), ("x y", 2), ("1 + x.y", 5), ("x < 1 < 2", 6)],
)
def test_errors_point_to_the_place(text, offset):
    with pytest.raises(FormulaError) as caught:
        formula(text, NAMES)
    assert caught.value.offset == offset


leaves = st.one_of(
    st.sampled_from([x, y, u, v, nu, sp.pi, sp.diff(u, x), sp.diff(v, x, y, y)]),
    st.integers(-50, 50).map(sp.Integer),
    st.fractions(-3, 3, max_denominator=20).map(lambda f: sp.Rational(f.numerator, f.denominator)),
    st.floats(-1e3, 1e3, allow_nan=False).map(sp.Float),
)
functions = st.sampled_from([sp.sin, sp.cos, sp.tanh, sp.exp, sp.atan, sp.erf, sp.sinh])
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.integers(1, 4)).map(lambda p: p[0] ** p[1]),
        st.tuples(functions, inner).map(lambda p: p[0](sp.Integer(1) * p[1] / 1000)),
    ),
    max_leaves=12,
)


@given(trees)
@settings(max_examples=150, deadline=None)
def test_printing_and_reading_gives_the_same(tree):
    try:
        again = formula(text_of_expression(tree), NAMES).expression
    except (FormulaError, NotWritable) as error:
        # Numbers beyond the bounds of the language are refused, never changed.
        assert "number" in str(error) or "power" in str(error)  # noqa: PT017
        return
    if again != tree:
        values = {x: 0.3, y: -0.7, nu: 1.1}
        point = [e.subs({a: values.get(a, 0.2) for a in e.atoms(sp.Derivative)}) for e in (tree, again)]
        point = [e.subs({u: 0.4, v: -0.2, **values}).evalf() for e in point]
        assert abs(point[0] - point[1]) <= 1e-9 * (1 + abs(point[0]))


def test_what_the_language_lacks_is_refused_by_name():
    k = tn.given("conductivity", lambda x: x, x)
    with pytest.raises(NotWritable, match="conductivity"):
        text_of_expression(k * u)
    with pytest.raises(NotWritable, match="zeta"):
        text_of_expression(sp.zeta(x))
    with pytest.raises(NotWritable, match="on"):
        text_of_expression(sp.Symbol("on"))


def test_equations_print():
    again = equation(text_of_equation(sp.Eq(tn.laplacian(u), sp.Rational(1, 7) * sp.exp(-x))), NAMES)
    assert again == [sp.Eq(tn.laplacian(u), sp.Rational(1, 7) * sp.exp(-x))]


s = sp.Symbol("s")
DOMAINS = [
    tn.Interval(x=(-1, 2.5)),
    tn.Box(x=(0, 1), y=(-0.1, 1e-3)),
    tn.Disk(radius=1) - tn.Disk((0.1, 0), radius=0.5, name="hole"),
    tn.Ball() & tn.Box(x=(-1, 1), y=(-1, 1), z=(0, 1)),
    tn.Shell(inner=0.25),
    (tn.Disk() | tn.Disk((1, 0))) * tn.Interval(t=(0, 2)),
    tn.Polygon([(0, 0), (2, 0), (0, 2)], holes=[[(0.2, 0.2), (0.4, 0.2), (0.2, 0.4)]], names=["a", None, "b"]),
    tn.Region(tn.Curve((2 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi), name="ellipse")),
    tn.LevelSet(x**4 + y**4 - 1, x=(-2, 2), y=(-2, 2)),
]


@pytest.mark.parametrize("shape", DOMAINS, ids=str)
def test_domains_print_and_read(shape):
    again = domain(text_of_domain(shape))
    assert again.parts == shape.parts
    assert again.names == shape.names
    np.testing.assert_array_equal(again.bounds, shape.bounds)
    points = np.random.default_rng(0).uniform(*(1.2 * shape.bounds), (500, shape.dimension))
    np.testing.assert_array_equal(again.contains(points), shape.contains(points))
