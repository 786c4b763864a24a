"""Whether an evolution starts from values that fit its boundary conditions."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.geometry import Pieces
from transnet.linalg.sizes import rms
from transnet.rows.compile import compile_equation
from transnet.steps.statement import RATE, Rothe

LOOKED_AT = 200
"""Points of the boundary at which the start is checked."""


def start_misfit(rothe: Rothe, values: dict[Any, Any]) -> float:
    """By how much the initial values violate the boundary conditions, relative to their largest terms; 0 for
    materials."""
    problem = rothe.elliptic
    if isinstance(problem.domain, Pieces):
        return 0.0
    known = {**{str(k): v for k, v in values.items()}, RATE.name: 1.0, rothe.time.name: rothe.start}
    names = tuple(dict.fromkeys((*problem.parameters, *rothe.problem.parameters)))  # some only the start has
    numbers = tuple(known[p.name] for p in names)
    begin = {u: first[0] for u, first in zip(problem.unknowns, rothe.initial, strict=True) if first}
    free = [u for u, first in zip(problem.unknowns, rothe.initial, strict=True) if not first]
    worst = 0.0
    for condition in problem.conditions:
        if condition.boundary is None:
            continue  # the mean of what has no start
        drawn = problem.domain.boundary(condition.boundary, LOOKED_AT, "quasi", 0)
        inside = problem.domain.interior(LOOKED_AT, "quasi", 0)
        for residual in condition.expressions():
            if residual.has(*free):
                continue  # it says what they are, not what the start must be
            whole, *terms = (
                compile_equation(text, problem.unknowns, problem.coordinates, names, str(text))
                for text in (residual.xreplace(begin).doit(), *_terms(residual, begin))
            )
            # A term may vanish on the boundary: its size is taken inside.
            sizes = [rms(e.residual(inside, np.ones_like(inside), numbers)) for e in terms]
            sizes += [rms(e.residual(drawn.points, drawn.normals, numbers)) for e in terms]
            gap = rms(whole.residual(drawn.points, drawn.normals, numbers))
            worst = max(worst, gap / max(*sizes, gap) if gap > 0 else 0.0)
    return worst


def _terms(residual: Any, begin: dict[Any, Any]) -> list[Any]:
    return [term.xreplace(begin).doit() for term in residual.expand().as_ordered_terms()]
