"""The beginning of a march: features of space that resolve the initial values, and the state there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from transnet.basis.on_domain import polynomials_on
from transnet.choose.effort import ACCEPTABLE
from transnet.counts import ALONG
from transnet.errors import ProblemError
from transnet.rows.sharp import edges_around, sharp_places, sorted_edges
from transnet.slabs.axes import Axis, Fourier, Polynomials
from transnet.slabs.collocation import Collocation
from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.refine import FIRST_DEGREE, PIECE, finer, tails_of
from transnet.slabs.rough import Rough, carries, rough_places, smoothed_start
from transnet.slabs.space import RegionSpace, Space, space_along
from transnet.slabs.stages import legendre_table
from transnet.slabs.start import initial_state, rates_at_start, refuse_undetermined
from transnet.slabs.stepper import Scheme
from transnet.slabs.stops import forcing_of, stated_on_box, stops_of
from transnet.slabs.systems import free_of_matrix
from transnet.slabs.track import Reached, Settings
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE, ROUNDED

MISFIT = 1e-5
"""If the start violates a boundary condition by more, relative to its terms, there is a jump."""
LATER = 300.0
"""The same for the first time derivative, in tolerances if that is more: without layers a relative misfit of m left an
error of at most 3e-4 m (sin(pi x) + d x(1 - x) cooling, d from 1 to 1e-5), in a tenth of the time."""
CLEAR = 3.0
"""A gap between the start and a boundary condition of less than this many tolerances may be due to resolution, and
slabs are asked for no less than this many times the gap; 10 and 30 are the same (benchmarks/constants.py missed)."""
ONE_SIDED = (-11 / 6, 3, -3 / 2, 1 / 3)
"""A derivative from values at the start and after one, two and three steps: exact up to third powers."""
FALLS = 0.3
"""A misfit that falls by more with more features of space does not count."""
SMALLEST_PIECE, LAYERS = 2e-5, 10
"""The smallest piece at a jump and their number, and FIRST, the first slab, as parts of the interval and of time."""
FIRST = 1e-9
REFINEMENTS = 14
"""How often features of space are added for the start: twelve halvings end at a kink."""
LARGEST_PIECE = 0.4
"""The widest piece towards a side, in units of space."""
TAIL = 0.1
"""The last coefficients of a resolved start, in units of the tolerance."""
UNRESOLVED = {False: 1e-4, True: 0.03}
"""The largest error of the start on a domain that is not a box, of diffusion and of waves: beyond that steps in smaller
pieces are better, which waves do not have."""
A_DIGIT, STAGES = 0.6, (4, 12)
"""Stages per digit, and the fewest and the most: at a given accuracy the time hardly depends on it."""


class UnresolvedStart(ProblemError):
    """The polynomials of a domain do not resolve the initial values."""


def first_features(evolution: Evolution, values: tuple[Any, ...] | None = None) -> Space:
    """Features of space to begin with; with the values of parameters, short pieces around what is narrow on a line."""
    low, high = evolution.bounds
    d = len(low)
    if evolution.region is not None:
        return space_along([polynomials_on(evolution.region, FIRST_DEGREE[d])])
    edges = narrow_edges(evolution, values) if d == 1 and values is not None else ()
    if edges:
        return Space((Polynomials(edges, PIECE, bool(evolution.periodic)),))
    axes: list[Axis] = [
        Fourier(float(low[k]), float(high[k]), FIRST_DEGREE[d]) if k in evolution.periodic
        else Polynomials((float(low[k]), float(high[k])), FIRST_DEGREE[d])
        for k in range(d)
    ]  # fmt: skip
    return Space(tuple(axes))


def narrow_edges(evolution: Evolution, values: tuple[Any, ...]) -> tuple[float, ...]:
    """The ends of pieces that grow away from what is narrow in space in the start and the equations; none if nothing
    is.

    Between samples of a start a needle would be missed, and everything else would agree that it is not there.
    """
    axis = 1 - evolution.axis
    low, high = (float(b) for b in evolution.bounds[:, 0])
    edges = {low, high}
    for statement in (*evolution.initial, *evolution.equations):
        box = evolution.problem.domain.bounds.copy()
        at_start = statement in evolution.initial
        box[:, evolution.axis] = evolution.start if at_start else sorted((evolution.start, evolution.stop))
        for places in sharp_places(evolution.problem, statement.equation, values, box):
            edges |= edges_around(places, axis, low, high)
    return sorted_edges(edges)


def first_space(evolution: Evolution, values: tuple[Any, ...], tol: float) -> tuple[Space, np.ndarray]:
    """Features of space that resolve the initial values, and the state there."""
    space, d = first_features(evolution, values), len(evolution.bounds[0])
    free = free_of_matrix(evolution, space, values)
    for _ in range(REFINEMENTS):
        state = initial_state(evolution, space, values)
        richer = finer_than(space, state, tol, free) if d else None
        if richer is None:
            break
        space = richer
    return space, initial_state(evolution, space, values) if richer is not None else state


def layered(
    evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...], settings: Settings
) -> Space | None:
    """Pieces that shrink towards the ends of an interval at which the start does not fit; None if it fits.

    A jump at a wall produces a layer whose width is the root of the elapsed time.
    """
    if len(space.axes) != 1 or not isinstance(space.axes[0], Polynomials):
        return None
    low, high = space.axes[0].edges[0], space.axes[0].edges[-1]
    edges = set(space.axes[0].edges)
    richer = space.richer().richer()
    closer: np.ndarray | None = None
    most = np.array([MISFIT, max(MISFIT, LATER * settings.tol)])
    for side in evolution.sides:
        found = np.array(misfits(evolution, space, state, values, side, settings.least))
        if np.any(found > most):
            # A misfit that falls with more features is not one of the problem: the start is just not resolved yet.
            closer = initial_state(evolution, richer, values) if closer is None else closer
            found = np.where(
                misfits(evolution, richer, closer, values, side, settings.least) > FALLS * found, found, 0.0
            )
        if np.any(found > most):
            widths = (high - low) * np.geomspace(SMALLEST_PIECE, LARGEST_PIECE, LAYERS)
            edges |= set((side.place - side.sign * widths).tolist())
    if len(edges) == len(space.axes[0].edges):
        return None
    return Space((Polynomials(tuple(sorted(edges)), PIECE),))


def gap_of(
    evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...], settings: Settings
) -> tuple[float, Side] | None:
    """The largest relative gap between the start and a boundary condition, and the condition, if it is above the
    tolerance."""
    if len(space.axes) != 1 or not isinstance(space.axes[0], Polynomials):
        return None
    least, sides = settings.least, evolution.sides
    found = [(misfits(evolution, space, state, values, side, least)[0], k) for k, side in enumerate(sides)]
    gap, k = max(found, default=(0.0, 0))
    if gap <= CLEAR * settings.tol:
        return None
    richer = space.richer().richer()
    again = misfits(evolution, richer, initial_state(evolution, richer, values), values, sides[k], least)[0]
    return (gap, sides[k]) if again > FALLS * gap else None


def misfits(
    evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...], side: Side, least: float
) -> tuple[float, float]:
    """By how much the start and its first time derivative violate a condition, relative to its terms."""
    gap, size, slope, steep = gaps(evolution, space, state, values, side, least)
    slope = slope if set(evolution.orders) == {1} else 0.0
    length = abs(evolution.stop - evolution.start)
    size, steep = max(size, BESIDE * steep * length), max(steep, BESIDE * size / length)  # either may be zero at first
    return abs(gap) / max(size, abs(gap)) if gap else 0.0, abs(slope) / max(steep, abs(slope)) if slope else 0.0


def gaps(
    evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...], side: Side, least: float
) -> tuple[float, float, float, float]:
    """The gap between the start and a condition, the size of its terms, which is `least` where it begins at rest, and
    both for their initial rates of change."""
    equation, h = side.statement.equation, BESIDE * (evolution.stop - evolution.start)
    parts = [(number, *evolution.split(index)) for number, index in equation.slots]
    if any(order >= evolution.orders[number] for number, _, order in parts):
        return 0.0, 1.0, 0.0, 1.0
    if max(evolution.orders) > 1:
        moved: np.ndarray | None = np.concatenate([state[1:], np.zeros_like(state[:1])])
    else:
        moved = rates_at_start(evolution, space, state, values)
    place, normal = np.array([[side.place]]), np.zeros((1, 2))
    normal[0, 1 - evolution.axis] = side.sign

    def left(now: np.ndarray, moment: float) -> tuple[float, float]:
        slots = [space.matrix(place, k) @ now[order, number] for number, k, order in parts]
        points = evolution.joined(place, np.array([moment]))
        terms = equation.jacobian(points, normal, values, slots)
        # An unknown may vanish at the wall: its size is taken along the line.
        along = [np.abs(space.at_grid(now[order, number], k)).max() for number, k, order in parts]
        sizes = [abs(float(np.ravel(c)[0])) * float(a) for c, a in zip(terms, along, strict=True)]
        return float(equation.residual(points, normal, values, slots)[0]), max(sizes)

    gap, size = left(state, evolution.start)
    size = max(size, least)
    steep = 0.0 if moved is None else left(moved, evolution.start)[1]
    if moved is None or any(any(k) for _, k, _ in parts):
        return gap, size, 0.0, steep
    # Before the start nothing is known to have a value; a wall that begins to move as t^3 does not move at first.
    after = [left(state + k * h * moved, evolution.start + k * h)[0] for k in range(len(ONE_SIDED))]
    return gap, size, float(np.dot(ONE_SIDED, after)) / h, steep


def finer_than(space: Space, state: np.ndarray, tol: float, free: bool) -> Space | None:
    """A space for a state that this one does not resolve; None if it does, or if there is no finer one."""
    squares = state**2 * space.masses
    sizes = np.sqrt(squares.sum(axis=-1, keepdims=True))
    relative = np.where(sizes > ROUNDED * sizes.max(), state / np.where(sizes > 0, sizes, 1.0), 0.0)
    largest = max(float(t.max()) for t in tails_of(space, relative))
    return finer(space, relative, free, TAIL * tol) if largest > TAIL * tol else None


def stages_for(tol: float) -> int:
    """The best number of stages for a tolerance."""
    return int(np.clip(3 + np.ceil(-A_DIGIT * np.log10(tol)), *STAGES))


AIMS = {(0, True): 1e-10, (0, False): 1e-10, (1, True): 1e-10, (1, False): 1e-8, (2, True): 1e-8, (2, False): 1e-6}
AIM = 1e-6
"""The error that a plain solve aims at, by the dimension of space and whether the problem is linear; AIM if larger."""
MARCHES = 3
"""The most marches: a problem that amplifies errors is marched again with a smaller tolerance for each slab."""


def radau_scheme(evolution: Evolution, values: tuple[Any, ...]) -> Scheme:
    """Slabs of time with polynomials of space."""
    aim = AIMS.get((len(evolution.bounds[0]), evolution.linear), AIM)
    stated = stated_on_box(evolution)
    stops = stops_of(evolution, stated, values)
    least = ROUNDED * forcing_of(evolution, stated, values, stops)
    places = None if evolution.region is None else evolution.region.interior(ALONG, "quasi", 0)
    return Scheme(collocation_from, aim, ACCEPTABLE, MARCHES, stops, least, places)


def collocation_from(
    evolution: Evolution, parameters: Mapping[Any, Any], settings: Settings, start: Solution | None
) -> Collocation:
    """The beginning of a march, or the end of a solution."""
    refuse_undetermined(evolution)
    values = tuple(parameters.values())
    if start is not None:
        return _continued(evolution, values, settings, start)
    space, state = first_space(evolution, values, settings.tol)
    if carries(evolution):
        rough = _rough(evolution, space, state, values, settings)
        if rough is not None:
            place = Reached(evolution.start, rough.space, rough.state, rough.error, rough.space.sizes(rough.state[0]))
            return Collocation(rough.evolution, values, settings, place, rough=rough)
    layers = layered(evolution, space, state, values, settings)
    gap = None
    if layers is not None and not settings.edges:
        space, state = layers, initial_state(evolution, layers, values)
        settings = replace(settings, first=FIRST)
    elif layers is None:
        # A small gap makes no layer, but limits every slab.
        gap = gap_of(evolution, space, state, values, settings)
        settings = settings if gap is None else replace(settings, tol=CLEAR * gap[0])
    # The part of the start that the features do not resolve is an error as well.
    rich = space.richer()
    error = initial_state(evolution, rich, values) - space.transfer(rich)(state)
    sizes = space.sizes(state[0])
    if evolution.region is not None and np.any(rich.sizes(error[0]) > UNRESOLVED[evolution.waves] * sizes.max()):
        raise UnresolvedStart("The initial values are too steep for polynomials on the domain.")
    return Collocation(evolution, values, settings, Reached(evolution.start, space, state, error, sizes), gap)


def _rough(
    evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...], settings: Settings
) -> Rough | None:
    """The smoothed start if its jumps and kinks are carried along; None if it has none."""
    places = rough_places(evolution, space, state, values)
    walls = []
    for side in evolution.sides:
        gap, size, slope, steep = gaps(evolution, space, state, values, side, settings.least)
        length = abs(evolution.stop - evolution.start)
        worst = max(abs(gap), abs(slope) * length)
        if worst > max(MISFIT, CLEAR * settings.tol) * max(size, steep * length, worst):
            walls.append((side, gap, slope))
    return smoothed_start(evolution, places, walls, values) if places or walls else None


def _continued(evolution: Evolution, values: tuple[Any, ...], settings: Settings, start: Solution) -> Collocation:
    """A march from the end of a solution: its state, with its error."""
    basis: SlabBasis = start.basis  # type: ignore[assignment]
    record, space = basis.slabs[-1], basis.spaces[basis.which[-1]]
    assert isinstance(space, Space)
    block = basis.block(start.coefficients, len(basis.slabs) - 1)
    orders = range(max(evolution.orders))
    tau = record.end - record.begin
    state = np.array(
        [(2 / tau) ** k * np.tensordot(legendre_table(np.ones(1), len(block) - 1, k), block, axes=1)[0] for k in orders]
    )
    if isinstance(space, RegionSpace):  # what was read from a file can only be evaluated
        assert evolution.region is not None
        own = space_along([polynomials_on(evolution.region, space.region.degree)])
        space, state = own, space.transfer(own)(state)
    sizes = space.sizes(state[0])
    error = record.estimate * space.transfer(space.richer())(state)
    return Collocation(evolution, values, settings, Reached(record.end, space, state, error, sizes))
