"""The driver: it ranks the methods that fit, draws levels from the cheapest, and stops. The only loop over levels.

A method is left for another as soon as its rate predicts that the other reaches the goal sooner, and taken up again if
the other turns out to be worse: its levels are only drawn when they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, isfinite, log, nan
from time import perf_counter

import numpy as np

from transnet.choose.effort import FREE
from transnet.drive.facts import Facts
from transnet.drive.method import LAST_RESORT, Fit, Level, Method
from transnet.drive.plan import Plan
from transnet.drive.select import Ranking, first_sentence
from transnet.drive.shortfall import concluded, distance_between, noisy
from transnet.errors import ClusterError, ProblemError, TransnetError, undetermined
from transnet.solution.diagnostics import Attempt, Tried
from transnet.solution.solution import Solution

SCATTER = 1.5
"""An estimate that is below a goal by less than this factor is confirmed by a second level: of 400 random problems two
missed the tolerance by 1.2 and 1.3 times without that."""
FINER = 10.0
"""A finer level is taken unless its estimate is this many times the smallest: small levels may be right by luck. On
|x - 1/3|^3 the estimate of 40 neurons is 46 times too small, that of 52 six times."""
UNRESOLVED = 0.3
"""Above this estimated error nothing of the solution is resolved yet, and an error that does not fall says nothing."""
GENEROUS = 1.0
"""A plain solve goes on to ten digits if that takes no longer than what it has taken so far, and no more seconds than
this."""
WORTHWHILE = 3.0
"""How many times sooner another method must reach the goal for a method that runs to be left: predictions are rough."""
FAR = 50.0
"""The logarithm of a time that is never taken."""
BEHIND = 1e3
"""A method whose levels resolve nothing and do not fall is not taken up again if another has an error this many times
smaller: waves on a pentagon went back to networks for 80 s."""
COUPLED, RESOLVED = 3, 1e-3
"""The unknowns of a coupled system, and the estimated error below which a level resolves it: natural convection in a
square, where 200 neurons do not, is determined."""
PLATEAU, WORK = 3.0, 10.0
"""A method that gains less than the first factor with levels that take the second many times the time of an earlier one
has reached its limit."""
CONFIRMED = 10.0
"""The most by which an estimate is enlarged where the one before it turned out too small: estimates that are further
off come from levels that resolved nothing."""
BETTER = 0.5
"""A level whose estimate is below this part of that of the one before shows how large the error of that one was."""


@dataclass(eq=False)
class Run:
    """A method that fits, its levels so far, and the best of them."""

    method: Method
    fit: Fit
    levels: Iterator[Level]
    remaining: float
    tried: list[Tried] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    level: Level | None = None
    last: Solution | None = None
    best: Solution | None = None
    below: bool = False


def drive(plan: Plan, methods: Sequence[Method], facts: Facts | None = None) -> Solution:
    """The best solution that the methods find, with its messages and the trail."""
    facts = Facts.of(plan) if facts is None else facts
    ranking, runs, trail = Ranking(methods, facts, plan), [], []  # type: ignore[var-annotated]
    failure: TransnetError | None = None
    stopped = False
    with plan.shown() as shown:
        try:
            run: Run | None = None
            while not stopped and (run := _cheapest(ranking, runs, facts, plan, run)) is not None:
                begun = perf_counter()
                shown.begins(run.method.name, len(run.tried) + 1)
                try:
                    level = next(run.levels, None)
                except ClusterError:
                    raise  # what was found until then goes with it
                except (TransnetError, np.linalg.LinAlgError, ArithmeticError, MemoryError) as reason:
                    runs.remove(run)
                    ranking.ended(run)  # what it had found stays
                    told = first_sentence(reason)
                    trail.append(Attempt(run.method.name, run.method.name, nan, perf_counter() - begun, told))
                    known = reason if isinstance(reason, TransnetError) else None
                    failure = known or failure or ProblemError(f"No method could solve this problem: {told}.")
                    if not ranking.others(run) and _best([*ranking.done, *runs]) is None:
                        if isinstance(reason, np.linalg.LinAlgError):
                            raise failure from reason
                        raise
                    continue
                if level is None:
                    runs.remove(run)
                    _note(trail, run, "nothing finer" if run.last is not None else "not solved")
                    ranking.ended(run)
                    continue
                error = _estimate(run, level)
                solution = _with_error(level.solution(error), error)
                seconds = perf_counter() - begun
                trail.append(Attempt(run.method.name, level.words, error, seconds))
                _keep(run, level, solution, error, seconds)
                shown(solution)
                stopped = _stop(run, level, solution, error, plan)
                if not stopped and _plateau(run):
                    runs.remove(run)
                    _note(trail, run, "no further gain")
                    ranking.ended(run)
                elif not stopped and _cheapest(ranking, runs, facts, plan, run) is not run:
                    _note(trail, run, "rate too slow")
        except KeyboardInterrupt:
            found = _best([*ranking.done, *runs])
            if found is None:
                raise
            best = found.best
            assert best is not None
            found.best = replace(best, diagnostics=replace(best.diagnostics, status="interrupted"))
    found = _best([*ranking.done, *runs])
    if found is None:
        raise failure or ranking.nothing()
    others = [r.last for r in (*ranking.done, *runs) if r is not found and r.last is not None]
    return concluded(found, others, trail, plan)


def _cheapest(ranking: Ranking, runs: list[Run], facts: Facts, plan: Plan, now: Run | None) -> Run | None:
    """The run with the least predicted time to the goal; methods are asked while they might be cheaper.

    A plain solve that has its six digits stays with the method that gave them.
    """
    if now in runs and now is not None and plan.tol is None and now.tried and now.tried[-1].error <= now.fit.aim:
        return now
    best = min((t.error for r in (*runs, *ranking.done) for t in r.tried), default=inf)
    runs[:] = [r for r in runs if r is now or not _lost(r, best)]
    while True:
        first: Run | None = min(runs, key=lambda r: r.remaining / (WORTHWHILE if r is now else 1.0), default=None)
        found = any(r.best is not None for r in (*runs, *ranking.done))
        most = inf if first is None else first.remaining / (WORTHWHILE if first is now else 1.0)
        fitted = ranking.next_below(min(most, LAST_RESORT) if found else most)
        if fitted is None:
            return first
        method, fit = fitted
        runs.append(Run(method, fit, method.levels(facts, plan), fit.seconds))


def _lost(run: Run, best: float) -> bool:
    """Whether the levels of a method resolve nothing, do not fall, and are far behind those of another."""
    errors = [t.error for t in run.tried[-2:]]
    return len(errors) > 1 and errors[-1] > max(UNRESOLVED, BEHIND * best) and not errors[-1] < BETTER * errors[0]


def _estimate(run: Run, level: Level) -> float:
    """The estimate of a level, enlarged where the one before it turned out too small."""
    error = level.error(run.level)
    if level.sure or level.last or run.last is None or run.level is None or not run.tried:
        return error
    before = run.tried[-1].error
    if not error < BETTER * before < BETTER:
        return error
    off = distance_between(level.solution(error), run.last)
    return error * min(max(off / before, 1.0), CONFIRMED)


def _with_error(solution: Solution, error: float) -> Solution:
    known = solution.diagnostics
    return solution if error == known.error else replace(solution, diagnostics=replace(known, error=error))


def _keep(run: Run, level: Level, solution: Solution, error: float, seconds: float) -> None:
    known = solution.diagnostics
    run.tried.append(Tried(solution.neurons, error, seconds, *_pieces(solution)))
    run.costs.append(level.cost)
    smallest = min((t.error for t in run.tried if isfinite(t.error)), default=inf)
    doubtful = undetermined(known.messages) and run.best is not None
    better = error <= smallest if level.sure else not error >= FINER * smallest
    if run.best is None or (better and not doubtful):
        run.best = solution
    run.level, run.last = level, solution


def _pieces(solution: Solution) -> tuple[int, ...]:
    count = getattr(solution.basis, "pieces", None)
    return () if count is None else (int(count),)


def _stop(run: Run, level: Level, solution: Solution, error: float, plan: Plan) -> bool:
    """Whether nothing more is wanted or possible; otherwise the prediction for the run is renewed."""
    effort, goal = plan.effort, plan.effort.goal
    if level.last or solution.status == "interrupted" or ambiguous(solution) or noisy(solution):
        run.best = solution
        return True
    before, run.below = run.below, error <= goal
    if run.below and (level.sure or before or SCATTER * error <= goal):
        return True
    free = max(FREE, min(sum(run.costs), GENEROUS))
    if effort.tol is None and error <= run.fit.aim and level.next_seconds() > free:
        return True
    if level.next_seconds() * max(run.tried[-1].seconds / level.cost if level.cost else 0.0, 1.0) > effort.left():
        return True
    wanted = goal if effort.tol is not None or error <= run.fit.aim else run.fit.aim
    run.remaining = max(level.remaining(wanted), _predicted(run, wanted))
    return False


def _predicted(run: Run, goal: float) -> float:
    """The time to an error at the best rate from an earlier level to the last, error ~ time^-p: estimates scatter, and
    two levels of nearly the same size say little.

    While nothing is resolved it is at least what has been taken; an error that did not fall says as little.
    """
    if len(run.tried) > 1 and run.tried[-1].error >= max(run.tried[-2].error, 1.0):
        return WORTHWHILE * LAST_RESORT  # larger levels that are as far from everything are not on the way
    if len(run.tried) < 2 or not run.tried[-1].error <= UNRESOLVED:
        return sum(run.costs)
    last, cost = run.tried[-1].error, run.costs[-1]
    before = [(t.error, c) for t, c in zip(run.tried[:-1], run.costs, strict=False) if c < cost and t.error > last > 0]
    if not before:
        return WORTHWHILE * sum(run.costs)
    power = max(log(error / last) / log(cost / c) for error, c in before)
    return 0.0 if last <= goal else float(cost * exp(min(log(last / goal) / power, FAR)))


def ambiguous(solution: Solution) -> bool:
    """Whether a level tells that the solution is not unique.

    One that does not resolve a coupled system sees a pressure that small residuals hardly hold: finer ones tell better.
    """
    coupled = len(solution.problem.unknowns) >= COUPLED and bool(solution.diagnostics.steps)
    unresolved = coupled and not solution.error <= RESOLVED
    return undetermined(solution.diagnostics.messages) and not unresolved


def _plateau(run: Run) -> bool:
    """Whether levels that took many times the time of an earlier one have gained nothing."""
    errors = [t.error for t in run.tried]
    if len(errors) < 3 or not min(errors) <= UNRESOLVED:
        return False
    return any(
        sum(run.costs[k + 1 :]) > WORK * run.costs[k] and not min(errors[k + 1 :]) < errors[k] / PLATEAU
        for k in range(len(errors) - 2)
    )


def _best(runs: Sequence[Run]) -> Run | None:
    """The run with the smallest error; one whose solution is not determined only if there is no other."""
    found = [r for r in runs if r.best is not None]
    if not found:
        return None

    def doubt(run: Run) -> tuple[bool, float]:
        assert run.best is not None
        error = run.best.error
        return undetermined(run.best.diagnostics.messages), error if isfinite(error) else inf

    return min(found, key=doubt)


def _note(trail: list[Attempt], run: Run, outcome: str) -> None:
    """Say in the trail why a method was left."""
    last = next((k for k in range(len(trail) - 1, -1, -1) if trail[k].method == run.method.name), None)
    if last is None:
        trail.append(Attempt(run.method.name, run.method.name, nan, 0.0, outcome))
    elif not trail[last].outcome:
        trail[last] = replace(trail[last], outcome=outcome)
