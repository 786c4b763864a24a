"""Steps in time as polynomials between moments, collected in memory or in a file during the march."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transnet.slabs.ask import Ask, kept
from transnet.slabs.disk import disk_for, unfinished
from transnet.slabs.domain import ended
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.slabs.stages import legendre_table
from transnet.solution.solution import Solution
from transnet.steps.level import StepLevel
from transnet.steps.march import Walk
from transnet.steps.statement import Rothe
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


class Written:
    """The steps that are kept: each is written when the next has been taken.

    Parameters
    ----------
    rothe : Rothe
    values : mapping
        The parameters of the problem.
    ask : Ask
        Which steps are kept, in which file, and after which solution.
    """

    def __init__(self, rothe: Rothe, values: Mapping[Any, Any], ask: Ask) -> None:
        self.rothe, self.values, self.start, self.to = rothe, values, ask.start, ask.to
        self._keep = kept(ask, rothe.start, rothe.stop)
        self.disk = None if ask.to is None else disk_for(ask.to, 0, ask.start)
        self._fines: list[StepLevel] = []
        self.kept: list[tuple[int, int]] = []  # the leg and the number of each step
        self._degrees: list[int] = []
        self._next = self._taken = 0
        self._records: list[SlabRecord] = []
        self._blocks = [] if ask.start is None else [np.asarray(ask.start.coefficients)]

    def turn(self, fine: StepLevel, before: Walk | None = None) -> None:
        """Go on with other cells, after the steps of a walk."""
        if before is not None:
            self._finish(before)
        self._fines.append(fine)
        self._next = 0

    def follow(self, walk: Walk) -> None:
        """Write all steps but the last, which may still be rejected."""
        while self._next < len(walk.own) - 1:
            self._put(walk, self._next)
        if self.disk is not None and self._records:
            self.disk.note(self._so_far)

    def _finish(self, walk: Walk, last: bool = False) -> None:
        while self._next < len(walk.own):
            self._put(walk, self._next, last and self._next == len(walk.own) - 1)

    def _put(self, walk: Walk, k: int, always: bool = False) -> None:
        begin, end = walk.moments[k].t, walk.moments[k + 1].t
        number, self._next, self._taken = self._taken, k + 1, self._taken + 1
        if not (always or self._keep(number, begin, end)):
            return
        fine = self._fines[-1]
        block = polynomials(walk, k, fine.moving)
        self.kept.append((len(self._fines) - 1, k))
        self._degrees.append(len(block) - 1)
        # Steps are estimated after the march: until then there is what each has by itself.
        told = SlabRecord(begin, end, sum(walk.own[: k + 1]), walk.own[k], walk.newton[k], fine.basis.columns)
        self._records.append(told)
        if self.disk is None:
            self._blocks.append(block.ravel())
        else:
            self.disk.put(block)

    def basis(self, records: Sequence[SlabRecord]) -> SlabBasis:
        """The basis of the steps that are kept, after those of a solution that was continued."""
        axis, unknowns = self.rothe.problem.coordinates.index(self.rothe.time), len(self.rothe.orders)
        spaces, which = tuple(fine.basis for fine in self._fines), tuple(leg for leg, _ in self.kept)
        if self.start is None:
            return SlabBasis(axis, unknowns, Slabs(tuple(records)), spaces, which, tuple(self._degrees))
        old: SlabBasis = self.start.basis  # type: ignore[assignment]
        which = (*old.which, *(len(old.spaces) + leg for leg in which))
        slabs, degrees = Slabs((*old.slabs, *records)), (*old.degrees, *self._degrees)
        return SlabBasis(axis, unknowns, slabs, (*old.spaces, *spaces), which, degrees)

    def _so_far(self) -> Solution:
        assert self.disk is not None
        basis = self.basis(self._records)
        problem = ended(self.rothe, basis.slabs[-1].end)
        return unfinished(problem, basis, self.disk.all(), self.values, basis.slabs[-1].estimate)

    def closed(self, walks: Sequence[Walk]) -> np.ndarray:
        """All coefficients, with those of the last step."""
        if len(walks) == len(self._fines):  # else the last cells were not used
            self._finish(walks[-1], last=True)
        return np.concatenate(self._blocks) if self.disk is None else self.disk.close(self.to)
