"""Needles in the values of unknowns that a solution has not seen.

u'' = 1000 exp(-((u - 1/2)/1e-3)^2) holds for u = x at every point but those where u is a half, and no point of a solve
need be there. The formula is read; its exponent is followed along lines through the solution, and where it is largest
the terms of the equation must balance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from transnet.counts import LOOKS
from transnet.errors import AccuracyWarning, Message
from transnet.formulas import array_modules, compiled_formula
from transnet.geometry import Pieces
from transnet.judge.estimate import VISIBLE
from transnet.problem import has_any
from transnet.reading.sharp import NEEDLES, STEPPING, Sharp
from transnet.rows.equation import Equation
from transnet.rows.sharp import sharp_in_state
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

LINES, ALONG = 12, 500
"""Lines through the domain, and points along each: a needle is met by most lines across it."""
CLOSER = 4
"""How often a place is looked for more closely along its line, each time thirty times."""

Function = Callable[[np.ndarray], np.ndarray]


def overlooked(solution: Solution, parameters: Sequence[Any]) -> Message | None:
    """A message if an equation is violated where something is narrow in the values of its unknowns."""
    problem = solution.problem
    if isinstance(problem.domain, Pieces) or not problem.domain.solid:
        return None
    if solution.status not in ("solved", "converged") or not solution.error < VISIBLE:
        return None  # an iteration that did not converge satisfies nothing, and says so
    for s in statements_of(problem):
        narrow = (
            s.kind == "equation" and not s.equation.linear and has_any(s.equation.expression, (*NEEDLES, *STEPPING))
        )
        if not narrow or s.equation.places:
            continue
        symbols = {*problem.coordinates, *s.equation.slot_symbols}
        for sharp in sharp_in_state(problem, s.equation, parameters, problem.domain.bounds):
            if sharp.kind in ("peak", "step") and sharp.function.free_symbols <= symbols:
                place, gap = _worst(solution, s.equation, sharp, parameters)
                if gap > VISIBLE:
                    where = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, place, strict=True))
                    text = (
                        f"'{s.label}' is violated by {100 * min(gap, 1.0):.0f} % of its terms near {where}: it has a "
                        f"term that is large only for certain values of the unknown, and the solution passes through "
                        f"them unnoticed. Nothing is known of its error."
                    )
                    return Message(AccuracyWarning, text, {"iterate": True})
    return None


def _worst(solution: Solution, equation: Equation, sharp: Sharp, parameters: Sequence[Any]) -> tuple[np.ndarray, float]:
    """Where along lines the terms of an equation balance least, among the places where something is sharp."""
    problem = solution.problem
    numbers = dict(zip(problem.parameters, map(sp.Float, map(float, parameters)), strict=True))
    symbols = [*problem.coordinates, *equation.slot_symbols]
    terms = sp.Add.make_args(equation.expression.xreplace(numbers))

    def evaluated(formulas: Sequence[sp.Expr]) -> Callable[[np.ndarray], np.ndarray]:
        compiled = [compiled_formula(symbols, f, array_modules([f])) for f in formulas]

        def at(points: np.ndarray) -> np.ndarray:
            slots = solution.basis.derivatives(solution.coefficients, points, equation.slots)
            with np.errstate(all="ignore"):
                return np.nan_to_num([np.broadcast_to(c(*points.T, *slots), len(points)) for c in compiled])

        return at

    size, balance = evaluated([sharp.function]), evaluated(terms)
    height: Function = (lambda p: size(p)[0]) if sharp.kind == "peak" else (lambda p: -np.abs(size(p)[0]))
    places = np.concatenate([_peaks(height, line, problem.domain.contains) for line in _lines(problem.domain.bounds)])
    if not len(places):
        return places, 0.0
    parts = balance(places)
    # Where all terms vanish their sum is rounding: what a change of the unknowns by themselves would do counts too.
    slots = solution.basis.derivatives(solution.coefficients, places, equation.slots)
    with np.errstate(all="ignore"):
        slopes = equation.jacobian(places, None, tuple(parameters), slots)
    moved = sum(np.abs(np.nan_to_num(c * v)) for c, v in zip(slopes, slots, strict=True))
    total = np.maximum(np.abs(parts).sum(axis=0), moved)
    gaps = np.abs(parts.sum(axis=0)) / np.where(total > 0, total, 1.0)
    worst = int(np.argmax(gaps))
    return places[worst], float(gaps[worst])


def _lines(bounds: np.ndarray) -> list[np.ndarray]:
    """Points along lines through a box: (n, d) each. An interval is one line."""
    low, high = bounds
    if len(low) == 1:
        return [np.linspace(low, high, LINES * ALONG + 2)[1:-1]]
    ends = np.random.default_rng(0).uniform(low, high, (LINES, 2, len(low)))
    return [a + np.linspace(-1.0, 2.0, ALONG)[:, None] * (b - a) for a, b in ends]


def _peaks(height: Function, line: np.ndarray, contains: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The places along a line where a function is largest."""
    line = line[contains(line)]
    if len(line) < 3:
        return line[:0]
    values = height(line)
    tops = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] > values[2:])) + 1
    tops = tops[np.argsort(-values[tops])][:LOOKS]
    found = []
    for top in tops:
        a, b = line[top - 1], line[top + 1]
        for _ in range(CLOSER):
            near = a + np.linspace(0.0, 1.0, LOOKS)[:, None] * (b - a)
            k = int(np.argmax(height(near)))
            a, b = near[max(k - 1, 0)], near[min(k + 1, LOOKS - 1)]
        found.append(0.5 * (a + b))
    places = np.array(found).reshape(-1, line.shape[1])
    return places[contains(places)]  # a line may cross a hole between two of its points
