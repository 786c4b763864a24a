"""Unknown numbers that data determine: other values that fit as well, or better, than what an iteration found.

The misfit of a frequency, a speed or a place has many minima, and an iteration ends in the nearest, with a standard
error that is as small as it is meaningless. So the predictions of many values are looked at (`doors/look.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import sympy as sp

from transnet.doors.look import DECADES, SAME_MINIMUM, SETS, Predicted, Way, one_place
from transnet.drive.plan import Plan
from transnet.errors import Message, TransnetError, UniquenessWarning
from transnet.problem import Problem
from transnet.solution.solution import Solution

SAME_FIT = 1.5
"""A misfit that is this many times less is a better one."""


def numbers_sought(problem: Problem) -> tuple[sp.Expr, ...]:
    """The unknown numbers, if all that data determine are numbers."""
    numbers = tuple(u for u in problem.unknowns if not u.args)
    fitted = [c for c in problem.conditions if c.fitted]
    return numbers if fitted and len(problem.unknowns) - len(problem.equations) == len(numbers) else ()


def with_other_minima(plan: Plan, way: Way, forward: Way) -> Solution:
    """The best of what an iteration finds and what is found from other values; with a message if others fit as well.

    Parameters
    ----------
    way, forward : functions of a plan
        How the problem is solved, and how one with numbers in place of the unknown ones.
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
    look = Predicted(plan, numbers, forward)
    own = np.array([float(first[u.func.__name__]) for u in numbers]) if first is not None else np.ones(len(numbers))
    found = look.around(own)
    if not np.isfinite(look.misfit(own)) and not found:
        if failed is not None:
            raise failed
        assert first is not None
        return first
    others = [v for v in found if first is None or not one_place(v, own)]
    best = min(others, key=look.misfit, default=own)
    if others and (first is None or look.misfit(best) < look.misfit(own) / SAME_FIT):
        again = way(look.started_at(best))
        value = np.array([float(again[u.func.__name__]) for u in numbers])
        if first is None or look.misfit(value) < look.misfit(own):
            first, own = again, value
            others = [v for v in found if not one_place(v, own)]
    assert first is not None
    return _told(first, look, own, others)


def _told(found: Solution, look: Predicted, own: np.ndarray, others: Sequence[np.ndarray]) -> Solution:
    """The solution with what is known about other values."""
    names = [u.func.__name__ for u in look.numbers]

    def words(values: np.ndarray) -> str:
        return ", ".join(f"{n} = {v:.4g}" for n, v in zip(names, values, strict=True))

    if len(own) == 1:
        low, high = look.looked()
        where = f"{names[0]} from {low:.3g} to {high:.3g}"
    else:
        where = f"{SETS} values of {', '.join(names)} up to {10 ** (DECADES / 2):.0f} times larger or smaller"
    known = found.diagnostics
    notes = [*known.notes, f"looked for other fits of the data: {where}"]
    mine = look.off(own)
    fitting = [v for v in others if look.misfit(v) <= look.fits]
    equal = [v for v in fitting if np.sqrt(np.mean((look.off(v) - mine) ** 2)) <= SAME_MINIMUM]
    # If what is between them fits as well, they are ends of one valley, whose width the standard error tells.
    apart = [v for v in fitting if not any(v is e for e in equal)]
    different = [v for v in apart if look.misfit(0.5 * (v + own)) > SAME_FIT * look.fits]
    if equal:
        notes.append(f"the equations are the same for {'; '.join(map(words, equal))}")
    messages = known.messages
    if different and look.misfit(own) <= look.fits:
        text = (
            f"The data fit {words(different[0])} as well as {words(own)}: they do not tell which is true, and the "
            f"standard error is only that of the one returned. More data, at other places or with less noise, would; "
            f"guess= chooses."
        )
        messages = (*messages, Message(UniquenessWarning, text))
    return replace(found, diagnostics=replace(known, notes=tuple(notes), messages=messages))
