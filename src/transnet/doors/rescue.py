"""What remains of an interrupted solve: the best network so far, or a small one that is quickly solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from transnet.choose.spaces import spaces_for
from transnet.drive.plan import Plan
from transnet.errors import ClusterError, EstimateWarning, Message, TransnetError
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.interrupts import heard, terminable
from transnet.method.one_size import solve_with
from transnet.problem import refuse_unsettled
from transnet.solution.solution import Solution

SMALL = {1: 30, 2: 80, 3: 120, 4: 120}
"""Neurons of the network that is solved if nothing had been found, by dimension: a few hundredths of a second."""
NOTHING = "The solve was interrupted before it had found anything, so there is no solution to return."
FEW = 3
"""The most steps of its iteration, for a nonlinear problem."""


def rescued(carry_out: Callable[[Plan], Solution]) -> Callable[[Plan], Solution]:
    """Wrap the execution of plans so that Ctrl-C and SIGTERM leave a solution with the status "interrupted".

    Pressed twice, or if no network can be solved quickly, the interruption is passed on.
    """

    @wraps(carry_out)
    def call(plan: Plan) -> Solution:
        found: list[Solution] = []

        def watch(solution: Solution) -> None:
            found.append(solution)
            if plan.watch is not None:
                plan.watch(solution)

        with terminable(), heard() as pressed:
            try:
                return _undisguised(carry_out, replace(plan, watch=watch), pressed)
            except ClusterError as lost:
                if not found:
                    raise
                best = min(found, key=lambda s: s.error)
                known = f"{best.size}, estimated relative error {best.error:.1e}"
                told = ClusterError(f"{lost} What had been found so far is the `solution` of this error ({known}).")
                told.solution = best
                raise told from lost
            except KeyboardInterrupt as stop:
                left = min(found, key=lambda s: s.error, default=None) or first_aid(plan)
                if left is None:
                    raise type(stop)(NOTHING) from None
                messages = (*left.diagnostics.messages, *_coarse(left))
                return replace(left, diagnostics=replace(left.diagnostics, status="interrupted", messages=messages))

    return call


def _undisguised(carry_out: Callable[[Plan], Solution], plan: Plan, pressed: Callable[[], bool]) -> Solution:
    """Carry out a plan; an error into which a compiled function has turned an interruption becomes an interruption
    again."""
    try:
        return carry_out(plan)
    except (TransnetError, KeyboardInterrupt):
        raise
    except Exception as error:
        if pressed():
            raise KeyboardInterrupt from error
        raise


def _coarse(left: Solution) -> tuple[Message, ...]:
    """The message for pieces that were about to be cut further; a solution for a first look has its own."""
    if left.basis.kind != "pieces" or left.diagnostics.messages:
        return ()
    text = (
        f"The solve was interrupted before the domain was cut any further: the estimated relative error of "
        f"{left.error:.1e} is that of the {left.basis.summary()}, and no finer cut has confirmed it."
    )
    return (Message(EstimateWarning, text),)


def first_aid(plan: Plan) -> Solution | None:
    """A small solution with generic features, and its message."""
    quick = replace(plan, points=None, engine=None, continuation=None, progress=False, watch=None)
    d = plan.problem.domain.dimension
    try:
        refuse_unsettled(plan.problem, "A first look")
        in_pieces = isinstance(plan.problem.domain, Pieces)
        solution = _coarse_pieces(quick) if in_pieces else _small_network(quick, SMALL.get(d, SMALL[4]))
    except TransnetError:
        return None
    what = "the coarsest cut" if in_pieces else f"a network of {solution.neurons} neurons"
    text = (
        f"The solve was interrupted before it had found anything: this is {what} with an estimated relative error of "
        f"{solution.error:.1e}, good only for a first look."
    )
    kept = tuple(m for m in solution.diagnostics.messages if m.kind is not EstimateWarning)
    messages = (*kept, Message(EstimateWarning, text))
    return replace(solution, diagnostics=replace(solution.diagnostics, messages=messages))


def _small_network(plan: Plan, neurons: int) -> Solution:
    if not plan.linear:
        strategy: Any = plan.iteration[0]
        plan = replace(plan, strategy=replace(strategy, steps=FEW) if hasattr(strategy, "steps") else strategy)
    space = FeatureSpace.waves(plan.problem.domain.dimension, neurons, seed=plan.seed)
    return solve_with(plan, spaces_for(plan.problem, space))


def _coarse_pieces(plan: Plan) -> Solution:
    from transnet.cuts.plan import Cut
    from transnet.pieces.solve import solve_pieces

    d = plan.problem.domain.dimension
    coarse = Cut(*(1,) * d, refine=False, neurons=SMALL.get(d, SMALL[4]) // 2)
    return solve_pieces(plan.problem, coarse, plan.effort, plan.values).solution()
