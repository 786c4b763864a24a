"""A domain that is cut because the user or the domain says so: what may be stated on pieces, and the solve."""

from __future__ import annotations

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.doors.plan import Plan
from transnet.engines.distributed import Distributed
from transnet.engines.engine import engine_of
from transnet.errors import ProblemError
from transnet.geometry import Slit
from transnet.pieces.plan import cut_of
from transnet.pieces.solve import solve_pieces
from transnet.problem import At, Data, Mean, On
from transnet.problem.elsewhere import Over
from transnet.solution.solution import Solution

IN_PIECES = (On, At, Data, Mean)
"""The conditions that are written in pieces."""


def in_pieces(plan: Plan) -> Solution:
    """A small network on each piece of the domain, glued at their faces."""
    refuse_in_pieces(plan)
    cut = cut_of(plan.pieces, plan.problem.domain)
    with plan.shown() as shown:
        return solve_pieces(plan.problem, cut, plan.effort, plan.values, shown, cluster=cluster_of(plan))


def cluster_of(plan: Plan) -> Distributed | None:
    """The cluster on whose workers cells are reduced; another engine is refused."""
    engine = engine_of(plan.engine)
    if engine is None or isinstance(engine, Distributed):
        return engine
    raise ProblemError(
        f"{engine!r} factors the rows of one network, and this problem is solved in pieces, whose rows are few. Leave "
        f"engine out, or give a dask.distributed.Client: the pieces are then reduced by its workers."
    )


def refuse_in_pieces(plan: Plan) -> None:
    """Raise if something was said or stated that there is not in pieces."""
    for name in ("neurons", "space", "points", "solver"):
        if getattr(plan, name) is not None:
            raise ProblemError(
                f"'{name}' is about one network, and this problem is solved in pieces, each with one of its own.",
                {"cut": True},
            )
    cluster_of(plan)
    if isinstance(plan.problem.domain, Slit):
        raise ProblemError(
            "A domain with a slit is not cut into pieces: cells do not know of its sides. Leave out pieces=."
        )
    own = set(plan.problem.unknowns)
    elsewhere = any(e.has(Over, sp.Integral) or e.atoms(AppliedUndef) - own for e in plan.problem._expressions())
    if elsewhere or any(len(u.args) < len(plan.problem.coordinates) for u in own):
        raise ProblemError(
            "A problem in pieces may not have integrals, values at other places, or unknowns of fewer coordinates. "
            "Leave out pieces=, and write coefficients that differ from place to place as formulas."
        )
    strange = [c for c in plan.problem.conditions if type(c) not in IN_PIECES]
    if strange:
        raise ProblemError(
            f"A problem in pieces has no conditions of the kind tn.{type(strange[0]).__name__.lower()}. Leave out "
            f"pieces=, or state what holds on both sides with tn.on."
        )
