"""A problem whose factorisation is kept.

The matrix of a linear problem does not depend on its right-hand sides. With A = Q R at hand, another source, other
boundary values, other data, or a thousand of each, cost Q^T b and a back substitution.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.errors import EstimateWarning, Message, ProblemError, undetermined, warn
from transnet.facts.conditions import missing_conditions
from transnet.judge.diagnose import TRUSTED, data_messages
from transnet.linalg.least_squares import Solver
from transnet.prepared.batch import Batch, batch
from transnet.prepared.linear import linear_operator
from transnet.prepared.operator import Operator
from transnet.prepared.parameters import table_of
from transnet.prepared.rights import replaced, with_values
from transnet.prepared.rows import Rows
from transnet.problem import Problem
from transnet.remember import Guard
from transnet.rows.blocks import Block
from transnet.rows.statements import distinct_labels
from transnet.solution.solution import Solution
from transnet.solution.solutions import Solutions
from transnet.threads import on_one_thread

SUSPICIOUS = 1e-3
"""If a residual or an error is above this, the data are checked: do conditions contradict each other, do fluxes
balance?"""

LOOKED_AT = 20
"""The most solutions of a batch whose data are checked, those with the largest errors first."""


@dataclass(frozen=True, eq=False)
class One:
    """Makes one solution of a batch from its number, and can be pickled with it."""

    prepared: Problem
    stated: Problem
    basis: Basis
    blocks: tuple[Block, ...]
    table: np.ndarray
    found: Batch
    of_statement: bool

    def __call__(self, i: int) -> Solution:
        parameters = dict(zip(self.prepared.parameters, map(float, self.table[i]), strict=True))
        known = self.found.diagnostics(i, self.prepared, self.blocks, self.basis)
        worst = max(r.relative for r in known.residuals)
        if self.of_statement:
            suspicious = not known.error <= SUSPICIOUS or worst > SUSPICIOUS
            missing = missing_conditions(self.stated)
            wrong = [missing] if missing else []
            if suspicious:
                wrong = data_messages(self.stated, [b.statement for b in self.blocks], tuple(parameters.values()))
            known = replace(known, messages=(*wrong, *known.messages))
        return Solution(self.stated, self.basis, self.found.coefficients[:, i], parameters, known, self.blocks)


@dataclass(frozen=True, eq=False, repr=False)
class Prepared(ABC):
    """A linear problem and its factorisation; made by `prepare`.

    Parameters
    ----------
    problem : Problem
        What was prepared.
    seconds : float
        The time that preparing took.
    arguments : mapping
        What `tn.prepare` was called with.
    """

    problem: Problem
    seconds: float = field(default=0.0, kw_only=True)
    arguments: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    # -- what it is ----------------------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def points(self) -> dict[str, np.ndarray]:
        """Where each statement is imposed, by its label: the points at which `values` are right-hand sides."""

    @property
    @abstractmethod
    def neurons(self) -> int:
        """The number of neurons for each unknown."""

    @property
    @abstractmethod
    def operator_parameters(self) -> tuple[sp.Symbol, ...]:
        """The parameters that occur in an operator: new values need a new factorisation."""

    def __repr__(self) -> str:
        again = ", ".join(p.name for p in self.operator_parameters)
        return (
            f"Prepared problem for {', '.join(map(str, self.problem.unknowns))} with {self.size}"
            + (f"; factored again for new {again}" if again else "")
        )  # fmt: skip

    @property
    @abstractmethod
    def size(self) -> str:
        """How large it is, in words."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments it was made with, by name, as scikit-learn's estimators have them.

        `tn.prepare(**prepared.get_params())` prepares the same again; `deep` is ignored.
        """
        return dict(self.arguments)

    # -- what it does --------------------------------------------------------------------------------------------------
    @explained
    @on_one_thread
    def solve(
        self,
        parameters: Mapping[Any, Any] | None = None,
        *,
        values: Mapping[Any, Any] | None = None,
        problem: Problem | None = None,
    ) -> Solution:
        """Solve for other right-hand sides.

        Parameters
        ----------
        parameters : mapping, optional
            Values for the problem's parameters. Those that occur only on right-hand sides cost next to nothing; for a
            new value of one in the operator the rows that contain it are assembled and factored again.
        values : mapping, optional
            Right-hand sides as arrays at `prepared.points[label]`, or as callables of the coordinates. The keys are
            equations or conditions as they were stated, or labels. They replace everything that does not contain an
            unknown; for `tn.data` they are the new measurements.
        problem : Problem, optional
            The same problem with other formulas on its right-hand sides.
        """
        solution = self.unwarned(parameters, values, problem)
        warn(solution.diagnostics.messages)
        return solution

    def unwarned(
        self,
        parameters: Mapping[Any, Any] | None = None,
        values: Mapping[Any, Any] | None = None,
        problem: Problem | None = None,
    ) -> Solution:
        """The solution with its messages, for which no warning has been issued yet."""
        found = self._solved(table_of(self.problem, [parameters or {}]), values, problem)
        if len(found) != 1:
            raise ProblemError(f"values has {len(found)} right-hand sides. Use solve_many for several.")
        return found[0]

    @explained
    @on_one_thread
    def solve_many(
        self,
        parameters: Any = None,
        *,
        values: Mapping[Any, Any] | None = None,
        problem: Problem | None = None,
    ) -> Solutions:
        """Solve for many right-hand sides at once, as matrix products.

        Parameters
        ----------
        parameters : sequence of mappings, mapping of arrays, or (k, p) array
            The parameters of each; the columns of an array are `problem.parameters`, in alphabetical order.
        values : mapping, optional
            As in `solve`, with arrays (k, rows); those of shape (rows,) are the same for all.
        """
        found = self._solved(table_of(self.problem, parameters), values, problem)
        warn(self._messages(found))
        return found

    @explained
    def linear_operator(self, points: Any, parameters: Mapping[Any, Any] | None = None) -> Any:
        """A `scipy.sparse.linalg.LinearOperator` G: for right-hand sides f, G f are the values u of the solution.

        A right-hand side has the values of all statements one after the other, in the order of `prepared.points`.
        Smooth ones keep all digits. The transpose needs the whole matrix, which is made once from right-hand sides that
        are one at a single point: it has about five digits (measured on a disk, 200 neurons). Nothing warns.

        Parameters
        ----------
        points : (n, d) array
            Where the solution is wanted; with several unknowns, all of them at the first point come first.
        parameters : mapping, optional
            Values for the problem's parameters.
        """
        return linear_operator(self, points, parameters)

    def at_once(self, table: np.ndarray, values: Mapping[Any, Any]) -> Solutions:
        """The solutions for arrays of right-hand sides, for which no warning is issued."""
        return self._solved(table, values, None)

    @abstractmethod
    def _solved(self, table: np.ndarray, values: Mapping[Any, Any] | None, problem: Problem | None) -> Solutions:
        """The solutions for the parameters in the rows of a table."""

    def _messages(self, found: Solutions) -> list[Message]:
        """The messages of some of the solutions: those of the worst in full, the others as a count."""
        bad = np.flatnonzero(~(found.errors <= TRUSTED))
        doubtful = np.flatnonzero(~(found.errors <= SUSPICIOUS) | (found.relative_residuals.max(axis=0) > SUSPICIOUS))
        messages: list[Message] = []
        for i in doubtful[np.argsort(-np.nan_to_num(found.errors[doubtful], nan=np.inf), kind="stable")][:LOOKED_AT]:
            wrong = [m for m in found[int(i)].diagnostics.messages if m.kind is not EstimateWarning]
            messages += [replace(m, text=f"Number {i} of {len(found)} solutions: {m.text}") for m in wrong]
            if wrong:
                break
        if len(bad) and not undetermined(messages):
            largest = f"the largest is {found.errors[found.worst]:.1e} of number {found.worst}"
            text = (
                f"{len(bad)} of {len(found)} solutions have an estimated relative error above {TRUSTED:g}, {largest}."
            )
            messages.append(Message(EstimateWarning, f"{text} {self._remedy}"))
        return messages

    _remedy: ClassVar[str] = "Prepare the problem with more neurons."


@dataclass(frozen=True, eq=False, repr=False)
class OneNetwork(Prepared):
    """A linear problem for one network: its rows and their factorisation.

    Parameters
    ----------
    solver : Solver
        How the triangle is solved.
    """

    rows: Rows
    solver: Solver
    _kept: dict[tuple[float, ...], Operator] = field(default_factory=dict)
    _lock: Guard = field(default_factory=Guard)

    @property
    def points(self) -> dict[str, np.ndarray]:
        """Where each statement is imposed, by its label: the points at which `values` are right-hand sides."""
        labels = distinct_labels([b.statement.label for b in self.rows.blocks])
        return {label: b.points for label, b in zip(labels, self.rows.blocks, strict=True)}

    @property
    def neurons(self) -> int:
        """The number of neurons of the largest space."""
        return max(s.neurons for s in self.rows.basis.spaces)

    @property
    def operator_parameters(self) -> tuple[sp.Symbol, ...]:
        """The parameters that occur in an operator: new values need a new factorisation."""
        return self.rows.operator_parameters

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return f"{self.neurons} neurons and {sum(b.rows for b in self.rows.blocks)} rows"

    def operator(self, parameters: Sequence[float]) -> Operator:
        """The factorisation for values of all parameters; the last one is kept."""
        key = tuple(
            float(v)
            for p, v in zip(self.problem.parameters, parameters, strict=True)
            if p in self.rows.operator_parameters
        )
        # One thread at a time: another one with other parameters must not replace what this one uses.
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                values = tuple(map(float, parameters))
                found = Operator(self.problem, self.rows.factored(tuple(parameters)), values)
                self._kept.clear()
                self._kept[key] = found
            return found

    def _solved(self, table: np.ndarray, values: Mapping[Any, Any] | None, problem: Problem | None) -> Solutions:
        blocks = list(self.rows.blocks) if problem is None else replaced(self.problem, self.rows.blocks, problem)
        given, count = with_values(blocks, values or {})
        if count > 1 and len(table) not in (1, count):
            raise ProblemError(f"There are {len(table)} sets of parameters but {count} right-hand sides in values.")
        table = np.broadcast_to(table, (max(count, len(table)), table.shape[1]))
        found = batch(self, blocks, given, table)

        make = One(self.problem, problem or self.problem, self.rows.basis, tuple(blocks), table, found, not values)
        return Solutions(self.rows.basis, found.coefficients, found.known.error, found.known.relative, make)
