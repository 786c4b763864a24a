"""`tn.prepare`: everything of a linear problem that does not depend on its right-hand sides, done once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.checks.places import refuse_too_few_rows
from transnet.doors.solve import solve
from transnet.doors.transnet import TransNet
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.linalg.least_squares import QR, Solver
from transnet.linalg.sparse import Lasso, Sparse
from transnet.prepared.prepared import Prepared
from transnet.prepared.rows import Rows
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import Points, collocate
from transnet.rows.statements import statements_of
from transnet.threads import on_one_thread

TYPICAL = (1.0, 1.37, 0.73, 2.1)
"""The value of a parameter for which none is given when the features are chosen; others where the first is a pole."""


@explained
@on_one_thread
def prepare(
    problem: Problem,
    *,
    neurons: int | None = None,
    space: FeatureSpace | Sequence[FeatureSpace] | None = None,
    points: Points | None = None,
    solver: Solver | None = None,
    parameters: Mapping[Any, Any] | None = None,
    tol: float | None = None,
    seed: int = 0,
) -> Prepared:
    """Factor a linear problem once, to solve it for many right-hand sides.

    Parameters
    ----------
    problem : Problem
        Its symbols that are not coordinates are parameters, given at each solve.
    neurons, space, points, solver, seed : optional
        As in `tn.solve`. With neither neurons nor space the network is that with which `tn.solve` reaches `tol`.
    parameters : mapping, optional
        Typical values of the parameters, for which the features are chosen; 1 for those left out.

    Returns
    -------
    Prepared
        `prepared.solve({k: 2})`, `prepared.solve_many([...])`.
    """
    begun = perf_counter()
    if not isinstance(problem, Problem):
        raise ProblemError(f"tn.prepare takes a tn.Problem, not {type(problem).__name__}.")
    if isinstance(solver, Sparse | Lasso):
        raise ProblemError(
            f"{type(solver).__name__} chooses the neurons by the right-hand side, so nothing of it can be prepared. "
            f"Use it with tn.solve, and prepare with the space of that solution: tn.prepare(problem, "
            f"space=solution.basis.spaces)."
        )
    statements = statements_of(problem)
    for statement in statements:
        if not statement.equation.linear:
            raise ProblemError(
                f"'{statement.equation.text}' is not linear in the unknowns, so its matrix depends on the solution and "
                f"cannot be prepared. Use tn.solve(problem)."
            )
    typical = _typical(problem, parameters)
    if neurons is None and space is None:
        found = solve(problem, tol=tol, points=points, solver=solver, parameters=typical, seed=seed).basis
        if not isinstance(found, Basis):
            raise ProblemError("What is solved in several networks cannot be prepared. Give neurons or a space.")
        space = found.spaces
    elif tol is not None:
        raise ProblemError("tol chooses the number of neurons; leave it out, or leave out neurons and space.")
    network = TransNet(neurons, space, points, solver or QR(), seed)
    basis = Basis(network.spaces_for(problem, typical)[0], Placement.of(problem.domain))
    blocks = collocate(problem, statements, basis.columns, points, seed, basis.foci)
    refuse_too_few_rows(blocks, basis)
    rows = Rows(tuple(blocks), basis, problem.coordinates, problem.parameters)
    prepared = Prepared(problem, rows, network.solver)
    prepared.watch([float(v) for v in typical.values()])
    object.__setattr__(prepared, "seconds", perf_counter() - begun)
    return prepared


def _typical(problem: Problem, parameters: Mapping[Any, Any] | None) -> dict[Any, Any]:
    known = {str(k): v for k, v in (parameters or {}).items()}
    candidates = [
        parameter_values(problem, {**{p.name: value for p in problem.parameters}, **known}) for value in TYPICAL
    ]
    return next((values for values in candidates if _finite(problem, values)), candidates[0])


def _finite(problem: Problem, values: Mapping[Any, Any]) -> bool:
    """Whether all coefficients and right-hand sides are finite for these values of the parameters."""
    rim = problem.domain.boundary(n=5)
    try:
        for statement in statements_of(problem):
            statement.equation.jacobian(rim.points, rim.normals, tuple(values.values()))
            statement.equation.residual(rim.points, rim.normals, tuple(values.values()))
    except ProblemError:
        return False
    return True
