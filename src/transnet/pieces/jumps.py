"""Places that no network resolves: boxes are halved towards them and left there.

Boundary values jump, or a flow turns around an inner corner, where its pressure grows like r^-0.46.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.checks.places import clashes
from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cells
from transnet.cuts.first_boxes import halved_towards
from transnet.errors import AccuracyWarning, Message
from transnet.geometry.partition import Pieces
from transnet.pieces.fluxes import orders_of
from transnet.pieces.indicate import Indicated
from transnet.problem import Problem, expressions_of
from transnet.rows.statements import statements_of
from transnet.tolerances import BESIDE

TIMES, AGAIN = 8, 2
"""How often boxes are halved towards a jump at first, and then with every cut: the error at a jump affects the rest in
proportion to the width of the last boxes, so each cut makes it four times smaller."""
AROUND = 5
"""The same towards an inner corner, whose velocity is continuous."""
NARROWEST = 2.0**-17
"""Boxes at a jump are not halved below this part of the extent: in the cavity at a Reynolds number of 1000 solutions on
narrower ones changed by a third from cut to cut: pressures like 1 / r are millions of times those elsewhere."""
FELT = 1 / 3
"""The remaining part of that error, relative to the change from the last cut."""
WIDTHS = 3.0
"""Cells within this many widths of the smallest are left alone, however large their residual."""
NEAR = 0.02
"""The part of the domain's extent around a jump that the estimated error does not cover."""
AIM = 1e-3
"""What a plain solve aims at beside jumps."""


@dataclass(frozen=True, eq=False)
class Jumps:
    """Where boundary values jump, (m, d), and the messages about it."""

    places: np.ndarray
    messages: tuple[Message, ...] = ()
    times: int = TIMES

    def __bool__(self) -> bool:
        return len(self.places) > 0

    @property
    def of_values(self) -> bool:
        """Whether values jump, rather than only a flow turning around a corner."""
        return bool(self) and self.times == TIMES

    def graded(self, boxes: Boxes, times: int | None = None) -> Boxes:
        """Boxes halved towards the jumps, as far as that helps."""
        if not self:
            return boxes
        narrowest = NARROWEST * float(np.ptp(boxes.bounds, axis=0).max())
        widths = boxes.widths[boxes.locate(self.places)].max(axis=1)
        left = int(np.log2(widths.max() / narrowest))
        return halved_towards(boxes, self.places, min(left, self.times if times is None else times))

    def left_alone(self, cells: Cells, found: Indicated) -> Indicated:
        """The indicators without those of the cells at jumps, which cannot do better."""
        if not self:
            return found
        reach = WIDTHS * np.array([self._smallest(cells, place) for place in self.places])
        kept = np.all(self.distances(cells) > reach, axis=1)
        return replace(found, cells=np.where(kept, found.cells, 0.0)) if kept.any() else found

    def counted(self, cells: Cells) -> np.ndarray:
        """The cells that the estimated error covers."""
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
    """The jumps of the boundary values of a problem in the plane, and the inner corners of a flow."""
    none = Jumps(np.zeros((0, problem.domain.dimension)))
    if problem.domain.dimension != 2 or isinstance(problem.domain, Pieces):
        return none
    found = clashes(problem, statements_of(problem), tuple(numbers))
    jumping = _apart(problem, [place for _, place in found])
    corners = inner_corners(problem) if is_flow(problem) else []
    places = _apart(problem, [*jumping, *corners])
    if not places:
        return none
    radius = NEAR * float(np.ptp(problem.domain.bounds, axis=0).max())
    away = f"the estimated error covers only what is further than {radius:.2g} from"
    messages = []
    if jumping:
        text = (
            f"Boundary values jump at {_written(jumping)}: {found[0][0].text} Pieces are halved towards the jumps, and "
            f"{away} them; a pressure or a flux is unbounded there."
        )
        messages.append(Message(AccuracyWarning, text))
    if corners:
        text = (
            f"The flow turns around corners at {_written(corners)}, where its pressure is unbounded. Pieces are halved "
            f"towards them, and {away} them."
        )
        messages.append(Message(AccuracyWarning, text))
    return Jumps(np.array(places), tuple(messages), TIMES if jumping else AROUND)


def is_flow(problem: Problem) -> bool:
    """Whether an unknown has derivatives of lower order than others, as the pressure beside velocities."""
    parts = [e for equation in problem.equations for e in expressions_of(equation)]
    orders = orders_of(parts, problem.coordinates).values()
    return len(problem.unknowns) > 1 and len(set(orders)) > 1 and max(orders) > 1


def inner_corners(problem: Problem) -> list[np.ndarray]:
    """The reentrant corners of a plane domain."""
    corners = problem.domain.corners_and_holes[0]
    return [corner.point for corner in corners if corner.opening() > np.pi and not corner.flat]


def _apart(problem: Problem, found: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Places without those that are already listed."""
    near = BESIDE * float(np.ptp(problem.domain.bounds, axis=0).max())
    places: list[np.ndarray] = []
    for place in found:
        if all(np.linalg.norm(place - p) > near for p in places):
            places.append(place)
    return places


def _written(places: Sequence[np.ndarray]) -> str:
    return "; ".join(f"({', '.join(f'{c:.4g}' for c in p)})" for p in places)
