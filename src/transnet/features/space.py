"""The neural feature space span{1, s(w_1.y + b_1), ..., s(w_M.y + b_M)} on a ball around the origin (paper, Eq. fs).

A space is a value: made once, inspected, saved, and used for any problem of its dimension. It does not depend on any
PDE. The weights follow from location and shape by Eq. (rep): w_m = shape_m a_m and b_m = -shape_m r_m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import TransnetError
from transnet.features.activation import Activation, activation, sin, tanh
from transnet.features.edge_functions import AnySingular
from transnet.features.layers import Layer, checked_layer
from transnet.features.neurons import Placing, Seed, place
from transnet.features.singular import NO_FUNCTIONS, Singular
from transnet.features.stacking import check_layers, layers_above
from transnet.features.wave_vectors import are_pairs, gaussian_weights, wave_weights
from transnet.tolerances import SAME


@explained
@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """M neurons of one activation, after the constant neuron and, if there are any, singular features.

    Parameters
    ----------
    weights : (M, d) array
        w_m, the inner weights.
    biases : (M,) array
        b_m.
    activation : Activation
        s.
    radius : float
        The radius of the ball in which the neurons were placed; domains are mapped to the box [-1, 1]^d.
    singular : Singular, Multipoles or EdgeFunctions
        Functions with singularities in the holes or at the corners of a plane domain, none by default; they belong to
        one domain, and `tn.singularities` makes them. Their columns come after that of the constant, those of the
        highest orders after the neurons.
    inner : tuple of Layer
        The hidden layers below that of the neurons, whose weights are then (M, k) for k outputs of the last of them;
        none in the paper's networks. `deep` makes such spaces.
    """

    weights: np.ndarray
    biases: np.ndarray
    activation: Activation = tanh
    radius: float = 1.0
    singular: AnySingular = NO_FUNCTIONS
    inner: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        weights, biases = checked_layer(self.weights, self.biases, self.inner)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "biases", biases)
        coordinates = 2 if isinstance(self.singular, Singular) else 3
        if len(self.singular) and self.dimension != coordinates:
            kind = "Singular features" if coordinates == 2 else type(self.singular).__name__
            words = {2: "two", 3: "three"}[coordinates]
            raise TransnetError(f"{kind} are functions of {words} coordinates, not of {self.dimension}.")
        object.__setattr__(self, "activation", activation(self.activation))

    # -- how it is made ---------------------------------------------------------------------------------------------
    @classmethod
    @explained
    def uniform(
        cls,
        dimension: int,
        neurons: int,
        shape: float | np.ndarray,
        radius: float = 1.5,
        activation: str | Activation = tanh,
        placement: Placing = "quasi",
        seed: Seed = 0,
    ) -> FeatureSpace:
        """Neurons spread uniformly over a ball (Theorem 1), all of one shape or of the shapes given.

        Parameters
        ----------
        dimension, neurons : int
            d and M.
        shape : float, (M,) array or (d,)-tuple through `stretched`
            The steepness of each neuron along its direction.
        radius : float
            R, the radius of the ball.
        """
        directions, offsets = place(neurons, dimension, radius, placement, seed)
        shapes = np.broadcast_to(np.asarray(shape, dtype=float), (neurons,))
        return cls(shapes[:, None] * directions, -shapes * offsets, activation, radius)  # type: ignore[arg-type]

    @classmethod
    @explained
    def waves(
        cls,
        dimension: int,
        neurons: int,
        fill: float = 1 / 8,
        axes: np.ndarray | tuple[float, ...] | None = None,
        seed: Seed = 0,
    ) -> FeatureSpace:
        """Sine neurons whose weight vectors are spread evenly over a box: plane waves up to a bandwidth.

        The M neurons are pairs sin(w.y), cos(w.y), with w evenly spread over the box |w_j| <= K_j,

            K_j = (pi / 2) (fill M)^(1/d) axes_j,

        one half of which is enough because of the pairs. `fill` is the number of Fourier modes of the cube [-1, 1]^d
        that fit into that box, divided by M: below one there are more waves than modes, which lets them represent
        functions that are not periodic.

        Parameters
        ----------
        fill : float
            The bandwidth; 1/8 is a good guess if nothing is known, 1/3 is about the limit.
        axes : (d,) array, optional
            Relative bandwidths of the coordinates, normalised to the product one.
        """
        weights, biases = wave_weights(dimension, neurons, fill, axes, seed)
        return cls(weights, biases, sin, np.inf)

    @classmethod
    @explained
    def spectral(
        cls, dimension: int, neurons: int, scale: float, placement: Placing = "quasi", seed: Seed = 0
    ) -> FeatureSpace:
        """Sine neurons whose weight vectors are spread like a Gaussian of standard deviation `scale`.

        Their shapes are spread over the radii of that Gaussian (a chi distribution), because sines of one single
        shape span only solutions of one Helmholtz equation. The phases are spread evenly.
        """
        weights, biases = gaussian_weights(dimension, neurons, scale, placement, seed)
        return cls(weights, biases, sin, np.inf)

    @classmethod
    @explained
    def deep(
        cls,
        dimension: int,
        neurons: int,
        layers: int = 2,
        width: int = 40,
        shape: float = 0.5,
        gain: float = 0.5,
        radius: float = 1.5,
        activation: str | Activation = tanh,
        seed: Seed = 0,
    ) -> FeatureSpace:
        """A network of several hidden layers whose neurons are placed like those of the paper, and not trained.

        The first layer is that of `uniform`. A neuron of the next is s(w.(h(y) - h(p))), where h are the outputs of the
        layer below, p is a point of the ball, and w is a random direction scaled so that w.h has the standard deviation
        `gain` over the ball: so its zero set passes through p, the zero sets are spread evenly, and signals neither die
        out nor saturate from layer to layer.

        Parameters
        ----------
        neurons : int
            M, the neurons of the last hidden layer: the columns of the least-squares problem.
        layers : int
            The number of hidden layers; 1 is `uniform`.
        width : int
            Neurons of each of the other layers.
        shape, radius : float
            Of the first layer, as in `uniform`.
        gain : float
            The standard deviation of the input of a neuron of the other layers, over the ball.
        """
        check_layers(layers, width)
        rng = np.random.default_rng(seed)
        first = cls.uniform(dimension, neurons if layers == 1 else width, shape, radius, activation, seed=rng)
        inner, weights, biases = layers_above(first, neurons, layers, width, gain, rng)
        return cls(weights, biases, first.activation, radius, NO_FUNCTIONS, inner)

    @classmethod
    @explained
    def tuned(
        cls, dimension: int, neurons: int, correlation_length: float | Sequence[float], **how: Any
    ) -> FeatureSpace:
        """The space that fits random functions of a correlation length best (Eq. ls2), without any PDE.

        See `transnet.tune`, which takes the same arguments and also returns the history of the search.
        """
        from transnet.features.tuning import tune

        return tune(dimension, neurons, correlation_length, **how).space

    @classmethod
    def load(cls, path: str | Path) -> FeatureSpace:
        """Read a space from a file that `save` wrote."""
        from transnet.features.files import load_space

        return load_space(path)

    def save(self, path: str | Path) -> Path:
        """Write the space to a file (npz, without pickle) and return its path."""
        from transnet.features.files import save_space

        return save_space(self, path)

    @explained
    def stretched(self, factors: np.ndarray | tuple[float, ...]) -> FeatureSpace:
        """The same neurons with the shape multiplied along each axis: a different shape for every coordinate."""
        scale = np.asarray(factors, dtype=float)
        if scale.shape not in ((), (self.dimension,)) or not (scale > 0).all():
            raise TransnetError(
                f"The factors are {self.dimension} positive numbers, one per coordinate, not {shown(factors)}."
            )
        if self.inner:
            first = replace(self.inner[0], weights=self.inner[0].weights * scale)
            return replace(self, inner=(first, *self.inner[1:]))
        return replace(self, weights=self.weights * scale)

    def with_singular(self, singular: AnySingular) -> FeatureSpace:
        """The same neurons with these singular features in place of any others."""
        return replace(self, singular=singular)

    # -- what it is -------------------------------------------------------------------------------------------------
    @property
    def neurons(self) -> int:
        """M, the number of neurons without the constant and the singular features."""
        return self.weights.shape[0]

    @property
    def dimension(self) -> int:
        """d, the number of coordinates."""
        return int(np.shape(self.inner[0].weights if self.inner else self.weights)[1])

    @cached_property
    def paired(self) -> bool:
        """Whether the neurons are pairs sin(z), sin(z + pi/2) = cos(z), which are evaluated together."""
        return not self.inner and self.activation.name == "sin" and are_pairs(self.weights, self.biases)

    @property
    def size(self) -> int:
        """The dimension of the space: the constant, the singular features and the neurons."""
        return 1 + self.neurons + len(self.singular)

    @cached_property
    def neuron_columns(self) -> slice:
        """The columns of the neurons: after the constant and the singular features that are not late."""
        first = 1 + self.singular.early
        return slice(first, first + self.neurons)

    @property
    def plane(self) -> Singular:
        """The singular features of the plane; none of a space that has multipoles."""
        return self.singular if isinstance(self.singular, Singular) else NO_FUNCTIONS

    @cached_property
    def singular_columns(self) -> np.ndarray:
        """The columns of the singular features."""
        neurons = self.neuron_columns
        return np.r_[1 : neurons.start, neurons.stop : self.size]

    @property
    def shapes(self) -> np.ndarray:
        """The steepness |w_m| of each neuron."""
        return np.linalg.norm(self.weights, axis=1)

    @property
    def directions(self) -> np.ndarray:
        """The unit normals a_m of the hyperplanes."""
        return self.weights / np.maximum(self.shapes, np.finfo(float).tiny)[:, None]

    @property
    def offsets(self) -> np.ndarray:
        """The distances r_m of the hyperplanes from the origin."""
        return -self.biases / np.maximum(self.shapes, np.finfo(float).tiny)

    def density(self, points: np.ndarray, tau: float) -> np.ndarray:
        """D_M(y), the share of hyperplanes that pass within `tau` of each point (Eq. den): (n, d) -> (n,)."""
        from transnet.features.density import density

        return density(self, points, tau)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """The values of all features at points of the ball: (n, d) -> (n, size)."""
        from transnet.features.evaluate import write_rows

        points = np.asarray(points, dtype=float)
        values = np.empty((self.size, len(points)))
        write_rows(self, points, [(values, [((0,) * self.dimension, np.array(1.0))])])
        return values.T

    def __repr__(self) -> str:
        if not self.neurons and len(self.singular):
            return f"FeatureSpace(dimension={self.dimension}, functions={len(self.singular)})"
        shapes = self.shapes
        low, high = (float(shapes.min()), float(shapes.max())) if self.neurons else (0.0, 0.0)
        spread = f"{low:.3g}" if high - low < SAME * max(high, 1.0) else f"{low:.3g}..{high:.3g}"
        layers = f"layers={len(self.inner) + 1}, " if self.inner else ""
        singular = f", singular={len(self.singular)}" if len(self.singular) else ""
        return (
            f"FeatureSpace(dimension={self.dimension}, neurons={self.neurons}, {layers}"
            f"activation={self.activation.name}, shape={spread}, radius={self.radius:.3g}{singular})"
        )
