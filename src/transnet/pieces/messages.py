"""The messages about a solution in pieces."""

from __future__ import annotations

from transnet.choose.effort import ACCEPTABLE
from transnet.errors import AccuracyWarning, Message, UniquenessWarning
from transnet.facts.conditions import missing_conditions
from transnet.solution.solution import Solution

UNDETERMINED = 1e-18
"""If the rows of a cut determine a direction of the glue no better than this, it is undetermined: a contrast of 10^6
leaves 3e-16, one of 10^9, whose solution is wrong, 1e-19, and rounding 2e-29 if nothing fixes a constant."""


def messages_of(solution: Solution, tol: float | None, weakest: float, drift: float = 0.0) -> tuple[Message, ...]:
    """What the user should know: that the solution is not unique, did not converge or missed its tolerance."""
    missing = missing_conditions(solution.problem)
    found = _messages(solution, tol, weakest, drift)
    if missing is None:
        return found
    return (missing, *(m for m in found if m.kind is not UniquenessWarning))


def _messages(solution: Solution, tol: float | None, weakest: float, drift: float) -> tuple[Message, ...]:
    limit = ACCEPTABLE if tol is None else tol
    if drift > limit:
        text = (
            f"Newton's iteration does not converge on the last cuts: its steps moved the solution by {drift:.1e} in "
            f"all, while the residuals stayed as they were. What is stated hardly determines something, most often "
            f"the place of an inner layer, on which boundary values have an exponentially small influence. The "
            f"estimated relative error is {solution.error:.1e}."
        )
        return (Message(AccuracyWarning, text, {"iterate": True}),)
    if weakest < UNDETERMINED:
        text = (
            "The problem does not determine the solution: something, most likely a constant, can be added to it "
            "without violating any statement by more than rounding. The usual cause is a missing condition: state "
            "values on a part of the boundary, or a mean value, tn.mean(u). Materials that differ by more than 1e8 "
            "have the same effect."
        )
        return (Message(UniquenessWarning, text),)
    if solution.status == "limit reached":
        last = solution.diagnostics.steps[-1]
        text = (
            f"Newton's iteration did not converge in {last.number} steps on the finest cut "
            f"({solution.basis.summary()}); its last relative change was {last.change:.1e}."
        )
        return (Message(AccuracyWarning, text, {"iterate": True}),)
    return ()


def limit_in_pieces(solution: Solution) -> str:
    """What limits the accuracy, as far as it is known."""
    worst = max(solution.diagnostics.residuals, key=lambda r: r.relative)
    return (
        f"The {solution.basis.summary()} have an estimated relative error of {solution.error:.1e}. "
        f"The statement satisfied least is '{worst.label}'. Likely causes are a corner, a layer or data that need more "
        f"pieces (pieces=tn.Cut(...) with more boxes), or conditions that contradict each other."
    )
