"""A problem in pieces or cells whose reductions and glue are kept for many right-hand sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, ClassVar, Protocol

import numpy as np
import sympy as sp

from transnet.choose.effort import ACCEPTABLE
from transnet.counts import RIGHTS
from transnet.cuts.cells import Cells
from transnet.cuts.piecewise import in_pieces_of_lines
from transnet.errors import EstimateWarning, Message, ProblemError
from transnet.features.space import FeatureSpace
from transnet.judge.expanded import expanded_solution
from transnet.pieces.indicate import residuals_of
from transnet.pieces.laws import Laws
from transnet.pieces.many import Both, JudgedMany, entries_of
from transnet.pieces.messages import limit_in_pieces, messages_of
from transnet.pieces.system import write_system
from transnet.prepared.entries import Entry, by_statement, rights_by_entry, rights_of, same_operator
from transnet.prepared.prepared import Prepared
from transnet.prepared.rights import OTHER, another_operator, refuse_another_domain
from transnet.problem import Problem
from transnet.remember import Guard
from transnet.rows.rights import operator_parameters
from transnet.rows.statements import distinct_labels
from transnet.solution.solution import Solution
from transnet.solution.solutions import Solutions


@dataclass(frozen=True, eq=False)
class OneGlued:
    """Makes one solution of many from its number, and can be pickled with it."""

    parts: Parts
    stated: Problem
    basis: Any
    table: np.ndarray
    known: tuple[tuple[JudgedMany, float], ...]
    place: np.ndarray
    tol: float | None
    seconds: float

    def __call__(self, i: int) -> Solution:
        number, column = self.place[i]
        judged, weakest = self.known[number]
        parameters = dict(zip(self.parts.problem.parameters, map(float, self.table[i]), strict=True))
        found = expanded_solution(
            self.stated, self.basis, judged.coefficients[:, column], parameters,
            solver=f"{self.basis.pieces} {self.parts.name} and glue, prepared", error=float(judged.errors[column]),
            residuals=residuals_of(judged.tallies, (column,)), shape=(judged.rows, self.basis.columns),
            points=self.parts.inside, seconds={"solve": self.seconds},
        )  # fmt: skip
        told = messages_of(found, self.tol, weakest)
        if not told and found.error > (ACCEPTABLE if self.tol is None else self.tol):
            missed = "" if self.tol is None else f"The tolerance {self.tol:.1e} was not reached. "
            told = (Message(EstimateWarning, f"{missed}{self.parts.limit(found)}"),)
        return replace(found, diagnostics=replace(found.diagnostics, messages=told))


class Parts(Protocol):
    """The pieces, or cells, of a prepared problem.

    It has the problem, points inside for pictures, the number of functions for each unknown, and a name.
    """

    name: ClassVar[str]

    @property
    def problem(self) -> Problem: ...
    @property
    def inside(self) -> np.ndarray: ...
    @property
    def neurons(self) -> int: ...
    def factored(self, numbers: Sequence[Any]) -> FactoredParts:
        """All rows for values of the parameters, factored."""
        ...

    def entries_of(self, other: Problem, numbers: Sequence[float], mine: Sequence[Entry]) -> list[Entry]:
        """The entries of another problem, which may differ from those of this one only on its right-hand sides."""
        ...

    def limit(self, solution: Solution) -> str:
        """What limits the accuracy, in words."""
        ...


class FactoredParts(Protocol):
    """Two systems on the same parts, factored; the difference of their solutions gives the error."""

    @property
    def entries(self) -> list[Entry]: ...
    @property
    def basis(self) -> Any: ...
    @property
    def weakest(self) -> float: ...
    def solve(self, rights: Sequence[np.ndarray]) -> JudgedMany:
        """The solutions for right-hand sides (n, k) at the points of each entry."""
        ...


@dataclass(frozen=True, eq=False)
class PieceParts:
    """Pieces.

    Parameters
    ----------
    laws : Laws
        The statements by material.
    cells : Cells
    spaces : (FeatureSpace, FeatureSpace)
        The waves of every cell, and the fewer ones of the solution used for comparison.
    """

    laws: Laws
    cells: Cells
    spaces: tuple[FeatureSpace, FeatureSpace]

    name: ClassVar[str] = "pieces"

    @property
    def problem(self) -> Problem:
        return self.laws.problem

    @property
    def inside(self) -> np.ndarray:
        return np.concatenate([c.inside for c in self.cells.cells])

    @property
    def neurons(self) -> int:
        """The number of neurons of all pieces together, for each unknown."""
        return len(self.cells.cells) * self.spaces[0].neurons

    def factored(self, numbers: Sequence[Any]) -> Both:
        return Both.of(self.laws, self.cells, self.spaces, tuple(numbers))

    def entries_of(self, other: Problem, numbers: Sequence[float], mine: Sequence[Entry]) -> list[Entry]:
        other = in_pieces_of_lines(other) or other
        laws = Laws(other)
        if not laws.linear:
            raise ProblemError(OTHER)
        entries = entries_of(write_system(laws, self.cells, self.spaces[0], numbers))
        for old, new in zip(mine, entries, strict=False):
            if not same_operator(old, new, numbers):
                raise another_operator(old.label, new.label)
        if len(mine) != len(entries):
            raise ProblemError(OTHER)
        return entries

    def limit(self, solution: Solution) -> str:
        return limit_in_pieces(solution)


@dataclass(frozen=True, eq=False, repr=False)
class InParts(Prepared):
    """A linear problem in pieces or cells, prepared.

    Parameters
    ----------
    parts : Parts
    tol : float or None
        What was asked for.
    """

    parts: Parts
    tol: float | None = None
    _kept: dict[tuple[float, ...], FactoredParts] = field(default_factory=dict)
    _lock: Guard = field(default_factory=Guard)

    _remedy = "Prepare the problem with parameters={...} that are typical of these."

    @classmethod
    def of(cls, parts: Parts, tol: float | None, values: Mapping[Any, Any]) -> InParts:
        """Keep what was found for typical values of the parameters."""
        made = cls(parts.problem, parts, tol)
        made.operator([float(v) for v in values.values()])
        return made

    # -- what it is ----------------------------------------------------------------------------------------------------
    @property
    def points(self) -> dict[str, np.ndarray]:
        """Where each statement is imposed, by its label: the points at which `values` are right-hand sides."""
        groups = by_statement(self._any.entries)
        labels = distinct_labels([g.statement.label for g in groups])
        return {label: g.points for label, g in zip(labels, groups, strict=True)}

    @property
    def neurons(self) -> int:
        """The number of functions of all parts together, for each unknown."""
        return self.parts.neurons

    @property
    def operator_parameters(self) -> tuple[sp.Symbol, ...]:
        """The parameters that occur in an operator: new values need a new factorisation."""
        found: set[sp.Symbol] = set()
        for entry in self._any.entries:
            found |= set(operator_parameters(entry.statement.equation, self.problem.parameters))
        return tuple(p for p in self.problem.parameters if p in found)

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return str(self._any.basis.summary())

    # -- how -----------------------------------------------------------------------------------------------------------
    @property
    def _any(self) -> FactoredParts:
        with self._lock:
            return next(iter(self._kept.values()))

    def operator(self, parameters: Sequence[float]) -> FactoredParts:
        """The factorisation for values of all parameters; the last one is kept."""
        with self._lock:
            if not self._kept:
                key = tuple(parameters)
                self._kept[key] = self.parts.factored(key)
        wanted = self.operator_parameters
        which = [p in wanted for p in self.problem.parameters]
        with self._lock:
            known = next(iter(self._kept))
            if any(a != b for a, b, counts in zip(known, parameters, which, strict=True) if counts):
                made = self.parts.factored(tuple(parameters))
                self._kept.clear()
                self._kept[tuple(parameters)] = made
            return next(iter(self._kept.values()))

    def _solved(self, table: np.ndarray, values: Mapping[Any, Any] | None, problem: Problem | None) -> Solutions:
        begun = perf_counter()
        both = self._any
        entries = both.entries if problem is None else self._entries_of(problem, table[0])
        given, count = rights_by_entry(entries, values or {})
        if count > 1 and len(table) not in (1, count):
            raise ProblemError(f"There are {len(table)} sets of parameters but {count} right-hand sides in values.")
        table = np.broadcast_to(table, (max(count, len(table)), table.shape[1]))
        wanted = self.operator_parameters
        positions = [i for i, p in enumerate(self.problem.parameters) if p in wanted]
        operators = np.unique(table[:, positions], axis=0, return_inverse=True)[1].ravel() if positions else None
        operators = np.zeros(len(table), dtype=int) if operators is None else operators
        known: list[tuple[JudgedMany, float]] = []
        place = np.zeros((len(table), 2), dtype=int)
        for number in range(int(operators.max()) + 1):
            mine = np.flatnonzero(operators == number)
            both = self.operator(table[mine[0]].tolist())
            for start in range(0, len(mine), RIGHTS):
                which = mine[start : start + RIGHTS]
                place[which] = np.stack([np.full(len(which), len(known)), np.arange(len(which))], axis=1)
                known.append((both.solve(rights_of(entries, table[which], given, which)), both.weakest))
        order = np.lexsort((place[:, 1], place[:, 0]))
        back = np.argsort(order)
        judged = [j for j, _ in known]
        coefficients = np.concatenate([j.coefficients for j in judged], axis=1)[:, back]
        errors = np.concatenate([j.errors for j in judged])[back]
        relative = np.concatenate([j.relative for j in judged], axis=1)[:, back]
        seconds = (perf_counter() - begun) / len(table)
        basis = both.basis
        make = OneGlued(self.parts, problem or self.problem, basis, table, tuple(known), place, self.tol, seconds)
        return Solutions(basis, coefficients, errors, relative, make)

    def _entries_of(self, other: Problem, parameters: Sequence[float]) -> list[Entry]:
        """The entries of another problem, which may differ only on its right-hand sides."""
        refuse_another_domain(self.problem, in_pieces_of_lines(other) or other)
        if other.names != self.problem.names or other.parameters != self.problem.parameters:
            raise ProblemError(OTHER)
        return self.parts.entries_of(other, tuple(map(float, parameters)), self._any.entries)
