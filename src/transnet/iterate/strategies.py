"""How a nonlinear problem is iterated: Newton, Picard or descent, each a value.

All of them keep the neurons and look for the output weights alone (paper, section 3.4). `Newton` linearises the
equations at the last iterate, which is Gauss-Newton for the least-squares residual. `Picard` holds the factors that
are marked with `tn.lagged` at the last iterate: the paper's first approach. `Descent` minimises the squared residual
with a gradient method: the paper's second.
"""

from __future__ import annotations

from dataclasses import dataclass

from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of


@explained
@dataclass(frozen=True)
class Newton:
    """Newton's iteration with a line search: quadratic near the solution.

    The rows of a step are J s_new = J s - F, so that each step is a complete least-squares solve for the new iterate;
    the weighted residual norm then decides how far to go towards it.

    Parameters
    ----------
    steps : int
        At most this many.
    tol : float, optional
        The relative change of the unknowns at which to stop; by default a hundredth of the estimated error.
    cascade : bool
        Whether to take the first steps on a smaller network where the network is large.
    shortest : float
        The shortest step that the line search tries, relative to Newton's.
    """

    steps: int = 30
    tol: float | None = None
    cascade: bool = True
    shortest: float = 2.0**-12

    def __post_init__(self) -> None:
        _check(self.steps, self.tol)


@explained
@dataclass(frozen=True)
class Picard:
    """Picard's iteration: the factors marked `tn.lagged(...)` are taken from the last iterate (paper, section 3.4).

    Parameters
    ----------
    steps : int
        At most this many.
    tol : float, optional
        The relative error of the iteration at which to stop; by default a tenth of the estimated error of the network.
    relaxation : float
        How far to go towards the new iterate, 1 for all of the way.
    memory : int
        How many earlier iterates are combined with the new one so that its change would be least (Anderson's
        acceleration); 0 is the paper's plain iteration, which converges linearly.
    cascade : bool
        Whether to take the first steps on a smaller network where the network is large.
    """

    steps: int = 100
    tol: float | None = None
    relaxation: float = 1.0
    memory: int = 5
    cascade: bool = True

    def __post_init__(self) -> None:
        _check(self.steps, self.tol)
        if not 0 < self.relaxation < 2:
            raise ProblemError(f"Picard's relaxation must lie between 0 and 2, not {self.relaxation!r}.")
        if self.memory < 0:
            raise ProblemError(f"Picard's memory is a number of iterates, 0 or more, not {self.memory!r}.")


@explained
@dataclass(frozen=True)
class Descent:
    """L-BFGS on half the squared weighted residual, over the output weights (the paper's second approach).

    The weights are expressed in the basis that makes the rows of the linearisation at the start orthonormal, without
    which a gradient method does not get anywhere: the condition number of the rows is near 1e16.

    Parameters
    ----------
    steps : int
        At most this many iterations.
    tol : float
        The norm of the gradient, relative to the weighted residual at the start, at which to stop.
    memory : int
        How many pairs of vectors L-BFGS keeps.
    refresh : int
        After how many iterations the basis is made anew from the linearisation at the iterate.
    """

    steps: int = 500
    tol: float = 1e-9
    memory: int = 20
    refresh: int = 50

    def __post_init__(self) -> None:
        _check(self.steps, self.tol)
        if self.memory < 1 or self.refresh < 1:
            raise ProblemError("Descent needs a memory and a refresh of at least 1.")


Strategy = Newton | Picard | Descent


def is_linear(problem: Problem) -> bool:
    """Whether all equations and conditions are linear in the unknowns, with no factor marked as lagged."""
    return all(s.equation.linear for s in statements_of(problem))


def refuse_others(strategy: object) -> None:
    """Raise if this is not a strategy."""
    if strategy is not None and not isinstance(strategy, Newton | Picard | Descent):
        raise ProblemError(f"strategy must be tn.Newton(), tn.Picard() or tn.Descent(), not {strategy!r}.")


def choose(problem: Problem, strategy: Strategy | None) -> tuple[Strategy, tuple[Statement, ...]]:
    """The strategy for a nonlinear problem, and the statements as it needs them; raises where they do not fit.

    Without a choice it is `Picard` if the markers `tn.lagged` leave nothing nonlinear, otherwise `Newton`, which takes
    no notice of the markers.
    """
    refuse_others(strategy)
    held, free = statements_of(problem), statements_of(problem, lagged=False)
    marked = [s for s in held if s.equation.lagged]
    if marked and all(s.equation.linear for s in free):
        raise ProblemError(
            f"'{marked[0].equation.text}' marks a factor as lagged, but the problem is linear without the marker: one "
            f"solve gives its solution and an iteration would only be slower. Remove tn.lagged(...)."
        )
    if strategy is None:
        strategy = Picard() if marked and all(s.equation.picard for s in held) else Newton()
    if not isinstance(strategy, Picard):
        return strategy, free
    for s in held:
        if not s.equation.picard:
            raise ProblemError(
                f"Picard's iteration needs equations that are linear once the lagged factors are held, but "
                f"'{s.equation.text}' is not.",
                {"newton": True},
            )
    return strategy, held


def _check(steps: int, tol: float | None) -> None:
    if steps < 1:
        raise ProblemError(f"An iteration needs at least one step, not {steps!r}.")
    if tol is not None and not 0 < tol < 1:
        raise ProblemError(f"The tolerance of an iteration is a relative change between 0 and 1, not {tol!r}.")
