"""The basis of a solution in slabs: features of space times polynomials in time, one set for each slab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Expansion, Slot, floats, from_data, register, to_data
from transnet.basis.on_domain import polynomials_from
from transnet.slabs.axes import axis_from
from transnet.slabs.records import Slabs
from transnet.slabs.space import Space, space_along
from transnet.slabs.stages import legendre_table


@dataclass(frozen=True, eq=False)
class SlabBasis:
    """u_i(x, t) = sum_(k, m) alpha_km P_k(t) phi_m(x) on each slab of time.

    Parameters
    ----------
    axis : int
        Which coordinate is time.
    unknowns : int
        How many functions there are.
    slabs : Slabs
        When they begin and end, and what is known about each.
    spaces : tuple of Space or Expansion
        The distinct features of space of each unknown: products along axes, or a basis of networks.
    which : tuple of int
        The number of the space of each slab.
    degrees : tuple of int
        The degree in time of each slab.
    """

    kind: ClassVar[str] = "slabs"

    axis: int
    unknowns: int
    slabs: Slabs
    spaces: tuple[Space | Expansion, ...]
    which: tuple[int, ...]
    degrees: tuple[int, ...]

    @cached_property
    def _offsets(self) -> np.ndarray:
        sizes = [
            (degree + 1) * self.unknowns * self.spaces[k].columns
            for k, degree in zip(self.which, self.degrees, strict=True)
        ]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(int)

    @property
    def columns(self) -> int:
        return int(self._offsets[-1])

    @property
    def neurons(self) -> int:
        """The features of the largest slab, for each unknown."""
        return max((degree + 1) * self.spaces[k].columns for k, degree in zip(self.which, self.degrees, strict=True))

    def slice_of(self, unknown: int) -> np.ndarray:
        found = []
        for k, degree, begin in zip(self.which, self.degrees, self._offsets[:-1], strict=True):
            n = self.spaces[k].columns
            numbers = begin + np.arange((degree + 1) * self.unknowns * n).reshape(degree + 1, self.unknowns, n)
            found.append(numbers[:, unknown].ravel())
        return np.concatenate(found)

    def block(self, coefficients: np.ndarray, slab: int) -> np.ndarray:
        """The coefficients of a slab: (degree + 1, unknowns, columns of space)."""
        found = coefficients[self._offsets[slab] : self._offsets[slab + 1]]
        return found.reshape(self.degrees[slab] + 1, self.unknowns, -1, *coefficients.shape[1:])

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points of the domain for each slot (i, k)."""
        times, places = points[:, self.axis], np.delete(points, self.axis, axis=1)
        found = self.slabs.find(times)
        trailing = coefficients.shape[1:]
        out = [np.zeros((len(points), *trailing)) for _ in slots]
        for k in np.unique(found):
            here = np.flatnonzero(found == k)
            record, space, degree = self.slabs[int(k)], self.spaces[self.which[k]], self.degrees[k]
            block = self.block(coefficients, int(k))
            tau = record.end - record.begin
            local = 2 * (times[here] - record.begin) / tau - 1
            profiles: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}
            tables: dict[int, np.ndarray] = {}
            for j, (unknown, index) in enumerate(slots):
                order, rest = index[self.axis], index[: self.axis] + index[self.axis + 1 :]
                if (unknown, rest) not in profiles:
                    profiles[unknown, rest] = _in_space(space, block[:, unknown], places[here], rest)
                if order not in tables:
                    tables[order] = legendre_table(local, degree, order) * (2 / tau) ** order
                out[j][here] = np.einsum("nk,nk...->n...", tables[order], profiles[unknown, rest])
        return out

    def summary(self) -> str:
        """The features in one line of a report."""
        widest = max(s.columns for s in self.spaces)
        space = f"{widest} features of space times " if widest > 1 else ""
        return f"{len(self.slabs)} slabs of time, {space}polynomials of degree {max(self.degrees)}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}slabs"] = self.slabs.table()
        return {
            "axis": self.axis,
            "unknowns": self.unknowns,
            "spaces": [
                [a.stored() for a in s.axes] if isinstance(s, Space) else to_data(s, arrays, f"{prefix}space{k}_")
                for k, s in enumerate(self.spaces)
            ],
            "which": list(self.which),
            "degrees": list(self.degrees),
        }


def _in_space(
    space: Space | Expansion, coefficients: np.ndarray, places: np.ndarray, index: tuple[int, ...]
) -> np.ndarray:
    """A space derivative of functions with coefficients (k, columns, ...) at places: (n, k, ...)."""
    if isinstance(space, Space):
        return space.values(coefficients, places, index)
    several = np.moveaxis(coefficients, 1, 0)
    found = space.derivatives(several.reshape(len(several), -1), places, [(0, index)])[0]
    return found.reshape(len(places), *several.shape[1:])


def _space_from(data: Any, arrays: Mapping[str, np.ndarray], prefix: str) -> Space | Expansion:
    if isinstance(data, Mapping):
        return from_data(data, arrays, prefix)
    return space_along([polynomials_from(a) if a["kind"] == "region" else axis_from(a) for a in data])


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> SlabBasis:
    slabs = Slabs.from_table(floats(arrays, f"{prefix}slabs"))
    which, degrees = tuple(map(int, data["which"])), tuple(map(int, data["degrees"]))
    spaces = tuple(_space_from(part, arrays, f"{prefix}space{k}_") for k, part in enumerate(data["spaces"]))
    if not len(slabs) == len(which) == len(degrees) or not all(0 <= k < len(spaces) for k in which):
        raise ValueError("the numbers of its slabs differ")
    return SlabBasis(int(data["axis"]), int(data["unknowns"]), slabs, spaces, which, degrees)


register(SlabBasis.kind, _read)
