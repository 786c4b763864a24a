"""Sectors of several materials around a point: sums of powers in each, which fit together between them.

It answers what `mellin` asks of one sector: where the smallest singular value of all equations, of the conditions on
the two outer edges and of those between sectors vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.features.sector import GOLDEN, MORE, Row, Sector, smallest_singular_value


@dataclass(frozen=True, eq=False)
class Wedge:
    """Sectors, anticlockwise.

    Parameters
    ----------
    sectors : sequence of Sector
        Their edges are used at the ends of an open chain only.
    between : sequence of sequences of (Row, Row)
        What holds between each sector and the next, the rows of both sides; for a closed chain also from the last one
        to the first.
    closed : bool
    """

    sectors: Sequence[Sector]
    between: Sequence[Sequence[tuple[Row, Row]]]
    closed: bool

    @property
    def angles(self) -> tuple[float, float]:
        """Where the widest sector begins and ends: exponents are as dense as in it."""
        return max((s.angles for s in self.sectors), key=lambda a: a[1] - a[0])

    @property
    def orders(self) -> tuple[int, ...]:
        return self.sectors[0].orders

    @property
    def offsets(self) -> np.ndarray:
        return self.sectors[0].offsets

    @property
    def lowest(self) -> float:
        return self.sectors[0].lowest

    @cached_property
    def functions(self) -> list[tuple[int, int, int, bool]]:
        """The functions of all sectors, one after the other."""
        return [f for s in self.sectors for f in s.functions]

    @property
    def well_posed(self) -> bool:
        """Whether each point between sectors, and each outer edge, has as many conditions as are required."""
        half = [sum(m for _, m in s.roots) for s in self.sectors]
        ends = self.closed or (len(self.sectors[0].edges[0]), len(self.sectors[-1].edges[1])) == (half[0], half[-1])
        return ends and min(half) > 0 and all(len(b) == 2 * half[0] for b in self.between)

    def matrices(self, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All equations and conditions applied to the functions, and the functions themselves, for each lambda."""
        starts = np.cumsum([0, *(len(s.functions) for s in self.sectors)])

        def placed(found: np.ndarray, number: int) -> np.ndarray:
            out = np.zeros((*found.shape[:2], starts[-1]), dtype=complex)
            out[:, :, starts[number] : starts[number + 1]] = found
            return out

        rows, values = [], []
        for k, s in enumerate(self.sectors):
            first, last = s.angles
            inside = first + (last - first) * np.mod(GOLDEN * (np.arange(len(s.functions) + MORE) + 0.5), 1.0)
            planes = s._planes(lam, inside)
            rows += [placed(s._values(lam, s.leading(row), planes), k) for row in s.equations]
            values += [placed(s._values(lam, [(u, (0, 0), 1.0)], planes), k) for u in range(s.unknowns)]
        if not self.closed:
            for number, edge in ((0, 0), (len(self.sectors) - 1, 1)):
                s = self.sectors[number]
                planes = s._planes(lam, np.array([s.angles[edge]]))
                rows += [placed(s._values(lam, s.leading(row), planes), number) for row in s.edges[edge]]
        for k, stated in enumerate(self.between):
            following = (k + 1) % len(self.sectors)
            one, other = self.sectors[k], self.sectors[following]
            ours = one._planes(lam, np.array([one.angles[1]]))
            theirs = other._planes(lam, np.array([other.angles[0]]))
            for first_row, second_row in stated:
                both = placed(one._values(lam, first_row, ours), k)
                rows.append(both + placed(other._values(lam, second_row, theirs), following))
        return np.concatenate(rows, axis=1), np.concatenate(values, axis=1)

    def smallest(self, lam: np.ndarray) -> np.ndarray:
        """The smallest singular value for functions of norm one, at each lambda."""
        return smallest_singular_value(*self.matrices(lam), lam, max(self.orders))
