"""A nonlinear problem on fixed points with fixed neurons: its residual, its linearisation and their weighted rows.

An iterate is represented by the values of its slots, D^k u at the points of each block. They depend linearly on the
output weights, so a line search only evaluates the residual's formulas, not the neurons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.arrays import NEGLIGIBLE
from transnet.basis.basis import Basis
from transnet.basis.expansion import Slot
from transnet.counts import SAMPLE
from transnet.iterate.jets import Jet
from transnet.linalg.least_squares import Coefficients, Solver
from transnet.linalg.memory import DOUBLE, available_memory
from transnet.linalg.sizes import rms
from transnet.linalg.triangle import Triangle
from transnet.measure.sampling import spread
from transnet.rows.assembly import weight_of
from transnet.rows.blocks import Block, Linearisation

SHARE = 0.3
"""The part of the free memory in which the features' derivatives are kept; beyond that, every step computes them
again."""
REWEIGHT = 4.0
"""A block whose rows grow or shrink by more than this gets a new weight."""

Slots = list[list[np.ndarray]]
"""For each block, the values of its slots at its points (for periodicity: here minus there)."""


@dataclass(frozen=True, eq=False)
class Iterate:
    """The state of an iteration: the slots' values at the points, the unknowns' values at a sample, the output weights.

    A starting guess that is a formula has no output weights yet; they are None until a step needs them.
    """

    slots: Slots
    values: list[np.ndarray]
    coefficients: np.ndarray | None


class System:
    """The blocks of a nonlinear problem, ready to be iterated.

    Parameters
    ----------
    blocks : sequence of Block
        The statements and their points.
    basis : Basis
        The features of each unknown.
    parameters : sequence
        The values of the problem's parameters.
    solver : Solver
        How the triangle of a step is solved.
    prior : (k, columns) array or None
        Rows that keep output weights small if noise would make them large; set by `regularised`.
    held : bool
        Whether a linearisation holds the lagged factors (Picard) instead of differentiating (Newton).
    """

    def __init__(
        self, blocks: Sequence[Block], basis: Basis, parameters: Sequence[Any], solver: Solver, held: bool = False
    ) -> None:
        self.blocks, self.basis, self.parameters = tuple(blocks), basis, tuple(parameters)
        self.solver, self.held = solver, held
        self.weights: list[float] = []
        self.prior: np.ndarray | None = None
        self._stack: Triangle | None = None
        inside = blocks[0].points
        self.sample = inside[spread(len(inside), SAMPLE)]
        zero = (0,) * inside.shape[1]
        self.value_slots: list[Slot] = [(k, zero) for k in range(basis.unknowns)]
        wanted: dict[int, tuple[np.ndarray, dict[Slot, None]]] = {id(self.sample): (self.sample, {})}
        wanted[id(self.sample)][1].update(dict.fromkeys(self.value_slots))
        for block in blocks:
            for points in block.nodes.places:
                wanted.setdefault(id(points), (points, {}))[1].update(dict.fromkeys(block.slots))
        elements = sum(Jet.elements(basis, points, list(slots)) for points, slots in wanted.values())
        keep = DOUBLE * elements <= SHARE * available_memory()
        self.jets = {key: Jet(basis, points, list(slots), keep) for key, (points, slots) in wanted.items()}

    def forget(self) -> None:
        """Start afresh: the weights follow the next iterate that is linearised."""
        self.weights, self._stack = [], None

    # -- iterates ----------------------------------------------------------------------------------------------------
    def iterate(self, coefficients: np.ndarray) -> Iterate:
        """The iterate of given output weights."""

        def evaluate(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
            return self.jets[id(points)].derivatives(coefficients, slots)

        slots = [block.nodes.state(evaluate, block.slots) for block in self.blocks]
        sampled = self.jets[id(self.sample)].derivatives(coefficients, self.value_slots)
        return Iterate(slots, sampled, coefficients)

    def between(self, a: Iterate, b: Iterate, length: float) -> Iterate:
        """a + length (b - a)."""
        if length == 1.0:
            return b

        def mix(p: np.ndarray, q: np.ndarray) -> np.ndarray:
            return p + length * (q - p)

        slots = [[mix(p, q) for p, q in zip(x, y, strict=True)] for x, y in zip(a.slots, b.slots, strict=True)]
        values = [mix(p, q) for p, q in zip(a.values, b.values, strict=True)]
        known = a.coefficients is not None and b.coefficients is not None
        return Iterate(slots, values, mix(a.coefficients, b.coefficients) if known else None)  # type: ignore[arg-type]

    def mixed(self, iterates: Sequence[Iterate], weights: np.ndarray) -> Iterate:
        """The linear combination of iterates that have output weights."""

        def mix(arrays: Iterable[np.ndarray]) -> np.ndarray:
            return np.asarray(sum(w * a for w, a in zip(weights, arrays, strict=True)))

        slots = [
            [mix(i.slots[b][k] for i in iterates) for k in range(len(part))] for b, part in enumerate(iterates[0].slots)
        ]
        values = [mix(i.values[k] for i in iterates) for k in range(len(iterates[0].values))]
        return Iterate(slots, values, mix(i.coefficients for i in iterates if i.coefficients is not None))

    def change(self, a: Iterate, b: Iterate) -> float:
        """The relative L2 distance of b from a, the largest over the unknowns."""
        sizes = np.array([rms(v) for v in b.values])
        sizes = np.maximum(sizes, NEGLIGIBLE * sizes.max(initial=0.0))
        sizes[sizes == 0] = 1.0
        return float(max(rms(q - p) / s for p, q, s in zip(a.values, b.values, sizes, strict=True)))

    # -- residuals ---------------------------------------------------------------------------------------------------
    def residuals(self, iterate: Iterate) -> list[np.ndarray]:
        """F of each block, not weighted; raises if it is not finite."""
        return [b.residual(s, self.parameters) for b, s in zip(self.blocks, iterate.slots, strict=True)]

    def norm(self, iterate: Iterate) -> float:
        """The root of the sum of the squares of the weighted residuals."""
        parts = [w * np.linalg.norm(f) for w, f in zip(self.weights, self.residuals(iterate), strict=True)]
        if self.prior is not None and iterate.coefficients is not None:
            parts.append(np.linalg.norm(self.prior @ iterate.coefficients))
        return float(np.linalg.norm(parts))

    # -- linearisations ----------------------------------------------------------------------------------------------
    def linearise(self, iterate: Iterate) -> list[Linearisation]:
        """The rows of a step for the whole new iterate: J s_new = J s - F (Newton), or with held factors (Picard)."""
        return [b.linearise(self.parameters, s, self.held) for b, s in zip(self.blocks, iterate.slots, strict=True)]

    def weigh(self, linearisations: Sequence[Linearisation]) -> bool:
        """Set the weights if there are none or the rows have changed much; return whether any changed."""
        changed = False
        for k, (block, lin) in enumerate(zip(self.blocks, linearisations, strict=True)):
            if k < len(self.weights) and block.statement.equation.linear:
                continue
            weight = weight_of(block, self.basis, lin.coefficients)
            if k == len(self.weights):
                self.weights.append(weight)
                changed = True
            elif not 1 / REWEIGHT < weight / self.weights[k] < REWEIGHT:
                self.weights[k] = weight
                changed = True
        return changed

    def solve(self, linearisations: Sequence[Linearisation]) -> tuple[np.ndarray, Coefficients]:
        """The triangle [R | c] of the weighted rows and its solution; rows of linear statements are factored once."""
        fixed = [b.statement.equation.linear for b in self.blocks]
        if self._stack is None:
            changing = sum(b.rows for b, f in zip(self.blocks, fixed, strict=True) if not f)
            constant = self._rows(fixed, linearisations)
            self._stack = Triangle.before(constant, changing)
        triangle = self._stack.absorb(self._rows([not f for f in fixed], linearisations))
        if self.prior is not None:
            triangle = triangle.absorb(np.pad(self.prior, ((0, 0), (0, 1))).T.copy().T)
        return triangle.array, triangle.solve(self.solver, self.basis.columns)

    def rows_of(self, linearisations: Sequence[Linearisation]) -> np.ndarray:
        """All weighted rows [A | b], those of the prior included."""
        rows = self._rows([True] * len(self.blocks), linearisations)
        return rows if self.prior is None else np.concatenate([rows, np.pad(self.prior, ((0, 0), (0, 1)))])

    def _rows(self, chosen: Sequence[bool], linearisations: Sequence[Linearisation]) -> np.ndarray:
        """The weighted rows [A | b] of some of the blocks, Fortran-ordered."""
        mine = [k for k, c in enumerate(chosen) if c]
        n = self.basis.columns
        transposed = np.empty((n + 1, sum(self.blocks[k].rows for k in mine)))
        start = 0
        for k in mine:
            block, lin, weight = self.blocks[k], linearisations[k], self.weights[k]
            here = slice(start, start + block.rows)
            self.write(transposed[:n, here], block, lin.coefficients, weight)
            transposed[n, here] = weight * lin.right
            start += block.rows
        return transposed.T

    def write(self, out: np.ndarray, block: Block, coefficients: Sequence[np.ndarray], factor: float) -> None:
        """The transposed rows of a block, times a factor."""

        def write(
            rows: np.ndarray, points: np.ndarray, slots: Sequence[Slot], factors: Sequence[np.ndarray], factor: float
        ) -> None:
            self.jets[id(points)].write(rows, slots, factors, factor)

        block.nodes.write(out, write, block.slots, coefficients, factor, len(block.points))

    def gradient(self, iterate: Iterate) -> tuple[float, np.ndarray]:
        """Half the squared weighted residual and its gradient with respect to the output weights."""
        value, gradient = 0.0, np.zeros(self.basis.columns)
        linear = self.linearise(iterate)
        for block, f, lin, weight in zip(self.blocks, self.residuals(iterate), linear, self.weights, strict=True):
            value += 0.5 * weight**2 * float(f @ f)
            gradient += block.nodes.pull_back(self._pull_back, block.slots, lin.coefficients, weight**2 * f)
        return value, gradient

    def _pull_back(self, points: np.ndarray, slots: Sequence[Slot], parts: Sequence[np.ndarray]) -> np.ndarray:
        return self.jets[id(points)].pull_back(slots, parts)
