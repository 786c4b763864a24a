"""The search of `tn.minimise`: a result as a function of scaled values, what must hold, and the best so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError, TransnetError
from transnet.gradient.response import Found, Response, Result
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution

LOOSEST, FOLLOWS = 1e-5, 1e-3
"""The relative error of the first solve, and that of later ones in units of the last relative change of the result:
far from the optimum three digits of a change are enough."""
WORSE = 1e3
"""What a shape that cannot be made counts, in units of the first result: the search turns back."""
FAIR = 10.0
"""Conditions count as satisfied when they are missed by this many times the error of a solve."""
IDLE = 8
"""So many results in a row that are the same within what is looked for end the search: SciPy's line searches go on
among them, a hundred solves of a bar."""
KEPT = 20
"""Solutions that are kept, of which the best is chosen in the end."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The result of `tn.minimise`.

    Parameters
    ----------
    parameters : dict
        The values of all parameters, by symbol.
    solution : Solution
        The solution for these values, or the pairs of an eigenvalue problem.
    value : Number
        The result there, with its error.
    path : tuple of (dict, float)
        The values that were tried and their results.
    status : str
        "converged", "interrupted", or why SciPy stopped.
    """

    parameters: dict[sp.Symbol, float]
    solution: Any
    value: Number
    path: tuple[tuple[dict[sp.Symbol, float], float], ...]
    status: str

    def __repr__(self) -> str:
        values = ", ".join(f"{k} = {v:.8g}" for k, v in self.parameters.items())
        return f"Optimum {self.value!r} at {values} after {len(self.path)} solves: {self.status}"


class NoFurtherChange(Exception):
    """The results have stopped changing."""


@dataclass(frozen=True, eq=False)
class Requirement:
    """What must hold: a formula of the parameters or a function of the solution, zero or at least zero."""

    equal: bool
    formula: sp.Expr | None = None
    function: Result | None = None


def _conditions_of(stated: Sequence[Any]) -> list[Requirement]:
    found = []
    for c in stated:
        if isinstance(c, sp.core.relational.Relational):
            equal = isinstance(c, sp.Equality)
            found.append(Requirement(equal, formula=c.lhs - c.rhs if equal else c.gts - c.lts))
        elif callable(c) and not isinstance(c, sp.Basic):
            found.append(Requirement(True, function=c))
        elif isinstance(c, tuple) and len(c) == 3 and callable(c[0]):
            f, low, high = c
            if low is not None:
                found.append(Requirement(low == high, function=_above(f, low)))
            if high is not None and low != high:
                found.append(Requirement(False, function=_below(f, high)))
        else:
            raise ProblemError(
                "subject_to has equations and inequalities of SymPy between parameters, such as sympy.Eq(a * b, 1), "
                "functions of the solution that must vanish, and functions with limits, (function, low, high)."
            )
    return found


def _above(f: Result, low: float) -> Result:
    return lambda solution: f(solution) - low


def _below(f: Result, high: float) -> Result:
    return lambda solution: high - f(solution)


@dataclass(eq=False)
class OptimumSearch:
    """The result as a function of scaled values, each solved once."""

    response: Response
    over: list[Any]
    parameters: Mapping[Any, float]
    limits: Mapping[Any, tuple[float | None, float | None]]
    stated: list[Any]
    tol: float
    progress: Any
    strict: bool = False
    kept: dict[bytes, tuple[Found | None, Any]] = field(default_factory=dict)
    path: list[tuple[dict[sp.Symbol, float], float]] = field(default_factory=list)
    good: list[tuple[float, float, dict[sp.Symbol, float], Found, Number]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = self.response.values(self.parameters)
        by_name = {p.name: p for p in self.values}
        unknown = [str(p) for p in (*self.over, *self.limits) if str(p) not in by_name]
        if unknown or not self.over:
            raise ProblemError(
                f"over= names parameters of the problem: {', '.join(by_name)}; not {', '.join(unknown)}."
            )
        self.symbols = [by_name[str(p)] for p in self.over]
        limits = {str(p): ends for p, ends in self.limits.items()}
        pairs = [limits.get(p.name, (None, None)) for p in self.symbols]
        first = [float(self.values[p]) for p in self.symbols]
        self.scale = np.array([abs(v) or _width(ends) for v, ends in zip(first, pairs, strict=True)])
        self.start = np.array(first) / self.scale
        self.bounds = [
            tuple(None if e is None else float(e) / size for e in ends)
            for ends, size in zip(pairs, self.scale, strict=True)
        ]
        self.conditions = _conditions_of(self.stated)
        self.strict = self.tol >= LOOSEST

    # -- what SciPy calls ----------------------------------------------------------------------------------------------
    def value(self, x: np.ndarray) -> float:
        number = self._at(x)[1]
        return float(number) / self.unit if number is not None else WORSE

    def slope(self, x: np.ndarray) -> np.ndarray:
        found, number = self._at(x)
        return self._slope(found, number) / self.unit

    def constraints(self) -> list[dict[str, Any]]:
        return [
            {
                "type": "eq" if c.equal else "ineq",
                "fun": lambda x, c=c: self._missed(x, c),
                "jac": lambda x, c=c: self._by_x(x, c),
            }
            for c in self.conditions
        ]

    def best(self, status: str) -> Optimum:
        """The best of those that satisfy the conditions best."""
        if not self.good:
            raise ProblemError("The problem could not be solved for any of the values that were tried.")
        least = min(g[0] for g in self.good)
        fair = [g for g in self.good if g[0] <= max(2 * least, FAIR * self.tol)]
        _, _, values, solution, number = min(fair, key=lambda g: g[1])
        return Optimum(values, solution, number, tuple(self.path), status)

    # -- how -----------------------------------------------------------------------------------------------------------
    @property
    def unit(self) -> float:
        """The size of the first result: optimisers expect sizes of one."""
        return abs(self.path[0][1]) or 1.0 if self.path else 1.0

    @property
    def asked(self) -> float:
        """The relative error that the next solve is asked for: it follows the progress."""
        if self.strict:
            return self.tol
        if len(self.path) < 2:
            return LOOSEST
        change = abs(self.path[-1][1] - self.path[-2][1]) / self.unit
        return float(np.clip(FOLLOWS * change, self.tol, LOOSEST))

    def _named(self, x: np.ndarray) -> dict[sp.Symbol, float]:
        return {**self.values, **dict(zip(self.symbols, (x * self.scale).tolist(), strict=True))}

    def _at(self, x: np.ndarray) -> tuple[Found | None, Any]:
        key = np.asarray(x, float).tobytes()
        if key in self.kept and (not self.strict or _reached(self.kept[key][0], self.tol)):
            return self.kept[key]
        values = self._named(x)
        try:
            found = self.response.solved(values, self.asked)
        except TransnetError:
            if not self.path:
                raise
            self.kept[key] = (None, None)
            return self.kept[key]
        (number,) = self.response.numbers(found)
        self.kept = {key: (found, number)}  # the last is asked for several times
        self.path.append((values, float(number)))
        missed = [(self._missed(x, c), c.equal) for c in self.conditions]
        off = max((abs(m) if equal else max(-m, 0.0) for m, equal in missed), default=0.0)
        self.good = sorted([*self.good, (off, float(number), values, found, number)], key=lambda g: g[:2])[:KEPT]
        if callable(self.progress):
            self.progress(values, float(number))
        elif self.progress:
            print(
                f"{len(self.path):4d}  {float(number):.10g}  "
                + ", ".join(f"{p} = {values[p]:.6g}" for p in self.symbols)
            )
        last = [result for _, result in self.path[-IDLE:]]
        if len(last) == IDLE and off <= FAIR * self.tol and np.ptp(last) <= self.tol * self.unit:
            raise NoFurtherChange
        return self.kept[key]

    def _slope(self, found: Found | None, number: Any) -> np.ndarray:
        if found is None:
            return np.zeros(len(self.symbols))
        return self.response.slopes(found, number, self.symbols) * self.scale

    def _missed(self, x: np.ndarray, condition: Requirement) -> float:
        if condition.function is None:
            return float(condition.formula.subs(self._named(x)))  # type: ignore[union-attr]
        found = self._at(x)[0]
        return 0.0 if found is None else float(condition.function(found))

    def _by_x(self, x: np.ndarray, condition: Requirement) -> np.ndarray:
        if condition.function is None:
            named = self._named(x)
            return np.array([float(sp.diff(condition.formula, p).subs(named)) for p in self.symbols]) * self.scale
        found = self._at(x)[0]
        return self._slope(found, None if found is None else condition.function(found))


def _width(ends: tuple[float | None, float | None]) -> float:
    """The size of a parameter that starts at zero: the width of its bounds."""
    low, high = ends
    return (high - low) / 2 if low is not None and high is not None and high > low else 1.0


def _reached(found: Found | None, tol: float) -> bool:
    return isinstance(found, Solution) and found.error <= tol
