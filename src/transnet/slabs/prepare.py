"""Where a march begins: features of space that resolve the start, and the state there."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.slabs.axes import Axis, Fourier, Polynomials
from transnet.slabs.evolution import Evolution
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.march import DEGREES, March, Place, Settings, finer, tails_of
from transnet.slabs.slab import sizes_of
from transnet.slabs.space import Space
from transnet.slabs.stages import legendre_table
from transnet.slabs.start import initial_state, refuse_undetermined
from transnet.slabs.system import System
from transnet.solution.solution import Solution

FIRST_MODES = 8
"""Fourier modes to begin with."""
REFINEMENTS = 14
"""How often features of space are added for the start: twelve halvings end at a kink."""


def first_space(evolution: Evolution, values: tuple[Any, ...], tol: float) -> tuple[Space, np.ndarray]:
    """Features of space that resolve the start, and the state there."""
    low, high = evolution.bounds
    d = len(low)
    axes: list[Axis] = [
        Fourier(float(low[k]), float(high[k]), FIRST_MODES) if k in evolution.periodic
        else Polynomials((float(low[k]), float(high[k])), DEGREES[d][0])
        for k in range(d)
    ]  # fmt: skip
    space = Space(tuple(axes))
    for _ in range(REFINEMENTS):
        state = initial_state(evolution, space, values)
        richer = finer_than(space, state, tol) if d else None
        if richer is None:
            break
        space = richer
    return space, initial_state(evolution, space, values) if richer is not None else state


def finer_than(space: Space, state: np.ndarray, tol: float) -> Space | None:
    """A space for a state that this one does not resolve; None if it does, or if there is none."""
    squares = state**2 * space.masses
    sizes = np.sqrt(squares.sum(axis=-1, keepdims=True))
    relative = np.where(sizes > 1e-12 * sizes.max(), state / np.where(sizes > 0, sizes, 1.0), 0.0)
    largest = max(float(t.max()) for t in tails_of(space, relative))
    return finer(space, relative) if largest > 0.1 * tol else None


def stages_for(tol: float) -> int:
    """How many stages a tolerance is best reached with."""
    return int(np.clip(3 + np.ceil(-0.6 * np.log10(tol)), 4, 12))


def march_from(evolution: Evolution, values: tuple[Any, ...], settings: Settings, start: Solution | None) -> March:
    """A march that stands at its beginning, or at the end of a solution."""
    refuse_undetermined(evolution)
    if start is not None:
        return _continued(evolution, values, settings, start)
    space, state = first_space(evolution, values, settings.tol)
    system = System(evolution, space, settings.stages, values)
    # What the features do not resolve of the start is an error as well.
    error = initial_state(evolution, space.richer(), values) - state @ space.transfer(space.richer()).T
    return March(evolution, values, settings, Place(evolution.start, space, state, error, sizes_of(system, state[0])))


def _continued(evolution: Evolution, values: tuple[Any, ...], settings: Settings, start: Solution) -> March:
    """A march from the end of a solution: its state, and an error of the size that it had."""
    basis: SlabBasis = start.basis  # type: ignore[assignment]
    record, space = basis.slabs[-1], basis.spaces[basis.which[-1]]
    block = basis.block(start.coefficients, len(basis.slabs) - 1)
    orders = range(max(evolution.orders))
    tau = record.end - record.begin
    state = np.array(
        [(2 / tau) ** k * np.tensordot(legendre_table(np.ones(1), len(block) - 1, k), block, axes=1)[0] for k in orders]
    )
    system = System(evolution, space, settings.stages, values)
    sizes = sizes_of(system, state[0])
    error = record.estimate * state @ space.transfer(space.richer()).T
    return March(evolution, values, settings, Place(record.end, space, state, error, sizes))
