"""What the rows of all cells are assembled from: the cells, their scales, and the coefficients of the statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cuts.cells import Cells
from transnet.features.space import FeatureSpace
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.weights import Scale
from transnet.rows.equation import Equation

Labelled = list[tuple[str, RowBlock]]

State = Any
"""An iterate at which nonlinear statements are linearised, or None; it has `values(number, cell, points, slots)`."""


@dataclass(eq=False)
class Sheet:
    """The cells with their frames and scales, at one state of the unknowns.

    With a `share` s below one an equation F is replaced by s F(u) + (1 - s) (F(0) + F'(0) u), which is easier to solve.
    """

    laws: Laws
    cells: Cells
    space: FeatureSpace
    numbers: tuple[Any, ...]
    state: State
    share: float = 1.0
    frames: list[Frame] = field(default_factory=list)
    scales: list[Scale] = field(default_factory=list)

    @cached_property
    def materials(self) -> list[list[int]]:
        """The numbers of the cells of each material."""
        cells = self.cells.cells
        return [[k for k, c in enumerate(cells) if c.material == m] for m in range(len(self.laws.names))]

    def located(self, points: np.ndarray) -> np.ndarray:
        """The numbers of the cells that contain points."""
        from transnet.pieces.basis import PiecewiseBasis

        return PiecewiseBasis.of(self.cells, self.space, 1).locate(points)

    def linearised(
        self, equation: Equation, members: list[int], points: list[np.ndarray], normals: list[np.ndarray] | None
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        """Coefficients and right-hand side of an equation at the points of several cells, all at once."""
        slots = None
        if not equation.linear and self.state is not None:
            parts = [
                self.state.values(k, self.cells.cells[k], p, equation.slots)
                for k, p in zip(members, points, strict=True)
            ]
            slots = [np.concatenate([p[j] for p in parts]) for j in range(len(equation.slots))]
        return self._split(equation, points, normals, slots)

    def linearised_across(
        self, equation: Equation, members: list[int]
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        """The same for conditions across interfaces."""
        faces = [self.cells.faces[k] for k in members]
        count = len(self.laws.problem.unknowns)
        slots = None
        if not equation.linear and self.state is not None:
            columns = []
            for u, index in equation.slots:
                side = u // count
                owners = [f.second if side else f.first for f in faces]
                columns.append(
                    np.concatenate(
                        [
                            self.state.values(k, self.cells.cells[k], f.points, [(u - side * count, index)])[0]
                            for k, f in zip(owners, faces, strict=True)
                        ]
                    )
                )
            slots = columns
        return self._split(equation, [f.points for f in faces], [f.normals for f in faces], slots)

    def _split(
        self,
        equation: Equation,
        points: list[np.ndarray],
        normals: list[np.ndarray] | None,
        slots: list[np.ndarray] | None,
    ) -> list[tuple[tuple[np.ndarray, ...], np.ndarray]]:
        at = np.concatenate(points)
        n = None if normals is None else np.concatenate(normals)
        coefficients = equation.jacobian(at, n, self.numbers, slots)
        right = -equation.residual(at, n, self.numbers, slots)
        if slots is not None:
            right = right + sum(c * s for c, s in zip(coefficients, slots, strict=True))
            if self.share < 1.0:
                least = equation.jacobian(at, n, self.numbers, None)
                coefficients = [self.share * c + (1 - self.share) * e for c, e in zip(coefficients, least, strict=True)]
                right = self.share * right - (1 - self.share) * equation.residual(at, n, self.numbers, None)
        ends = np.cumsum([len(p) for p in points])
        found = []
        for start, stop in zip([0, *ends[:-1]], ends, strict=True):
            mine = tuple(c if np.ndim(c) == 0 else c[start:stop] for c in coefficients)
            found.append((mine, right[start:stop]))
        return found
