"""What arrives far away: the far field of outgoing waves, and the power that they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from transnet.basis.end_modes import EndModes
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.solution.results.numbers import Number

if TYPE_CHECKING:
    from transnet.basis.outside import Outside
    from transnet.solution.solution import Solution

PER_ORDER, FEWEST = 4, 64
"""Directions for each order of a function, and the fewest: a product of two waves has twice the highest order."""


@explained
def far_field(self: Solution, angles: ArrayLike) -> np.ndarray:
    """The far field f of outgoing waves: u = given + f(theta) exp(i k r) / sqrt(r) + O(r^(-3/2)) for large r.

    In space it is u = given + f exp(i k r) / r + O(r^-2).

    Parameters
    ----------
    angles : array
        The directions theta, in radians from the x axis, seen from the origin; in space vectors, (..., 3).

    Returns
    -------
    array
        Complex, one for each direction.
    """
    return _radiating(self).far_field(self.coefficients, np.asarray(angles, dtype=float))


@explained
def cross_section(self: Solution) -> Number:
    """The scattering cross section, the integral of |f(theta)|^2, for an incident wave of amplitude one.

    It is a length, the width of the incident wave that carries as much power as is scattered. Without absorption it
    equals 2 sqrt(2 pi / k) Im(exp(-i pi/4) f(0)) for a wave along the x axis (the optical theorem). In space it is an
    area, and equals 4 pi / k Im f in the direction of the incident wave.
    """
    basis = _radiating(self)
    functions: Any = basis.functions
    size = float(np.ptp(functions.centres, axis=0).max()) * abs(functions.wavenumber)
    count = FEWEST + PER_ORDER * int(functions.orders.max() + size)
    directions, weights = functions.around(count)
    total = float(weights @ np.abs(basis.far_field(self.coefficients, directions)) ** 2)
    return Number(total, 2.0 * self.error * total)


def _radiating(solution: Solution) -> Outside:
    basis: Any = solution.basis
    if any(isinstance(term.functions, EndModes) for _, term in getattr(basis, "terms", ())):
        raise ProblemError("Between open ends waves leave in modes and orders: solution.orders().")
    if basis.kind not in ("outside", "penetrable") or not basis.functions.wavenumber.real or len(basis.fields) == 1:
        raise ProblemError(
            "Only outgoing waves have a far field: a problem on tn.Exterior(body) with tn.outgoing(u, k). Elsewhere "
            "evaluate the solution itself, far away or on the boundary."
        )
    found: Outside = basis
    return found
