"""What is worked out after every solve: residuals on fresh points, stability, the error estimate, and the warnings."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from transnet.basis.basis import Basis
from transnet.checks.contradictions import contradictions
from transnet.checks.counting import missing_conditions
from transnet.checks.flux import flux_gap
from transnet.checks.places import bare_parts, conflicts
from transnet.clock import Clock
from transnet.errors import EstimateWarning, Message, NotFiniteError, UniquenessWarning
from transnet.judge.estimate import error_estimate, nested_differences
from transnet.judge.stability import Stability, natural_amplification, stability
from transnet.linalg.least_squares import Coefficients
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Diagnostics, Residual

HELD_OUT = 150
"""The held-out points are those of a network of this many columns an unknown."""
TRUSTED = 1e-2
"""An estimated relative error above this is warned of."""
WORTHWHILE = 1e-6
"""The tolerance that is proposed where a fixed network was too small."""

_held_out: WeakKeyDictionary[Problem, list[Block]] = WeakKeyDictionary()
_looked_at: WeakKeyDictionary[Problem, dict[str, list[Message]]] = WeakKeyDictionary()


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
    """Everything that is known of a solve whose triangle [R | c] is given, with messages where it is doubtful."""
    n = basis.columns
    coefficients = found.values[:, 0]
    r, right = np.asfortranarray(triangle[:n, :n]), triangle[:n, n]
    residuals = held_out_residuals(problem, basis, coefficients, parameters, weights, blocks)
    factors = [_coefficients(b, basis, coefficients, parameters) for b in blocks]
    stable = stability(r, basis, blocks[0].points, natural_amplification(basis, blocks, weights, factors))
    nested = nested_differences(r, right, coefficients, basis, blocks[0].points)
    error = estimated_error(basis, coefficients, blocks, residuals, stable.amplification, nested)
    messages = [*data_messages(problem, blocks, parameters), *answer_messages(problem, stable, error, residuals)]
    clock.lap("check")
    return Diagnostics(
        residuals=residuals,
        solver=found.solver,
        rows=sum(b.rows for b in blocks),
        columns=n,
        error=error,
        amplification=stable.amplification,
        nested=nested,
        seconds=clock.laps,
        triangle=r,
        stated_rank=found.rank,
        messages=tuple(messages),
    )


def estimated_error(
    basis: Basis,
    coefficients: np.ndarray,
    blocks: Sequence[Block],
    residuals: Sequence[Residual],
    amplification: float,
    nested: tuple[tuple[int, float], ...],
) -> float:
    """The estimated relative L2 error, from the nested networks and the residuals on held-out points."""
    weighted = np.sqrt(sum(r.rows * (r.weight * r.rms) ** 2 for r in residuals))
    inside = blocks[0].points
    zero = (0,) * inside.shape[1]
    values = basis.derivatives(coefficients, inside[:200], [(k, zero) for k in range(basis.unknowns)])
    size = np.sqrt(sum(_rms(v) ** 2 for v in values)) or 1.0
    # Data are fitted, not satisfied; everything else that does not hold means that nothing is solved.
    unsatisfied = max(r.relative for r, b in zip(residuals, blocks, strict=True) if b.statement.kind != "data")
    return error_estimate(nested, float(amplification * weighted / size), unsatisfied)


def data_messages(problem: Problem, blocks: Sequence[Block], parameters: Sequence[Any]) -> list[Message]:
    """What is wrong with the data of a problem; looked at once for its parameters, however many networks are solved."""
    known = _looked_at.setdefault(problem, {})
    key = str(parameters)
    if key not in known:
        statements = [b.statement for b in blocks]
        found = [*contradictions(problem, statements, parameters), *conflicts(problem, statements, parameters)]
        gap = flux_gap(problem, statements, parameters)
        known[key] = [*found, gap] if gap else found
    return known[key]


def least_satisfied(residuals: Sequence[Residual]) -> str:
    """Which statement holds worst, in words, if it is far from holding."""
    worst = max(residuals, key=lambda r: r.relative)
    if worst.relative < 0.1:
        return ""
    return (
        f" '{worst.label}' is violated by {100 * min(worst.relative, 1.0):.0f} % of its terms: if that does not fall "
        f"with more neurons, the equations and conditions contradict each other, or the solution is singular."
    )


def answer_messages(
    problem: Problem, stable: Stability, error: float, residuals: Sequence[Residual] = ()
) -> list[Message]:
    """What is wrong with the answer."""
    missing = missing_conditions(problem)
    if not stable.unique:
        return [_not_unique(problem, stable, missing)]
    # A network may be too small to have a function that the rows do not see.
    messages = [missing] if missing else []
    if not error <= TRUSTED:
        text = (
            f"The estimated relative error is {error:.1e}. The network is too small for the solution, or the solution "
            f"is not smooth.{least_satisfied(residuals) if residuals else ''}"
        )
        messages.append(Message(EstimateWarning, text, {"tol": WORTHWHILE}))
    return messages


def _not_unique(problem: Problem, stable: Stability, missing: Message | None) -> Message:
    what, level = stable.undetermined(problem.names)
    cause = missing or (
        Message(UniquenessWarning, "The usual cause is that no condition fixes its level.", {"level": level})
        if level
        else Message(
            UniquenessWarning,
            "The usual cause is a missing boundary or initial condition (an equation of second order in time needs "
            "two), or a coefficient at which the homogeneous problem has a solution of its own.",
        )
    )
    bare = bare_parts(problem)
    nothing = f" No condition is stated on {', '.join(map(repr, bare))}." if bare else ""
    return Message(
        UniquenessWarning,
        f"The problem does not determine {what}: functions that its equations and conditions hardly see are "
        f"{stable.relative:.0e} times larger than their residual. {cause.text}{nothing}",
        cause.remedy,
    )


def held_out_blocks(problem: Problem, statements: Sequence[Statement]) -> list[Block]:
    """The statements on a few hundred points that are not fitted; drawn once for a problem."""
    if problem not in _held_out:
        _held_out[problem] = collocate(problem, statements, HELD_OUT * len(problem.unknowns), None, 104_729)
    return [replace(block, statement=s) for block, s in zip(_held_out[problem], statements, strict=True)]


def held_out_residuals(
    problem: Problem,
    basis: Basis,
    coefficients: np.ndarray,
    parameters: Sequence[Any],
    weights: Sequence[float],
    fitted: Sequence[Block],
) -> tuple[Residual, ...]:
    """The residual of each statement on a few hundred points that were not fitted."""
    statements = [b.statement for b in fitted]
    fresh = held_out_blocks(problem, statements)
    inside = fresh[0].points[:60]
    terms = tuple(dict.fromkeys(slot for block in fresh for slot in block.slots))
    elsewhere = dict(zip(terms, basis.derivatives(coefficients, inside, terms), strict=True))
    found = []
    for block, weight, old in zip(fresh, weights, fitted, strict=True):
        slots = basis.derivatives(coefficients, block.points, block.slots)
        try:
            value = block.residual(block.state(basis, coefficients, slots), parameters)
        except NotFiniteError:
            # A nonlinear formula may have no value for an iterate that is slightly off between the fitted points.
            found.append(Residual(block.statement.label, old.rows, weight, np.inf, np.inf, np.inf))
            continue
        rms = _rms(value)
        size = size_of_terms(block, parameters, slots, [elsewhere[s] for s in block.slots])
        relative = rms / size if size > 0 else float(rms > 0)
        found.append(Residual(block.statement.label, old.rows, weight, rms, float(np.abs(value).max()), relative))
    return tuple(found)


def _coefficients(block: Block, basis: Basis, coefficients: np.ndarray, parameters: Sequence[Any]) -> list[np.ndarray]:
    """The coefficients of a block's slots, linearised at the solution where that is needed."""
    equation = block.statement.equation
    state = None if equation.linear else block.state(basis, coefficients)
    return equation.jacobian(block.points, block.normals, parameters, state)


def size_of_terms(
    block: Block, parameters: Sequence[Any], slots: Sequence[np.ndarray], elsewhere: Sequence[np.ndarray]
) -> float:
    """The largest root mean square of a linearised term of the equation: what a residual is to be compared with.

    Parameters
    ----------
    slots : sequence of arrays
        The values of the block's slots at its points.
    elsewhere : sequence of arrays
        The same at interior points: a term that vanishes on the boundary is measured by what it is elsewhere.
    """
    equation = block.statement.equation
    factors = equation.jacobian(block.points, block.normals, parameters, slots)
    terms = [f * s for f, s in zip(factors, slots, strict=True)]
    with contextlib.suppress(NotFiniteError):
        # What does not depend on the unknowns; a nonlinear formula may have no value where they are zero.
        terms.append(equation.residual(block.points, block.normals, parameters))
    sizes = [_rms(t) for t in terms] + [_rms(f) * _rms(s) for f, s in zip(factors, elsewhere, strict=True)]
    return max(sizes)


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
