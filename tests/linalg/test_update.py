"""Rows that stay and rows that change have the triangle of all of them."""

import numpy as np
import pytest

from transnet.linalg.least_squares import triangle_of
from transnet.linalg.update import Stack


@pytest.mark.parametrize(("stay", "change"), [(0, 60), (5, 60), (60, 60), (200, 25), (25, 10), (300, 80), (18, 2)])
def test_the_triangle_is_that_of_all_rows(stay, change):
    rng = np.random.default_rng(stay + change)
    n = 20
    constant = np.asfortranarray(rng.standard_normal((stay, n)))
    stack = Stack(constant.copy(order="F"), change)
    for _ in range(3):
        rows = np.asfortranarray(rng.standard_normal((change, n)))
        whole = np.concatenate([constant, rows])
        found = stack.triangle(rows)
        expected = triangle_of(whole.copy(order="F"))
        assert np.allclose(np.abs(found), np.abs(expected), atol=1e-12 * np.linalg.norm(whole))
        assert np.allclose(found.T @ found, whole.T @ whole)
