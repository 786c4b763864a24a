"""Are there enough conditions, and in the right places? Told from the statement of the problem alone.

Nothing is claimed where it may be otherwise: where the leading coefficient vanishes on a wall (an axis, a
characteristic boundary) or the equation changes its type, in inverse problems (data, more unknowns than equations), on
periodic faces. A pressure needs no condition of its own: the determinant does not count it."""

from __future__ import annotations

import numpy as np

from transnet.errors import Message, ProblemError, UniquenessWarning
from transnet.facts.characteristics import unmet
from transnet.facts.ends import across
from transnet.facts.stated import stated_in_pieces, time_axis
from transnet.facts.symbol import MOST_UNKNOWNS
from transnet.facts.walls import Bare, bare_parts
from transnet.problem import Far, Problem, is_conserved
from transnet.problem.windowed import Windowed
from transnet.remember import Remembered
from transnet.sections.windows import open_parts

STANDS_FOR = 8
"""Values at more points than this may make up for conditions that are missing on the boundary."""

_looked_at: Remembered[Problem, Message | None] = Remembered()


def missing_conditions(problem: Problem) -> Message | None:
    """A message if a part of the boundary, or the ends of a coordinate, have fewer conditions than are needed."""
    return _looked_at.get(problem, None, lambda: _missing(problem))


def _missing(problem: Problem) -> Message | None:
    if open_parts(problem.domain) and any(isinstance(c, Far) for c in problem.conditions):
        return _missing(Windowed(problem).spelled_out())
    if any(c.fitted or not c.in_cells for c in problem.conditions) or is_conserved(problem):
        return None  # an inverse problem, conditions of a kind that is not known here, or a law that looks itself
    points = sum(len(c.at_points) for c in problem.conditions if c.at_points is not None)
    if problem.domain.dimension > 1 and points > STANDS_FOR:
        return None
    everywhere = problem.domain.dimension > 1 and len(problem.unknowns) == 1 and _around(problem)
    try:
        in_pieces = stated_in_pieces(problem)
    except ProblemError:  # reported where its equations are compiled
        return None
    for stated in in_pieces:
        if len(stated.equations) != len(stated.fields) or not 0 < len(stated.fields) <= MOST_UNKNOWNS:
            continue
        if everywhere and max(s.equation.order for s in stated.equations) <= 2 and time_axis(problem) is None:
            continue  # the usual case, without evaluating anything
        bare = bare_parts(stated)
        if bare is not None:
            return _message_of_parts(problem, bare)
        for axis in range(problem.domain.dimension):
            message = across(stated, axis)
            if message is not None:
                return message
        place = unmet(stated)
        if place is not None:
            return _message_of_characteristics(problem, place)
    return None


def _around(problem: Problem) -> bool:
    """Whether something holds on all of the boundary, or on each of its parts as a whole."""
    whole = {p for c in problem.conditions if c.where is None and not c.across for p in c.parts(problem)}
    return whole >= {p for p in problem.domain.parts if "|" not in p}


def _message_of_parts(problem: Problem, bare: Bare) -> Message:
    names = ", ".join(map(repr, bare.parts))
    where = f"a portion of {names}" if bare.portion else names
    what = (
        "nothing is stated"
        if bare.stated == 0
        else f"only {_number(bare.stated)} {'is' if bare.stated == 1 else 'are'} stated"
    )
    one = len(problem.unknowns) == 1
    needs = "a condition" if bare.needed == 1 else f"{bare.needed} conditions"
    names_of_all = " and ".join(problem.names) if len(problem.names) < MOST_UNKNOWNS else "its unknowns"
    text = (
        f"The problem does not determine {names_of_all}: {what} on {where}, but {'an equation' if one else 'a system'} "
        f"of order {bare.order} like this one needs {needs} at every point of it. Without "
        f"{'it' if bare.needed == 1 else 'them'} there are many solutions, and what is returned is one of them."
    )
    kind = "inflow" if bare.order == 1 else "bare"
    remedy = {kind: {"part": bare.parts[0], "unknown": problem.names[0]}} if one and bare.needed == 1 else {}
    return Message(UniquenessWarning, text if remedy else f"{text} State what is missing there.", remedy)


def _message_of_characteristics(problem: Problem, place: np.ndarray) -> Message:
    name = problem.names[0]
    at = ", ".join(f"{c} = {v:.2g}" for c, v in zip(problem.coordinates, place, strict=True))
    text = (
        f"The problem does not determine {name}: an equation of order 1 carries values along its characteristics, and "
        f"those through a part of the domain, such as the one near {at}, meet no condition at either end. State {name} "
        f"where they enter the domain."
    )
    return Message(UniquenessWarning, text)


def _number(count: int) -> str:
    return "one condition" if count == 1 else f"{count} conditions"
