"""Continuation: solve for easier values of a parameter first; each solution is the guess for the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.solution.solution import Solution

HALVINGS = 4
"""How often a failed step in the parameter is halved."""


def stages_of(
    problem: Problem, parameters: Mapping[Any, Any] | None, continuation: Mapping[Any, Sequence[float]] | None
) -> tuple[dict[sp.Symbol, Any], ...]:
    """The values of all parameters, stage by stage; one stage without a continuation."""
    fixed = {str(k): v for k, v in (parameters or {}).items()}
    lists: dict[str, list[float]] = {}
    names = [p.name for p in problem.parameters]
    for symbol, values in (continuation or {}).items():
        if str(symbol) not in names:
            there = f"its parameters are {', '.join(names)}" if names else "it has no parameters"
            raise ProblemError(
                f"Continuation in '{symbol}' is not possible, because the problem lacks that symbol; {there}."
            )
        lists[str(symbol)] = [float(v) for v in np.atleast_1d(np.asarray(values, dtype=float))]
        if not lists[str(symbol)] or not np.isfinite(lists[str(symbol)]).all():
            raise ProblemError(f"Continuation in '{symbol}' needs a list of finite values, not {shown(values)}.")
    if len({len(v) for v in lists.values()}) > 1:
        raise ProblemError("Continuation in several parameters needs lists of one length, a value for each stage.")
    stages = [dict(zip(lists, stage, strict=True)) for stage in zip(*lists.values(), strict=True)] if lists else [{}]
    return tuple(parameter_values(problem, {**fixed, **stage}) for stage in stages)


def continued(
    solve: Callable[[dict[sp.Symbol, Any], Any], Solution],
    stages: Sequence[dict[sp.Symbol, Any]],
    guess: Any = None,
) -> Solution:
    """Solve stage by stage; a stage that does not converge is approached in smaller steps.

    Parameters
    ----------
    solve : callable
        `solve(values, guess)` for one set of values of the parameters.
    """
    if len(stages) == 1:
        return solve(stages[0], guess)
    changing = [p for p in stages[0] if len({stage[p] for stage in stages}) > 1]
    waiting = list(stages)
    good: Solution | None = None
    halvings = 0
    while waiting:
        found = solve(waiting[0], guess if good is None else good)
        if found.status in ("solved", "converged"):
            good = found
            waiting.pop(0)
        elif found.status != "interrupted" and good is not None and halvings < HALVINGS:
            halvings += 1
            between = {p: 0.5 * (good.parameters[p] + waiting[0][p]) for p in changing}
            waiting.insert(0, {**waiting[0], **between})
        else:
            return _ended(found, {p: waiting[0][p] for p in changing})
    assert good is not None
    return good


def _ended(found: Solution, stage: Mapping[sp.Symbol, Any]) -> Solution:
    """The last iterate, with a message that says at which stage the continuation ended."""
    if not found.diagnostics.messages:  # it leads to another solve and was not judged
        return found
    *others, last = found.diagnostics.messages
    place = ", ".join(f"{k} = {v:g}" for k, v in stage.items())
    ended = replace(last, text=f"Continuation ended at {place}. {last.text}")
    return replace(found, diagnostics=replace(found.diagnostics, messages=(*others, ended)))
