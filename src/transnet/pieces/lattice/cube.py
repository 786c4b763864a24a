"""The one cell of a regular grid: its rows and traces, reduced once for all boxes.

Conditions are rows of the glue here, not of the cell, so that boxes at the boundary are like those inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.features.space import FeatureSpace
from transnet.geometry.rules import gauss, tensor
from transnet.geometry.sampling import quasi
from transnet.lazy import linalg
from transnet.pieces.lattice.law import Law, Side, slots_along
from transnet.pieces.local import Frame, Reduced, RowBlock, reduce_cell
from transnet.pieces.weights import Scale, scale_of

LOOKED_AT = 40
"""Points of each cell at which the equations are judged after the fit."""
INSIDE = 2.0
"""Points inside a cell for each of its features."""


@dataclass(frozen=True, eq=False)
class Trace:
    """The rows of one derivative on one side of a cell: `rows` of all traces, with their weight.

    `honest` is the weight with which a jump is judged: derivatives count less if convection is not resolved.
    """

    unknown: int
    order: int
    rows: slice
    weight: float
    honest: float


@dataclass(frozen=True, eq=False)
class Cube:
    """A cell of half widths `half` around zero.

    Parameters
    ----------
    frame : Frame
    scale : Scale
    inside, fresh : (m, d) arrays
        Points to fit, and to judge by.
    faces : dict of (m, d) arrays
        Points of each side.
    traces : dict of tuples of Trace
        The traces of the cell on each side.
    reduced : Reduced
    """

    law: Law
    frame: Frame
    scale: Scale
    inside: np.ndarray
    fresh: np.ndarray
    faces: dict[Side, np.ndarray]
    traces: dict[Side, tuple[Trace, ...]]
    reduced: Reduced

    @property
    def kept(self) -> int:
        return self.reduced.triangle.shape[1]

    def span(self, side: Side) -> slice:
        """All rows of a side."""
        mine = self.traces[side]
        return slice(mine[0].rows.start, mine[-1].rows.stop) if mine else slice(0, 0)

    @cached_property
    def weights(self) -> np.ndarray:
        """The weights of the equations' rows: (equations,)."""
        return self.scale.rows * np.sqrt(self.scale.stiffness / len(self.inside))

    def rows(self, points: np.ndarray) -> list[np.ndarray]:
        """The equations at points around zero, unweighted: one matrix each."""
        blocks = [
            RowBlock(points, s.equation.slots, c, 1.0, np.zeros(len(points)))
            for s, c in zip(self.law.equations, self.law.coefficients, strict=True)
        ]
        return np.split(self.frame.rows(blocks), len(blocks))

    def back(self, kept: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """The coefficients of cells, (cells, columns), from those of the kept and of the fixed directions."""
        r = self.reduced
        w = kept @ r.kept_directions.T + fixed @ r.fixed_directions.T
        result = np.zeros((len(w), len(r.pivots)))
        result[:, r.pivots[: w.shape[1]]] = linalg.solve_triangular(r.upper, w.T, check_finite=False).T
        return result


def made_cube(law: Law, half: np.ndarray, space: FeatureSpace, face: int) -> Cube:
    """The cell of a grid, with `face` points along each axis of a face, reduced."""
    d, unknowns = len(half), len(law.problem.unknowns)
    kappa = np.abs(space.weights).max(axis=0) / np.sqrt(3.0)
    pairs = [(s.equation.slots, c) for s, c in zip(law.equations, law.coefficients, strict=True)]
    scale = scale_of(kappa / half, unknowns, pairs, [max(o) for o in law.orders])
    frame = Frame(space, np.zeros(d), half, scale.unknowns)
    count = int(INSIDE * space.neurons)
    inside, fresh = (half * (2 * quasi(m, d, np.random.default_rng(m)) - 1) for m in (count, LOOKED_AT))
    faces, traces, blocks = _traces(law, frame, scale, face)
    energy = np.sqrt(scale.stiffness)
    local = [
        RowBlock(inside, slots, c, scale.rows[i] * energy / np.sqrt(count), np.zeros(count))
        for i, (slots, c) in enumerate(pairs)
    ]
    rows = frame.rows([*local, *blocks])
    own = count * len(local)
    return Cube(law, frame, scale, inside, fresh, faces, traces, reduce_cell(rows[:own], rows[own:]))


def _traces(
    law: Law, frame: Frame, scale: Scale, face: int
) -> tuple[dict[Side, np.ndarray], dict[Side, tuple[Trace, ...]], Sequence[RowBlock]]:
    d = len(frame.half)
    nodes = tensor(*[(2 * gauss(face)[0][:, None] - 1, np.ones(face))] * (d - 1))[0]
    energy = np.sqrt(scale.stiffness)
    faces: dict[Side, np.ndarray] = {}
    traces: dict[Side, tuple[Trace, ...]] = {}
    blocks: list[RowBlock] = []
    start = 0
    for axis in range(d):
        for end in (0, 1):
            points = np.empty((len(nodes), d))
            others = [j for j in range(d) if j != axis]
            points[:, others] = nodes * frame.half[others]
            points[:, axis] = (2 * end - 1) * frame.half[axis]
            faces[axis, end] = points
            made = []
            for u, along in enumerate(law.orders):
                for order in range(along[axis]):
                    honest = energy / (scale.unknowns[u] * scale.kappa[axis] ** order * np.sqrt(len(points)))
                    weight = float(honest * (scale.diffusive if order else 1.0))
                    slots = slots_along(u, order, axis, d)
                    blocks.append(RowBlock(points, slots, (np.array(1.0),), weight, np.zeros(len(points))))
                    made.append(Trace(u, order, slice(start, start + len(points)), weight, float(honest)))
                    start += len(points)
            traces[axis, end] = tuple(made)
    return faces, traces, blocks
