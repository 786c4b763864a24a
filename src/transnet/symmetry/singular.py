"""Singular functions by parity: their even and odd combinations, if reflections map them onto each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from transnet.features.powers import Terms
from transnet.features.singular import NOTHING, Singular
from transnet.geometry.placement import Placement
from transnet.remember import Remembered
from transnet.symmetry.waves import parity_signs
from transnet.tolerances import SAME

SAMPLES = 24
"""Points at which functions are distinguished."""


@dataclass(frozen=True, eq=False)
class ByParity:
    """The combinations of singular functions, in the coordinates of the ball, that have each parity.

    Parameters
    ----------
    singular : Singular
    early, late : lists of arrays
        For each parity the factors of all functions, one row per combination; those that come after the waves
        separately.
    """

    singular: Singular
    early: list[np.ndarray]
    late: list[np.ndarray]

    def values(self, placed: np.ndarray, terms: Terms) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """sum_k c_k D^k of the combinations at points, (combinations, n) for each parity: the early and the late."""
        if not len(self.singular):
            nothing = [np.empty((0, len(placed)))] * len(self.early)
            return nothing, nothing
        each = self.singular.apply(placed, terms)
        return [b @ each for b in self.early], [b @ each for b in self.late]

    def sums(self, early: Sequence[np.ndarray], late: Sequence[np.ndarray]) -> np.ndarray:
        """The coefficients of all functions for the part of each parity, (parities, functions)."""
        pairs = zip(early, self.early, late, self.late, strict=True)
        return np.stack([a @ before + b @ after for a, before, b, after in pairs])


_known: Remembered[Singular, ByParity | None] = Remembered()


def by_parity_of(singular: Singular, axes: Sequence[int], placement: Placement, points: np.ndarray) -> ByParity | None:
    """The combinations; None if a reflection of an axis maps a function to none of them.

    Parameters
    ----------
    points : (n, d) array
        Points of the domain at which this is checked.
    """
    if not len(singular):
        nothing = [np.empty((0, 0))] * 2 ** len(axes)
        return ByParity(NOTHING, nothing, nothing)
    return _known.get(singular, tuple(axes), lambda: _combined(singular, axes, placement(points[:SAMPLES])))


def _combined(singular: Singular, axes: Sequence[int], placed: np.ndarray) -> ByParity | None:
    flips = np.ones((1 + len(axes), placed.shape[1]))
    flips[np.arange(len(axes)) + 1, list(axes)] = -1.0
    values = singular.apply((flips[:, None, :] * placed).reshape(-1, placed.shape[1]), [((0, 0), 1.0)])
    here, *there = np.split(values, len(flips), axis=1)
    steps = []
    for reflected in there:
        step = _images(here, reflected)
        if step is None:
            return None
        steps.append(step)
    count = len(singular)
    group = []
    for bits in product((0, 1), repeat=len(axes)):
        image, sign = np.arange(count), np.ones(count)
        for bit, (becomes, change) in zip(bits, steps, strict=True):
            if bit:
                sign, image = sign * change[image], becomes[image]
        group.append((image, sign))
    first = np.min([image for image, _ in group], axis=0)
    chosen = np.flatnonzero(first == np.arange(count))  # one of each orbit
    early: list[np.ndarray] = []
    late: list[np.ndarray] = []
    for characters in parity_signs(len(axes)).T:
        factors = np.zeros((len(chosen), count))
        for character, (image, sign) in zip(characters, group, strict=True):
            factors[np.arange(len(chosen)), image[chosen]] += character * sign[chosen]
        sizes = np.sqrt(np.sum(factors**2, axis=1))
        kept = sizes > 0.5
        scaled = factors[kept] / sizes[kept, None]
        after = singular["late"][chosen[kept]] == 1
        early.append(scaled[~after])
        late.append(scaled[after])
    if sum(map(len, (*early, *late))) != count:
        return None
    return ByParity(singular, early, late)


def _images(here: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Which function, and with which sign, each is mapped to by a reflection, from values at points and their
    images."""
    sizes = [np.sqrt(np.sum(v * v, axis=1, keepdims=True)) for v in (here, there)]
    if not all(np.isfinite(s).all() and (s > 0).all() for s in sizes):
        return None
    here, there = here / sizes[0], there / sizes[1]
    alike = there @ here.T
    image = np.argmax(np.abs(alike), axis=1)
    sign = np.sign(alike[np.arange(len(alike)), image])
    same = (
        np.abs(there - sign[:, None] * here[image]).max() <= SAME
        and np.abs(sizes[1] / sizes[0][image] - 1).max() < SAME
    )
    return (image, sign) if same and len(set(image.tolist())) == len(image) else None
