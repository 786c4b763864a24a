"""Boxes halved where their waves do not resolve the right-hand sides, each box by itself, before anything is glued.

If a box cannot represent f, no solution on it can satisfy the equation. The least-squares fit of L w = f by the waves
of one box needs no neighbours, and for constant coefficients one factorisation serves all boxes of a shape: a front is
found in a second where a dozen glued solutions, each cut a little further than the one before, take a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.errors import NotFiniteError
from transnet.features.space import FeatureSpace
from transnet.geometry.partition import shapes_of
from transnet.geometry.sampling import quasi
from transnet.lazy import linalg
from transnet.linalg import lapack
from transnet.linalg.sizes import rms
from transnet.pieces.boxes import Boxes
from transnet.pieces.cells import Density
from transnet.pieces.cut import FRESH, TRIES, inside_points
from transnet.pieces.first_boxes import halved_axes
from transnet.pieces.laws import Laws
from transnet.pieces.local import RANK, Frame, RowBlock, likeness
from transnet.pieces.system import bandwidth
from transnet.pieces.weights import scale_of
from transnet.rows.statements import Statement
from transnet.tolerances import ROUNDED

FOLLOWED = 1e-6
"""The residual of the right-hand sides, relative to the size of the solution, below which boxes are not cut: the error
of the solution is about as large."""
SHARE = 0.1
"""Boxes with more than this part of the largest one are cut together."""
NEAR = 0.2
"""The step of second differences, in units of the half width of a box."""
LOOKED = 100
"""Points of a box at which second differences are evaluated."""
ROUNDS = 16
"""The most times that boxes are halved."""

Factors = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(eq=False)
class Sources:
    """The right-hand sides of a linear problem, and boxes that are checked for resolving them."""

    laws: Laws
    space: FeatureSpace
    numbers: Sequence[Any]
    density: Density
    _factors: dict[bytes, Factors] = field(default_factory=dict)
    _known: dict[bytes, tuple[float, np.ndarray]] = field(default_factory=dict)

    def followed(self, boxes: Boxes, size: float, wanted: float, most: float) -> Boxes:
        """The boxes cut until they resolve them; `size` is that of the solution, `most` the most boxes."""
        known = self._known
        for _ in range(ROUNDS):
            keys = [low.tobytes() + high.tobytes() for low, high in zip(boxes.low, boxes.high, strict=True)]
            new = [k for k, key in enumerate(keys) if key not in known]
            known.update(zip((keys[k] for k in new), self._left(boxes, new), strict=True))
            left = np.array([known[key][0] for key in keys]) / size
            threshold = max(wanted, FOLLOWED, SHARE * float(left.max(initial=0.0)))
            marked = {}
            for k in np.flatnonzero(left > threshold).tolist():
                axes = halved_axes(boxes, k, known[keys[k]][1])
                if axes:
                    marked[k] = axes
            if not marked or len(boxes) + sum(2 ** len(a) - 1 for a in marked.values()) > most:
                break
            boxes = boxes.cut(marked)
        return boxes

    def _left(self, boxes: Boxes, new: Sequence[int]) -> list[tuple[float, np.ndarray]]:
        """The residual of the right-hand sides in some boxes, and their curvature along each axis."""
        d = boxes.low.shape[1]
        found = [(0.0, np.zeros(d)) for _ in new]
        some = Boxes(boxes.low[list(new)], boxes.high[list(new)])
        total = self.density.inside + self.density.inside // FRESH
        reference = quasi(TRIES * total, d, np.random.default_rng(0))
        for material, (_, shape) in enumerate(shapes_of(self.laws.problem.domain)):
            statements = self.laws.equations[material]
            for k, points in inside_points(shape, some, total, reference, {}):
                try:
                    here = self._fit(statements, some.low[k], some.high[k], points)
                except NotFiniteError:
                    continue
                if here[0] > found[k][0]:
                    found[k] = here
        return found

    def _fit(
        self, statements: Sequence[Statement], low: np.ndarray, high: np.ndarray, points: np.ndarray
    ) -> tuple[float, np.ndarray]:
        rights = [-s.equation.residual(points, None, self.numbers) for s in statements]
        half = 0.5 * (high - low)
        if all(np.ptp(r) <= ROUNDED * np.abs(r).max(initial=0.0) for r in rights):
            return 0.0, np.zeros(len(half))
        terms = [(s.equation.slots, s.equation.jacobian(points, None, self.numbers)) for s in statements]
        unknowns = len(self.laws.problem.unknowns)
        orders = [max((sum(i) for t, _ in terms for v, i in t if v == u), default=0) for u in range(unknowns)]
        scale = scale_of(bandwidth(self.space) / np.sqrt(3.0) / half, unknowns, terms, orders)
        frame = Frame(self.space, 0.5 * (low + high), half, scale.unknowns)
        fitted = len(points) - len(points) // (FRESH + 1)

        def blocks(part: slice) -> list[RowBlock]:
            at = points[part]
            return [
                RowBlock(at, slots, tuple(c if np.ndim(c) == 0 else c[part] for c in factors), weight, right[part])
                for (slots, factors), weight, right in zip(terms, scale.rows, rights, strict=True)
            ]

        used, fresh = blocks(slice(0, fitted)), blocks(slice(fitted, None))
        key = likeness(frame, used)
        if key not in self._factors:
            q, upper, pivots = linalg.qr(frame.rows(used), mode="economic", pivoting=True, check_finite=False)
            diagonal = np.abs(np.diag(upper))
            rank = int(np.count_nonzero(diagonal > RANK * diagonal[0]))
            self._factors[key] = q[:, :rank], upper[:rank, :rank].copy(order="F"), pivots[:rank]
        q, upper, pivots = self._factors[key]
        coefficients = np.zeros(frame.columns)
        coefficients[pivots] = lapack.dtrtrs(upper, q.T @ np.concatenate([b.weighted for b in used]))[0]
        coefficients = coefficients * np.repeat(scale.unknowns, self.space.size)
        over = [
            float(rms(b.weight * (f - b.right))) for b, f in zip(fresh, frame.applied(coefficients, fresh), strict=True)
        ]
        return max(over), self._curved(statements, low, high, points[:LOOKED])

    def _curved(
        self, statements: Sequence[Statement], low: np.ndarray, high: np.ndarray, points: np.ndarray
    ) -> np.ndarray:
        """The curvature of the right-hand sides along each axis: their second differences."""
        middle, step = 0.5 * (low + high), NEAR * 0.5 * (high - low)
        points = middle + (1 - NEAR) * (points - middle)
        found = np.zeros(len(low))
        for s in statements:
            here = s.equation.residual(points, None, self.numbers)
            for axis, along in enumerate(np.diag(step)):
                beside = [s.equation.residual(points + t * along, None, self.numbers) for t in (-1, 1)]
                found[axis] += float(np.linalg.norm(beside[0] - 2 * here + beside[1]))
        return found
