"""The random feature model: inner weights drawn as PyTorch initialises a linear layer, the output layer fitted."""

from __future__ import annotations

import numpy as np

from transnet.features.space import FeatureSpace
from transnet.paper.recipe import Unweighted


def torch_linear(inputs: int, outputs: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Weights and biases as `torch.nn.Linear` draws them, uniform within 1/sqrt(inputs)."""
    bound = 1.0 / np.sqrt(inputs)
    return rng.uniform(-bound, bound, (outputs, inputs)), rng.uniform(-bound, bound, outputs)


def random_space(dimension: int, neurons: int, seed: int = 0) -> FeatureSpace:
    """tanh neurons with the weights and biases that PyTorch draws by default."""
    return FeatureSpace(*torch_linear(dimension, neurons, np.random.default_rng(seed)))


class RandomFeatures(Unweighted):
    """The paper's random feature model, solved exactly like its TransNet: same points, same least squares."""

    def space(self, dimension: int) -> FeatureSpace:
        """Neurons as PyTorch initialises them."""
        return random_space(dimension, self.neurons, self.seed)
