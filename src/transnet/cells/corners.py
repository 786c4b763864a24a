"""The functions of singular corners in the cells near them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log10

import numpy as np

from transnet.cells.level import CellProblem
from transnet.cells.near import NearFunctions
from transnet.cells.tiles import Tiles
from transnet.choose.enrich import kinds_of, principal_of
from transnet.choose.sectors import sectors_of
from transnet.features.corner_functions import corner_functions, sector_functions
from transnet.features.mellin import Power
from transnet.features.placement import Placement
from transnet.features.sector import Sector
from transnet.features.singular import Function, Singular
from transnet.features.singularities import counts
from transnet.geometry.corners import Corner, bends

DEGREE, DIGITS = 2.0, 0.33
"""The highest exponent of the functions of a corner in its own cell, a + b digits of the goal."""
BESIDE, REACH = 0.7, 2.5
"""The same in cells beside it, in units of that, up to this distance from the corner in units of their size."""
SMOOTH = 1.5
"""Where the curvature jumps, functions of lower exponents are smooth."""
MOST, FEWER = 80, 0.9
"""The most functions of a corner for each unknown: degrees are lowered by a factor until they are as few."""

IN_PLACE = Placement(np.zeros(2), np.ones(2))
"""The coordinates of the problem."""

Make = Callable[[Corner, Placement, np.ndarray, float], list[Function]]


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a domain: all, and those with singular functions.

    Parameters
    ----------
    all_points : (n, 2) array
    corners : tuple of Corner
        The singular ones.
    makers : tuple of callables
        For each of these its functions in the coordinates of a cell, up to a degree.
    degree : float
    unknowns : int
    """

    all_points: np.ndarray
    corners: tuple[Corner, ...]
    makers: tuple[Make, ...]
    degree: float
    unknowns: int

    @classmethod
    def of(cls, stated: CellProblem, goal: float) -> Corners:
        """The corners of a problem, with functions for an error."""
        found = stated.problem.domain.corners_and_holes[0]
        places = np.array([c.point for c in found if not c.flat]).reshape(-1, 2)
        bent = bends(stated.problem.domain)
        one = len(stated.problem.unknowns) == 1
        made = _of_one(stated, bent) if one else _of_system(stated, bent)
        degree = DEGREE - DIGITS * log10(goal)
        singular, makers = tuple(c for c, _ in made), tuple(m for _, m in made)
        return cls(places, singular, makers, degree, len(stated.problem.unknowns))

    @property
    def points(self) -> np.ndarray:
        """Where the singular ones are."""
        return np.array([c.point for c in self.corners]).reshape(-1, 2)

    def functions(self, tiles: Tiles) -> NearFunctions:
        """The functions of the cells of corners, and of those beside them."""
        made: list[list[Function]] = [[] for _ in range(len(tiles))]
        for i, point in enumerate(self.points):
            away = np.linalg.norm(tiles.centre - point, axis=1)
            cells = np.flatnonzero((away < REACH * tiles.size) | (np.arange(len(tiles)) == i))
            rim = np.concatenate([tiles.ends[cells].reshape(-1, 2), point[None]])
            own = self._some(i, rim, self.degree)
            beside = self._some(i, rim, self.degree * BESIDE) if len(cells) > 1 else []
            for k in cells.tolist():
                made[k] += own if k == i else beside
        return NearFunctions({k: Singular.of(functions) for k, functions in enumerate(made) if functions})

    def _some(self, corner: int, rim: np.ndarray, degree: float) -> list[Function]:
        known = self.corners[corner]
        if np.linalg.norm(rim - known.point, axis=1).max() < known.free:  # the cut does not come back to these cells
            known = replace(known, free=np.inf)
        while True:
            made = self.makers[corner](known, IN_PLACE, rim, degree)
            if len(made) <= MOST * self.unknowns or degree < 1.0:
                return [f._replace(late=False) for f in made]
            degree *= FEWER


def _of_one(stated: CellProblem, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    """For one unknown: powers in the plane in which the leading part at the corner is Laplace's."""
    equation = stated.equations[0].equation
    kinds = kinds_of(stated.problem, stated.conditions)[0]
    made: list[tuple[Corner, Make]] = []
    for corner in (*stated.problem.domain.corners_and_holes[0], *bent):
        if not (counts(corner, kinds) or corner in bent):
            continue
        zero = [np.zeros(1)] * len(equation.slots)
        factors = equation.jacobian(corner.point[None], None, stated.numbers, None if equation.linear else zero)
        known = principal_of([index for _, index in equation.slots], factors)
        if known is None:
            continue

        def make(
            corner: Corner, placement: Placement, rim: np.ndarray, degree: float, mu: complex = known[0]
        ) -> list[Function]:
            return corner_functions(corner, placement, rim, mu, degree, degree - 0.5, kinds)

        made.append((corner, make))
    return made


def _of_system(stated: CellProblem, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    sectors = sectors_of(stated.problem, (*stated.equations, *stated.conditions), stated.numbers, bent)
    made: list[tuple[Corner, Make]] = []
    for corner, sector, powers, gap in () if sectors is None else sectors.powers:
        # What a jump of the curvature adds begins with second derivatives.
        singular = [p for p in powers if p.value.real > SMOOTH] if corner in bent else powers

        def make(
            corner: Corner,
            placement: Placement,
            rim: np.ndarray,
            degree: float,
            known: tuple[Sector, Sequence[Power], int] = (sector, singular, gap),
        ) -> list[Function]:
            return sector_functions(corner, *known, placement, rim, degree)

        made.append((corner, make))
    return made
