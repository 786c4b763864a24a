"""What a march is told, where it is, and what it has left behind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from transnet.arrays import floored
from transnet.slabs.records import SlabRecord
from transnet.slabs.space import Space

BRIEF = 0.02
"""The least size of an unknown over all times, as a part of its largest: that of a spike is less than this. Errors and
slabs are the same with 0 and 0.2 where nothing is a spike (benchmarks/constants.py missed)."""
ABSENT = 1e-8
"""An unknown smaller than this part of the largest is nothing beside it."""


@dataclass(frozen=True)
class Settings:
    """How to march.

    Parameters
    ----------
    tol : float
        The error of a slab, relative to the largest root mean square of each unknown.
    stages : int
    edges : tuple of float
        The ends of slabs where the user has given them; empty if they are to be found.
    first : float
        The length of the first slab that is tried, as a part of all times.
    stops : tuple of float
        Further moments at which a slab ends, because something short begins or ends there.
    """

    tol: float
    stages: int
    edges: tuple[float, ...] = ()
    first: float = 0.05
    stops: tuple[float, ...] = ()


@dataclass(eq=False)
class Track:
    """What has been marched so far."""

    records: list[SlabRecord] = field(default_factory=list)
    polynomials: list[np.ndarray] = field(default_factory=list)
    spaces: list[Space] = field(default_factory=list)
    missed: list[float] = field(default_factory=list)
    errors: list[np.ndarray] = field(default_factory=list)
    count: int = 0
    spans: list[tuple[float, np.ndarray]] = field(default_factory=list)


@dataclass(eq=False)
class Place:
    """Where a march is: the time, the state there, the error that was carried to it, the sizes of the unknowns."""

    t: float
    space: Space
    state: np.ndarray
    error: np.ndarray
    sizes: np.ndarray


def relative_to(track: Track, largest: np.ndarray) -> None:
    """Make the errors of all slabs relative to the root mean squares of the unknowns over space and all times.

    `largest` are their largest sizes. An unknown that lives for a moment only is not divided by almost nothing.
    """
    lengths = np.array([length for length, _ in track.spans])
    squares = np.array([size**2 for _, size in track.spans])
    sizes = np.maximum(np.sqrt(lengths @ squares / lengths.sum()), BRIEF * largest)
    for k, (record, errors) in enumerate(zip(track.records, track.errors, strict=True)):
        estimate, own = (errors / floored(sizes, ABSENT)).max(axis=1)
        track.records[k] = replace(record, estimate=float(estimate), own=float(own))
