"""Newton's steps for the equations of a box, each solved by an iteration as far as is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.boxes.equations import BoxEquations
from transnet.counts import STEPS
from transnet.tolerances import PRECISION

LINEAR = 1e-3
"""The accuracy of the linear problem in a Newton step, unless less is enough."""
DONE = 0.03
"""The iteration ends if changes are this part of the wanted error."""
HALVED = 6
"""How often a step is halved at most if the equations are not fulfilled better behind it."""


@dataclass(frozen=True, eq=False)
class BoxIterate:
    """What Newton's steps end with.

    Parameters
    ----------
    whole : list of arrays
        The coefficients of all features of each unknown.
    growth : float
        By how much rounding grows.
    unfulfilled : float
        What is left of the conditions on the faces, relative to the solution.
    """

    system: BoxEquations
    whole: list[np.ndarray]
    steps: int
    growth: float
    unfulfilled: float


def newton_in_box(
    system: BoxEquations, start: BoxIterate | None, wanted: float, loosely: float | None = None
) -> BoxIterate | None:
    """The solution from a start or from zero; None if the steps do not converge.

    With `loosely` it is one step from the start, of that accuracy.
    """
    x = np.zeros(system.columns)
    if start is not None:
        x = system.start_from([system.padded(w) for w in start.whole])
    linear, whole = system.steady.linear, system.whole(x)
    size = _size(whole)
    rows, slots = system.residual(x)
    law = system.linearised(slots)
    steps = 0
    while steps < STEPS:
        steps += 1
        weighted = law.weights * rows
        first = law.averaged(weighted)
        ahead = float(np.linalg.norm(first))
        if not np.isfinite(ahead):
            return None
        aim = DONE * max(wanted, PRECISION) * (size or ahead)
        if ahead <= aim and loosely is None:
            break
        accuracy = aim / ahead if linear else max(aim / ahead, LINEAR)
        change = -law.solve(weighted, accuracy if loosely is None else loosely)
        before, factor = float(np.linalg.norm(weighted)), 1.0
        for _ in range(HALVED):
            tried = x + factor * change
            rows, slots = system.residual(tried)
            if linear or float(np.linalg.norm(law.weights * rows)) <= before:
                break
            factor *= 0.5
        else:
            if not float(np.linalg.norm(change)) <= wanted * size:
                return None
        x = tried
        whole = system.whole(x)
        size = _size(whole)
        if loosely is not None or law.exact:
            break
        if not linear:
            if factor == 1.0 and float(np.linalg.norm(change)) <= aim:
                break
            law = system.linearised(slots)
    else:
        return None
    left = [float(np.linalg.norm(f)) for f in system.data.unfulfilled(whole)]
    return BoxIterate(system, whole, steps, law.growth, max(left, default=0.0) / (size or 1.0))


def _size(whole: list[np.ndarray]) -> float:
    """The root mean square of all unknowns together."""
    return float(np.linalg.norm([float(np.linalg.norm(w)) for w in whole]))
