"""The solution that steps in time make: polynomials between moments, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message
from transnet.geometry import Interval, Pieces
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.problem import Problem
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.slabs.ask import Ask, kept
from transnet.slabs.disk import disk_for
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.solution.diagnostics import Diagnostics, Residual, Status
from transnet.solution.solution import Solution
from transnet.steps.errors import between
from transnet.steps.level import Level
from transnet.steps.march import Walk
from transnet.steps.statement import Rothe
from transnet.steps.tableau import CUBIC, QUADRATIC

ACCEPTABLE = 1e-4
"""An estimated error above this raises a warning when no tolerance was asked for."""
HELD_OUT = 60
"""Residuals are looked at on the points of a network of this many columns."""


def polynomials(walk: Walk, k: int) -> np.ndarray:
    """The unknowns between two moments: (degree + 1, unknowns, columns)."""
    a, b = walk.moments[k], walk.moments[k + 1]
    half = 0.5 * (b.t - a.t)
    assert b.slope is not None
    if a.slope is None:
        return np.tensordot(QUADRATIC, np.stack([a.state[0], b.state[0], half * b.slope]), axes=1)
    data = np.stack([a.state[0], b.state[0], half * a.slope, half * b.slope])
    return np.tensordot(CUBIC, data, axes=1)


def made_solution(
    rothe: Rothe, values: Mapping[Any, Any], fine: Level, walk: Walk, estimates: np.ndarray, status: Status,
    clock: Clock, ask: Ask, tol: float | None,
) -> Solution:  # fmt: skip
    """The solution over all times, with its error and messages."""
    keep = kept(ask, rothe.start, rothe.stop)
    records, blocks = [], []
    for k, own in enumerate(between(fine, walk).tolist()):
        begin, end = walk.moments[k].t, walk.moments[k + 1].t
        if keep(k, begin, end) or k == len(walk.own) - 1:
            newton = walk.newton[k]
            records.append(SlabRecord(begin, end, float(estimates[k + 1]), own, newton, fine.basis.columns))
            blocks.append(polynomials(walk, k))
    axis = rothe.problem.coordinates.index(rothe.time)
    if ask.start is not None:
        old: SlabBasis = ask.start.basis  # type: ignore[assignment]
        blocks = [*(old.block(ask.start.coefficients, k) for k in range(len(old.slabs))), *blocks]
        records = [*old.slabs, *records]
    basis = SlabBasis(
        axis, len(rothe.orders), Slabs(tuple(records)), (fine.basis,), (0,) * len(records),
        tuple(len(b) - 1 for b in blocks),
    )  # fmt: skip
    coefficients = np.concatenate([b.ravel() for b in blocks])
    if ask.to is not None:
        disk = disk_for(ask.to, 0, None)
        disk.put(coefficients)
        coefficients = disk.close(ask.to)
    lengths = np.array([r.end - r.begin for r in records])
    squares = np.array([r.estimate**2 + r.own**2 for r in records])
    error = max(float(np.sqrt(lengths @ squares / lengths.sum())), records[-1].estimate)
    residuals: tuple[Residual, ...] = ()
    wrong: list[Message] = []
    every = ask.keep is None and ask.start is None
    if every and status == "solved" and not isinstance(rothe.problem.domain, Pieces):
        drawn = collocate(rothe.problem, statements_of(rothe.problem, lagged=False), HELD_OUT, None, 0)
        numbers, ones = tuple(values.values()), [1.0] * len(drawn)
        wrong = list(data_messages(rothe.problem, drawn, numbers))
        residuals = held_out_residuals(rothe.problem, basis, coefficients, numbers, ones, drawn)  # type: ignore[arg-type]
    clock.lap("check")
    known = Diagnostics(
        residuals=residuals,
        solver=f"steps in time, {fine.count} pieces",
        rows=sum(len(c.inside) for c in fine.cells.cells),
        columns=fine.basis.columns * len(rothe.orders),
        error=error,
        amplification=float("nan"),
        nested=(),
        seconds=clock.laps,
        stated_rank=fine.basis.columns * len(rothe.orders),
        messages=(*wrong, *_messages(rothe, basis, error, tol)),
        status=status,
    )
    return Solution(_ended(rothe, walk.moments[-1].t), basis, coefficients, dict(values), known)


def _ended(rothe: Rothe, end: float) -> Problem:
    """The problem up to the time that was reached."""
    problem = rothe.problem
    if end == rothe.stop:
        return problem
    domain = rothe.elliptic.domain * Interval(**{rothe.time.name: (rothe.start, end)})
    return Problem(domain, problem.equations, problem.conditions)


def _messages(rothe: Rothe, basis: SlabBasis, error: float, tol: float | None) -> list[Message]:
    limit = ACCEPTABLE if tol is None else tol
    if error <= limit:
        return []
    slabs = basis.slabs
    worst = max(slabs, key=lambda r: r.estimate)
    text = (
        f"The estimated relative error is {error:.1e}, above {limit:g}. It is largest at {rothe.time.name} = "
        f"{worst.end:.4g} ({worst.estimate:.1e}), and {slabs[-1].estimate:.1e} at the end. The usual causes are a "
        f"start that does not fit the boundary conditions, and corners. solution.slabs has the estimate at all times."
    )
    return [Message(AccuracyWarning, text)]
