"""The report of a solve, as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import floor, log10
from typing import TYPE_CHECKING

from transnet.errors import AccuracyWarning, EstimateWarning, Message, printable
from transnet.problem.equations import shortened
from transnet.solution.diagnostics import Diagnostics, error_in_words

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

MORE = 1e-9
"""Above this estimated error a report says how to get more digits."""
NOISE = 1e-9
"""Relative standard errors of functions below this are rounding."""
WIDEST = 72
"""The most characters of a statement."""
DIGITS, DECIMALS = 6, re.compile(r"(?<![\w.])\d+\.\d+(?:e[-+]?\d+)?")
"""Digits of the numbers of a statement, and the numbers that have more."""
SHOWN = 16
"""The most steps of an iteration that are listed."""
TEN_DIGITS, MORE_DIGITS = 1e-10, 2
"""The tolerance that the report proposes if more digits may be possible: two or three more, up to ten."""


def report(solution: Solution, told: Callable[[Message], str] = str) -> str:
    """Rank, residual of each block, estimated error, where the time went; `told` puts messages into words."""
    known = solution.diagnostics
    s = known.singular_values
    lines = [
        f"{', '.join(map(str, solution.problem.unknowns))} on {solution.problem.domain}",
        f"  points            as ({', '.join(c.name for c in solution.problem.coordinates)})",
        *([f"  values            as ({', '.join(solution.names)})"] if len(solution.names) > 1 else []),
        f"  features          {solution.basis.summary()}",
        f"  least squares     {known.rows} rows, {known.columns} columns, rank {known.rank}, solved by {known.solver}",
    ]
    if solution.slabs is not None:
        lines.append(f"  time              {solution.slabs!r}")
        if known.status not in ("solved", "converged"):
            lines.append(f"  march             {known.status} at {solution.slabs[-1].end:g}")
    if len(s):
        lines.append(f"  singular values   {s[0]:.2e} to {s[-1]:.2e}")
    if known.steps:
        lines.append(f"  iteration         {known.status} after {len(known.steps)} steps")
        lines.append(f"  {'step':>8} {'neurons':>9} {'residual':>9} {'change':>9} {'length':>9}")
        shown = known.steps if len(known.steps) <= SHOWN else (*known.steps[: SHOWN // 2], *known.steps[-SHOWN // 2 :])
        lines += [
            f"  {step.number:>8} {step.neurons:>9} {step.residual:9.1e} {step.change:9.1e} {step.length:9.3g}"
            for step in shown
        ]
    lines += [f"  note              {note}" for note in known.notes]
    for name, relative in known.uncertain.items():
        unknown = solution[name].unknown
        if unknown.args == ():
            value = float(solution[name])
            lines.append(f"  {name:<17} {value:.10g} with the standard error {error_in_words(abs(value) * relative)}")
        elif relative > NOISE:
            lines.append(f"  {name:<17} with a standard error of {100 * relative:.2g} % from the noise of the data")
    lines.append(f"  estimated error   {error_in_words(known.error)} (relative L2)")
    lines += _residuals(known) if known.residuals else []
    times = ", ".join(f"{name} {seconds:.3f}" for name, seconds in known.seconds.items())
    lines.append(f"  seconds           {times}")
    if len(known.trail) > 1 or "other levels" in known.seconds:
        lines.append(f"  tried             in {sum(known.seconds.values()):.2f} seconds altogether")
        lines += [f"    {attempt}" for attempt in known.trail]
    short = any(issubclass(m.kind, AccuracyWarning) for m in known.messages)  # which says itself what may help
    ended = known.status in ("solved", "converged", "event")  # otherwise a message says what goes on from here
    left = bool(known.trail) and bool(known.trail[-1].outcome)  # nothing finer is known
    goes_on = (len(solution.history) or solution.basis.kind == "slabs") and not (short or left)
    if ended and goes_on and known.error > MORE:
        spent, tol = sum(known.seconds.values()), max(TEN_DIGITS, 10.0 ** floor(log10(known.error) - MORE_DIGITS))
        more = told(Message(EstimateWarning, f"{known.error:.1e} after {spent:.1f} s;", {"digits": tol}))
        lines.append(f"  more digits       {more}")
    lines += [f"  warning: {told(m)}" for m in known.messages]
    return printable("\n".join(lines))


def few_digits(text: str) -> str:
    """A statement with the digits of its numbers that a reader wants."""
    return DECIMALS.sub(lambda found: f"{float(found[0]):.{DIGITS}g}", text)


def _residuals(known: Diagnostics) -> list[str]:
    """A table of the residuals, as wide as the labels up to a limit."""
    title = "residual at points that were not fitted"
    labels = [f"  {shortened(few_digits(r.label), WIDEST)}" for r in known.residuals]
    width = max(map(len, [title, *labels]))
    return [
        f"  {title:<{width}} {'rows':>6} {'rms':>9} {'largest':>9} {'relative':>9}",
        *(
            f"  {label:<{width}} {r.rows:>6} {r.rms:9.1e} {r.largest:9.1e} {r.relative:9.1e}"
            for label, r in zip(labels, known.residuals, strict=True)
        ),
    ]
