"""Formulas are read: needles, switches and bends are found however narrow they are, and nothing where there is none."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from transnet.reading.intervals import interval
from transnet.reading.search import box_of, read_places
from transnet.reading.sharp import sharp_parts

x, y, s = sp.symbols("x y s")
SQUARE = np.array([[0.0, 0.0], [1.0, 1.0]])
places, widths = st.floats(0.05, 0.95), st.floats(1e-6, 1e-2)


@pytest.mark.parametrize(
    "smooth", [sp.exp(x) * y, sp.sin(7 * x) * y**3, 1 / (2 + x), sp.sqrt(1 + x**2), sp.tanh(x - y), sp.Max(x, -1)]
)
def test_nothing_is_sharp_in_smooth_formulas(smooth: sp.Expr) -> None:
    assert sharp_parts(smooth, box_of((x, y), SQUARE)) == ()


SHAPES = {
    "Gaussian": lambda g: sp.exp(-(g**2)),
    "Lorentzian": lambda g: 1 / (1 + g**2),
    "in a sum, in a product": lambda g: 3 * sp.sin(x) + (2 + y) * sp.exp(-(g**2) + 20),
    "in a denominator": lambda g: s / (1 + 500 * sp.exp(-(g**2))),
    "soliton": lambda g: sp.sech(g) ** 2,
    "a power": lambda g: 1 / sp.cosh(g) ** 4,
}


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=10, deadline=None)
@given(centre=places, width=widths)
def test_a_needle_is_found(shape: str, centre: float, width: float) -> None:
    formula = SHAPES[shape]((x - centre) / width)
    found = [p for p in read_places(formula, (x, y), SQUARE, frozenset({s})) if p.kind == "peak" and p.axes == (0,)]
    assert any(np.abs(p.centres - centre).min() < 0.1 * width and p.widths.min() < 4 * width for p in found)


@settings(max_examples=10, deadline=None)
@given(a=places, b=places, width=widths)
def test_a_needle_in_the_plane_is_found(a: float, b: float, width: float) -> None:
    formula = sp.exp(-(((x - a) / width) ** 2)) * sp.sech((y - b) / width)
    found = [p for p in read_places(formula, (x, y), SQUARE) if p.axes == (0, 1)]
    assert np.abs(found[0].centres - (a, b)).max(axis=1).min() < 0.1 * width


SWITCHES = {
    "sign": (sp.sign(sp.sin(20 * x)), np.pi / 20 * np.arange(7)),
    "Piecewise": (sp.Piecewise((1, x < 0.3), (y, x**2 < 0.5), (0, True)), [0.3, np.sqrt(0.5)]),
    "floor": (sp.floor(4 * x + sp.Rational(1, 3)), (np.arange(1, 5) - 1 / 3) / 4),
    "Mod": (sp.Mod(x, sp.Rational(3, 10)), 0.3 * np.arange(4)),
    "Abs": (s * sp.Abs(sp.cos(9 * x)), np.pi / 18 * np.array([1, 3, 5])),
    "Max": (sp.Max(x, 2 * x - sp.Rational(1, 7), sp.Rational(1, 9)), [1 / 9, 1 / 7, 8 / 63]),
    "touching": (sp.sqrt((x - sp.Rational(1, 3)) ** 2 + 0), [1 / 3]),
    "a root": ((x - sp.Rational(1, 3)) ** sp.Rational(3, 2), [1 / 3]),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_switches_and_bends_are_found(name: str) -> None:
    formula, expected = SWITCHES[name]
    found = np.concatenate([p.centres[:, 0] for p in read_places(formula, (x, y), SQUARE, frozenset({s}))])
    assert np.unique(np.round(found, 8)) == pytest.approx(np.sort(expected), abs=1e-7)


def test_a_small_circle_is_found() -> None:
    formula = sp.Heaviside(0.002**2 - (x - 0.3217) ** 2 - (y - 0.7) ** 2)
    (found,) = read_places(formula, (x, y), SQUARE)
    assert np.linalg.norm(found.centres - (0.3217, 0.7), axis=1) == pytest.approx(0.002, rel=1e-3)


@given(st.floats(-3, 3), st.floats(0, 2), st.sampled_from([
    x**2 - x, x**3 * y, sp.exp(x * y), 1 / (x - y), sp.Abs(x) * sp.sin(y), sp.tanh(x) / (2 + y**2), sp.Max(x, y) ** -2,
]))  # fmt: skip
def test_intervals_hold_all_values(low: float, side: float, formula: sp.Expr) -> None:
    a, b = interval(formula, {x: (low, low + side), y: (-1.0, 0.5)})
    at = np.random.default_rng(0).random((50, 2)) * (side, 1.5) + (low, -1.0)
    with np.errstate(all="ignore"):
        values = sp.lambdify((x, y), formula)(*at.T)
    assert np.all((values >= a - 1e-9) & (values <= b + 1e-9))
