"""The lowest eigenvalues of waves in a lattice: contour integrals of responses, and the functions at the values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from transnet.basis.penetrable import Penetrable
from transnet.eigen.contour import values_inside
from transnet.eigen.refine import matched
from transnet.eigen.search import Question
from transnet.eigen.spectrum import SAME_CLUSTER, VERIFIED
from transnet.method.lattice import LatticeLaw
from transnet.solution.diagnostics import Residual

SPARE, BELOW = 2.5, 0.15
"""A circle is for this many values more than are wanted, by Weyl's law, and begins this part of it below the lowest
that there can be."""
LARGER, TRIES = 1.5, 5
"""How much larger the next circle is if too few are found."""
FEWER = 2.0
"""Digits of the functions with which values are compared."""
FEWEST, MOST, SURE = 3.0, 11.0, 1.5
"""Digits for which functions are made, and how many more than are wanted."""


@dataclass(frozen=True, eq=False)
class LatticeSpectrum:
    """Eigenvalues of waves in a lattice with their errors; each has functions of its own."""

    law: LatticeLaw
    digits: float
    values: np.ndarray
    errors: np.ndarray
    seed: int
    blocks: tuple[()] = ()

    @property
    def relative(self) -> np.ndarray:
        """Those near zero relative to the distance of values from each other."""
        return self.errors / np.maximum(np.abs(self.values), self.law.weyl(1.0))

    @cached_property
    def basis(self) -> Penetrable:
        """That of the highest value."""
        return self.law.basis(float(self.values[-1]), self.digits)

    @property
    def rows(self) -> int:
        return len(self.law.rows(self.basis, self.seed)[0])

    @property
    def changes(self) -> np.ndarray:
        """Functions are about as exact as the square roots of the errors of their values say at worst."""
        return np.sqrt(self.relative)

    def residuals(self, k: int) -> tuple[Residual, ...]:
        """None: the error comes from a comparison."""
        return ()

    def function(self, k: int) -> tuple[Penetrable, np.ndarray]:
        """The functions and coefficients of a value; of a double one the second is orthogonal to the first."""
        reach = SAME_CLUSTER * float(np.abs(self.values).max())
        same = [j for j in range(k % len(self.values)) if abs(self.values[j] - self.values[k]) <= reach]
        return self.law.function(float(self.values[k]), self.digits, len(same), self.seed)


def bands_of(law: LatticeLaw, question: Question, tol: float) -> LatticeSpectrum:
    """The lowest values, or those nearest to a number."""
    digits, wanted, best = min(SURE - np.log10(tol), MOST), question.count + SPARE, None
    for _ in range(TRIES):
        both = [_inside(law, question, wanted, d) for d in (digits, max(digits - FEWER, FEWEST))]
        if any(values is None for values in both):
            wanted /= LARGER
            continue
        best = _compared(law, question, digits, *(np.asarray(values) for values in both))
        if len(best.values) < question.count:
            wanted *= LARGER
        elif digits < MOST and best.relative.max() > tol:
            digits = min(digits + FEWER, MOST)
        else:
            break
    return best or LatticeSpectrum(law, digits, np.empty(0), np.empty(0), question.seed)


def _inside(law: LatticeLaw, question: Question, wanted: float, digits: float) -> np.ndarray | None:
    """The values in a circle for so many, with functions for so many digits."""
    reach, response = law.weyl(wanted), partial(law.response, digits=digits, seed=question.seed)
    if question.near is not None:
        return values_inside(response, float(np.real(question.near)), 0.5 * reach, digits)
    return values_inside(response, law.lowest + 0.5 * (1.0 - BELOW) * reach, 0.5 * (1.0 + BELOW) * reach, digits)


def _compared(
    law: LatticeLaw, question: Question, digits: float, found: np.ndarray, fewer: np.ndarray
) -> LatticeSpectrum:
    """The values that fewer functions have too, with the distances as their errors."""
    if len(fewer) >= len(found):
        errors = np.abs(fewer[matched(fewer, found)] - found)
    else:
        errors = np.array([np.abs(fewer - v).min(initial=np.inf) for v in found])
    good = errors <= VERIFIED * np.maximum(np.abs(found), law.weyl(1.0))
    found, errors = found[good], errors[good]
    key = found if question.near is None else np.abs(found - np.real(question.near))
    first = np.sort(np.argsort(key, kind="stable")[: question.count])
    return LatticeSpectrum(law, digits, found[first], errors[first], question.seed)
