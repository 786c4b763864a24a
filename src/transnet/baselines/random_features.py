"""The random feature model: inner weights drawn as PyTorch initialises a linear layer, the output layer fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.discretise.collocation import Points
from transnet.features.space import FeatureSpace
from transnet.methods.published import PICARD_STEPS, solve_unweighted
from transnet.problem import Problem
from transnet.solution.solution import Solution


def torch_linear(inputs: int, outputs: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Weights and biases as `torch.nn.Linear` draws them, uniform within 1/sqrt(inputs)."""
    bound = 1.0 / np.sqrt(inputs)
    return rng.uniform(-bound, bound, (outputs, inputs)), rng.uniform(-bound, bound, outputs)


def random_space(dimension: int, neurons: int, seed: int = 0) -> FeatureSpace:
    """tanh neurons with the weights and biases that PyTorch draws by default."""
    return FeatureSpace(*torch_linear(dimension, neurons, np.random.default_rng(seed)))


@dataclass(frozen=True)
class RandomFeatures:
    """The paper's random feature model, solved exactly like its TransNet: same points, same least squares.

    Parameters
    ----------
    neurons : int
        Neurons for each unknown.
    points : Points, optional
        The collocation points; by default chosen from the number of neurons.
    condition_weight : float
        The factor of the rows of conditions.
    steps : int
        Picard steps of a nonlinear problem.
    seed : int
        Where all randomness comes from.
    """

    neurons: int
    points: Points | None = None
    condition_weight: float = 1.0
    steps: int = PICARD_STEPS
    seed: int = 0

    def solve(self, problem: Problem, parameters: Mapping[Any, Any] | None = None) -> Solution:
        """Solve a problem; a nonlinear one by `steps` Picard steps from zero."""
        space = random_space(problem.domain.dimension, self.neurons, self.seed)
        return solve_unweighted(problem, space, self.points, parameters, self.condition_weight, self.steps, self.seed)
