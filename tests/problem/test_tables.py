"""Data frames by the names of their columns, masked values, copies, and derivatives of given functions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 2))


class Frame(SimpleNamespace):
    """What pandas and polars have in common."""

    def __getitem__(self, name: str) -> np.ndarray:
        return self.content[name]

    @property
    def columns(self) -> list[str]:
        return list(self.content)


def frame(**columns: list[float]) -> Frame:
    return Frame(content={k: np.array(v) for k, v in columns.items()})


def problem(*conditions: object) -> tn.Problem:
    return tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, x * y)), *conditions])


def test_columns_of_a_frame_are_found_by_name() -> None:
    table = frame(y=[1.5, 0.5], name=["a", "b"], x=[0.25, 0.75])
    stated = problem(tn.data(u, table, [0.375, 0.375]), tn.at(table, sp.Eq(u, x * y)))
    for condition in stated.conditions[1:]:
        np.testing.assert_array_equal(condition.points, [[0.25, 1.5], [0.75, 0.5]])
    solution = tn.solve(problem(), neurons=60)
    np.testing.assert_allclose(solution(table), [0.375, 0.375], rtol=1e-6)


def test_a_frame_without_a_coordinate_is_refused() -> None:
    with pytest.raises(ProblemError, match="without a column 'y'"):
        tn.data(u, frame(x=[0.1], z=[0.2]), [1.0])


def test_masked_values_are_refused() -> None:
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    points = np.array([[0.1, 0.2], [0.3, 0.4]])
    with pytest.raises(ProblemError, match="masked array: 1 of its entries"):
        tn.data(u, points, masked)
    with pytest.raises(ProblemError, match="masked array"):
        tn.at(np.ma.masked_greater(points, 0.35), sp.Eq(u, 0))


def test_data_are_copied() -> None:
    points, values = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([1.0, 2.0])
    condition = tn.data(u, points, values)
    points[:], values[:] = 0.0, 0.0
    assert condition.points[1, 1] == 0.4
    assert condition.values[1] == 2.0


def test_derivatives_of_given_functions_do_not_depend_on_the_other_points() -> None:
    k = tn.given("k", lambda a, b: np.exp(a) * np.sin(3 * b), x, y)
    tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), k)], [tn.on("boundary", u)])
    derivative = type(sp.diff(k, y)).implementation
    alone = derivative(np.array([0.3]), np.array([0.7]))
    together = derivative(np.array([0.3, 5000.0]), np.array([0.7, -300.0]))[:1]
    np.testing.assert_array_equal(alone, together)
    np.testing.assert_allclose(alone, 3 * np.exp(0.3) * np.cos(2.1), rtol=1e-10)
