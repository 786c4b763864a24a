"""Corners whose singular functions are not in any space: those of systems, and of equations of higher order.

At a reentrant corner the stresses of a body, the pressure of a flow and the moments of a plate are infinite. If the
space lacks functions that are singular there, least squares may converge slowly or to a wrong function, however little
the networks differ from each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.basis.foci import Focus
from transnet.errors import AccuracyWarning, Message
from transnet.problem import Problem, exterior_of
from transnet.remember import Remembered
from transnet.rows.statements import statements_of
from transnet.tolerances import SAME

REENTRANT = 1.05 * np.pi
"""The smallest opening of a corner that counts as reentrant."""
SMOOTH = 1e-7
"""Estimated errors below this are only reached where nothing is singular."""


_corners: Remembered[Problem, list[np.ndarray]] = Remembered()


def unsupported_corners(problem: Problem, error: float, foci: Sequence[Focus] = ()) -> Message | None:
    """Return a message if there are reentrant corners whose singular functions are missing, and they may matter.

    Parameters
    ----------
    foci : sequence of Focus
        Where features are singular.
    """
    if error < SMOOTH or exterior_of(problem.domain) is not None:  # poles crowd at the corners of bodies
        return None
    corners = _corners.get(problem, "corners", lambda: _reentrant(problem))
    corners = [p for p in corners if not any(np.allclose(p, f.point, rtol=0.0, atol=SAME) for f in foci)]
    if not corners:
        return None
    where = " and ".join(f"({p[0]:.3g}, {p[1]:.3g})" for p in corners[:3])
    kind = "a system" if len(problem.unknowns) > 1 else "an equation of higher order than two"
    return Message(
        AccuracyWarning,
        f"The solution of {kind} is singular at the reentrant corner{'s' if len(corners) > 1 else ''} near {where}, "
        f"and functions that are singular like it are not among the features. The error may be ten times the estimate, "
        f"and more neurons may not help.",
    )


def _reentrant(problem: Problem) -> list[np.ndarray]:
    if problem.domain.dimension != 2 or any(c.name == "t" for c in problem.coordinates):
        return []
    equations = [s for s in statements_of(problem) if s.kind == "equation"]
    order = max(sum(index) for s in equations for _, index in s.equation.slots)
    if len(problem.unknowns) == 1 and order <= 2:
        return []
    return [c.point for c in problem.domain.corners_and_holes[0] if c.opening() > REENTRANT]
