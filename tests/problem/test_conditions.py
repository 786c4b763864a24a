"""Conditions are checked when they are written."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
Eq = sp.Eq

WRONG = {
    "on without a name": (lambda: tn.on(3, Eq(u, 0)), "name of a boundary part, not 3"),
    "on without an equation": (lambda: tn.on("left"), r"tn.on\('left'\) has no equation"),
    "where that is no condition": (lambda: tn.on("left", u, where=x + 1), "not a condition on the coordinates"),
    "negative weight": (lambda: tn.on("left", u, weight=-1), "positive number, not -1"),
    "zero weight": (lambda: tn.mean(u, weight=0), "positive number"),
    "infinite weight": (lambda: tn.periodic(x, weight=np.inf), "positive number"),
    "weight in words": (lambda: tn.on("left", u, weight="high"), "positive number, not 'high'"),
    "at without an equation": (lambda: tn.at([(0, 0)]), "tn.at has no equation"),
    "at nowhere": (lambda: tn.at([], u), r"shape \(n, d\)"),
    "at a cube": (lambda: tn.at(np.zeros((2, 2, 2)), u), r"shape \(n, d\), one row for each point, not \(2, 2, 2\)"),
    "at words": (lambda: tn.at("here", u), "array of numbers"),
    "at NaN": (lambda: tn.at([(0, 0), (0, np.nan)], u), "not finite: row 1"),
    "data that are too few": (lambda: tn.data(u, [(0, 0), (1, 1)], [1]), r"2 points but values of shape \(1,\)"),
    "data NaN": (lambda: tn.data(u, [(0, 0), (1, 1)], [1, np.nan]), "not finite: number 1 is nan"),
    "data infinite": (lambda: tn.data(u, [(0, 0)], [np.inf]), "not finite: number 0 is inf"),
    "data in words": (lambda: tn.data(u, [(0, 0)], ["one"]), "array of numbers"),
    "data at infinity": (lambda: tn.data(u, [(0, np.inf)], [1]), "not finite: row 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_condition_is_refused(name: str) -> None:
    make, message = WRONG[name]
    with pytest.raises(ProblemError, match=message):
        make()


def test_numbers_of_any_kind_are_taken() -> None:
    assert tn.on("left", u, weight=np.float32(2)).weight == 2.0
    assert tn.on("left", u, where=True).where is sp.true
    assert tn.data(u, np.zeros((3, 2), dtype=np.int8), np.ones((3, 1))).values.shape == (3,)
    assert tn.data(u, [0.1, 0.2, 0.3], [1, 2, 3]).points.shape == (3, 1), "one coordinate"
    assert tn.at((0.5, 0.5), u).points.shape == (1, 2)
    assert tn.mean(u, np.float64(2)).value == 2


def test_a_mean_may_be_an_equation() -> None:
    x = sp.Symbol("x")
    u = tn.unknown("u", x)
    assert tn.mean(sp.Eq(u, 2)) == tn.mean(u, 2)
