"""Polynomials in the blocks of a body made of boxes, in weak form: solids, heat sinks, brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from transnet.drive.facts import Facts
from transnet.drive.method import Expanded, Fit, Level, Refusal
from transnet.drive.plan import Plan
from transnet.judge.diagnose import data_messages
from transnet.judge.expanded import expanded_solution
from transnet.remedies import Remedy
from transnet.rows.jumps import may_be_rough
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Coarser, Tried
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.blocks.stated import BlockProblem

FEW = 48
"""Blocks that are as thin as the body, at most; a wide plate has wider ones."""
WIDER = 1.25
"""The step by which they are made wider."""
RATIO = 0.15
"""The thickness of a layer at an edge, in units of the next: the optimum for unbounded derivatives is 0.17."""
EDGED = ((1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 7), (3, 8))
"""Layers at edges and degrees of the levels: a cantilever has relative errors of 1e-3 at (1, 3), 3e-4 at (1, 4) and
1.5e-4 at (1, 5). Each has a higher degree than the one before, or their distance would say nothing of the degree."""
LEAST = 0.3
"""The least part of an error that is taken to be left by the next level."""
USUAL = 5
"""Levels of a usual problem."""
SMOOTH = tuple((0, degree) for degree in (3, 4, 5, 6, 7, 8, 9, 10))
"""The same without such edges."""
MOST = 36_000
"""Values on faces of blocks; their factors have 80 million numbers."""
CALLS, PER_VALUE = 0.03, 1.1e-8
"""Seconds of a level, a + b n^2: measured 0.09 s for 3,000 values on faces, 1.4 for 9,200 and 3.6 for 17,700."""


def level_seconds(values: float) -> float:
    """The predicted time of a level with so many values on faces."""
    return CALLS + PER_VALUE * values**2


class Ahead(NamedTuple):
    """A level that is planned: its planes, blocks, degree, layers at edges, and the values on its faces."""

    planes: Sequence[np.ndarray]
    blocks: int
    degree: int
    layers: int
    values: float


@dataclass(frozen=True, eq=False)
class BlockLevel(Expanded):
    """A level with polynomials in blocks.

    Parameters
    ----------
    estimate : float
        Its estimated error.
    rate : float
        What an error becomes from level to level.
    costs : tuple of float
        The predicted seconds of this level and of those that follow.
    coarser : Coarser, optional
        The level before it.
    """

    estimate: float = inf
    rate: float = 1.0
    costs: tuple[float, ...] = ()
    coarser: Coarser | None = None

    @property
    def cost(self) -> float:
        return self.costs[0]

    def error(self, previous: Level | None) -> float:
        return self.estimate

    def solution(self, error: float) -> Solution:
        if not self.facts.materials and not self.facts.block_edges:
            found = super().solution(error)
            return replace(found, diagnostics=replace(found.diagnostics, coarser=self.coarser))
        # Second derivatives are not bounded at edges, and the weak form does not need them: residuals say nothing.
        problem, numbers = self.facts.problem, self.facts.numbers
        told = () if self.facts.materials else data_messages(problem, statements_of(problem, lagged=False), numbers)
        return expanded_solution(
            problem, self.basis, self.coefficients, self.facts.values, solver=self.words, error=error,
            seconds={"solve": self.cost}, messages=tuple(told), coarser=self.coarser,
        )  # fmt: skip

    def next_seconds(self) -> float:
        return self.costs[1] if len(self.costs) > 1 else inf

    def remaining(self, goal: float) -> float:
        needed = ceil(log(goal / self.estimate) / log(self.rate)) if 0.0 < self.rate < 1.0 < inf else 1
        return sum(self.costs[1 : 1 + max(needed, 1)]) if max(needed, 1) < len(self.costs) else inf


@dataclass(frozen=True)
class Blocks:
    """Polynomials in the blocks of a body made of boxes."""

    name: str = "blocks"
    options: frozenset[str] = frozenset()
    floor: float = 0.02

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        from transnet.blocks.stated import BlockProblem
        from transnet.pieces.solve import ALONG_EDGES

        stated = facts.blocks
        if plan.pieces is False:
            return Refusal("pieces=False rules it out")
        if not isinstance(stated, BlockProblem):
            return Refusal(stated)
        if may_be_rough(facts.problem) or facts.spots:
            return Refusal("something in it is not smooth")
        usual = _ahead(stated)[:USUAL]
        seconds = sum(level_seconds(a.values) for a in usual)
        words = f"about {usual[-1].blocks} blocks with polynomials of degree {usual[-1].degree}"
        return Fit(seconds, words, ALONG_EDGES, ALONG_EDGES) if stated.graded else Fit(seconds, words)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.blocks.solve import solve_blocks
        from transnet.blocks.stated import BlockProblem

        stated = facts.blocks
        assert isinstance(stated, BlockProblem)
        ahead = [a for a in _ahead(stated) if a.values <= MOST]
        costs = tuple(level_seconds(a.values) for a in ahead)
        seen: list[BlockLevel] = []
        apart: list[float] = []
        for k, level in enumerate(ahead):
            found = solve_blocks(stated, level.planes, level.degree)
            if found is None:
                return
            made = BlockLevel(facts, *found, found[0].summary(), costs=costs[k:])
            if k:
                near, last = Expanded.error(made, seen[-1]), seen[-1]
                made = replace(made, coarser=Coarser(last.basis, last.coefficients, near))
                apart.append(Expanded.error(made, seen[-2]) if k > 1 else inf)
                estimate, rate = _extrapolated(apart)
                if level.layers > ahead[k - 1].layers and k > 1:
                    estimate, rate = LEAST * near, LEAST
                made = replace(made, estimate=estimate, rate=rate, sure=estimate < inf)
            seen.append(made)
            yield made

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words."""
        words = f"The {best.basis.summary()} have an estimated relative error of {best.error:.1e}."
        return f"{words} Edges at which derivatives are unbounded limit it.", {}


def _extrapolated(apart: Sequence[float]) -> tuple[float, float]:
    """The error of the last level and what it becomes with the next, from distances over two degrees.

    A degree that is odd may add nothing to a function that is even, so neighbours may agree on something wrong.
    """
    last = apart[-1]
    if len(apart) < 3:
        return last, 1.0
    squared = last / apart[-3] if apart[-3] < inf else (last / apart[-2]) ** 2
    if not squared < 1.0:
        return last, 1.0
    return last * min(1.0, max(squared / (1.0 - squared), LEAST**2)), float(np.sqrt(squared))


def _ahead(stated: BlockProblem) -> list[Ahead]:
    """The levels of a problem. Blocks are as wide as the body is thick, or as leaves few of them."""
    extents = [float(np.ptp(p)) for p in stated.body.planes]
    size = min(extents)
    while _count(stated.planes(size, 0, RATIO)) > FEW and size < max(extents):
        size *= WIDER
    found = []
    for layers, degree in EDGED if stated.graded else SMOOTH:
        planes = stated.planes(size, layers, RATIO)
        count, inner = _count(planes), degree - 1
        # Three faces, three edges and a corner belong to each block.
        found.append(Ahead(planes, count, degree, layers, stated.unknowns * count * (3.0 * inner**2 + 3 * inner + 1)))
    return found


def _count(planes: Sequence[np.ndarray]) -> int:
    """Blocks between planes, inside the body and outside."""
    return int(np.prod([len(p) - 1 for p in planes]))
