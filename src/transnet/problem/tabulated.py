"""A table of values that jumps from cell to cell, as an expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError


def table_with_jumps(
    name: str, values: Any, coordinates: Sequence[sp.Symbol], jumps: Mapping[sp.Symbol, Sequence[float]]
) -> sp.Expr:
    """The table as a `sympy.Piecewise` of the coordinates: `values[i, j]` between the i-th and j-th places.

    `jumps` has for each coordinate the places between the cells, one fewer than there are cells, or the edges of all
    cells, one more.
    """
    try:
        table = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ProblemError(f"The table '{name}' with jumps= must be an array of numbers.") from None
    if table.ndim != len(coordinates) or not np.isfinite(table).all():
        raise ProblemError(
            f"The table '{name}' has {table.ndim} axes for {len(coordinates)} "
            f"coordinates{'' if np.isfinite(table).all() else ', and values that are not finite'}. It needs one axis "
            f"for each, with a finite value in every cell."
        )
    unknown = [c for c in jumps if c not in coordinates]
    if unknown:
        raise ProblemError(f"jumps= of '{name}' names {unknown[0]}, which is not one of its coordinates.")
    places = []
    for axis, c in enumerate(coordinates):
        at, count = [float(p) for p in jumps.get(c, ())], table.shape[axis]
        at = at[1:-1] if len(at) == count + 1 else at
        if len(at) != count - 1 or any(b <= a for a, b in pairwise(at)):
            raise ProblemError(
                f"jumps= of the table '{name}' needs {count - 1} increasing places along {c}, between its {count} "
                f"cells, or the {count + 1} edges of all cells; it has {len(jumps.get(c, ()))}."
            )
        places.append(at)
    if table.size == 1:
        return sp.Float(float(table.ravel()[0]))
    branches = []
    for index in product(*map(range, table.shape)):
        below = [c < sp.Float(p[k]) for c, p, k in zip(coordinates, places, index, strict=True) if k < len(p)]
        branches.append((sp.Float(float(table[index])), sp.And(*below)))
    return sp.Piecewise(*branches, evaluate=False)
