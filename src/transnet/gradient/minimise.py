"""`tn.minimise`: the best values of parameters, shapes included, by SciPy's optimisers with gradients of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.gradient.response import TOL, Response, Result
from transnet.gradient.search import NoFurtherChange, Optimum, OptimumSearch
from transnet.lazy import optimize
from transnet.problem import Problem

METHODS = ("L-BFGS-B", "SLSQP", "trust-constr")
GRADUAL, LOOSELY = 0.1, 1e-7
"""Relative changes of the result below which SciPy's optimisers stop: in units of the error of a solve, and with the
loose solves of the beginning. With 1e-10 instead SLSQP took a hundred more solves of a bar to move nothing."""


@explained
def minimise(
    result: Result,
    problem: Problem,
    *,
    over: Sequence[Any],
    parameters: Mapping[Any, float],
    bounds: Mapping[Any, tuple[float | None, float | None]] | None = None,
    subject_to: Sequence[Any] = (),
    lam: sp.Symbol | None = None,
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
        Equations and inequalities between parameters, such as `sympy.Eq(a * b, 1)`; functions of the solution that must
        vanish, such as `lambda s: s.integral(1 + 0 * u) - 1` for an area of one; and functions with limits,
        `(lambda s: s.flux("rim"), 0.2, None)`, of which None is no limit.
    lam : sympy.Symbol, optional
        The eigenvalue of an eigenvalue problem: the functions then get its pairs, `lambda p: p.value(0)`.
    method : {"L-BFGS-B", "SLSQP", "trust-constr"}, optional
        SciPy's optimiser: by default SLSQP with conditions, and L-BFGS-B without.
    tol : float
        The relative error of the solves close to the optimum; the first ones are asked for less.
    steps : int
        The most iterations.
    progress : bool or callable
        True prints each solve; a callable gets the values and the result.
    """
    search = OptimumSearch(
        Response.of(problem, result, lam), list(over), parameters, bounds or {}, list(subject_to), tol, progress
    )
    chosen = method or ("SLSQP" if search.conditions else "L-BFGS-B")
    if chosen not in METHODS or (chosen == "L-BFGS-B" and search.conditions):
        raise ProblemError(f"{shown(method)} is not an optimiser for this: take one of {', '.join(METHODS[1:])}.")
    status, start = "interrupted", search.start
    try:
        while True:
            found = optimize.minimize(
                search.value, start, jac=search.slope, method=chosen, bounds=search.bounds,
                constraints=search.constraints(),
                options=_options(chosen, steps, GRADUAL * tol if search.strict else LOOSELY),
            )  # fmt: skip
            status = "converged" if found.success else str(found.message)
            if search.strict:
                break
            search.strict, start = True, np.asarray(found.x)  # what was found with loose solves is gone on with
    except NoFurtherChange:
        status = "converged"
    except KeyboardInterrupt:
        if not search.good:
            raise
    return search.best(status)


def _options(method: str, steps: int, gradual: float) -> dict[str, Any]:
    if method == "trust-constr":
        return {"maxiter": steps, "gtol": gradual, "xtol": gradual}
    return {"maxiter": steps, "ftol": gradual} | ({"gtol": gradual} if method == "L-BFGS-B" else {})
