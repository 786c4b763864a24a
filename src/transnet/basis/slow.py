"""A slow flow outside bodies in space: harmonic functions that decay, from which it follows (Papkovich, Neuber).

With harmonic f_1, f_2, f_3 and g

    v = grad(x.f + g) - 2 f,   p = 2 mu div f

satisfy mu Laplace(v) = grad p and div v = 0. The place x is taken from the centre of each function, so bodies that are
far from the origin keep their digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.expansion import MultiIndex, Slot, floats, register
from transnet.basis.foci import Focus
from transnet.basis.outside import Formula
from transnet.features.placement import Placement
from transnet.features.spherical import Spherical
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression


@dataclass(frozen=True, eq=False)
class SlowFlow:
    """A given flow far away, and columns for the real and imaginary parts of the functions in f_1, f_2, f_3 and g.

    Parameters
    ----------
    functions : Spherical
        With the wave number zero.
    placement : Placement
        Of the window around the bodies.
    fields : tuple of int
        The numbers of the components of the velocity in the order of the coordinates, and of the pressure.
    given : tuple of Formula
        The flow far away: velocity and pressure.
    viscosity : float
        mu, with mu Laplace(v) = grad p.
    """

    kind: ClassVar[str] = "slow flow"
    noun: ClassVar[str] = "functions"
    unknowns: ClassVar[int] = 4

    functions: Spherical
    placement: Placement
    fields: tuple[int, ...]
    given: tuple[Formula, ...]
    viscosity: float

    @cached_property
    def _parts(self) -> tuple[np.ndarray, np.ndarray]:
        """The functions that have a real and an imaginary part of their own."""
        m = self.functions.index[:, -1]
        return np.flatnonzero(m >= 0), np.flatnonzero(m > 0)

    @property
    def neurons(self) -> int:
        return sum(map(len, self._parts))

    @property
    def columns(self) -> int:
        return 4 * self.neurons

    @property
    def foci(self) -> list[Focus]:
        return []

    def slice_of(self, unknown: int) -> slice:
        return slice(0, self.columns)

    def _written(self, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k of the unknowns for every column at points: (columns, n) each."""
        needed: dict[MultiIndex, int] = {}
        for number, index in slots:
            axis = self.fields.index(number)
            steps = [axis] if axis < 3 else [0, 1, 2]
            lowered = [index, *(_added(index, j, -1) for j in range(3) if index[j])]
            for i in (*lowered, *(_added(i, j, 1) for i in lowered for j in steps)):
                needed.setdefault(i, len(needed))
        real, imaginary = self._parts
        made = {}
        for index, values in zip(needed, self.functions.derivatives(points, list(needed)), strict=True):
            made[index] = np.concatenate([values[real].real, values[imaginary].imag])
        centres = self.functions.centres[self.functions.index[np.concatenate(self._parts), 0]]
        return [self._field(points.T[:, None] - centres.T[:, :, None], made, *slot) for slot in slots]

    def _field(
        self, away: np.ndarray, made: dict[MultiIndex, np.ndarray], number: int, index: MultiIndex
    ) -> np.ndarray:
        axis, zero = self.fields.index(number), np.zeros_like(made[index])
        if axis == 3:
            return 2.0 * self.viscosity * np.concatenate([*(made[_added(index, j, 1)] for j in range(3)), zero])
        found = []
        for j in range(3):  # v_i has x_j d_i f_j - f_i, and D^k (x_j h) = x_j D^k h + k_j D^(k - e_j) h
            column = away[j] * made[_added(index, axis, 1)]
            if index[j]:
                column = column + index[j] * made[_added(_added(index, j, -1), axis, 1)]
            found.append(column - made[index] if j == axis else column)
        return np.concatenate([*found, made[_added(index, axis, 1)]])

    def features(self, points: np.ndarray) -> list[np.ndarray]:
        """The values of all columns at points, those of the unknowns below each other: (4 n, columns)."""
        return [np.concatenate(self._written(points, [(k, (0, 0, 0)) for k in range(4)]), axis=1).T]

    def fixed(self, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """What the flow far away contributes to each slot."""
        return [self.given[self.fields.index(n)].derivative(points, index).real for n, index in slots]

    def write(
        self, out: np.ndarray, points: np.ndarray, slots: Sequence[Slot], coefficients: Sequence[np.ndarray]
    ) -> None:
        """Write sum_k c_k D^k phi_m at points into the transposed rows `out`: (columns, n)."""
        out[:] = 0.0
        for values, c in zip(self._written(points, slots), coefficients, strict=True):
            out += c * values

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        found = []
        for values, fixed in zip(self._written(points, slots), self.fixed(points, slots), strict=True):
            total = values.T @ coefficients
            found.append(total + (fixed if total.ndim == 1 else fixed[:, None]))
        return found

    def summary(self) -> str:
        return f"{self.neurons} harmonic functions around {len(self.functions.radii)} centres in four potentials"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}centres"], arrays[f"{prefix}radii"] = self.functions.centres, self.functions.radii
        arrays[f"{prefix}orders"] = self.functions.orders
        arrays[f"{prefix}centre"], arrays[f"{prefix}scale"] = self.placement.centre, self.placement.scale
        return {
            "fields": list(self.fields),
            "viscosity": self.viscosity,
            "coordinates": [c.name for c in self.given[0].coordinates],
            "given": [text_of_expression(f.expression) for f in self.given],
        }


def _added(index: MultiIndex, axis: int, step: int) -> MultiIndex:
    return tuple(k + step * (axis == j) for j, k in enumerate(index))


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> SlowFlow:
    coordinates = {name: sp.Symbol(name, real=True) for name in data["coordinates"]}
    names = Names(coordinates, {}, {}, {})
    given = tuple(Formula(formula(text, names).expression, tuple(coordinates.values())) for text in data["given"])
    centres, radii, orders = (floats(arrays, f"{prefix}{key}") for key in ("centres", "radii", "orders"))
    placement = Placement(floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}scale"))
    fields = tuple(int(n) for n in data["fields"])
    if sorted(fields) != [0, 1, 2, 3] or len(given) != 4:
        raise ValueError("a flow has three velocities and a pressure")
    functions = Spherical(0.0, centres, radii, orders.astype(int))
    return SlowFlow(functions, placement, fields, given, float(data["viscosity"]))


register(SlowFlow.kind, _read)
