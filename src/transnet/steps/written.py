"""Steps in time as polynomials between moments, collected in memory or in a file during the march."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transnet.slabs.ask import Ask, kept
from transnet.slabs.disk import disk_for, unfinished
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.slabs.stages import legendre_table
from transnet.solution.solution import Solution
from transnet.steps.level import Level
from transnet.steps.march import Walk
from transnet.steps.statement import Rothe, ended
from transnet.steps.tableau import CUBIC, QUADRATIC


def polynomials(walk: Walk, k: int, moving: np.ndarray) -> np.ndarray:
    """The unknowns between two moments: (degree + 1, unknowns, columns)."""
    a, b = walk.moments[k], walk.moments[k + 1]
    half = 0.5 * (b.t - a.t)
    assert b.slope is not None
    if a.slope is None:
        made = np.tensordot(QUADRATIC, np.stack([a.state[0], b.state[0], half * b.slope]), axes=1)
    else:
        made = np.tensordot(CUBIC, np.stack([a.state[0], b.state[0], half * a.slope, half * b.slope]), axes=1)
    if not moving.all():
        made[:, ~moving] = _through_values(walk, k, len(made), ~moving)
    return np.asarray(made)


def _through_values(walk: Walk, k: int, count: int, free: np.ndarray) -> np.ndarray:
    """Unknowns without a slope between two moments: a polynomial through the nearest moments at which they are known.

    At the start they are not.
    """
    begin, end = walk.moments[k].t, walk.moments[k + 1].t
    known = [j for j, m in enumerate(walk.moments) if m.slopes is not None]
    near = sorted(known, key=lambda j: abs(j - k - 0.5))[:count]
    local = np.array([2 * (walk.moments[j].t - begin) / (end - begin) - 1 for j in near])
    inverse = np.linalg.inv(legendre_table(local, len(near) - 1, 0))
    values = np.stack([walk.moments[j].state[0][free] for j in near])
    made = np.zeros((count, *values.shape[1:]))
    made[: len(near)] = np.tensordot(inverse, values, axes=1)
    return made


def basis_of(
    rothe: Rothe, fine: Level, start: Solution | None, records: Sequence[SlabRecord], degrees: Sequence[int]
) -> SlabBasis:
    """The basis of steps, after those of a solution that was continued."""
    axis, unknowns = rothe.problem.coordinates.index(rothe.time), len(rothe.orders)
    if start is None:
        return SlabBasis(axis, unknowns, Slabs(tuple(records)), (fine.basis,), (0,) * len(records), tuple(degrees))
    old: SlabBasis = start.basis  # type: ignore[assignment]
    slabs, which = Slabs((*old.slabs, *records)), (*old.which, *([len(old.spaces)] * len(records)))
    return SlabBasis(axis, unknowns, slabs, (*old.spaces, fine.basis), which, (*old.degrees, *degrees))


class Written:
    """The steps that are kept: each is written when the next has been taken.

    Parameters
    ----------
    rothe : Rothe
    fine : Level
    values : mapping
        The parameters of the problem.
    ask : Ask
        Which steps are kept, in which file, and after which solution.
    """

    def __init__(self, rothe: Rothe, fine: Level, values: Mapping[Any, Any], ask: Ask) -> None:
        self.rothe, self.fine, self.values, self.start, self.to = rothe, fine, values, ask.start, ask.to
        self._keep = kept(ask, rothe.start, rothe.stop)
        self.disk = None if ask.to is None else disk_for(ask.to, 0, ask.start)
        self.degrees: list[int] = []
        self._next = 0
        self._records: list[SlabRecord] = []
        self._blocks = [] if ask.start is None else [np.asarray(ask.start.coefficients)]

    def kept(self, walk: Walk, k: int) -> bool:
        """Whether a step is kept."""
        return bool(self._keep(k, walk.moments[k].t, walk.moments[k + 1].t))

    def follow(self, walk: Walk) -> None:
        """Write all steps but the last, which may still be rejected."""
        for k in range(self._next, len(walk.own) - 1):
            self._next = k + 1
            if self.kept(walk, k):
                self._put(walk, k)
        if self.disk is not None and self._records:
            self.disk.note(self._so_far)

    def _put(self, walk: Walk, k: int) -> None:
        block = polynomials(walk, k, self.fine.moving)
        self.degrees.append(len(block) - 1)
        # Steps are estimated after the march: until then there is what each has by itself.
        told = SlabRecord(walk.moments[k].t, walk.moments[k + 1].t, sum(walk.own[: k + 1]), walk.own[k],
                          walk.newton[k], self.fine.basis.columns)  # fmt: skip
        self._records.append(told)
        if self.disk is None:
            self._blocks.append(block.ravel())
        else:
            self.disk.put(block)

    def _so_far(self) -> Solution:
        assert self.disk is not None
        basis = basis_of(self.rothe, self.fine, self.start, self._records, self.degrees)
        problem = ended(self.rothe, basis.slabs[-1].end)
        return unfinished(problem, basis, self.disk.all(), self.values, basis.slabs[-1].estimate)

    def closed(self, walk: Walk) -> np.ndarray:
        """All coefficients, with those of the last step."""
        self.follow(walk)
        self._put(walk, len(walk.own) - 1)
        return np.concatenate(self._blocks) if self.disk is None else self.disk.close(self.to)
