"""The singular functions of a corner: powers of the distance to it, with logarithms if they are whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from transnet.features.mellin import Power, angular_sums, is_whole
from transnet.features.placement import Placement
from transnet.features.sector import Sector
from transnet.features.singular import LATE, MOST_BARS, Chart, Function, Singular
from transnet.geometry.corners import Corner
from transnet.tolerances import DECIMALS, SAME

CLOSED = 0.6
"""The part of the degree at a corner whose cut ends nearby: higher powers are large there and useless."""
TIP, LOGARITHMS = 2.8, 2.0
"""At the tip of a slit, the factor of the degrees, and the highest power with a logarithm: on a disk with a slit to its
centre 400 waves give the fifth eigenvalue to 1e-4 with 1, to 1e-6 with 1.4, to 3e-8 with 2 and to 1e-11 with 2.8."""
GOLDEN, JUMPING = 0.6180339887498949, 1e-9
"""Multiples of the golden ratio are the angles at which sums are sought, and singular values below this part are
zero."""
MOST_CARRIED, ANGULAR = 2, 3
"""The most exponents of what a flow makes of the functions of a corner, and the most powers of conj(z) in it."""
INNER, TURNS = 6, 2
"""How many powers follow the lowest one around an interior point, and how many more times they oscillate around it."""


def corner_functions(
    corner: Corner,
    placement: Placement,
    rim: np.ndarray,
    mu: complex,
    degree: float,
    bars: float,
    kinds: Mapping[str, str],
) -> list[Function]:
    """The powers of a corner for one equation of second order; `rim` are points of the whole boundary."""
    frame = _frame(corner, placement, rim, mu)
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
        whole = abs(alpha - round(alpha)) < SAME
        if tip and whole and alpha > LOGARITHMS:
            continue  # smooth functions, which waves represent
        exponent = float(round(alpha)) if whole else alpha
        for j in range(1 + min(int(max(bars - alpha, 0.0)), MOST_BARS) if not (tip and whole) else 1):
            late = bool(alpha + j > LATE * (bars if j else degree))
            rows += Function(frame, exponent, log=int(whole), bars=j, late=late).both()
    return rows


def _frame(corner: Corner, placement: Placement, rim: np.ndarray, mu: complex) -> Chart:
    """The plane of the functions of a corner: z is negative along the cut, and zeta is at most one on the boundary."""
    plane = np.array([1.0, mu])
    away = complex(corner.cut @ plane)
    turn = -abs(away) / away
    s = 0.0 if np.isinf(corner.free) else 2.0 / (corner.free * abs(away))
    z = turn * ((rim - corner.point) @ plane)
    largest = float(np.abs(z / (1.0 + s * z)).max())
    return Chart.at(corner.point, placement, mu, turn / largest, s * largest)


def sector_functions(
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
    of the root. Curved edges increase them by one, with functions that satisfy the leading part as the others do.
    """
    gap = gap if np.isinf(corner.free) else 1
    shift = 1 if corner.curved else gap
    frames = [_frame(corner, placement, rim, mu) for mu, _ in sector.roots]
    degree *= 1.0 if np.isinf(corner.free) else CLOSED
    # Functions that are singular in the values themselves are included for every degree.
    degree = max(degree, sector.lowest + 1.0)
    made: dict[Function, None] = {}
    for power in powers:
        for step in range(1 + (int((degree - power.value.real) / shift) if shift else 0)):
            exponent = power.value + step * shift
            if exponent.real > degree + SAME:
                break
            for unknown, root, j in power.parts:
                more = bool(gap) * step * (1 + max(i for other, k, i in power.parts if (other, k) == (unknown, root)))
                for bars in range(j, j + more + 1):
                    for function in _of_power(exponent + sector.offsets[unknown] - bars, bars, frames[root]):
                        late = exponent.real > LATE * degree
                        own = unknown if sector.unknowns > 1 else -1
                        made[function._replace(late=late, unknown=own)] = None
    return list(made)


def joint_functions(
    corner: Corner,
    sector: Sector,
    powers: Sequence[Power],
    placement: Placement,
    rim: np.ndarray,
    degree: float,
    jumping: bool = False,
    carries: bool = False,
) -> tuple[list[Function], np.ndarray]:
    """The functions of a corner with straight edges at which the leading part is all that counts, and the sums of them
    that satisfy it and the conditions on both edges: (functions, sums).

    Around such a corner all unknowns go together: a flow around the edge of a step has one function of the lowest
    exponent, not one for each component and power of conj(z). Where values jump from one edge to the other there are
    also the bounded sums that satisfy the leading part alone. Where something `carries` itself, as a flow does, the
    product of two functions with exponents a and b is the source of one with a + b + 1.
    """
    frames = [_frame(corner, placement, rim, mu) for mu, _ in sector.roots]
    middle = 0.5 * sum(sector.angles)
    ahead = [complex(np.cos(middle) + mu * np.sin(middle)) for mu, _ in sector.roots]
    placed = [complex(f.p_real, f.p_imaginary) / placement.scale[0] for f in frames]
    # From the plane of a frame to that of the sector, whose angles are counted from the first axis.
    back = [np.log(abs(z / (t * z))) + 1j * (np.angle(z) - np.angle(t * z)) for z, t in zip(ahead, placed, strict=True)]
    made: dict[Function, int] = {}
    ties: list[dict[int, float]] = []
    for power in powers:
        if is_whole(power.value) or power.value.real > degree:
            continue
        for vector in angular_sums(sector, power.value):
            both: tuple[dict[int, float], dict[int, float]] = {}, {}
            for (unknown, k, j, conjugate), c in zip(sector.functions, vector, strict=True):
                if abs(c) <= SAME:
                    continue
                # c z^a conj(z)^j, or c times the conjugate of the same with the conjugate of a.
                a = (np.conj(power.value) if conjugate else power.value) + sector.offsets[unknown] - j
                factor = np.exp(a * back[k] + j * np.conj(back[k]))
                first = c * (np.conj(factor) if conjugate else factor)
                for imaginary, value in ((0, first), (1, (-1j if conjugate else 1j) * first)):
                    f = Function(frames[k], a.real, 0, j, imaginary, False, a.imag, unknown)
                    number = made.setdefault(f, len(made))
                    for tie, part in zip(both, (value.real, value.imag), strict=True):
                        tie[number] = tie.get(number, 0.0) + part
            # With a real exponent the two are multiples of each other.
            sizes = [sum(v * v for v in tie.values()) for tie in both]
            ties += [both[int(np.argmax(sizes))]] if power.value.imag == 0 else list(both)
    if jumping:
        ties += _jumping(sector, frames, made)
    if carries:
        own = [0.0] * jumping + [p.value.real for p in powers if p.value.real < 1.0]
        sums = sorted({round(a + b + 1.0, DECIMALS) for a, b in product(own, repeat=2)})
        for f in _carried(sector, frames, [e for e in sums if e <= degree][:MOST_CARRIED]):
            ties.append({made.setdefault(f, len(made)): 1.0})
    found = np.zeros((len(made), len(ties)))
    for column, tie in enumerate(ties):
        for number, value in tie.items():
            found[number, column] = value
    return list(made), found / np.maximum(np.linalg.norm(found, axis=0), np.finfo(float).tiny)


def _jumping(sector: Sector, frames: Sequence[Chart], made: dict[Function, int]) -> list[dict[int, float]]:
    """The sums of functions that depend on the angle alone, with lower unknowns like 1 / r, that satisfy the leading
    part; the functions are added to those that there are."""
    some: list[Function] = []
    for unknown, offset in enumerate(sector.offsets.tolist()):
        for frame, (_, multiplicity) in zip(frames, sector.roots, strict=True):
            if offset == 0:
                some.append(Function(frame, 0.0, 1, 0, 1, unknown=unknown))
            for j in range(0 if offset else 1, multiplicity + offset):
                some += Function(frame, float(offset - j), 0, j, unknown=unknown).both()
    table = Singular(np.array([(*f.frame, *f[1:]) for f in some], dtype=float))
    first, last = sector.angles
    angles = first + (last - first) * np.mod(GOLDEN * (np.arange(2 * len(some)) + 0.5), 1.0)
    centre = np.array(frames[0][:2])
    reach = 1.0 / abs(complex(frames[0].p_real, frames[0].p_imaginary))
    points = centre + 0.5 * reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    mine = np.array([f.unknown for f in some])
    rows = []
    for row in sector.equations:
        values = np.zeros((len(points), len(some)))
        for unknown, index, c in sector.leading(row):
            values[:, mine == unknown] += c * table.apply(points, [(index, 1.0)])[mine == unknown].T
        rows.append(values)
    _, sizes, vectors = np.linalg.svd(np.concatenate(rows))
    found = vectors[sizes < JUMPING * sizes[0]]
    numbers = [made.setdefault(f, len(made)) for f in some]
    return [dict(zip(numbers, vector.tolist(), strict=True)) for vector in found]


def _carried(sector: Sector, frames: Sequence[Chart], exponents: Sequence[float]) -> Iterator[Function]:
    """What a flow makes of the functions of a corner that it carries along: r^e times functions of the angle, those of
    polynomials left out."""
    for unknown, offset in enumerate(sector.offsets.tolist()):
        for frame, exponent, j in product(frames, exponents, range(ANGULAR + 1)):
            alpha = exponent + offset - j
            whole = alpha == round(alpha)
            for log in (0, 1) if whole else (0,):
                if log or not whole or alpha < 0:
                    yield from Function(frame, float(alpha), log, j, unknown=unknown).both()


def _of_power(alpha: complex, bars: int, frame: Chart) -> list[Function]:
    """Real and imaginary parts of z^alpha conj(z)^j and, if alpha is not real, of its conjugate power."""
    if bars > MOST_BARS:
        return []
    if alpha.imag == 0.0:
        whole = abs(alpha.real - round(alpha.real)) < SAME
        exponent = float(round(alpha.real)) if whole else alpha.real
        return list(Function(frame, exponent, int(whole), bars).both())
    return [f for sign in (1.0, -1.0) for f in Function(frame, alpha.real, bars=bars, beta=sign * alpha.imag).both()]


def point_functions(
    point: np.ndarray, families: Sequence[tuple[float, bool]], placement: Placement, rim: np.ndarray, mu: complex
) -> list[Function]:
    """r^(p+2+j) cos(m theta) and sin(m theta) around a point: what sources r^p times smooth functions make."""
    largest = float(np.abs((rim - point) @ np.array([1.0, mu])).max())
    frame = Chart.at(point, placement, mu, 1.0 / largest + 0.0j)
    rows: list[Function] = []
    for p, log in families:
        for j in range(INNER + 1):
            # Terms like x^2 / r^3 have higher waves around the point than their degree suggests.
            for m in range(j + (0 if p % 2 == 0 else TURNS), -1, -2):
                made = Function(frame, 0.5 * (p + 2 + j + m), 2 if log else 3, 0.5 * (p + 2 + j - m), late=j == INNER)
                rows += made.both() if m else (made,)
    return rows


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
        found = 0.5 * step * np.arange(1, int(2 * degree / step + SAME) + 1)
    elif first == second:
        found = step * np.arange(1, int(degree / step + SAME) + 1)
    else:
        found = step * (np.arange(1, int(degree / step + 0.5 + SAME) + 1) - 0.5)
    if shifted:
        found = (found[:, None] + np.arange(int(degree) + 1)).ravel()
        found = found[found <= degree + SAME]
    return sorted({round(alpha, DECIMALS): alpha for alpha in found.tolist()}.values())
