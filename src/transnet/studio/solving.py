"""Solves that keep up with the mouse: what was found for the last frame is used for the next.

While something is dragged the network stays small and its bandwidth is kept; the singular functions move with the
domain. When the mouse rests the problem is solved as `tn.solve` would, so the result is that of a problem file on the
command line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from transnet.choose.bandwidth import Choice
from transnet.drive.plan import Plan
from transnet.files.problem_file import ProblemFile
from transnet.geometry import Pieces
from transnet.method.one_size import features_for, solve_with
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

QUICK = {1: 100, 2: 140, 3: 220, 4: 300}
"""Neurons of a frame, by dimension: the first program has nine digits with them, in 20 ms of one core."""
QUICK_SYSTEM = 300
"""The most neurons of a frame, of all unknowns together."""
POOR = 0.03
"""A frame with a larger estimated error is not reused: its features are chosen again."""
NUMBER = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+")


@dataclass
class Reuse:
    """What a frame leaves for the next one of the same kind."""

    kind: str = ""
    choice: Choice | None = None
    last: Solution | None = None


def kind_of(table: dict[str, Any]) -> str:
    """Problems whose texts differ only in the numbers of their domain and parameters are of one kind."""
    said = {k: table.get(k) for k in ("coordinates", "unknowns", "equations", "conditions", "definitions")}
    return repr((said, NUMBER.sub("#", str(table.get("domain"))), sorted(table.get("parameters", {}))))


@on_one_thread
def quick(file: ProblemFile, table: dict[str, Any], reuse: Reuse) -> Solution:
    """One small network, using what the last frame found."""
    kind = kind_of(table)
    if kind != reuse.kind:
        reuse.kind, reuse.choice, reuse.last = kind, None, None
    problem = file.problem
    if isinstance(problem.domain, Pieces):
        return file.unwarned()
    unknowns = len(problem.unknowns)
    neurons = max(min(QUICK[problem.domain.dimension], QUICK_SYSTEM // unknowns), 60)
    plan = Plan(problem, neurons=neurons, parameters=file.parameters, **_iteration(file))
    choice, start = _moved(reuse, file), reuse.last
    if choice is None:
        choice, start = features_for(plan, neurons)
        if start is not None and start.status != "converged":
            start = None
    solution = solve_with(plan, (choice.space(neurons, 0),) * unknowns, None if plan.linear else start)
    if not solution.error < POOR and reuse.choice is not None:  # the old features no longer fit
        choice, start = features_for(plan, neurons)
        converged = start is not None and start.status == "converged"
        solution = solve_with(plan, (choice.space(neurons, 0),) * unknowns, start if converged else None)
    good = solution.error < POOR
    reuse.choice, reuse.last = (choice, solution) if good else (None, None)
    return solution


def _iteration(file: ProblemFile) -> dict[str, Any]:
    return {k: v for k, v in file.settings.items() if k in ("strategy", "guess", "continuation", "points")}


def _moved(reuse: Reuse, file: ProblemFile) -> Choice | None:
    """The choice of the last frame on the domain of this one."""
    choice = reuse.choice
    if choice is None:
        return None
    enrichment = choice.enrichment
    moved = None if enrichment is None else replace(enrichment, domain=file.problem.domain)
    return replace(choice, enrichment=moved)
