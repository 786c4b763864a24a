"""Smooth pieces of a plane curve by arc length: what the boundary of every plane domain is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.measure.rules import gauss
from transnet.measure.sampling import apportion, unit_points

Located = tuple[np.ndarray, np.ndarray]  # points (n, 2) and outward unit normals (n, 2)
Weighed = tuple[np.ndarray, np.ndarray, np.ndarray]  # the same and weights (n,) of an integral by arc length

BOXED = 64  # steps of an arc for its bounding box
NODES, AGREE, DEEPEST = (24, 40), 1e-14, 8
"""An arc is halved until Gauss rules with this many nodes agree to rounding, or this many times."""


@dataclass(frozen=True)
class Arc:
    """A smooth curve piece: its length, and `at`, from arc lengths (n,) in [0, length] to points and normals.

    `rule` is the integration rule with m nodes between two arc lengths, for curves on which another parameter is
    smoother than the arc length. `origin` is the arc that it was cut from, where it begins there, and whether the
    normals were flipped, so that repeated cuts cost no more than one. `straight` says that it is a segment.
    """

    length: float
    at: Callable[[np.ndarray], Located]
    rule: Callable[[float, float, int], Weighed] | None = None
    origin: tuple[Arc, float, bool] | None = None
    straight: bool = False

    def quadrature(self, m: int, start: float = 0.0, stop: float | None = None) -> Weighed:
        """The rule with m nodes for the integral by arc length from `start` to `stop`."""
        stop = self.length if stop is None else stop
        if self.rule is not None:
            return self.rule(start, stop, m)
        x, w = gauss(m)
        return (*self.at(start + (stop - start) * x), (stop - start) * w)

    def cut(self, start: float, stop: float, flip: bool = False) -> Arc:
        """The piece between two arc lengths, with flipped normals if `flip`."""
        whole, first, turned = self.origin or (self, 0.0, False)
        start, stop = first + start, first + stop
        turn = -1.0 if flip != turned else 1.0

        def at(s: np.ndarray) -> Located:
            points, normals = whole.at(start + s)
            return points, turn * normals

        def rule(a: float, b: float, m: int) -> Weighed:
            points, normals, weights = whole.quadrature(m, start + a, start + b)
            return points, turn * normals, weights

        return Arc(stop - start, at, rule, (whole, start, flip != turned), self.straight)

    @cached_property
    def box(self) -> np.ndarray:
        """A box (2, 2) around it: no point is farther from the nearest sample than half of a step."""
        points, _ = self.at(np.linspace(0.0, self.length, BOXED + 1))
        room = self.length / (2 * BOXED)
        return np.array([points.min(axis=0) - room, points.max(axis=0) + room])


def segment(a: np.ndarray, b: np.ndarray) -> Arc:
    """The straight piece from a to b, with the outside on its right (as on a polygon run anticlockwise)."""
    a, step = np.asarray(a, float), np.asarray(b, float) - np.asarray(a, float)
    length = float(np.hypot(*step))
    normal = np.array([step[1], -step[0]]) / length + 0.0

    def at(s: np.ndarray) -> Located:
        normals = np.empty((len(s), 2))
        normals[:] = normal
        return a + (s / length)[:, None] * step, normals

    return Arc(length, at, straight=True)


def circle_arc(center: Sequence[float], radius: float, outward: float = 1.0) -> Arc:
    """The circle; its normals point away from the centre times `outward` (-1 for the rim of a hole)."""

    def at(s: np.ndarray) -> Located:
        directions = np.stack([np.cos(s / radius), np.sin(s / radius)], axis=-1)
        return np.asarray(center) + radius * directions, outward * directions

    return Arc(2 * np.pi * radius, at)


def along(arcs: Sequence[Arc], n: int, kind: str, rng: np.random.Generator) -> Located:
    """n samples of the arcs together, evenly spaced (or random) by arc length and never at an end of an arc."""
    if len(arcs) == 1:
        return arcs[0].at(arcs[0].length * unit_points(n, 1, kind, rng)[:, 0])
    counts = apportion(n, [arc.length for arc in arcs])
    if kind == "random":  # independent points fall on the arcs in random numbers, not in fixed shares
        shares = np.array([arc.length for arc in arcs])
        counts = rng.multinomial(n, shares / shares.sum())
    pairs = [
        arc.at(arc.length * unit_points(int(m), 1, kind, rng)[:, 0])
        for arc, m in zip(arcs, counts, strict=True)
        if m > 0
    ]
    return np.concatenate([p for p, _ in pairs]), np.concatenate([q for _, q in pairs])


def area(arcs: Sequence[Arc]) -> float:
    """The area inside a boundary with outward normals, by the divergence theorem: the integral of (p - c) . n / 2."""
    halves = [arc.at(np.array([0.5 * arc.length])) for arc in arcs]
    middle = np.mean([points[0] for points, _ in halves], axis=0)
    return sum(
        0.5 * arc.length * float((points[0] - middle) @ normals[0])
        if arc.straight
        else _flow(arc, middle, 0.0, arc.length, DEEPEST)
        for arc, (points, normals) in zip(arcs, halves, strict=True)
    )


def _flow(arc: Arc, middle: np.ndarray, start: float, stop: float, depth: int) -> float:
    """The integral of one arc, halved until two rules agree."""

    def rule(m: int) -> float:
        points, normals, weights = arc.quadrature(m, start, stop)
        return float(weights @ np.sum((points - middle) * normals, axis=1)) / 2

    coarse, fine = (rule(m) for m in NODES)
    if depth == 0 or abs(fine - coarse) <= AGREE * arc.length**2:
        return fine
    half = (start + stop) / 2
    return _flow(arc, middle, start, half, depth - 1) + _flow(arc, middle, half, stop, depth - 1)
