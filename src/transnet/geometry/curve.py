"""A closed parametric curve, by arc length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.polynomial import legendre

from transnet.counts import NEWTON
from transnet.measure.arcs import Arc, Located, Weighed
from transnet.measure.checks import number
from transnet.measure.formula import compiled_pair, differentiated, recent_pair
from transnet.measure.pen import Pen
from transnet.measure.rules import gauss
from transnet.tolerances import ROUNDED, SAME

from ..calls import explained
from ..errors import GeometryError
from ..formulas import formula_of
from ..remember import without_caches

PANELS = 128  # pieces of the parameter range, each with a Gauss rule for its length
SMOOTH = 1e-13
"""The last coefficients of the speed on a panel, in units of the first, where it is a polynomial up to rounding."""
CLOSE = 2e-8
"""A step of Newton's method for a parameter, in units of its range, after which the next one is rounding: a step is
about half of the square of the one before."""
EVEN = 0.1
"""The least speed, in units of the largest, with which parameters need no iteration if six digits are enough."""
Function = Callable[[np.ndarray], np.ndarray]
NODES = 16  # nodes of a panel's Gauss rule, and the degree of a polynomial on it: exact to rounding for smooth curves


class Together(tuple[Function, Function]):
    """The two components of one function, which is called once where both are wanted."""

    both: Function

    @classmethod
    def of(cls, both: Function) -> Together:
        """The components of a function whose values have them along the last axis."""
        made = cls((lambda t: both(t)[..., 0], lambda t: both(t)[..., 1]))
        made.both = both
        return made


@explained
@dataclass(frozen=True, eq=False)
class Curve:
    """The closed curve (x(s), y(s)), s from a to b.

    Parameters
    ----------
    point : pair of SymPy expressions of s, or pair of functions of an array
    parameter : (s, a, b), or (a, b) for functions
    name : str, optional
        What to call this part of the boundary.
    derivative : pair of functions, optional
        x'(s) and y'(s) for functions; without it they are found from piecewise Chebyshev interpolants.

    >>> import sympy as sp
    >>> s = sp.Symbol("s")
    >>> Curve((2 * sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi), name="ellipse").length  # doctest: +ELLIPSIS
    9.688448220547...
    """

    point: Sequence[sp.Expr | Function]
    parameter: Sequence[object]
    name: str | None = None
    derivative: Sequence[Function] | None = None

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """A curve; with symbols besides its parameter a recipe for one."""
        from .symbolic import sized

        along = keywords.get("parameter", args[1] if len(args) > 1 else ())
        bound = along[:1] if isinstance(along, Sequence) and len(along) == 3 else ()
        found = sized(cls, args, keywords, bound) if args or keywords else None
        return super().__new__(cls) if found is None else found

    def __post_init__(self) -> None:
        if len(self.point) != 2 or len(self.parameter) not in (2, 3):
            raise GeometryError("A Curve is a pair (x(s), y(s)) with a range (s, a, b). Write both in full.")
        a, b = self.range
        if not a < b:
            raise GeometryError(f"The range ({a:g}, {b:g}) of the curve's parameter is empty or reversed.")
        ends = self.at(np.array([a, b]))
        t = np.linspace(a, b, 2 * PANELS + 1)
        points, speed = self.at(t), np.hypot(*self.velocity(t).T)
        size = float(np.max(np.ptp(points, axis=0)))
        if not np.all(np.isfinite(points)) or not np.all(np.isfinite(speed)):
            bad = t[~np.isfinite(points).all(axis=1) | ~np.isfinite(speed)][0]
            raise GeometryError(f"The curve or its derivative is not finite at parameter {bad:g}. Check its formula.")
        gap = float(np.hypot(*(ends[1] - ends[0])))
        if gap > SAME * size + ROUNDED * float(np.max(np.abs(points))) or size == 0:
            raise GeometryError(
                f"The curve is not closed: it runs from {_place(ends[0])} to {_place(ends[1])}, {gap:g} apart. "
                "Check the range of its parameter."
            )

    def text(self, pen: Pen) -> str:
        """The curve in the formula language."""
        if len(self.parameter) != 3:
            pen.refuse("a curve made of Python functions")
        called = "" if self.name is None else f", name={pen.quoted(self.name)}"
        point = ", ".join(pen.formula(sp.sympify(p)) for p in self.point)
        s, (low, high) = pen.formula(self.parameter[0]), self.range
        return f"{pen.prefix}Curve(({point}), ({s}, {pen.number(low)}, {pen.number(high)}){called})"

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    @cached_property
    def range(self) -> tuple[float, float]:
        """First and last value of the parameter."""
        low, high = self.parameter[-2:]
        return number(low, "the start of the parameter"), number(high, "the end of the parameter")

    @cached_property
    def _functions(self) -> tuple[Sequence[Function], Sequence[Function]]:
        """x, y and x', y' as functions of arrays."""
        if all(callable(f) and not isinstance(f, sp.Basic) for f in self.point):
            place: Sequence[Function] = self.point
            return place, self.derivative if self.derivative else [
                differentiated(f, *self.range, PANELS // 2, NODES) for f in place
            ]
        symbol = self.parameter[0]
        formulas = [formula_of(f, "A coordinate of a Curve", GeometryError) for f in self.point]
        extra = set().union(*(f.free_symbols for f in formulas)) - {symbol}
        if len(self.parameter) != 3 or extra:
            raise GeometryError(
                f"The curve {tuple(formulas)} must depend on its parameter only, given as (s, a, b)"
                + (f"; it also has {', '.join(sorted(map(str, extra)))}." if extra else ".")
            )
        # A user's function may change behind its name.
        known = all(type(f).__module__.startswith("sympy.") for e in formulas for f in e.atoms(sp.Function))
        found = (recent_pair if known else compiled_pair)(symbol, *formulas)
        return Together.of(found[0]), Together.of(found[1])

    def at(self, t: np.ndarray) -> np.ndarray:
        """The points (n, 2) at parameters (n,)."""
        return _evaluated(self._functions[0], t)

    def velocity(self, t: np.ndarray) -> np.ndarray:
        """The derivative (n, 2) with respect to the parameter."""
        return _evaluated(self._functions[1], t)

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Parameters at the ends of the panels, and the arc length up to each."""
        ends = np.linspace(*self.range, PANELS + 1)
        return ends, np.concatenate([[0.0], np.cumsum(self._lengths(ends[:-1], ends[1:]))])

    def _lengths(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        return (stop - start) * (self._along(start, stop) @ gauss(NODES)[1])

    def _along(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """The speed at the nodes of a Gauss rule between parameters: (n, NODES)."""
        t = start[:, None] + np.outer(stop - start, gauss(NODES)[0])
        return np.hypot(*self.velocity(t.ravel()).T).reshape(t.shape)

    @cached_property
    def _expanded(self) -> np.ndarray | None:
        """The coefficients of the speed on each panel in powers of a coordinate from -1 to 1; None if those in Legendre
        polynomials do not decay."""
        ends = self._table[0]
        x, w = gauss(NODES)
        values = legendre.legvander(2.0 * x - 1.0, NODES - 1) * (2.0 * np.arange(NODES) + 1.0)
        found = self._along(ends[:-1], ends[1:]) @ (values * w[:, None])
        if np.abs(found[:, -2:]).max() > SMOOTH * np.abs(found[:, 0]).max():
            return None
        return found @ _powers()

    def _reached(self, panel: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The arc length from the beginnings of panels to parameters in them, and the speed there."""
        ends = self._table[0]
        start, step = ends[panel], ends[panel + 1] - ends[panel]
        if self._expanded is None:
            return self._lengths(start, t), np.hypot(*self.velocity(t).T)
        table, mine = np.vander(2.0 * (t - start) / step - 1.0, NODES + 1, increasing=True), self._expanded[panel]
        k = np.arange(1, NODES + 1)
        whole = (table[:, 1:] - (-1.0) ** k) / k  # the integrals from the beginning
        return 0.5 * step * np.einsum("ni,ni->n", mine, whole), np.einsum("ni,ni->n", mine, table[:, :-1])

    @property
    def length(self) -> float:
        """Length of the whole curve."""
        return float(self._table[1][-1])

    @cached_property
    def area(self) -> float:
        """The area inside by Green's theorem, negative if the curve runs clockwise."""
        x, w = gauss(NODES)
        ends = self._table[0]
        t = (ends[:-1, None] + np.outer(np.diff(ends), x)).ravel()
        points, velocity = self.at(t), self.velocity(t)
        points = points - points.mean(axis=0)
        turn = (points[:, 0] * velocity[:, 1] - points[:, 1] * velocity[:, 0]) / 2
        return float(np.sum(turn.reshape(-1, NODES) @ w * np.diff(ends)))

    def parameters(self, s: np.ndarray, roughly: bool = False) -> np.ndarray:
        """The parameters at arc lengths s, by Newton's method within the panel; or to a few digits."""
        ends, total = self._table
        panel = np.clip(np.searchsorted(total, s, side="right") - 1, 0, PANELS - 1)
        start, stop = ends[panel], ends[panel + 1]
        rest, whole = s - total[panel], np.maximum(total[panel + 1] - total[panel], 1e-300)
        t = start + (stop - start) * rest / whole
        if len(t):
            # The cubic with the slopes at both ends is so close that one or two steps remain.
            part, step = rest / whole, stop - start
            first, last = whole / self._speeds[panel] / step - 1.0, whole / self._speeds[panel + 1] / step - 1.0
            bent = part * (1.0 - part) * ((1.0 - part) * first - part * last)
            t = np.clip(start + step * (part + bent), start, stop)
        if roughly and self._expanded is not None and self._speeds.min() > EVEN * self._speeds.max():
            return t
        for _ in range(NEWTON if len(t) else 0):
            length, speed = self._reached(panel, t)
            before, t = t, np.clip(t - (length - rest) / np.maximum(speed, 1e-300), start, stop)
            if np.abs(t - before).max() <= CLOSE * (self.range[1] - self.range[0]):
                break
        return t

    @cached_property
    def _speeds(self) -> np.ndarray:
        """The speed at the ends of the panels."""
        return np.maximum(np.hypot(*self.velocity(self._table[0]).T), 1e-300)

    def normals(self, t: np.ndarray, outward: float) -> np.ndarray:
        """Unit normals: to the right of a curve run anticlockwise, times `outward`."""
        velocity = self.velocity(t)
        turned = np.stack([velocity[:, 1], -velocity[:, 0]], axis=-1) * (outward * np.sign(self.area))
        return turned / np.linalg.norm(turned, axis=1, keepdims=True)

    def arc(self, outward: float) -> Arc:
        """The curve by arc length, its normals pointing out of its inside (1) or into it (-1)."""

        def at(s: np.ndarray) -> Located:
            t = self.parameters(s)
            return self.at(t), self.normals(t, outward)

        def rule(a: float, b: float, m: int) -> Weighed:
            # The formula is smoother in its own parameter than in the arc length.
            low, high = self.parameters(np.array([a, b]))
            x, w = gauss(m)
            t = low + (high - low) * x
            return self.at(t), self.normals(t, outward), w * (high - low) * np.hypot(*self.velocity(t).T)

        return Arc(self.length, at, rule)


@lru_cache(maxsize=1)
def _powers() -> np.ndarray:
    """The coefficients of Legendre polynomials, a row each."""
    found = np.zeros((NODES, NODES))
    for k, row in enumerate(np.eye(NODES)):
        made = legendre.leg2poly(row)
        found[k, : len(made)] = made
    return found


def _evaluated(functions: Sequence[Function], t: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):  # values that are not finite are reported when the curve is made
        if isinstance(functions, Together):
            return functions.both(t)
        return np.stack([np.broadcast_to(np.asarray(f(t), float), t.shape) for f in functions], axis=-1)


def _place(point: np.ndarray) -> str:
    return f"({point[0]:g}, {point[1]:g})"
