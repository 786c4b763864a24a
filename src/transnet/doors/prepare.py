"""`tn.prepare`: everything of a linear problem that does not depend on its right-hand sides, done once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.checks.places import refuse_too_few_rows
from transnet.choose.grow import grow
from transnet.choose.spaces import spaces_for
from transnet.doors.network import Spaces, features_for
from transnet.doors.plan import Plan
from transnet.errors import ProblemError, warn
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.linalg.least_squares import Solver
from transnet.linalg.sparse import Lasso, Sparse
from transnet.prepared.prepared import Prepared
from transnet.prepared.rows import Rows
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

TYPICAL = (1.0, 1.37, 0.73, 2.1)
"""The value of a parameter for which none is given when the features are chosen; others where the first is a pole."""


@explained
@on_one_thread
def prepare(
    problem: Problem,
    *,
    tol: float | None = None,
    neurons: int | None = None,
    space: FeatureSpace | Sequence[FeatureSpace] | None = None,
    points: Points | None = None,
    solver: Solver | None = None,
    parameters: Mapping[Any, Any] | None = None,
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
    plan = Plan(problem, tol, neurons, space, points, solver, typical, seed=seed)
    if plan.spaces is not None:
        prepared = _with(plan, plan.spaces)
    elif plan.neurons is not None:
        prepared = _with(plan, spaces_for(plan.problem, features_for(plan, plan.neurons)[0].space(plan.neurons, seed)))
    else:
        prepared = _growing(plan)
    object.__setattr__(prepared, "seconds", perf_counter() - begun)
    return prepared


def _with(plan: Plan, spaces: Spaces) -> Prepared:
    """Rows for given features, factored for the typical values of the parameters."""
    problem = plan.problem
    basis = Basis(spaces, Placement.of(problem.domain))
    blocks = collocate(problem, statements_of(problem), basis.columns, plan.points, plan.seed, basis.foci)
    refuse_too_few_rows(blocks, basis)
    rows = Rows(tuple(blocks), basis, problem.coordinates, problem.parameters)
    prepared = Prepared(problem, rows, plan.triangle_solver)
    prepared.operator([float(v) for v in plan.values.values()])
    return prepared


def _growing(plan: Plan) -> Prepared:
    """The network with which the tolerance is reached for the typical values; its factorisation is what is kept."""
    choice, _ = features_for(plan)
    kept: list[Prepared] = []

    def solve_at(space: FeatureSpace, previous: Solution | None) -> Solution:
        made = _with(plan, spaces_for(plan.problem, space))
        kept[:] = [*kept[-1:], made]  # the best is one of the last two nearly always, and each is as large as its rows
        return made.unwarned(plan.values)

    best = grow(choice, len(plan.problem.unknowns), solve_at, plan.effort, plan.seed)
    warn(best.diagnostics.messages)
    basis = best.basis
    assert isinstance(basis, Basis)  # solve_at makes no other
    return next((p for p in kept if p.rows.basis is basis), None) or _with(plan, basis.spaces)


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
