"""The region where a formula is negative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.geometry import sweep
from transnet.measure import crofton, specks
from transnet.measure.alike import learn_from_another
from transnet.measure.arcs import Arc
from transnet.measure.checks import ranges
from transnet.measure.contour import Field, Gradient, level_arc, trace
from transnet.measure.formula import compiled_level
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule, tolerance
from transnet.measure.sampling import check_draw, quasi, thin

from ..arrays import constant
from ..calls import explained
from ..errors import GeometryError
from ..formulas import formula_of
from .domain import Domain, Surface

# Cells per axis of the grid on which the region is searched, by dimension: smaller details may be missed.
CELLS = {1: 4096, 2: 257, 3: 65}
COARSE = 16
"""Cells along each axis of the grid in four and more dimensions."""
SIDE, POOL = 4096, 8000
"""Points on each side of the box, which the region must not reach, and surface points that define the bounding box."""
MISSED = (1e-5, 2e-3)
"""By how much, relative to the extent, samples of a plane curve and of a surface miss its extremes."""
CHOSEN_FROM, NODES = (3, 16), 40_000
"""Candidates from which one well-spread point is chosen, at least and at most; the most in all, and nodes for the
volume."""
TORN, RIM = 0.05, 4.0
"""How far the areas of the rule and of the grid may differ, as a part of it and in cells along the rim of a region of
so many cells; sixty random outlines, with corners and holes, are within it."""
STAR = 0.02
"""The smallest sine of the angle at which rays from the middle cross the surface of a star-shaped region."""
AROUND = 10
"""How many times more nodes a star-shaped region has around than along a ray."""


@explained
@dataclass(frozen=True, init=False, repr=False)
class LevelSet(Domain):
    """The points of a box where a SymPy formula of the coordinates is negative.

    `LevelSet(x**2 + y**2 - 1, x=(-2, 2), y=(-2, 2))`, or with an inequality, `x**2 + y**2 < 1`. The region must keep
    clear of the sides of the box. Its boundary is one part, called `name`.
    """

    formula: sp.Expr
    name: str
    sides: tuple[tuple[str, float, float], ...]

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """A level set; with symbols that have no range, besides two coordinates that do, a recipe for one."""
        ranged = [k for k in keywords if k not in ("name", "formula")]
        return super().__new__(cls, *args, **keywords) if len(ranged) > 1 else super().__new__(cls)

    def __init__(self, formula: sp.Expr, name: str = "surface", **box: Sequence[object]) -> None:
        object.__setattr__(self, "formula", formula_of(below(formula), "The formula of a LevelSet", GeometryError))
        if self.formula.has(AppliedUndef, sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan):
            raise GeometryError(f"The formula of a LevelSet is a real formula of the coordinates, not {self.formula}.")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "sides", ranges("LevelSet", box))
        missing = sorted({str(s) for s in self.formula.free_symbols} - set(box))
        if missing or len(box) < 2:
            raise GeometryError(
                f"A LevelSet needs a range for each coordinate of its formula (two or more); "
                f"{', '.join(missing) or 'one'} lacks it. Write LevelSet(formula, x=(-2, 2), y=(-2, 2))."
            )
        learn_from_another(self)
        if self._wrong:
            raise GeometryError(self._wrong)

    def __repr__(self) -> str:
        return f"LevelSet({self.formula} < 0)"

    def text(self, pen: Pen) -> str:
        return (
            f"{pen.prefix}LevelSet({pen.formula(self.formula)}, name={pen.quoted(self.name)}, {pen.ranges(self.sides)})"
        )

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(name for name, _, _ in self.sides)

    @cached_property
    def box(self) -> np.ndarray:
        """The box (2, d) in which the region was said to lie."""
        return np.array([[low, high] for _, low, high in self.sides]).T

    @cached_property
    def _compiled(self) -> tuple[Field, Gradient]:
        return compiled_level(self.formula, [name for name, _, _ in self.sides])

    def _value(self, points: np.ndarray) -> np.ndarray:
        """The formula at points; positive outside the box and where it has no value."""
        value = self._compiled[0](points)
        good = value == value  # positive where the formula is not a number
        for x, (low, high) in zip(points.T, self.box.T, strict=True):
            good &= (x >= low) & (x <= high)
        return np.where(good, value, np.inf)

    def _slope(self, points: np.ndarray) -> np.ndarray:
        return self._compiled[1](points)

    @cached_property
    def _sampled(self) -> tuple[np.ndarray, np.ndarray]:
        """The points of a grid, (*cells, d), or of a low-discrepancy set, (n, d), and the formula there."""
        low, high = self.box
        d = self.dimension
        if d in CELLS:
            axes = (np.linspace(a, b, CELLS[d] + 1) for a, b in zip(low, high, strict=True))
            points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        else:
            points = low + quasi(2**18, d, np.random.default_rng(0)) * (high - low)
        return points, self._value(points.reshape(-1, d)).reshape(points.shape[:-1])

    @cached_property
    def _coarse(self) -> np.ndarray:
        """Sampled points that are inside."""
        points, values = self._sampled
        return points[values < 0]

    @property
    def _speck(self) -> str | None:
        """What is said of a hole or a piece that the grid would miss."""
        if self.dimension not in CELLS:
            return None
        cell = np.ptp(self.box, axis=0) / CELLS[self.dimension]
        points, values = self._sampled
        names = [name for name, _, _ in self.sides]
        found = specks.of_branches(
            self.formula, names, self.box, self._value, cell, float(np.abs(values[values < 0]).max())
        )
        found = found or specks.between(self._value, points, values)
        if found is None:
            return None
        place, size = found
        where = ", ".join(f"{c:.4g}" for c in place)
        return (
            f"{self} has a hole or a piece of size {size:.2g} near ({where}), which the grid on which its boundary is "
            f"found, with cells of {cell.max():.2g}, would miss. Subtract or add it as a shape of its own, such as - "
            f"tn.Disk(center=({where}), radius={size / 2:.2g}), or make the box tighter."
        )

    def _other_than_counted(self, area: float) -> str | None:
        """What is said of an area in the plane that is not that of the grid."""
        counted, cell = len(self._coarse), float(np.prod(np.ptp(self.box, axis=0))) / CELLS[2] ** 2
        if abs(area / cell - counted) <= max(TORN * counted, RIM * np.sqrt(counted)):
            return None
        return (
            f"The outline of {self} encloses an area of {area:.3g}, but where the formula is negative is "
            f"{counted * cell:.3g} large: the outline has cusps or spikes too fine for the grid on which it is found, "
            f"with {CELLS[2]} cells along each side. Describe it by its curves, tn.Region(tn.Curve(...)), or make the "
            f"box tighter."
        )

    @cached_property
    def _wrong(self) -> str | None:
        """What is wrong with the region, if anything."""
        if len(self._coarse) == 0:
            return (
                f"{self} is an empty domain: the formula is nowhere negative in its box (or only in specks). "
                "The inside is where it is negative: check its sign, and the ranges of the coordinates."
            )
        if (speck := self._speck) is not None:
            return speck
        low, high = self.box
        rng = np.random.default_rng(0)
        for axis, name in enumerate(self.names):
            for end in (low, high):
                points = low + quasi(SIDE, self.dimension, rng) * (high - low)
                points[:, axis] = end[axis]
                touching = points[self._value(points) <= 0]
                if len(touching):
                    place = ", ".join(f"{c:g}" for c in touching[0])
                    return (
                        f"{self} reaches the side {name}={end[axis]:g} of its box, e.g. at ({place}). "
                        "Give wider ranges, so that all of it is in the box; cut it with '&' afterwards if need be."
                    )
        points = self._chains[0] if self.dimension == 2 else self._pool
        slope = _lengths(self._slope(points))
        if np.all(slope > 0):
            return None
        place = ", ".join(f"{c:g}" for c in points[~(slope > 0)][0])
        return (
            f"{self} has no normal at ({place}): the formula's gradient vanishes there. "
            "Take a formula that changes sign at a finite rate (not a square)."
        )

    @cached_property
    def _hull(self) -> np.ndarray:
        """A box around the region with a margin: what was found on the grid and one and a half cells."""
        low, high = self._coarse.min(axis=0), self._coarse.max(axis=0)
        cell = (self.box[1] - self.box[0]) / CELLS.get(self.dimension, COARSE)
        return np.array([np.maximum(low - 1.5 * cell, self.box[0]), np.minimum(high + 1.5 * cell, self.box[1])])

    @cached_property
    def _chains(self) -> list[np.ndarray]:
        return trace(self._value, self._hull, CELLS[2])

    @cached_property
    def _pool(self) -> np.ndarray:
        return crofton.surface(self._value, self._slope, self._hull, POOL, "quasi", np.random.default_rng(0))[0]

    @cached_property
    def bounds(self) -> np.ndarray:
        found = np.concatenate(self._chains) if self.dimension == 2 else self._pool
        low, high = found.min(axis=0), found.max(axis=0)
        # Samples miss the extremes by a fraction of the square of their spacing.
        pad = (MISSED[0] if self.dimension == 2 else MISSED[1]) * (high - low)
        return constant([np.maximum(low - pad, self._hull[0]), np.minimum(high + pad, self._hull[1])])

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.name,)

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        value = self._value(points)
        if sign == 0:
            return value <= 0
        room = tolerance(self._hull) * _lengths(self._slope(points))
        return value <= sign * np.where(np.isnan(room), 0.0, room)

    @cached_property
    def _level_arcs(self) -> tuple[Arc, ...]:
        return tuple(level_arc(self._value, self._slope, chain) for chain in self._chains)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return self._level_arcs

    @cached_property
    def _swept(self) -> tuple[float, float]:
        """Area and volume from many lines; in space along the axes, above it in random directions."""
        if self.dimension == 3:
            return crofton.area_and_volume(self._value, self._slope, self._hull)
        rng, (low, high) = np.random.default_rng(0), self.bounds
        points = low + quasi(2**18, self.dimension, rng) * (high - low)
        area = crofton.surface(self._value, self._slope, self._hull, 2**14, "quasi", rng)[1]
        return area, float(np.mean(self._inside(points, 0)) * np.prod(high - low))

    def _measure(self, part: str) -> float:
        return super()._measure(part) if self.dimension == 2 else self._swept[0]

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return super()._draw(part, n, kind, rng)
        # Many more than needed, to choose a well-spread set from.
        many = n if kind == "random" else max(POOL // 2, int(n * np.clip(NODES / n, *CHOSEN_FROM)))
        points = crofton.surface(self._value, self._slope, self._hull, many, kind, rng)[0]
        points = points[rng.permutation(len(points))[:n] if kind == "random" else thin(points, n)]
        slope = self._slope(points)
        return Surface(points, slope / np.linalg.norm(slope, axis=1, keepdims=True))

    @cached_property
    def _star_shaped(self) -> bool:
        """Whether every ray from the middle leaves the region once, judging by many points of its boundary."""
        if self.dimension > 3 or (self.dimension == 2 and len(self._chains) > 1):
            return False
        points = self._chains[0] if self.dimension == 2 else self._pool
        away, slope = points - sweep.middle(self), self._slope(points)
        return bool(np.all(np.sum(away * slope, axis=1) > STAR * _lengths(away) * _lengths(slope)))

    @cached_property
    def volume(self) -> float:
        if self.dimension != 2 and not self._star_shaped:
            return self._swept[1]
        found = float(self.quadrature(NODES)[1].sum())
        if self.dimension == 2 and (wrong := self._other_than_counted(found)) is not None:
            raise GeometryError(wrong)
        return found

    def quadrature(self, n: int) -> Rule:
        n = check_draw(n, "grid")
        if self._star_shaped and self.dimension == 2:
            radial = max(3, round(np.sqrt(n / AROUND)))
            return sweep.rays(self, max(2, round(n / radial / 2)), radial)
        nodes, weights = sweep.general(self, n)
        # Rays that leave a body more than once miss a little: make the rule exact at least for constants.
        crude = self.dimension == 3 and not self._star_shaped
        return nodes, weights * (self.volume / weights.sum()) if crude else weights


def below(formula: Any) -> Any:
    """An inequality as a formula that is negative where it holds; anything else as it is."""
    if isinstance(formula, (sp.StrictLessThan, sp.LessThan)):
        return formula.lhs - formula.rhs
    if isinstance(formula, (sp.StrictGreaterThan, sp.GreaterThan)):
        return formula.rhs - formula.lhs
    return formula


def _lengths(vectors: np.ndarray) -> np.ndarray:
    return np.linalg.norm(vectors, axis=1)
