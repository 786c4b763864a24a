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
    """A condition sum_k a_k D^k u = g on a face, D the derivative along its axis in units of half of it.

    Parameters
    ----------
    number : int
        The unknown.
    end : int
        0 or 1.
    slots : dict
        The slot of the condition for each k.
    divisor : int
        The k by whose coefficient the condition is divided.
    mean : tuple
        The means of a_k after that division: the features' condition.
    fixed : bool
        Whether they are the same on the whole face.
    """

    side: Side
    number: int
    axis: int
    end: int
    slots: dict[int, int]
    divisor: int
    mean: tuple[float, ...]
    fixed: bool


def mesh(parts: Sequence[np.ndarray]) -> np.ndarray:
    """All combinations of coordinates, the last fastest: (m, d)."""
    return np.stack([m.ravel() for m in np.meshgrid(*parts, indexing="ij")], axis=1)


def faces_of(steady: Steady, numbers: Sequence[Any]) -> list[BoxFace] | None:
    """The conditions, for each unknown half of the order of the equations on each face that is not periodic.

    None if they are of another kind.
    """
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
            if sum(index) != index[side.axis] or sum(index) >= steady.order:
                return None
            slots[sum(index)] = j
        half = 0.5 * float((high - low)[side.axis])
        scaled = {k: factors[j] / half**k for k, j in slots.items()}
        least = {k: float(np.abs(c).min()) for k, c in scaled.items()}
        divisor = max(least, key=lambda k: least[k], default=0)
        if not least.get(divisor, 0.0) > 0.0:
            return None
        ratios = {k: c / scaled[divisor] for k, c in scaled.items()}
        mean = tuple(float(np.mean(ratios[k])) if k in ratios else 0.0 for k in range(steady.order))
        fixed = all(np.ptp(r) <= ROUNDED * np.abs(r).max(initial=1.0) for r in ratios.values())
        found.append(BoxFace(side, equation.slots[0][0], side.axis, int(side.sign > 0), slots, divisor, mean, fixed))
    stated = sorted((f.number, f.axis, f.end) for f in found)
    free, each = [a for a in range(d) if a not in steady.periodic], range(steady.order // 2)
    return found if stated == [(u, a, e) for u in range(unknowns) for a in free for e in (0, 1) for _ in each] else None


def _factors(equation: Any, points: np.ndarray, side: Side, numbers: Sequence[Any]) -> list[np.ndarray]:
    normals = np.zeros_like(points)
    normals[:, side.axis] = side.sign
    return [np.broadcast_to(c, len(points)) for c in equation.jacobian(points, normals, tuple(numbers))]


def bases_of(steady: Steady, faces: Sequence[BoxFace], degrees: Sequence[int]) -> list[list[AxisBasis]]:
    """The features of each unknown along each axis."""
    ends: dict[tuple[int, int], list[tuple[int, tuple[float, ...]]]] = {}
    for face in sorted(faces, key=lambda f: f.end):
        ends.setdefault((face.number, face.axis), []).append((face.end, face.mean))
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
        self.rows: list[slice] = []
        self.given: list[np.ndarray] = []
        self.ratios: list[dict[int, np.ndarray] | None] = []
        for number, face in enumerate(self.faces):
            row = sum((f.number, f.axis) == (face.number, face.axis) for f in self.faces[:number])
            self.rows.append(slice(row, row + 1))
            lines = [
                np.array([face.side.place]) if a == face.axis else low[a] + half[a] * (1.0 + b.fit_nodes)
                for a, b in enumerate(bases[face.number])
            ]
            points, equation = mesh(lines), face.side.statement.equation
            normals = np.zeros_like(points)
            normals[:, face.axis] = face.side.sign
            right = -equation.residual(points, normals, tuple(numbers))
            factors = _factors(equation, points, face.side, numbers)
            scaled = {k: factors[j] / half[face.axis] ** k for k, j in face.slots.items()}
            self.given.append(self._coefficients(face, right / scaled[face.divisor]))
            others = {k: c / scaled[face.divisor] - face.mean[k] for k, c in scaled.items() if k != face.divisor}
            self.ratios.append(None if face.fixed else others)

    def _tables(self, face: BoxFace, kind: str) -> list[np.ndarray]:
        one = np.ones((1, 1))
        return [one if a == face.axis else getattr(b, kind) for a, b in enumerate(self.bases[face.number])]

    def _coefficients(self, face: BoxFace, values: np.ndarray) -> np.ndarray:
        return along_axes(values, self._tables(face, "fit"))

    def wanted(self, whole: list[np.ndarray]) -> list[np.ndarray]:
        """What the features' conditions must have as values on each face, for coefficients of all features."""
        return [g - s for g, s in zip(self.given, self.strays(whole), strict=True)]

    def strays(self, whole: list[np.ndarray]) -> list[np.ndarray]:
        """The part of each condition that the features' conditions, which are constant on a face, do not have."""
        found = []
        for face, ratios, g in zip(self.faces, self.ratios, self.given, strict=True):
            total = np.zeros_like(g)
            for k, ratio in (ratios or {}).items():
                end = np.array([2.0 * face.end - 1.0])
                tables = [
                    b.features.matrix(end, k) if a == face.axis else b.features.matrix(b.fit_nodes, 0)
                    for a, b in enumerate(self.bases[face.number])
                ]
                total = total + self._coefficients(face, ratio * along_axes(whole[face.number].ravel(), tables))
            found.append(total)
        return found

    def lifted(self, values: Sequence[np.ndarray]) -> list[np.ndarray]:
        """For each unknown the coefficients of a function whose conditions have these values."""
        found = []
        for u, mine in enumerate(self.bases):
            total = np.zeros(int(np.prod(self.shape)))
            for axis, basis in enumerate(mine):
                for face, row, value in zip(self.faces, self.rows, values, strict=True):
                    if face.number != u or face.axis != axis:
                        continue
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
        for face, row, value in zip(self.faces, self.rows, self.wanted(whole), strict=True):
            tables = [np.eye(n) for n in self.shape]
            tables[face.axis] = self.bases[face.number][face.axis].conditions[row]
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
