"""Results of a problem as functions of its parameters: solved, evaluated, differentiated. What is minimised, spread,
swept and handed to torch and JAX is one of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.doors.eigen import EigenPlan, found_pairs
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.eigen.pairs import Eigenpairs
from transnet.errors import ProblemError
from transnet.gradient.doors import gradient_of
from transnet.gradient.eigenvalue import eigenvalues_gradient
from transnet.prepared.prepared import Prepared
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution

Found = Solution | Eigenpairs
"""What a solve gives: for an eigenvalue problem its pairs."""
Result = Callable[[Any], Any]
"""From what was found to a number that knows what it is a result of."""
TOL = 1e-8
"""The relative error of each solve: gradients then have six digits or more, which is what the optimisers can use."""


@dataclass(frozen=True, eq=False)
class Response:
    """Results as functions of parameters.

    Parameters
    ----------
    stated : Problem or Prepared
        What is solved; the factorisation of one that is prepared is kept.
    results : tuple of callables
        From a solution, or from eigenpairs, to results.
    lam : Symbol, optional
        The eigenvalue, if the problem is one for eigenvalues.
    """

    stated: Problem | Prepared
    results: tuple[Result, ...]
    lam: sp.Symbol | None = None

    @classmethod
    def of(cls, stated: Any, results: Any, lam: sp.Symbol | None = None) -> Response:
        """The response, checked."""
        if not isinstance(stated, Problem | Prepared):
            raise ProblemError(f"A tn.Problem is needed, or one that tn.prepare made, not {shown(stated)}.")
        several = tuple(results) if isinstance(results, Sequence) else (results,)
        if not several or not all(callable(r) for r in several):
            raise ProblemError(
                f"A result is a function of the solution, such as lambda s: s.integral(u), not {shown(results)}."
            )
        return cls(stated, several, lam)

    @property
    def problem(self) -> Problem:
        """What is solved."""
        return self.stated.problem if isinstance(self.stated, Prepared) else self.stated

    def values(self, parameters: Mapping[Any, Any]) -> dict[sp.Symbol, Any]:
        """The values of all parameters by symbol; an error names those that are missing."""
        given = {str(k): v for k, v in parameters.items()}
        lam = {} if self.lam is None else {self.lam.name: 0.0}
        found = parameter_values(self.problem, {**given, **lam})
        return {p: v for p, v in found.items() if p != self.lam}

    def solved(self, values: Mapping[sp.Symbol, Any], tol: float = TOL) -> Found:
        """The solution for values of all parameters, without warnings."""
        if isinstance(self.stated, Prepared):
            return self.stated.unwarned(values)
        if self.lam is not None:
            return found_pairs(EigenPlan(self.stated, self.lam, count=2, tol=tol, parameters=values))
        return carried_out(Plan(self.stated, tol=tol, parameters=values))

    def numbers(self, found: Found) -> list[Number]:
        """The results of what was found."""
        made = [result(found) for result in self.results]
        for number in made:
            refuse_plain(number)
        return made

    def slopes(self, found: Found, number: Number, over: Sequence[sp.Symbol]) -> np.ndarray:
        """The derivatives of a result."""
        if isinstance(found, Solution):
            gradient = gradient_of(found, number, over)
            return np.array([float(gradient[p]) for p in over])
        gradient = eigenvalues_gradient(number, over)
        return np.array([float(gradient[p]) for p in over])


def refuse_plain(number: Any) -> None:
    """Raise for a result that cannot be differentiated."""
    if not isinstance(number, Number) or not number.of:
        raise ProblemError(
            f"{shown(number)} does not know what it is a result of. The function returns a result of the solution, "
            f"such as s.integral(u), or of eigenpairs, p.value(0), or sums, products and powers of these."
        )
