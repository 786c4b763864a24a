"""Which strategy iterates a problem, and whether it can."""

from __future__ import annotations

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.iterate.descent import Descent
from transnet.iterate.newton import Newton
from transnet.iterate.picard import Picard
from transnet.iterate.strategy import STRATEGIES, Strategy
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of

__all__ = ["STRATEGIES", "Descent", "Newton", "Picard", "Strategy", "refuse_other_strategies", "strategy_for"]


def refuse_other_strategies(strategy: object) -> None:
    """Raise if this is not a strategy."""
    if strategy is not None and not isinstance(strategy, Strategy):
        raise ProblemError(f"strategy must be tn.Newton(), tn.Picard() or tn.Descent(), not {shown(strategy)}.")


def strategy_for(problem: Problem, strategy: Strategy | None) -> tuple[Strategy, tuple[Statement, ...]]:
    """The strategy for a nonlinear problem, and the statements as it needs them; raises if they do not fit.

    The default is `Picard` if the markers `tn.lagged` leave nothing nonlinear, otherwise `Newton`, which ignores the
    markers.
    """
    held, free = statements_of(problem), statements_of(problem, lagged=False)
    marked = [s for s in held if s.equation.lagged]
    if marked and all(s.equation.linear for s in free):
        raise ProblemError(
            f"'{marked[0].equation.text}' marks a factor as lagged, but the problem is linear without the marker: one "
            f"solve gives its solution and an iteration would only be slower. Remove tn.lagged(...)."
        )
    if strategy is None:
        strategy = Picard() if marked and all(s.equation.picard for s in held) else Newton()
    if not strategy.lagged:
        return strategy, free
    for s in held:
        if not s.equation.picard:
            raise ProblemError(
                f"The strategy '{strategy.name}' needs equations that are linear once the lagged factors are held, but "
                f"'{s.equation.text}' is not.",
                {"newton": True},
            )
    return strategy, held
