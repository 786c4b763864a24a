"""A problem that ends earlier: what was solved when a march was stopped by an event or by the user."""

from __future__ import annotations

from typing import Any

from transnet.errors import ProblemError
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.product import Product
from transnet.problem import Problem, text_of
from transnet.slabs.evolution import Passing
from transnet.solution.solution import Solution


def ended(evolution: Passing, end: float) -> Problem:
    """The problem up to the time that was reached."""
    problem = evolution.problem
    if end == evolution.stop:
        return problem
    domain = _cut(problem.domain, evolution.time.name, (min(evolution.start, end), max(evolution.start, end)))
    return Problem(domain, problem.equations, problem.conditions)


def _cut(domain: Domain, name: str, span: tuple[float, float]) -> Domain:
    match domain:
        case Interval(name=own) if own == name:
            return Interval(**{name: span})
        case Product(first=first, second=second):
            return Product(_cut(first, name, span), _cut(second, name, span))
        case Box(sides=sides):
            return Box(**{n: span if n == name else (low, high) for n, low, high in sides})
        case _:
            return domain


def end_of(evolution: Passing, start: Any) -> float:
    """The end of a solution to continue from; raises if it belongs to another problem."""
    slabs = getattr(getattr(start, "basis", None), "slabs", None)
    if not isinstance(start, Solution) or slabs is None:
        raise ProblemError(
            "start must be a solution in time slabs to continue from, as tn.solve returns for an evolution."
        )
    mine, other = evolution.problem, start.problem

    def told(problem: Any) -> list[str]:
        # u and Eq(u, 0) are one condition, and a file has the second.
        stated = [f"{c.kind} {c.boundary} {c.where} {c.expressions()}" for c in problem.conditions]
        return [text_of(e) for e in problem.equations] + stated

    if mine.names != other.names or told(mine) != told(other):
        raise ProblemError(
            f"start is the solution of another problem: {', '.join(map(str, other.unknowns))} on {other.domain}. Its "
            f"equations and conditions must be those of this one, whose domain may be longer in time."
        )
    end = float(slabs[-1].end)
    inside = (end - evolution.start) * (evolution.stop - end)
    if inside <= 0:
        raise ProblemError(f"start ends at {end:g}, and the problem is from {evolution.start:g} to {evolution.stop:g}.")
    return end
