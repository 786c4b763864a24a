"""What is known about the slabs of a solution: their times, their errors, their steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from typing import overload

import numpy as np

from transnet.errors import ProblemError
from transnet.tolerances import SAME

BEYOND = 0.05
"""The part of a march's length by which it is continued: pictures have a margin; polynomials of time are soon
enormous."""


@dataclass(frozen=True)
class SlabRecord:
    """One slab of time.

    Parameters
    ----------
    begin, end : float
        From when to when.
    estimate : float
        The estimated relative error at its end: what earlier slabs passed on to it, and its own.
    own : float
        The largest error made within it.
    steps : int
        Newton's steps.
    features : int
        The features of space.
    """

    begin: float
    end: float
    estimate: float
    own: float
    steps: int
    features: int


@dataclass(frozen=True, eq=False)
class Slabs(Sequence[SlabRecord]):
    """The slabs of a solution, in the order in which they were solved: `solution.slabs`."""

    records: tuple[SlabRecord, ...]

    def __len__(self) -> int:
        return len(self.records)

    @overload
    def __getitem__(self, number: int) -> SlabRecord: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[SlabRecord, ...]: ...
    def __getitem__(self, number: int | slice) -> SlabRecord | tuple[SlabRecord, ...]:
        return self.records[number]

    @cached_property
    def times(self) -> np.ndarray:
        """The beginning of the first slab and the end of each."""
        return np.array([self.records[0].begin, *(r.end for r in self.records)])

    @cached_property
    def estimates(self) -> np.ndarray:
        """The estimated relative error at the end of each."""
        return np.array([r.estimate for r in self.records])

    @cached_property
    def own(self) -> np.ndarray:
        """The error made in each slab."""
        return np.array([r.own for r in self.records])

    @cached_property
    def steps(self) -> np.ndarray:
        """Newton's steps of each."""
        return np.array([r.steps for r in self.records])

    def find(self, times: np.ndarray) -> np.ndarray:
        """The number of the slab of each moment; raises where there is none: not kept, or after the end."""
        sign = 1.0 if self.records[-1].end >= self.records[0].begin else -1.0
        begins, ends = np.array([(r.begin, r.end) for r in self.records]).T * sign
        found = np.clip(np.searchsorted(ends, sign * times, side="left"), 0, len(ends) - 1)
        near = SAME * (ends[-1] - begins[0])
        lost = (sign * times < begins[found] - near) & (found > 0)
        if lost.any():
            raise ProblemError(
                f"The solution at {times[lost][0]:g} was not kept: keep= left out the slabs around it. "
                f"Solve again with other times for keep=, or without it."
            )
        late = sign * times > ends[-1] + BEYOND * (ends[-1] - begins[0])
        if late.any():
            raise ProblemError(
                f"The solution ends at {self.records[-1].end:g} and has no value at {times[late][0]:g}. If it ended "
                f"early, go on from there: tn.solve(problem, start=solution)."
            )
        return found

    def table(self) -> np.ndarray:
        """All of it as an array, for files."""
        return np.array([astuple(r) for r in self.records], dtype=float)

    @classmethod
    def from_table(cls, table: np.ndarray) -> Slabs:
        """The slabs from a table."""
        if table.ndim != 2 or table.shape[1] != len(fields(SlabRecord)) or not len(table):
            raise ValueError("its slabs are not a table")
        return cls(tuple(SlabRecord(a, b, c, d, int(n), int(m)) for a, b, c, d, n, m in table.tolist()))

    def __repr__(self) -> str:
        first, last = self.records[0], self.records[-1]
        steps = int(self.steps.sum())
        newton = f"{steps} Newton steps, " if steps > len(self) else ""  # a linear problem takes one for each
        return (
            f"{len(self)} slabs from {first.begin:g} to {last.end:g}, {newton}"
            f"estimated relative error {last.estimate:.1e} at the end"
        )
