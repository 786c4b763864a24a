"""Times at which something in an evolution jumps: a step ends just before them, and the next begins afresh."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from transnet.pieces.piecewise import JUMPING, jump_edges, sign_changes
from transnet.problem import Problem, expressions_of
from transnet.steps.statement import Rothe
from transnet.tolerances import BESIDE


def breaks_of(rothe: Rothe) -> list[float]:
    """The ends of steps just before the times at which an equation or a condition jumps."""
    whole = rothe.stop - rothe.start
    found: set[float] = set()
    for atom in _jumping(rothe.problem):
        for edge in jump_edges(rothe.problem, {atom}) or ():
            if edge.free_symbols == {rothe.time}:
                found.update(sign_changes(edge, rothe.time, rothe.start, rothe.stop))
    return [place - BESIDE * whole for place in sorted(found)]


def begins_at_break(rothe: Rothe) -> bool:
    """Whether a march goes on from just before such a time: what it had as its slope is no longer one."""
    low, high = rothe.problem.domain.bounds[:, rothe.problem.coordinates.index(rothe.time)]
    near = 2 * BESIDE * float(high - low)
    return any(abs(end - rothe.start) <= near for end in breaks_of(replace(rothe, start=rothe.start - near)))


def only_in_time(rothe: Rothe) -> bool:
    """Whether all that jumps in the equations does so at a time, everywhere at once."""
    atoms = set().union(*(r.doit().atoms(*JUMPING) for e in rothe.problem.equations for r in expressions_of(e)))
    edges = jump_edges(rothe.problem, atoms)
    return bool(edges) and all(edge.free_symbols == {rothe.time} for edge in edges or ())


def _jumping(problem: Problem) -> list[sp.Expr]:
    expressions = [r.doit() for e in problem.equations for r in expressions_of(e)]
    expressions += [r.doit() for c in problem.conditions if c.boundary is not None for r in c.expressions()]
    return sorted(set().union(*(e.atoms(*JUMPING) for e in expressions)), key=sp.default_sort_key)
