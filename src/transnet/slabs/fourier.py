"""Slabs on a box that is periodic along all its axes, without a matrix.

Derivatives are diagonal in waves exp(i k x). A linearised slab is solved by a Krylov iteration, preconditioned by the
slab with coefficients averaged over space and time: in the coordinates of the stages and of the waves that is a small
matrix for each wave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from transnet.slabs.axes import Fourier
from transnet.slabs.krylov import krylov
from transnet.slabs.products import GridStatement, ProductSystem
from transnet.slabs.space import Space
from transnet.slabs.stages import Stages
from transnet.tolerances import ROUNDED


def is_of_waves(space: Space) -> bool:
    """Whether a space is one of waves along two axes or more."""
    return len(space.axes) > 1 and all(isinstance(a, Fourier) for a in space.axes)


class FourierSystem(ProductSystem):
    """The rows of a slab in products of sines and cosines; see `SlabSystem`."""

    def differentiated(self, stated: GridStatement, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        out = coefficients.reshape(-1, *self.shape)
        for axis, (features, order) in enumerate(zip(self.space.axes, index, strict=True)):
            if order == 0:
                continue
            k = wave_numbers(features)  # type: ignore[arg-type]
            moved = np.moveaxis(out, axis + 1, -1)
            new = np.zeros_like(moved)
            sine, cosine = moved[..., 1::2], moved[..., 2::2]
            sign = (-1.0) ** (order // 2)
            if order % 2:
                sine, cosine = -cosine, sine
            new[..., 1::2], new[..., 2::2] = sign * k**order * sine, sign * k**order * cosine
            out = np.moveaxis(new, -1, axis + 1)
        return out.reshape(coefficients.shape)

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Any:
        coefficients = self.coefficients(s, times)
        sizes = (self.columns, len(self.statements), self.unknowns)
        parts = [np.zeros(sizes, dtype=complex) for _ in range(self.highest + 1)]
        signed = []
        for axis in self.space.axes:
            waves = wave_numbers(axis)  # type: ignore[arg-type]
            signed.append(1j * np.concatenate([[0.0], np.stack([waves, -waves], axis=1).ravel()]))
        for e, (stated, factors) in enumerate(zip(self.statements, coefficients, strict=True)):
            for (number, index), c in zip(stated.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                symbol: Any = np.ones(1)
                for wave, power in zip(signed, k, strict=True):
                    symbol = np.multiply.outer(symbol, wave**power)
                parts[order][:, e, number] += float(np.mean(c)) * symbol.ravel()
        upper = np.flatnonzero(self.stages.values.imag >= -ROUNDED)
        inverses = [_inverses(sum((self.stages.values[i] / tau) ** k * m for k, m in enumerate(parts))) for i in upper]
        constant = all(c.ndim == 0 for row in coefficients for c in row)
        return FourierFactors(
            self.stages, self.shape, upper, inverses, partial(self.applied, coefficients, tau), constant
        )


def wave_numbers(axis: Fourier) -> np.ndarray:
    """The wave numbers of the sines and cosines of an axis."""
    return 2 * np.pi / (axis.high - axis.low) * np.arange(1, axis.modes + 1)


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
    iterated = True

    def __call__(self, residual: np.ndarray) -> np.ndarray:
        if residual.ndim == 3:
            return np.stack([self(residual[..., k]) for k in range(residual.shape[2])], axis=-1)
        return self.averaged(residual) if self.exact else krylov(self.averaged, self.applied, residual)

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
