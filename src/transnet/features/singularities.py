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
from transnet.features.mellin import Power, Sector
from transnet.features.singular import MOST_BARS, Frame, Function, Singular
from transnet.geometry import Domain
from transnet.geometry.corners import Corner, Hole
from transnet.geometry.placement import Placement

INTEGER = 1e-9
"""How close to a whole number an exponent counts as whole."""
LATE = 0.9
"""Functions above this part of the highest order come after the neurons."""
CLOSED = 0.6
"""The part of the degree at a corner whose cut ends nearby: higher powers are large there and useless."""
FIRST = 4
DIGITS = 23.0
"""Around a hole of radius r, in units of its distance to the rest of the boundary, powers z^-k are multiplied by
conj(z)^j as long as r^k is more than exp(-DIGITS), and the first few in any case."""
TIP, LOGARITHMS = 2.8, 2.0
"""At the tip of a slit, the factor of the degrees, and the highest power with a logarithm: on a disk with a slit to its
centre 400 waves give the fifth eigenvalue to 1e-4 with 1, to 1e-6 with 1.4, to 3e-8 with 2 and to 1e-11 with 2.8."""
BALANCE = 2.0
"""The ratio of the highest order of a pole to that of the powers at corners, if the number of functions is limited."""
GOURSAT = 2.0
"""Powers of conj(z) around holes: the first is all that slow flow and elasticity need."""
RIM = 400
"""The approximate number of boundary points on which a function is scaled."""
FEWER, FEWER_BARS = 0.9, 0.8
"""Degrees, and those of conjugates, are lowered by these factors until the functions are few enough."""
EACH = 8
"""Samples of an arc come in multiples of this, so that short arcs are not missed."""
CLOSEST = 0.01
"""The least value for the logarithm of the distance of holes, in units of the smaller radius."""
INNER, TURNS = 6, 2
"""How many powers follow the lowest one around an interior point, and how many more times they oscillate around it."""
DECIMALS = 9
"""Exponents that agree to this many decimals are one."""


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
    more: Sequence[Corner] = (),
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
    more : sequence of Corner
        Other points of the boundary that count as corners.
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
    corners = (*more, *(c for c in corners if counts(c, kinds or {}))) if not powers else ()
    if not corners and not powers and not holes and not inner:
        return Singular()
    placement = Placement.of(domain)
    rim = _rim(domain)
    while True:
        functions = [f for hole in holes for f in hole_functions(hole, placement, rim, mu, poles, bars)]
        for corner in corners:
            functions += _of_corner(corner, placement, rim, mu, degree, bars, kinds or {})
        for corner, sector, known, gap in powers:
            functions += _of_sector(corner, sector, known, gap, placement, rim, degree)
        for point, families in inner:
            functions += _of_point(np.asarray(point), families, placement, rim, mu)
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


def _rim(domain: Domain) -> np.ndarray:
    """Points of the boundary, including the ends of all arcs, so that they share the reflections of the domain."""
    arcs = [arc for part in domain.parts for arc in domain.arcs(part)]
    total = sum(arc.length for arc in arcs)
    counts = [EACH * int(np.ceil(RIM * arc.length / total / EACH)) + 1 for arc in arcs]
    return np.concatenate([a.at(np.linspace(0.0, a.length, m))[0] for a, m in zip(arcs, counts, strict=True)])


def has_singularities(domain: Domain, kinds: Mapping[str, str]) -> bool:
    """Whether a domain has a hole or a corner."""
    corners, holes = domain.corners_and_holes
    return bool(holes) or any(counts(corner, kinds) for corner in corners)


def counts(corner: Corner, kinds: Mapping[str, str]) -> bool:
    """Whether anything is singular at a corner: at a flat one only if values and fluxes meet."""
    first, second = (kinds.get(part) for part in corner.parts)
    return not corner.flat or (first is not None and second is not None and first != second)


def _frame(
    point: np.ndarray, placement: Placement, mu: complex, turn: complex, s: float = 0.0, f: float = 0.0
) -> Frame:
    """c, P, Q, s and f of the coordinate turn (x + mu y) from a point."""
    c = (point - placement.centre) / placement.scale
    p, q = turn * placement.scale[0], mu * turn * placement.scale[1]
    return Frame(float(c[0]), float(c[1]), p.real, p.imag, q.real, q.imag, s, f)


def hole_functions(
    hole: Hole, placement: Placement, rim: np.ndarray, mu: complex, poles: int, bars: float
) -> list[Function]:
    """The logarithm and the powers around a hole; `rim` are points of the rest of the boundary."""
    plane = np.array([1.0, mu])
    arm = complex(hole.arm @ plane)
    turn = abs(arm) / arm if arm else 1.0 + 0.0j  # the segment is on the real axis
    focus = abs(arm)
    around, beyond = (_outside(turn * ((points - hole.centre) @ plane), focus) for points in (hole.rim, rim))
    least, others = float(around.min()), beyond[beyond > 1.01 * around.max()]
    frame = _frame(hole.centre, placement, mu, turn / least, f=focus / least)
    # Functions that grow away from the hole are scaled to size one in the domain.
    wide = _frame(hole.centre, placement, mu, turn * (1.0 / max(abs(placement.scale @ plane), least)))
    # The slenderer a hole, the more slowly the powers around its segment fall.
    poles = int(poles * (1.0 + focus / least))
    # The influence of everything else on a small hole falls like powers of its radius; conj(z)^j is needed as far as
    # these matter.
    remote = float(np.log(others.min() / least)) if len(others) else 0.0
    barred = FIRST + int(DIGITS / max(remote, CLOSEST))
    rows = []
    for j in range(1 + int(bars / 2)):
        # |z|^2j log|z| is single-valued around a hole; z^j log z alone is not.
        rows.append(Function(wide if j else frame, float(j), log=1, bars=j))
        # A source in a stream also has z log|z|, and so on.
        for k in range(j + 1, 1 + int(bars) - j):
            rows += _both(Function(wide, float(k), log=2, bars=j, late=k + j > LATE * bars))
        highest = min(poles, barred) if j else poles
        for k in range(1, highest + 1 - j):
            rows += _both(Function(frame, float(-k), bars=j, late=k + j > LATE * highest))
    return rows


def _both(function: Function) -> list[Function]:
    """The real and the imaginary part."""
    return [function, function._replace(imaginary=1)]


def _outside(z: np.ndarray, focus: float) -> np.ndarray:
    """|zeta| of points around the segment from -focus to focus."""
    return 0.5 * np.abs(z + np.sqrt(z - focus) * np.sqrt(z + focus))


def _of_corner(
    corner: Corner,
    placement: Placement,
    rim: np.ndarray,
    mu: complex,
    degree: float,
    bars: float,
    kinds: Mapping[str, str],
) -> list[Function]:
    frame = _corner_frame(corner, placement, rim, mu)
    s = frame.s
    degree *= 1.0 if s == 0.0 else CLOSED
    tip = corner.tip
    # Around a tip only its own functions jump across the slit, so there are more of them.
    degree, bars = degree * (TIP if tip else 1.0), bars * (TIP if tip else 1.0)
    rows = []
    if "flux" not in (kinds.get(part) for part in corner.parts):
        # The angle itself, for values that jump from one edge to the other.
        rows.append(Function(frame, 0.0, log=1, imaginary=1))
    for alpha in exponents(corner, degree, kinds, mu, shifted=corner.curved or bars > 0 or s > 0):
        whole = abs(alpha - round(alpha)) < INTEGER
        if tip and whole and alpha > LOGARITHMS:
            continue  # smooth functions, which waves represent
        exponent = float(round(alpha)) if whole else alpha
        for j in range(1 + min(int(max(bars - alpha, 0.0)), MOST_BARS) if not (tip and whole) else 1):
            late = bool(alpha + j > LATE * (bars if j else degree))
            rows += _both(Function(frame, exponent, log=int(whole), bars=j, late=late))
    return rows


def _corner_frame(corner: Corner, placement: Placement, rim: np.ndarray, mu: complex) -> Frame:
    """The plane of the functions of a corner: z is negative along the cut, and zeta is at most one on the boundary."""
    plane = np.array([1.0, mu])
    away = complex(corner.cut @ plane)
    turn = -abs(away) / away
    s = 0.0 if np.isinf(corner.free) else 2.0 / (corner.free * abs(away))
    z = turn * ((rim - corner.point) @ plane)
    largest = float(np.abs(z / (1.0 + s * z)).max())
    return _frame(corner.point, placement, mu, turn / largest, s * largest)


def _of_sector(
    corner: Corner,
    sector: Sector,
    powers: Sequence[Power],
    gap: int,
    placement: Placement,
    rim: np.ndarray,
    degree: float,
) -> list[Function]:
    """The functions of a corner of a system, or of an equation of higher order, each for its unknown.

    Terms of lower order increase the exponents by the gap, and repeatedly add powers of conj(z) up to the multiplicity
    of the root.
    """
    frames = [_corner_frame(corner, placement, rim, mu) for mu, _ in sector.roots]
    degree *= 1.0 if np.isinf(corner.free) else CLOSED
    # Functions that are singular in the values themselves are included for every degree.
    degree = max(degree, sector.lowest + 1.0)
    made: dict[Function, None] = {}
    for power in powers:
        for step in range(1 + (int((degree - power.value.real) / gap) if gap else 0)):
            exponent = power.value + step * gap
            if exponent.real > degree + INTEGER:
                break
            for unknown, root, j in power.parts:
                more = step * (1 + max(i for other, k, i in power.parts if (other, k) == (unknown, root)))
                for bars in range(j, j + more + 1):
                    for function in _of_power(exponent + sector.offsets[unknown] - bars, bars, frames[root]):
                        late = exponent.real > LATE * degree
                        own = unknown if sector.unknowns > 1 else -1
                        made[function._replace(late=late, unknown=own)] = None
    return list(made)


def _of_point(
    point: np.ndarray, families: Sequence[tuple[float, bool]], placement: Placement, rim: np.ndarray, mu: complex
) -> list[Function]:
    """r^(p+2+j) cos(m theta) and sin(m theta) around a point: what sources r^p times smooth functions make."""
    largest = float(np.abs((rim - point) @ np.array([1.0, mu])).max())
    frame = _frame(point, placement, mu, 1.0 / largest + 0.0j)
    rows = []
    for p, log in families:
        for j in range(INNER + 1):
            # Terms like x^2 / r^3 have higher waves around the point than their degree tells.
            for m in range(j + (0 if p % 2 == 0 else TURNS), -1, -2):
                made = Function(frame, 0.5 * (p + 2 + j + m), 2 if log else 3, 0.5 * (p + 2 + j - m), late=j == INNER)
                rows += _both(made) if m else [made]
    return rows


def _of_power(alpha: complex, bars: int, frame: Frame) -> list[Function]:
    """Real and imaginary parts of z^alpha conj(z)^j and, if alpha is not real, of its conjugate power."""
    if bars > MOST_BARS:
        return []
    if alpha.imag == 0.0:
        whole = abs(alpha.real - round(alpha.real)) < INTEGER
        return _both(Function(frame, float(round(alpha.real)) if whole else alpha.real, int(whole), bars))
    return [f for sign in (1.0, -1.0) for f in _both(Function(frame, alpha.real, bars=bars, beta=sign * alpha.imag))]


def exponents(
    corner: Corner, degree: float, kinds: Mapping[str, str], mu: complex = 1j, shifted: bool = False
) -> list[float]:
    """The exponents of a corner up to a degree, in increasing order.

    Parameters
    ----------
    shifted : bool
        Whether whole numbers are added to them, as curved edges and terms of lower order require.
    """
    first, second = (kinds.get(part) for part in corner.parts)
    step = np.pi / corner.opening(mu)
    if first is None or second is None:
        found = 0.5 * step * np.arange(1, int(2 * degree / step + INTEGER) + 1)
    elif first == second:
        found = step * np.arange(1, int(degree / step + INTEGER) + 1)
    else:
        found = step * (np.arange(1, int(degree / step + 0.5 + INTEGER) + 1) - 0.5)
    if shifted:
        found = (found[:, None] + np.arange(int(degree) + 1)).ravel()
        found = found[found <= degree + INTEGER]
    return sorted({round(alpha, DECIMALS): alpha for alpha in found.tolist()}.values())
