"""The equations of a steady problem at the grid of a box, and their solution in products of modes.

An unknown is a function with the values that the conditions ask for on the faces, and products of modes that fulfil
them with zero. Equations hold at as many points as there are products. With coefficients averaged over the box they are
a number, or a small matrix, for each product: that inverse preconditions a Krylov iteration for the true ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from transnet.boxes.faces import BoxFace, FaceData, axes_of, bases_of, mesh
from transnet.boxes.statement import Steady
from transnet.slabs.krylov import krylov
from transnet.slabs.space import Space, along_axes
from transnet.tolerances import PRECISION

STEPS, MEMORY = 120, 40_000_000
"""The most steps of the iteration, and numbers that its directions may have together."""
MultiIndex = tuple[int, ...]
Parts = list[np.ndarray]
"""Products of modes by unknown, and behind them the values of conditions that vary on their face."""


def differentiated(
    values: np.ndarray, tables: Sequence[Sequence[np.ndarray]], indices: Iterable[MultiIndex]
) -> dict[MultiIndex, np.ndarray]:
    """Derivatives at the grid from coefficients (n_1, ..., n_d); what indices have in common is computed once."""
    wanted = list(indices)
    found: dict[MultiIndex, np.ndarray] = {(): values}
    last = len(tables) - 1
    for axis, by_order in enumerate(tables):
        following: dict[MultiIndex, np.ndarray] = {}
        for index in wanted:
            head = index[: axis + 1]
            if head in following:
                continue
            table, before = by_order[head[-1]], found[head[:-1]]
            if axis == 0:
                made = table @ before.reshape(len(before), -1)
                following[head] = made.reshape(len(table), *before.shape[1:])
            else:
                following[head] = before @ table.T if axis == last else np.matmul(table, before)
        found = following
    return found


@dataclass(frozen=True, eq=False)
class Linearised:
    """The linearised equations at an iterate, each divided by how its coefficients vary.

    Parameters
    ----------
    factors : list
        The coefficient of each slot of each equation.
    inverse : array
        Of the averaged equations for each product of modes.
    exact : bool
        Whether the averaged ones are all there is.
    growth : float
        The terms of the averaged equations over what is left of them, where they cancel most.
    weights : (rows,) array
        What the rows are multiplied by.
    """

    system: BoxEquations
    factors: list[list[np.ndarray | float]]
    inverse: np.ndarray
    exact: bool
    growth: float
    weights: np.ndarray

    def applied(self, x: np.ndarray) -> np.ndarray:
        system = self.system
        parts = system.parts_of(x)
        rows = [r.ravel() for r in self._rows(system.state(parts, lifted=None))]
        return np.concatenate([*rows, *system.stray_rows(parts)])

    def _rows(self, state: list[list[np.ndarray]]) -> Parts:
        found = []
        for factors, slots in zip(self.factors, state, strict=True):
            total: Any = 0.0
            for c, s in zip(factors, slots, strict=True):
                if not (isinstance(c, float) and c == 0.0):
                    total = total + c * s
            found.append(total)
        return found

    def _matrix(self) -> np.ndarray:
        """The equations on a line as a matrix."""
        system = self.system
        blocks = [[np.zeros((system.sizes[0],) * 2) for _ in range(system.unknowns)] for _ in self.factors]
        for made, s, factors, scales in zip(blocks, system.steady.equations, self.factors, system.scales, strict=True):
            for (number, (order,)), c, scale in zip(s.equation.slots, factors, scales, strict=True):
                made[number] += scale * np.reshape(c, (-1, 1)) * system.bases[number][0].tables[order]
        return np.block(blocks)

    def averaged(self, rows: np.ndarray) -> np.ndarray:
        """The solution of the averaged equations."""
        system = self.system
        parts = system.parts_of(rows)
        count = system.unknowns
        inside, faces = parts[:count], parts[count:]
        if any(np.any(f) for f in faces):
            behind = [np.zeros_like(p) for p in inside]
            lifted = self._rows(system.state([*behind, *faces], lifted=None))
            inside = [r - m for r, m in zip(inside, lifted, strict=True)]
        modal = [along_axes(inside[e].ravel(), [b.read for b in system.bases[u]]) for e, u in enumerate(system.owners)]
        if count == 1:
            solved = [modal[0] * self.inverse]
        else:
            solved = list(np.einsum("mue,em->um", self.inverse, np.array(modal)))
        return np.concatenate([*solved, *(f.ravel() for f in faces)])

    def solve(self, rows: np.ndarray, accuracy: float) -> np.ndarray:
        if self.exact:
            return self.averaged(rows)
        if len(self.system.shape) == 1:
            return np.asarray(np.linalg.solve(self._matrix(), rows))
        return krylov(self.averaged, self.applied, rows, accuracy, max(2, min(STEPS, MEMORY // len(rows))))


class BoxEquations:
    """The equations of a steady problem for features of given degrees along the axes."""

    def __init__(
        self, steady: Steady, faces: Sequence[BoxFace], degrees: Sequence[int], numbers: Sequence[Any]
    ) -> None:
        self.steady, self.degrees, self.numbers = steady, tuple(degrees), tuple(numbers)
        low, high = steady.bounds
        self.low, self.half = low, 0.5 * (high - low)
        self.bases = bases_of(steady, faces, degrees)
        self.unknowns, self.owners = len(self.bases), steady.owners
        self.points = mesh([a + h * (1.0 + b.nodes) for a, h, b in zip(low, self.half, self.bases[0], strict=True)])
        self.shape = tuple(b.count for b in self.bases[0])
        self.data = FaceData(faces, self.bases, low, self.half, numbers)
        self.moving = [k for k, ratio in enumerate(self.data.ratios) if ratio is not None]
        self.sizes = [int(np.prod(self.shape))] * self.unknowns + [self.data.given[k].size for k in self.moving]
        self.lifted = self.data.lifted(self.data.given)
        self.columns = sum(self.sizes)
        self.scales = [
            [float(np.prod(self.half ** -np.array(index, dtype=float))) for _, index in s.equation.slots]
            for s in steady.equations
        ]
        self.indices: dict[int, list[MultiIndex]] = {}
        for number, index in sorted({slot for s in steady.equations for slot in s.equation.slots}):
            self.indices.setdefault(number, []).append(index)
        self.offset = self.state([np.zeros(self.shape)] * self.unknowns, self.lifted)

    @property
    def space(self) -> Space:
        """The features as those of a solution."""
        return Space(axes_of(self.bases[0], self.low, self.half))

    # -- iterates ------------------------------------------------------------------------------------------------------
    def parts_of(self, x: np.ndarray) -> Parts:
        found, begin = [], 0
        for k, size in enumerate(self.sizes):
            part = x[begin : begin + size]
            found.append(part.reshape(self.shape) if k < self.unknowns else part)
            begin += size
        return found

    def whole(self, x: np.ndarray, given: bool = True) -> list[np.ndarray]:
        """The coefficients of all features, (n_1, ..., n_d) for each unknown; without what is given on the faces."""
        parts = self.parts_of(x)
        made = [
            along_axes(p.ravel(), [b.made for b in mine]).reshape(self.data.shape)
            for p, mine in zip(parts, self.bases, strict=False)
        ]
        added: Sequence[Any] = self.lifted if given else [0.0] * self.unknowns
        moved = self._raised(parts[self.unknowns :])
        total = [m + a for m, a in zip(made, added, strict=True)]
        return total if moved is None else [t + m for t, m in zip(total, moved, strict=True)]

    def padded(self, whole: np.ndarray) -> np.ndarray:
        """The coefficients of other degrees as those of these: more are zero, and those that are not there are left."""
        made = np.zeros(self.data.shape)
        common = tuple(slice(0, min(a, b)) for a, b in zip(whole.shape, made.shape, strict=True))
        made[common] = whole[common]
        return made

    def start_from(self, whole: list[np.ndarray]) -> np.ndarray:
        """The iterate closest to given coefficients."""
        faces = [-s for k, s in enumerate(self.data.strays(whole)) if k in self.moving] if self.moving else []
        raised, rest = self._raised(faces), [w - a for w, a in zip(whole, self.lifted, strict=True)]
        rest = rest if raised is None else [a - b for a, b in zip(rest, raised, strict=True)]
        inside = [along_axes(r.ravel(), [b.project for b in m]) for r, m in zip(rest, self.bases, strict=True)]
        return np.concatenate([*inside, *faces])

    def _raised(self, faces: Sequence[np.ndarray]) -> list[np.ndarray] | None:
        """Values of the conditions that vary, extended into the box."""
        if not any(np.any(f) for f in faces):
            return None
        values = [np.zeros_like(g) for g in self.data.given]
        for k, f in zip(self.moving, faces, strict=True):
            values[k] = f
        return self.data.lifted(values)

    def state(self, parts: Parts, lifted: list[np.ndarray] | None) -> list[list[np.ndarray]]:
        """The slots of each equation at the grid."""
        extra = self._raised(parts[self.unknowns :])
        if lifted is not None:
            extra = lifted if extra is None else [a + b for a, b in zip(lifted, extra, strict=True)]
        found: dict[tuple[int, MultiIndex], np.ndarray] = {}
        for number, indices in self.indices.items():
            mine = self.bases[number]
            made = differentiated(parts[number], [b.tables for b in mine], indices)
            if extra is not None and np.any(extra[number]):
                more = differentiated(extra[number], [b.whole for b in mine], indices)
                made = {index: made[index] + more[index] for index in indices}
            found.update({(number, index): value for index, value in made.items()})
        return [
            [scale * found[slot] for slot, scale in zip(s.equation.slots, scales, strict=True)]
            for s, scales in zip(self.steady.equations, self.scales, strict=True)
        ]

    def stray_rows(self, parts: Parts) -> Parts:
        """The rows of the conditions that vary on their face."""
        if not self.moving:
            return []
        x = np.concatenate([p.ravel() for p in parts])
        strays = self.data.strays(self.whole(x, given=False))
        return [f + strays[k] for k, f in zip(self.moving, parts[self.unknowns :], strict=True)]

    # -- equations -----------------------------------------------------------------------------------------------------
    def residual(self, x: np.ndarray) -> tuple[np.ndarray, list[list[np.ndarray]]]:
        """The equations at an iterate, and its slots at the grid."""
        parts = self.parts_of(x)
        changed = self.state(parts, None)
        slots = [[a + b for a, b in zip(s, o, strict=True)] for s, o in zip(changed, self.offset, strict=True)]
        rows = [
            s.equation.residual(self.points, None, self.numbers, [v.ravel() for v in values])
            for s, values in zip(self.steady.equations, slots, strict=True)
        ]
        if not self.moving:
            return np.concatenate(rows), slots
        strays = self.data.strays(self.whole(x))
        faces = [f + strays[k] for k, f in zip(self.moving, parts[self.unknowns :], strict=True)]
        return np.concatenate([*rows, *faces]), slots

    def linearised(self, slots: list[list[np.ndarray]]) -> Linearised:
        """The equations linearised at slots."""
        d, order, factors, weights = len(self.shape), self.steady.order, [], []
        means: list[list[float]] = []
        for e, (s, values) in enumerate(zip(self.steady.equations, slots, strict=True)):
            equation = s.equation
            at = None if equation.linear else [v.ravel() for v in values]
            found = equation.jacobian(self.points, None, self.numbers, at)
            leading = [
                found[equation.slots.index((self.owners[e], tuple(order * (a == k) for a in range(d))))]
                for k in range(d)
            ]
            weight = _evened(leading)
            row = [float(c) if c.ndim == 0 and weight is None else (c if weight is None else weight * c) for c in found]
            simple = [c if isinstance(c, float) else _simplest(c, self.shape) for c in row]
            factors.append(simple)
            means.append([float(np.mean(c)) for c in simple])
            weights.append(np.ones(self.sizes[0]) if weight is None else weight)
        inverse, growth = self._inverse(means)
        constant = all(isinstance(c, float) for row in factors for c in row)
        plain = all(
            c == 0.0 or all(power in (0, order) for power in index)
            for s, row in zip(self.steady.equations, means, strict=True)
            for (_, index), c in zip(s.equation.slots, row, strict=True)
        )
        alike = all(mine == self.bases[0] for mine in self.bases)
        exact = constant and plain and alike and not self.moving and order == EXACT
        weights += [np.ones(size) for size in self.sizes[self.unknowns :]]
        return Linearised(self, factors, inverse, exact, growth, np.concatenate(weights))

    def _inverse(self, means: list[list[float]]) -> tuple[np.ndarray, float]:
        """The inverse of the averaged equations for each product of modes, and how much their terms cancel."""
        count = self.sizes[0]
        total, sizes = np.zeros((count, self.unknowns, self.unknowns)), np.zeros((count, self.unknowns, self.unknowns))
        for e, (s, row, scales) in enumerate(zip(self.steady.equations, means, self.scales, strict=True)):
            mine = self.bases[self.owners[e]]
            for (number, index), c, scale in zip(s.equation.slots, row, scales, strict=True):
                if self.bases[number] != mine:
                    continue
                lines = [b.numbers[power] for b, power in zip(mine, index, strict=True)]
                term = c * scale * reduce(np.multiply.outer, lines).ravel()
                total[:, e, number] += term
                sizes[:, e, number] += np.abs(term)
        if self.unknowns == 1:
            left = np.abs(total[:, 0, 0])
            growth = float((sizes[:, 0, 0] / np.where(left > 0, left, np.nan)).max()) if left.min() > 0 else np.inf
            if not np.isfinite(growth):
                raise np.linalg.LinAlgError("the averaged equations are singular")
            return 1.0 / total[:, 0, 0], growth
        least = np.linalg.svd(total, compute_uv=False)[:, -1]
        if least.min() == 0.0:
            raise np.linalg.LinAlgError("the averaged equations are singular")
        return np.linalg.inv(total), float((sizes.max(axis=(1, 2)) / least).max())


def _evened(leading: Sequence[np.ndarray]) -> np.ndarray | None:
    """What rows are multiplied by so that the coefficients of the highest derivatives are as even as they can be."""
    if all(c.ndim == 0 for c in leading):
        return None
    relative = sum(c / np.mean(c) for c in leading if np.mean(c) != 0.0) / len(leading)
    if np.ndim(relative) == 0 or not np.min(relative) > 0.0:
        return None
    return np.asarray(1.0 / relative)


def _simplest(c: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | float:
    """Coefficients as a number where they do not vary."""
    if c.ndim == 0:
        return float(c)
    return float(c[0]) if np.ptp(c) <= PRECISION * abs(c[0]) else c.reshape(shape)


EXACT = 2
"""The order of equations whose modes are known to rounding."""
