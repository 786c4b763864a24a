"""Are there more conditions on a part of the boundary than the equation takes? Told from the statement alone.

Nothing is claimed where more may be meant: where others are missing (Cauchy data, to be continued from one part of the
boundary to another), in inverse problems and free boundaries, and for systems."""

from __future__ import annotations

import numpy as np

from transnet.counts import LOOKS
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.facts.conditions import missing_conditions
from transnet.facts.stated import Material, stated_in_pieces, time_axis
from transnet.facts.walls import independent, needed_at
from transnet.geometry import Pieces
from transnet.problem import Problem, is_conserved
from transnet.remember import Remembered
from transnet.sections.windows import open_parts
from transnet.tolerances import SAME

_looked_at: Remembered[Problem, Message | None] = Remembered()


def surplus_conditions(problem: Problem) -> Message | None:
    """A message if a part of the boundary has more independent conditions than the equation takes there."""
    return _looked_at.get(problem, None, lambda: _surplus(problem))


def _surplus(problem: Problem) -> Message | None:
    domain = problem.domain
    known = all(c.in_cells and not c.fitted and not c.across and c.period is None for c in problem.conditions)
    if not known or domain.dimension == 1 or len(problem.unknowns) > 1 or len(problem.equations) > 1:
        return None
    named = [p for c in problem.conditions if c.boundary is not None for p in c.parts(problem)]
    if len(set(named)) == len(named) or isinstance(domain, Pieces) or open_parts(domain) or is_conserved(problem):
        return None
    try:
        if missing_conditions(problem) is not None:
            return None
        (stated,) = stated_in_pieces(problem)
        found = (_on(stated, part) for part in stated.parts if named.count(part) > 1)
        return next((message for message in found if message), None)
    except ProblemError:  # reported where its equations are compiled
        return None


def _on(stated: Material, part: str) -> Message | None:
    time = time_axis(stated.whole)
    surface = stated.whole.domain.boundary(part, LOOKS, "quasi", 0)
    here = [c for c in stated.conditions if part in c.parts]
    wall = np.ones(len(surface.points), dtype=bool) if time is None else np.abs(surface.normals[:, time]) <= SAME
    points, normals = surface.points[wall], surface.normals[wall]
    if not len(points):
        return None
    takes, order = needed_at(stated, points, normals, time)
    many = (independent(stated, here, points, normals) > takes) & (takes > 0)
    if not many.any():
        return None
    k = int(np.argmax(many))
    labels = [f"'{c.statement.label}'" for c in here if c.holds(points[[k]], stated.whole.coordinates)[0]]
    count = "one condition" if takes[k] == 1 else f"{takes[k]} conditions"
    text = (
        f"There are too many conditions on '{part}': {', '.join(labels[:-1])} and {labels[-1]} hold there, but an "
        f"equation of order {order} like this one takes {count}. A later condition does not replace an earlier one: "
        f"all are imposed, and unless they happen to agree what is returned is a compromise."
    )
    wide = next((c for c in here if len(c.parts) > 1), None)
    if wide is None:
        return Message(AccuracyWarning, text, {"separate": True})
    others = ", ".join(repr(p) for p in wide.parts if p != part)
    return Message(AccuracyWarning, f"{text} State '{wide.statement.label}' on {others} instead.")
