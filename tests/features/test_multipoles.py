"""Multipoles: the derivatives against those of SymPy, harmonic everywhere, and files."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
import sympy as sp

from transnet.errors import TransnetError
from transnet.features.edge_functions import read_singular
from transnet.features.multipoles import Multipole, Multipoles
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace

x, y, z = sp.symbols("x y z", real=True)
POINTS = np.random.default_rng(0).normal(size=(6, 3)) + 2.0
PLACE = (0.1, -0.2, 0.3, 1.0, 0.5, 2.0)


def stated(degree: int, order: int, imaginary: int) -> sp.Expr:
    """The definition, with the units of each axis."""
    a, b, c = (s * (v - o) for v, o, s in zip((x, y, z), PLACE[:3], PLACE[3:], strict=True))
    p, q, r = sp.symbols("p q r", real=True)
    f = sp.diff(1 / sp.sqrt(p**2 + q**2 + r**2), r, degree - order)
    for _ in range(order):
        f = sp.diff(f, p) + sp.I * sp.diff(f, q)
    part = sp.im(sp.expand(f)) if imaginary else sp.re(sp.expand(f))
    return part.subs({p: a, q: b, r: c}) / np.sqrt(float(factorial(degree + order) * factorial(degree - order)))


@pytest.mark.parametrize("function", [(0, 0, 0), (1, 1, 1), (2, 0, 0), (3, 2, 1)])
@pytest.mark.parametrize("index", [(0, 0, 0), (1, 0, 0), (0, 1, 1), (0, 2, 0), (1, 1, 1)])
def test_derivatives_are_those_of_the_definition(function: tuple[int, int, int], index: tuple[int, int, int]) -> None:
    expression = stated(*function)
    for symbol, count in zip((x, y, z), index, strict=True):
        expression = sp.diff(expression, symbol, count)
    exact = sp.lambdify((x, y, z), expression)(*POINTS.T)
    found = Multipoles.of([Multipole(*PLACE, *function)]).apply(POINTS, [(index, 1.0)])[0]
    assert np.allclose(found, exact, rtol=1e-11, atol=1e-13)


def test_they_are_harmonic_in_the_units_of_the_ball() -> None:
    made = Multipoles.of(Multipole(*PLACE, n, m, 0) for n in range(9) for m in range(n + 1))
    laplacian = [(tuple(2 if j == k else 0 for j in range(3)), PLACE[3 + k] ** -2) for k in range(3)]
    values = made.apply(POINTS, [((2, 0, 0), 1.0)])
    assert np.abs(made.apply(POINTS, laplacian)).max() < 1e-12 * np.abs(values).max()


def test_tables_are_read_back_and_refused() -> None:
    made = Multipoles.of([Multipole(*PLACE, 2, 1, 1)])
    again = read_singular(made.table)
    assert isinstance(again, Multipoles)
    assert np.array_equal(again.table, made.table)
    assert isinstance(read_singular(np.zeros((0, 15))), Singular)
    with pytest.raises(TransnetError, match="order m from 0 to l"):
        Multipoles.of([Multipole(*PLACE, 1, 2, 0)])
    with pytest.raises(TransnetError, match="three coordinates"):
        FeatureSpace.waves(2, 10).with_singular(made)
