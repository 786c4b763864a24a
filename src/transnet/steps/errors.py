"""The errors of steps in time: from coarser cells and longer steps, and from cubics over two steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.pieces.estimate import SAFETY
from transnet.slabs.track import BRIEF
from transnet.steps.level import Moment, StepLevel
from transnet.steps.march import Walk, again
from transnet.steps.resolved import carried

FALLS = 0.1
"""How much smaller the error is than with smaller networks and steps of twice the length: 1/15 for the steps."""


@dataclass(frozen=True, eq=False)
class Leg:
    """A part of a march on one set of cells, and smaller networks in them to compare with."""

    fine: StepLevel
    coarse: StepLevel
    walk: Walk


def estimates(legs: Sequence[Leg], begin: Moment | None = None) -> list[np.ndarray]:
    """The relative error at each moment of each leg, from smaller networks with steps of twice the length."""
    sizes, found = _sizes(legs), []
    before: Leg | None = None
    for leg in legs:
        if before is not None and begin is not None:
            begin = carried(before.coarse, leg.coarse, begin)
        relative, begin = _estimated(leg, begin, sizes)
        found.append(relative)
        before = leg
    return found


def _estimated(leg: Leg, begin: Moment | None, sizes: np.ndarray) -> tuple[np.ndarray, Moment]:
    """The same for one leg, and the last moment of its smaller networks."""
    fine, coarse, walk = leg.fine, leg.coarse, leg.walk
    times = np.array([m.t for m in walk.moments])
    wide = again(coarse, times, begin)
    points = np.concatenate([c.inside[:4] for c in fine.cells.cells])
    volumes = np.repeat(fine.volumes, [len(c.inside[:4]) for c in fine.cells.cells])
    zero = (0,) * points.shape[1]
    numbers = sorted(wide)

    def at(level: StepLevel, moments: list[Moment]) -> np.ndarray:
        every = np.stack([m.state[0] for m in moments], axis=-1)
        return np.stack([level.basis.derivatives(c, points, [(0, zero)])[0] for c in every])

    gap = at(fine, [walk.moments[k] for k in numbers]) - at(coarse, [wide[k] for k in numbers])
    relative = np.sqrt(np.einsum("unk,n->uk", gap**2, volumes / volumes.sum())) / sizes[:, None]
    told = np.asarray(SAFETY * FALLS * np.interp(times, times[numbers], relative.max(axis=0)))
    return told, wide[numbers[-1]]


def _sizes(legs: Sequence[Leg]) -> np.ndarray:
    """The root mean squares of the unknowns over space and all times."""
    lengths = np.concatenate([np.diff([m.t for m in leg.walk.moments]) for leg in legs])
    squares = np.array([leg.fine.looked_at(m.state[0]) ** 2 for leg in legs for m in leg.walk.moments[1:]])
    sizes = np.maximum(np.sqrt(lengths @ squares / lengths.sum()), BRIEF * legs[-1].walk.sizes)
    return np.where(sizes > 0, sizes, sizes.max() or 1.0)


def between(legs: Sequence[Leg]) -> list[np.ndarray]:
    """The relative error of the cubic inside each step of each leg."""
    sizes = _sizes(legs)
    return [_between(leg.fine, leg.walk, sizes) for leg in legs]


def _between(fine: StepLevel, walk: Walk, sizes: np.ndarray) -> np.ndarray:
    """The same for one leg, by how far a cubic over two steps passes from where they meet."""
    times, moments = np.array([m.t for m in walk.moments]), walk.moments
    sides = np.full((2, len(times) - 1), np.inf)  # where the solution settles the later of both is nearer
    for k in range(1, len(times) - 1):
        first, last = moments[k - 1], moments[k + 1]
        if first.slope is None or last.slope is None:
            continue
        a, b = times[k] - times[k - 1], times[k + 1] - times[k]
        h = a + b
        s = a / h
        passed = (1 + 2 * s) * (1 - s) ** 2 * first.state[0] + s**2 * (3 - 2 * s) * last.state[0]
        passed = passed + h * s * (1 - s) * ((1 - s) * first.slope - s * last.slope)
        gap = (fine.looked_at(passed - moments[k].state[0]) / sizes)[fine.moving]
        fourth = float(gap.max()) / (a * b) ** 2
        sides[0, k - 1], sides[1, k] = fourth * (a / 2) ** 4, fourth * (b / 2) ** 4
    found = sides.min(axis=0)
    return np.where(np.isfinite(found), found, 0.0)
