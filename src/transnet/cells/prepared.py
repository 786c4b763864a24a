"""A linear problem in cells whose factorisations are kept for many right-hand sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cells.corners import Corners
from transnet.cells.estimate import ROUNDING, compared_points, compared_share, safety_of
from transnet.cells.kept import KeptCells
from transnet.cells.level import mean_rule, mean_shifts
from transnet.cells.seeds import Sizes
from transnet.cells.solve import STEP, CellFound, cut_cells, hardly_told
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.errors import ProblemError
from transnet.judge.estimate import distances
from transnet.linalg.sizes import each_rms
from transnet.pieces.indicate import Tally
from transnet.pieces.many import JudgedMany
from transnet.prepared.entries import Entry, same_operator
from transnet.prepared.rights import OTHER, another_operator
from transnet.problem import Problem
from transnet.rows.statements import Statement
from transnet.solution.solution import Solution

Part = tuple[int, slice]
"""The number of an entry, and which of its points."""


@dataclass(frozen=True, eq=False)
class CellPair:
    """Two degrees on the same cells, factored: that of the solution, and a lower one to compare with.

    Parameters
    ----------
    entries : list of Entry
        Each statement with its points of both degrees, where it is fitted and where it is judged.
    parts : by degree
        Which of them belong to each place.
    """

    stated: CellProblem
    made_from: CellParts
    kept: tuple[KeptCells, KeptCells]
    entries: list[Entry]
    parts: tuple[list[Part], list[Part]]

    @classmethod
    def of(cls, stated: CellProblem, made_from: CellParts, kept: tuple[KeptCells, KeptCells]) -> CellPair:
        numbers = {id(s): k for k, s in enumerate(statements_in(stated))}
        points: list[list[np.ndarray]] = [[] for _ in numbers]
        normals: list[list[np.ndarray]] = [[] for _ in numbers]
        counts = [0] * len(numbers)
        parts: tuple[list[Part], list[Part]] = ([], [])
        for mine, level in zip(parts, kept, strict=True):
            for p in level.places:
                k = numbers[id(p.statement)]
                points[k].append(p.at.points.reshape(-1, 2))
                if p.at.normals is not None:
                    normals[k].append(p.at.normals.reshape(-1, 2))
                mine.append((k, slice(counts[k], counts[k] + len(points[k][-1]))))
                counts[k] = mine[-1][1].stop
        entries = []
        for k, s in enumerate(statements_in(stated)):
            at = points[k]
            if s.averaged:
                at = [mean_rule(stated, _basis(stated, kept[0]))[0]]
            where = np.concatenate(at) if at else np.zeros((0, 2))
            outward = np.concatenate(normals[k]) if normals[k] else None
            entries.append(Entry("cell", 0, k, s.label, s, where, outward, len(where)))
        return cls(stated, made_from, kept, entries, parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return CellParts.factored, (self.made_from, self.stated.numbers)  # the arcs of a domain are functions

    @cached_property
    def basis(self) -> CellBasis:
        """That of the solutions."""
        return _basis(self.stated, self.kept[0])

    @property
    def weakest(self) -> float:
        return self.kept[0].joined.glue.pivot

    @cached_property
    def _means(self) -> list[int]:
        return [k for k, e in enumerate(self.entries) if e.statement.averaged]

    def solve(self, rights: Sequence[np.ndarray]) -> JudgedMany:
        """The solutions for right-hand sides (n, r) at the points of each entry."""
        of_means = [rights[k] for k in self._means]
        found = []
        for level, parts in zip(self.kept, self.parts, strict=True):
            at = [rights[k][some] for k, some in parts]
            fits = len(at) - len(level.looked)
            fitted, over = level.solve(at[:fits])
            each = zip(level.columns.groups, fitted, strict=True)
            whole = np.concatenate([g.expanded(c).reshape(-1, c.shape[2]) for g, c in each])
            values = level.compared(fitted)
            basis = _basis(self.stated, level)
            for u, shift in mean_shifts(self.stated, basis, whole, of_means).items():
                values[:, u] += shift
                whole = whole + np.outer(basis.constant(u), shift)
            left, tallies = _judged(level, fitted, at[fits:], over, values)
            found.append((whole, values, left, tallies))
        (coefficients, fine, left, tallies), (_, coarse, before, _) = found
        return JudgedMany(coefficients, self._errors(fine, coarse, left, before), tallies)

    def _errors(self, fine: np.ndarray, coarse: np.ndarray, left: np.ndarray, before: np.ndarray) -> np.ndarray:
        """The estimated errors (r,) from the values of both solutions and what is left of their rows.

        Where the higher degree leaves much of the rows its own error may be as large as their distance."""
        tiles = self.kept[0].tiles
        share = compared_share(tiles, compared_points(tiles), self.stated.jumps)[..., None]
        unknowns = range(fine.shape[1])
        values = [(fine[:, u] * share).reshape(-1, fine.shape[3]) for u in unknowns]
        others = [(coarse[:, u] * share).reshape(-1, fine.shape[3]) for u in unknowns]
        apart = distances(values, [[a - b] for a, b in zip(values, others, strict=True)])[0]
        fallen = left / np.maximum(before, 1e-300)
        part = np.minimum(safety_of(fine.shape[1]) * fallen, 1.0)
        part = np.where(hardly_told(fallen, self.weakest), 1.0, part)
        return np.maximum(apart * part, ROUNDING)


@dataclass(frozen=True, eq=False)
class CellParts:
    """The cells of a prepared problem, cut by sizes, and their degree.

    Parameters
    ----------
    typical : tuple
        The parameters for which they were found to be fine enough.
    """

    problem: Problem
    typical: tuple[Any, ...]
    sizes: tuple[Sizes, ...]
    degree: int
    goal: float

    name: ClassVar[str] = "cells"

    @classmethod
    def of(cls, problem: Problem, typical: Sequence[Any], found: CellFound, goal: float) -> CellParts:
        """Those with which typical values of the parameters were solved; a higher degree if two degrees told little of
        the error."""
        degree = found.level.columns.degree + (STEP if found.doubtful else 0)
        return cls(problem, tuple(typical), found.sizes, degree, goal)

    def __reduce__(self) -> tuple[Any, ...]:
        return CellParts, (self.problem, self.typical, self.sizes, self.degree, self.goal)

    @cached_property
    def tiles(self) -> Tiles:
        stated = CellProblem.of_problem(self.problem, self.typical)
        return cut_cells(stated, self.sizes, Corners.of(stated, self.goal))[0]

    @property
    def inside(self) -> np.ndarray:
        """Points of the domain, for pictures."""
        return compared_points(self.tiles).reshape(-1, 2)

    @property
    def neurons(self) -> int:
        """The functions of all cells together, for each unknown."""
        return len(self.tiles) * (self.degree + 1) * (self.degree + 2) // 2

    def factored(self, numbers: Sequence[Any]) -> CellPair:
        """The factorisations for values of all parameters."""
        stated = CellProblem.of_problem(self.problem, numbers)
        singular = Corners.of(stated, self.goal).functions(self.tiles)
        made = [KeptCells.of(stated, self.tiles, self.degree - less, singular) for less in (0, STEP)]
        return CellPair.of(stated, self, (made[0], made[1]))

    def entries_of(self, other: Problem, numbers: Sequence[float], mine: Sequence[Entry]) -> list[Entry]:
        """The entries of another problem, which may differ only on its right-hand sides."""
        statements = statements_in(CellProblem.of_problem(other, numbers))
        if len(statements) != len(mine):
            raise ProblemError(OTHER)
        found = []
        for old, s in zip(mine, statements, strict=True):
            new = Entry(old.place, old.owner, old.number, s.label, s, old.points, old.normals, old.fitted)
            a, b = old.statement.source, s.source
            same = a is b or (a is not None and b is not None and a.same_place(b))
            if not same or not same_operator(old, new, numbers):
                raise another_operator(old.label, s.label)
            found.append(new)
        return found

    def limit(self, solution: Solution) -> str:
        """What limits the accuracy, in words."""
        return (
            f"The {solution.basis.summary()} have an estimated relative error of {solution.error:.1e}. Prepare the "
            f"problem with parameters={{...}} that are typical of those to be solved for, or solve it by tn.solve."
        )


def statements_in(stated: CellProblem) -> tuple[Statement, ...]:
    """All statements of a problem, in an order that depends on its structure only."""
    return (*stated.every, *stated.means)


def _basis(stated: CellProblem, level: KeptCells) -> CellBasis:
    return CellBasis(level.tiles.seeds, level.columns, stated.problem.domain)


def _judged(
    level: KeptCells, fitted: Sequence[np.ndarray], rights: Sequence[np.ndarray], over: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, dict[str, Tally]]:
    """What is left of all rows (r,), at points between those that were fitted and on faces, and of each statement."""
    total = np.sum(over**2, axis=(0, 1))
    whole = np.array([each_rms(values[:, u].reshape(-1, values.shape[3])) for u in range(values.shape[1])])
    tallies: dict[str, Tally] = {}
    for looked, right in zip(level.looked, rights, strict=True):
        place = looked.place
        mine = fitted[place.group]
        left = looked.left(mine, right)
        total = total + np.sum(left**2, axis=(0, 1))
        holds = place.weights > 0
        tally = tallies.setdefault(place.statement.label, Tally())
        tally.add(left[holds] / place.weights[holds][:, None], looked.size(mine, right, whole), int(holds.sum()), 1.0)
    return np.sqrt(total), tallies
