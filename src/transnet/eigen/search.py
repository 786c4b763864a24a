"""Which eigenvalues, with which features: networks that grow until the values of smaller ones agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.eigen.nearest import nearest
from transnet.eigen.pencil import Pencil, pencil_of
from transnet.eigen.refine import refined
from transnet.features.space import FeatureSpace
from transnet.problem import Problem

PART = 0.9
"""The part of the network whose values are compared with those of the whole."""
SAME = 1e-4
"""Values closer than this times their distance from the shift are one cluster: `nearest` has six digits or so."""
VERIFIED = 1e-2
"""What a smaller network has not to this part, or has rows this far from zero, is no eigenvalue."""
BELOW = 6
"""How often the shift is moved down to look for lower values."""
REAL = 1e-7
"""The imaginary part of a value that is real, relative to its modulus."""
RESOLVED = 1e-3
"""A mean error below which the first choice of features is kept."""
SPARE = 4
"""More values than are asked for, so that the distance to the next is known for all."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues with their errors and the coefficients of their functions, sorted."""

    pencil: Pencil
    values: np.ndarray
    errors: np.ndarray
    changes: np.ndarray
    coefficients: np.ndarray

    @property
    def relative(self) -> np.ndarray:
        """The errors relative to the values, or where these are near zero to the spread of all."""
        scale = np.maximum(np.abs(self.values), 1e-3 * np.abs(self.values).max(initial=0.0))
        return self.errors / np.where(scale > 0, scale, 1.0)


@dataclass(frozen=True, eq=False)
class Question:
    """What is looked for."""

    problem: Problem
    lam: sp.Symbol
    parameters: Mapping[sp.Symbol, float]
    count: int
    near: complex | None
    seed: int = 0

    def spectrum(self, basis: Basis, enough: float = np.inf) -> Spectrum:
        """The eigenvalues that the features of a basis give.

        Where the last of them, usually the hardest, has a relative error above `enough` it is the only one.
        """
        start = self.near
        pencil = pencil_of(self.problem, self.lam, self.parameters, basis, 0.0 if start is None else start, self.seed)
        if start is None:
            start = _typical(pencil)
            pencil = pencil_of(self.problem, self.lam, self.parameters, basis, start, self.seed)
        return self._refined(pencil, *self._found(pencil, start), enough)

    def _found(self, pencil: Pencil, shift: complex) -> tuple[np.ndarray, np.ndarray]:
        """The values that count first, and a few more.

        They are those near the given one; otherwise the lowest, or where there is no lowest those nearest to zero.
        """
        wanted = self.count + SPARE
        values, coefficients = nearest(pencil, shift, wanted, self.seed)
        real = np.abs(values.imag).max() <= 1e-3 * np.abs(values).max()
        first = _sorted(values, coefficients, np.abs(values - (self.near or 0.0)))
        if self.near is not None or not real or (values.real < shift.real).all():
            return first
        for _ in range(BELOW):
            lowest = values.real.min()
            if lowest >= shift.real:
                return _sorted(values, coefficients, values.real)
            shift = lowest - 0.5 * np.ptp(values.real) - 1e-3 * abs(lowest)
            values, coefficients = nearest(pencil, shift, wanted, self.seed)
        return first

    def _refined(self, pencil: Pencil, values: np.ndarray, coefficients: np.ndarray, enough: float) -> Spectrum:
        part = pencil.basis.leading(PART)[1]
        found = []
        for cluster in reversed([c for c in _clusters(values) if c[0] < self.count]):
            others = np.delete(values, cluster)
            centre = values[cluster].mean()
            distance = float(np.abs(others - centre).min(initial=np.inf))
            distance = distance if np.isfinite(distance) else abs(centre)
            found.append(refined(pencil, values[cluster], coefficients[:, cluster], distance, (part,)))
            if found[0].errors.max() > enough * np.abs(found[0].values).max():
                break
        values = np.concatenate([c.values for c in found])
        values = np.where(np.abs(values.imag) <= REAL * np.abs(values), values.real, values)
        errors = np.concatenate([c.errors for c in found])
        changes = np.concatenate([c.changes for c in found])
        kind = complex if any(np.iscomplexobj(c.coefficients) for c in found) else float
        functions = np.concatenate([c.coefficients.astype(kind) for c in found], axis=1)
        good = errors <= VERIFIED * np.abs(values).max()
        good &= _violation(pencil, values, functions) <= VERIFIED
        order = np.flatnonzero(good)[np.lexsort((values[good].imag, values[good].real))][: self.count]
        values = values[order]
        values = values if values.imag.any() else values.real
        return Spectrum(pencil, values, errors[order], changes[order], functions[:, order])


def _sorted(values: np.ndarray, coefficients: np.ndarray, by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(by)
    return values[order], coefficients[:, order]


def _typical(pencil: Pencil) -> float:
    """A shift below the first eigenvalue: what the slow waves of the space have for one, with the other sign."""
    zeroth, *rest = (np.linalg.norm(a, axis=0) for a in pencil.matrices)
    with np.errstate(divide="ignore"):
        sizes = np.min([(zeroth / np.where(a > 1e-6 * a.max(), a, 0.0)) ** (1 / k) for k, a in enumerate(rest, 1)], 0)
    return -0.3 * float(np.quantile(sizes[np.isfinite(sizes)], 0.1))


def _clusters(values: np.ndarray) -> list[np.ndarray]:
    """Numbers of values that lie together."""
    left = list(range(len(values)))
    scale = np.abs(values - values.mean()).max(initial=0.0) or 1.0
    found = []
    while left:
        here = [k for k in left if abs(values[k] - values[left[0]]) <= SAME * scale]
        found.append(np.array(here))
        left = [k for k in left if k not in here]
    return found


def _violation(pencil: Pencil, values: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """How far the rows of eigenfunctions are from zero, relative to their terms."""
    parts = [a @ functions for a in pencil.matrices]
    # A value at zero is measured by the others.
    scale = np.maximum(np.abs(values), 0.1 * np.abs(values).max(initial=0.0))
    size = sum(np.linalg.norm(p, axis=0) * scale**k for k, p in enumerate(parts))
    return np.linalg.norm(sum(p * values**k for k, p in enumerate(parts)), axis=0) / size


def grown(
    question: Question, spaces: Sequence[Callable[[int], FeatureSpace]], sizes: Sequence[int], tol: float
) -> Spectrum:
    """The spectrum of the smallest network whose errors are below the tolerance, or the best of all.

    Parameters
    ----------
    spaces : sequence of callables
        Feature spaces as functions of the number of neurons; the first size tells which of them fits.
    """
    best, law = None, spaces[0]
    for neurons in sizes:
        resolved = best is not None and _score(best, question.count) < np.log(RESOLVED)
        for space in (law,) if resolved else spaces:
            # Where a larger network follows and this one is not good enough, one eigenvalue tells.
            enough = tol if resolved and neurons < max(sizes) else np.inf
            found = question.spectrum(basis_of(question.problem, space(neurons)), enough)
            if best is None or _score(found, question.count) < _score(best, question.count):
                best, law = found, space
        assert best is not None
        if len(best.values) == question.count and best.relative.max(initial=0.0) <= tol:
            break
    assert best is not None
    return best


def _score(found: Spectrum, count: int) -> float:
    """The geometric mean of the relative errors; values that are missing count as wrong."""
    logs = np.log(np.maximum(found.relative, 1e-16))
    return float(logs.sum() / count)


def basis_of(problem: Problem, space: FeatureSpace) -> Basis:
    """The basis of an eigenvalue problem: one space for each unknown, complex or real."""
    from transnet.geometry.placement import Placement
    from transnet.problem.complex import complex_pairs

    unknowns = len(complex_pairs(problem)) or len(problem.unknowns)
    return Basis((space,) * unknowns, Placement.of(problem.domain))
