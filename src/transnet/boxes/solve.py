"""From a steady problem on a box in space to its solution: products of polynomials of rising degree.

One network of waves needs thousands of neurons in a cube, and its cost is cubic in them. Products of polynomials along
the axes need no matrix (see `slabs.products`): a step of the iteration takes a few small matrix products, and for
constant coefficients there is only one. The price is that corners, edges and jumps spoil them: degrees are raised only
as long as the error falls quickly, and what does not is left to networks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.arrays import floored
from transnet.boxes.basis import BoxBasis
from transnet.boxes.statement import Steady
from transnet.choose.effort import GOOD, Effort
from transnet.clock import Clock
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.slabs.axes import Axis, Fourier, Polynomials
from transnet.slabs.modes import BoxSystem, separable
from transnet.slabs.refine import BEHIND, tails_of
from transnet.slabs.slab import judge, newton, sizes_of
from transnet.slabs.space import Space
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.solution import Solution

DEGREES = (10, 14, 20, 28, 38, 50, 64, 80, 100)
"""Degrees along an axis; the work grows like the fourth power."""
PER_RADIAN, BEYOND = 0.55, 8
"""Polynomials per radian of the fastest oscillation of the data along an axis, of which resolution takes a half, and
how many more to begin with."""
MOST = 1_000_000
"""Columns: a vector of them takes 8 MB, and an iteration keeps thirty."""
FALLS = 0.3
"""The last coefficients must fall to this part with each degree, or the solution is not smooth enough."""
AIM = 1e-10
"""The error that a plain solve aims at: in a cube of one wavelength ten digits take a tenth of a second."""
SMALLEST = 1e-14
"""The smallest error that is stated."""
HELD_OUT = 60
"""Residuals are evaluated at the points of a network with this many columns."""


@dataclass(frozen=True, eq=False)
class BoxLevel:
    """A solution with given features: coefficients (unknowns, columns), its estimated error, its steps."""

    space: Space
    coefficients: np.ndarray
    error: float
    steps: int


def box_features(steady: Steady, highest: np.ndarray | None) -> Space:
    """Features for the fastest oscillations of the data along each axis."""
    low, high = steady.bounds
    axes: list[Axis] = []
    for k in range(len(low)):
        waves = 0.0 if highest is None else float(highest[k] * (high[k] - low[k]))
        if k in steady.periodic:
            axes.append(Fourier(float(low[k]), float(high[k]), BEYOND + int(waves / (2 * np.pi))))
        else:
            wanted = PER_RADIAN * waves + BEYOND
            degree = next((d for d in DEGREES if d >= wanted), DEGREES[-1])
            axes.append(Polynomials((float(low[k]), float(high[k])), degree))
    return Space(tuple(axes))


def solve_in_box(
    steady: Steady, effort: Effort, values: Mapping[sp.Symbol, Any], highest: np.ndarray | None
) -> Solution | None:
    """The solution if products of polynomials reach what is asked for; None if networks have to."""
    clock, numbers = Clock(), tuple(values.values())
    wanted = AIM if effort.tol is None else effort.tol
    space: Space | None = box_features(steady, highest)
    if space is None or not separable(steady, space, numbers):  # type: ignore[arg-type]
        return None
    best: BoxLevel | None = None
    last, guess = np.inf, None
    while space is not None and space.columns * len(steady.orders) <= MOST:
        level, tail = solved_with(steady, space, numbers, wanted, guess)
        clock.lap("solve")
        if level is None or tail > FALLS * last:
            break
        best = level if best is None or level.error < best.error else best
        if level.error <= wanted or effort.left() <= 0:
            break
        guess, last = level, tail
        space = finer_box(space, level.coefficients)
    if best is None or not best.error <= (GOOD if effort.tol is None else effort.tol):
        return None
    return _solution(steady, best, values, clock)


def solved_with(
    steady: Steady, space: Space, numbers: Sequence[Any], wanted: float, guess: BoxLevel | None
) -> tuple[BoxLevel | None, float]:
    """The solution with given features, and its largest last coefficient."""
    system = BoxSystem(steady, space, 1, numbers)  # type: ignore[arg-type]
    begun = np.zeros((1, system.unknowns, system.columns))
    if guess is not None:
        begun = guess.space.transfer(space)(guess.coefficients)[None]
    none = np.zeros((0, system.unknowns, system.columns))
    found = newton(system, none, 0.0, 1.0, begun, None, wanted, np.zeros(system.unknowns))
    if found is None:
        return None, np.inf
    u = found.stages[0]
    sizes = floored(sizes_of(system, u), SMALLEST)
    tail = max(float(t.max()) for t in tails_of(space, u / sizes[:, None]))
    error = tail
    if tail <= wanted:
        rich = space.richer()
        richer = BoxSystem(steady, rich, 1, numbers)  # type: ignore[arg-type]
        empty = np.zeros((0, system.unknowns, richer.columns))
        judged = judge(richer, space.transfer(rich), none, found, 0.0, 1.0, empty, None)
        if judged is None:
            return None, np.inf
        error = float((judged.inside / sizes).max())
    return BoxLevel(space, u, max(error, SMALLEST), found.steps), tail


def finer_box(space: Space, coefficients: np.ndarray) -> Space | None:
    """More features along the axes on which the last coefficients are largest; None at the limits."""
    tails = [float(t.max()) for t in tails_of(space, coefficients)]
    axes: list[Axis] = []
    for axis, tail in zip(space.axes, tails, strict=True):
        if tail < BEHIND * max(tails):
            axes.append(axis)
        elif isinstance(axis, Fourier):
            axes.append(Fourier(axis.low, axis.high, axis.modes + axis.modes // 2))
        else:
            degree = next((d for d in DEGREES if d > axis.degree), None)
            if degree is None:
                return None
            axes.append(Polynomials(axis.edges, degree))
    return Space(tuple(axes))


def _solution(steady: Steady, level: BoxLevel, values: Mapping[sp.Symbol, Any], clock: Clock) -> Solution:
    problem, numbers = steady.problem, tuple(values.values())
    basis, coefficients = BoxBasis(len(steady.orders), level.space), level.coefficients.ravel()
    blocks = collocate(problem, statements_of(problem, lagged=False), HELD_OUT, None, 0)
    residuals = held_out_residuals(problem, basis, coefficients, numbers, [1.0] * len(blocks), blocks)  # type: ignore[arg-type]
    clock.lap("check")
    known = Diagnostics(
        residuals=residuals,
        solver="modes along the axes",
        rows=basis.columns,
        columns=basis.columns,
        error=level.error,
        amplification=float("nan"),
        stated_rank=basis.columns,
        nested=(),
        seconds=clock.laps,
        messages=tuple(data_messages(problem, blocks, numbers)),
        status="solved" if steady.linear else "converged",
    )
    return Solution(problem, basis, coefficients, dict(values), known)
