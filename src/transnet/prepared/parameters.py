"""The parameters of many solves as one table: a row for each solve, a column for each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values


def table_of(problem: Problem, parameters: Any) -> np.ndarray:
    """(k, p) from a sequence of mappings, a mapping of arrays or an array; an error names what is missing or
    unknown."""
    names = [p.name for p in problem.parameters]
    if parameters is None:
        parameter_values(problem, {})
        return np.zeros((1, 0))
    if isinstance(parameters, Mapping):
        checked = parameter_values(problem, parameters, several=True)
        columns = [_numbers(v, p.name) for p, v in checked.items()]
        lengths = {len(c) for c in columns if c.ndim}
        if len(lengths) > 1:
            sizes = ", ".join(f"{n}: {np.size(c)}" for n, c in zip(names, columns, strict=True))
            raise ProblemError(f"The arrays of parameters have different lengths ({sizes}).")
        count = max(lengths, default=1)
        return np.column_stack([np.broadcast_to(c, (count,)) for c in columns]) if columns else np.zeros((1, 0))
    if isinstance(parameters, Sequence) and all(isinstance(p, Mapping) for p in parameters):
        if not len(parameters):
            raise ProblemError("There is no set of parameters to solve for: the list is empty.")
        rows = [list(parameter_values(problem, p, several=True).values()) for p in parameters]
        return np.array([[_number(v, n) for v, n in zip(row, names, strict=True)] for row in rows]).reshape(
            len(rows), -1
        )
    array = _numbers(parameters, "")
    if array.ndim == 1 and len(names) == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != len(names):
        raise ProblemError(
            f"An array of parameters must have shape (k, {len(names)}), one column for each of "
            f"{', '.join(names) or 'no parameters'}, not {np.shape(parameters)}."
        )
    return array


def _numbers(value: Any, name: str) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"The parameter {name} is a number or an array of numbers, not {shown(value)}.") from None
    if array.size == 0:
        raise ProblemError(f"There is no set of parameters to solve for: {name or 'the array'} is empty.")
    if not np.isfinite(array).all():
        raise ProblemError(f"The parameter {name} must be finite, but has NaN or infinite values.")
    return array


def _number(value: Any, name: str) -> float:
    array = _numbers(value, name)
    if array.ndim:
        raise ProblemError(f"The parameter {name} must be one number in each set, not {shown(value)}.")
    return float(array)
