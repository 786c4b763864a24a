"""Random functions of a given correlation length: the auxiliary functions on which a feature space is tuned.

A stationary Gaussian process G with the covariance (that of gstools' `Gaussian` model, with the same `len_scale`)

    E[G(x) G(y)] = exp(-(pi/4) (|x - y| / eta)^2),

for which the integral of the correlation over a ray is eta, the correlation length. The spectral (random Fourier)
method draws wave vectors k_j from the spectral density, here a normal distribution of variance pi / (2 eta^2) along
each axis, and sums G(y) = N^(-1/2) sum_j a_j cos(k_j.y) + b_j sin(k_j.y) with standard normal a_j and b_j. A sum of N
waves is an entire function, in any dimension, and can be evaluated anywhere, with its derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.calls import explained, shown
from transnet.errors import TransnetError
from transnet.features.evaluate import run_chunks
from transnet.features.neurons import Seed
from transnet.features.sincos import CHUNK, sincos
from transnet.lazy import special, stats
from transnet.tolerances import SAME


@dataclass(frozen=True, eq=False)
class RandomFields:
    """K realisations of a Gaussian process, as sums of N waves that they share.

    Parameters
    ----------
    waves : (N, d) array
        k_j, the wave vectors.
    cosines, sines : (N, K) array
        a_j and b_j of each realisation, divided by sqrt(N).
    correlation_lengths : (d,) tuple
        eta along each axis.
    """

    waves: np.ndarray
    cosines: np.ndarray
    sines: np.ndarray
    correlation_lengths: tuple[float, ...]

    @property
    def dimension(self) -> int:
        """d, the number of coordinates."""
        return self.waves.shape[1]

    @property
    def realisations(self) -> int:
        """K, the number of functions."""
        return self.cosines.shape[1]

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """The values of all the realisations at points: (n, d) -> (n, K)."""
        points = np.asarray(points, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dimension:
            raise TransnetError(f"Points must have shape (n, {self.dimension}), not {points.shape}.")
        result = np.empty((len(points), self.realisations))
        step = max(1, CHUNK // len(self.waves))

        def chunk(start: int) -> None:
            here = slice(start, start + step)
            phase = points[here] @ self.waves.T
            sine, cosine = sincos(phase)
            result[here] = cosine @ self.cosines
            result[here] += sine @ self.sines

        run_chunks(chunk, range(0, len(points), step), len(points) * len(self.waves))
        return result

    def covariance(self, separations: np.ndarray) -> np.ndarray:
        """The covariance over the ensemble with these waves: (n, d) -> (n,), mean_j cos(k_j.h).

        It tends to `correlation` as the number of waves grows; the difference is the error of the finite sum.
        """
        return np.cos(np.asarray(separations, dtype=float) @ self.waves.T).mean(axis=1)


def correlation(distance: np.ndarray | float, correlation_length: float) -> np.ndarray:
    """exp(-(pi/4) (r / eta)^2), whose integral over r is eta."""
    return np.exp(-0.25 * np.pi * (np.asarray(distance, dtype=float) / correlation_length) ** 2)


@explained
def random_fields(
    dimension: int,
    correlation_length: float | Sequence[float],
    realisations: int = 10,
    modes: int = 1024,
    seed: Seed = 0,
) -> RandomFields:
    """Draw realisations of a Gaussian process.

    Parameters
    ----------
    dimension : int
        d.
    correlation_length : float or one for each axis
        eta, the integral of the correlation; the `len_scale` of gstools.
    realisations : int
        K.
    modes : int
        N, the number of waves, best a power of two. They are a scrambled Sobol sequence mapped to the spectral
        density, so that 1024 of them have the covariance of the process to 3e-4 (1D), 3e-3 (2D), 1e-2 (3D) and 2e-2
        (4D), where independent ones miss it by 2e-2 to 6e-2.
    seed : int or numpy.random.Generator
        Random seed.
    """
    if dimension < 1 or realisations < 1 or modes < 1:
        raise TransnetError(
            f"Random fields need a dimension, realisations and modes of at least one, not {dimension}, {realisations} "
            f"and {modes}."
        )
    lengths = np.asarray(correlation_length, dtype=float)
    if lengths.shape not in ((), (dimension,)) or not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise TransnetError(
            f"The correlation length must be a positive number, or one for each of the {dimension} axes, not "
            f"{shown(correlation_length)}."
        )
    lengths = np.broadcast_to(lengths, (dimension,))
    check_room(4 * modes, FLOAT * (dimension + realisations), f"{realisations} random fields of {modes} waves")
    rng = np.random.default_rng(seed)
    sobol = stats.qmc.Sobol(dimension, scramble=True, seed=rng)
    uniform = sobol.random_base2(int(np.ceil(np.log2(modes))))[:modes]
    deviation = np.sqrt(np.pi / 2) / lengths
    # A coordinate of exactly zero would be a wave of infinite frequency.
    waves = deviation * special.ndtri(np.clip(uniform, SAME, 1 - SAME))
    cosines, sines = rng.standard_normal((2, modes, realisations)) / np.sqrt(modes)
    return RandomFields(waves, cosines, sines, tuple(map(float, lengths)))
