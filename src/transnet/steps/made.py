"""The solution made from steps in time, and its messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message
from transnet.geometry import Pieces
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.slabs.ask import Ask
from transnet.slabs.domain import ended
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord
from transnet.solution.diagnostics import Diagnostics, Residual, Status
from transnet.solution.solution import Solution
from transnet.steps.errors import Leg, between
from transnet.steps.statement import Rothe
from transnet.steps.written import Written

ACCEPTABLE = 1e-4
"""An estimated error above this raises a warning when no tolerance was asked for."""
HELD_OUT = 60
"""Residuals are evaluated at the points of a network with this many columns."""


def made_solution(
    rothe: Rothe, values: Mapping[Any, Any], legs: Sequence[Leg], estimates: Sequence[np.ndarray], status: Status,
    clock: Clock, ask: Ask, tol: float | None, written: Written,
) -> Solution:  # fmt: skip
    """The solution over all times, with its error and messages."""
    coefficients = written.closed([leg.walk for leg in legs])
    own, fine = between(legs), legs[-1].fine
    records = []
    for number, k in written.kept:
        walk, columns = legs[number].walk, legs[number].fine.basis.columns
        told = float(estimates[number][k + 1]), float(own[number][k]), walk.newton[k], columns
        records.append(SlabRecord(walk.moments[k].t, walk.moments[k + 1].t, *told))
    basis = written.basis(records)
    records = list(basis.slabs)
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
    return Solution(ended(rothe, legs[-1].walk.moments[-1].t), basis, coefficients, dict(values), known)


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
