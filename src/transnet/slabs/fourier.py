"""The rows of a slab on a box that is periodic along all its axes, without a matrix.

Derivatives and products with constant coefficients are diagonal in waves exp(i k x); variable coefficients are
multiplied on the grid. A linearised slab is solved by a Krylov iteration, preconditioned by the slab with coefficients
averaged over space and time: in the coordinates of the stages and of the waves that is a small matrix for each wave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.slabs.axes import Fourier
from transnet.slabs.evolution import Evolution
from transnet.slabs.space import Space, along_axes
from transnet.slabs.stages import Stages, radau
from transnet.slabs.system import SlabSystem
from transnet.tolerances import ROUNDED

STEPS = 30
"""The most steps of a Krylov iteration: a slab that needs more is too long."""
ACCURACY = 1e-2
"""The residual at which it ends: Newton's steps, and the refinement of the error, take care of the rest."""
EXHAUSTED = 1e-14
"""A new direction smaller than this part of the residual is rounding."""


def is_of_waves(space: Space) -> bool:
    """Whether a space is one of waves along two axes or more."""
    return len(space.axes) > 1 and all(isinstance(a, Fourier) for a in space.axes)


class FourierSystem(SlabSystem):
    """The rows of a slab in products of sines and cosines; see `SlabSystem`."""

    def __init__(self, evolution: Evolution, space: Space, stages: int, values: Sequence[Any]) -> None:
        self.evolution, self.space, self.stages, self.values = evolution, space, radau(stages), tuple(values)
        self.unknowns, self.columns = len(evolution.orders), space.columns
        self.equations = [s.equation for s in evolution.equations]
        self.highest = max(evolution.split(index)[1] for e in self.equations for _, index in e.slots)
        self.shape = tuple(a.columns for a in space.axes)
        self.counts = [space.columns] * len(self.equations)
        self.joints = np.zeros((0, self.unknowns * self.columns))
        self.sparse = False

    @property
    def coupled(self) -> bool:
        return False

    @property
    def renewed(self) -> bool:
        return True

    # -- along the axes ------------------------------------------------------------------------------------------------
    def at_grid(self, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """The values of a derivative at the grid."""
        axes = self.space.axes
        return along_axes(coefficients, [a.matrix(a.grid[0], k) for a, k in zip(axes, index, strict=True)])

    def tested_values(self, values: np.ndarray) -> np.ndarray:
        """Values at the grid, projected."""
        return along_axes(values, [a.fit for a in self.space.axes])

    def differentiated(self, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """The coefficients of a derivative."""
        out = coefficients.reshape(-1, *self.shape)
        for axis, (features, order) in enumerate(zip(self.space.axes, index, strict=True)):
            if order == 0:
                continue
            k = frequencies(features)  # type: ignore[arg-type]
            moved = np.moveaxis(out, axis + 1, -1)
            new = np.zeros_like(moved)
            sine, cosine = moved[..., 1::2], moved[..., 2::2]
            sign = (-1.0) ** (order // 2)
            if order % 2:
                sine, cosine = -cosine, sine
            new[..., 1::2], new[..., 2::2] = sign * k**order * sine, sign * k**order * cosine
            out = np.moveaxis(new, -1, axis + 1)
        return out.reshape(coefficients.shape)

    # -- rows ----------------------------------------------------------------------------------------------------------
    def _slots(self, equation: Any, s: list[np.ndarray]) -> list[np.ndarray]:
        found = []
        for number, index in equation.slots:
            k, order = self.evolution.split(index)
            found.append(self.at_grid(s[order][:, number], k).T.ravel())
        return found

    def residual(self, s: list[np.ndarray], times: np.ndarray) -> np.ndarray:
        points = self.evolution.joined(self.space.grid[0], times)
        found = []
        for equation in self.equations:
            value = equation.residual(points, None, self.values, self._slots(equation, s))
            found.append(self.tested_values(value.reshape(-1, len(times)).T))
        return np.concatenate(found, axis=1)

    def coefficients(self, s: list[np.ndarray], times: np.ndarray) -> list[list[np.ndarray]]:
        """dF/ds_j at the grid and all stages, (stages, m), or a number where it does not vary."""
        points = self.evolution.joined(self.space.grid[0], times)
        found = []
        for equation in self.equations:
            slots = None if equation.linear else self._slots(equation, s)
            made = equation.jacobian(points, None, self.values, slots)
            found.append([c if c.ndim == 0 else _simplest(c.reshape(-1, len(times)).T) for c in made])
        return found

    def linear(self, coefficients: list[list[np.ndarray]], s: list[np.ndarray]) -> np.ndarray:
        found = []
        for equation, factors in zip(self.equations, coefficients, strict=True):
            total = np.zeros((self.stages.count, self.columns))
            varying: np.ndarray | None = None
            for (number, index), c in zip(equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                if c.ndim == 0:
                    total += c * self.differentiated(s[order][:, number], k)
                else:
                    part = c * self.at_grid(s[order][:, number], k)
                    varying = part if varying is None else varying + part
            found.append(total if varying is None else total + self.tested_values(varying))
        return np.concatenate(found, axis=1)

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Any:
        coefficients = self.coefficients(s, times)
        sizes = (self.columns, len(self.equations), self.unknowns)
        parts = [np.zeros(sizes, dtype=complex) for _ in range(self.highest + 1)]
        signed = []
        for axis in self.space.axes:
            waves = frequencies(axis)  # type: ignore[arg-type]
            signed.append(1j * np.concatenate([[0.0], np.stack([waves, -waves], axis=1).ravel()]))
        for e, (equation, factors) in enumerate(zip(self.equations, coefficients, strict=True)):
            for (number, index), c in zip(equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                symbol: Any = np.ones(1)
                for wave, power in zip(signed, k, strict=True):
                    symbol = np.multiply.outer(symbol, wave**power)
                parts[order][:, e, number] += float(np.mean(c)) * symbol.ravel()
        upper = np.flatnonzero(self.stages.values.imag >= -ROUNDED)
        inverses = [_inverses(sum((self.stages.values[i] / tau) ** k * m for k, m in enumerate(parts))) for i in upper]
        constant = all(c.ndim == 0 for row in coefficients for c in row)
        nothing = np.zeros((max(self.evolution.orders), self.unknowns, self.columns))

        def applied(x: np.ndarray) -> np.ndarray:
            u = x.reshape(self.stages.count, self.unknowns, self.columns)
            return self.linear(coefficients, self.derivatives(u, nothing, tau))

        return FourierFactors(self.stages, self.shape, upper, inverses, applied, constant)


def frequencies(axis: Fourier) -> np.ndarray:
    """The wave numbers of the sines and cosines of an axis."""
    return 2 * np.pi / (axis.high - axis.low) * np.arange(1, axis.modes + 1)


def _simplest(c: np.ndarray) -> np.ndarray:
    return np.asarray(c.flat[0]) if np.ptp(c) == 0.0 else c


def _inverses(matrices: Any) -> np.ndarray:
    """The inverse for each wave; one without a determinate pressure gets the smallest solution."""
    out = np.empty((len(matrices), matrices.shape[2], matrices.shape[1]), dtype=complex)
    out[:1] = np.linalg.pinv(matrices[:1], rcond=ROUNDED)
    try:
        out[1:] = np.linalg.inv(matrices[1:])
    except (np.linalg.LinAlgError, ValueError):
        out[1:] = np.linalg.pinv(matrices[1:], rcond=ROUNDED)
    return out


@dataclass(frozen=True, eq=False)
class FourierFactors:
    """Solves a linearised slab on a periodic box."""

    stages: Stages
    shape: tuple[int, ...]
    upper: np.ndarray
    inverses: list[np.ndarray]
    applied: Callable[[np.ndarray], np.ndarray]
    exact: bool

    def __call__(self, residual: np.ndarray) -> np.ndarray:
        if residual.ndim == 3:
            return np.stack([self(residual[..., k]) for k in range(residual.shape[2])], axis=-1)
        return self.averaged(residual) if self.exact else self._krylov(residual)

    def averaged(self, residual: np.ndarray) -> np.ndarray:
        """The solution with coefficients averaged over space and time: (stages, unknowns columns)."""
        s = self.stages
        turned = np.tensordot(s.inverse, residual, axes=1)
        total = np.zeros(())
        for i, inverse in zip(self.upper, self.inverses, strict=True):
            waves = _turned(turned[i].reshape(-1, *self.shape), False).reshape(-1, inverse.shape[0])
            found = np.einsum("nue,en->un", inverse, waves).reshape(-1, *self.shape)
            w = _turned(found, True).reshape(-1)
            single = abs(s.values[i].imag) < ROUNDED * abs(s.values[i])
            total = total + np.multiply.outer((1 if single else 2) * s.vectors[:, i], w).real
        return total

    def _krylov(self, residual: np.ndarray) -> np.ndarray:
        """GMRES with the averaged slab as a preconditioner."""
        first = self.averaged(residual)
        size = float(np.linalg.norm(first))
        if size == 0.0 or not np.isfinite(size):
            return first
        basis = [first / size]
        columns = np.zeros((STEPS + 1, STEPS))
        right = np.zeros(STEPS + 1)
        right[0] = size
        weights: Any = ()
        for j in range(STEPS):
            v = self.averaged(self.applied(basis[j]))
            for i, b in enumerate(basis):
                columns[i, j] = float(np.vdot(b, v))
                v = v - columns[i, j] * b
            columns[j + 1, j] = float(np.linalg.norm(v))
            count = j + 1
            weights, *_ = np.linalg.lstsq(columns[: count + 1, :count], right[: count + 1], rcond=None)
            left = float(np.linalg.norm(columns[: count + 1, :count] @ weights - right[: count + 1]))
            if left <= ACCURACY * size or columns[j + 1, j] <= EXHAUSTED * size:
                break
            basis.append(v / columns[j + 1, j])
        return np.asarray(sum(w * b for w, b in zip(weights, basis, strict=False)))


def _turned(values: np.ndarray, back: bool) -> np.ndarray:
    """From sines and cosines to waves exp(+-i k x) along every axis of arrays (e, n1, n2, ..), or back."""
    out = values.astype(complex)
    root = np.sqrt(0.5)
    for axis in range(1, out.ndim):
        moved = np.moveaxis(out, axis, -1).copy()
        a, b = moved[..., 1::2].copy(), moved[..., 2::2].copy()
        if back:
            moved[..., 1::2], moved[..., 2::2] = 1j * root * (a - b), root * (a + b)
        else:
            moved[..., 1::2], moved[..., 2::2] = root * (b - 1j * a), root * (b + 1j * a)
        out = np.moveaxis(moved, -1, axis)
    return out
