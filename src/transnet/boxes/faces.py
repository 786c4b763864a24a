"""The conditions on the faces of a box: what they ask of the features along each axis, and values extended inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.boxes.axis import AxisBasis, axis_basis
from transnet.boxes.statement import Steady
from transnet.slabs.axes import Fourier, Polynomials
from transnet.slabs.evolution import Side
from transnet.slabs.space import along_axes
from transnet.tolerances import ROUNDED

LOOKED_AT = 9
"""Points along each axis of a face at which the coefficients of a condition are compared."""


@dataclass(frozen=True, eq=False)
class BoxFace:
    """A condition a u' + b u = g on a face, u' the derivative along its axis in units of half of it.

    Parameters
    ----------
    number : int
        The unknown.
    end : int
        0 or 1.
    divisor : int
        The slot whose coefficient is one after a division: that of u', or that of u.
    mean : tuple
        (alpha, beta) of the features' condition: the means of a and b after that division.
    fixed : bool
        Whether a / b is the same on the whole face.
    """

    side: Side
    number: int
    axis: int
    end: int
    slots: dict[int, int]
    divisor: int
    mean: tuple[float, float]
    fixed: bool


def mesh(parts: Sequence[np.ndarray]) -> np.ndarray:
    """All combinations of coordinates, the last fastest: (m, d)."""
    return np.stack([m.ravel() for m in np.meshgrid(*parts, indexing="ij")], axis=1)


def faces_of(steady: Steady, numbers: Sequence[Any]) -> list[BoxFace] | None:
    """The conditions, one for each unknown on each face that is not periodic; None if they are of another kind."""
    low, high = steady.bounds
    d, unknowns = len(low), len(steady.problem.unknowns)
    found: list[BoxFace] = []
    for side in steady.sides:
        equation = side.statement.equation
        if not equation.linear or len({number for number, _ in equation.slots}) != 1:
            return None
        between = (np.arange(LOOKED_AT) + 0.5) / LOOKED_AT
        lines = [np.array([side.place]) if a == side.axis else low[a] + (high - low)[a] * between for a in range(d)]
        points = mesh(lines)
        factors = _factors(equation, points, side, numbers)
        slots: dict[int, int] = {}
        for j, (_, index) in enumerate(equation.slots):
            if not np.any(factors[j]):
                continue
            if sum(index) != index[side.axis] or sum(index) > 1:
                return None
            slots[sum(index)] = j
        half = 0.5 * float((high - low)[side.axis])
        a, b = (factors[slots[k]] if k in slots else np.zeros(len(points)) for k in (1, 0))
        a = a / half
        divisor = 1 if np.abs(a).min() > 0 else 0
        over = a if divisor else b
        if np.abs(over).min() == 0:
            return None
        ratio = b / a if divisor else a / b
        mean = float(np.mean(ratio))
        fixed = bool(np.ptp(ratio) <= ROUNDED * np.abs(ratio).max(initial=1.0))
        number = equation.slots[0][0]
        pair = (1.0, mean) if divisor else (mean, 1.0)
        found.append(BoxFace(side, number, side.axis, int(side.sign > 0), slots, divisor, pair, fixed))
    stated = sorted((f.number, f.axis, f.end) for f in found)
    free = [a for a in range(d) if a not in steady.periodic]
    return found if stated == [(u, a, e) for u in range(unknowns) for a in free for e in (0, 1)] else None


def _factors(equation: Any, points: np.ndarray, side: Side, numbers: Sequence[Any]) -> list[np.ndarray]:
    normals = np.zeros_like(points)
    normals[:, side.axis] = side.sign
    return [np.broadcast_to(c, len(points)) for c in equation.jacobian(points, normals, tuple(numbers))]


def bases_of(steady: Steady, faces: Sequence[BoxFace], degrees: Sequence[int]) -> list[list[AxisBasis]]:
    """The features of each unknown along each axis."""
    ends: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for face in sorted(faces, key=lambda f: f.end):
        ends.setdefault((face.number, face.axis), []).append(face.mean)
    count = len(steady.problem.unknowns)
    return [[axis_basis(degree, tuple(ends.get((u, a), ()))) for a, degree in enumerate(degrees)] for u in range(count)]


class FaceData:
    """The conditions at the points of faces for given features.

    Parameters
    ----------
    bases : list
        By unknown and axis.
    low, half : (d,) arrays
        The lower corner of the box and its half lengths.
    """

    def __init__(
        self,
        faces: Sequence[BoxFace],
        bases: list[list[AxisBasis]],
        low: np.ndarray,
        half: np.ndarray,
        numbers: Sequence[Any],
    ) -> None:
        self.faces, self.bases = sorted(faces, key=lambda f: (f.axis, f.end)), bases
        self.shape = tuple(b.features.columns for b in bases[0])
        self.given: list[np.ndarray] = []
        self.ratios: list[np.ndarray | None] = []
        for face in self.faces:
            mine = bases[face.number]
            lines = [
                np.array([face.side.place]) if a == face.axis else low[a] + half[a] * (1.0 + b.fit_nodes)
                for a, b in enumerate(mine)
            ]
            points, equation = mesh(lines), face.side.statement.equation
            normals = np.zeros_like(points)
            normals[:, face.axis] = face.side.sign
            right = -equation.residual(points, normals, tuple(numbers))
            factors = _factors(equation, points, face.side, numbers)
            scale = [1.0, half[face.axis]]
            over = factors[face.slots[face.divisor]] / scale[face.divisor]
            self.given.append(self._coefficients(face, right / over))
            other = 1 - face.divisor
            if face.fixed or other not in face.slots:
                self.ratios.append(None)
            else:
                mean = face.mean[1] if face.divisor else face.mean[0]
                self.ratios.append(factors[face.slots[other]] / scale[other] / over - mean)

    def _tables(self, face: BoxFace, kind: str) -> list[np.ndarray]:
        one = np.ones((1, 1))
        return [one if a == face.axis else getattr(b, kind) for a, b in enumerate(self.bases[face.number])]

    def _coefficients(self, face: BoxFace, values: np.ndarray) -> np.ndarray:
        return along_axes(values, self._tables(face, "fit"))

    def wanted(self, whole: list[np.ndarray] | None) -> list[np.ndarray]:
        """What the features' conditions must have as values on each face, for coefficients of all features."""
        if whole is None:
            return list(self.given)
        return [g - s for g, s in zip(self.given, self.strays(whole), strict=True)]

    def strays(self, whole: list[np.ndarray]) -> list[np.ndarray]:
        """The part of each condition that the features' conditions, which are constant on a face, do not have."""
        found = []
        for face, ratio, g in zip(self.faces, self.ratios, self.given, strict=True):
            if ratio is None:
                found.append(np.zeros_like(g))
                continue
            mine = self.bases[face.number]
            end = np.array([2.0 * face.end - 1.0])
            tables = [
                b.features.matrix(end, 1 - face.divisor) if a == face.axis else b.features.matrix(b.fit_nodes, 0)
                for a, b in enumerate(mine)
            ]
            found.append(self._coefficients(face, ratio * along_axes(whole[face.number].ravel(), tables)))
        return found

    @property
    def fixed(self) -> bool:
        return all(r is None for r in self.ratios)

    def lifted(self, values: Sequence[np.ndarray]) -> list[np.ndarray]:
        """For each unknown the coefficients of a function whose conditions have these values."""
        found = []
        for u, mine in enumerate(self.bases):
            total = np.zeros(int(np.prod(self.shape)))
            for axis, basis in enumerate(mine):
                for face, value in zip(self.faces, values, strict=True):
                    if face.number != u or face.axis != axis:
                        continue
                    row = slice(face.end, face.end + 1)
                    tables = [np.eye(n) for n in self.shape]
                    tables[axis] = basis.conditions[row]
                    missing = value - along_axes(total, tables)
                    if not np.any(missing):
                        continue
                    tables = [b.freed if a < axis else np.eye(len(b.lift)) for a, b in enumerate(mine)]
                    tables[axis] = basis.lift[:, row]
                    total = total + along_axes(missing, tables)
            found.append(total.reshape(self.shape))
        return found

    def unfulfilled(self, whole: list[np.ndarray]) -> list[np.ndarray]:
        """What is left of each condition: corners whose data contradict each other."""
        found = []
        for face, value in zip(self.faces, self.wanted(whole), strict=True):
            tables = [np.eye(n) for n in self.shape]
            tables[face.axis] = self.bases[face.number][face.axis].conditions[face.end : face.end + 1]
            found.append(value - along_axes(whole[face.number].ravel(), tables))
        return found


def axes_of(bases: Sequence[AxisBasis], low: np.ndarray, half: np.ndarray) -> tuple[Polynomials | Fourier, ...]:
    """The same features on the axes of the box."""
    return tuple(
        Fourier(float(a), float(a + 2 * h), b.features.modes)
        if isinstance(b.features, Fourier)
        else Polynomials((float(a), float(a + 2 * h)), b.features.degree)
        for b, a, h in zip(bases, low, half, strict=True)
    )
