"""Places where boundary values jump: no network has such values; boxes are halved towards them and left there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.checks.places import clashes
from transnet.errors import AccuracyWarning, Message
from transnet.geometry.partition import Pieces
from transnet.pieces.boxes import Boxes
from transnet.pieces.cells import Cells
from transnet.pieces.indicate import Indicated
from transnet.pieces.plan import halved_towards
from transnet.problem import Problem
from transnet.rows.statements import statements_of

TIMES, AGAIN = 8, 2
"""How often boxes are halved towards a jump at first, and then with every cut: what is wrong at it is felt elsewhere in
proportion to the width of the last ones, so that each cut makes it four times smaller."""
FELT = 1 / 3
"""What is left of that part of the error, as a part of the change from the last cut."""
WIDTHS = 3.0
"""Cells within so many widths of the smallest are left as they are, however much they violate."""
NEAR = 0.02
"""The part of the domain's extent around a jump that the estimated error does not count."""
AIM = 1e-3
"""What a plain solve aims at beside jumps."""


@dataclass(frozen=True, eq=False)
class Jumps:
    """Where boundary values jump, (m, d), and what is to be told of it."""

    places: np.ndarray
    messages: tuple[Message, ...] = ()

    def __bool__(self) -> bool:
        return len(self.places) > 0

    def graded(self, boxes: Boxes, times: int = TIMES) -> Boxes:
        """Boxes halved towards the jumps."""
        return halved_towards(boxes, self.places, times) if self else boxes

    def left_alone(self, cells: Cells, found: Indicated) -> Indicated:
        """What a solution violates, without the cells at jumps, which cannot do better."""
        if not self:
            return found
        reach = WIDTHS * np.array([self._smallest(cells, place) for place in self.places])
        kept = np.all(self.distances(cells) > reach, axis=1)
        return replace(found, cells=np.where(kept, found.cells, 0.0)) if kept.any() else found

    def counted(self, cells: Cells) -> np.ndarray:
        """The cells that the estimated error counts."""
        if not self:
            return np.ones(len(cells.cells), dtype=bool)
        near = NEAR * float(np.ptp(cells.boxes.bounds, axis=0).max())
        return np.all(self.distances(cells) > near, axis=1)

    def distances(self, cells: Cells) -> np.ndarray:
        """How far the centre of each cell is from each jump."""
        centres = np.array([c.centre for c in cells.cells])
        return np.linalg.norm(centres[:, None, :] - self.places[None], axis=2)

    @staticmethod
    def _smallest(cells: Cells, place: np.ndarray) -> float:
        return float(cells.boxes.widths[cells.boxes.locate(place[None])[0]].max())


def jumps_of(problem: Problem, numbers: Sequence[Any]) -> Jumps:
    """The jumps of the boundary values of a problem in the plane."""
    none = Jumps(np.zeros((0, problem.domain.dimension)))
    if problem.domain.dimension != 2 or isinstance(problem.domain, Pieces):
        return none
    found = clashes(problem, statements_of(problem), tuple(numbers))
    if not found:
        return none
    near = 1e-6 * float(np.ptp(problem.domain.bounds, axis=0).max())
    places: list[np.ndarray] = []
    for _, place in found:
        if all(np.linalg.norm(place - p) > near for p in places):
            places.append(place)
    where = "; ".join(f"({', '.join(f'{c:.4g}' for c in p)})" for p in places)
    radius = NEAR * float(np.ptp(problem.domain.bounds, axis=0).max())
    text = (
        f"Boundary values jump at {where}: {found[0][0].text} Pieces are halved towards the jumps, and the estimated "
        f"error is that of what is further than {radius:.2g} away from them; a pressure or a flux is unbounded there."
    )
    return Jumps(np.array(places), (Message(AccuracyWarning, text),))
