"""Eigenvalues and their functions: the result of `tn.eigenpairs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.eigen.products import Products
from transnet.errors import ProblemError
from transnet.judge.expanded import expanded_solution
from transnet.lazy import Later
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs, complex_unknown
from transnet.problem.origin import Origin
from transnet.rows.averages import averaging_rule
from transnet.solution.derivatives import Gradient
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE, DIGITS

doors: Any = Later("transnet.gradient.eigenvalue")
NODES = {1: 400, 2: 6_000}
EIGENFUNCTION = "inverse iteration"
"""The solver of a function that belongs to an eigenvalue."""
MORE = 20_000
"""Nodes of the integral that makes the norm of an eigenfunction one, by dimension, and in more than two."""


@dataclass(frozen=True, eq=False)
class OfEigenvalue:
    """What an eigenvalue is a result of."""

    pairs: Eigenpairs
    number: int


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Eigenvalues, lowest first, with their errors and functions: `pairs.values`, `pairs.errors`, `pairs[0]`.

    Parameters
    ----------
    values : (k,) array
        The eigenvalues, real if all of them are, repeated by multiplicity.
    errors : (k,) array
        The estimated absolute error of each.
    messages : tuple
        What the user should know about them.
    carried : callable, optional
        Extends a function from its window to the unbounded domain.
    """

    problem: Problem
    lam: sp.Symbol
    parameters: dict[sp.Symbol, Any]
    values: np.ndarray
    errors: np.ndarray
    changes: np.ndarray
    spectrum: Any
    seconds: float
    messages: tuple[Any, ...] = ()
    origin: Origin | None = None
    carried: Callable[[Solution], Solution] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Solution]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Solution:
        """The function of an eigenvalue, of norm one in L2; for a double value two orthogonal functions."""
        if not -len(self) <= k < len(self):
            raise IndexError(f"There are {len(self)} eigenvalues, numbered from 0; there is no number {k}.")
        spectrum, value = self.spectrum, self.values[k]
        if (function := getattr(spectrum, "function", None)) is not None:
            return self._solution(k, _complex_problem(self.problem, self.lam, value), *function(k))
        coefficients = _turned(spectrum.coefficients[:, k])
        pairs = complex_pairs(self.problem)
        if not pairs and not np.iscomplexobj(coefficients) and not np.iscomplex(value):
            parameters = {p: float(value.real) if p == self.lam else v for p, v in self.parameters.items()}
            problem, found, real = self.problem, spectrum.basis, coefficients
        else:
            parameters = None
            problem = _complex_problem(self.problem, self.lam, value)
            found, real = _components(problem, self.problem, spectrum.basis, coefficients)
        basis, real = found.plain(real) if isinstance(found, Products) else (found, real)
        return self._solution(k, problem, basis, real, parameters)

    def _solution(self, k: int, problem: Problem, basis: Any, real: np.ndarray, parameters: Any = None) -> Solution:
        spectrum = self.spectrum
        if parameters is None:
            parameters = {p: v for p, v in self.parameters.items() if p != self.lam}
        solution = expanded_solution(
            problem, basis, real, parameters, solver=EIGENFUNCTION, error=float(self.changes[k]),
            residuals=spectrum.residuals(k), shape=(spectrum.rows, spectrum.basis.columns), blocks=spectrum.blocks,
            stated_rank=None, seconds={"solve": self.seconds}, messages=self.messages,
        )  # fmt: skip
        scaled = replace(solution, coefficients=real * _factor(solution), origin=self.origin)
        return scaled if self.carried is None else self.carried(scaled)

    def value(self, k: int = 0) -> Number:
        """A real eigenvalue as a number with its error, which `tn.minimise` and the like can differentiate."""
        if np.iscomplex(self.values[k]):
            raise ProblemError(f"The eigenvalue {self.values[k]:.6g} is complex: take one that is real.")
        return Number(float(np.real(self.values[k])), float(self.errors[k]), ((1.0, OfEigenvalue(self, int(k))),))

    def gradient(self, wrt: Any, number: int = 0) -> Gradient:
        """The derivatives of an eigenvalue by parameters of the equations, the conditions and the domain, by given
        functions and by the normal speed of parts of the boundary.

        Parameters
        ----------
        wrt : symbols, given functions, names of parts
            Such as `pairs.gradient(wrt=[k, r])[r]`, which has a value and an `error`.
        number : int
            Which eigenvalue; it must be simple.
        """
        found: Gradient = doors.eigenvalue_gradient(self, number, wrt)
        return found

    def report(self) -> str:
        """The eigenvalues, one per line, with their errors, and the network."""
        spectrum = self.spectrum
        lines = [
            f"{self.lam} of {', '.join(map(str, self.problem.unknowns))} on {self.problem.domain}",
            f"  features          {spectrum.basis.summary()}",
            f"  rows              {spectrum.rows}, columns {spectrum.basis.columns}",
            f"  {'':>4} {'eigenvalue':>32} {'error':>9} {'function':>9}",
        ]
        for k, (value, error, change) in enumerate(zip(self.values, self.errors, self.changes, strict=True)):
            text = f"{value:.15g}" if not np.iscomplexobj(self.values) else f"{value.real:.12g}{value.imag:+.12g}i"
            lines.append(f"  {k:>4} {text:>32} {error:9.1e} {change:9.1e}")
        lines.append(f"  seconds           {self.seconds:.3f}")
        return "\n".join([*lines, *(f"  warning: {m}" for m in self.messages)])

    def __repr__(self) -> str:
        worst = self.errors.max(initial=0.0)
        return f"Eigenpairs({', '.join(f'{v:.10g}' for v in self.values)}; errors up to {worst:.1e})"


def _turned(coefficients: np.ndarray) -> np.ndarray:
    """The same function with the phase for which it is real, if it has one: a search may find any multiple."""
    if not np.iscomplexobj(coefficients):
        return coefficients
    square = coefficients @ coefficients
    turned = coefficients / np.sqrt(square / abs(square)) if square else coefficients
    real = np.linalg.norm(turned.imag) <= BESIDE * np.linalg.norm(turned.real)
    return np.asarray(turned.real if real else coefficients)


def _factor(solution: Solution) -> float:
    """The factor that makes the norm of a solution one and its largest value positive."""
    domain = solution.problem.domain
    points, weights = averaging_rule(domain, NODES.get(domain.dimension, MORE), getattr(solution.basis, "foci", ()))
    zero = (0,) * points.shape[1]
    slots = [(k, zero) for k in range(len(solution.problem.unknowns))]
    values = np.array(solution.basis.derivatives(solution.coefficients, points, slots))
    square = float((values**2 @ weights).sum()) / float(weights.sum()) * float(domain.volume)
    largest = values.ravel()[np.argmax(np.abs(values))]
    return float(np.sign(largest) or 1.0) / np.sqrt(square)


def _complex_problem(problem: Problem, lam: sp.Symbol, value: complex) -> Problem:
    """The problem with a number for the eigenvalue, and with complex unknowns in place of real ones."""
    number = sp.Float(value.real, DIGITS) + sp.I * sp.Float(value.imag, DIGITS)
    replacement: dict[sp.Basic, sp.Basic] = {lam: number}
    if not complex_pairs(problem):
        replacement |= {u: complex_unknown(u.func.__name__, u.args) for u in problem.unknowns}

    def put(expression: Any) -> Any:
        if isinstance(expression, sp.Equality):
            return put(expression.lhs - expression.rhs)
        return sp.sympify(expression).subs(replacement).doit()

    return Problem(problem.domain, [put(e) for e in problem.equations], [c.of(put) for c in problem.conditions])


def _components(problem: Problem, stated: Problem, basis: Any, coefficients: np.ndarray) -> tuple[Any, np.ndarray]:
    """The basis and the coefficients of the real and imaginary parts, with the phase that makes the real part
    largest."""
    pairs = complex_pairs(problem)
    order = list(complex_pairs(stated)) or [u.func.__name__ for u in stated.unknowns]
    owners = [0] * len(problem.unknowns)
    for k, name in enumerate(order):
        for part in pairs[name]:
            owners[part] = k
    both = basis.of_unknowns(owners)
    turned = coefficients * np.exp(-0.5j * np.angle(np.sum(coefficients**2)))
    real = np.zeros(both.columns)
    for k, name in enumerate(order):
        mine = turned[basis.slice_of(k)]
        for part, values in zip(pairs[name], (mine.real, mine.imag), strict=True):
            real[both.slice_of(part)] = values
    return both, real
