"""The judge: residuals at points that were not fitted, stability and the estimated error, for k solutions at once.

A single solve is k = 1. If many right-hand sides follow one another (`keep`), the matrices that give values at the
held-out points are computed once, and a new solution costs a few products with them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Slot
from transnet.counts import SAMPLE
from transnet.errors import NotFiniteError
from transnet.judge.estimate import FRACTIONS, distances, error_estimate, missing_of
from transnet.judge.judgement import Judgement, held_out_blocks
from transnet.judge.stability import Stability, natural_amplification, stability_of
from transnet.linalg import lapack
from transnet.linalg.sizes import each_rms
from transnet.measure.sampling import spread
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.nodes import Evaluate
from transnet.rows.rights import constants_of, right_of

INSIDE = 60
"""Interior points at which a term that vanishes on the boundary is measured; its size is needed to ten per cent."""

Sizes = Mapping[Slot, np.ndarray]
"""The root mean squares of slots inside the domain, (k,) each."""


@dataclass(frozen=True, eq=False)
class Judge:
    """Judges solutions with the features of a basis.

    Parameters
    ----------
    blocks : sequence of Block
        What was fitted, with its weights.
    parameters : sequence
        The values of the problem's parameters; those in the operator are the same for all solutions.
    triangle : (n, n) array, optional
        R of the weighted rows; without it only residuals are computed.
    keep : bool
        Whether many right-hand sides will come, for which matrices are kept.
    """

    problem: Problem
    basis: Basis
    blocks: Sequence[Block]
    weights: Sequence[float]
    parameters: tuple[Any, ...]
    triangle: np.ndarray | None = None
    keep: bool = False

    # -- what does not change with the right-hand side ---------------------------------------------------------------
    @cached_property
    def fresh(self) -> list[Block]:
        """The statements at points that were not fitted."""
        return held_out_blocks(self.problem, [b.statement for b in self.blocks])

    @cached_property
    def inside(self) -> np.ndarray:
        return self.fresh[0].points[:INSIDE]

    @cached_property
    def _slots(self) -> list[Slot]:
        """The derivatives that occur in any of the statements."""
        return list(dict.fromkeys(slot for block in self.blocks for slot in block.slots))

    @cached_property
    def features(self) -> list[np.ndarray]:
        """The features of each unknown at the points where solutions are compared, (points, features)."""
        points = self.blocks[0].points
        return self.basis.features(points[spread(len(points), SAMPLE)])

    @cached_property
    def orthogonal(self) -> list[np.ndarray]:
        """The same for the orthonormal columns of Q, F R^-1 for each unknown: (points, columns).

        With them parts of the network need no back substitution: the difference between a smaller network and the whole
        is the sum over the columns that it lacks.
        """
        found = []
        for u, features in enumerate(self.features):
            rows = np.zeros((self.basis.columns, len(features)), order="F")
            rows[self.basis.slice_of(u)] = features.T
            found.append(np.asfortranarray(lapack.dtrtrs(self.triangle, rows, trans=1, overwrite_b=1)[0].T))
        return found

    @cached_property
    def _matrices(self) -> dict[tuple[int, Slot], tuple[np.ndarray, np.ndarray]]:
        """The transposed rows of slots at points, and the points, which must live as long as their id."""
        return {}

    @cached_property
    def _parts(self) -> dict[int, Block]:
        """Some of the fitted rows, for blocks whose values are known only there."""
        return {}

    def stability(self, coefficients: np.ndarray | None = None) -> Stability:
        """How well the rows determine functions; for a nonlinear problem the rows are those at the solution."""
        assert self.triangle is not None
        factors = []
        for block in self.blocks:
            state = None if block.statement.equation.linear else block.state(self.basis, _one(coefficients))
            factors.append(block.statement.equation.jacobian(block.points, block.normals, self.parameters, state))
        natural = natural_amplification(self.basis, self.blocks, self.weights, factors)
        values = [f / np.sqrt(len(f)) for f in self.features]
        return stability_of(self.triangle, values, [self.basis.slice_of(u) for u in range(len(values))], natural)

    # -- what does ----------------------------------------------------------------------------------------------------
    def look(
        self,
        coefficients: np.ndarray,
        right: np.ndarray,
        amplification: float,
        plain: bool = False,
        stated: Sequence[Block] | None = None,
        table: np.ndarray | None = None,
        values: Mapping[int, np.ndarray] | None = None,
    ) -> Judgement:
        """Judge solutions (columns, k) of R a = right.

        Parameters
        ----------
        amplification : float
            From `stability`.
        plain : bool
            Whether the solutions are R^-1 right, without any truncation.
        stated : sequence of Block, optional
            Blocks with the statements whose right-hand sides were used, if not those that were fitted.
        table : (k, p) array, optional
            The parameters of each solution.
        values : mapping, optional
            Right-hand sides that were given as arrays at the fitted points, by the number of their block.
        """
        rms, largest, relative = self.residuals(coefficients, stated, table, values)
        whole = [f @ coefficients[self.basis.slice_of(u)] for u, f in enumerate(self.features)]
        size = np.sqrt(len(whole)) * each_rms(np.array([each_rms(w) for w in whole]))
        missing = self._missing(right) if plain and self.keep else self._missing_of(whole, right)
        nested = np.full((len(FRACTIONS), right.shape[1]), np.nan) if missing is None else distances(whole, missing)
        scales = np.array([w * np.sqrt(b.rows) for w, b in zip(self.weights, self.blocks, strict=True)])
        bound = amplification * np.linalg.norm(scales[:, None] * rms, axis=0) / np.where(size > 0, size, 1.0)
        # Data are fitted, not satisfied; any other statement that does not hold means that nothing is solved.
        unsatisfied = relative[[b.statement.kind != "data" for b in self.blocks]].max(axis=0)
        judgement = Judgement(rms, largest, relative, nested, np.empty(len(size)))
        linear = all(b.statement.equation.linear for b in self.blocks)
        for i in range(len(size)):
            judgement.error[i] = error_estimate(judgement.differences(i, self.basis), bound[i], unsatisfied[i], linear)
        return judgement

    def residuals(
        self,
        coefficients: np.ndarray,
        stated: Sequence[Block] | None = None,
        table: np.ndarray | None = None,
        values: Mapping[int, np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Root mean square, largest and relative residual of each statement: (statements, k) each."""
        table = np.array([self.parameters], dtype=float) if table is None else table
        evaluate = self._evaluate(coefficients)
        inside = dict(zip(self._slots, map(each_rms, evaluate(self.inside, self._slots)), strict=True))
        found = []
        for i, block in enumerate(self.blocks if stated is None else stated):
            fresh = self.fresh[i]
            if values is not None and i in values:
                chosen = spread(block.rows, SAMPLE)
                given = np.broadcast_to(values[i], (block.rows, coefficients.shape[1]))[chosen]
                part = self._parts.setdefault(i, self.blocks[i].part(chosen))
                found.append(self._residual(part, evaluate, inside, given, given))
            elif block.statement.equation.linear:
                restated = Block(block.statement, fresh.nodes, fresh.normals, block.values)
                constant = constants_of(restated, table)
                right = right_of(restated, table, constant)
                found.append(self._residual(restated, evaluate, inside, constant, right))
            else:
                found.append(self._nonlinear(fresh, evaluate, inside))
        rms, largest, relative = (np.array(column) for column in zip(*found, strict=True))
        return rms, largest, relative

    def _residual(
        self, block: Block, evaluate: Evaluate, inside: Sizes, constant: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The residual of a linear statement: the sum of its terms minus the right-hand side."""
        factors = self._coefficients(block)
        here = evaluate(block.points, block.slots)
        state = block.nodes.state(evaluate, block.slots, here)
        total = np.sum([f * s for f, s in zip(factors, state, strict=True)], axis=0)
        return self._measured(block.nodes.folded(total) - right, block, factors, here, inside, [constant])

    def _nonlinear(self, block: Block, evaluate: Evaluate, inside: Sizes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The residual of a nonlinear statement, for one solution."""
        here = evaluate(block.points, block.slots)
        state = [s[:, 0] for s in block.nodes.state(evaluate, block.slots, here)]
        equation, where = block.statement.equation, (block.points, block.normals, self.parameters)
        try:
            value = block.residual(state, self.parameters)[:, None]
        except NotFiniteError:
            # A formula may be undefined for an iterate that is slightly off between the fitted points,
            return (np.array([np.inf]),) * 3
        factors = [_column(f) for f in equation.jacobian(*where, [s[:, 0] for s in here])]
        constant: list[np.ndarray] = []
        with contextlib.suppress(NotFiniteError):  # or where the unknowns are zero
            constant.append(equation.residual(*where)[:, None])
        return self._measured(value, block, factors, here, inside, constant)

    def _measured(
        self,
        residual: np.ndarray,
        block: Block,
        factors: Sequence[np.ndarray],
        here: Sequence[np.ndarray],
        inside: Sizes,
        constant: Sequence[np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A residual, its largest value, and its size relative to the largest term of the linearised statement.

        A term that vanishes on the boundary is measured by its size inside.
        """
        rms = each_rms(residual)
        sizes = [each_rms(f * s) for f, s in zip(factors, here, strict=True)] + [each_rms(c) for c in constant]
        sizes += [each_rms(f) * inside[slot] for f, slot in zip(factors, block.slots, strict=True)]
        size = np.max(np.broadcast_arrays(rms, *sizes)[1:], axis=0)
        relative = np.where(size > 0, rms / np.where(size > 0, size, 1.0), rms > 0)
        return rms, np.abs(residual).max(axis=0), relative

    # -- smaller networks ----------------------------------------------------------------------------------------------
    def _missing(self, right: np.ndarray) -> list[list[np.ndarray]]:
        """For each unknown the difference between each smaller network and the whole at the points: (points, k)."""
        edges = [*(self.basis.leading(fraction)[1] for fraction in FRACTIONS), self.basis.columns]
        found = []
        for q in self.orthogonal:
            shares = [q[:, a:b] @ right[a:b] for a, b in pairwise(edges)]
            found.append(list(accumulate(reversed(shares)))[::-1])
        return found

    def _missing_of(self, whole: Sequence[np.ndarray], right: np.ndarray) -> list[list[np.ndarray]] | None:
        """The same from solutions of the smaller networks, where dependent columns need care."""
        assert self.triangle is not None
        return missing_of(self.triangle, right, self.basis, self.features, whole)

    # -- values --------------------------------------------------------------------------------------------------------
    def _evaluate(self, coefficients: np.ndarray) -> Evaluate:
        """D^k u at points, (n, k) for each slot."""
        if not self.keep:
            first, slots = self.fresh[0].points, self._slots
            known = dict(zip(slots, self.basis.derivatives(coefficients, first, slots), strict=True))

            def derivatives(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
                if points is first or points is self.inside:
                    return [known[slot][: len(points)] for slot in slots]
                return self.basis.derivatives(coefficients, points, slots)

            return derivatives

        def evaluate(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
            return [self._matrix(points, slot).T @ coefficients for slot in slots]

        return evaluate

    def _matrix(self, points: np.ndarray, slot: Slot) -> np.ndarray:
        key = (id(points), slot)
        if key not in self._matrices:
            rows = np.empty((self.basis.columns, len(points)))
            self.basis.write(rows, points, [slot], [np.ones(())])
            self._matrices[key] = rows, points
        return self._matrices[key][0]

    def _coefficients(self, block: Block) -> list[np.ndarray]:
        """The coefficients of a linear statement, as columns."""
        made = block.statement.equation.jacobian(block.points, block.normals, self.parameters)
        return [_column(f) for f in made]


def _one(coefficients: np.ndarray | None) -> np.ndarray:
    assert coefficients is not None
    return coefficients[:, 0]


def _column(values: np.ndarray) -> np.ndarray:
    return np.asarray(values)[..., None] if np.ndim(values) else np.asarray(values)[None, None]
