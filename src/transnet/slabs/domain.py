"""A problem that ends earlier: what was solved when a march was stopped by an event or by the user."""

from __future__ import annotations

from transnet.geometry import Box, Domain, Interval
from transnet.geometry.product import Product
from transnet.problem import Problem
from transnet.slabs.evolution import Evolution


def ended(evolution: Evolution, end: float) -> Problem:
    """The problem up to the time that was reached."""
    problem = evolution.problem
    if end == evolution.stop:
        return problem
    name = problem.coordinates[evolution.axis].name
    span = (evolution.start, end) if end >= evolution.start else (end, evolution.start)
    domain = _cut(problem.domain, name, span)
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
