"""The estimated error of a solution in pieces: the change from a coarser one times the fall of the indicator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.cuts.cells import Cells
from transnet.pieces.level import CutLevel

OF_CHANGE = 2.0
"""The factor of the change from a coarser cut times the fall of the indicator: on thirteen cuts around fronts, spikes
and poles the error was 0.1 to 1 times this."""
FALLEN = 0.01
"""The smallest fall of the indicator that is trusted: it may have missed something."""
SEEN = 0.3
"""The factor of the mean indicator over the cells: on twelve problems at three tolerances the error was 0.01 to 3 times
that mean and half of the time above this part of it. With 0.1 two estimates were nine and thirteen times too small."""
ROUNDING = 5e-12
"""No estimate is smaller: two solutions may agree by chance to within rounding, 1e-12 in most cells."""
UNCOMPARED = 100.0
"""The estimate, in units of the largest indicator, if there is nothing to compare with: five times the worst of
`SEEN`."""


def estimate(
    previous: CutLevel | None, level: CutLevel, counted: np.ndarray | None = None, least: float = FALLEN
) -> float:
    """The estimated relative L2 error: the change from the coarser solution, as far as the indicator has fallen.

    `counted` says of each cell whether it counts, `least` how much of the change is left at least.
    """
    counted = np.ones(len(level.cells.cells), dtype=bool) if counted is None else counted
    if previous is None:
        return UNCOMPARED * max(level.found.largest, ROUNDING)
    change = compared(level, previous, counted)
    seen = mean_of(level.cells, np.where(counted, level.found.cells, 0.0))
    before = mean_of(previous.cells, previous.found.cells)
    return float(carried_on(change, (previous.found.largest, before), (level.found.largest, seen), least))


def compared(level: CutLevel, other: CutLevel, counted: np.ndarray) -> float:
    """The relative distance to another solution, a coarser or a finer one.

    On a line, where networks twice as large cost as much as those they are compared with, the distance to these on the
    same cells was the error to within three times on forty cuts around needles and gaps.
    """
    points, weights = sample_of(level.cells, counted)
    return max(float(change_between(other.values(points), level.values(points), weights)), ROUNDING)


def change_between(old: Sequence[np.ndarray], new: Sequence[np.ndarray], weights: np.ndarray) -> Any:
    """The relative change of the unknowns from old to new values, (n,) or (n, k) each: that of the worst unknown."""
    sizes = np.array([np.sqrt(weights @ b**2) for b in new])
    changes = np.array([np.sqrt(weights @ (b - a) ** 2) for a, b in zip(old, new, strict=True)])
    return np.max(changes / floored(sizes), axis=0)


def carried_on(change: Any, before: tuple[Any, Any], now: tuple[Any, Any], least: float = FALLEN) -> Any:
    """The estimate from a change and the largest and the mean indicator before and now."""
    fallen = np.maximum(now[0] / np.maximum(before[0], 1e-300), now[1] / np.maximum(before[1], 1e-300))
    return np.maximum(np.maximum(OF_CHANGE * change * np.clip(fallen, least, 1.0), SEEN * now[1]), ROUNDING)


def mean_of(cells: Cells, indicator: np.ndarray) -> Any:
    """A mean of an indicator (m,) or (m, k): tiny cells at a corner may violate what holds there and spoil little."""
    volume = np.array([float(np.prod(c.half)) for c in cells.cells])
    return np.sqrt(np.sqrt(volume / volume.sum()) @ indicator**2)


def sample_of(cells: Cells, counted: np.ndarray, each: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """A few points of every cell, with weights by volume."""
    points, weights = [], []
    for cell in (c for c, counts in zip(cells.cells, counted, strict=True) if counts):
        mine = cell.fresh[:each] if len(cell.fresh) >= 3 else cell.inside[:each]
        points.append(mine)
        weights.append(np.full(len(mine), np.prod(cell.half) / len(mine)))
    w = np.concatenate(weights)
    return np.concatenate(points), w / w.sum()
