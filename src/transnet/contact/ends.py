"""Touching on a line: the ends of the contact intervals, and the intervals without contact between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.geometry import Domain, Interval

APART = 0.3
"""The most that an end moves in one step, as a part of the distance to the next."""
SHORT = 0.01
"""Intervals shorter than this part of the whole are noise of the first guess."""


def noiseless(touching: np.ndarray) -> np.ndarray:
    """Where there is contact along a line, without intervals that are shorter than the layer of a spring."""
    found = touching.copy()
    while True:
        starts = np.concatenate([[0], np.flatnonzero(found[1:] != found[:-1]) + 1, [len(found)]])
        lengths = np.diff(starts)
        k = int(lengths.argmin())
        if len(lengths) == 1 or lengths[k] > SHORT * len(found):
            return found
        found[starts[k] : starts[k + 1]] ^= True


@dataclass(frozen=True, eq=False)
class Ends:
    """Where contact begins and ends.

    Parameters
    ----------
    places : (m,) array
        In ascending order.
    barriers : (m,) array of int
        Which obstacle is touched.
    facing : (m,) array of int
        1 where the free side is the upper one, -1 where it is the lower one.
    """

    places: np.ndarray
    barriers: np.ndarray
    facing: np.ndarray

    @staticmethod
    def of(domain: Domain, gaps: Any, cells: int) -> Ends | None:
        """The ends of the intervals where the smallest of some gaps is negative; None if there are none."""
        (low,), (high,) = domain.bounds
        x = np.linspace(low, high, cells + 1)
        values = gaps(x[:, None])
        least, which = values.min(axis=1), values.argmin(axis=1)
        touching = noiseless(least < 0)
        at = np.flatnonzero(touching[:-1] != touching[1:])
        if not len(at):
            return None
        a, b = least[at], least[at + 1]
        return Ends(
            x[at] + (x[1] - x[0]) * a / (a - b), np.where(a < 0, which[at], which[at + 1]), np.where(a < 0, 1, -1)
        )

    @property
    def edges(self) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """For each edge its obstacle, its points and the normals there, which point away from the contact."""
        return [
            (int(b), np.array([[p]]), np.array([[float(f)]]))
            for p, b, f in zip(self.places, self.barriers, self.facing, strict=True)
        ]

    def moved(self, steps: list[np.ndarray], domain: Domain) -> Ends:
        """The edges moved along their normals."""
        fixed = np.concatenate([domain.bounds[0], self.places, domain.bounds[1]])
        room = APART * np.minimum(np.diff(fixed)[:-1], np.diff(fixed)[1:])
        step = np.clip(self.facing * np.concatenate(steps), -room, room)
        return replace(self, places=self.places + step)

    def finer(self) -> Ends | None:
        """The same edges with more freedom: points have none."""
        return None

    def domains(self, domain: Domain) -> list[tuple[Domain, list[tuple[str, int]], bool]]:
        """The domains without contact: each with the names of its edges and their obstacles, and whether it touches the
        boundary."""
        found: list[tuple[Domain, list[tuple[str, int]], bool]] = []
        inner = zip(self.places.tolist(), self.facing.tolist(), self.barriers.tolist(), strict=True)
        low, high = domain.bounds[:, 0].tolist()
        ends = [(low, -self.facing[0], None), *inner, (high, -1, None)]
        for (a, facing, first), (b, _, second) in pairwise(ends):
            if facing > 0:
                made = Interval(**{str(domain.names[0]): (a, b)})
                names = [(part, k) for part, k in zip(made.parts, (first, second), strict=True) if k is not None]
                found.append((made, names, first is None or second is None))
        return found

    def which(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The number of the domain in which each point is, -1 in contact; and the obstacle there."""
        at = np.searchsorted(self.places, points[:, 0])
        free = np.append(self.facing[:1] < 0, self.facing > 0)
        number = np.where(free, np.cumsum(free) - 1, -1)
        return number[at], self.barriers[np.clip(at - (at > 0), 0, None)]

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Which points (n, d) are in contact."""
        return self.which(np.asarray(points, dtype=float))[0] < 0

    @property
    def curves(self) -> list[np.ndarray]:
        """Points on each edge."""
        return [points for _, points, _ in self.edges]

    def sizes(self) -> np.ndarray:
        """How far each edge is from the next, to compare a step with."""
        return np.ones(len(self.places))

    def stored(self, arrays: dict[str, np.ndarray], prefix: str) -> dict[str, Any]:
        arrays[f"{prefix}places"] = self.places
        return {"barriers": self.barriers.tolist(), "facing": self.facing.tolist()}
