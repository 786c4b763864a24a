"""How evenly neurons cover a ball: the density D_M(y) of their hyperplanes (paper, Eq. den and Theorem 1).

The neuron s(w_m.y + b_m) is steepest on the hyperplane w_m.y + b_m = 0. The density at y is the share of the
hyperplanes that pass within a distance tau,

    D_M(y) = (1/M) #{m : |w_m.y + b_m| / |w_m| < tau}.

Neurons with uniform directions and offsets uniform in [0, R] have the expectation E[D_M(y)] = tau / R wherever
|y| <= R - tau, in every dimension: a.y and -a.y have the same distribution, so the offset may be taken uniform in
[-R, R], and then the distance is below tau with probability 2 tau / 2R.
"""

from __future__ import annotations

import numpy as np

from transnet.calls import explained, shown
from transnet.counts import IN_CACHE
from transnet.errors import TransnetError
from transnet.features.neurons import Seed, sphere
from transnet.features.space import FeatureSpace
from transnet.measure.sampling import quasi


@explained
def density(
    neurons: FeatureSpace | np.ndarray, points: np.ndarray, tau: float, biases: np.ndarray | None = None
) -> np.ndarray:
    """The share of hyperplanes that pass within `tau` of each point: (n, d) -> (n,).

    Parameters
    ----------
    neurons : FeatureSpace or (M, d) array
        The neurons, or the weights w_m of the first layer of any network (a trained PINN, say).
    points : (n, d) array
        y, in the coordinates that the weights belong to.
    tau : float
        The distance.
    biases : (M,) array, optional
        b_m, when `neurons` are weights. A neuron of weight zero has no hyperplane and is near no point.
    """
    weights, shifts = _hyperplanes(neurons, biases)
    points = np.asarray(points, dtype=float)
    if points.ndim != 2 or points.shape[1] != weights.shape[1]:
        raise TransnetError(f"Points must have shape (n, {weights.shape[1]}), not {points.shape}.")
    if not tau > 0:
        raise TransnetError(f"The distance tau must be positive, not {shown(tau)}.")
    reach = tau * np.linalg.norm(weights, axis=1)
    result = np.empty(len(points))
    step = max(1, IN_CACHE // max(len(weights), 1))
    for start in range(0, len(points), step):
        here = slice(start, start + step)
        z = points[here] @ weights.T
        z += shifts
        result[here] = (np.abs(z, out=z) < reach).mean(axis=1)
    return result


def scatter(
    neurons: FeatureSpace | np.ndarray,
    tau: float,
    radius: float | None = None,
    biases: np.ndarray | None = None,
    points: int = 2000,
    seed: Seed = 0,
) -> tuple[float, float]:
    """The mean of D_M over the ball of radius R - tau, and its standard deviation relative to that mean.

    Theorem 1 says that the first is tau / R; the second is zero for a density that is the same everywhere, and about
    sqrt((R/tau - 1) / M) for independent neurons.

    Parameters
    ----------
    radius : float, optional
        R; that of the space by default.
    points : int
        How many points of the ball are used.
    """
    if radius is None:
        radius = neurons.radius if isinstance(neurons, FeatureSpace) else 1.0
    if not (np.isfinite(radius) and 0 < tau < radius):
        raise TransnetError(
            f"tau must lie between 0 and the radius of the ball, a finite number; they are {tau}, {radius}."
        )
    dimension = neurons.dimension if isinstance(neurons, FeatureSpace) else np.shape(neurons)[1]
    values = density(neurons, ball_points(points, dimension, radius - tau, seed), tau, biases)
    mean = float(values.mean())
    return mean, float(values.std() / mean) if mean > 0 else np.inf


def ball_points(n: int, dimension: int, radius: float = 1.0, seed: Seed = 0) -> np.ndarray:
    """Points spread evenly over a ball: (n, d)."""
    rng = np.random.default_rng(seed)
    if dimension == 1:
        return radius * (2.0 * quasi(n, 1, rng) - 1.0)
    uniform = quasi(n, dimension, rng)
    return radius * uniform[:, :1] ** (1.0 / dimension) * sphere(uniform[:, 1:])


def _hyperplanes(neurons: FeatureSpace | np.ndarray, biases: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(neurons, FeatureSpace):
        return neurons.weights, neurons.biases
    weights = np.asarray(neurons, dtype=float)
    shifts = np.zeros(len(weights)) if biases is None else np.asarray(biases, dtype=float)
    if weights.ndim != 2 or shifts.shape != (len(weights),):
        raise TransnetError(
            f"The weights of a layer have shape (M, d) and its biases (M,), not {weights.shape} and {shifts.shape}. "
            "PyTorch's Linear stores them like this; Keras stores the weights transposed."
        )
    return weights, shifts
