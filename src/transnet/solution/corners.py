"""Derived quantities at the corners of a domain, where the derivatives of singular features are not bounded.

The coefficient of a feature like the angle around a corner may be zero up to the error of the solution, and yet its
derivative at the corner is infinite. So close to a corner, features whose coefficients are no larger than the error are
left out of derivatives. At the corner itself the values on the way there show whether an expression has a limit: if so
it is returned, otherwise the value is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Expansion, Slot
from transnet.basis.foci import Focus
from transnet.features.singular import Singular
from transnet.tolerances import SAME

CLOSE = 1e-3
"""Closer to a corner than this, in units of the smallest extent of the domain, coefficients within the error are left
out."""
WAY = (1e-3, 1e-5, 1e-7)
"""Where on the way to a corner an expression is evaluated."""
FALLING = 0.6
"""If there is a limit, the second step of that way changes the value by less than this part of the first."""
NOISE = 1e-3
"""An expression that changes by less than this part on the last step has a limit: a logarithm changes by more, and in
the convex corners of an L-shape the errors of coefficients contribute up to 1e-4."""
SAFETY = 10.0
"""A coefficient below this many times the estimated error may itself be an error."""


def corners_of(basis: Expansion) -> list[Focus]:
    """The points at which the features of a basis are singular."""
    return basis.foci if isinstance(basis, Basis) else []


def derivatives_near_corners(
    basis: Expansion, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot], error: float
) -> list[np.ndarray]:
    """D^k u at points; close to a corner without the unbounded functions whose coefficients are within the error.

    If there are several networks, (columns, c) coefficients, the first decides which functions these are.
    """
    values = basis.derivatives(coefficients, points, slots)
    foci = corners_of(basis)
    order = max((sum(index) for _, index in slots), default=0)
    if not foci or order == 0 or not isinstance(basis, Basis):
        return values
    reach = CLOSE * float(basis.placement.scale.min())
    for focus in foci:
        near = np.flatnonzero(np.linalg.norm(points - focus.point, axis=1) < reach)
        if not len(near):
            continue
        for n in sorted({sum(index) for _, index in slots} - {0}):
            quiet = coefficients.copy()
            quiet[_noise(basis, coefficients if coefficients.ndim == 1 else coefficients[:, 0], focus, n, error)] = 0.0
            mine = [k for k, (_, index) in enumerate(slots) if sum(index) == n]
            for k, value in zip(mine, basis.derivatives(quiet, points[near], [slots[k] for k in mine]), strict=True):
                values[k][near] = value
    return values


def _noise(basis: Basis, coefficients: np.ndarray, focus: Focus, order: int, error: float) -> np.ndarray:
    """The columns of one corner whose coefficients are within the error, among functions that matter at this order."""
    found = []
    centre = basis.placement(focus.point[None, :])[0]
    for unknown, space in enumerate(basis.spaces):
        singular = space.singular
        if not isinstance(singular, Singular) or not len(singular):
            continue
        columns = np.arange(len(coefficients))[basis.slice_of(unknown)]
        mine = columns[space.singular_columns]
        here = np.hypot(singular["c_1"] - centre[0], singular["c_2"] - centre[1]) < SAME
        logarithm, bars = singular["log"], singular["bars"]
        degree = singular["alpha"] + bars
        unbounded = (degree < order) & ~((logarithm == 0) & (bars == 0) & (degree == np.round(degree)))
        unbounded |= (logarithm > 0) & (degree <= order)
        size = np.sqrt(np.mean(np.square(coefficients[columns]))) if len(columns) else 0.0
        inside = basis.placement.centre + basis.placement.scale * _INSIDE
        values = basis.derivatives(coefficients, inside, [(unknown, (0, 0))])[0]
        size = float(np.abs(values).max(initial=0.0)) or size
        small = np.abs(coefficients[mine]) <= SAFETY * error * size
        found.append(mine[here & unbounded & small])
    return np.concatenate(found) if found else np.empty(0, dtype=int)


_INSIDE = np.random.default_rng(0).uniform(-0.7, 0.7, (40, 2))


def with_limits(
    basis: Expansion, points: np.ndarray, values: np.ndarray, at: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """The values of an expression, those at corners replaced by the limits there, or by infinity."""
    for focus in corners_of(basis):
        assert isinstance(basis, Basis)
        length = float(basis.placement.scale.min())
        here = np.flatnonzero(np.linalg.norm(points - focus.point, axis=1) < SAME * length)
        if not len(here):
            continue
        inward = focus.plane @ np.array([1.0, 0.0])
        inward *= length / np.linalg.norm(inward)
        values = np.array(values)
        first, second, third = at(focus.point + np.outer(WAY, inward))
        change, last = abs(second - first), abs(third - second)
        tiny = SAME * max(abs(first), abs(second))
        if last > FALLING * change and last > max(tiny, NOISE * abs(third)):
            values[here] = np.copysign(np.inf, third)
        else:
            far = np.abs(values[here] - third) > 3.0 * (change + last) + tiny
            values[here[far | ~np.isfinite(values[here])]] = third
    return values
