"""Continuation: solve for easier values of a parameter first, each solution the guess of the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.solution.solution import Solution

HALVINGS = 4
"""How often a step in the parameter that fails is halved."""


def stages(problem: Problem, continuation: Mapping[Any, Sequence[float]]) -> list[dict[Any, float]]:
    """The values of the parameters, stage by stage; checks that they are parameters of the problem."""
    names = [p.name for p in problem.parameters]
    lists = {}
    for symbol, values in continuation.items():
        if str(symbol) not in names:
            there = f"its parameters are {', '.join(names)}" if names else "it has no parameters"
            raise ProblemError(
                f"Continuation in '{symbol}' is not possible, because the problem lacks that symbol; {there}."
            )
        lists[str(symbol)] = [float(v) for v in np.atleast_1d(np.asarray(values, dtype=float))]
        if not lists[str(symbol)] or not np.isfinite(lists[str(symbol)]).all():
            raise ProblemError(f"Continuation in '{symbol}' needs a list of finite values, not {values!r}.")
    if len({len(v) for v in lists.values()}) > 1:
        raise ProblemError("Continuation in several parameters needs lists of the same length, one value a stage.")
    return [dict(zip(lists, stage, strict=True)) for stage in zip(*lists.values(), strict=True)]


def final_parameters(
    problem: Problem, parameters: Mapping[Any, Any] | None, continuation: Mapping[Any, Sequence[float]] | None
) -> dict[str, Any]:
    """The parameters at the end of a continuation."""
    fixed = {str(k): v for k, v in (parameters or {}).items()}
    return {**fixed, **(stages(problem, continuation)[-1] if continuation else {})}


def continued(
    solve: Callable[[dict[Any, Any], Any], Solution],
    problem: Problem,
    parameters: Mapping[Any, Any] | None,
    continuation: Mapping[Any, Sequence[float]],
    guess: Any = None,
) -> Solution:
    """Solve stage by stage; a stage that does not converge is approached in smaller steps.

    Parameters
    ----------
    solve : callable
        `solve(parameters, guess)` for one set of values.
    """
    fixed = {str(k): v for k, v in (parameters or {}).items()}
    waiting = stages(problem, continuation)
    good: Solution | None = None
    at: dict[Any, float] | None = None
    halvings = 0
    while waiting:
        found = solve({**fixed, **waiting[0]}, guess if good is None else good)
        if found.status in ("solved", "converged"):
            good, at = found, waiting.pop(0)
        elif found.status != "interrupted" and at is not None and halvings < HALVINGS:
            halvings += 1
            waiting.insert(0, {k: 0.5 * (at[k] + v) for k, v in waiting[0].items()})
            continue
        if found is not good:
            stage = ", ".join(f"{k} = {v:g}" for k, v in waiting[0].items())
            *others, last = found.diagnostics.messages  # why the iteration failed
            ended = replace(last, text=f"Continuation ended at {stage}. {last.text}")
            return replace(found, diagnostics=replace(found.diagnostics, messages=(*others, ended)))
    assert good is not None
    return good
