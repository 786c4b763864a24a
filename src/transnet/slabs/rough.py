"""Jumps and kinks that a problem of finite speed carries along: smoothed to what pieces of one length resolve.

Diffusion removes a jump of the initial values, and small pieces around it are enough. Advection and waves carry it
through all of space, and pieces would have to be small everywhere. So the start is smoothed around it by a Gaussian,
and boundary conditions that do not fit the start are switched on gradually. The part removed is an error of the start,
which the march carries on like any other, so the estimate includes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.lazy import special
from transnet.slabs.axes import Polynomials
from transnet.slabs.evolution import Evolution, Fade, Side
from transnet.slabs.refine import PIECE, PIECES
from transnet.slabs.space import Space
from transnet.slabs.start import initial_state, says_one

WIDTHS = 5.0
"""The length of a piece over the width of the Gaussian: polynomials of degree 16 then have six digits."""
SHORT = 1e-3
"""Pieces shorter than this part of the interval mark a jump or a kink."""
BROKEN = (1e-5, 1e-2)
"""A value, or a slope, that changes by more than this part of its largest where pieces meet has a jump there."""
REACH = 7.0
"""How many widths around a jump the start is smoothed; the Gaussian ends at six."""
BEGINS = 4.0
"""How many widths after the start a condition that does not fit it has reached half: at the start it is at 1e-8."""
HALVINGS, JUMP = 60, 0.1
"""How often an interval is halved to find a jump, down to rounding, and the part of the change that then counts as
one."""
TAIL, QUADRATURE = 6.0, 24
"""How many widths of a Gaussian count, and Gauss points on each side of a jump: both leave 1e-9."""
LOSS = 0.234
"""The integral of the square of what smoothing removes from a unit jump, in widths: 2 int_0^oo (1 - Phi)^2."""


@dataclass(frozen=True, eq=False)
class Rough:
    """What was smoothed, and the beginning of the march: the features, the state, its error, and that of the walls."""

    evolution: Evolution
    space: Space
    state: np.ndarray
    error: np.ndarray
    floor: np.ndarray
    places: tuple[float, ...]
    walls: tuple[Side, ...]
    width: float


def carries(evolution: Evolution) -> bool:
    """Whether an evolution on an interval is linear and of finite speed: no more derivatives in space than in time."""
    if len(evolution.bounds[0]) != 1 or not evolution.linear:
        return False
    finite = all(0 < max(space) <= time for time, space in zip(evolution.orders, evolution.space_orders, strict=True))
    return finite and all(says_one(evolution, s) for s in evolution.initial)


def rough_places(evolution: Evolution, space: Space, state: np.ndarray, values: Sequence[Any]) -> tuple[float, ...]:
    """Where the start has jumps or kinks: where pieces meet, or where they are short."""
    axis = space.axes[0]
    if not isinstance(axis, Polynomials):
        return ()
    met = []
    for before, behind in axis.joints:
        for order in (0, 1):
            left, right = axis.matrix(np.array([before]), order, -1), axis.matrix(np.array([behind]), order, 1)
            change = np.abs((right - left) @ state.reshape(-1, space.columns).T)[0]
            size = np.abs(axis.matrix(axis.grid[0], order) @ state.reshape(-1, space.columns).T).max(axis=0)
            usual = np.abs(state.reshape(-1, space.columns)).max(axis=1) / (axis.edges[-1] - axis.edges[0]) ** order
            if np.any(change > BROKEN[order] * np.maximum(size, usual)):
                met.append(float(behind))
                break
    short = _short_places(evolution, axis, values)
    near = SHORT * (axis.edges[-1] - axis.edges[0])
    return (*short, *(m for m in met if all(abs(m - s) > 2 * near for s in short)))


def _short_places(evolution: Evolution, axis: Polynomials, values: Sequence[Any]) -> list[float]:
    """Where pieces are short, and the jump within them if there is one."""
    edges = np.array(axis.edges)
    widths = np.diff(edges)
    short = np.flatnonzero(widths < SHORT * (edges[-1] - edges[0]))
    found = []
    for group in np.split(short, np.flatnonzero(np.diff(short) > 1) + 1) if len(short) else []:
        low, high = edges[group[0]], edges[group[-1] + 1]
        smallest = group[np.argmin(widths[group])]
        middle = float(edges[smallest] + widths[smallest] / 2)
        functions = [start_of(evolution, s, values) for s in evolution.initial]
        jumps = [j for f in functions if (j := _jump(f, float(low), float(high))) is not None]
        found.append(jumps[0] if jumps else middle)
    return found


def smoothed_start(
    evolution: Evolution, places: tuple[float, ...], walls: Sequence[tuple[Side, float, float]], values: Sequence[Any]
) -> Rough:
    """The start without its jumps; `walls` has the gap of each condition at the start, and its rate of change."""
    low, high = (float(b[0]) for b in evolution.bounds)
    cyclic = bool(evolution.periodic)
    width = (high - low) / (PIECES * WIDTHS)
    space = Space((Polynomials(tuple(np.linspace(low, high, PIECES + 1).tolist()), PIECE, cyclic),))
    period = high - low if cyclic else None
    near = sorted({p + k * (period or 0.0) for p in places for k in ((-1, 0, 1) if cyclic else (0,))})
    state = np.zeros((max(evolution.orders), len(evolution.orders), space.columns))
    for statement in evolution.initial:
        number, index = statement.equation.slots[0]
        function = start_of(evolution, statement, values)
        if period is not None:
            function = _wrapped(function, low, period)
        rounded = _rounded(function, space.grid[0][:, 0], near, width)
        state[evolution.split(index)[1], number] = space.project(rounded)
    speed = speed_of(evolution, space, values)
    floor, sides = np.zeros(len(evolution.orders)), list(evolution.sides)
    sign = 1.0 if evolution.stop >= evolution.start else -1.0
    for side, gap, slope in walls:
        short = sign * width / speed
        sides[sides.index(side)] = replace(
            side, fade=Fade(evolution.start, gap, slope, evolution.start + BEGINS * short, short)
        )
        lost = np.sqrt(LOSS * (1 + 2 * BEGINS) * width / (high - low)) * (abs(gap) + abs(slope * short))
        for number, index in side.statement.equation.slots:
            order = sum(index)
            floor[number] = max(floor[number], lost * width**order)
    faded = replace(evolution, sides=tuple(sides))
    rich = space.richer()
    error = initial_state(evolution, rich, values) - space.transfer(rich)(state)
    return Rough(faded, space, state, error, floor, places, tuple(side for side, *_ in walls), width)


def start_of(evolution: Evolution, statement: Any, values: Sequence[Any]) -> Callable[[np.ndarray], np.ndarray]:
    """The initial value of an unknown, or of its time derivative, according to a condition, as a function of space."""
    equation, moment = statement.equation, np.array([evolution.start])

    def function(places: np.ndarray) -> np.ndarray:
        points = evolution.joined(places.reshape(-1, 1), moment)
        factor = equation.jacobian(points, None, values)[0]
        return np.asarray(np.broadcast_to(-equation.residual(points, None, values) / factor, places.shape))

    return function


def speed_of(evolution: Evolution, space: Space, values: Sequence[Any]) -> float:
    """The largest speed of propagation, from the coefficients of the highest derivatives."""
    points = evolution.joined(space.grid[0], np.array([evolution.start]))
    found = 0.0
    for statement in evolution.equations:
        equation = statement.equation
        factors = equation.jacobian(points, None, values)
        size = {slot: float(np.abs(c).max()) for slot, c in zip(equation.slots, factors, strict=True)}
        in_time = [
            (o, c) for (_, i), c in size.items() if (o := evolution.split(i)[1]) and not any(evolution.split(i)[0])
        ]
        in_space = [(sum(k), c) for (_, i), c in size.items() if any(k := evolution.split(i)[0])]
        for order, c in in_time:
            found = max([found, *((b / c) ** (1 / order) for k, b in in_space if k == order and c > 0)])
    return found or 1.0


def _jump(function: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float | None:
    """Where a function jumps between two places, by bisection; None if it does not."""
    first, last = function(np.array([low, high]))
    whole = abs(last - first)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        value = float(function(np.array([middle]))[0])
        if abs(value - first) > abs(last - value):
            high, last = middle, value
        else:
            low, first = middle, value
    return 0.5 * (low + high) if whole > 0 and abs(last - first) > JUMP * whole else None


def _wrapped(function: Callable[[np.ndarray], np.ndarray], low: float, period: float) -> Any:
    return lambda places: function(low + np.mod(places - low, period))


def _rounded(
    function: Callable[[np.ndarray], np.ndarray], places: np.ndarray, near: Sequence[float], width: float
) -> np.ndarray:
    """A function at places, smoothed by a Gaussian around where it is rough."""
    found = np.array(function(places))
    if not near:
        return found
    y, w = np.polynomial.legendre.leggauss(QUADRATURE)
    distance = np.abs(places[:, None] - np.array(near)).min(axis=1) / width
    for k in np.flatnonzero(distance < REACH + 4):
        ends = [-TAIL, *(b for r in near if -TAIL < (b := (r - places[k]) / width) < TAIL), TAIL]
        total = 0.0
        for a, b in pairwise(ends):
            z = 0.5 * (a + b) + 0.5 * (b - a) * y
            kernel = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)
            total += 0.5 * (b - a) * float(w @ (kernel * function(places[k] + width * z)))
        share = 0.5 * float(special.erfc(2 * (distance[k] - REACH)))
        found[k] = share * total + (1 - share) * found[k]
    return found
