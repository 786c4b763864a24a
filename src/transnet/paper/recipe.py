"""The recipe of the paper's authors, kept for comparison: `tn.Published(neurons)`.

The bounding box is mapped to [-1, 1]^d; independent neurons in a ball of radius 1.5 (2D) or 1.8 (3D) have one shape
that depends only on their number; the rows are not weighted; `numpy.linalg.lstsq` solves with its default cut of small
singular values; a nonlinear problem takes a fixed number of Picard steps from zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.checks.places import refuse_too_few_rows
from transnet.clock import Clock
from transnet.engines.shortage import refuse_if_too_large
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.judge.diagnose import held_out_residuals
from transnet.judge.expanded import expanded_solution
from transnet.linalg.least_squares import Coefficients
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.assembly import assemble
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

PICARD_STEPS = 20
RADIUS = {1: 1.5, 2: 1.5, 3: 1.8, 4: 1.8}


def published_shape(dimension: int, neurons: int) -> float:
    """The authors' shape: 1, 1.5, 2 in the plane and 1, 1.5 in space, growing with the number of neurons."""
    if dimension <= 2:
        return 1.0 if neurons <= 300 else 1.5 if neurons <= 600 else 2.0
    return 1.0 if neurons <= 2000 else 1.5


def published_space(dimension: int, neurons: int, seed: int = 0) -> FeatureSpace:
    """The authors' feature space: independent neurons, uniform in a ball of radius 1.5 or 1.8, all of one shape."""
    shape, radius = published_shape(dimension, neurons), RADIUS[dimension]
    return FeatureSpace.uniform(dimension, neurons, shape, radius, placement="random", seed=seed)


@dataclass(frozen=True)
class Lstsq:
    """`numpy.linalg.lstsq` on the whole matrix: singular values below eps max(m, n) times the largest are dropped."""

    def solve(self, matrix: np.ndarray, right: np.ndarray) -> Coefficients:
        values, _, rank, _ = np.linalg.lstsq(matrix, right, rcond=None)
        return Coefficients(values, int(rank), "numpy.linalg.lstsq")


@explained
@dataclass(frozen=True)
class Unweighted(ABC):
    """Least squares in a space that depends only on its size, every equation with the weight 1.

    Parameters
    ----------
    neurons : int
        Neurons for each unknown.
    points : Points, optional
        The collocation points; by default chosen from the number of neurons. Those of the paper belong to its cases.
    condition_weight : float
        The factor of the rows of conditions: 1, but 10 in the authors' code for C7.
    steps : int
        Picard steps of a nonlinear problem.
    seed : int
        Random seed.
    """

    neurons: int
    points: Points | None = None
    condition_weight: float = 1.0
    steps: int = PICARD_STEPS
    seed: int = 0

    @abstractmethod
    def space(self, dimension: int) -> FeatureSpace:
        """The feature space for a problem with this many coordinates."""

    def solve(self, problem: Problem, parameters: Mapping[Any, Any] | None = None) -> Solution:
        """Solve a problem; a nonlinear one by `steps` Picard steps from zero."""
        space = self.space(problem.domain.dimension)
        return solve_unweighted(problem, space, self.points, parameters, self.condition_weight, self.steps, self.seed)


class Published(Unweighted):
    """The authors' recipe as a method with the usual `solve`."""

    def space(self, dimension: int) -> FeatureSpace:
        """Independent neurons in a ball, all of one shape."""
        return published_space(dimension, self.neurons, self.seed)


def solve_unweighted(
    problem: Problem,
    space: FeatureSpace,
    points: Points | None = None,
    parameters: Mapping[Any, Any] | None = None,
    condition_weight: float = 1.0,
    steps: int = PICARD_STEPS,
    seed: int = 0,
) -> Solution:
    """Least squares in a fixed space, every row with the weight 1: one solve, or Picard steps from zero.

    A step holds the factors marked `lagged` at the last iterate and linearises what is then still nonlinear.
    """
    clock = Clock()
    statements = statements_of(problem)
    values = parameter_values(problem, parameters)
    numbers = tuple(values.values())
    basis = Basis((space,) * len(problem.unknowns), Placement.of(problem.domain))
    clock.lap("compile")
    blocks = collocate(problem, statements, basis.columns, points, seed)
    refuse_too_few_rows(blocks, basis)
    rows = sum(b.rows for b in blocks)
    # The matrix, LAPACK's copy of it, and the work space of its singular value decomposition.
    refuse_if_too_large(24 * rows * basis.columns + 32 * basis.columns**2, f"A matrix of {rows} x {basis.columns}")
    clock.lap("points")
    weights = [1.0 if b.statement.kind == "equation" else condition_weight for b in blocks]
    found = Coefficients(np.zeros((basis.columns, 1)), None, "")
    for _ in range(1 if all(s.equation.linear for s in statements) else steps):
        linearised = [b.linearise(numbers, b.state(basis, found.values[:, 0]), held=True) for b in blocks]
        matrix = assemble(blocks, basis, linearised, weights).matrix
        clock.lap("assemble")
        found = Lstsq().solve(matrix[:, :-1], matrix[:, -1:])
        clock.lap("solve")
    coefficients = found.values[:, 0]
    residuals = held_out_residuals(problem, basis, coefficients, numbers, weights, blocks)
    clock.lap("check")
    return expanded_solution(
        problem, basis, coefficients, values, solver=found.solver, residuals=residuals, shape=(rows, basis.columns),
        blocks=blocks, seconds=clock.laps, stated_rank=found.rank,
    )  # fmt: skip
