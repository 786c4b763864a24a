"""The result of a search: candidates, and the verified values among them, with their errors and functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.eigen.pencil import Pencil
from transnet.eigen.products import Products
from transnet.eigen.refine import Refined
from transnet.linalg.sizes import rms
from transnet.rows.blocks import Block
from transnet.solution.diagnostics import Residual
from transnet.tolerances import DECIMALS, EPS

SAME_CLUSTER = 1e-4
"""Values closer than this times their distance from the shift are one cluster: `nearest` has about six digits."""
VERIFIED = 1e-2
"""A value that a smaller network does not have to this part, or whose rows are this far from zero, is not an
eigenvalue."""
REAL = 1e-7
"""The imaginary part of a value that is real, relative to its modulus."""
USUAL = 0.3
"""A value below this part of the median of what was found is compared with the median."""
LEAST = 1e-12
"""The least error of a value, in units of the largest: two searches may agree to 14 digits on one that rounding moved
in the twelfth, as of wells of different depth."""
TWICE = 1e-2
"""A function that differs from others of its value by less, relative to its norm, is one of them."""
ZERO = 1e-3
"""A value smaller than this times the largest is compared with the largest."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The values and functions that a search found, sorted, with few digits; `lowest` if there is a lowest value, from
    which they are counted."""

    values: np.ndarray
    coefficients: np.ndarray
    lowest: bool

    def sorted(self, by: np.ndarray) -> Candidates:
        order = np.argsort(by, kind="stable")
        return replace(self, values=self.values[order], coefficients=self.coefficients[:, order])


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues with their errors and the coefficients of their functions, sorted."""

    pencil: Pencil
    values: np.ndarray
    errors: np.ndarray
    changes: np.ndarray
    coefficients: np.ndarray
    candidates: Candidates
    counted: bool = False
    """Whether they are the first of all values of the basis, so that none was missed."""

    @property
    def lowest(self) -> bool:
        """Whether there is a lowest value, from which they are counted."""
        return self.candidates.lowest

    @property
    def basis(self) -> Basis | Products:
        return self.pencil.basis

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.pencil.blocks

    @property
    def rows(self) -> int:
        return len(self.pencil.matrices[0])

    def residuals(self, k: int) -> tuple[Residual, ...]:
        """The residual of each statement for a function."""
        pencil = self.pencil
        function, value = self.coefficients[:, k], self.values[k]
        terms = [a @ function * value**j for j, a in enumerate(pencil.matrices)]
        residuals, start = [], 0
        for block, weight in zip(pencil.blocks, pencil.weights, strict=True):
            here = slice(start, start + block.rows)
            start += block.rows
            left = np.abs(sum(t[here] for t in terms)) / weight
            size = float(rms(left))
            # Rows and functions have norm one, so weighted rows are relative already.
            relative = float(weight * size * np.sqrt(block.rows))
            residuals.append(Residual(block.statement.label, block.rows, weight, size, float(left.max()), relative))
        return tuple(residuals)

    def with_errors(self, errors: np.ndarray) -> Spectrum:
        """Those that are eigenvalues with larger errors."""
        good = errors <= VERIFIED * np.maximum(np.abs(self.values), USUAL * np.median(np.abs(self.values)))
        good &= _first(self.pencil.values @ self.coefficients, self.values, errors)
        kept = self.values[good], errors[good], self.changes[good], self.coefficients[:, good]
        return Spectrum(self.pencil, *kept, self.candidates, self.counted)

    @property
    def relative(self) -> np.ndarray:
        return relative_errors(self.values, self.errors)


def relative_errors(values: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The errors relative to the values or, for values near zero, to the spread of all."""
    scale = np.maximum(np.abs(values), ZERO * np.abs(values).max(initial=0.0))
    return errors / np.where(scale > 0, scale, 1.0)


def verified(
    pencil: Pencil,
    found: Sequence[Refined],
    candidates: Candidates,
    count: int,
    key: Callable[[np.ndarray], np.ndarray],
) -> Spectrum:
    """The first `count` refined values, sorted by the key, that are eigenvalues."""
    values = np.concatenate([c.values for c in found])
    sizes = np.maximum(np.abs(values), ZERO * np.abs(values).max(initial=0.0))
    values = np.where(np.abs(values.imag) <= REAL * sizes, values.real, values)
    errors = np.concatenate([c.errors for c in found])
    changes = np.concatenate([c.changes for c in found])
    kind = complex if any(np.iscomplexobj(c.coefficients) for c in found) else float
    functions = np.concatenate([c.coefficients.astype(kind) for c in found], axis=1)
    # A value at zero is compared with the usual ones, not with the largest, which may be noise.
    usual = float(np.median(np.abs(candidates.values)))
    good = errors <= VERIFIED * np.maximum(np.abs(values), USUAL * usual)
    good &= _violation(pencil, values, functions) <= VERIFIED
    good &= _first(pencil.values @ functions, values, errors)
    numbers = np.flatnonzero(good)
    first = numbers[np.argsort(key(values[good]), kind="stable")][:count]
    return _sorted(pencil, Refined(values, functions, errors, changes), first, candidates)


def counted(pencil: Pencil, found: Refined, candidates: Candidates, count: int) -> Spectrum:
    """The first `count` of values none of which is missing, up to the first that is not known."""
    bound = VERIFIED * np.maximum(np.abs(found.values), USUAL * float(np.median(np.abs(candidates.values))))
    unknown = np.flatnonzero(~(found.errors <= bound))
    first = np.arange(min(count, *unknown[:1].tolist(), len(found.values)))
    return replace(_sorted(pencil, found, first, candidates), counted=True)


def _sorted(pencil: Pencil, found: Refined, first: np.ndarray, candidates: Candidates) -> Spectrum:
    """Some values as a spectrum, by their real parts; those that agree up to rounding by the imaginary parts."""
    values, errors = found.values, found.errors
    coarse = np.round(values[first].real / (np.abs(values[first]).max(initial=0.0) or 1.0), DECIMALS)
    order = first[np.lexsort((values[first].real, values[first].imag, coarse))]
    values = values[order]
    values = values if values.imag.any() else values.real
    errors = np.maximum(errors[order], LEAST * np.abs(values).max(initial=0.0))
    return Spectrum(pencil, values, errors, found.changes[order], found.coefficients[:, order], candidates)


def _violation(pencil: Pencil, values: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """How far the rows of eigenfunctions are from zero, relative to their terms."""
    parts = [a @ functions for a in pencil.matrices]
    # A value at zero is compared with the others.
    scale = np.maximum(np.abs(values), USUAL * np.abs(values).max(initial=0.0))
    size = sum(np.linalg.norm(p, axis=0) * scale**k for k, p in enumerate(parts))
    return np.linalg.norm(sum(p * values**k for k, p in enumerate(parts)), axis=0) / size


def _first(seen: np.ndarray, values: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Which values are distinct: two candidates may converge to the same one."""
    kept: list[int] = []
    for k in np.argsort(errors, kind="stable"):
        reach = np.maximum(SAME_CLUSTER * np.abs(values).max(), errors + errors[k])
        near = [j for j in kept if abs(values[j] - values[k]) <= reach[j]]
        q = np.linalg.qr(seen[:, near])[0]
        if np.linalg.norm(seen[:, k] - q @ (q.conj().T @ seen[:, k])) > TWICE * np.linalg.norm(seen[:, k]):
            kept.append(int(k))
    return np.isin(np.arange(len(values)), kept)


def score(found: Spectrum, count: int) -> float:
    """The geometric mean of the relative errors; missing values count as wrong."""
    logs = np.log(np.maximum(found.relative, EPS))
    return float(logs.sum() / count)
