"""The exponents of systems at points where several materials meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from transnet.cells.stated import CellProblem
from transnet.choose.sectors import gap_of, row_at
from transnet.features.mellin import Power, mellin_exponents, shares
from transnet.features.sector import Row, Sector
from transnet.features.wedge import Wedge
from transnet.pieces.vertices import Around, sectors_around
from transnet.tolerances import SAME

HIGHEST = 5.0
"""Exponents are searched up to this one."""


def wedges_of(stated: CellProblem) -> Iterator[tuple[Around, Wedge, Sequence[Power], int]]:
    """The points at which sectors of several materials meet, their exponents, and the gap to those of lower terms."""
    assert stated.laws is not None
    known: list[tuple[Wedge, list[Power]]] = []
    for around in sectors_around(stated.laws):
        if len(set(around.materials)) < 2 or _straight(around):
            continue
        wedge = _wedge(stated, around)
        if wedge is None or not wedge.well_posed:
            continue
        alike = (
            p
            for w, p in known
            if [s.angles[1] - s.angles[0] for s in w.sectors] == [s.angles[1] - s.angles[0] for s in wedge.sectors]
            and shares(wedge, p)
        )
        powers = next(alike, None)
        if powers is None:
            powers = mellin_exponents(wedge, HIGHEST)
            known.append((wedge, powers))
        gaps = [
            gap_of([s.equation for s in stated.equations[m]], sector)
            for m, sector in zip(around.materials, wedge.sectors, strict=True)
        ]
        yield around, wedge, powers, min((g for g in gaps if g), default=0)


def _straight(around: Around) -> bool:
    """Whether a smooth interface goes through the point, where nothing is singular."""
    return around.parts is None and len(around.angles) == 2 and abs(around.angles[0] - np.pi) < SAME


def _wedge(stated: CellProblem, around: Around) -> Wedge | None:
    numbers, n = stated.numbers, len(stated.problem.unknowns)
    sectors = []
    count = len(around.materials)
    for k, (material, start, angle) in enumerate(zip(around.materials, around.starts, around.angles, strict=True)):
        rows = [row_at(s.equation, around.point, None, numbers) for s in stated.equations[material]]
        if any(row is None for row in rows):
            return None
        edges: list[list[Row]] = [[], []]
        if around.parts is not None:
            for side, outer, theta in ((0, k == 0, start), (1, k == count - 1, start + angle)):
                if outer:
                    sign = 1.0 if side == 0 else -1.0
                    normal = sign * np.array([np.sin(theta), -np.cos(theta)])
                    for by_material in stated.conditions:
                        s = by_material[material]
                        assert s.part is not None
                        if around.parts[side] in stated.problem.domain.resolve(s.part):
                            row = row_at(s.equation, around.point, normal, numbers)
                            if row is None:
                                return None
                            edges[side].append(row)
        made = [row for row in rows if row]
        sectors.append(Sector(made, (edges[0], edges[1]), (start, start + angle), n))
    between = []
    for k in range(count if around.parts is None else count - 1):
        theta = around.starts[k] + around.angles[k]
        a, b = around.materials[k], around.materials[(k + 1) % count]
        normal = np.array([-np.sin(theta), np.cos(theta)]) * (1.0 if a < b else -1.0)
        stated_here = []
        for s in stated.across.get((min(a, b), max(a, b)), ()):
            row = row_at(s.equation, around.point, normal, numbers)
            if row is None:
                return None
            most = max(sum(i) - sectors[0].orders[u % n] for u, i, _ in row)
            leading = [(u, i, c) for u, i, c in row if sum(i) - sectors[0].orders[u % n] == most]
            sides = [[(u % n, i, c) for u, i, c in leading if u // n == side] for side in (0, 1)]
            stated_here.append((sides[0], sides[1]) if a < b else (sides[1], sides[0]))
        between.append(stated_here)
    return Wedge(sectors, between, around.parts is None)
