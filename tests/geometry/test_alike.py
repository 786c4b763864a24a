"""Shapes that are alike know the same, and those that are not do not."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")


def ring(radius: float = 0.5) -> tn.Domain:
    return tn.Disk(radius=1) - tn.Disk(radius=radius)


def ellipse(axis: float = 0.5) -> tn.Domain:
    return tn.LevelSet(x**2 + (y / axis) ** 2 < 1, x=(-1.5, 1.5), y=(-1, 1))


@pytest.mark.parametrize("made", [ring, ellipse])
def test_shapes_of_the_same_content_are_equal(made) -> None:
    assert made() == made()
    assert hash(made()) == hash(made())
    assert made() != made(0.6)
    assert made() != tn.Disk(radius=1)


@pytest.mark.parametrize("made", [ring, ellipse])
def test_a_problem_on_a_shape_that_was_there_has_the_same_solution(made) -> None:
    u = tn.unknown("u", x, y)

    def solution(size: float) -> tn.Solution:
        return tn.solve(
            tn.Problem(made(size), [sp.Eq(tn.laplacian(u), sp.exp(x))], [tn.on("boundary", sp.Eq(u, y))]), tol=1e-6
        )

    points = made().interior(50, "quasi", 3)
    first, other, again = solution(0.5)(points), solution(0.6)(points[:1]), solution(0.5)(points)
    assert np.array_equal(first, again)
    assert abs(other[0] - first[0]) > 1e-4


def test_many_shapes_are_told_by_their_identity() -> None:
    def plate() -> tn.Domain:
        made: tn.Domain = tn.Box(x=(0, 10), y=(0, 10))
        for k in range(70):
            made = made - tn.Disk(center=(1 + k % 9, 1 + k // 9), radius=0.1)
        return made

    a, b = plate(), plate()
    assert a == a
    assert a != b
