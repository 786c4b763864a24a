"""Eigenvalues on domains with ends at infinity: those whose functions decay, in a window that they fit into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.eigen.pairs import Eigenpairs
from transnet.errors import AccuracyWarning, Message
from transnet.problem.windowed import Windowed
from transnet.reach.solve import ABOVE, COARSE, in_the_open
from transnet.reach.tails import FAR, GROWS, Tail, first_reach, heights_of, next_reach
from transnet.solution.solution import Solution

TAIL = 1e-8
"""How small a function is to be at the edge of the window: the error of its value is the square of that."""
BELOW = 0.1
"""Values are sought near a number that is below them by this part of their extent."""
WINDOWS = 7
"""Windows that are tried."""


def pairs_in_window(plan: Any, find: Callable[[Any], Eigenpairs]) -> Eigenpairs:
    """The eigenvalues whose functions decay towards infinity."""
    stated = Windowed(plan.problem)
    given = {s: v for s, v in (plan.parameters or {}).items() if s in plan.problem.parameters}
    reach = first_reach(stated, given)
    before = 0
    for _ in range(WINDOWS):
        rough = find(replace(plan, problem=stated.within(reach), tol=COARSE))
        bound = _bound(_tails(stated, rough))
        # Functions that reach the edge of two windows, and do not decay in the second, are of the continuous spectrum.
        if len(bound) == len(rough) or 0 < len(bound) <= before:
            reach, settled = next_reach([t for pair in bound.values() for t in pair], reach, ABOVE * COARSE, TAIL)
            if settled:
                break
        else:
            before, reach = len(bound), {name: GROWS * r for name, r in reach.items()}
    near = plan.near
    if near is None and len(bound) and not np.iscomplexobj(rough.values):
        # In a large window the lowest values are hard to tell from those that features invent.
        values = rough.values[sorted(bound)]
        near = float(values.min() - BELOW * (np.ptp(values) or abs(values[0])))
    found = find(replace(plan, problem=stated.within(reach), near=near))
    bound = _bound(_tails(stated, found))
    kept = np.array(sorted(bound), dtype=int)
    left = np.array([max((t.left() for t in bound[k]), default=0.0) for k in kept])
    messages = found.messages
    if len(kept) < plan.count:
        text = (
            f"Only {len(kept)} of {plan.count} eigenvalues have functions that decay towards infinity within the "
            f"window that was looked at. The others, if there are any, belong to the continuous spectrum or decay very "
            f"slowly."
        )
        messages = (*messages, Message(AccuracyWarning, text))
    spectrum = replace(
        found.spectrum, coefficients=found.spectrum.coefficients[:, kept], values=found.spectrum.values[kept]
    )
    return replace(
        found, values=found.values[kept], errors=np.maximum(found.errors[kept], left**2 * np.abs(found.values[kept])),
        changes=np.maximum(found.changes[kept], left), spectrum=spectrum, messages=messages,
        carried=lambda solution: in_the_open(stated, solution, reach),
    )  # fmt: skip


def _tails(stated: Windowed, pairs: Eigenpairs) -> dict[int, list[Tail]]:
    return {k: heights_of(stated, partial(_evaluated, pairs[k]), pairs.problem.domain) for k in range(len(pairs))}


def _evaluated(solution: Solution, expression: sp.Expr, points: np.ndarray) -> np.ndarray:
    """An expression of an eigenfunction, which is complex if its value is."""
    complex_ones = {
        u: solution.groups[u.func.__name__] for u in expression.atoms(AppliedUndef) if _is_group(solution, u)
    }
    return np.asarray(solution.evaluate(expression.subs(complex_ones).doit(), points))


def _is_group(solution: Solution, unknown: sp.Expr) -> bool:
    return unknown not in solution.problem.unknowns and unknown.func.__name__ in solution.groups


def _bound(tails: dict[int, list[Tail]]) -> dict[int, list[Tail]]:
    """The tails of those that decay before the edge of the window."""
    return {k: found for k, found in tails.items() if all(t.at(FAR) <= ABOVE * COARSE for t in found)}
