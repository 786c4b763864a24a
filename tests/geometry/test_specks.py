"""A hole that the grid of a level set would miss is told; one that it sees is not."""

from __future__ import annotations

import pytest
import sympy as sp

import transnet as tn
from transnet.errors import GeometryError

x, y = sp.symbols("x y")


@pytest.mark.parametrize(("radius", "told"), [(0.004, True), (0.001, True), (0.1, False)])
def test_a_hole_in_a_level_set(radius: float, told: bool) -> None:
    hole = radius**2 - (x - 0.3217) ** 2 - y**2
    box = {"x": (-1.5, 1.5), "y": (-1.5, 1.5)}
    if told:
        with pytest.raises(GeometryError, match=r"a hole or a piece of size .* near \(0\.32.*tn\.Disk"):
            tn.LevelSet(sp.Max(x**2 + y**2 - 1, hole), **box)
    else:
        tn.LevelSet(sp.Max(x**2 + y**2 - 1, hole), **box)


def test_a_level_set_whose_cusps_are_missed_is_refused() -> None:
    """sqrt|x| + sqrt|y| < 1 has an area of 2/3; rays from its middle see a thirtieth of it."""
    x, y = sp.symbols("x y")
    sharp = tn.LevelSet(sp.sqrt(sp.Abs(x)) + sp.sqrt(sp.Abs(y)) - 1, x=(-1.1, 1.1), y=(-1.1, 1.1))
    with pytest.raises(GeometryError, match="cusps or spikes"):
        _ = sharp.volume
    assert tn.LevelSet(sp.Abs(x) + sp.Abs(y) - 1, x=(-1.1, 1.1), y=(-1.1, 1.1)).volume == pytest.approx(2, rel=1e-4)


@pytest.mark.parametrize("radius", [0.003, 0.0004])
def test_a_hole_that_no_max_shows(radius: float) -> None:
    hole = (x - 0.4) ** 2 + y**2 - radius**2
    with pytest.raises(GeometryError, match=r"near \(0\.4"):
        tn.LevelSet((x**2 + y**2 - 1) * hole, x=(-1.1, 1.1), y=(-1.1, 1.1))
    tn.LevelSet((x**2 + y**2 - 1) * (hole + 2 * radius**2), x=(-1.1, 1.1), y=(-1.1, 1.1))
