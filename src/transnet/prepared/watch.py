"""What is known of each solve of a prepared problem: the matrices that give residuals and errors are made once.

A new right-hand side costs a few products with small matrices: rows at points that were not fitted, the terms of each
equation at a few points, and the features where nested networks are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from scipy.linalg import lapack

from transnet.basis.basis import Basis
from transnet.geometry.sampling import spread
from transnet.judge.diagnose import held_out_blocks
from transnet.judge.estimate import error_estimate
from transnet.judge.stability import Stability, natural_amplification, stability
from transnet.linalg.nested import nested_solutions
from transnet.prepared.rights import right_of
from transnet.prepared.rows import Factored
from transnet.problem import Problem
from transnet.rows.assembly import write_block
from transnet.rows.blocks import Block

FRACTIONS = (0.7, 0.8, 0.9, 0.95)
"""The parts of the network whose solutions are compared with that of the whole."""
SAMPLE = 300
"""Points where they are compared."""
TERMS = 60
"""Points where the sizes of an equation's terms are measured."""


@dataclass(frozen=True, eq=False)
class Statistics:
    """For k solutions: rms, largest and relative residual of each statement, (statements, k), and the error, (1, k)."""

    rms: np.ndarray
    largest: np.ndarray
    relative: np.ndarray
    nested: np.ndarray
    error: np.ndarray


@dataclass(frozen=True, eq=False)
class Watch:
    """The matrices for one factorisation, that is for fixed values of the parameters in the operator."""

    problem: Problem
    factored: Factored
    parameters: tuple[float, ...]

    @property
    def basis(self) -> Basis:
        return self.factored.rows.basis

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.factored.rows.blocks

    # -- what does not change with the right-hand side ---------------------------------------------------------------
    @cached_property
    def fresh(self) -> list[Block]:
        """Blocks on points that were not fitted."""
        return held_out_blocks(self.problem, [b.statement for b in self.blocks])

    @cached_property
    def held_out(self) -> list[np.ndarray]:
        """Their transposed rows, (columns, rows), without weights."""
        return [self._rows(block) for block in self.fresh]

    def fitted_rows(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Some of the rows that were fitted, for a block of which only the values there are known, and which."""
        block = self.blocks[number]
        chosen = spread(block.rows, SAMPLE)
        return self._rows(block.part(chosen)), chosen

    @cached_property
    def terms(self) -> list[np.ndarray]:
        """For each block the rows of its single terms at a few points: (slots, columns, points)."""
        inside = self.fresh[0].points[:TERMS]
        found = []
        for block in self.fresh:
            factors = self._coefficients(block)
            sizes = [float(np.sqrt(np.mean(np.square(f)))) for f in factors]
            rows = np.zeros((len(block.slots), self.basis.columns, len(inside)))
            for j, ((unknown, index), size) in enumerate(zip(block.slots, sizes, strict=True)):
                self.basis.write(rows[j], inside, [(unknown, index)], [np.asarray(size)])
            found.append(rows)
        return found

    @cached_property
    def features(self) -> list[np.ndarray]:
        """The features of each unknown at a few points, (points, features)."""
        points = self.blocks[0].points
        return self.basis.features(points[spread(len(points), SAMPLE)])

    @cached_property
    def orthogonal(self) -> list[np.ndarray]:
        """Those of the orthonormal columns of Q instead, F R^-1 for each unknown: (points, columns).

        With them the parts of the network need no back substitutions of their own: what a smaller one lacks of the
        whole is the sum over the columns that it does not have.
        """
        found = []
        for u, features in enumerate(self.features):
            rows = np.zeros((self.basis.columns, len(features)), order="F")
            rows[self.basis.slice_of(u)] = features.T
            found.append(np.asfortranarray(lapack.dtrtrs(self.factored.triangle, rows, trans=1, overwrite_b=1)[0].T))
        return found

    @cached_property
    def stability(self) -> Stability:
        factors = [self._coefficients(b) for b in self.blocks]
        natural = natural_amplification(self.basis, self.blocks, self.factored.weights, factors)
        return stability(self.factored.triangle, self.basis, self.blocks[0].points, natural)

    # -- what does ----------------------------------------------------------------------------------------------------
    def statistics(
        self,
        statements: Sequence[Block],
        coefficients: np.ndarray,
        right: np.ndarray,
        plain: bool,
        parameters: np.ndarray,
        values: dict[int, np.ndarray],
    ) -> Statistics:
        """Look at solutions (columns, k) of R a = right.

        Parameters
        ----------
        statements : sequence of Block
            Blocks with the statements whose right-hand sides were used.
        plain : bool
            Whether the solutions are R^-1 right, without any truncation.
        values : dict
            Right-hand sides that were given as arrays at the fitted points, by the number of their block.
        """
        found = [self._residual(i, statements[i], coefficients, parameters, values) for i in range(len(self.blocks))]
        rms, largest, relative = (np.array(column) for column in zip(*found, strict=True))
        nested, size = self._nested(coefficients, right, plain)
        return Statistics(rms, largest, relative, nested, self._error(rms, relative, nested, size)[None, :])

    def _residual(
        self, i: int, stated: Block, coefficients: np.ndarray, parameters: np.ndarray, values: dict[int, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if i in values:
            rows, chosen = self.fitted_rows(i)
            right = np.broadcast_to(values[i], (len(values[i]), coefficients.shape[1]))[chosen]
        else:
            rows, fresh = self.held_out[i], self.fresh[i]
            right = right_of(_restated(fresh, stated), parameters)
        residual = rows.T @ coefficients - right
        rms = _rms(residual)
        sizes = [_rms(t.T @ coefficients) for t in self.terms[i]]
        size = np.max([*sizes, _rms(right)], axis=0)
        return rms, np.abs(residual).max(axis=0), rms / np.where(size > 0, size, 1.0)

    @property
    def nested_columns(self) -> list[int]:
        """The leading columns that are the smaller networks."""
        return [self.basis.leading(fraction)[1] for fraction in FRACTIONS]

    def _nested(self, coefficients: np.ndarray, right: np.ndarray, plain: bool) -> tuple[np.ndarray, np.ndarray]:
        """The relative distances of the solutions of smaller networks, (fractions, k), and the sizes of the whole."""
        whole = [f @ coefficients[self.basis.slice_of(u)] for u, f in enumerate(self.features)]
        sizes = np.array([_rms(w) for w in whole])
        size = np.sqrt(np.sum(sizes**2, axis=0))
        missing = self._missing(right) if plain else self._missing_of(whole, right)
        if missing is None:
            return np.full((len(FRACTIONS), right.shape[1]), np.nan), size
        sizes = np.maximum(sizes, 1e-6 * sizes.max(axis=0))
        sizes[sizes == 0] = 1.0
        return np.max([np.array(list(map(_rms, lacks))) / sizes[u] for u, lacks in enumerate(missing)], axis=0), size

    def _missing(self, right: np.ndarray) -> list[list[np.ndarray]]:
        """For each unknown, what each smaller network lacks of the whole at the points: (points, k)."""
        edges = [*self.nested_columns, self.basis.columns]
        found = []
        for q in self.orthogonal:
            shares = [q[:, a:b] @ right[a:b] for a, b in pairwise(edges)]
            found.append(list(accumulate(reversed(shares)))[::-1])
        return found

    def _missing_of(self, whole: list[np.ndarray], right: np.ndarray) -> list[list[np.ndarray]] | None:
        """The same from solutions of the smaller networks, where columns that depend on each other need care."""
        parts = nested_solutions(self.factored.triangle, right, self.nested_columns)
        if parts is None:
            return None
        smaller = [f @ parts[self.basis.slice_of(u)] for u, f in enumerate(self.features)]
        return [[w - s for s in np.split(p, len(FRACTIONS), axis=1)] for w, p in zip(whole, smaller, strict=True)]

    def _error(self, rms: np.ndarray, relative: np.ndarray, nested: np.ndarray, size: np.ndarray) -> np.ndarray:
        """The estimated errors, as after a single solve."""
        scales = np.array([w * np.sqrt(b.rows) for w, b in zip(self.factored.weights, self.blocks, strict=True)])
        weighted = np.linalg.norm(scales[:, None] * rms, axis=0)
        bound = self.stability.amplification * weighted / np.where(size > 0, size, 1.0)
        stated = [i for i, b in enumerate(self.blocks) if b.statement.kind != "data"]
        unsatisfied = relative[stated].max(axis=0)
        neurons = [self.basis.leading(fraction)[0] for fraction in FRACTIONS]
        differences = [tuple(zip(neurons, column, strict=True)) for column in nested.T.tolist()]
        return np.array(list(map(error_estimate, differences, bound, unsatisfied)))

    # -- how -----------------------------------------------------------------------------------------------------------
    def _coefficients(self, block: Block) -> list[np.ndarray]:
        return block.statement.equation.jacobian(block.points, block.normals, self.parameters)

    def _rows(self, block: Block) -> np.ndarray:
        rows = np.empty((self.basis.columns, block.rows))
        write_block(rows, block, self.basis, self._coefficients(block))
        return rows


def _restated(block: Block, stated: Block) -> Block:
    """A block on fresh points with the statement, and the measured values, of another."""
    return Block(stated.statement, block.nodes, block.normals, stated.values)


def _rms(values: np.ndarray) -> Any:
    return np.sqrt(np.mean(np.square(values), axis=0))
