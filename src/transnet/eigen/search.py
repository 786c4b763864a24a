"""The eigenvalues of a network: searched, refined, verified, and searched again for missed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.eigen.clusters import shift_groups
from transnet.eigen.nearest import nearest_values
from transnet.eigen.pencil import PART, Pencil, pencil_of
from transnet.eigen.products import Products
from transnet.eigen.refine import LEFT, OFF, Refined, matched, refined_values
from transnet.eigen.spectrum import SAME_CLUSTER, VERIFIED, Candidates, Spectrum, counted, score, verified
from transnet.eigen.tested import Everything, all_values
from transnet.problem import Problem
from transnet.tolerances import BESIDE

SPREAD, LEAST = 5.0, 0.05
"""One shift serves values whose differences are below this times the smallest, or times this part of the largest: ten
eigenvalues of the L-shape are as accurate with one shift as with one for each, in a fifth of the time."""
BELOW = 6
"""How often the shift is moved down to search for lower values."""
SPARE = 6
"""More values than are wanted, at least these or half as many: the distance to the next is then known for all."""
AGAIN, ROUGHLY = 3, 1e-5
"""How often missed values are searched for, and how well a value is known then."""
DEEPER, DEEP = 5.0, 2
"""How far below the lowest value a state is searched for, in units of its size and of the spread of all, and how
many."""
HINTED = 0.03
"""A candidate of a smaller basis that is farther than this part of the spread from every value may be one that was
missed: the fourth value of two wells was 0.01 off with half of the polynomials, and 0.03 from the fifth."""
ROUNDING = 0.3
"""The rounding of a value, in units of the most that rounding each entry of its matrices can do: 0.04 to 0.3 on forty
lines with wells or convection."""
LOST = 1e-3
"""Where rounding can move a value by this part of itself the pairs behind it are no longer near: at 1e-2 a value was 20
times as far off as that."""
RESOLVED = 1e-3
"""A relative error below which a value is known."""
SLOW, UNDER = 0.1, 0.3
"""The first shift: the value that a tenth of the waves of the space stay below, times this, with the opposite sign. It
is moved if a value lies below it, so it only affects the time."""


@dataclass(frozen=True, eq=False)
class Question:
    """What is searched for."""

    problem: Problem
    lam: sp.Symbol
    parameters: Mapping[sp.Symbol, float]
    count: int
    near: complex | None
    seed: int = 0

    def spectrum(self, basis: Basis | Products) -> Spectrum:
        """The eigenvalues that the features of a basis give."""
        start = self.near
        pencil = pencil_of(self.problem, self.lam, self.parameters, basis, start or 0.0, self.seed)
        if start is None:
            start = _typical(pencil)
            pencil = pencil.weighted(start)
        sizes = [
            basis.columns,
            pencil.part,
            *([basis.leading(PART**2)[1]] if self.problem.domain.dimension == 1 else []),
        ]
        every = [e for e in (all_values(pencil, start, columns) for columns in sizes) if e is not None]
        if len(every) == len(sizes):
            return self._counted(pencil, every, start)
        return self._refined(pencil, self._found(pencil, start))

    def _counted(self, pencil: Pencil, found: Sequence[Everything], shift: complex) -> Spectrum:
        """The first of all values of a basis, compared with those of a smaller one or two."""
        every, fewer = found[:2]
        wanted = min(self.count + max(SPARE, self.count // 2), *(len(f.values) for f in found))
        values, lowest = every.values, False
        if self.near is None:
            around = values[np.argsort(np.abs(values - shift))[:wanted]]
            lowest = _real(around) and bool((around.real >= np.real(shift)).any())
        numbers = np.flatnonzero((np.abs(values.imag) <= RESOLVED * np.abs(values)) | (not lowest))
        numbers = numbers[np.argsort(self._key(values[numbers], lowest), kind="stable")][:wanted]
        values = values[numbers]
        known = Candidates(values, every.coefficients(numbers), lowest)
        its = matched(fewer.values, values)
        moved = np.abs(fewer.values[its] - values)
        errors = np.maximum(LEFT * moved, ROUNDING * every.rounding[numbers])
        if len(found) > 2:
            before = np.abs(found[2].values[matched(found[2].values, values)] - fewer.values[its])
            faster = moved / np.maximum(np.maximum(before, moved), np.finfo(float).tiny)
            errors = np.maximum(moved * faster, ROUNDING * every.rounding[numbers])
        scale = np.maximum(np.abs(values), np.median(np.abs(values))) if len(values) else values
        errors = np.where(every.rounding[numbers] > LOST * scale, np.inf, errors)
        sizes = np.linalg.norm(pencil.values @ known.coefficients, axis=0)
        functions = known.coefficients / sizes
        seen = pencil.values @ functions
        q = np.linalg.qr(pencil.values @ fewer.coefficients(its))[0]
        changes = np.linalg.norm(seen - q @ (q.conj().T @ seen), axis=0)
        return counted(pencil, Refined(values, functions, errors, changes), known, self.count)

    def complete(self, found: Spectrum, hints: np.ndarray) -> Spectrum:
        """The spectrum including values that the first search missed.

        A second search, with other random vectors and shifts amid the values and at hints, the candidates of smaller
        bases, leaves out what is known: whatever it finds before the last of the values was missed, or is rejected like
        any other candidate.
        """
        for k in range(AGAIN):
            if found.counted or not len(found.values):
                break
            missed = self._missed(found, self.seed + 1 + k, hints)
            if missed is None:
                break
            more = self._refined(found.pencil, missed)
            # Noise does not become a value, but may spoil those that are there.
            if not self._lacking(found, more) > self._lacking(more, found):
                break
            found = more
        return found

    def _missed(self, found: Spectrum, seed: int, hints: np.ndarray) -> Candidates | None:
        """The candidates, with those that a search without them finds before the last of the values; None if there are
        none."""
        known, pencil = found.candidates, found.pencil
        middle = found.values[:: max(1, len(found.values) - 1)].mean()
        gaps = np.abs(known.values - middle)
        apart = gaps[gaps > 1e-3 * gaps.max(initial=0.0)]
        shift = complex(middle + OFF * np.min(apart, initial=abs(middle) or 1.0))
        shift = shift if pencil.is_complex or np.iscomplexobj(found.values) else shift.real
        states = (known.values, known.coefficients)
        values, functions = nearest_values(pencil, shift, SPARE, seed, known=states, converged=ROUGHLY)
        for hint in self._unexplained(found, hints):
            beside, its = nearest_values(pencil, hint, 1, seed, known=states, converged=ROUGHLY)
            values, functions = np.concatenate([values, beside]), np.concatenate([functions, its], axis=1)
        if found.lowest and self.near is None:
            # A state far below all others is further from any shift amid them than they are from each other.
            first = float(known.values.real.min())
            far = first - DEEPER * (abs(first) + float(np.ptp(found.values.real)))
            below, theirs = nearest_values(pencil, far, DEEP, seed, known=states, converged=ROUGHLY)
            lower = (below.real < first) & (np.abs(below.imag) <= RESOLVED * np.abs(below))
            values = np.concatenate([values, below[lower]])
            functions = np.concatenate([functions, theirs[:, lower]], axis=1)
        enough = len(found.values) == self.count
        inside = self._key(values, found.lowest) < (self._key(found.values, found.lowest).max() if enough else np.inf)
        if not inside.any():
            return None
        values = np.concatenate([known.values, values[inside]])
        functions = np.concatenate([known.coefficients, functions[:, inside]], axis=1)
        return replace(known, values=values, coefficients=functions).sorted(self._key(values, found.lowest))

    def _unexplained(self, found: Spectrum, hints: np.ndarray) -> np.ndarray:
        """The first hints, real ones, before the last of the values that are near none of them."""
        hints = hints[np.abs(hints.imag) <= RESOLVED * np.abs(hints)].real
        last, room = self._key(found.values, found.lowest).max(), HINTED * float(np.ptp(found.values.real))
        before = hints[self._key(hints, found.lowest) < last]
        lonely = before[np.abs(before[:, None] - found.values[None, :]).min(axis=1, initial=np.inf) > room]
        return lonely[np.argsort(self._key(lonely, found.lowest))][:DEEP]

    def better(self, one: Spectrum, other: Spectrum) -> bool:
        """Whether one spectrum lacks fewer values of the other or, if neither lacks any, is more accurate."""
        if one.counted and other.counted and len(one.values) == len(other.values):
            return bool(one.relative.max(initial=0.0) < other.relative.max(initial=0.0))
        lacking = self._lacking(one, other) - self._lacking(other, one)
        return lacking < 0 or (lacking == 0 and score(one, self.count) < score(other, self.count))

    def _lacking(self, one: Spectrum, other: Spectrum) -> int:
        """How many values of the other would come before the last of one, and are missing."""
        if not len(one.values) or not len(other.values):
            return len(other.values)
        scale = max(np.abs(one.values).max(), np.abs(other.values).max())
        lowest = one.lowest or other.lowest
        first = self._key(other.values, lowest) < self._key(one.values, lowest).max()
        left, count = list(one.values), 0
        for value in other.values[first & (other.relative <= RESOLVED)]:
            near = [k for k, v in enumerate(left) if abs(v - value) <= VERIFIED * scale]
            if near:
                left.pop(min(near, key=lambda k: abs(left[k] - value)))
            count += not near
        return count

    def _key(self, values: np.ndarray, lowest: bool) -> np.ndarray:
        """The sort key of values: their distance from the given one; their size; or the distance from zero."""
        if lowest:
            return values.real
        return np.abs(values - (self.near or 0.0))

    def _found(self, pencil: Pencil, shift: complex) -> Candidates:
        """The first values, and a few more."""
        found = Candidates(*self._lowest(pencil, shift, self.count + max(SPARE, self.count // 2)))
        return found.sorted(self._key(found.values, found.lowest))

    def _lowest(self, pencil: Pencil, shift: complex, wanted: int) -> tuple[np.ndarray, np.ndarray, bool]:
        """The values near the given one; otherwise the lowest or, if there is no lowest, those nearest to zero.

        Also returns whether there is a lowest.
        """
        values, coefficients = first = nearest_values(pencil, shift, wanted, self.seed)
        if self.near is not None or not _real(values) or (values.real < shift.real).all():
            return *first, False
        for _ in range(BELOW):
            lowest = values.real.min()
            if lowest >= shift.real:
                return values, coefficients, True
            shift = lowest - 0.5 * np.ptp(values.real) - RESOLVED * abs(lowest)
            values, coefficients = nearest_values(pencil, shift, wanted, self.seed)
        return *first, False

    def _refined(self, pencil: Pencil, known: Candidates) -> Spectrum:
        values, lowest = known.values, known.lowest
        first = values[np.argsort(self._key(values, lowest), kind="stable")][: self.count]
        scale = float(np.abs(values - values.mean()).max(initial=0.0)) or 1.0
        wanted = np.flatnonzero(np.abs(values[:, None] - first).min(axis=1) <= SAME_CLUSTER * scale)
        groups = shift_groups(values[wanted], SAME_CLUSTER * scale, SPREAD, LEAST * float(np.abs(first).max()))
        found = [refined_values(pencil, values, known.coefficients, wanted[g], (pencil.part,)) for g in groups]
        return verified(pencil, found, known, self.count, partial(self._key, lowest=lowest))


def _real(values: np.ndarray) -> bool:
    return bool(np.abs(values.imag).max() <= RESOLVED * np.abs(values).max())


def _typical(pencil: Pencil) -> float:
    """A shift below the first eigenvalue: the value of the slow waves of the space, with the opposite sign."""
    zeroth, *rest = (np.linalg.norm(a, axis=0) for a in pencil.matrices)
    with np.errstate(divide="ignore", invalid="ignore"):  # columns of zeros
        sizes = np.min([(zeroth / np.where(a > BESIDE * a.max(), a, 0.0)) ** (1 / k) for k, a in enumerate(rest, 1)], 0)
    return -UNDER * float(np.quantile(sizes[np.isfinite(sizes)], SLOW))
