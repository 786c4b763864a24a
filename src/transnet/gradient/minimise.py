"""`tn.minimise`: the best values of parameters, shapes included, by SciPy's optimisers with gradients of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained, shown
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import ProblemError, TransnetError
from transnet.gradient.doors import gradient_of
from transnet.lazy import optimize
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution

Result = Callable[[Solution], Any]
METHODS = ("L-BFGS-B", "SLSQP", "trust-constr")
TOL = 1e-8
"""The relative error of each solve: gradients then have six digits or more, which is what the optimisers can use."""
GRADUAL = 1e-10
"""Relative changes of the result below which SciPy's optimisers stop."""
WORSE = 1e3
"""What a shape that cannot be made counts, in units of the first result: the search turns back."""

FAIR = 10.0
"""Conditions count as satisfied when they are missed by this many times the error of a solve."""
KEPT = 20
"""Solutions that are kept, of which the best is chosen in the end."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """What was found.

    Parameters
    ----------
    parameters : dict
        The values of all parameters, by symbol.
    solution : Solution
        That for these values.
    value : Number
        The result there, with its error.
    path : tuple of (dict, float)
        The values that were tried and their results.
    status : str
        "converged", "interrupted", or why SciPy stopped.
    """

    parameters: dict[sp.Symbol, float]
    solution: Solution
    value: Number
    path: tuple[tuple[dict[sp.Symbol, float], float], ...]
    status: str

    def __repr__(self) -> str:
        values = ", ".join(f"{k} = {v:.8g}" for k, v in self.parameters.items())
        return f"Optimum {self.value!r} at {values} after {len(self.path)} solves: {self.status}"


@explained
def minimise(
    result: Result,
    problem: Problem,
    *,
    over: Sequence[Any],
    parameters: Mapping[Any, float],
    bounds: Mapping[Any, tuple[float | None, float | None]] | None = None,
    subject_to: Sequence[Any] = (),
    method: str | None = None,
    tol: float = TOL,
    steps: int = 100,
    progress: bool | Callable[[dict[sp.Symbol, float], float], None] = False,
) -> Optimum:
    """The values of parameters for which a result is smallest: `tn.minimise(lambda s: s.integral(u), problem, over=[r],
    parameters={r: 0.3})`.

    Parameters
    ----------
    result : callable
        From a solution to a result that `solution.gradient` can differentiate.
    over : sequence of symbols
        The parameters that are sought: those of equations, conditions and sizes of shapes.
    parameters : mapping
        The values of all parameters; the search begins there, so that one that was interrupted goes on from
        `best.parameters`.
    bounds : mapping, optional
        Ranges of parameters, `bounds={r: (0.1, 0.5)}`; None for no bound.
    subject_to : sequence, optional
        Equations and inequalities between parameters, such as `sympy.Eq(a * b, 1)`, and functions of the solution that
        must vanish, such as `lambda s: s.integral(1 + 0 * u) - 1` for an area of one.
    method : {"L-BFGS-B", "SLSQP", "trust-constr"}, optional
        SciPy's optimiser: by default SLSQP with conditions, and L-BFGS-B without.
    tol : float
        The relative error of each solve.
    steps : int
        The most iterations.
    progress : bool or callable
        True prints each solve; a callable gets the values and the result.
    """
    search = _Search(result, problem, list(over), parameters, bounds or {}, list(subject_to), tol, progress)
    chosen = method or ("SLSQP" if search.equal or search.more else "L-BFGS-B")
    if chosen not in METHODS or (chosen == "L-BFGS-B" and (search.equal or search.more)):
        raise ProblemError(f"{shown(method)} is not an optimiser for this: take one of {', '.join(METHODS[1:])}.")
    status = "interrupted"
    try:
        found = optimize.minimize(
            search.value, search.start, jac=search.slope, method=chosen, bounds=search.bounds,
            constraints=search.constraints(), options=_options(chosen, steps),
        )  # fmt: skip
        status = "converged" if found.success else str(found.message)
    except KeyboardInterrupt:
        if not search.kept:
            raise
    return search.best(status)


def _options(method: str, steps: int) -> dict[str, Any]:
    if method == "trust-constr":
        return {"maxiter": steps, "gtol": GRADUAL, "xtol": GRADUAL}
    return {"maxiter": steps, "ftol": GRADUAL} | ({"gtol": GRADUAL} if method == "L-BFGS-B" else {})


@dataclass(eq=False)
class _Search:
    """The result as a function of scaled values, each solved once."""

    result: Result
    problem: Problem
    over: list[Any]
    parameters: Mapping[Any, float]
    limits: Mapping[Any, tuple[float | None, float | None]]
    conditions: list[Any]
    tol: float
    progress: Any
    kept: dict[bytes, tuple[Solution | None, Any]] = field(default_factory=dict)
    path: list[tuple[dict[sp.Symbol, float], float]] = field(default_factory=list)
    good: list[tuple[float, float, dict[sp.Symbol, float], Solution, Number]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise ProblemError(f"tn.minimise takes a tn.Problem, not {shown(self.problem)}.")
        self.values = parameter_values(self.problem, self.parameters)
        by_name = {p.name: p for p in self.values}
        unknown = [str(p) for p in (*self.over, *self.limits) if str(p) not in by_name]
        if unknown or not self.over:
            raise ProblemError(
                f"over= names parameters of the problem: {', '.join(by_name)}; not {', '.join(unknown)}."
            )
        self.symbols = [by_name[str(p)] for p in self.over]
        self.scale = np.array([abs(float(self.values[p])) or 1.0 for p in self.symbols])
        self.start = np.array([float(self.values[p]) for p in self.symbols]) / self.scale
        limits = {str(p): ends for p, ends in self.limits.items()}
        pairs = [limits.get(p.name, (None, None)) for p in self.symbols]
        self.bounds = [
            tuple(None if e is None else float(e) / size for e in ends)
            for ends, size in zip(pairs, self.scale, strict=True)
        ]
        relations = [c for c in self.conditions if isinstance(c, sp.core.relational.Relational)]
        functions = [c for c in self.conditions if callable(c) and not isinstance(c, sp.Basic)]
        if len(relations) + len(functions) < len(self.conditions):
            raise ProblemError(
                "subject_to has equations and inequalities of SymPy between parameters, such as sympy.Eq(a * b, 1), "
                "and functions of the solution that must vanish."
            )
        self.equal: list[Any] = [c.lhs - c.rhs for c in relations if isinstance(c, sp.Equality)] + functions
        self.more: list[Any] = [c.gts - c.lts for c in relations if not isinstance(c, sp.Equality)]

    # -- what SciPy calls ----------------------------------------------------------------------------------------------
    def value(self, x: np.ndarray) -> float:
        number = self._at(x)[1]
        return float(number) / self.unit if number is not None else WORSE

    def slope(self, x: np.ndarray) -> np.ndarray:
        return self._slope(self._at(x), None) / self.unit

    def constraints(self) -> list[dict[str, Any]]:
        both = [("eq", c) for c in self.equal] + [("ineq", c) for c in self.more]
        return [
            {"type": kind, "fun": lambda x, c=c: self._condition(x, c), "jac": lambda x, c=c: self._by_x(x, c)}
            for kind, c in both
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

    def _named(self, x: np.ndarray) -> dict[sp.Symbol, float]:
        return {**self.values, **dict(zip(self.symbols, (x * self.scale).tolist(), strict=True))}

    def _at(self, x: np.ndarray) -> tuple[Solution | None, Any]:
        key = np.asarray(x, float).tobytes()
        if key in self.kept:
            return self.kept[key]
        values = self._named(x)
        try:
            solution = carried_out(Plan(self.problem, tol=self.tol, parameters=values))
        except TransnetError:
            if not self.path:
                raise
            self.kept[key] = (None, None)
            return self.kept[key]
        number = self.result(solution)
        if not isinstance(number, Number) or not number.of:
            raise ProblemError(
                f"{shown(number)} does not know what it is a result of. The function that is minimised returns a "
                f"result of the solution, such as s.integral(u), or sums, products and powers of these."
            )
        self.kept = {key: (solution, number)}  # the last is asked for several times
        self.path.append((values, float(number)))
        off = [abs(self._condition(x, c)) for c in self.equal]
        off += [max(-self._condition(x, c), 0.0) for c in self.more]
        here = (max(off, default=0.0), float(number), values, solution, number)
        self.good = sorted([*self.good, here], key=lambda g: g[:2])[:KEPT]
        if callable(self.progress):
            self.progress(values, float(number))
        elif self.progress:
            print(
                f"{len(self.path):4d}  {float(number):.10g}  "
                + ", ".join(f"{p} = {values[p]:.6g}" for p in self.symbols)
            )
        return self.kept[key]

    def _slope(self, at: tuple[Solution | None, Any], of: Result | None) -> np.ndarray:
        solution, number = at
        if solution is None:
            return np.zeros(len(self.symbols))
        gradient = gradient_of(solution, number if of is None else of(solution), self.symbols)
        return np.array([float(gradient[p]) for p in self.symbols]) * self.scale

    def _condition(self, x: np.ndarray, condition: Any) -> float:
        if isinstance(condition, sp.Basic):
            return float(condition.subs(self._named(x)))
        solution = self._at(x)[0]
        return 0.0 if solution is None else float(condition(solution))

    def _by_x(self, x: np.ndarray, condition: Any) -> np.ndarray:
        if isinstance(condition, sp.Basic):
            named = self._named(x)
            return np.array([float(sp.diff(condition, p).subs(named)) for p in self.symbols]) * self.scale
        return self._slope(self._at(x), condition)
