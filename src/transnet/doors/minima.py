"""Unknown numbers that data determine: other values that fit as well, or better, than what an iteration found.

The misfit of a frequency, a speed or a place has many minima, and an iteration ends in the nearest, with a standard
error that is as small as it is meaningless. So the predictions of many values are looked at (`doors/look.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import sympy as sp

from transnet.doors.look import Predicted, Way, one_place
from transnet.doors.scan import SETS, Scan, around
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, Message, TransnetError, UniquenessWarning
from transnet.problem import Problem
from transnet.solution.solution import Solution

SAME_FIT = 1.5
"""What lies between two minima of one valley has at most this many times the misfit that is allowed."""
FINER = 1e-3
"""The tolerance with which the iteration is begun once more if it does not come to values that fit better."""


def numbers_sought(problem: Problem) -> tuple[sp.Expr, ...]:
    """The unknown numbers, if all that data determine are numbers."""
    numbers = tuple(u for u in problem.unknowns if not u.args)
    fitted = [c for c in problem.conditions if c.fitted]
    return numbers if fitted and len(problem.unknowns) - len(problem.equations) == len(numbers) else ()


def with_other_minima(plan: Plan, way: Way, forward: Way, quick: Way) -> Solution:
    """The best of what an iteration finds and what is found from other values; with a message if others fit as well.

    Parameters
    ----------
    way, forward, quick : functions of a plan
        How the problem is solved, and how one with numbers in place of the unknown ones, as well as can be and fast.
    """
    numbers = numbers_sought(plan.problem)
    try:
        first, failed = way(plan), None
    except TransnetError as error:  # the equations may have no value where the iteration starts
        if not numbers or plan.guess is not None:
            raise
        first, failed = None, error
    if first is not None and (not numbers or first.status == "interrupted" or plan.seconds is not None):
        return first
    look = Predicted(plan, numbers, forward, quick)

    def values_of(solution: Solution) -> np.ndarray:
        return np.array([float(solution[u.func.__name__]) for u in numbers])

    own = values_of(first) if first is not None else np.ones(len(numbers))
    found, lines = around(look, own)
    if not np.isfinite(look.misfit(own)) and not found:
        if failed is not None:
            raise failed
        assert first is not None
        return first
    best = min(found, key=look.misfit, default=own)
    if found and (first is None or look.better(best, own)):
        start = look.started_at(best)
        for begun in (start, replace(plan, guess=start.guess, tol=plan.tol or FINER)):
            try:
                again = way(begun)
            except TransnetError:
                if first is None:
                    raise
                continue
            if first is None or look.misfit(values_of(again)) < look.misfit(own):
                first, own = again, values_of(again)
            if not look.better(best, own):
                break
    assert first is not None
    others = [v for v in found if not one_place(v, own)]
    first = _widened(first, look, own, best) if look.better(best, own) else first
    return _told(first, look, own, others, lines)


def _widened(found: Solution, look: Predicted, own: np.ndarray, best: np.ndarray) -> Solution:
    """The solution with standard errors that reach to values which fit better, and to which no iteration led."""
    known, uncertain = found.diagnostics, dict(found.diagnostics.uncertain)
    for u, here, there in zip(look.numbers, own, best, strict=True):
        name = u.func.__name__
        uncertain[name] = float(np.hypot(uncertain.get(name, 0.0), abs(there - here) / (abs(here) or 1.0)))
    text = (
        f"The equations alone, solved for many values of {_words(look, best)[0]}, fit the data better with "
        f"{_words(look, best)[1]}: the standard errors reach to there. A smaller tol= may bring the two together, or "
        f"guess=."
    )
    messages = (*known.messages, Message(AccuracyWarning, text))
    return replace(found, diagnostics=replace(known, uncertain=uncertain, messages=messages))


def _words(look: Predicted, values: np.ndarray) -> tuple[str, str]:
    """The names of the numbers, and the names with values."""
    names = [u.func.__name__ for u in look.numbers]
    return ", ".join(names), ", ".join(f"{n} = {v:.4g}" for n, v in zip(names, values, strict=True))


def _told(
    found: Solution, look: Predicted, own: np.ndarray, others: Sequence[np.ndarray], lines: Sequence[Scan]
) -> Solution:
    """The solution with what is known about other values."""
    names = [u.func.__name__ for u in look.numbers]
    ranges = ", ".join("{} from {:.3g} to {:.3g}".format(names[one.number], *one.looked()) for one in lines)
    sets = 2 * SETS[min(look.problem.domain.dimension, max(SETS))]
    more = "" if len(names) == 1 else f", each with the others fitted, and {sets} sets at random"
    known = found.diagnostics
    notes = [*known.notes, f"looked for other fits of the data: {ranges}{more}"]
    fitting = [v for v in others if look.misfit(v) <= look.fits]
    # If what is between them fits as well, they are ends of one valley, whose width the standard error tells.
    apart = [v for v in fitting if look.misfit(0.5 * (v + own)) > SAME_FIT * look.fits]
    equal = [v for v in apart if look.same(v, own)]
    different = [v for v in apart if not any(v is e for e in equal)]
    if equal:
        notes.append(f"the equations are the same for {'; '.join(_words(look, v)[1] for v in equal)}")
    messages = known.messages
    if different and look.misfit(own) <= look.fits:
        text = (
            f"The data fit {_words(look, different[0])[1]} as well as {_words(look, own)[1]}: they do not tell which "
            f"is true, and the standard error is only that of the one returned. More data, at other places or with "
            f"less noise, would; guess= chooses."
        )
        messages = (*messages, Message(UniquenessWarning, text))
    return replace(found, diagnostics=replace(known, notes=tuple(notes), messages=messages))
