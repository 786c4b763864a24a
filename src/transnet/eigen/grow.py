"""Networks that grow until the values of smaller ones agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.basis.basis import Basis
from transnet.eigen.search import RESOLVED, Question
from transnet.eigen.spectrum import Spectrum, score
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs


def grown(
    question: Question, spaces: Sequence[Callable[[int], FeatureSpace]], sizes: Sequence[int], tol: float
) -> Spectrum:
    """The spectrum of the smallest network whose errors are below the tolerance, or the best of all.

    Parameters
    ----------
    spaces : sequence of callables
        Feature spaces as functions of the number of neurons; the first size decides which of them is used.
    """
    best, law = None, spaces[0]
    for neurons in sizes:
        resolved = best is not None and score(best, question.count) < np.log(RESOLVED)
        for space in (law,) if resolved else spaces:
            found = question.spectrum(basis_of(question.problem, space(neurons)))
            if best is None or question.better(found, best):
                best, law = found, space
        assert best is not None
        if len(best.values) == question.count and best.relative.max(initial=0.0) <= tol:
            break
    assert best is not None
    return question.complete(best)


def basis_of(problem: Problem, space: FeatureSpace) -> Basis:
    """The basis of an eigenvalue problem: one space for each unknown, complex or real."""
    unknowns = len(complex_pairs(problem)) or len(problem.unknowns)
    return Basis((space,) * unknowns, Placement.of(problem.domain))
