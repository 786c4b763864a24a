"""The right-hand sides of a block for many values of the parameters at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import sympy as sp

from transnet.counts import AT_ONCE
from transnet.rows.blocks import Block
from transnet.rows.equation import Equation
from transnet.rows.statements import Statement


class PlacedRight(Protocol):
    """A statement and the points at which it holds."""

    @property
    def statement(self) -> Statement: ...
    @property
    def points(self) -> np.ndarray: ...
    @property
    def normals(self) -> np.ndarray | None: ...


def constants_of(block: PlacedRight, parameters: np.ndarray) -> np.ndarray:
    """The right-hand side at a block's nodes, for parameters (k, p): (n, k), or (n, 1) if all are the same."""
    equation, n = block.statement.equation, len(block.points)
    varies = bool(equation.parameters)
    result = np.empty((n, len(parameters) if varies else 1))
    batch = max(1, AT_ONCE // n)
    for start in range(0, result.shape[1], batch):
        some = parameters[start : start + batch] if varies else parameters[:1]
        if len(some) == 1:
            result[:, start] = -equation.residual(block.points, block.normals, tuple(some[0]))
            continue
        points = np.tile(block.points, (len(some), 1))
        normals = None if block.normals is None else np.tile(block.normals, (len(some), 1))
        values = [np.repeat(column, n) for column in some.T]
        result[:, start : start + batch] = -equation.residual(points, normals, values).reshape(len(some), n).T
    return result


def right_of(block: Block, parameters: np.ndarray, constants: np.ndarray | None = None) -> np.ndarray:
    """The right-hand sides of a block, unweighted, for parameters (k, p): (rows, k)."""
    result = constants_of(block, parameters) if constants is None else constants
    if block.values is not None:
        result = result + block.values[:, None]
    return np.broadcast_to(block.nodes.folded(result), (block.rows, len(parameters)))


def operator_parameters(equation: Equation, parameters: Sequence[sp.Symbol]) -> set[sp.Symbol]:
    """The parameters in the coefficients of the unknowns, not only on the right-hand side."""
    free = set().union(*(c.free_symbols for c in equation.coefficients_symbolic))
    return free & set(parameters)
