"""The basis of a solution on a box: products of polynomials, or of waves where it is periodic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, register
from transnet.counts import AT_ONCE
from transnet.slabs.axes import axis_from
from transnet.slabs.space import Space


@dataclass(frozen=True, eq=False)
class BoxBasis:
    """u_i(x) = sum_m alpha_m phi_m(x), phi_m products of features along the axes, the same for every unknown."""

    kind: ClassVar[str] = "box"
    noun: ClassVar[str] = "products"

    unknowns: int
    space: Space

    @property
    def columns(self) -> int:
        return self.unknowns * self.space.columns

    @property
    def neurons(self) -> int:
        """The features of each unknown."""
        return self.space.columns

    def slice_of(self, unknown: int) -> slice:
        n = self.space.columns
        return slice(unknown * n, (unknown + 1) * n)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points of the domain for each slot (i, k)."""
        along = [np.unique(points[:, a], return_inverse=True) for a in range(points.shape[1])]
        if points.shape[1] > 1 and np.prod([float(len(values)) for values, _ in along]) <= len(points):
            return self._on_grid(coefficients, along, slots)
        out = [np.zeros((len(points), *coefficients.shape[1:])) for _ in slots]
        axes = self.space.axes
        shape = [a.columns for a in axes]
        width = self.space.columns // shape[0] * max(1, int(np.prod(coefficients.shape[1:])))
        step = max(1, AT_ONCE // width)
        for begin in range(0, len(points), step):
            here = slice(begin, begin + step)
            wanted = {(a, k) for _, index in slots for a, k in enumerate(index)}
            tables = {(a, k): axes[a].matrix(points[here, a], k) for a, k in wanted}
            first: dict[tuple[int, int], np.ndarray] = {}
            for j, (unknown, index) in enumerate(slots):
                if (unknown, index[0]) not in first:
                    shaped = coefficients[self.slice_of(unknown)].reshape(*shape, *coefficients.shape[1:])
                    first[unknown, index[0]] = np.tensordot(tables[0, index[0]], shaped, axes=1)
                made = first[unknown, index[0]]
                for a in range(1, len(axes)):
                    made = np.einsum("nm...,nm->n...", made, tables[a, index[a]])
                out[j][here] = made
        return out

    def _on_grid(self, coefficients: np.ndarray, along: Sequence[Any], slots: Sequence[Slot]) -> list[np.ndarray]:
        """At points of a grid, which other methods ask for, one axis after the other."""
        axes, rest = self.space.axes, coefficients.shape[1:]
        found = []
        for unknown, index in slots:
            made = coefficients[self.slice_of(unknown)].reshape(*(a.columns for a in axes), *rest)
            for axis, (values, _), k in zip(axes, along, index, strict=True):
                # The first axis goes last each time: after all of them they are in order, behind the columns.
                made = np.tensordot(made, axis.matrix(values, k), axes=(0, 1))
            made = np.moveaxis(made, range(len(rest)), range(-len(rest), 0)) if rest else made
            found.append(made[tuple(place for _, place in along)])
        return found

    def summary(self) -> str:
        """The features in one line of a report."""
        counts = " x ".join(str(a.columns) for a in self.space.axes)
        return f"products of {counts} polynomials along the axes"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        return {"unknowns": self.unknowns, "axes": [a.stored() for a in self.space.axes]}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> BoxBasis:
    return BoxBasis(int(data["unknowns"]), Space(tuple(map(axis_from, data["axes"]))))


register(BoxBasis.kind, _read)
