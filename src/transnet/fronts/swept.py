"""A domain whose front moves, as a domain of space and time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from transnet.arrays import constant
from transnet.errors import GeometryError
from transnet.fronts.curve import FrontCurve, with_front
from transnet.fronts.times import Times
from transnet.geometry import Domain, Interval
from transnet.geometry.domain import Surface
from transnet.geometry.product import Product
from transnet.measure.sampling import check_draw, unit_points
from transnet.tolerances import SAME

LEVELS = 9
"""Times at which a moving domain is sampled for points and for its extent."""
NODES = 4000
"""Nodes for the volume."""
KEPT = 64
"""Domains that are remembered by their time."""


class Swept(Domain):
    """{(x, t): x in the domain at the time t}; `at(t)` is that domain. Normals are those of it.

    Parameters
    ----------
    begun : Product
        The domain of the statement.
    parts_in_motion : tuple of str
        The names of its fronts.
    curves : one tuple of FrontCurve for each time
    """

    def __init__(
        self, begun: Product, parts_in_motion: tuple[str, ...], times: Times, curves: tuple[tuple[FrontCurve, ...], ...]
    ) -> None:
        self.begun, self.parts_in_motion, self.times, self.curves = begun, parts_in_motion, times, curves

    def __repr__(self) -> str:
        return f"{self.begun.first} with the front {', '.join(self.parts_in_motion)} in motion * {self.begun.second}"

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.begun.names

    @cached_property
    def _second(self) -> Interval:
        name = str(self.begun.second.names[0])
        return Interval(**{name: (float(self.times.values[0]), float(self.times.values[-1]))})

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return (*self.at(float(self.times.values[0])).parts, *self._second.parts)

    @property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        sides = self.at(float(self.times.values[0])).parts
        return {"sides": sides, **dict(self._second._other_names)}

    @cached_property
    def _known(self) -> dict[float, Domain]:
        return {}

    def fronts(self, time: float) -> tuple[FrontCurve, ...]:
        """The curves of the fronts at a time."""
        which, (weights, _) = self.times.around(np.array([time]))
        found = []
        for k in range(len(self.parts_in_motion)):
            near = [self.curves[i][k].loop for i in which[0]]
            most = max(l.modes for l in near)
            padded = [np.pad(l.coefficients, most - l.modes) for l in near]
            mixed = sum(w * c for w, c in zip(weights[0], padded, strict=True))
            found.append(FrontCurve(replace(near[0], coefficients=mixed)))
        return tuple(found)

    def at(self, time: float) -> Domain:
        """The domain of space at a time."""
        time, room = float(time), SAME * float(np.ptp(self.times.values))
        if not self.times.values[0] - room <= time <= self.times.values[-1] + room:
            raise GeometryError(
                f"The front was followed from {self.times.values[0]:g} to {self.times.values[-1]:g}, not to {time:g}."
            )
        if time not in self._known:
            made = self.begun.first
            for part, front in zip(self.parts_in_motion, self.fronts(time), strict=True):
                made = with_front(made, part, front.loop.curve)
            if len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[time] = made
        return self._known[time]

    @cached_property
    def _samples(self) -> list[tuple[float, Domain]]:
        return [(float(t), self.at(t)) for t in np.linspace(self.times.values[0], self.times.values[-1], LEVELS)]

    @cached_property
    def bounds(self) -> np.ndarray:
        boxes = np.array([d.bounds for _, d in self._samples])
        t = self.times.values
        return constant([[*boxes[:, 0].min(axis=0), t[0]], [*boxes[:, 1].max(axis=0), t[-1]]])

    @cached_property
    def volume(self) -> float:
        return float(self.quadrature(NODES)[1].sum())

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        found = self._second._inside(points[:, -1:], 1)
        for t in np.unique(points[found, -1]):
            here = found & (points[:, -1] == t)
            found[here] = self.at(float(t))._inside(points[here, :-1], sign)
        return found

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        """Points of the domains at some times, in proportion to their areas."""
        areas = np.array([d.volume for _, d in self._samples])
        counts = np.diff(np.round(np.concatenate([[0], np.cumsum(areas)]) / areas.sum() * n).astype(int))
        drawn = [
            np.column_stack([d._fill(int(m), kind, rng), np.full(int(m), t)])
            for (t, d), m in zip(self._samples, counts, strict=True)
            if m > 0
        ]
        return np.concatenate(drawn)

    def _lattice(self, n: int) -> np.ndarray:
        return self._fill(n, "quasi", np.random.default_rng(0))

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if part in self._second.parts:
            t = self._second.boundary(part, 1)
            first = self.at(float(t.points[0, 0]))
            place = first._fill(n, kind, rng)
            normals = np.column_stack([np.zeros_like(place), np.full(n, t.normals[0, 0])])
            return Surface(np.column_stack([place, np.full(n, t.points[0, 0])]), normals)
        which = np.sort(np.floor(unit_points(n, 1, "quasi", rng)[:, 0] * LEVELS).astype(int))
        points, directions = [], []
        for k, m in zip(*np.unique(which, return_counts=True), strict=True):
            t, domain = self._samples[k]
            own = domain._draw(part, int(m), kind, rng)
            points.append(np.column_stack([own.points, np.full(m, t)]))
            directions.append(np.column_stack([own.normals, np.zeros(m)]))
        return Surface(np.concatenate(points), np.concatenate(directions))

    def _measure(self, part: str) -> float:
        t = self.times.values
        if part in self._second.parts:
            return float(self.at(float(self._second.boundary(part, 1).points[0, 0])).volume)
        return float(np.mean([d._measure(part) for _, d in self._samples])) * float(t[-1] - t[0])

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        s, w = np.polynomial.legendre.leggauss(LEVELS)
        a, b = self.times.values[[0, -1]]
        times, weights = (a + b) / 2 + (b - a) / 2 * s, (b - a) / 2 * w
        points, measures = [], []
        for t, weight in zip(times, weights, strict=True):
            nodes, each = self.at(float(t)).quadrature(check_draw(n, "grid") // LEVELS + 1)
            points.append(np.column_stack([nodes, np.full(len(nodes), t)]))
            measures.append(weight * each)
        return np.concatenate(points), np.concatenate(measures)
