"""Which eigenvalues, with which features: networks that grow until the values of smaller ones agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.eigen.clusters import groups_of
from transnet.eigen.nearest import nearest
from transnet.eigen.pencil import Pencil, pencil_of
from transnet.eigen.refine import Refined, refined
from transnet.features.space import FeatureSpace
from transnet.problem import Problem

PART = 0.9
"""The part of the network whose values are compared with those of the whole."""
SAME = 1e-4
"""Values closer than this times their distance from the shift are one cluster: `nearest` has six digits or so."""
SPREAD, LEAST = 5.0, 0.05
"""One shift serves values whose differences are below this times the smallest, or times this part of the largest: ten
eigenvalues of the L-shape have the digits with one shift that they have with one for each, in a fifth of the time."""
VERIFIED = 1e-2
"""What a smaller network has not to this part, or has rows this far from zero, is no eigenvalue."""
BELOW = 6
"""How often the shift is moved down to look for lower values."""
REAL = 1e-7
"""The imaginary part of a value that is real, relative to its modulus."""
RESOLVED = 1e-3
"""A mean error below which the first choice of features is kept."""
SPARE = 6
"""More values than are asked for, and half as many as these: the distance to the next is then known for all."""
AGAIN, ROUGHLY = 3, 1e-5
"""How often values that were missed are looked for, and how well a value is known then."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues with their errors and the coefficients of their functions, sorted.

    `candidates` are the values and functions that were searched before, a few more and with fewer digits.
    """

    pencil: Pencil
    values: np.ndarray
    errors: np.ndarray
    changes: np.ndarray
    coefficients: np.ndarray
    candidates: tuple[np.ndarray, np.ndarray]

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

    def spectrum(self, basis: Basis) -> Spectrum:
        """The eigenvalues that the features of a basis give."""
        start = self.near
        pencil = pencil_of(self.problem, self.lam, self.parameters, basis, 0.0 if start is None else start, self.seed)
        if start is None:
            start = _typical(pencil)
            pencil = pencil.weighted(start)
        return self._refined(pencil, *self._found(pencil, start))

    def complete(self, found: Spectrum) -> Spectrum:
        """The spectrum with the values that the first search has missed.

        A second search, with other random vectors and a shift amid the values, leaves out what is known: whatever it
        finds before the last of the values was missed, or is refused as it would have been.
        """
        for k in range(AGAIN):
            if not len(found.values):
                break
            values, functions = found.candidates
            middle = found.values[:: max(1, len(found.values) - 1)].mean()
            gaps = np.abs(values - middle)
            shift = complex(
                middle + 0.3 * np.min(gaps[gaps > 1e-3 * gaps.max(initial=0.0)], initial=abs(middle) or 1.0)
            )
            shift = shift if found.pencil.is_complex or np.iscomplexobj(found.values) else shift.real
            more, others = nearest(
                found.pencil, shift, SPARE, self.seed + 1 + k, known=found.candidates, converged=ROUGHLY
            )
            # What is beyond the last value that is wanted is none of the missing ones.
            last = self._key(found.values, values).max()
            inside = self._key(more, values) < last
            if not inside.any():
                break
            values = np.concatenate([values, more[inside]])
            functions = np.concatenate([functions, others[:, inside]], axis=1)
            order = np.argsort(self._key(values, values))
            before, found = found, self._refined(found.pencil, values[order], functions[:, order])
            if len(before.values) == len(found.values) and np.allclose(before.values, found.values, rtol=SAME):
                break
        return found

    def better(self, one: Spectrum, other: Spectrum) -> bool:
        """Whether one spectrum lacks fewer values that the other has; where both have the same, is more accurate."""
        lacking = self._lacking(one, other) - self._lacking(other, one)
        return lacking < 0 or (lacking == 0 and _score(one, self.count) < _score(other, self.count))

    def _lacking(self, one: Spectrum, other: Spectrum) -> int:
        """How many values of the other would come before the last of one, and are not there."""
        if not len(one.values) or not len(other.values):
            return len(other.values)
        every = np.concatenate([one.values, other.values])
        first = self._key(other.values, every) < self._key(one.values, every).max()
        left, count = list(one.values), 0
        for value in other.values[first]:
            near = [k for k, v in enumerate(left) if abs(v - value) <= VERIFIED * np.abs(every).max()]
            if near:
                left.pop(min(near, key=lambda k: abs(left[k] - value)))
            count += not near
        return count

    def _key(self, values: np.ndarray, among: np.ndarray) -> np.ndarray:
        """What values are sorted by: their distance from the given one; their size; or the distance from zero."""
        if self.near is None and _real(among) and among.real.max() > 0:
            return values.real
        return np.abs(values - (self.near or 0.0))

    def _found(self, pencil: Pencil, shift: complex) -> tuple[np.ndarray, np.ndarray]:
        """The values that count first, and a few more.

        They are those near the given one; otherwise the lowest, or where there is no lowest those nearest to zero.
        """
        wanted = self.count + max(SPARE, self.count // 2)
        values, coefficients = nearest(pencil, shift, wanted, self.seed)
        first = _sorted(values, coefficients, np.abs(values - (self.near or 0.0)))
        if self.near is not None or not _real(values) or (values.real < shift.real).all():
            return first
        for _ in range(BELOW):
            lowest = values.real.min()
            if lowest >= shift.real:
                return _sorted(values, coefficients, values.real)
            shift = lowest - 0.5 * np.ptp(values.real) - 1e-3 * abs(lowest)
            values, coefficients = nearest(pencil, shift, wanted, self.seed)
        return first

    def _refined(self, pencil: Pencil, values: np.ndarray, coefficients: np.ndarray) -> Spectrum:
        part = pencil.basis.leading(PART)[1]
        scale = float(np.abs(values - values.mean()).max(initial=0.0)) or 1.0
        sizes = float(np.abs(values[: self.count]).max())
        wanted = np.flatnonzero(np.abs(values[:, None] - values[: self.count]).min(axis=1) <= SAME * scale)
        groups = groups_of(values[wanted], SAME * scale, SPREAD, LEAST * sizes)
        found = [refined(pencil, values, coefficients, wanted[group], (part,)) for group in groups]
        return self._verified(pencil, found, (values, coefficients))

    def _verified(
        self, pencil: Pencil, found: Sequence[Refined], candidates: tuple[np.ndarray, np.ndarray]
    ) -> Spectrum:
        values = np.concatenate([c.values for c in found])
        values = np.where(np.abs(values.imag) <= REAL * np.abs(values), values.real, values)
        errors = np.concatenate([c.errors for c in found])
        changes = np.concatenate([c.changes for c in found])
        kind = complex if any(np.iscomplexobj(c.coefficients) for c in found) else float
        functions = np.concatenate([c.coefficients.astype(kind) for c in found], axis=1)
        good = errors <= VERIFIED * np.abs(values).max()
        good &= _violation(pencil, values, functions) <= VERIFIED
        numbers = np.flatnonzero(good)
        first = numbers[np.argsort(self._key(values[good], candidates[0]), kind="stable")][: self.count]
        # Real parts that are the same up to rounding leave the order to the imaginary ones.
        coarse = np.round(values[first].real / (np.abs(values[first]).max(initial=0.0) or 1.0), 9)
        order = first[np.lexsort((values[first].real, values[first].imag, coarse))]
        values = values[order]
        values = values if values.imag.any() else values.real
        return Spectrum(pencil, values, errors[order], changes[order], functions[:, order], candidates)


def _real(values: np.ndarray) -> bool:
    return bool(np.abs(values.imag).max() <= 1e-3 * np.abs(values).max())


def _sorted(values: np.ndarray, coefficients: np.ndarray, by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(by)
    return values[order], coefficients[:, order]


def _typical(pencil: Pencil) -> float:
    """A shift below the first eigenvalue: what the slow waves of the space have for one, with the other sign."""
    zeroth, *rest = (np.linalg.norm(a, axis=0) for a in pencil.matrices)
    with np.errstate(divide="ignore"):
        sizes = np.min([(zeroth / np.where(a > 1e-6 * a.max(), a, 0.0)) ** (1 / k) for k, a in enumerate(rest, 1)], 0)
    return -0.3 * float(np.quantile(sizes[np.isfinite(sizes)], 0.1))


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
            found = question.spectrum(basis_of(question.problem, space(neurons)))
            if best is None or question.better(found, best):
                best, law = found, space
        assert best is not None
        if len(best.values) == question.count and best.relative.max(initial=0.0) <= tol:
            break
    assert best is not None
    return question.complete(best)


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
