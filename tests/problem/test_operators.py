"""Operators against plain SymPy, and the names that stand in equations."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError
from transnet.problem import NormalComponent

x, y, z, t = sp.symbols("x y z t")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
U, V, W = (tn.unknown(name, x, y, z) for name in "UVW")
d = sp.diff

IDENTITIES = {
    "laplacian": (tn.laplacian(u), d(u, x, 2) + d(u, y, 2)),
    "laplacian without time": (tn.laplacian(tn.unknown("w", x, t)), d(tn.unknown("w", x, t), x, 2)),
    "laplacian of named coordinates": (tn.laplacian(tn.unknown("w", x, t), x, t),
                                       d(tn.unknown("w", x, t), x, 2) + d(tn.unknown("w", x, t), t, 2)),
    "laplacian of a product": (tn.laplacian(sp.sin(y) * u), d(sp.sin(y) * u, x, 2) + d(sp.sin(y) * u, y, 2)),
    "biharmonic": (tn.biharmonic(u), d(u, x, 4) + 2 * d(u, x, 2, y, 2) + d(u, y, 4)),
    "div": (tn.div([u, v]), d(u, x) + d(v, y)),
    "div of a flux": (tn.div((1 + x) * tn.grad(u)), (1 + x) * (d(u, x, 2) + d(u, y, 2)) + d(u, x)),
    "div grad": (tn.div(tn.grad(u)), tn.laplacian(u)),
    "curl in the plane": (tn.curl([u, v]), d(v, x) - d(u, y)),
    "div curl of a scalar": (tn.div(tn.curl(u)), sp.Integer(0)),
    "div curl in space": (tn.div(tn.curl([U, V, W])), sp.Integer(0)),
    "normal derivative": (tn.normal_derivative(u), NormalComponent(x) * d(u, x) + NormalComponent(y) * d(u, y)),
    "normal derivative by hand": (tn.normal_derivative(u), tn.normal(x, y).dot(tn.grad(u))),
}  # fmt: skip


@pytest.mark.parametrize("name", IDENTITIES)
def test_operators_are_plain_sympy(name: str) -> None:
    ours, plain = IDENTITIES[name]
    assert sp.expand((ours - plain).doit()) == 0


def test_vector_identities() -> None:
    assert tn.curl(tn.grad(U)) == sp.zeros(3, 1)
    assert tn.grad(u) == sp.Matrix([d(u, x), d(u, y)])
    assert tn.curl(u) == sp.Matrix([d(u, y), -d(u, x)])
    # curl curl = grad div - laplacian
    field = sp.Matrix([U, V, W])
    right = tn.grad(tn.div([U, V, W]), x, y, z) - field.applyfunc(lambda f: tn.laplacian(f, x, y, z))
    assert sp.expand(tn.curl(tn.curl([U, V, W])) - right) == sp.zeros(3, 1)


def test_a_plain_formula_needs_its_coordinates_named() -> None:
    # Which of x, y is a coordinate is not in the formula: leaving y out would be silently wrong.
    formula = sp.sin(x) * y**2
    for operator in (tn.laplacian, tn.grad, tn.biharmonic, tn.normal_derivative):
        with pytest.raises(ProblemError, match="Cannot tell the coordinates"):
            operator(formula)
    assert tn.laplacian(formula, x, y) == -sp.sin(x) * y**2 + 2 * sp.sin(x)
    k = tn.given("k", np.hypot, x, y)
    assert len(tn.grad(k)) == 2
    with pytest.raises(ProblemError, match="Cannot tell the coordinates"):
        tn.grad(k * z)


def test_fields_of_the_wrong_length_are_refused() -> None:
    with pytest.raises(ProblemError, match="div got 3 components for the coordinates x, y"):
        tn.div([u, v, u])
    with pytest.raises(ProblemError, match=r"div takes a field of several components, such as \[u, v\]"):
        tn.div(tn.unknown("u", *sp.symbols("x y")))
    with pytest.raises(ProblemError, match="curl needs 3 space coordinates here, but has x, y"):
        tn.curl([u, v, u])
    with pytest.raises(ProblemError, match="scalar or a field of 2 or 3 components, not of 4"):
        tn.curl([u, v, u, v], x, y, z, t)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("", x), "needs a name"),
        ((u, x), "needs a name"),
        (("u", "x"), "must be SymPy symbols"),
        (("u", x, 2), "must be SymPy symbols"),
        (("u", x, x), "same coordinate twice"),
        (("u", *sp.symbols("a:k")), "at most 10"),
    ],
)
def test_unknowns_are_checked(arguments: tuple, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        tn.unknown(*arguments)


def test_given_functions_differentiate_by_callable_or_by_differences() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0, 1, (2, 50))
    exact = {x: 3 * np.cos(3 * a) * b, y: np.sin(3 * a)}
    plain = tn.given("k", lambda p, q: np.sin(3 * p) * q, x, y)
    for c, truth in exact.items():
        derivative = d(plain, c)
        np.testing.assert_allclose(type(derivative).implementation(a, b), truth, atol=1e-10)
        assert derivative - d(plain, c) == 0, "two derivatives of one function are the same"
    told = tn.given("k", lambda p, q: np.sin(3 * p) * q, x, y, derivatives={x: lambda p, q: 42 + 0 * p})
    np.testing.assert_array_equal(type(d(told, x)).implementation(a, b), 42)
    # The chain rule goes through.
    chained = plain.subs(x, 2 * y)
    assert d(chained, y).free_symbols == {y}


def test_given_functions_are_checked() -> None:
    with pytest.raises(ProblemError, match="must be a callable"):
        tn.given("k", 3, x)
    with pytest.raises(ProblemError, match="Name the coordinates"):
        tn.given("k", np.sin)
    with pytest.raises(ProblemError, match="derivative in y, but depends on x"):
        tn.given("k", np.sin, x, derivatives={y: np.cos})
