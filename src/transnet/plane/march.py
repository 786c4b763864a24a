"""Slabs of time on plane domains: functions of cells in space, refined where the solution needs it."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Any

import numpy as np

from transnet.cells.plan import SEED_SPACING, finer_sizes
from transnet.cells.solve import first_sizes
from transnet.choose.effort import ACCEPTABLE
from transnet.counts import ALONG
from transnet.errors import ProblemError
from transnet.plane.rules import OpenCellError
from transnet.plane.space import CellSpace, UnresolvedCellsError, space_in
from transnet.plane.statement import PlaneEvolution
from transnet.plane.system import WeakSystem
from transnet.slabs.collocation import Collocation
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.factors import Factors
from transnet.slabs.lengths import BEGINNING, Graded, Lengths
from transnet.slabs.stages import legendre_table
from transnet.slabs.stepper import Scheme, TrialStep
from transnet.slabs.stops import forcing_of, stops_of
from transnet.slabs.track import Reached, Settings
from transnet.solution.solution import Solution
from transnet.steps.fits import start_misfit
from transnet.steps.statement import stated_in_time
from transnet.tolerances import BESIDE

AIM = 1e-5
"""The error that a plain solve aims at."""
MARCHES = 2
"""The most marches: a second one with a smaller tolerance where the errors of slabs add up."""
ADDED = 0.5
"""The part of the tolerance that the ends of all slabs of waves may have together."""
FIRST_DEGREE = (2.0, 1.2)
"""The degree of the first functions, a + b digits of the tolerance: with it smooth problems are not refined."""
DEGREES = (6, 12)
"""The lowest and the highest degree: beyond it smaller cells are better."""
LOCAL, MARKED = 0.3, 0.1
"""If fewer cells than this part have tails that are more than a part of the largest, they are halved; else the degree
of all is raised."""
FAR = 20.0
"""An error of so many tolerances calls for a degree that is higher by four."""
LARGEST = 9000
"""The most functions of a space, of all unknowns."""
MISFIT = 1e-3
"""Initial values that violate a boundary condition by more, relative to its terms, make a layer."""
FOR_LAYERS = 4
"""By how much the degree is higher where the start does not fit: the first layers are not resolved, and with a higher
degree less of their error is left."""
BEGINNINGS = 4
"""How often the first space is refined for the start."""


def cell_scheme(evolution: PlaneEvolution, values: tuple[Any, ...]) -> Scheme:
    """Slabs of time with functions of cells."""
    stated = stated_in_time(evolution.rothe)
    stops = stops_of(evolution, stated, values)
    least = BESIDE * forcing_of(evolution, stated, values, stops)
    return Scheme(cells_from, AIM, ACCEPTABLE, MARCHES, stops, least, evolution.region.interior(ALONG, "quasi", 0))


def cells_from(
    evolution: PlaneEvolution, parameters: Mapping[Any, Any], settings: Settings, start: Solution | None
) -> CellMarch:
    """The beginning of a march, or the end of a solution."""
    values = tuple(parameters.values())
    try:
        fits = _fits(evolution, values)
        space = _first_space(evolution, values, settings.tol, fits)
    except (OpenCellError, np.linalg.LinAlgError):
        raise UnresolvedCellsError("The domain could not be cut into cells.") from None
    t, known = evolution.start, 0.0

    def state_in(space: CellSpace) -> np.ndarray:
        return _start(evolution, space, values)

    if start is not None:
        basis: SlabBasis = start.basis  # type: ignore[assignment]
        record = basis.slabs[-1]
        t, known = record.end, record.estimate

        def state_in(space: CellSpace) -> np.ndarray:
            return _end(evolution, space, basis, start.coefficients)

    for _ in range(BEGINNINGS):
        state, rich = state_in(space), space.richer()
        error = state_in(rich) - space.transfer(rich)(state)
        sizes = space.sizes(state[0])
        if float(np.max(rich.sizes(error[0]))) <= settings.tol * max(float(sizes.max()), settings.least):
            break
        finer = _finer(space, space.tails(state / np.maximum(sizes.max(), 1e-300)), len(evolution.orders))
        if finer is None or finer.columns > LARGEST // 2:
            break
        space = finer
    state, rich = state_in(space), space.richer()
    error = state_in(rich) - space.transfer(rich)(state)
    sizes = space.sizes(state[0])
    error = error + known * space.transfer(rich)(state)
    made = CellMarch(evolution, values, settings, Reached(t, space, state, error, sizes))  # type: ignore[arg-type]
    made.fits = fits or start is not None
    return made


def _fits(evolution: PlaneEvolution, values: tuple[Any, ...]) -> bool:
    """Whether the start is known to fit the conditions on the boundary."""
    known = dict(zip(evolution.problem.parameters, values, strict=False))
    return not evolution.across and start_misfit(evolution.rothe, known) <= MISFIT


def _first_space(evolution: PlaneEvolution, values: tuple[Any, ...], tol: float, fits: bool) -> CellSpace:
    stated = evolution.at_one_moment(values)
    wanted = 2 * round((FIRST_DEGREE[0] - FIRST_DEGREE[1] * log10(tol)) / 2) + (0 if fits else FOR_LAYERS)
    degree = int(np.clip(wanted, *DEGREES))
    return space_in(stated, first_sizes(stated, min(1.0, DEGREES[1] / wanted)), degree, tol)


def _start(evolution: PlaneEvolution, space: CellSpace, values: tuple[Any, ...]) -> np.ndarray:
    """The initial values in the functions of a space: (orders, unknowns, columns)."""
    rule, tiles = space.rule, space.tiles
    assert rule is not None
    assert tiles is not None
    state = np.zeros((max(evolution.orders), len(evolution.orders), space.columns))
    material = tiles.material[rule.cells] if len(tiles.material) else np.zeros(len(rule.cells), dtype=int)
    for u, order in enumerate(evolution.orders):
        for k in range(order):
            found = np.zeros(len(material))
            for m in np.unique(material).tolist():
                mine = material == m
                found[mine] = evolution.at_start(values, u, k, rule.points[mine], m)
            state[k, u] = space.project(found)
    return state


def _end(evolution: PlaneEvolution, space: CellSpace, basis: SlabBasis, coefficients: np.ndarray) -> np.ndarray:
    """The end of a solution in the functions of a space."""
    record, old = basis.slabs[-1], basis.spaces[basis.which[-1]]
    if not isinstance(old, CellSpace):
        raise ProblemError("start is a solution of another kind of march, which cannot be continued in cells.")
    block, tau = basis.block(coefficients, len(basis.slabs) - 1), record.end - record.begin
    carry = old.transfer(space)
    return np.array([
        carry((2 / tau) ** k * np.tensordot(legendre_table(np.ones(1), len(block) - 1, k), block, axes=1)[0])
        for k in range(max(evolution.orders))
    ])  # fmt: skip


def _finer(space: CellSpace, tails: np.ndarray, unknowns: int, far: bool = False) -> CellSpace | None:
    """More functions where the last coefficients are largest, many more if they are `far` too large; None if there
    would be too many."""
    marked = np.flatnonzero(tails > MARKED * tails.max())
    assert space.tiles is not None
    assert space.stated is not None
    try:
        if len(marked) <= LOCAL * len(tails) or space.degree >= DEGREES[1]:
            size = 0.5 * SEED_SPACING * space.tiles.size[marked]
            sizes = finer_sizes(space.tiles, marked, size, space.cut_by, np.zeros(len(tails), dtype=bool))
            made = space_in(space.stated, sizes, space.degree, space.goal)
        else:
            degree = min(space.degree + (4 if far else 2), DEGREES[1])
            made = space_in(space.stated, space.cut_by, degree, space.goal, space.tiles)
    except (OpenCellError, np.linalg.LinAlgError):
        return None
    return made if unknowns * made.columns <= LARGEST else None


class CellMarch(Collocation):
    """An evolution at a place, in functions of cells that can change."""

    fits = True

    def _build(self, space: Any) -> None:
        evolution: Any = self.evolution
        self.system: Any = WeakSystem(evolution, space, self.stages, self.values)
        self.rich: Any = WeakSystem(evolution, space.richer(), self.stages + 1, self.values)
        self.transfer = space.transfer(self.rich.space)
        self.factors: tuple[float, Factors, Factors] | None = None
        self.last: tuple[float, np.ndarray] | None = None

    def lengths(self) -> Lengths:
        evolution: Any = self.evolution
        if self.settings.edges or evolution.waves:
            return super().lengths()
        return Graded(self.length, self.settings.first if self.fits else BEGINNING, self.stages + 1)

    def share(self, tau: float) -> float:
        """Where nothing damps errors those of all slabs add up."""
        return ADDED * tau / self.length if self.evolution.waves else super().share(tau)

    def tails(self, found: TrialStep, scale: np.ndarray) -> tuple[float, float]:
        sizes = (self.space.sizes(found.polynomials) / scale).max(axis=1)
        high, low = max(sizes[-1], 1e-300), max(sizes[-3], 1e-300)
        cells: Any = self.space.tails(found.polynomials / scale[:, None])  # type: ignore[attr-defined]
        return float(np.linalg.norm(cells)), float(high * min(1.0, np.sqrt(high / low)))

    def finer(self, found: TrialStep, scale: np.ndarray, quality: float) -> Any:
        space: Any = self.space
        tails = space.tails(found.polynomials / scale[:, None])
        return _finer(space, tails, len(self.evolution.orders), quality > FAR)

    def adapt(self) -> None:
        """Cells stay as they are."""

    def cause(self, missed: bool) -> str | None:
        if self.fits:
            return None
        return (
            "The start does not fit the conditions on the boundary, or may not: layers that are thin at first are lost"
        )

    @property
    def words(self) -> str:
        return "slabs"

    @property
    def shape(self) -> tuple[int, int]:
        n = self.stages * self.system.unknowns * self.system.columns
        return n, n
