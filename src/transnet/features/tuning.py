"""Tune a feature space on random functions, without any PDE (paper, section 3.3.3, Eq. ls2).

The shape gamma of the neurons is the one with the smallest mean-square error of K least-squares fits,

    min_gamma sum_k min_alpha (1/J) sum_j |sum_m alpha_m s(w_m.y_j + b_m) + alpha_0 - G(y_j | omega_k, eta)|^2,

where the G are realisations of a Gaussian process of correlation length eta on [-1, 1]^d. Householder QR of [features |
G_1 ... G_K] serves all of them at once. The error is measured on points that were not fitted, so that the tuned space
is the one that generalises, and the minimum is bracketed instead of searched on a grid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.calls import explained
from transnet.features.activation import Activation
from transnet.features.auxiliary import setting
from transnet.features.neurons import Placing
from transnet.features.scaling import spectral_scale, tanh_shape
from transnet.features.search import lowest
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import Solver

RADIUS = 1.35
"""The initial radius of the ball of neurons, in units of that around the cube [-1, 1]^d."""
STEPS = (0.4, 0.2)
"""First steps of the search in the logarithms of the shape and of everything else."""


@dataclass(frozen=True)
class Trial:
    """One candidate: its shape, radius, factors of the axes, and mean-square error."""

    shape: float
    radius: float
    factors: tuple[float, ...]
    error: float


Progress = Callable[[int, Trial], None]


@dataclass(frozen=True, eq=False)
class Tuned:
    """A tuned space and how it was found.

    Parameters
    ----------
    space : FeatureSpace
        The best space.
    shape, radius : float
        Its shape (the standard deviation of the weights for sines) and the radius of its ball.
    factors : tuple of float
        The factors of the shape along each axis; ones unless tuned per axis.
    error : float
        The mean-square error over points and realisations, on held-out points.
    history : tuple of Trial
        Every candidate in the order in which it was tried.
    """

    space: FeatureSpace
    shape: float
    radius: float
    factors: tuple[float, ...]
    error: float
    history: tuple[Trial, ...]

    def __repr__(self) -> str:
        return (
            f"Tuned(shape={self.shape:.4g}, radius={self.radius:.4g}, rms error={np.sqrt(self.error):.2e}, "
            f"{len(self.history)} trials: {self.space!r})"
        )


@explained
def tune(
    dimension: int,
    neurons: int,
    correlation_length: float | Sequence[float],
    realisations: int = 10,
    radius: float | None = None,
    activation: str | Activation = "tanh",
    points: int | np.ndarray | None = None,
    held_out: bool = True,
    spread: float = 1.0,
    per_axis: bool = False,
    placement: Placing = "quasi",
    seed: int = 0,
    tol: float = 0.03,
    solver: Solver | None = None,
    progress: bool | Progress | None = None,
) -> Tuned:
    """The feature space that fits random functions of a correlation length best.

    Parameters
    ----------
    dimension, neurons : int
        d and M.
    correlation_length : float or one for each axis
        eta of the auxiliary functions on [-1, 1]^d: use that of the expected solutions, or a smaller one.
    realisations : int
        K.
    radius : float, optional
        R, the radius of the ball of the neurons; by default it is tuned together with the shape. Sines have none.
    activation : {"tanh", "gauss", "sin"}
        Sines have weights spread like a Gaussian, whose standard deviation is tuned.
    points : int or (J, d) array, optional
        How many points are fitted, or which; by default 4 (M + 1), denser towards the faces of the box.
    held_out : bool
        Measure the error on points that were not fitted; otherwise on the fitted ones, as the paper does.
    spread : float
        The ratio of the largest to the smallest shape, over which the neurons are spread; one shape for all by default.
    per_axis : bool
        Tune a factor of the shape for each axis as well: for functions that vary faster along one axis than another.
    placement : {"quasi", "random"}
        How the neurons are placed.
    seed : int
        Random seed.
    tol : float
        How closely the logarithms of shape, radius and factors are found.
    solver : Solver, optional
        `QR()` by default.
    progress : bool or callable, optional
        True prints each trial to standard error; a callable receives the number of the trial and the `Trial`.

    Returns
    -------
    Tuned
    """
    family, target = setting(
        dimension, neurons, correlation_length, realisations, activation, points, held_out, spread, placement, seed,
        solver,
    )  # fmt: skip
    history: list[Trial] = []
    show = _printed if progress is True else progress or None
    free_radius = radius is None and family.located
    start_radius = (RADIUS * dimension**0.5 if radius is None else float(radius)) if family.located else np.inf
    guess = tanh_shape(dimension, neurons, start_radius) if family.located else spectral_scale(dimension, neurons)

    def objective(x: np.ndarray) -> float:
        shape = float(np.exp(x[0]))
        here = start_radius * float(np.exp(x[1])) if free_radius else start_radius
        factors = tuple(map(float, np.exp(x[-dimension:] - x[-dimension:].mean()))) if per_axis else (1.0,) * dimension
        trial = Trial(shape, here, factors, target.error(family.space(shape, here, factors)))
        history.append(trial)
        if show is not None:
            show(len(history), trial)
        return float(np.log(max(trial.error, np.finfo(float).tiny)))

    variables = 1 + free_radius + (dimension if per_axis else 0)
    start = np.zeros(variables)
    start[0] = np.log(guess)
    lowest(objective, start, step=np.array([STEPS[0]] + [STEPS[1]] * (variables - 1)), tolerance=tol)
    best = min(history, key=lambda t: t.error)
    space = family.space(best.shape, best.radius, best.factors)
    return Tuned(space, best.shape, best.radius, best.factors, best.error, tuple(history))


@explained
def landscape(
    dimension: int,
    neurons: int,
    correlation_length: float | Sequence[float],
    shapes: Sequence[float] | np.ndarray,
    realisations: int = 10,
    radius: float = 1.5,
    activation: str | Activation = "tanh",
    points: int | np.ndarray | None = None,
    held_out: bool = True,
    spread: float = 1.0,
    placement: Placing = "quasi",
    seed: int = 0,
    solver: Solver | None = None,
    progress: bool | Progress | None = None,
) -> np.ndarray:
    """The mean-square error of Eq. (ls2) over a grid of shapes: the paper's figure of the loss landscape.

    The parameters are those of `tune`. The published curves have `placement="random"`, `held_out=False`, a radius
    of 1.5 in 2D and 1.8 in 3D, and as points `features.auxiliary.grid`, of 50^2 and 30^3.
    """
    family, target = setting(
        dimension, neurons, correlation_length, realisations, activation, points, held_out, spread, placement, seed,
        solver,
    )  # fmt: skip
    show = _printed if progress is True else progress or None
    errors = np.empty(len(shapes))
    ones = (1.0,) * dimension
    for i, shape in enumerate(shapes):
        errors[i] = target.error(family.space(float(shape), radius, ones))
        if show is not None:
            show(i + 1, Trial(float(shape), radius, ones, float(errors[i])))
    return errors


def _printed(number: int, trial: Trial) -> None:
    print(
        f"trial {number:3d}  shape {trial.shape:7.4f}  radius {trial.radius:7.4f}  rms error {trial.error**0.5:.2e}",
        file=sys.stderr,
        flush=True,
    )
