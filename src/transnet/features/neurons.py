"""Where neurons lie: unit directions a_m and offsets r_m of the hyperplanes a_m.y = r_m (paper, section 3.3.2).

Directions uniform on the sphere and offsets uniform in [0, R] give a density of hyperplanes that is the same
everywhere in the ball of radius R (Theorem 1). `random` draws both independently, as the paper does. `quasi` spreads
them evenly instead, which has the same density with far less scatter.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.errors import TransnetError
from transnet.lazy import special
from transnet.measure.sampling import quasi

Placing = Literal["quasi", "random"]
Seed = int | np.random.Generator


def place(
    neurons: int, dimension: int, radius: float = 1.0, placement: Placing = "quasi", seed: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Directions (M, d) and offsets (M,) of neurons spread uniformly over a ball.

    Parameters
    ----------
    neurons, dimension : int
        M and d.
    radius : float
        R, the radius of the ball.
    placement : {"quasi", "random"}
        Evenly spread, or independent draws as in the paper.
    seed : int or numpy.random.Generator
        Random seed.
    """
    if neurons < 0 or dimension < 1:
        raise TransnetError(f"A space needs at least one coordinate and one neuron, not {dimension} and {neurons}.")
    check_room(4 * neurons, FLOAT * (dimension + 1), f"A space of {neurons} neurons")
    rng = np.random.default_rng(seed)
    if placement == "random":
        gaussian = rng.standard_normal((neurons, dimension))
        return gaussian / np.linalg.norm(gaussian, axis=1, keepdims=True), radius * rng.random(neurons)
    if placement != "quasi":
        raise TransnetError(f"There is no placement '{placement}'. Choose 'quasi' or 'random'.")
    # One coordinate runs evenly from 0 to 1 (it orders the offsets); the others, which give the direction, follow an
    # additive recurrence. Together they are a Kronecker lattice in d dimensions.
    # Shuffled, so that the leading neurons are spread over the whole ball too.
    evenly = (np.arange(neurons) + rng.random()) / max(neurons, 1)
    direction = sphere(quasi(neurons, max(dimension - 1, 1), rng))[:, :dimension]
    if dimension == 1:
        direction = np.where(np.arange(neurons)[:, None] % 2 == 0, 1.0, -1.0)
    order = rng.permutation(neurons)
    return direction[order], radius * evenly[order]


def log_spread(neurons: int, ratio: float, seed: Seed = 0) -> np.ndarray:
    """Factors (M,) spread evenly on a logarithmic scale from ratio^(-1/2) to ratio^(1/2), in random order."""
    if ratio == 1.0:
        return np.ones(neurons)
    rng = np.random.default_rng(seed)
    evenly = (np.arange(neurons) + rng.random()) / max(neurons, 1)
    return ratio ** (rng.permutation(evenly) - 0.5)


def sphere(uniform: np.ndarray) -> np.ndarray:
    """Map points of the unit cube of dimension d - 1 to the unit sphere of R^d, keeping uniform measure.

    The first component of a uniform direction has (1 + a_1)/2 ~ Beta((d-1)/2, (d-1)/2); given it, the rest is a
    uniform direction of one dimension less. The circle closes the recursion.
    """
    n, remaining = uniform.shape
    directions = np.empty((n, remaining + 1))
    length = np.ones(n)
    for k in range(remaining - 1):
        half = (remaining - k) / 2
        first = 2.0 * (uniform[:, k] if half == 1.0 else special.betaincinv(half, half, uniform[:, k])) - 1.0
        directions[:, k] = length * first
        length = length * np.sqrt(np.maximum(1.0 - first**2, 0.0))
    angle = 2.0 * np.pi * uniform[:, -1]
    directions[:, -2] = length * np.cos(angle)
    directions[:, -1] = length * np.sin(angle)
    return directions
