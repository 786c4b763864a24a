"""The settings of a march, its position, and its results so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.slabs.records import SlabRecord
from transnet.slabs.space import Space

BRIEF = 0.02
"""The least size of an unknown over all times, as a part of its largest, for spikes. Without spikes errors and slabs
are the same with 0 and 0.2 (benchmarks/constants.py missed)."""
ABSENT = 1e-8
"""An unknown smaller than this part of the largest is negligible."""
LOST = 3e-14
"""Errors below are rounding."""


@dataclass(frozen=True)
class Settings:
    """How to march.

    Parameters
    ----------
    tol : float
        The error of a slab, relative to the largest root mean square of each unknown.
    stages : int
    edges : tuple of float
        The ends of slabs given by the user; empty if they are to be chosen.
    first : float
        The length of the first slab that is tried, as a part of all times.
    stops : tuple of float
        Further times at which a slab ends, because something short begins or ends there.
    seconds : float, optional
        The time that there is for it.
    least : float
        Sizes of unknowns below count as this: before a pulse a solution may be 1e-150.
    """

    tol: float
    stages: int
    edges: tuple[float, ...] = ()
    first: float = 0.05
    stops: tuple[float, ...] = ()
    seconds: float | None = None
    least: float = 0.0


@dataclass(eq=False)
class Track:
    """What has been marched so far; `better` has richer features and polynomials without the estimated error."""

    records: list[SlabRecord] = field(default_factory=list)
    polynomials: list[np.ndarray] = field(default_factory=list)
    spaces: list[Any] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    errors: list[np.ndarray] = field(default_factory=list)
    count: int = 0
    spans: list[tuple[float, np.ndarray]] = field(default_factory=list)
    largest: np.ndarray = field(default_factory=lambda: np.zeros(0))
    better: list[tuple[Space, np.ndarray]] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Reached:
    """The position of a march: the time, the state there, the error carried to it, the sizes of the unknowns."""

    t: float
    space: Space
    state: np.ndarray
    error: np.ndarray
    sizes: np.ndarray


def relative_to(track: Track) -> None:
    """Make the errors of all slabs relative to the root mean squares of the unknowns over space and all times.

    A part of their largest keeps an unknown that is nonzero only briefly from being divided by almost nothing.
    """
    lengths = np.array([length for length, _ in track.spans])
    squares = np.array([size**2 for _, size in track.spans])
    sizes = np.maximum(np.sqrt(lengths @ squares / lengths.sum()), BRIEF * track.largest)
    for k, (record, errors) in enumerate(zip(track.records, track.errors, strict=True)):
        estimate, own = (errors / floored(sizes, ABSENT)).max(axis=1)
        track.records[k] = replace(record, estimate=float(estimate), own=float(own))
