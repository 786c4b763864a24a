"""Points of a boundary that moves, and what the values of an expression there change with them.

dF(x, n, u(x)) = (F_x + F_u u_x) dx + F_n dn. The first and last term are differences of the formula with the solution
held, and u_x is a derivative of the solution at the point: it is never evaluated outside of its domain, where products
of polynomials and functions of corners are not what they are inside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.geometry.domain import Domain
from transnet.gradient.moved import SIXTH
from transnet.measure.arcs import Located
from transnet.rows.averages import distance_to
from transnet.rows.equation import Equation
from transnet.solution.corners import derivatives_near_corners
from transnet.solution.expressions import Compiled
from transnet.solution.solution import Solution

CLOSEST = 1e-5
"""Panels end at corners with this length, in units of the domain: what rounding leaves of c / r times 1 / r is 1e-7
with that in cells, and 1e-2 with panels of 1e-8."""

Derivatives = Callable[[tuple[Slot, ...]], list[np.ndarray]]
"""D^k u at the points for each slot."""


@dataclass(frozen=True, eq=False)
class BoundaryMotion:
    """Points and normals of a boundary, and where these are some steps to both sides.

    Parameters
    ----------
    here : (points, normals)
        Without the motion.
    there : mapping
        The same after 1, 2 and 3 steps to both sides.
    step : float
        The change of the parameter with each.
    """

    here: Located
    there: Mapping[int, Located]
    step: float

    def rate(self, values: Mapping[int, np.ndarray]) -> np.ndarray:
        """The derivative of values that are known for all steps."""
        return np.asarray(sum(w * (values[j] - values[-j]) for j, w in SIXTH) / self.step)

    @cached_property
    def velocity(self) -> np.ndarray:
        """That of the points: (n, d)."""
        return self.rate({j: points for j, (points, _) in self.there.items()})

    def of_equation(self, equation: Equation, numbers: Sequence[Any], derivatives: Derivatives) -> np.ndarray:
        """The derivative of the values of an equation along the points: (n,)."""
        points, normals = self.here
        state = derivatives(equation.slots)
        total = self.rate({j: equation.residual(p, n, numbers, state) for j, (p, n) in self.there.items()})
        axes = [a for a in range(points.shape[1]) if self.velocity[:, a].any()]
        raised = tuple((u, (*at[:a], at[a] + 1, *at[a + 1 :])) for u, at in equation.slots for a in axes)
        slopes, factors = iter(derivatives(raised)), equation.jacobian(points, normals, numbers, state)
        for factor in factors:
            for a in axes:
                total = total + factor * self.velocity[:, a] * next(slopes)
        return np.asarray(total)

    def of(self, function: Compiled, states: np.ndarray) -> np.ndarray:
        """The same of an expression, for several output weights (columns, c) of its solution: (n, c)."""
        solution, points = function.solution, self.here[0]

        @cache
        def derivatives(slots: tuple[Slot, ...]) -> list[np.ndarray]:
            return derivatives_near_corners(solution.basis, states, points, slots, solution.error)

        def of_column(k: int) -> np.ndarray:
            def own(slots: tuple[Slot, ...]) -> list[np.ndarray]:
                return [s[:, k] for s in derivatives(slots)]

            return self.of_equation(function.equations[0], tuple(solution.parameters.values()), own)

        return np.stack([of_column(k) for k in range(states.shape[1])], axis=1)


def away_from_corners(domain: Domain, *solutions: Solution) -> Callable[[np.ndarray], np.ndarray] | None:
    """The distance of points of the plane from corners at which functions are singular, for panels of a boundary: where
    a part moves, or an adjoint solution jumps, integrands are more singular than those of results."""
    foci = [f for s in solutions for f in getattr(s.basis, "foci", ())]
    if domain.dimension != 2 or not foci:
        return None
    exact, closest = distance_to(foci), CLOSEST * float(np.ptp(domain.bounds, axis=0).max())
    return lambda points: np.maximum(exact(points), closest)
