"""The singular features of a domain: a logarithm and poles in each hole, fractional powers at each corner.

For an operator with the principal part a u_xx + b u_xy + c u_yy the analytic functions of x + mu y are its solutions, a
+ b mu + c mu^2 = 0; for Laplace's operator mu = i. At a corner of opening omega, measured in the plane of x + mu y, a
solution is a smooth function plus powers with exponents k pi / omega if the conditions on both edges are of one kind,
and (k - 1/2) pi / omega if one states values and the other fluxes; whole exponents come with a logarithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from transnet.calls import explained
from transnet.counts import ALONG
from transnet.features.corner_functions import corner_functions, point_functions, sector_functions
from transnet.features.hole_functions import hole_functions
from transnet.features.mellin import Power
from transnet.features.placement import Placement
from transnet.features.sector import Sector
from transnet.features.singular import Singular
from transnet.geometry import Domain
from transnet.geometry.corners import Corner

BALANCE = 2.0
"""The ratio of the highest order of a pole to that of the powers at corners, if the number of functions is limited."""
GOURSAT = 2.0
"""Powers of conj(z) around holes: the first is all that slow flow and elasticity need."""
FEWER, FEWER_BARS = 0.9, 0.8
"""Degrees, and those of conjugates, are lowered by these factors until the functions are few enough."""
EACH = 8
"""Samples of an arc come in multiples of this, so that short arcs are not missed."""


@explained
def singularities(
    domain: Domain,
    *,
    poles: int = 16,
    degree: float = 6.0,
    bars: float = 0.0,
    kinds: Mapping[str, str] | None = None,
    mu: complex = 1j,
    most: int = 400,
    powers: Sequence[tuple[Corner, Sector, Sequence[Power], int]] = (),
    inner: Sequence[tuple[Sequence[float], Sequence[tuple[float, bool]]]] = (),
) -> Singular:
    """The functions with singularities in the holes and at the corners of a plane domain.

    Parameters
    ----------
    domain : Domain
        A domain without corners and holes, or not in the plane, has none.
    poles : int
        The highest k of the powers (z - c)^-k around each round hole, in addition to log|z - c|; a slender hole has
        more.
    degree : float
        The highest exponent at corners.
    bars : float
        The highest alpha + j of the functions that are multiplied by conj(z - c)^j, j > 0: none for Laplace's operator;
        they represent terms of lower order.
    kinds : mapping, optional
        The kinds of condition on the parts of the boundary, "value" or "flux", by name. If unknown, both exponents of a
        corner are used; if known, there are half as many, and parts of different kinds that meet without an angle count
        as a corner.
    mu : complex
        The root of the principal part in the upper half plane.
    most : int
        The largest number of functions; the orders are lowered until it is met, those of poles first if they are more
        than twice the degree.
    powers : sequence of (Corner, Sector, powers, gap)
        The corners of a system or of an equation of higher order, in place of all others, with their exponents.
    inner : sequence of (point, families)
        Interior points at which the source has powers of the distance r, and which: (p, log) stands for r^p, or for
        r^p log r.

    Returns
    -------
    Singular
        For use in a feature space: `space.with_singular(tn.singularities(domain))`.
    """
    corners, holes = domain.corners_and_holes
    corners = tuple(c for c in corners if counts(c, kinds or {})) if not powers else ()
    if not corners and not powers and not holes and not inner:
        return Singular()
    placement = Placement.of(domain)
    rim = rim_of(domain)
    while True:
        functions = [f for hole in holes for f in hole_functions(hole, placement, rim, mu, poles, bars)]
        for corner in corners:
            functions += corner_functions(corner, placement, rim, mu, degree, bars, kinds or {})
        for corner, sector, known, gap in powers:
            functions += sector_functions(corner, sector, known, gap, placement, rim, degree)
        for point, families in inner:
            functions += point_functions(np.asarray(point), families, placement, rim, mu)
        if len(functions) <= most:
            break
        if holes and poles > 4 and not ((corners or powers) and poles <= BALANCE * degree):
            poles -= 1
        elif (corners or powers) and degree > 2.0:
            degree *= FEWER
        elif bars > GOURSAT:
            bars = max(FEWER_BARS * bars, GOURSAT)
        elif corners:
            corners = corners[:-1]
        elif powers:
            powers = powers[:-1]
        else:
            return Singular()
    return Singular.of(functions)


def rim_of(domain: Domain) -> np.ndarray:
    """Points of the boundary, including the ends of all arcs, so that they share the reflections of the domain."""
    arcs = [arc for part in domain.parts for arc in domain.arcs(part)]
    total = sum(arc.length for arc in arcs)
    counts = [EACH * int(np.ceil(ALONG * arc.length / total / EACH)) + 1 for arc in arcs]
    return np.concatenate([a.at(np.linspace(0.0, a.length, m))[0] for a, m in zip(arcs, counts, strict=True)])


def has_singularities(domain: Domain, kinds: Mapping[str, str]) -> bool:
    """Whether a domain has a hole or a corner."""
    corners, holes = domain.corners_and_holes
    return bool(holes) or any(counts(corner, kinds) for corner in corners)


def counts(corner: Corner, kinds: Mapping[str, str]) -> bool:
    """Whether anything is singular at a corner: at a flat one only if values and fluxes meet."""
    first, second = (kinds.get(part) for part in corner.parts)
    return not corner.flat or (first is not None and second is not None and first != second)
