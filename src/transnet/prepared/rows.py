"""The rows of a prepared problem for any values of the parameters in its operator; only what changes is assembled
again.

Blocks without such parameters are assembled and factored once; their triangle represents them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.linalg.triangle import Triangle
from transnet.rows.assembly import weight_of, write_block
from transnet.rows.blocks import Block
from transnet.rows.rights import operator_parameters


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of a problem with these parameters."""

    blocks: tuple[Block, ...]
    basis: Basis
    parameters: tuple[sp.Symbol, ...]

    @cached_property
    def operator_parameters(self) -> tuple[sp.Symbol, ...]:
        """The parameters that occur in an operator: new values need a new factorisation."""
        found = set().union(*(operator_parameters(b.statement.equation, self.parameters) for b in self.blocks))
        return tuple(p for p in self.parameters if p in found)

    @cached_property
    def changing(self) -> tuple[int, ...]:
        """The blocks whose rows depend on parameters."""
        return tuple(i for i, b in enumerate(self.blocks) if operator_parameters(b.statement.equation, self.parameters))

    @cached_property
    def constant(self) -> tuple[int, ...]:
        """The blocks whose rows do not."""
        return tuple(i for i in range(len(self.blocks)) if i not in self.changing)

    @cached_property
    def fixed(self) -> tuple[Triangle | None, dict[int, float]]:
        """The constant rows, factored if there are more of them than columns, and the weights of their blocks."""
        weights: dict[int, float] = {}
        if not self.constant:
            return None, weights
        transposed = np.empty((self.basis.columns, sum(self.blocks[i].rows for i in self.constant)))
        start = 0
        for i in self.constant:
            start = self._write(i, transposed, start, (), weights)
        matrix = transposed.T
        reduces = matrix.shape[0] > matrix.shape[1] or not self.changing
        whole = Triangle.of(matrix, keep=True) if reduces else Triangle(matrix, len(matrix), reduced=False)
        return whole, weights

    def factored(self, parameters: Sequence[float]) -> FactoredRows:
        """The factorisation for values of all parameters."""
        fixed, weights = self.fixed
        weights = dict(weights)
        if not self.changing:
            assert fixed is not None
            return FactoredRows(self, weights, fixed)
        above = None if fixed is None else fixed.array
        top = 0 if above is None else len(above)
        transposed = np.empty((self.basis.columns, top + sum(self.blocks[i].rows for i in self.changing)))
        if above is not None:
            transposed[:, :top] = above.T
        start = top
        for i in self.changing:
            start = self._write(i, transposed, start, parameters, weights)
        return FactoredRows(self, weights, Triangle.of(transposed.T, keep=True), fixed)

    def _write(
        self, i: int, out: np.ndarray, start: int, parameters: Sequence[float], weights: dict[int, float]
    ) -> int:
        block = self.blocks[i]
        numbers = parameters or [0.0] * len(self.parameters)
        coefficients = block.statement.equation.jacobian(block.points, block.normals, numbers)
        weights[i] = weight_of(block, self.basis, coefficients)
        write_block(out[:, start : start + block.rows], block, self.basis, coefficients, weights[i])
        return start + block.rows


@dataclass(frozen=True, eq=False)
class FactoredRows:
    """Weighted rows, factored: they rotate new right-hand sides."""

    rows: Rows
    by_block: dict[int, float]
    factorisation: Triangle
    fixed: Triangle | None = None

    @property
    def weights(self) -> tuple[float, ...]:
        return tuple(self.by_block[i] for i in range(len(self.rows.blocks)))

    @property
    def triangle(self) -> np.ndarray:
        return self.factorisation.array

    def rotated(self, rights: Sequence[np.ndarray], rest: bool = False) -> tuple[np.ndarray, np.ndarray | None]:
        """Q^T b for right-hand sides (rows, k) of each block: c of R a = c; on request the norms of what cannot be
        fitted."""
        weighted = [w * r for w, r in zip(self.weights, rights, strict=True)]
        constant = [weighted[i] for i in self.rows.constant]
        below = np.zeros(weighted[0].shape[1])
        if self.rows.changing and self.fixed is not None and self.fixed.reduced:
            above = np.concatenate(constant)
            constant = [self.fixed.rotated(above, often=True)]
            below = self.fixed.rest(above, constant[0]) if rest else below
        stacked = np.concatenate([*constant, *(weighted[i] for i in self.rows.changing)])
        right = self.factorisation.rotated(stacked, often=rest or not self.rows.changing)
        return right, np.hypot(self.factorisation.rest(stacked, right), below) if rest else None
