"""Where the formulas of statements are sharp: read, with the values of parameters put in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from transnet.problem import Problem
from transnet.reading.search import Places, box_of, read_places
from transnet.reading.sharp import Sharp, sharp_parts
from transnet.rows.equation import Equation
from transnet.tolerances import BESIDE

NARROW = 0.05
"""Peaks and steps narrower than this part of the domain are sharp; wider ones any discretisation sees."""
NEAREST, WIDENING, NEEDLES = 3.0, 3.0, 8
"""The pieces around something narrow begin so many widths from it and are each so many times wider than the one before;
this is done for up to so many places: more are for pieces of one length."""


def formula_of_equation(problem: Problem, equation: Equation, values: Sequence[Any]) -> sp.Expr:
    """F with numbers for its parameters; those without a value stay."""
    numbers = {s: sp.Float(float(v)) for s, v in zip(problem.parameters, values, strict=False) if np.ndim(v) == 0}
    return equation.expression.xreplace(numbers) if numbers else equation.expression


def sharp_places(problem: Problem, equation: Equation, values: Sequence[Any], bounds: np.ndarray) -> list[Places]:
    """Where a statement's formula is sharp in a box, whatever the unknowns are."""
    formula = formula_of_equation(problem, equation, values)
    found = read_places(formula, problem.coordinates, bounds, frozenset(equation.slot_symbols))
    sides = np.ptp(bounds, axis=0)
    return [p for p in found if (p.widths / sides[list(p.axes)]).min() < NARROW]


def edges_around(places: Places, axis: int, low: float, high: float) -> set[float]:
    """The ends of pieces of a line that grow away from what is narrow there; none if it is not."""
    if axis not in places.axes or places.kind in ("jump", "kink"):
        return set()
    own = places.axes.index(axis)
    edges: set[float] = set()
    centres, widths = places.centres[:, own], places.widths[:, own]
    if len(centres) <= NEEDLES and widths.min() < NARROW * (high - low):
        for centre, width in zip(centres, widths, strict=True):
            steps = width * NEAREST * WIDENING ** np.arange(np.ceil(np.log((high - low) / width)))
            edges |= {float(e) for e in (*(centre - steps), *(centre + steps)) if low < e < high}
    return edges


def sorted_edges(edges: set[float]) -> tuple[float, ...]:
    """The ends of pieces in their order, none of which is too short; none if there is one piece."""
    ends = np.array(sorted(edges))
    ends = ends[np.diff(ends, prepend=-np.inf) > BESIDE * (ends[-1] - ends[0])]
    return tuple(float(e) for e in (*ends[:-1], max(edges))) if len(ends) > 2 else ()


def sharp_in_state(problem: Problem, equation: Equation, values: Sequence[Any], bounds: np.ndarray) -> list[Sharp]:
    """What in a statement's formula is sharp at certain values of the unknowns."""
    formula, slots = formula_of_equation(problem, equation, values), frozenset(equation.slot_symbols)
    parts = sharp_parts(formula, box_of(problem.coordinates, bounds), slots)
    return [s for s in parts if s.function.free_symbols & slots]
