"""A basis for many coordinates: products of cosines and sines, which are sums of plane waves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.counts import AT_ONCE
from transnet.cross.tree import Tree
from transnet.features.placement import Placement

MultiIndex = tuple[int, ...]
HIGHEST = 1_000
"""The highest degree in a file: a larger number means that it is damaged."""
DIGITS = 6
"""Bandwidths that agree to this many decimals are printed once."""


@dataclass(frozen=True, eq=False)
class Cross:
    """phi_j(y) = prod_i cos(k_i w_i y_i - p_i pi/2), p_i = j_i mod 2, k_i = (j_i + p_i) / 2, for given degrees j.

    Parameters
    ----------
    degrees : (n, d) array of int
        j, ordered so that a smaller basis consists of the first of them.
    bandwidth : (d,) array
        w.
    """

    kind: ClassVar[str] = "cross"

    degrees: np.ndarray
    bandwidth: np.ndarray
    placement: Placement

    @property
    def columns(self) -> int:
        return len(self.degrees)

    @property
    def unknowns(self) -> int:
        return 1

    @property
    def neurons(self) -> int:
        return len(self.degrees)

    def slice_of(self, unknown: int) -> slice:
        return slice(None)

    @cached_property
    def tree(self) -> Tree:
        """The degrees as a tree."""
        return Tree.of(self.degrees)

    def part(self, which: np.ndarray) -> Cross:
        """The basis of some of the degrees."""
        return Cross(self.degrees[which], self.bandwidth, self.placement)

    def tables(self, placed: np.ndarray, index: MultiIndex) -> list[np.ndarray]:
        """For each coordinate its factors in D^index by degree, (degrees, points), without the powers of even
        orders."""
        found = []
        for axis, order in enumerate(index):
            j = np.arange(int(self.degrees[:, axis].max(initial=0)) + 1)
            frequency = self.bandwidth[axis] * ((j + 1) // 2)
            angle = frequency[:, None] * placed[:, axis]
            # Odd orders turn a cosine into a sine; even ones change only its factor.
            odd = (j % 2 - order) % 2 == 1
            table = np.where(odd[:, None], np.sin(angle), np.cos(angle))
            found.append(table)
        return found

    def factors(self, index: MultiIndex) -> np.ndarray:
        """The factors of D^index of each product that `tables` leave out: (n,)."""
        parity, steps = self.degrees % 2, (self.degrees + 1) // 2
        size = np.prod((self.bandwidth * steps) ** np.array(index), axis=1) / self.placement.unit(index)
        # cos(t - p pi/2) differentiated s times is cos(t - (p - s) pi/2).
        return size * np.where(((parity - np.array(index)) % 4 // 2).sum(axis=1) % 2 == 0, 1.0, -1.0)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u at points of the domain."""
        placed = self.placement(points)
        several = coefficients.reshape(len(coefficients), -1)
        found = [np.empty((len(placed), several.shape[1])) for _ in slots]
        step = max(AT_ONCE // max(self.columns, 1), 1)
        for start in range(0, len(placed), step):
            here = slice(start, start + step)
            kinds: dict[MultiIndex, list[np.ndarray]] = {}
            for (_, index), out in zip(slots, found, strict=True):
                kind = tuple(k % 2 for k in index)
                if kind not in kinds:
                    kinds[kind] = self.tables(placed[here], kind)
                weights = self.factors(index)
                for c in range(several.shape[1]):
                    out[here, c] = self.tree.total(kinds[kind], several[:, c] * weights)
        return [f.reshape(len(placed), *coefficients.shape[1:]) for f in found]

    def write(
        self,
        out: np.ndarray,
        points: np.ndarray,
        slots: Sequence[Slot],
        coefficients: Sequence[np.ndarray],
        factor: float = 1.0,
    ) -> None:
        """Write sum_k c_k D^k phi_m at points, times the factor, into the transposed rows `out`: (columns, n)."""
        placed = self.placement(points)
        made: dict[MultiIndex, np.ndarray] = {}
        out[:] = 0.0
        for (_, index), c in zip(slots, coefficients, strict=True):
            kind = tuple(k % 2 for k in index)
            if kind not in made:
                made[kind] = self.tree.products(self.tables(placed, kind))
            if np.ndim(c) == 0:
                out += (factor * float(c) * self.factors(index))[:, None] * made[kind]
            else:
                out += self.factors(index)[:, None] * (made[kind] * (factor * np.asarray(c)))

    def summary(self) -> str:
        highest = self.degrees.max(axis=0, initial=0)
        together = int((self.degrees > 0).sum(axis=1).max(initial=0))
        band = ", ".join(f"{w:.3g}" for w in np.unique(self.bandwidth.round(DIGITS)))
        return (
            f"{self.columns} products of waves, of degrees up to {int(highest.max())} and of up to {together} "
            f"coordinates at a time, bandwidth {band}"
        )

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}degrees"], arrays[f"{prefix}bandwidth"] = self.degrees, self.bandwidth
        arrays[f"{prefix}centre"], arrays[f"{prefix}scale"] = self.placement.centre, self.placement.scale
        return {}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Cross:
    stored, bandwidth = floats(arrays, f"{prefix}degrees"), floats(arrays, f"{prefix}bandwidth")
    placement = Placement(floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}scale"))
    shape = (stored.shape[-1],)
    if stored.ndim != 2 or any(a.shape != shape for a in (bandwidth, placement.centre, placement.scale)):
        raise ValueError("the sizes of its arrays differ")
    if not ((stored >= 0) & (stored < HIGHEST) & (stored == np.round(stored))).all():
        raise ValueError("its degrees are not whole numbers")
    return Cross(stored.astype(np.int16), bandwidth, placement)


register(Cross.kind, _read)
