"""With respect to what a derivative is asked for: parameters, given functions and parts of the boundary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from transnet.errors import TransnetError
from transnet.gradient.directions import field_derivative
from transnet.gradient.fields import is_field, varied_fields
from transnet.gradient.in_cells import polished, without_products
from transnet.gradient.normal_speed import varied_boundary
from transnet.gradient.variation import variations_of
from transnet.solution.derivatives import Gradient
from transnet.solution.solution import Solution

Put = Callable[[Any], Any]
"""From an expression to that with what is added to a function that varies."""
Slopes = Callable[..., list[Any]]
"""The derivatives by each of some variations of a solution; for functions and parts `put` is given too."""


def split_gradient(solution: Solution, wrt: Any, slopes: Slopes) -> Gradient:
    """The derivatives by all that is asked for: numbers for parameters, functions for functions and parts."""
    asked = list(wrt) if isinstance(wrt, list | tuple | set | frozenset) else [wrt]
    known = solution.parameters if solution.origin is None else solution.origin.values
    names = {p.name for p in known}
    places = [w for w in asked if isinstance(w, str) and w not in names and _is_part(solution, w)]
    functions = [w for w in asked if is_field(w)]
    plain = [w for w in asked if w not in functions and w not in places]
    sizes = set() if solution.origin is None else {p.name for p in solution.origin.sizes}
    if places:
        solution = without_products(solution)
    if places or any(str(w) in sizes for w in plain):
        solution = polished(solution)
    entries: dict[sp.Symbol, Any] = {}
    if plain or not asked:
        variations = variations_of(solution, plain)
        for variation, found in zip(variations, slopes(solution, variations), strict=True):
            entries[variation.symbol] = found
    for item in (*functions, *places):
        varied = varied_boundary(solution, item) if isinstance(item, str) else varied_fields(solution, item)
        found = slopes(varied.solution, varied.variations, varied.put)
        entries[sp.Symbol(str(item))] = field_derivative(found, varied.directions, varied.nodes, varied.weights)
    return Gradient(entries)


def _is_part(solution: Solution, name: str) -> bool:
    try:
        return bool(solution.problem.domain.resolve(name))
    except TransnetError:
        return False
