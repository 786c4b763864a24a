"""Interpolation between the times of a march, and fields that are followed through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from transnet.arrays import constant
from transnet.basis.expansion import Expansion, Slot, floats, from_data, register, to_data
from transnet.errors import ProblemError
from transnet.tolerances import BESIDE

STENCIL = 4
"""Times between which is interpolated: cubic polynomials, of the order of the steps."""


@dataclass(frozen=True, eq=False)
class Times:
    """Increasing times."""

    values: np.ndarray

    def around(self, times: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """For each time the numbers (n, m) of those around it, and the weights of the interpolant and of its slope."""
        m = min(STENCIL, len(self.values))
        first = np.clip(np.searchsorted(self.values, times) - (m + 1) // 2, 0, len(self.values) - m)
        which = first[:, None] + np.arange(m)
        nodes = self.values[which]
        value, slope = np.ones((len(times), m)), np.zeros((len(times), m))
        for k in range(m):
            for j in (j for j in range(m) if j != k):
                gap = nodes[:, k] - nodes[:, j]
                slope[:, k] = slope[:, k] * (times - nodes[:, j]) / gap + value[:, k] / gap
                value[:, k] *= (times - nodes[:, j]) / gap
        return which, (value, slope)


@dataclass(frozen=True, eq=False)
class Followed:
    """u(x, t): sums of expansions in space at some times, interpolated in time.

    Parameters
    ----------
    times : Times
    bases, weights : for each time the expansions and their factors
    """

    kind: ClassVar[str] = "followed"

    times: Times
    bases: tuple[tuple[Expansion, ...], ...]
    weights: tuple[tuple[float, ...], ...]

    @property
    def columns(self) -> int:
        return sum(b.columns for own in self.bases for b in own)

    @property
    def unknowns(self) -> int:
        return self.bases[0][0].unknowns

    @property
    def neurons(self) -> int:
        return max(b.neurons for own in self.bases for b in own)

    @property
    def noun(self) -> str:
        """What `neurons` counts."""
        return getattr(self.bases[-1][0], "noun", "neurons")

    def slice_of(self, unknown: int) -> np.ndarray:
        found, start = [], 0
        for basis in (b for own in self.bases for b in own):
            found.append(start + np.arange(basis.columns)[basis.slice_of(unknown)])
            start += basis.columns
        return np.concatenate(found)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        low, high = self.times.values[[0, -1]]
        room = BESIDE * (high - low)
        if len(points) and (points[:, -1].min() < low - room or points[:, -1].max() > high + room):
            raise ProblemError(
                f"The front was followed from {low:g} to {high:g} only. Evaluate it between these times."
            )
        if any(index[-1] > 1 for _, index in slots):
            raise ProblemError("Behind a front that was followed in time only first derivatives in time are known.")
        which, mixing = self.times.around(points[:, -1])
        found = [np.zeros((len(points), *coefficients.shape[1:])) for _ in slots]
        start = 0
        for k, (own, factors) in enumerate(zip(self.bases, self.weights, strict=True)):
            here = np.flatnonzero((which == k).any(axis=1))
            column = np.argmax(which[here] == k, axis=1)
            for basis, factor in zip(own, factors, strict=True):
                stop = start + basis.columns
                if len(here):
                    flat = [(number, index[:-1]) for number, index in slots]
                    made = basis.derivatives(coefficients[start:stop], points[here, :-1], flat)
                    for values, there, (_, index) in zip(found, made, slots, strict=True):
                        weight = factor * mixing[index[-1]][here, column]
                        values[here] += (weight if there.ndim == 1 else weight[:, None]) * there
                start = stop
        return found

    def summary(self) -> str:
        return f"{len(self.bases)} times; at the last {self.bases[-1][0].summary()}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}times"] = self.times.values
        own = [[to_data(b, arrays, f"{prefix}{k}_{j}_") for j, b in enumerate(o)] for k, o in enumerate(self.bases)]
        return {"bases": own, "weights": [list(w) for w in self.weights]}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Followed:
    bases = tuple(
        tuple(from_data(b, arrays, f"{prefix}{k}_{j}_") for j, b in enumerate(own))
        for k, own in enumerate(data["bases"])
    )
    times = floats(arrays, f"{prefix}times")
    if times.shape != (len(bases),) or not all(np.diff(times) > 0):
        raise ValueError("the times do not fit the expansions")
    return Followed(Times(constant(times)), bases, tuple(tuple(map(float, w)) for w in data["weights"]))


register(Followed.kind, _read)
