"""Evolutions on domains that are no boxes: an elliptic problem in pieces for each stage of a step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from scipy.special import j0, j1, jn_zeros

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError
from transnet.steps.statement import rothe_of
from transnet.steps.tableau import FIRST, USUAL

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
diff, Eq = sp.diff, sp.Eq
COLD = tn.Problem(
    tn.Disk(radius=1) * tn.Interval(t=(0, 0.5)),
    [Eq(diff(u, t), tn.laplacian(u))],
    [tn.on("t=0", Eq(u, 0)), tn.on("sides", Eq(u, 1))],
)


def test_a_cold_disk_is_heated(tmp_path: Path) -> None:
    """The start jumps at the rim: the series of Bessel's functions is met later on, and the estimate holds."""
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(COLD, tol=1e-3)
    places = COLD.domain.first.interior(200, "quasi", 0)
    zeros = jn_zeros(0, 60)
    profile = 2 / (zeros * j1(zeros)) * j0(np.multiply.outer(np.hypot(*places.T), zeros))
    for time in (0.2, 0.37, 0.5):
        points = np.column_stack([places, np.full(len(places), time)])
        error = np.sqrt(np.mean((solution(points) - 1 + profile @ np.exp(-(zeros**2) * time)) ** 2))
        assert error < 1e-3
    assert error < solution.slabs.estimates[-1] < 100 * error
    again = tn.load(solution.save(tmp_path / "cold.npz"))
    assert np.array_equal(again(points), solution(points))


@pytest.mark.parametrize("method", [FIRST, USUAL], ids=["first", "usual"])
def test_the_methods_have_their_orders_and_damp(method) -> None:
    a, b, c = method.stages, method.stages[-1], method.nodes
    assert np.allclose([b.sum(), b @ c, b @ c**2, b @ a @ c], [1, 1 / 2, 1 / 3, 1 / 6], atol=1e-14)
    assert np.allclose([b @ c**3, b @ (c * (a @ c)), b @ a @ c**2, b @ a @ a @ c], [1 / 4, 1 / 8, 1 / 12, 1 / 24])
    e = method.estimate
    assert np.allclose([e.sum(), e @ c, e @ c**2, e @ a @ c], 0, atol=1e-14)
    assert abs(1 - 1e9 * b @ np.linalg.solve(np.eye(len(c)) + 1e9 * a, np.ones(len(c)))) < 1e-6


@pytest.mark.parametrize(
    ("equation", "conditions", "words"),
    [
        (Eq(diff(u, t), tn.laplacian(u) + u**2), (Eq(u, 1),), "not linear"),
        (Eq(diff(u, t), (1 + t) * tn.laplacian(u)), (Eq(u, 1),), "depends on t"),
        (Eq(diff(u, t), tn.laplacian(u)), (Eq(diff(u, t), 1),), "derivative by t"),
        (Eq(diff(u, t, 3), tn.laplacian(u)), (Eq(u, 1),), "order 3"),
    ],
)
def test_what_is_not_for_steps_says_why(equation: sp.Eq, conditions: tuple[sp.Eq, ...], words: str) -> None:
    problem = tn.Problem(COLD.domain, [equation], [tn.on("t=0", Eq(u, 0)), tn.on("sides", *conditions)])
    found = rothe_of(problem)
    assert isinstance(found, str)
    assert words in found


def test_what_cannot_be_asked_of_steps_is_refused() -> None:
    with pytest.raises(ProblemError, match="until= is for evolutions on an interval or a box"):
        tn.solve(COLD, until=u - 1)
