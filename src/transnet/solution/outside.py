"""A warning when a solution is evaluated outside its domain."""

from __future__ import annotations

import numpy as np

from transnet.counts import MANY
from transnet.errors import ExtrapolationWarning, Message, warn
from transnet.lazy import spatial
from transnet.problem import Problem
from transnet.solution.outline import LostDomain


def warn_outside(problem: Problem, points: np.ndarray) -> None:
    """Warn if points lie outside the domain by more than rounding, and say how many and how far."""
    domain = problem.domain
    if isinstance(domain, LostDomain) or domain.contains(points).all():
        return  # a file may hold only the outline of a domain
    outside = points[~domain.nearly_contains(points)]
    if not len(outside):
        return
    # Coordinates may have different units, so distances are parts of the bounding box.
    extent = np.ptp(domain.bounds, axis=0)
    surface = domain.boundary("boundary", MANY, "quasi", 0).points / extent
    distance = spatial.cKDTree(surface).query(outside / extent)[0]
    farthest = int(np.argmax(distance))
    place = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, outside[farthest], strict=True))
    all_of_them = len(outside) == len(points)
    count = (
        ("The point" if len(points) == 1 else "All points")
        if all_of_them
        else f"{len(outside)} of {len(points)} points"
    )
    verb = "lies" if len(points) == 1 or len(outside) == 1 else "lie"
    text = (
        f"{count} {verb} outside the domain {domain}, up to {100 * distance[farthest]:.2g} % of its size away "
        f"({place}). No equation holds there: the values are extrapolated and mean nothing. Check the order of the "
        f"coordinates ({', '.join(map(str, problem.coordinates))}) and their units, or keep to the points for which "
        f"solution.problem.domain.contains(points)."
    )
    warn([Message(ExtrapolationWarning, text)])
