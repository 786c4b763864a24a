"""A field outside bodies: functions that radiate or decay, a given field far away, and numbers that are to be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.end_modes import EndModes
from transnet.basis.expansion import MultiIndex, Slot, floats, register
from transnet.basis.foci import POLE, Focus
from transnet.features.images import Images
from transnet.features.placement import Placement
from transnet.features.radiating import Radiating
from transnet.features.spherical import Spherical
from transnet.formulas import array_modules
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_expression

NEAREST = 1e-8
"""Points on the boundary are as close to a corner as its poles are, in units of their spacing elsewhere."""


PER_POLE = 0.25
"""The spacing of points in units of that of the poles beside them, which have two functions each."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A complex formula of the coordinates with its derivatives."""

    expression: sp.Expr
    coordinates: tuple[sp.Symbol, ...]
    _made: dict[MultiIndex, Any] = field(default_factory=dict)

    def derivative(self, points: np.ndarray, index: MultiIndex) -> np.ndarray:
        """D^k at points: (n, d) -> (n,), complex."""
        if index not in self._made:
            orders = [(c, k) for c, k in zip(self.coordinates, index, strict=True) if k]
            derived = sp.diff(self.expression, *orders) if orders else self.expression
            self._made[index] = sp.lambdify(self.coordinates, derived, array_modules([derived]))
        return np.broadcast_to(np.asarray(self._made[index](*points.T), dtype=complex), len(points))

    def __getstate__(self) -> dict[str, Any]:
        return {"expression": self.expression, "coordinates": self.coordinates, "_made": {}}


@dataclass(frozen=True, eq=False)
class Outside:
    """u = given + sum_j c_j far_j + sum_m a_m F_m outside bodies, with real u and a_m, or complex ones.

    A complex u has two unknowns, its real and imaginary parts, which share their columns: two for each function. Of the
    logarithms of Laplace's equation only differences decay, so that of the first body is subtracted from the others.

    Parameters
    ----------
    functions : Radiating, Spherical, Images or EndModes
    placement : Placement
        Of the window around the bodies.
    fields : tuple of int
        The number of the unknown u, or those of its real and its imaginary part.
    given : Formula
        The field far away, as far as it is known.
    numbers : dict
        For each unknown that is a number, the field that it multiplies far away.
    inwards : bool
        Whether waves run with the other sign of time: all functions are then conjugated.
    bounded : bool
        Whether this is a field inside a bounded piece, where logarithms need not decay.
    """

    kind: ClassVar[str] = "outside"

    functions: Radiating | Spherical | Images | EndModes
    placement: Placement
    fields: tuple[int, ...]
    given: Formula
    numbers: dict[int, Formula]
    inwards: bool = False
    bounded: bool = False
    _last: dict[Any, list[np.ndarray]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _mixed(self) -> tuple[np.ndarray, np.ndarray]:
        """The factors of the functions that are used, and which of them are subtracted from all logarithms."""
        orders = self.functions.index[:, -1]
        used = np.ones(len(orders), dtype=bool) if len(self.fields) == 2 else orders >= 0
        used[self._logs[:1]] = False
        real = self.functions.wavenumber.imag and len(self.fields) == 1
        return np.flatnonzero(used), self.functions.turns if real else np.ones(len(orders), dtype=complex)

    @property
    def regular(self) -> bool:
        """Whether its functions have no singularities."""
        return self.functions.regular

    @property
    def _logs(self) -> np.ndarray:
        """The logarithms of which only differences are used."""
        return self.functions.logs[: 0 if self.bounded else None]

    @cached_property
    def _twice(self) -> np.ndarray:
        """Which of the functions in use have a second column: all, or those that have an imaginary part."""
        used, _ = self._mixed
        return np.ones(len(used), dtype=bool) if len(self.fields) == 2 else self.functions.index[used, -1] > 0

    @property
    def columns(self) -> int:
        return len(self._twice) + int(self._twice.sum()) + len(self.numbers)

    @property
    def unknowns(self) -> int:
        return len(self.fields) + len(self.numbers)

    @property
    def neurons(self) -> int:
        return len(self._twice)

    noun = "functions"

    def slice_of(self, unknown: int) -> slice:
        if unknown in self.numbers:
            at = self.columns - len(self.numbers) + list(self.numbers).index(unknown)
            return slice(at, at + 1)
        return slice(0, self.columns)

    @cached_property
    def foci(self) -> list[Focus]:
        """Where functions are singular."""
        centres, radii = self.functions.centres, self.functions.radii
        if centres.shape[1] == 3:
            return []  # points are spread evenly over surfaces
        away = np.hypot(*(centres[:, None] - centres).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        gammas = np.minimum(POLE / np.maximum(self.functions.orders[:, 1], 2), PER_POLE * away.min(axis=1) / radii)
        return [Focus(c, np.zeros(2), gamma, nearest=NEAREST) for c, gamma in zip(centres, gammas, strict=True)]

    def field(self, points: np.ndarray, indices: Sequence[MultiIndex]) -> list[np.ndarray]:
        """D^k u for each column at points: (columns, n) each, complex; not to be written to.

        The real and the imaginary part of a condition ask for the same.
        """
        key = (points.tobytes(), *indices)
        if key not in self._last:
            self._last.clear()
            self._last[key] = self._field(points, indices)
        return self._last[key]

    def _field(self, points: np.ndarray, indices: Sequence[MultiIndex]) -> list[np.ndarray]:
        used, turns = self._mixed
        found = []
        for index, values in zip(indices, self.functions.derivatives(points, list(indices)), strict=True):  # type: ignore[arg-type]
            values *= turns[:, None]
            logs = self._logs
            if len(logs):
                values[logs] -= values[logs[0]]
            mine = values[used]
            second = 1j * mine if len(self.fields) == 2 else mine.imag[self._twice]
            first = mine if len(self.fields) == 2 else mine.real
            both = np.concatenate([first, second])
            both = both.conj() if self.inwards else both
            more = [f.derivative(points, index)[None] for f in self.numbers.values()]
            found.append(np.concatenate([both, *more]))
        return found

    def features(self, points: np.ndarray) -> list[np.ndarray]:
        """The values of all columns at points, of the parts of the field below each other: (fields n, columns)."""
        values = self.field(points, [(0,) * points.shape[1]])[0]
        parts = [values.real, values.imag][: len(self.fields)]
        return [np.concatenate(parts, axis=1).T]

    def fixed(self, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """What the field far away contributes to each slot."""
        return [self._part(number, self.given.derivative(points, index)) for number, index in slots]

    def _part(self, number: int, values: np.ndarray) -> np.ndarray:
        """The real or the imaginary part of a field, whichever an unknown is; nothing for a number."""
        if number in self.numbers:
            return np.zeros(values.shape)
        return values.imag if self.fields.index(number) else values.real

    def write(
        self, out: np.ndarray, points: np.ndarray, slots: Sequence[Slot], coefficients: Sequence[np.ndarray]
    ) -> None:
        """Write sum_k c_k D^k phi_m at points into the transposed rows `out`: (columns, n)."""
        out[:] = 0.0
        indices = list(dict.fromkeys(index for number, index in slots if number in self.fields))
        made = dict(zip(indices, self.field(points, indices), strict=True))
        for (number, index), c in zip(slots, coefficients, strict=True):
            if number in self.numbers:
                out[self.slice_of(number)] += c
            else:
                out += c * self._part(number, made[index])

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        indices = list(dict.fromkeys(index for number, index in slots if number in self.fields))
        made = dict(zip(indices, self._summed(coefficients, points, indices), strict=True))
        found = []
        for number, index in slots:
            if number in self.numbers:
                shape = (len(points), *coefficients.shape[1:])
                found.append(np.broadcast_to(coefficients[self.slice_of(number)][0], shape).copy())
                continue
            fixed = self._part(number, self.given.derivative(points, index))
            total = self._part(number, made[index])
            found.append(total + (fixed if total.ndim == 1 else fixed[:, None]))
        return found

    def factors(self, coefficients: np.ndarray) -> np.ndarray:
        """The complex factors (F, c) of all functions in a field, or in one that has it as its real part."""
        used, turns = self._mixed
        first, second = coefficients[: len(used)].reshape(len(used), -1), coefficients[len(used) :]
        factors = np.zeros((len(turns), first.shape[1]), dtype=complex)
        factors[used] = first
        factors[used[self._twice]] += (1j if len(self.fields) == 2 else -1j) * second[: self._twice.sum()].reshape(
            -1, first.shape[1]
        )
        logs = self._logs
        if len(logs):
            factors[logs[0]] = -factors[logs[1:]].sum(axis=0)
        return factors * turns[:, None]

    def _summed(self, coefficients: np.ndarray, points: np.ndarray, indices: Sequence[MultiIndex]) -> list[np.ndarray]:
        """D^k u without the field that is given far away: complex, or with that as its real part."""
        found = []
        numbers = coefficients[self.columns - len(self.numbers) :]
        totals = self.functions.summed(points, list(indices), self.factors(coefficients))  # type: ignore[arg-type]
        for index, total in zip(indices, totals, strict=True):
            value = (total.conj() if self.inwards else total).reshape(len(points), *coefficients.shape[1:])
            for f, c in zip(self.numbers.values(), numbers, strict=True):
                value = value + np.multiply.outer(f.derivative(points, index), c)
            found.append(value)
        return found

    def far_field(self, coefficients: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """f of the waves f exp(i k r) / sqrt(r) or f exp(i k r) / r far away, without those that are given."""
        functions: Any = self.functions
        found = np.asarray(np.tensordot(self.factors(coefficients)[:, 0], functions.far(directions), 1))
        return found.conj() if self.inwards else found

    def summary(self) -> str:
        return f"{self.neurons} functions around {len(self.functions.radii)} centres"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        arrays[f"{prefix}centres"], arrays[f"{prefix}radii"] = self.functions.centres, self.functions.radii
        arrays[f"{prefix}orders"] = self.functions.orders
        arrays[f"{prefix}centre"], arrays[f"{prefix}scale"] = self.placement.centre, self.placement.scale
        k = complex(self.functions.wavenumber)
        return {
            "wavenumber": [k.real, k.imag],
            "fields": list(self.fields),
            "inwards": self.inwards,
            "bounded": self.bounded,
            "regular": self.regular,
            "coordinates": [c.name for c in self.given.coordinates],
            "given": text_of_expression(self.given.expression),
            "numbers": [[n, text_of_expression(f.expression)] for n, f in self.numbers.items()],
            **({"groups": self.functions.stored()} if isinstance(self.functions, Images) else {}),
            **({"modes": self.functions.stored()} if isinstance(self.functions, EndModes) else {}),
        }


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Outside:
    coordinates = {name: sp.Symbol(name, real=True) for name in data["coordinates"]}
    names = Names(coordinates, {}, {}, {})

    def read(text: str) -> Formula:
        return Formula(formula(text, names).expression, tuple(coordinates.values()))

    wavenumber = complex(*data["wavenumber"])
    if "modes" in data:
        functions: Any = EndModes.read(wavenumber, data["modes"])
    else:
        functions = _functions(
            wavenumber, *(floats(arrays, f"{prefix}{name}") for name in ("centres", "radii", "orders"))
        )
    if "groups" in data:
        functions = Images.read(functions, data["groups"])
    placement = Placement(floats(arrays, f"{prefix}centre"), floats(arrays, f"{prefix}scale"))
    numbers = {int(n): read(text) for n, text in data["numbers"]}
    fields = tuple(int(n) for n in data["fields"])
    if len(fields) not in (1, 2):
        raise ValueError("a field has one or two parts")
    if data.get("regular") and "modes" not in data:
        functions = replace(functions, regular=True)
    bounded = bool(data.get("bounded", False))
    return Outside(functions, placement, fields, read(data["given"]), numbers, bool(data["inwards"]), bounded)


def _functions(
    wavenumber: complex, centres: np.ndarray, radii: np.ndarray, orders: np.ndarray
) -> Radiating | Spherical:
    return (Spherical if centres.shape[-1] == 3 else Radiating)(wavenumber, centres, radii, orders.astype(int))


register(Outside.kind, _read)
