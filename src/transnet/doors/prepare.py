"""`tn.prepare`: everything about a linear problem that does not depend on its right-hand sides, done once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.checks.places import refuse_too_few_rows
from transnet.choose.spaces import spaces_for
from transnet.cuts.piecewise import in_pieces_of_lines
from transnet.cuts.plan import Cut
from transnet.drive.driver import drive
from transnet.drive.facts import Facts
from transnet.drive.method import Level
from transnet.drive.plan import Plan
from transnet.errors import ProblemError, warn
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.linalg.least_squares import Solver
from transnet.linalg.sparse import Lasso, Sparse
from transnet.method.cells import PlaneCells
from transnet.method.network import Network, grown_networks
from transnet.method.one_size import Spaces, features_for
from transnet.method.pieces import InCells, refuse_in_pieces
from transnet.pieces.laws import Laws
from transnet.pieces.prepared import InParts, PieceParts
from transnet.pieces.solve import Found
from transnet.prepared.prepared import OneNetwork, Prepared
from transnet.prepared.rows import Rows
from transnet.problem import Problem, refuse_unbounded, refuse_unsettled
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import Statement, statements_of
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

if TYPE_CHECKING:
    from transnet.cells.solve import CellFound

TYPICAL = (1.0, 1.37, 0.73, 2.1)
"""The default value of a parameter when the features are chosen; the others are used where the first is a pole."""
FEW = 5
"""Points of the boundary at which coefficients are checked to be finite."""


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
    pieces: int | Cut | bool | None = None,
) -> Prepared:
    """Factor a linear problem once, to solve it for many right-hand sides.

    Parameters
    ----------
    problem : Problem
        Its symbols that are not coordinates are parameters, given at each solve.
    neurons, space, points, solver, seed : optional
        As in `tn.solve`. With neither neurons nor space, the network or the cells that reach `tol` are kept.
    parameters : mapping, optional
        Typical values of the parameters, for which the features are chosen; 1 for those left out.
    pieces : int or Cut, optional
        As in `tn.solve`; `pieces=False` keeps one network. Cells and pieces are those of the typical values; each
        solution has its own error estimate.

    Returns
    -------
    Prepared
        `prepared.solve({k: 2})`, `prepared.solve_many([...])`.
    """
    begun, arguments = perf_counter(), {**locals()}
    if not isinstance(problem, Problem):
        raise ProblemError(f"tn.prepare takes a tn.Problem, not {type(problem).__name__}.")
    refuse_unbounded(problem.domain, "tn.prepare")
    refuse_unsettled(problem, "tn.prepare")
    if isinstance(solver, Sparse | Lasso):
        raise ProblemError(
            f"{type(solver).__name__} chooses the neurons by the right-hand side, so nothing can be prepared. "
            f"Use it with tn.solve, and prepare with the space of that solution: tn.prepare(problem, "
            f"space=solution.basis.spaces)."
        )
    problem = in_pieces_of_lines(problem) or problem
    cut = isinstance(problem.domain, Pieces) or (pieces is not None and pieces is not False)
    statements = [s for of in Laws(problem).statements for s in of] if cut else statements_of(problem)
    for statement in statements:
        if not statement.equation.linear:
            raise ProblemError(
                f"'{statement.equation.text}' is not linear in the unknowns, so its matrix depends on the solution and "
                f"cannot be prepared. Use tn.solve(problem)."
            )
    typical = _typical(problem, statements, parameters)
    plan = Plan(problem, tol, neurons, space, points, solver, typical, seed=seed, pieces=pieces)
    prepared: Prepared
    if cut:
        refuse_in_pieces(plan)
        prepared = _growing(plan)
    elif plan.spaces is not None:
        prepared = _with(plan, plan.spaces)
    elif plan.neurons is not None:
        prepared = _with(plan, spaces_for(plan.problem, features_for(plan, plan.neurons)[0].space(plan.neurons, seed)))
    else:
        prepared = _growing(plan)
    object.__setattr__(prepared, "arguments", arguments)
    object.__setattr__(prepared, "seconds", perf_counter() - begun)
    return prepared


def _with(plan: Plan, spaces: Spaces) -> OneNetwork:
    """Rows for given features, factored for the typical values of the parameters."""
    problem = plan.problem
    basis = Basis(spaces, Placement.of(problem.domain))
    blocks = collocate(problem, statements_of(problem), basis.columns, plan.points, plan.seed, basis.foci)
    refuse_too_few_rows(blocks, basis)
    rows = Rows(tuple(blocks), basis, problem.parameters)
    prepared = OneNetwork(problem, rows, plan.triangle_solver)
    prepared.operator([float(v) for v in plan.values.values()])
    return prepared


@dataclass(frozen=True)
class KeptNetwork(Network):
    """Networks whose factorisations are kept; nearly always the best is one of the last two."""

    kept: list[OneNetwork] = field(default_factory=list)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        def solve_at(space: FeatureSpace, previous: Solution | None) -> Solution:
            made = _with(plan, spaces_for(plan.problem, space))
            self.kept[:] = [*self.kept[-1:], made]
            return made.unwarned(plan.values)

        yield from grown_networks(plan, solve_at)


@dataclass(frozen=True)
class KeptPlaneCells(PlaneCells):
    """Cells of the plane, of which the last are kept."""

    kept: list[tuple[Solution, CellFound]] = field(default_factory=list)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        for level in super().levels(facts, plan):
            self.kept[:] = [*self.kept[-1:], (level.found, level.source)]  # type: ignore[attr-defined]
            yield level


@dataclass(frozen=True)
class KeptPieces(InCells):
    """Pieces, of which the last are kept."""

    whole: bool = False
    kept: list[Found] = field(default_factory=list)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        for level in super().levels(facts, plan):
            self.kept[:] = [*self.kept[-1:], level.source]  # type: ignore[attr-defined]
            yield level


def _growing(plan: Plan) -> Prepared:
    """What reaches the tolerance for the typical values: a network, whose factorisation is kept, cells or pieces."""
    networks, cells, pieces = KeptNetwork(), KeptPlaneCells(), KeptPieces()
    best = drive(plan, (networks, cells, pieces))
    warn(best.diagnostics.messages)
    in_cells = next((found for made, found in cells.kept if made.basis is best.basis), None)
    if in_cells is not None:
        from transnet.cells.prepared import CellParts

        parts = CellParts.of(best.problem, tuple(plan.values.values()), in_cells, plan.effort.goal)
        return InParts.of(parts, plan.tol, plan.values)
    found = next((f for f in pieces.kept if f.level.basis is best.basis), None)
    if found is not None:
        level = found.level
        pieces_of = PieceParts(found.laws, level.cells, (level.space, found.smaller))
        return InParts.of(pieces_of, found.tol, found.values)
    basis = best.basis
    assert isinstance(basis, Basis)
    return next((p for p in networks.kept if p.rows.basis is basis), None) or _with(plan, basis.spaces)


def _typical(problem: Problem, statements: Sequence[Statement], parameters: Mapping[Any, Any] | None) -> dict[Any, Any]:
    known = {str(k): v for k, v in (parameters or {}).items()}
    candidates = [
        parameter_values(problem, {**{p.name: value for p in problem.parameters}, **known}) for value in TYPICAL
    ]
    return next((values for values in candidates if _finite(problem, statements, values)), candidates[0])


def _finite(problem: Problem, statements: Sequence[Statement], values: Mapping[Any, Any]) -> bool:
    """Whether all coefficients and right-hand sides are finite for these values of the parameters."""
    rim = problem.domain.boundary(n=FEW)
    try:
        for statement in statements:
            statement.equation.jacobian(rim.points, rim.normals, tuple(values.values()))
            statement.equation.residual(rim.points, rim.normals, tuple(values.values()))
    except ProblemError:
        return False
    return True
