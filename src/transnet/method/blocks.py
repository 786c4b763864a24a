"""Polynomials in the blocks of a body made of boxes, in weak form: solids, heat sinks, brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, log

import numpy as np

from transnet.drive.facts import Facts
from transnet.drive.method import Expanded, Fit, Level, Refusal
from transnet.drive.plan import Plan
from transnet.judge.diagnose import data_messages
from transnet.judge.expanded import expanded_solution, probing_blocks
from transnet.remedies import Remedy
from transnet.rows.jumps import may_be_rough
from transnet.solution.diagnostics import Coarser, Tried
from transnet.solution.solution import Solution

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
"""The least part of the distance of two levels that the error of the second is taken for."""
SMOOTH = tuple((0, degree) for degree in (3, 4, 5, 6, 7, 8, 9, 10))
"""The same without such edges."""
MOST = 36_000
"""Values on faces of blocks; their factors have 80 million numbers."""
CALLS, PER_VALUE = 0.03, 1.1e-8
"""Seconds of a level, a + b n^2: measured 0.09 s for 3,000 values on faces, 1.4 for 9,200 and 3.6 for 17,700."""


def level_seconds(values: float) -> float:
    """The predicted time of a level with so many values on faces."""
    return CALLS + PER_VALUE * values**2


@dataclass(frozen=True, eq=False)
class BlockLevel(Expanded):
    """A level with polynomials in blocks.

    Parameters
    ----------
    before : BlockLevel, optional
        The level before it.
    apart : float
        Its distance.
    costs : tuple of float
        The predicted seconds of this level and of those that follow.
    rate : float
        That distance over the one before it; zero if the level has another layer at its edges.
    """

    before: BlockLevel | None = None
    apart: float = inf
    costs: tuple[float, ...] = ()
    rate: float = 1.0

    @property
    def cost(self) -> float:
        return self.costs[0]

    def error(self, previous: Level | None) -> float:
        return self.apart * min(1.0, max(self.rate / (1.0 - self.rate), LEAST)) if self.rate < 1.0 else self.apart

    def solution(self, error: float) -> Solution:
        last = self.before
        coarser = None if last is None else Coarser(last.basis, last.coefficients, self.apart)
        if not self.facts.materials and not self.facts.block_edges:
            found = super().solution(error)
            return replace(found, diagnostics=replace(found.diagnostics, coarser=coarser))
        # Second derivatives are not bounded at edges, and the weak form does not need them: residuals say nothing.
        problem, numbers = self.facts.problem, self.facts.numbers
        told = () if self.facts.materials else data_messages(problem, probing_blocks(problem), numbers)
        return expanded_solution(
            problem, self.basis, self.coefficients, self.facts.values, solver=self.words, error=error,
            seconds={"solve": self.cost}, messages=tuple(told), coarser=coarser,
        )  # fmt: skip

    def next_seconds(self) -> float:
        return self.costs[1] if len(self.costs) > 1 else inf

    def remaining(self, goal: float) -> float:
        error = self.error(None)
        needed = ceil(log(goal / error) / log(self.rate)) if 0.0 < self.rate < 1.0 else 1
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
        layers, degree = EDGED[2] if stated.graded else SMOOTH[2]
        count = _count(stated.planes(_size(stated), layers, RATIO))
        seconds = level_seconds(_values(count, degree, stated.unknowns))
        words = f"about {count} blocks with polynomials of degree {degree}"
        return Fit(seconds, words, ALONG_EDGES, ALONG_EDGES) if stated.graded else Fit(seconds, words)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.blocks.solve import solve_blocks
        from transnet.blocks.stated import BlockProblem

        stated = facts.blocks
        assert isinstance(stated, BlockProblem)
        size = _size(stated)
        ahead = [
            (planes, degree, layers, _values(_count(planes), degree, stated.unknowns))
            for layers, degree in (EDGED if stated.graded else SMOOTH)
            for planes in [stated.planes(size, layers, RATIO)]
        ]
        costs = tuple(level_seconds(values) for *_, values in ahead if values <= MOST)
        last, before, layered = None, inf, 0
        for k, (planes, degree, layers, _) in enumerate(ahead[: len(costs)]):
            found = solve_blocks(stated, planes, degree)
            if found is None:
                return
            level = BlockLevel(facts, *found, found[0].summary(), costs=costs[k:])
            if last is not None:
                apart = Expanded.error(level, last)
                rate = 0.0 if layers > layered else apart / before if before < inf else 1.0
                level = replace(level, before=replace(last, before=None), apart=apart, rate=rate, sure=k > 1)
                before = apart
            last, layered = level, layers
            yield level

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words."""
        words = f"The {best.basis.summary()} have an estimated relative error of {best.error:.1e}."
        return f"{words} Edges at which derivatives are unbounded limit it.", {}


def _count(planes: Sequence[np.ndarray]) -> int:
    """Blocks between planes, inside the body and outside."""
    return int(np.prod([len(p) - 1 for p in planes]))


def _values(blocks: int, degree: int, unknowns: int) -> float:
    """Values on the faces of blocks: three faces, three edges and a corner belong to each."""
    inner = degree - 1
    return float(unknowns * blocks * (3 * inner**2 + 3 * inner + 1))


def _size(stated: object) -> float:
    """The size of blocks: the thickness of the body, or what leaves few of them."""
    from transnet.blocks.stated import BlockProblem

    assert isinstance(stated, BlockProblem)
    extents = [float(np.ptp(p)) for p in stated.body.planes]
    size = min(extents)
    while _count(stated.planes(size, 0, RATIO)) > FEW and size < max(extents):
        size *= WIDER
    return size
