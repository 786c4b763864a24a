"""An adjoint problem: what z solves, and what becomes of the conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from transnet.problem import Problem
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class Multiplier:
    """The factor of a condition on some parts of the boundary, an expression of z, of the solution and the normal."""

    statement: Statement
    part: str
    factor: sp.Expr


@dataclass(frozen=True, eq=False)
class AdjointProblem:
    """What z solves, the factors of the conditions, and what time is turned around: t becomes `turned` - t."""

    problem: Problem
    multipliers: tuple[Multiplier, ...]
    turned: Mapping[int, float]

    def places(self, points: np.ndarray) -> np.ndarray:
        """Where z has what belongs to points."""
        there = np.array(points, float)
        for axis, both in self.turned.items():
            there[:, axis] = both - there[:, axis]
        return there
