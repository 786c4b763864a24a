"""What is stated at the corners of a domain: the leading part of the equations, and the conditions on both edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.errors import TransnetError
from transnet.features.mellin import Power, mellin_exponents, shares
from transnet.features.sector import Row, Sector
from transnet.geometry.corners import Corner
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.equation import Equation
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement
from transnet.tolerances import ROUNDED, SAME

HIGHEST = 9.0
"""Exponents are searched up to this one, or up to this much above the lowest."""
NEAR, PLACES = 1e-3, (0.01, 0.1, 1.0)
"""The distance from a corner, in units of the domain, at which the conditions on an edge are read, and the fractions of
it."""
EDGE = 8
"""Points of a part of the boundary at which the direction of a derivative is evaluated."""


@dataclass(frozen=True, eq=False)
class Sectors:
    """The corners of a system, or of an equation of higher order.

    Parameters
    ----------
    corners : tuple of Corner
    sectors : tuple of Sector
        The leading parts of equations and conditions there.
    gaps : tuple of int
        By how much the exponents due to terms of lower order are larger; 0 if there are none.
    """

    corners: tuple[Corner, ...]
    sectors: tuple[Sector, ...]
    gaps: tuple[int, ...]

    @cached_property
    def reaching(self) -> bool:
        """Whether derivatives in the energy are unbounded at a corner, as at every reentrant one."""
        return any(p.value != round(p.value.real) for powers in self._exponents(1.0) for p in powers)

    @cached_property
    def powers(self) -> list[tuple[Corner, Sector, tuple[Power, ...], int]]:
        """The exponents of each corner, found on first use."""
        found = self._exponents(HIGHEST - 1.0, HIGHEST)
        return [each for each in zip(self.corners, self.sectors, found, self.gaps, strict=True) if each[2]]

    def _exponents(self, above: float, least: float = 0.0) -> list[tuple[Power, ...]]:
        """Those of each corner up to so much above the lowest, and at least to some; corners that are alike share
        them."""
        found: list[tuple[Sector, tuple[Power, ...]]] = []
        for sector in self.sectors:
            opening = sector.angles[1] - sector.angles[0]
            alike = (p for s, p in found if abs(s.angles[1] - s.angles[0] - opening) < SAME and shares(sector, p))
            powers = next(alike, None)
            degree = max(least, sector.lowest + above)
            found.append((sector, tuple(mellin_exponents(sector, degree)) if powers is None else powers))
        return [p for _, p in found]


_known: Remembered[Problem, Sectors | None] = Remembered()


def sectors_of(
    problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], more: tuple[Corner, ...] = ()
) -> Sectors | None:
    """The sectors at all corners of a domain, and at some more; None if there are none, or the exponents of one are
    not known.

    They are known if the leading part is elliptic and does not depend on the unknowns, and each edge has the required
    number of linear conditions.
    """
    numbers = tuple(numbers)
    corners = (*problem.domain.corners_and_holes[0], *more)
    return _known.get(problem, f"{numbers} {len(more)}", lambda: sectors_at(problem, statements, numbers, corners))


def sectors_at(
    problem: Problem, statements: Sequence[Statement], numbers: tuple[Any, ...], corners: tuple[Corner, ...]
) -> Sectors | None:
    """The same at given corners."""
    equations = [s.equation for s in statements if s.kind == "equation"]
    plane = all(set(u.args) == set(problem.coordinates) for u in problem.unknowns)
    if len(equations) != len(problem.unknowns) or not plane or not corners or any(e.places for e in equations):
        return None
    length = float(np.linalg.norm(problem.domain.bounds[1] - problem.domain.bounds[0]))
    sectors, gaps = [], []
    for corner in corners:
        try:
            sector = _sector(problem, statements, equations, corner, numbers, NEAR * length)
        except TransnetError:
            return None  # data that are not finite in a corner
        if sector is None or not sector.well_posed:
            return None
        sectors.append(sector)
        gaps.append(gap_of(equations, sector))
    return Sectors(corners, tuple(sectors), tuple(gaps))


def _sector(
    problem: Problem,
    statements: Sequence[Statement],
    equations: Sequence[Equation],
    corner: Corner,
    numbers: tuple[Any, ...],
    near: float,
) -> Sector | None:
    rows = [row_at(e, corner.point, None, numbers) for e in equations]
    edges: list[list[Row]] = []
    (a, b), (c, d) = corner.edges
    for part, edge, outward in zip(corner.parts, corner.edges, ((b, -a), (-d, c)), strict=True):
        stated: list[Row] = []
        for statement in statements:
            if statement.part is None or part not in problem.domain.resolve(statement.part):
                continue
            if statement.where is not None:
                beside = corner.point + near * np.array(PLACES)[:, None] * edge
                holds = where_mask(statement.where, problem.coordinates, beside)
                if holds.any() != holds.all():
                    return None
                if not holds.any():
                    continue
            row = row_at(statement.equation, corner.point, np.array(outward), numbers)
            if row is None:
                return None
            stated.append(row)
        edges.append(stated)
    if any(row is None for row in rows):
        return None
    first = float(np.arctan2(b, a))
    angles = (first, first + corner.opening())
    sector = Sector([r for r in rows if r], (edges[0], edges[1]), angles, len(problem.unknowns))
    if len(sector.equations) < len(equations) or not all(edges):
        return None
    for equation, row in zip(equations, sector.equations, strict=True):
        if not _leading_is_free_of_unknowns(equation, sector, row):
            return None
    return sector


def row_at(equation: Equation, point: np.ndarray, normal: np.ndarray | None, numbers: tuple[Any, ...]) -> Row | None:
    """The terms of an equation at a point, in the units of the largest coefficient of the highest order."""
    normals = None if normal is None else normal[None, :]
    if equation.places or (normal is not None and not equation.linear):
        return None
    factors = [float(np.ravel(c)[0]) for c in equation.jacobian(point[None, :], normals, numbers)]
    big = max(map(abs, factors), default=0.0)
    terms = [(u, i, c) for (u, i), c in zip(equation.slots, factors, strict=True) if abs(c) > ROUNDED * big]
    unit = max((abs(c) for _, i, c in terms if sum(i) == max(sum(j) for _, j, _ in terms)), default=1.0)
    return [(u, i, c / unit) for u, i, c in terms] or None


def _leading_is_free_of_unknowns(equation: Equation, sector: Sector, row: Row) -> bool:
    leading = {(u, i) for u, i, _ in sector.leading(row)}
    own = set(equation.slot_symbols)
    most = max(sum(i) - sector.orders[u] for u, i in leading)
    for slot, coefficient in zip(equation.slots, equation.coefficients_symbolic, strict=True):
        if sum(slot[1]) - sector.orders[slot[0]] >= most and coefficient.free_symbols & own:
            return False
    return True


def gap_of(equations: Sequence[Equation], sector: Sector) -> int:
    """By how much the order of the leading part is above that of the next terms."""
    gaps = []
    for equation in equations:
        orders = [sum(i) - sector.orders[u] for u, i in equation.slots]
        gaps += [max(orders) - n for n in orders if n < max(orders)]
        if any(c.free_symbols - equation.parameters for c in equation.coefficients_symbolic):
            gaps.append(1)  # coefficients that vary
    return min(gaps, default=0)


def oblique(problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], mu: complex) -> bool:
    """Whether a condition of one equation has a derivative along the boundary: its corners have exponents of their own.

    For the root mu of the principal part the flux is along A n, A = ((|mu|^2, -Re mu), (-Re mu, 1)).
    """
    flux = np.array([[abs(mu) ** 2, -mu.real], [-mu.real, 1.0]])
    for statement in statements:
        equation = statement.equation
        first = [k for k, (_, index) in enumerate(equation.slots) if sum(index) == 1]
        if statement.part is None or not first or not equation.linear:
            continue
        for part in problem.domain.resolve(statement.part):
            surface = problem.domain.boundary(part, EDGE, "quasi", 0)
            try:
                factors = equation.jacobian(surface.points, surface.normals, tuple(numbers))
            except TransnetError:
                continue
            along = np.zeros((len(surface.points), 2))
            for k in first:
                along[:, equation.slots[k][1].index(1)] = factors[k]
            across = surface.normals @ flux
            turned = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
            if (np.abs(turned) > SAME * np.linalg.norm(along, axis=1) * np.linalg.norm(across, axis=1)).any():
                return True
    return False
