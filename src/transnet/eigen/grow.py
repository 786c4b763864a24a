"""Networks, or products of polynomials, that grow until the values of smaller ones agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.basis.basis import Basis
from transnet.eigen.products import Products
from transnet.eigen.search import RESOLVED, Question
from transnet.eigen.spectrum import Spectrum, score
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs

KEPT = 3
"""Bases whose candidates are remembered: those of much smaller ones are far off."""


def grown(
    question: Question, bases: Sequence[Callable[[int], Basis | Products]], sizes: Sequence[int], tol: float
) -> Spectrum:
    """The spectrum of the smallest basis whose errors are below the tolerance, or the best of all.

    Parameters
    ----------
    bases : sequence of callables
        Bases as functions of their size; the first size decides which of them is used.
    """
    best, law = None, bases[0]
    hints: list[np.ndarray] = []
    for size in sizes:
        resolved = best is not None and score(best, question.count) < np.log(RESOLVED)
        for basis in (law,) if resolved else bases:
            found = question.spectrum(basis(size))
            hints.append(found.candidates.values)
            if best is None or question.better(found, best):
                best, law = found, basis
        assert best is not None
        if len(best.values) == question.count and best.relative.max(initial=0.0) <= tol:
            break
    assert best is not None
    return question.complete(best, np.concatenate(hints[-KEPT:]))


def basis_of(problem: Problem, space: FeatureSpace) -> Basis:
    """The basis of an eigenvalue problem: one space for each unknown, complex or real."""
    unknowns = len(complex_pairs(problem)) or len(problem.unknowns)
    return Basis((space,) * unknowns, Placement.of(problem.domain))
