"""The exponents at a corner of any elliptic system with constant coefficients and any conditions on its edges.

Close to a corner the solution is a sum of functions whose i-th unknown is r^(lambda + d_i) f_i(theta), where the
leading part of the system and the conditions on the two edges hold with zero right-hand sides. With the roots mu of the
determinant of the leading part, of multiplicity m, each is a sum of

    z^a conj(z)^j,   z = x + mu y,   j < m,   a + j = lambda + d_i .

For most lambda there is no such sum; the exponents are the complex numbers lambda for which there is one. For a clamped
plate these are Williams', sin^2((lambda - 1) omega) = (lambda - 1)^2 sin^2 omega, for slow flow Moffatt's. They are
found, for any such system, as the zeros of the smallest singular value of the equations and conditions applied to the
sums: on a grid in the complex plane, and then by Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from transnet.counts import STEPS
from transnet.features.sector import Sector
from transnet.features.wedge import Wedge
from transnet.tolerances import PRECISION, SAME

Angular = Sector | Wedge
"""What exponents are sought of."""

WHOLE = 1e-7
"""How close to a whole number an exponent counts as whole; sums are then distinguished by their limits."""
BESIDE = 1e-4
"""The distance from a whole number at which it is tested whether that is an exponent."""
GRID, FINE = 0.1, 0.02
"""The spacing of the grid and of points on the real line, in units of pi / omega, or this if it is larger: real
exponents of reentrant corners may be as close as 0.1."""
HIGH = 3.0
"""Imaginary parts, times the opening, are below the logarithm of twice the exponent plus this."""
LEAST = 0.01
"""How far above the lowest real part an exponent must be: rigid motions are there, as double zeros."""
KNOWN = 1e-6
"""Exponents that are closer are the same; the slope is taken this far beside one."""
TAKES_PART = 1e-6
"""A function whose share of a sum is smaller does not belong to it."""
OFFSET = 0.37
"""Where the grid begins, in units of its step, so that no whole or half number lies on it."""


@dataclass(frozen=True)
class Power:
    """An exponent of a corner, with a nonnegative imaginary part, and the functions in its sums.

    Parameters
    ----------
    value : complex
        lambda.
    parts : tuple of (unknown, root, j)
        The functions z^(lambda + d_i - j) conj(z)^j of the unknown i, z = x + mu y with the root of that number.
    """

    value: complex
    parts: tuple[tuple[int, int, int], ...]


def mellin_exponents(sector: Angular, degree: float) -> list[Power]:
    """The exponents with finite energy up to a degree, in increasing order."""
    low = sector.lowest
    found: dict[tuple[float, float], complex] = {}
    for start in [*_minima(sector, degree, FINE, line=True), *_minima(sector, degree, GRID)]:
        value = _newton(sector, start)
        if value is None or not low + LEAST < value.real <= degree + WHOLE or is_whole(value):
            continue
        if all(abs(value - other) > KNOWN for other in found.values()):
            found[value.real, value.imag] = value
    wholes = np.arange(int(np.floor(low)) + 1, int(degree) + 1)
    if len(wholes):
        beside = sector.smallest(wholes + BESIDE)
        farther = sector.smallest(wholes + 4.0 * BESIDE)
        for n, near_one, far_one in zip(wholes.tolist(), beside, farther, strict=True):
            if near_one < 0.5 * far_one:
                found[float(n), 0.0] = complex(n)
    return [Power(value, _parts(sector, value)) for _, value in sorted(found.items())]


def shares(sector: Angular, powers: Sequence[Power]) -> bool:
    """Whether the exponents of another sector, if it has any, are exponents of a sector."""
    values = np.array([p.value for p in powers])
    values = np.where([is_whole(p.value) for p in powers], values + BESIDE, values)
    return len(values) > 0 and bool(sector.smallest(values).max() < 3.0 * BESIDE)


def _minima(sector: Angular, degree: float, spacing: float, line: bool = False) -> list[complex]:
    """Where the smallest singular value has local minima on a grid, or on the real line."""
    opening = sector.angles[1] - sector.angles[0]
    step = spacing * max(np.pi / opening, 1.0)
    along = np.arange(sector.lowest + OFFSET * step, degree + step, step)
    high = 0.0 if line else (np.log(2.0 * degree) + HIGH) / opening + 2 * step
    # From real numbers Newton's method would not leave the axis; everything below the axis mirrors what is above.
    across = np.arange(0.0, high + 0.5 * step, step) + (0.0 if line else 0.25 * step)
    grid = along[:, None] + 1j * across
    size = sector.smallest(grid.ravel()).reshape(grid.shape)
    wide = np.pad(size, ((0, 0), (1, 0)), "edge")
    padded = np.pad(wide, ((1, 1), (0, 1)), constant_values=np.inf)
    shifts = product((0, 1, 2), repeat=2)
    near = [padded[i : i + len(along), j : j + len(across)] for i, j in shifts]
    return list(map(complex, grid[size <= np.min(near, axis=0)]))


def _newton(sector: Angular, lam: complex) -> complex | None:
    """Newton's method for T(lambda) c = 0 and one normalisation of c."""
    c = None
    for _ in range(STEPS):
        rows, values = sector.matrices(np.array([lam, lam + KNOWN, lam - KNOWN]))
        scale = 1.0 / np.linalg.norm(values[0], axis=0)
        t, slope = rows[0] * scale, (rows[1] - rows[2]) * scale / (2 * KNOWN)
        if c is None:
            c = np.linalg.svd(t)[2][-1].conj()
        # T(lam + d) (c + e) = 0 to first order, and e is orthogonal to c.
        system = np.concatenate([np.concatenate([t, (slope @ c)[:, None]], axis=1), [[*c.conj(), 0.0]]])
        move = np.linalg.lstsq(system, np.concatenate([-t @ c, [0.0]]), rcond=None)[0]
        c = c + move[:-1]
        c /= np.linalg.norm(c)
        lam += complex(move[-1])
        if abs(move[-1]) > 1.0 or not np.isfinite(lam):
            return None
        if abs(move[-1]) < PRECISION * max(abs(lam), 1.0):
            break
    if sector.smallest(np.array([lam]))[0] > SAME:
        return None
    lam = complex(lam.real, abs(lam.imag))
    return complex(lam.real, 0.0) if lam.imag < WHOLE else lam


def angular_sums(sector: Angular, lam: complex) -> np.ndarray:
    """The sums that satisfy equations and conditions at an exponent that is not whole: (sums, functions)."""
    rows, values = sector.matrices(np.array([lam]))
    scale = 1.0 / np.linalg.norm(values[0], axis=0)
    _, sizes, vectors = np.linalg.svd(rows[0] * scale)
    found = vectors[sizes <= max(SAME * sizes[0], sizes[-1])].conj() * scale
    return found / np.abs(found).max(axis=1, keepdims=True)


def _parts(sector: Angular, lam: complex) -> tuple[tuple[int, int, int], ...]:
    if is_whole(lam):
        return tuple(dict.fromkeys(f[:3] for f in sector.functions))
    share = np.abs(angular_sums(sector, lam)).max(axis=0)
    return tuple(
        dict.fromkeys(f[:3] for f, s in zip(sector.functions, share, strict=True) if s > TAKES_PART * share.max())
    )


def is_whole(lam: complex) -> bool:
    """Whether an exponent is a whole number."""
    return abs(lam - round(lam.real)) < KNOWN
