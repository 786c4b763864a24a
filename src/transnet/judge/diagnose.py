"""What is computed after every solve: residuals at fresh points, stability, the error estimate, and the warnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.foci import Focus
from transnet.checks.backward import at_both_ends, backward
from transnet.checks.contradictions import contradictions
from transnet.checks.corners import unsupported_corners
from transnet.checks.flux import flux_gap
from transnet.checks.misfit import misfit_messages
from transnet.checks.places import conflicts
from transnet.clock import Clock
from transnet.errors import AccuracyWarning, EstimateWarning, Message, UniquenessWarning
from transnet.facts.conditions import missing_conditions
from transnet.facts.surplus import surplus_conditions
from transnet.judge.again import LESS, WEAK, changed_by_points
from transnet.judge.judge import Judge
from transnet.judge.judgement import Judgement
from transnet.judge.stability import Stability
from transnet.linalg.least_squares import Coefficients
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.blocks import Block
from transnet.rows.roughness import sought
from transnet.rows.statements import Statement
from transnet.rows.uncertainty import uncertainty_of
from transnet.solution.diagnostics import Diagnostics, Residual
from transnet.tolerances import ROUNDED

NOTABLE = 0.1
"""Where the accuracy falls short, a statement violated by more than this part of its terms is named."""
VIOLATED = 0.3
"""The relative residual of a statement that does not hold at all."""
TRUSTED = 1e-2
"""An estimated relative error above this raises a warning."""
RUINOUS = 1e11
"""An amplification, relative to the natural one, that leaves few of the data's digits in double precision."""
WORTHWHILE = 1e-6
"""The tolerance proposed if a fixed network was too small."""

HOLDS = 0.1
"""The relative residual above which an equation counts as violated; networks that resolve the solution are far
below."""
NOISY = 1.5
"""If the estimated error is below this many standard errors, the noise of the data is the limit."""
VAGUE = 0.5
"""A field with a relative standard error above this is hardly determined; so is a number whose standard error exceeds
its size."""

_looked_at: Remembered[Problem, list[Message]] = Remembered()


def diagnose(
    problem: Problem,
    basis: Basis,
    blocks: Sequence[Block],
    weights: Sequence[float],
    triangle: np.ndarray,
    found: Coefficients,
    parameters: Sequence[Any],
    clock: Clock,
) -> Diagnostics:
    """Everything that is known about a solve with the triangle [R | c], with messages where it is doubtful."""
    n = basis.columns
    r, right = np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]
    judge = Judge(problem, basis, blocks, weights, tuple(parameters), r)
    stable = judge.stability(found.values)
    known = judge.look(found.values, right, stable.amplification)
    residuals = known.residuals(0, blocks, weights)
    error = max(float(known.error[0]), _lost(blocks, residuals, parameters))
    first = found.values[:, 0]
    changed = changed_by_points(problem, basis, blocks, first, tuple(parameters), stable.relative)
    # Of what is hardly determined small parts of the network know far less than the whole; other points show it.
    error = max(error / (LESS if changed > 0 and WEAK < stable.relative < np.inf else 1.0), changed)
    doubt = uncertainty_of(basis, blocks, weights, r, first, tuple(parameters))
    uncertain = {} if doubt is None else doubt.relative(problem.names, first, blocks[0].points)
    statistical = max(uncertain.values(), default=0.0)
    # The uncertainty left by the noise of measured values is given by standard errors, and no network changes it.
    own = min(error, ROUNDED) if error <= NOISY * statistical and _hold(blocks, residuals) else error
    error = max(error, statistical)
    answer = answer_messages(problem, stable, own, residuals, basis.foci)
    messages = [*data_messages(problem, [b.statement for b in blocks], parameters), *answer]
    if doubt is not None:
        misfits, hold = misfit_messages(basis, blocks, first, tuple(parameters))
        uncertain = uncertain if hold else dict.fromkeys(uncertain, float("nan"))
        messages += misfits
        messages += _barely_determined(problem, basis, blocks, uncertain)
    clock.lap("check")
    return Diagnostics(
        residuals=residuals,
        solver=found.solver,
        rows=sum(b.rows for b in blocks),
        columns=n,
        error=error,
        amplification=stable.amplification,
        nested=known.differences(0, basis),
        seconds=clock.laps,
        triangle=r,
        stated_rank=found.rank,
        messages=tuple(messages),
        uncertain=uncertain,
    )


def _barely_determined(
    problem: Problem, basis: Basis, blocks: Sequence[Block], uncertain: dict[str, float]
) -> list[Message]:
    """Messages about unknowns that noisy data hardly determine."""
    if not any(b.statement.noise is not None for b in blocks):
        return []
    found = []
    for k in sought(blocks, basis):
        name, field = problem.names[k], basis.spaces[k].neurons > 0
        if uncertain[name] > (VAGUE if field else 1.0):
            text = (
                f"The data hardly determine {name}: its standard error is {100 * uncertain[name]:.0f} % of its "
                f"size{', and between the data it is no more than a smooth guess' if field else ''}. More data are "
                f"needed, at other places or with less noise."
            )
            found.append(Message(UniquenessWarning, text))
    return found


def _hold(blocks: Sequence[Block], residuals: Sequence[Residual]) -> bool:
    """Whether everything except the measurements holds: otherwise the misfit of the data is not their noise."""
    stated = [r for b, r in zip(blocks, residuals, strict=True) if b.statement.kind != "data"]
    return all(r.relative < HOLDS for r in stated)


def _lost(blocks: Sequence[Block], residuals: Sequence[Residual], parameters: Sequence[Any]) -> float:
    """How far a statement with data of its own is from holding, where it does not hold at all; otherwise nothing.

    Beside an unknown of size 1e10 one of size 1e-10 is lost in rounding, which the error of all together does not show.
    """
    if len({unknown for b in blocks for unknown, _ in b.slots}) < 2:
        return 0.0
    return max(
        (
            r.relative
            for b, r in zip(blocks, residuals, strict=True)
            if r.relative > VIOLATED
            and b.statement.kind != "data"
            and b.statement.equation.linear
            and np.any(b.linearise(parameters).right)
        ),
        default=0.0,
    )


def data_messages(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> list[Message]:
    """What is wrong with the data of a problem; checked once for its parameters, however many networks are solved."""
    return _looked_at.get(problem, str(parameters), lambda: _data_messages(problem, statements, parameters))


def _data_messages(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> list[Message]:
    found = [*contradictions(problem, statements, parameters), *conflicts(problem, statements, parameters)]
    in_time = backward(problem, statements, parameters)
    others = (
        missing_conditions(problem),
        surplus_conditions(problem),
        flux_gap(problem, statements, parameters),
        in_time,
    )
    return [*found, *(message for message in others if message)]


def least_satisfied(residuals: Sequence[Residual]) -> str:
    """Which statement holds worst, in words, if it is far from holding."""
    worst = max(residuals, key=lambda r: r.relative, default=None)
    if worst is None or worst.relative < NOTABLE:
        return ""
    return (
        f" '{worst.label}' is violated by {100 * min(worst.relative, 1.0):.0f} % of its terms: if that does not fall "
        f"with more neurons, the equations and conditions contradict each other, or the solution is singular."
    )


def answer_messages(
    problem: Problem,
    stable: Stability,
    error: float,
    residuals: Sequence[Residual] = (),
    foci: Sequence[Focus] = (),
) -> list[Message]:
    """What is wrong with the answer, beside the data; `foci` are the points at which features are singular."""
    if not stable.unique:
        if missing_conditions(problem) is not None:
            return []  # told with the data
        if not stable.grows:
            return [_not_unique(problem, stable)]
        return [] if error <= TRUSTED and stable.relative < RUINOUS else [_amplified(stable, error)]
    final = at_both_ends(problem, residuals)
    messages = [message for message in (final, unsupported_corners(problem, error, foci)) if message]
    if error == 0.0 and any(r.relative > ROUNDED for r in residuals):
        text = (
            "The estimated relative error is exactly 0, although the equations do not hold exactly: nothing is known "
            "of the error. The data are too small or too large for double precision, or the iteration never moved."
        )
        messages.append(Message(EstimateWarning, text))
    if not error <= TRUSTED:
        text = (
            f"The estimated relative error is {error:.1e}. The network is too small for the solution, or the solution "
            f"is not smooth.{least_satisfied(residuals) if residuals else ''}"
        )
        messages.append(Message(EstimateWarning, text, {"tol": WORTHWHILE}))
    return messages


def _amplified(stable: Stability, error: float) -> Message:
    return Message(
        AccuracyWarning,
        f"Errors in the data and rounding errors are amplified about {stable.relative:.0e} times on their way through "
        f"the domain: there are solutions that grow that fast, like those of a backward heat equation or of u' = a u "
        f"with a large a. The estimated relative error is {error:.1e}. The answer is only as good as the data; "
        f"conditions at the other end, or a shorter domain, would stabilise it.",
    )


def _not_unique(problem: Problem, stable: Stability) -> Message:
    what, level = stable.undetermined(problem.names)
    cause = (
        Message(UniquenessWarning, "The usual cause is that no condition fixes its level.", {"level": level})
        if level
        else Message(
            UniquenessWarning,
            "The usual cause is a missing boundary or initial condition (an equation of second order in time needs "
            "two), or a coefficient at which the homogeneous problem has a solution of its own.",
        )
    )
    return Message(
        UniquenessWarning,
        f"The problem does not determine {what}: some functions are {stable.relative:.0e} times larger than the "
        f"residuals that they leave in its equations and conditions. {cause.text}",
        cause.remedy,
    )


def held_out_residuals(
    problem: Problem,
    basis: Basis,
    coefficients: np.ndarray,
    parameters: Sequence[Any],
    weights: Sequence[float],
    fitted: Sequence[Block],
) -> tuple[Residual, ...]:
    """The residual of each statement on a few hundred points that were not fitted, whatever led to the solution."""
    judge = Judge(problem, basis, fitted, weights, tuple(parameters))
    rms, largest, relative = judge.residuals(coefficients[:, None])
    nothing = np.empty((0, 1))
    return Judgement(rms, largest, relative, nothing, nothing[0:0]).residuals(0, fitted, weights)
