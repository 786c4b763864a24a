"""What is known about k solutions: residuals at held-out points, distances of smaller networks, estimated errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.judge.estimate import FRACTIONS
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual

HELD_OUT = 150
"""Columns per unknown of the network whose points are used as held-out points: a few hundred."""
FRESH_SEED = 104_729
"""The seed of the held-out points: one that no user would take, so that they differ from the fitted ones."""

_held_out: Remembered[Problem, list[Block]] = Remembered()


def held_out_blocks(problem: Problem, statements: Sequence[Statement]) -> list[Block]:
    """The statements at a few hundred points that are not fitted; drawn once for a problem."""
    size = HELD_OUT * len(problem.unknowns)
    blocks = _held_out.get(problem, None, lambda: collocate(problem, statements, size, None, FRESH_SEED))
    return [replace(block, statement=s) for block, s in zip(blocks, statements, strict=True)]


@dataclass(frozen=True, eq=False)
class Judgement:
    """What is known about k solutions.

    Parameters
    ----------
    rms, largest, relative : (statements, k) arrays
        The residual of each statement at held-out points.
    nested : (fractions, k) array
        The relative distances of the solutions of smaller networks; NaN where there are none.
    error : (k,) array
        The estimated relative L2 errors.
    """

    rms: np.ndarray
    largest: np.ndarray
    relative: np.ndarray
    nested: np.ndarray
    error: np.ndarray

    def residuals(self, i: int, blocks: Sequence[Block], weights: Sequence[float]) -> tuple[Residual, ...]:
        """The residuals of one solution, by statement."""
        found = zip(blocks, weights, self.rms[:, i], self.largest[:, i], self.relative[:, i], strict=True)
        return tuple(Residual(b.statement.label, b.rows, w, *map(float, numbers)) for b, w, *numbers in found)

    def differences(self, i: int, basis: Basis) -> tuple[tuple[int, float], ...]:
        """The neurons of growing parts of the network, and the distances of their solutions from that of the whole."""
        column = self.nested[:, i]
        neurons = [basis.leading(fraction)[0] for fraction in FRACTIONS]
        return () if np.isnan(column).all() else tuple(zip(neurons, map(float, column), strict=True))
