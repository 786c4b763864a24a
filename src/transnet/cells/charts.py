"""The coordinates of cells: those of the plane, or around a round hole zeta = log(z - c).

There what is large at a hole and decays away from it, (z - c)^-k, is as smooth as anything else, so that few cells are
needed around a hole. With w = 1 / (z - c) and D = d/dzeta derivatives are d^m/dz^m = w^m D (D - 1) ... (D - m + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.polynomial import polynomial

from transnet.cells.polynomials import CellPolynomials, MultiIndex, Terms
from transnet.geometry.corners import Hole

CIRCLE = 0.9
"""The radius of the circle around a cell, in units of its farthest point: traces are of similar size then."""
ROUND = 1.5
"""The longest radius of a hole that is round, in units of its shortest one."""
REACH = 3.0
"""Up to where cells are in the coordinates of a hole, in radii of it: with 2.5 a disk with a hole lost ten times,
with 3.5 a disk with two holes as much."""
WIDEST = 2.5
"""The widest angle at which a cell is seen from the centre of its hole."""


def ellipses(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The centres and half axes of ellipses around points (k, n, 2)."""
    low, high = points.min(axis=1), points.max(axis=1)
    centre, half = 0.5 * (low + high), 0.5 * (high - low)
    farthest = np.linalg.norm((points - centre[:, None]) / half[:, None], axis=2).max(axis=1)
    return centre, CIRCLE * farthest[:, None] * half


def round_holes(holes: Sequence[Hole]) -> list[tuple[np.ndarray, float]]:
    """The centres and radii of those holes that are round."""
    radii = [(h.centre, np.linalg.norm(h.rim - h.centre, axis=1)) for h in holes]
    return [(centre, float(r.max())) for centre, r in radii if r.max() < ROUND * r.min()]


@dataclass(frozen=True, eq=False)
class CellCharts:
    """The ellipses of cells in their coordinates: centres and half axes (k, 2); and for those around a hole its centre
    and a place in the cell, from there, (k,) complex, nan for others."""

    centre: np.ndarray
    half: np.ndarray
    focus: np.ndarray
    ahead: np.ndarray

    @classmethod
    def of(
        cls, centre: np.ndarray, half: np.ndarray, origin: np.ndarray, ends: np.ndarray, plain: np.ndarray,
        holes: Sequence[tuple[np.ndarray, float]],
    ) -> CellCharts:  # fmt: skip
        """The charts of cells with given ellipses in the plane, seen from `origin` to `ends`; some stay `plain`."""
        focus, ahead = np.full((2, len(centre)), np.nan, dtype=complex)
        centre, half = centre.copy(), half.copy()
        away = np.array([np.linalg.norm(origin - place, axis=1) / radius for place, radius in holes])
        nearest = away.argmin(axis=0) if len(holes) else np.zeros(0, dtype=int)
        for k, (place, _) in enumerate(holes):
            mine = np.flatnonzero((nearest == k) & (away[k] < REACH) & ~plain)
            c = complex(*place)
            forward = origin[mine] @ (1, 1j) - c
            zeta = np.log((ends[mine] @ (1, 1j) - c) / forward[:, None])
            narrow = np.ptp(zeta.imag, axis=1) < WIDEST
            mine, zeta = mine[narrow], zeta[narrow]
            if len(mine):
                centre[mine], half[mine] = ellipses(np.stack([zeta.real, zeta.imag], axis=-1))
                focus[mine], ahead[mine] = c, forward[narrow]
        return cls(centre, half, focus, ahead)

    def take(self, cells: np.ndarray) -> CellCharts:
        """Those of some cells."""
        return CellCharts(self.centre[cells], self.half[cells], self.focus[cells], self.ahead[cells])

    @cached_property
    def _around(self) -> np.ndarray:
        return np.flatnonzero(np.isfinite(self.focus))

    def placed(self, points: np.ndarray) -> np.ndarray:
        """Points (k, m, 2) in the coordinates of cells, in which their ellipses are the unit circle."""
        around = self._around
        if len(around):
            zeta = np.log((points[around] @ (1, 1j) - self.focus[around, None]) / self.ahead[around, None])
            points = points.copy()
            points[around, :, 0], points[around, :, 1] = zeta.real, zeta.imag
        return (points - self.centre[:, None]) / self.half[:, None]

    def terms(self, points: np.ndarray, terms: Terms) -> Terms:
        """Derivatives with their factors (k, m) in the coordinates of the cells."""
        around = self._around
        if not len(around):
            return [(index, c / self._units(index)) for index, c in terms]
        w = 1.0 / (points[around] @ (1, 1j) - self.focus[around, None])
        found: dict[MultiIndex, np.ndarray] = {}
        for index, c in terms:
            wide = np.broadcast_to(c, points.shape[:2])
            in_plane = wide / self._units(index)
            in_plane[around] = 0.0
            found[index] = found.get(index, 0.0) + in_plane
            for other, factors in _in_logarithm(index):
                total = sum(f * w**m * np.conj(w) ** (sum(index) - m) for m, f in factors)
                if other not in found:
                    found[other] = np.zeros(points.shape[:2])
                found[other][around] += wide[around] * np.real(total) / self._units(other)[around]
        return list(found.items())

    def values(
        self,
        known: CellPolynomials,
        coefficients: np.ndarray,
        points: np.ndarray,
        indices: Sequence[MultiIndex],
        lower: int = 0,
    ) -> list[np.ndarray]:
        """Derivatives of sums of polynomials, known at points (k, m, 2), with coefficients (..., k, columns)."""
        if not len(self._around):
            made = known.values(coefficients, indices, lower)
            return [v / self._units(index) for v, index in zip(made, indices, strict=True)]
        terms = [self.terms(points, [(index, np.ones(points.shape[:2]))]) for index in indices]
        needed = sorted({index for some in terms for index, _ in some})
        by_index = dict(zip(needed, known.values(coefficients, needed, lower), strict=True))
        return [np.sum([c * by_index[index] for index, c in some], axis=0) for some in terms]

    def _units(self, index: MultiIndex) -> np.ndarray:
        return np.prod(self.half ** np.array(index), axis=1)[:, None]


@lru_cache(maxsize=64)
def _in_logarithm(index: MultiIndex) -> tuple[tuple[MultiIndex, tuple[tuple[int, complex], ...]], ...]:
    """A derivative as sum f w^m conj(w)^(n - m) of derivatives by the real and the imaginary part of zeta."""
    n = sum(index)
    # In powers of d/dz and d/dz*: (d + d*)^a (i (d - d*))^b.
    outer = polynomial.polymul(_power(1, 1, index[0]), _power(-1j, 1j, index[1]))
    found: dict[MultiIndex, dict[int, complex]] = {}
    for m in range(n + 1):
        for k, s in enumerate(_falling_power(m)):
            for j, t in enumerate(_falling_power(n - m)):
                both = polynomial.polymul(_power(0.5, -0.5j, k), _power(0.5, 0.5j, j))
                for q, factor in enumerate(both):
                    own = found.setdefault((k + j - q, q), {})
                    own[m] = own.get(m, 0.0) + complex(outer[m] * s * t * factor)
    return tuple(
        (other, tuple((m, f) for m, f in own.items() if f)) for other, own in found.items() if any(own.values())
    )


def _power(a: complex, b: complex, n: int) -> np.ndarray:
    return np.asarray(polynomial.polypow([a, b], n))


def _falling_power(m: int) -> np.ndarray:
    """The coefficients of D (D - 1) ... (D - m + 1)."""
    return np.asarray(polynomial.polyfromroots(range(m))).real if m else np.ones(1)
