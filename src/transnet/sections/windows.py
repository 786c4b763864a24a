"""Domains with ends at infinity: which parts these are, and the same domain with a window of another reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transnet.geometry import Box, Domain, Interval, Pieces
from transnet.geometry.csg import Combination
from transnet.geometry.product import Product
from transnet.measure.reach import reaches


def reaches_of(domain: Domain) -> dict[str, float]:
    """How far the windows of a domain reach along each coordinate that is infinite."""
    if isinstance(domain, Pieces):
        return {name: r for _, shape in domain.shapes for name, r in reaches_of(shape).items()}
    return {n: r for f in _factors(domain) if getattr(f, "infinite", ()) for n, r in reaches(f).items()}


def open_parts(domain: Domain) -> dict[str, tuple[int, int]]:
    """The parts of the boundary that are at infinity: the axis and the end, 0 or 1, of each."""
    if isinstance(domain, Pieces):
        return {part: end for _, shape in domain.shapes for part, end in open_parts(shape).items()}
    found: dict[str, tuple[int, int]] = {}
    before = 0
    for factor in _factors(domain):
        for axis, end in sorted(getattr(factor, "infinite", ())):
            found[factor.parts[2 * axis + end]] = (before + axis, end)
        before += factor.dimension
    return found


def _factors(domain: Any) -> list[Any]:
    """The shapes of a product; what a body was cut out of."""
    if isinstance(domain, Product):
        return [*_factors(domain.first), *_factors(domain.second)]
    if isinstance(domain, Combination) and domain.op == "-":
        return _factors(domain.first)
    return [domain]


def cut_out(domain: Any) -> tuple[Domain, Domain | None]:
    """What bodies were cut out of, and all of them together."""
    body = None
    while isinstance(domain, Combination) and domain.op == "-":
        body = domain.second if body is None else domain.second | body
        domain = domain.first
    return domain, body


def reaching(domain: Any, reach: Mapping[str, float], finite: bool = False) -> Any:
    """The same domain with windows of other reach; with `finite` the windows themselves."""
    if isinstance(domain, Pieces):
        return Pieces({name: reaching(shape, reach, finite) for name, shape in domain.shapes})
    if isinstance(domain, Product):
        return reaching(domain.first, reach, finite) * reaching(domain.second, reach, finite)
    if isinstance(domain, Combination) and domain.op == "-":
        return reaching(domain.first, reach, finite) - domain.second
    if not isinstance(domain, Interval | Box) or not domain.infinite:
        return domain
    known = {**reaches(domain), **reach}
    named: dict[str, Any] = {"name": domain.name} if isinstance(domain, Box) else {}
    sides = {name: (low, high) for name, low, high in domain.stated}
    window = type(domain)(**sides, **named, reach=[known[n] for n in reaches(domain)])
    if not finite:
        return window
    return type(domain)(**named, **dict(zip(sides, window.bounds.T.tolist(), strict=True)))


def between(domain: Any, name: str, low: float, high: float) -> Any:
    """The same domain with an infinite coordinate from one number to another."""
    if isinstance(domain, Pieces):
        return Pieces({piece: between(shape, name, low, high) for piece, shape in domain.shapes})
    if isinstance(domain, Combination) and domain.op == "-":
        return between(domain.first, name, low, high) - domain.second
    if not isinstance(domain, Box) or not domain.infinite:
        return domain
    return Box(**{**{n: (a, b) for n, a, b in domain.stated}, name: (low, high)}, name=domain.name)
