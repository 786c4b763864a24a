"""The derivative of a functional by differences of solves: where a tangent is more singular than the solution.

Where a corner moves, du/dk at a fixed point behaves like the gradient of u there, which is unbounded at a corner that
points inwards, while J(k) is as smooth as ever. Six solves for neighbouring values give dJ/dk to the digits that these
solves have, less those that the step costs; differences of fourth and second order tell what the step itself leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import ProblemError, TransnetError
from transnet.geometry import Pieces
from transnet.geometry.domain import Domain
from transnet.gradient.variation import SIXTH, Variation
from transnet.remember import Remembered
from transnet.solution.results.functionals import OfIntegral, OfValue
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution
from transnet.tolerances import SAME

STEP = 0.01
"""The step relative to the parameter: for 1/k^2 it leaves 1e-10 of the derivative (0.02 leaves 1e-8), and solves to ten
digits leave eight."""
GROWS = 3.0
"""The ratio of what one order leaves to what the next one leaves shrinks with the order: for 1/k^2 by two."""
HALVED = 3
"""How often the step is halved if a neighbouring problem cannot be stated or solved."""
BEST, WORST = 1e-10, 1e-4
"""The limits of the relative error that neighbouring solves are asked for: that of the solution."""
LOWER = (((1, 1 / 2),), ((1, 2 / 3), (2, -1 / 12)))
"""Differences of second and fourth order, with the solves of the sixth."""
INWARDS = float(np.pi) * (1 + 1e-6)
"""Corners that open further than this point inwards: gradients are unbounded there."""

T = TypeVar("T")
_neighbours: Remembered[Solution, tuple[dict[int, Solution], float]] = Remembered()


def corners_move(variation: Variation, inwards: bool = False) -> bool:
    """Whether the domain has corners, or edges in space, that the parameter moves; `inwards`: such as point inwards."""
    if len(variation.shapes) <= 1:  # nothing moves, or along normals only
        return False
    before, after = variation.shapes[-1], variation.shapes[1]
    if isinstance(before, Pieces) or _edges_in_space(before):
        return True
    if before.dimension != 2:
        return False
    there = [c.point for c in after.corners_and_holes[0]]
    moved = [c for c in before.corners_and_holes[0] if not any(np.allclose(c.point, p, SAME, SAME) for p in there)]
    return any(not inwards or c.opening() > INWARDS for c in moved)


def _edges_in_space(domain: Domain) -> bool:
    return domain.dimension > 2 and not hasattr(domain, "radius")


def difference(solution: Solution, functional: Any, variation: Variation) -> Number:
    """dF/dk of a functional with its error."""
    _refuse_moving_ends(solution, functional, variation)
    there, step = _neighbours.get(solution, (variation.symbol.name,), lambda: _solved(variation))
    return slope_of({j: _value(s, functional, solution.problem.domain) for j, s in there.items()}, step)


def promising(solution: Solution, functional: Any, variation: Variation, found: Number) -> bool:
    """Whether differences of solves as good as this one, a step apart, would leave a smaller error than was found."""
    if variation.value == 0.0:  # a direction in which a function varies
        return False
    value = abs(float(_value(solution, functional, solution.problem.domain)))
    return found.error > solution.error * value / (STEP * abs(variation.value))


def _refuse_moving_ends(solution: Solution, functional: Any, variation: Variation) -> None:
    """Raise for a result at a fixed value of a coordinate whose ends move."""
    domain = solution.problem.domain
    names = [c.name for c in solution.problem.coordinates]
    for name, value in getattr(functional, "fixed", {}).items():
        axis = names.index(name)
        if any(not np.allclose(shape.bounds[:, axis], domain.bounds[:, axis]) for shape in variation.shapes.values()):
            raise ProblemError(
                f"Whether a result at {name} = {value:g} stays there when {variation.symbol} changes is not known. One "
                f"at an end moves with it: solution.integral(u, over={domain.parts[-1]!r})."
            )


def slope_of(values: Mapping[int, Number], step: float) -> Number:
    """The derivative of a function known at whole multiples of a step, with its error."""
    orders = [_combined(values, weights, step) for weights in (*LOWER, SIXTH)]
    second, fourth, sixth = (float(o) for o in orders)
    last, before = abs(sixth - fourth), abs(fourth - second)
    cut = last * min(1.0, GROWS * last / before) if before > 0 else 0.0
    return Number(sixth, cut + orders[-1].error)


def _combined(values: Mapping[int, Number], weights: Any, step: float) -> Number:
    """sum_j w_j (F(jh) - F(-jh)) / h: numbers add up their errors."""
    total = Number(0.0, 0.0)
    for j, w in weights:
        total = total + (values[j] - values[-j]) * (w / step)
    return total


def _value(solution: Solution, functional: Any, domain: Domain) -> Number:
    if isinstance(functional, OfValue):
        found = solution.evaluate(functional.expression, functional.point[None, :], error=True)
        return Number(float(found.value[0]), float(found.error[0]))
    assert isinstance(functional, OfIntegral)
    part = functional.part
    if part in domain.parts:  # names may contain sizes
        part = solution.problem.domain.parts[domain.parts.index(part)]
    found = solution.integral(functional.expression, over=part, **functional.fixed)
    return Number(float(found), found.error)


def _solved(variation: Variation) -> tuple[dict[int, Solution], float]:
    solution = variation.solution
    problem, _ = stated_with(variation)
    tol = float(np.clip(solution.error, BEST, WORST)) if np.isfinite(solution.error) else WORST

    def solve(values: Mapping[Any, Any]) -> Solution:
        found = carried_out(Plan(problem, tol=tol, parameters=values))
        if not np.isfinite(found.error):
            raise ProblemError("A solve for a neighbouring value has no error estimate.")
        return found

    return neighbours(variation, solve)


def stated_with(variation: Variation) -> tuple[Any, Mapping[Any, Any]]:
    """The problem as it was stated, with symbols for sizes, and the values of its parameters."""
    origin = variation.solution.origin
    if origin is None:
        return variation.solution.problem, variation.solution.parameters
    return origin.problem, origin.values


def neighbours(variation: Variation, solve: Callable[[Mapping[Any, Any]], T]) -> tuple[dict[int, T], float]:
    """What is found for values of the parameter a few steps to both sides, and the step."""
    _, values = stated_with(variation)
    size = abs(variation.value) or float(np.ptp(variation.solution.problem.domain.bounds, axis=0).max())
    for halved in range(HALVED + 1):
        step = STEP * size / 2**halved
        offsets = [s * j for j, _ in SIXTH for s in (-1, 1)]
        try:
            return {j: solve({**values, variation.symbol: variation.value + j * step}) for j in offsets}, step
        except TransnetError as error:
            cause = error
    raise ProblemError(
        f"The derivative with respect to {variation.symbol} does not exist here, or cannot be had: for values close to "
        f"{variation.value:.6g} the problem was not solved. {cause}"
    )
