"""Slabs on a box with conditions on its faces, without a matrix: modes along the axes.

With the conditions at its two ends, the second derivative along an axis has modes: d^2/dx^2 = lambda_j there. In
products of such modes, and in the coordinates of the stages, a slab with averaged coefficients is a small matrix for
each mode. That inverse preconditions a Krylov iteration for the coefficients as they are. Values given on the faces are
first extended into the box, axis after axis, each by functions that leave the conditions of the axes before untouched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np

from transnet.slabs.axes import Fourier
from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.fourier import wave_numbers
from transnet.slabs.grid_rows import CONDITIONS
from transnet.slabs.krylov import krylov
from transnet.slabs.owners import drops_of
from transnet.slabs.products import GridStatement, ProductSystem
from transnet.slabs.space import Space, along_axes
from transnet.tolerances import ROUNDED, SAME

MOMENTS = 7
"""Times at which the coefficients of a condition are looked at: an odd number, as they may vanish at one of them."""
SMOOTH = 4
"""Values on a face are extended by polynomials whose coefficients fall with this power of the degree."""


def separable(evolution: Evolution, space: Space, values: Sequence[Any]) -> bool:
    """Whether every unknown has an equation of its own, of second order in space, and conditions that fit the axes."""
    if len(space.axes) < 2 or any(a.joints for a in space.axes):
        return False
    owners = evolution.owners
    if owners is None or any(side.statement.where is not None for side in evolution.sides):
        return False
    free = [k for k, a in enumerate(space.axes) if not isinstance(a, Fourier)]
    counts = np.zeros((len(evolution.orders), len(space.axes), 2), dtype=int)
    for side in evolution.sides:
        equation = side.statement.equation
        if not equation.linear or len({number for number, _ in equation.slots}) != 1:
            return False
        for number, index in _seen(evolution, space, side, values):
            k, order = evolution.split(index)
            if order or any(power for a, power in enumerate(k) if a != side.axis):
                return False
            place = (number, side.axis, int(side.sign > 0))
        counts[place] += 1
    drops = drops_of(evolution)
    return all(drops[e][k] == 2 and (counts[u, k] == 1).all() for e, u in enumerate(owners) for k in free)


def _seen(evolution: Evolution, space: Space, side: Side, values: Sequence[Any]) -> list[tuple[int, tuple[int, ...]]]:
    """The slots of a condition that count on its face: a normal derivative has those of all axes."""
    equation = side.statement.equation
    points, _ = space.face_grid(side.axis, side.place)
    joined = evolution.joined(points, np.linspace(evolution.start, evolution.stop, MOMENTS))
    normals = np.zeros_like(joined)
    normals[:, side.axis + (side.axis >= evolution.axis)] = side.sign
    factors = equation.jacobian(joined, normals, values)
    return [slot for slot, c in zip(equation.slots, factors, strict=True) if np.any(c)]


@dataclass(frozen=True, eq=False)
class AxisModes:
    """AxisModes along one axis for the conditions of one unknown at its ends.

    Parameters
    ----------
    conditions : (m, n) array
        The conditions, applied to coefficients.
    lift : (n, m) array
        Coefficients that fulfil each of the conditions with the value one, and the others with zero.
    made : (n, n - m) array
        The coefficients of the modes.
    read : (n - m, n - m) array
        From tested values to the parts of the modes.
    values : (n - m,) array
        The second derivative of each mode divided by it.
    """

    conditions: np.ndarray
    lift: np.ndarray
    made: np.ndarray
    read: np.ndarray
    values: np.ndarray

    def freed(self) -> np.ndarray:
        """From coefficients to those without what the conditions see: (n, n)."""
        return np.eye(len(self.lift)) - self.lift @ self.conditions


def modes_of(conditions: np.ndarray, plain: np.ndarray, second: np.ndarray) -> AxisModes:
    """The modes for given conditions and tests of the features and of their second derivatives.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the conditions do not leave modes that decay or oscillate on their own.
    """
    n, m = conditions.shape[1], len(conditions)
    weights = (1.0 + np.arange(n)) ** -float(SMOOTH)
    weighted = weights[:, None] * conditions.T
    lift = weighted @ np.linalg.inv(conditions @ weighted) if m else np.zeros((n, 0))
    inside = np.linalg.qr(conditions.T, mode="complete")[0][:, m:]
    mass = np.linalg.inv(plain @ inside)
    values, vectors = np.linalg.eig(mass @ second @ inside)
    if np.abs(values.imag).max() > SAME * np.abs(values).max():
        raise np.linalg.LinAlgError("the modes along an axis are not real")
    vectors = vectors.real
    return AxisModes(conditions, lift, inside @ vectors, np.linalg.inv(vectors) @ mass, values.real)


class BoxSystem(ProductSystem):
    """The rows of a slab on a box with conditions on its faces; see `SlabSystem`."""

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The unknown that each equation moves."""
        found = self.evolution.owners
        assert found is not None
        return found

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Any:
        coefficients = self.coefficients(s, times)
        means = [[float(np.mean(c)) for c in row] for row in coefficients]
        modes = [[self._modes(u, k, means) for k in range(len(self.shape))] for u in range(self.unknowns)]
        upper = np.flatnonzero(self.stages.values.imag >= -ROUNDED)
        z = self.stages.values[upper] / tau
        count = len(self.owners)
        fixed = all(c.ndim == 0 for row in coefficients[count:] for c in row)
        constant = fixed and all(c.ndim == 0 for row in coefficients[:count] for c in row)
        inverses = self._inverses(means, modes, z)
        exact = constant and self._resolved(means)
        kept = partial(self.applied, coefficients, tau)
        return BoxFactors(self, means, modes, upper, z, inverses, kept, exact, fixed)

    def _modes(self, unknown: int, axis: int, means: list[list[float]]) -> AxisModes:
        """The modes along an axis for the conditions of an unknown; sines and cosines are modes."""
        features = self.space.axes[axis]
        if isinstance(features, Fourier):
            one = np.eye(features.columns)
            waves = np.concatenate([[0.0], np.repeat(wave_numbers(features), 2)])
            return self._once(("waves", features), lambda: AxisModes(one[:0], one[:, :0], one, one, -(waves**2)))
        rows = []
        for stated, factors in zip(self.statements, means, strict=True):
            side = stated.side
            if side is None or side.axis != axis or stated.equation.slots[0][0] != unknown:
                continue
            orders = [self.evolution.split(index)[0][axis] for _, index in stated.equation.slots]
            parts = [
                c * self.small(axis, k, None, side.place)[0] for c, k in zip(factors, orders, strict=True) if c != 0.0
            ]
            rows.append(sum(parts))
        conditions = np.array(rows).reshape(-1, self.shape[axis])
        drop = self.statements[self.owners.index(unknown)].drops[axis]
        plain, second = (self.small(axis, k, drop, None) for k in (0, 2))
        return self._once((features, drop, conditions.tobytes()), lambda: modes_of(conditions, plain, second))

    def _once(self, key: tuple[Any, ...], make: Callable[[], AxisModes]) -> AxisModes:
        if key not in self._found:
            self._found[key] = make()
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[Any, ...], AxisModes]:
        return {}

    def _resolved(self, means: list[list[float]]) -> bool:
        """Whether the averaged slab has all terms: those of first order and mixed ones are left to the iteration."""
        indices = [
            self.evolution.split(index)[0]
            for stated, factors in zip(self.statements[: len(self.owners)], means, strict=False)
            for (_, index), c in zip(stated.equation.slots, factors, strict=True)
            if c != 0.0
        ]
        return all(power in (0, 2) for k in indices for power in k)

    def _inverses(self, means: list[list[float]], modes: list[list[AxisModes]], z: np.ndarray) -> np.ndarray:
        """The inverse of the averaged slab for each stage and each product of modes: (stages, modes, u, e)."""
        sizes = [len(m.values) for m in modes[0]]
        total = np.zeros((len(z), int(np.prod(sizes)), len(self.owners), self.unknowns), dtype=complex)
        for e, (stated, factors) in enumerate(zip(self.statements, means, strict=False)):
            if e == len(self.owners):
                break
            for (number, index), c in zip(stated.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                if any(power not in (0, 2) for power in k) or modes[number] != modes[self.owners[e]]:
                    continue
                parts = [
                    m.values if power else np.ones(len(m.values)) for m, power in zip(modes[number], k, strict=True)
                ]
                total[..., e, number] += c * np.multiply.outer(z**order, reduce(np.multiply.outer, parts).ravel())
        return np.linalg.inv(total)


@dataclass(frozen=True, eq=False)
class BoxFactors:
    """Solves a linearised slab on a box.

    `fixed` says that the conditions on the faces are those of the modes: the iteration is then one for modes alone.
    """

    system: BoxSystem
    means: list[list[float]]
    modes: list[list[AxisModes]]
    upper: np.ndarray
    z: np.ndarray
    inverses: np.ndarray
    applied: Any
    exact: bool
    fixed: bool
    iterated = True

    def __call__(self, residual: np.ndarray) -> np.ndarray:
        if residual.ndim == 3:
            return np.stack([self(residual[..., k]) for k in range(residual.shape[2])], axis=-1)
        if self.exact:
            return self.averaged(residual)
        if not self.fixed:
            return krylov(self.averaged, self.applied, residual)
        first = self.averaged(residual)
        left = residual - self.applied(first)
        left[:, sum(self.system.counts[: len(self.system.owners)]) :] = 0.0
        return first + krylov(self.averaged, partial(self.applied, fulfilled=True), left)

    def averaged(self, residual: np.ndarray) -> np.ndarray:
        """The solution with coefficients averaged over space and time: (stages, unknowns columns)."""
        system, stages = self.system, self.system.stages
        turned = np.tensordot(stages.inverse, residual, axes=1)[self.upper]
        parts = np.split(turned, np.cumsum(system.counts)[:-1], axis=1)
        count = len(system.owners)
        found = np.zeros((system.unknowns, len(self.upper), system.columns), dtype=complex)
        if any(np.any(p) for p in parts[count:]):
            for u in range(system.unknowns):
                found[u] = self._lifted(u, parts[count:])
            parts = [parts[e] - self._mean(e, found) for e in range(count)]
        tested = np.stack(
            [along_axes(parts[e], [m.read for m in self.modes[u]]) for e, u in enumerate(system.owners)], axis=-1
        )
        modal = np.matmul(self.inverses, tested[..., None])[..., 0]
        for u in range(system.unknowns):
            found[u] += along_axes(modal[..., u], [m.made for m in self.modes[u]])
        single = np.abs(stages.values[self.upper].imag) < ROUNDED * np.abs(stages.values[self.upper])
        vectors = np.where(single, 1.0, 2.0) * stages.vectors[:, self.upper]
        total = np.tensordot(vectors, found, axes=([1], [1])).real
        return np.ascontiguousarray(total).reshape(stages.count, -1)

    def _lifted(self, unknown: int, faces: list[np.ndarray]) -> np.ndarray:
        """Coefficients that have the given values of the conditions on the faces."""
        system = self.system
        total = np.zeros((len(self.upper), system.columns), dtype=complex)
        sides: list[tuple[GridStatement, np.ndarray]] = list(
            zip(system.statements[len(system.owners) :], faces, strict=True)
        )
        for axis, modes in enumerate(self.modes[unknown]):
            mine = [
                (stated, values / CONDITIONS)
                for stated, values in sides
                if stated.side is not None and stated.side.axis == axis and stated.equation.slots[0][0] == unknown
            ]
            for row, (_, values) in enumerate(mine):
                tables = [np.eye(n) for n in system.shape]
                tables[axis] = modes.conditions[row : row + 1]
                missing = values - along_axes(total, tables)
                tables = [m.freed() if a < axis else np.eye(len(m.lift)) for a, m in enumerate(self.modes[unknown])]
                tables[axis] = modes.lift[:, row : row + 1]
                total = total + along_axes(missing, tables)
        return total

    def _mean(self, e: int, found: np.ndarray) -> np.ndarray:
        """The rows of an equation with averaged coefficients, applied to all unknowns."""
        system, stated = self.system, self.system.statements[e]
        total: Any = 0.0
        for (number, index), c in zip(stated.equation.slots, self.means[e], strict=True):
            k, order = system.evolution.split(index)
            if c != 0.0:
                total = total + c * (self.z**order)[:, None] * system.differentiated(stated, found[number], k)
        return np.asarray(total)
