"""The values of a problem's parameters: the symbols that are neither coordinates nor unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from transnet.arrays import detached
from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.problem.problem import Problem


def parameter_values(
    problem: Problem, parameters: Mapping[Any, Any] | None, several: bool = False
) -> dict[sp.Symbol, Any]:
    """The value of each parameter of the problem, by symbol; an error names missing and unknown ones.

    Parameters
    ----------
    several : bool
        Whether arrays of values are accepted.
    """
    given = {k.name if isinstance(k, sp.Symbol) else str(k): detached(v) for k, v in (parameters or {}).items()}
    names = [p.name for p in problem.parameters]
    unknown = [k for k in given if k not in names]
    missing = [n for n in names if n not in given]
    if unknown:
        there = f"its parameters are {', '.join(names)}" if names else "it has no parameters"
        raise ProblemError(f"The problem has no parameter {', '.join(unknown)}; {there}.")
    if missing:
        raise ProblemError(
            f"The symbol{'s' if len(missing) > 1 else ''} {', '.join(missing)} in the problem "
            f"{'are' if len(missing) > 1 else 'is'} neither a coordinate nor given a value.",
            {"parameters": missing},
        )
    for name, value in given.items():
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise ProblemError(f"The parameter {name} must be a number, not {shown(value)}.") from None
        if numbers.ndim and not several:
            raise ProblemError(
                f"The parameter {name} must be one number, not {shown(value)}. For many solves at once use "
                f"tn.prepare(problem).solve_many(...)."
            )
        if not np.isfinite(numbers).all():
            raise ProblemError(f"The parameter {name} must be finite, not {shown(value)}. Check how it was computed.")
    return {p: given[p.name] for p in problem.parameters}
