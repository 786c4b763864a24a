"""Closed fronts in the plane: a part of a domain as a curve of Fourier coefficients, and functions on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.contact.loops import FourierCurve
from transnet.errors import GeometryError, ProblemError
from transnet.geometry import Annulus, Curve, Disk, Domain, Region
from transnet.geometry.csg import Combination
from transnet.lazy import spatial
from transnet.problem import given
from transnet.tolerances import ROUNDED

FIRST, MOST = 16, 128
"""Modes of a first curve, and of the finest."""
TAIL = 2 / 3
"""The part of the modes above which the coefficients tell how well a curve is resolved."""
DENSE, STEPS = 2048, 4
"""Places of a curve among which the closest to a point is found, and Newton's steps from there."""
DIGITS = 17
"""Digits of the coefficients in a formula: all of a double."""
INSIDE = 1e-3
"""How far from a curve it is asked on which side the domain is, in units of its radius."""
MEET = 1e-4
"""Ends of arcs that are this close, in units of their size, meet."""


@dataclass(frozen=True, eq=False)
class FrontCurve:
    """A closed curve z(s) with the domain inside or outside of it; s runs from 0 to 2 pi.

    Parameters
    ----------
    loop : FourierCurve
        Its `within` says whether the domain is inside: normals point out of the domain.
    """

    loop: FourierCurve
    _last: list[np.ndarray] = field(default_factory=list)

    @cached_property
    def nodes(self) -> np.ndarray:
        """The parameters of its nodes."""
        return self.loop.nodes

    @cached_property
    def points(self) -> np.ndarray:
        return _plane(self.loop.z(self.nodes))

    @cached_property
    def normals(self) -> np.ndarray:
        """Outward normals of the domain."""
        return _plane(self.loop.normals(self.nodes))

    @cached_property
    def tangents(self) -> np.ndarray:
        velocity = self.loop.z(self.nodes, 1)
        return _plane(velocity / np.abs(velocity))

    @cached_property
    def curvature(self) -> np.ndarray:
        """The divergence of the outward normal."""
        first, second = self.loop.z(self.nodes, 1), self.loop.z(self.nodes, 2)
        sign = 1.0 if self.loop.within else -1.0
        return sign * np.asarray((np.conj(first) * second).imag / np.abs(first) ** 3)

    def along(self, values: np.ndarray) -> np.ndarray:
        """The derivative of values at the nodes by the length of the curve."""
        k = np.fft.fftfreq(len(values), 1 / len(values))
        k[len(values) // 2] = 0.0
        return np.fft.ifft(1j * k * np.fft.fft(values)).real / np.abs(self.loop.z(self.nodes, 1))

    @property
    def size(self) -> float:
        return self.loop.radius

    @property
    def tail(self) -> float:
        """The largest of the last coefficients, in units of the radius."""
        last = np.abs(self.loop.orders) > TAIL * self.loop.modes
        return float(np.abs(self.loop.coefficients[last]).max()) / self.size

    def moved(self, step: np.ndarray, most: float = np.inf) -> FrontCurve:
        """The curve moved along its normals, at most by this."""
        z = self.loop.z(self.nodes) + self.loop.normals(self.nodes) * np.clip(step, -most, most)
        return FrontCurve(self.loop.through(z, self.loop.modes))

    def finer(self) -> FrontCurve:
        """The same curve with twice as many modes."""
        more = min(self.loop.modes, MOST - self.loop.modes)
        return FrontCurve(replace(self.loop, coefficients=np.pad(self.loop.coefficients, more)))

    @cached_property
    def _dense(self) -> tuple[np.ndarray, spatial.cKDTree]:
        s = 2 * np.pi * np.arange(DENSE) / DENSE
        return s, spatial.cKDTree(_plane(self.loop.z(s)))

    def parameters(self, points: np.ndarray) -> np.ndarray:
        """The parameters of the closest places of the curve; the last are kept, as several functions ask for them."""
        if self._last and np.array_equal(self._last[0], points):
            return self._last[1]
        s = self._dense[0][self._dense[1].query(points)[1]]
        z = points[:, 0] + 1j * points[:, 1]
        for _ in range(STEPS):
            place, first, second = (self.loop.z(s, order) for order in range(3))
            away = place - z
            slope = (np.conj(away) * first).real
            bend = np.abs(first) ** 2 + (np.conj(away) * second).real
            s = s - slope / np.where(bend > 0, bend, np.abs(first) ** 2)
        self._last[:] = [points.copy(), s]
        return np.asarray(s)

    def function(self, values: np.ndarray) -> OnCurve:
        """The function of the place with these values at the nodes."""
        n = len(values)
        found = np.fft.fft(values)[: n // 2] * 2.0 / n
        found[0] /= 2.0
        return OnCurve(self, found)

    def formula(self) -> Curve:
        """It as a curve with formulas, which can be written to files."""
        s = sp.Symbol("s", real=True)
        c, k = self.loop.coefficients, self.loop.orders
        both = []
        for pick in (np.real, np.imag):
            terms = []
            for order in range(self.loop.modes + 1):
                plus, minus = c[k == order][0], c[k == -order][0]
                if order == 0:
                    terms.append(sp.Float(float(pick(plus)), DIGITS))
                    continue
                even, odd = pick(plus + minus), pick(1j * (plus - minus))
                terms += [sp.Float(float(even), DIGITS) * sp.cos(order * s)] if abs(even) > _least(c) else []
                terms += [sp.Float(float(odd), DIGITS) * sp.sin(order * s)] if abs(odd) > _least(c) else []
            both.append(sp.Add(*terms))
        return Curve((both[0], both[1]), (s, 0, 2 * sp.pi), self.loop.name)


def _least(coefficients: np.ndarray) -> float:
    return ROUNDED * float(np.abs(coefficients).max())


@dataclass(frozen=True, eq=False)
class OnCurve:
    """A function on a front, taken at the closest place of it."""

    curve: FrontCurve
    coefficients: np.ndarray

    def __call__(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        x, y = np.broadcast_arrays(x, y)
        s = self.curve.parameters(np.column_stack([x.ravel(), y.ravel()]))
        return np.polyval(self.coefficients[::-1], np.exp(1j * s)).real.reshape(x.shape)


def known(name: str, function: Any, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
    """A given function that is smooth, so that nobody has to look for jumps and spots in it."""
    made = given(name, function, *coordinates)
    type(made).smooth = True
    return made


def _plane(z: np.ndarray) -> np.ndarray:
    return np.stack([z.real, z.imag], axis=-1)


def front_of(domain: Domain, part: str) -> FrontCurve:
    """The curve that a part of a domain is at first."""
    names = domain.resolve(part)
    arcs = [arc for name in names for arc in domain.arcs(name)] if domain.dimension == 2 else []
    if not arcs:
        raise ProblemError(
            f"A front is a closed curve in the plane; '{part}' of {domain} is not one. A front that is a point of a "
            f"line is an unknown size, tn.Interval(x=(0, s)) with s = tn.unknown('s', t)."
        )
    z = _around([_plane_points(a.at(np.linspace(0, a.length, DENSE // len(arcs) + 2))[0]) for a in arcs])
    if z is None:
        raise ProblemError(
            f"The front '{part}' of {domain} is not one closed curve: it ends on another part of the boundary. State "
            f"the problem on the domain together with its mirror image, in which the front is closed."
        )
    if np.sum((np.conj(z) * np.roll(z, -1)).imag) < 0:
        z = z[::-1]
    length = np.concatenate([[0], np.cumsum(np.abs(np.diff(np.append(z, z[0]))))])
    at = np.linspace(0, length[-1], 4 * FIRST, endpoint=False)
    closed = np.append(z, z[0])
    even = np.interp(at, length, closed.real) + 1j * np.interp(at, length, closed.imag)
    blank = FourierCurve(np.zeros(2 * FIRST + 1, dtype=complex), 0, True, names[0] if len(names) == 1 else "front")
    loop = blank.through(even, FIRST)
    probe = _plane(loop.z(loop.nodes) - loop.normals(loop.nodes) * INSIDE * loop.radius)
    return FrontCurve(replace(loop, within=bool(np.mean(domain.contains(probe)) > 0.5)))


def _plane_points(points: np.ndarray) -> np.ndarray:
    return np.asarray(points[:, 0] + 1j * points[:, 1])


def _around(arcs: Sequence[np.ndarray]) -> np.ndarray | None:
    """The points of arcs that make one closed curve, in order; None if they do not."""
    left, size = list(arcs[1:]), max(float(np.abs(a - a.mean()).max()) for a in arcs)
    chain = list(arcs[0][:-1])
    end = arcs[0][-1]
    while left:
        far = [min(abs(a[0] - end), abs(a[-1] - end)) for a in left]
        k = int(np.argmin(far))
        if far[k] > MEET * size:
            return None
        a = left.pop(k)
        a = a if abs(a[0] - end) <= abs(a[-1] - end) else a[::-1]
        chain += list(a[:-1])
        end = a[-1]
    return np.array(chain) if abs(end - chain[0]) <= MEET * size else None


def with_front(domain: Domain, part: str, curve: Curve) -> Domain:
    """The domain with another curve for a part of its boundary."""
    found = _replaced(domain, domain.resolve(part), curve)
    if found is None:
        raise GeometryError(
            f"'{part}' of {domain} cannot be replaced by another curve. A front is all of the boundary of one shape: "
            f"give the shape a name, tn.Disk(radius=2, name='rim') - body."
        )
    return found


def _replaced(domain: Domain, parts: Sequence[str], curve: Curve) -> Domain | None:
    if set(domain.parts) == set(parts):
        return Region(curve)
    if isinstance(domain, Combination):
        for name, other in (("first", domain.second), ("second", domain.first)):
            mine = getattr(domain, name)
            if set(parts) <= set(mine.parts) and not set(parts) & set(other.parts):
                made = _replaced(mine, parts, curve)
                if made is None:
                    return None
                return replace(domain, first=made) if name == "first" else replace(domain, second=made)
    if isinstance(domain, Region) and len(parts) == 1:
        named = zip(domain.parts, domain.curves, strict=True)
        return Region(*(curve if p == parts[0] else replace(c, name=p) for p, c in named))
    if isinstance(domain, Annulus) and domain.dimension == 2:
        rings = {n: Disk(domain.center, getattr(domain, n), name=n) for n in ("outer", "inner")}
        return _replaced(rings["outer"] - rings["inner"], parts, curve)
    return None
