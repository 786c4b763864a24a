"""A body drawn as it is deformed: every point moved by a displacement, enlarged so that it can be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.sections.section import Section, embedded
from transnet.sections.simplices import Simplices
from transnet.solution.quantities import Quantity, quantities_of

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

SAME = 1e-3
"""Factors that agree to this part count as equal."""
GOOD = (1, 2, 5)
"""Factors that read well, times a power of ten."""
SEEN = 0.1
"""The largest displacement that is drawn, as a part of the body, unless a factor is given."""


@dataclass(frozen=True, eq=False)
class Deformation:
    """The two components of a displacement, and the factor that they are drawn with."""

    components: list[Quantity]
    factor: float

    @classmethod
    def of(cls, solution: Solution, cuts: list[Section], displacement: Any, factor: float | None) -> Deformation:
        """The deformation that a user named: a vector unknown by name or as a vector, or two expressions."""
        vector = solution.groups.get(displacement) if isinstance(displacement, str) else displacement
        if not isinstance(vector, list | tuple | sp.MatrixBase) or len(vector) != 2:
            raise ProblemError(
                f"deformed is a displacement in the plane, a vector such as u, not {shown(displacement)}."
            )
        space = [k for k, c in enumerate(solution.problem.coordinates) if c.name != "t"]
        if any(list(cut.axes) != space for cut in cuts):
            raise ProblemError("A deformed shape is drawn for a body in the plane.")
        made = cls(quantities_of(solution, list(vector)), 1.0)
        if factor is None:
            largest = max(float(np.abs(made._moves(cut, cut.points)).max()) for cut in cuts)
            extent = float(np.ptp(cuts[0].cells.points, axis=0).max())
            factor = _round(SEEN * extent / largest) if largest > 0 else 1.0
        return replace(made, factor=float(factor))

    @property
    def title(self) -> str:
        """What the picture says of the factor."""
        return f"displacements × {self.factor:g}"

    def _moves(self, cut: Section, points: np.ndarray) -> np.ndarray:
        return np.column_stack([component.values(points) for component in self.components])

    def applied(self, cut: Section) -> Section:
        """The section with its points and its edge moved."""
        cells = Simplices(cut.cells.points + self.factor * self._moves(cut, cut.points), cut.cells.corners)
        lines = [
            line + self.factor * self._moves(cut, embedded(np.asarray(line), cut.axes, cut.fixed)) for line in cut.lines
        ]
        return replace(cut, cells=cells, lines=lines, within=cut.points[:, list(cut.axes)])


def _round(factor: float) -> float:
    """The next smaller number that reads well: 1, 2 or 5 times a power of ten."""
    decade = 10.0 ** np.floor(np.log10(factor) + SAME)
    return float(decade * max(m for m in GOOD if m * decade <= factor * (1 + 3 * SAME)))
