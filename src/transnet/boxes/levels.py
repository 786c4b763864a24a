"""Levels of rising degree for a steady problem on a box, each with its error.

The first degree follows from how fast the coefficients of the data fall, the next ones from how fast those of the last
solution do. The error of a level is its distance to a solution of slightly higher degree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.arrays import NEGLIGIBLE
from transnet.boxes.basis import BoxBasis
from transnet.boxes.degrees import data_degrees
from transnet.boxes.equations import BoxEquations
from transnet.boxes.faces import BoxFace, faces_of
from transnet.boxes.newton import BoxIterate, newton_in_box
from transnet.boxes.statement import Steady
from transnet.errors import NotFiniteError
from transnet.slabs.axes import richer
from transnet.slabs.decay import degree_needed
from transnet.slabs.space import Space
from transnet.solution.diagnostics import Coarser

MOST = {1: 400, 2: 250_000, 3: 1_000_000}
"""Columns of an unknown, by dimension: in space a vector of them takes 8 MB."""
HOPELESS = 25
"""Levels end if this many times as many are predicted: from few coefficients a power is underestimated."""
FARTHEST = {1: 2.0, 2: 2.0, 3: 1.5}
"""The most by which a degree is multiplied from one level to the next, by dimension."""
NEAREST = 1.3
"""The least: with less some problems take four levels."""
ROUNDED = 2e-15
"""The rounding of rows: near a resonance, where it is all of the error, that was 0.1 to 2 times this in ten of ten."""
COMPARED = 0.1
"""The accuracy to which that one is iterated, relative to the distance."""
FALLS = 0.5
"""What is left of the conditions must fall to this part with each level, or their data contradict each other."""


@dataclass(frozen=True, eq=False)
class BoxLevel:
    """A solution with given features.

    Parameters
    ----------
    coefficients : (unknowns, columns) array
    error : float
        Relative, the largest of all unknowns.
    steps : int
        Newton's steps.
    finer : BoxIterate, optional
        The solution of slightly higher degree that it was compared with.
    """

    space: Space
    coefficients: np.ndarray
    error: float
    steps: int
    finer: BoxIterate | None = None

    @property
    def compared(self) -> Coarser | None:
        """That solution, from which the errors of results follow."""
        if self.finer is None:
            return None
        space, made = self.finer.system.space, np.stack([w.ravel() for w in self.finer.whole])
        return Coarser(BoxBasis(len(made), space), made.ravel(), self.error)


def box_levels(steady: Steady, numbers: Sequence[Any], wanted: float) -> Iterator[BoxLevel]:
    """Solutions from coarse to fine; their degrees are those that should reach the wanted error.

    They end where degrees do, or will before the wanted error; where more of them do not help; where Newton's steps
    fail; where data contradict each other at a corner; and at once if conditions are of another kind.
    """
    faces = faces_of(steady, numbers)
    if faces is None:
        return
    try:
        d, degrees = len(steady.bounds[0]), data_degrees(steady, faces, numbers, wanted)
        last: BoxIterate | None = None
        least = np.inf
        while _columns(steady, degrees) <= MOST[d]:
            found = newton_in_box(BoxEquations(steady, faces, degrees, numbers), last, wanted)
            if found is None:
                return
            sizes = _sizes(found.whole)
            lines = [_line(found.whole, sizes, axis, axis in steady.periodic) for axis in range(d)]
            resolved = max(float(line[-2:].max()) for line in lines) <= wanted
            finer = _finer(steady, faces, numbers, found, wanted) if resolved else None
            if finer is not None:
                error = _distance(finer, found)
            else:
                error = 1.0 if last is None or resolved else _distance(found, last)
            # Rounding grows where terms cancel, and data that contradict each other at a corner are not fulfilled.
            error = max(error, ROUNDED * found.growth, found.unfulfilled)
            contradicted = last is not None and found.unfulfilled > max(wanted, FALLS * last.unfulfilled)
            made = np.stack([w.ravel() for w in found.whole])
            yield BoxLevel(found.system.space, made, error, found.steps, finer)
            if contradicted or (resolved and not error < least):
                return
            least = min(error, least)
            # Coefficients that were small enough for an error that is not have to be as much smaller.
            aim = min(wanted, wanted * wanted / error) if resolved else wanted
            needed = [max(degree_needed(line, aim), n) for line, n in zip(lines, degrees, strict=True)]
            if last is not None and _columns(steady, needed) > HOPELESS * MOST[d]:
                return
            behind = max(m / n for m, n in zip(needed, degrees, strict=True))
            degrees = [
                min(max(m, int(NEAREST * n)), int(FARTHEST[d] * n)) if m > n or behind == 1.0 else n
                for m, n in zip(needed, degrees, strict=True)
            ]
            last = found
    except (NotFiniteError, np.linalg.LinAlgError):
        return


def _columns(steady: Steady, degrees: Sequence[int]) -> int:
    return int(np.prod([2 * n + 1 if a in steady.periodic else n + 1 for a, n in enumerate(degrees)]))


def _sizes(whole: Sequence[np.ndarray]) -> np.ndarray:
    """The root mean square of each unknown, or a part of the largest."""
    sizes = np.array([float(np.linalg.norm(w)) for w in whole])
    return np.maximum(sizes, NEGLIGIBLE * sizes.max() or 1.0)


def _line(whole: Sequence[np.ndarray], sizes: np.ndarray, axis: int, periodic: bool) -> np.ndarray:
    """The sizes of coefficients along an axis, relative to the unknowns; of waves those of sine and cosine together."""
    squares = sum(((w / s) ** 2 for w, s in zip(whole, sizes, strict=True)), np.zeros(whole[0].shape))
    line = np.sqrt(squares.sum(axis=tuple(a for a in range(squares.ndim) if a != axis)))
    return np.append(line[0], np.hypot(line[1::2], line[2::2])) if periodic else line


def _finer(
    steady: Steady, faces: Sequence[BoxFace], numbers: Sequence[Any], found: BoxIterate, wanted: float
) -> BoxIterate | None:
    """A solution of slightly higher degree."""
    system = BoxEquations(steady, faces, [richer(n) for n in found.system.degrees], numbers)
    return newton_in_box(system, found, wanted, COMPARED)


def _distance(fine: BoxIterate, coarse: BoxIterate) -> float:
    """The largest distance of two solutions, relative to the unknown."""
    sizes = _sizes(fine.whole)
    before = [fine.system.padded(w) for w in coarse.whole]
    return max(float(np.linalg.norm(a - b)) / s for a, b, s in zip(fine.whole, before, sizes, strict=True))
