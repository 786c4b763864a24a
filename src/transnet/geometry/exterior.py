"""The plane or space outside bodies: unbounded, with a window around the bodies in which it is drawn and sampled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from transnet.measure.arcs import Arc
from transnet.measure.checks import positive
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule

from ..calls import explained, shown
from ..errors import GeometryError
from .box import Box
from .domain import Domain, Surface
from .polygon import Polygon

if TYPE_CHECKING:
    from .corners import Corner, Hole

MARGIN = 1.0
"""How far the window reaches beyond the bodies, in units of half of their largest extent, if nothing is said."""
FRAME = "edge of the window"


@explained
@dataclass(frozen=True, repr=False)
class Exterior(Domain):
    """All points of the plane or of space outside a body, or outside several that are joined by `|`.

    Parameters
    ----------
    body : Domain
        The body that is left out. The parts of the boundary are those of the bodies; normals point into them.
    margin : float, optional
        How far the window in which pictures and samples are taken reaches beyond the bodies, as a length. The solution
        can be evaluated everywhere.
    """

    body: Domain
    margin: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.body, Domain) or isinstance(self.body, Exterior):
            raise GeometryError(
                f"Exterior takes the body that is left out, such as tn.Disk(radius=1), not {shown(self.body)}."
            )
        if self.body.dimension not in (2, 3) or not self.body.solid:
            raise GeometryError(
                f"Exterior takes a body in the plane or in space, but {self.body} has {self.body.dimension} coordinates"
                f"{'' if self.body.solid else ' and is a surface: take the body inside'}."
            )
        if self.margin is not None:
            object.__setattr__(self, "margin", positive(self.margin, "The margin"))
        if self.body.corners_and_holes[1]:
            raise GeometryError(
                f"{self.body} has a hole, so its exterior would consist of two regions that do not touch. Fill the "
                f"hole, and solve inside it as a problem of its own."
            )

    def __repr__(self) -> str:
        return f"Exterior({self.body})"

    def text(self, pen: Pen) -> str:
        margin = "" if self.margin is None else f", margin={pen.number(self.margin)}"
        return f"{pen.prefix}Exterior({self.body.text(pen)}{margin})"

    @cached_property
    def window(self) -> Domain:
        """The part of it that pictures show: a rectangle without the bodies."""
        low, high = np.asarray(self.body.bounds)
        margin = 0.5 * MARGIN * float(np.max(high - low)) if self.margin is None else self.margin
        if self.dimension == 3:
            names = [name or own for name, own in zip(self.names, "xyz", strict=True)]
            ends = zip(low - margin, high + margin, strict=True)
            return Box(**dict(zip(names, ends, strict=True)), name=FRAME) - self.body
        (a, b), (c, d) = low - margin, high + margin
        return Polygon([(a, b), (c, b), (c, d), (a, d)], names=[FRAME] * 4) - self.body

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.body.names

    @property
    def bounds(self) -> np.ndarray:
        return self.window.bounds

    @property
    def volume(self) -> float:
        return float("inf")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return self.body.parts if self.dimension == 3 else tuple(p for p in self.window.parts if p != FRAME)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        if self.dimension == 3:
            return dict(self.body._other_names)
        return {n: p for n, p in self.window.aliases.items() if FRAME not in p and n != "boundary"}

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return ~self.body._inside(points, -sign)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        return self.window._fill(n, kind, rng)

    def _lattice(self, n: int) -> np.ndarray:
        return self.window._lattice(n)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return self.window.arcs(part)

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return self.window._draw(part, n, kind, rng)
        surface = self.body._draw(part, n, kind, rng)
        return Surface(surface.points, -surface.normals)

    def _measure(self, part: str) -> float:
        return self.body._measure(part) if self.dimension == 3 else self.window._measure(part)

    def quadrature(self, n: int) -> Rule:
        raise GeometryError(
            f"An integral over {self} extends to infinity, where waves and potentials fall too slowly. "
            f" Integrate over a part of the boundary, over='{self.parts[0]}', or over a bounded domain of "
            f"your own: nodes, weights = domain.quadrature(10_000); weights @ solution.evaluate(expression, nodes)."
        )

    @cached_property
    def corners_and_holes(self) -> tuple[tuple[Corner, ...], tuple[Hole, ...]]:
        corners, holes = self.window.corners_and_holes
        return tuple(c for c in corners if FRAME not in c.parts), holes

    def __sub__(self, other: Any) -> Domain:
        if not isinstance(other, Domain):
            return super().__sub__(other)
        return Exterior(self.body | other, self.margin)

    def __and__(self, other: Domain) -> Any:
        return other - self.body

    def __or__(self, other: Domain) -> NoReturn:
        raise GeometryError(f"Cannot join {self} with {shown(other)}: leave out a smaller body instead.")

    def __mul__(self, other: Domain) -> NoReturn:
        raise GeometryError(
            f"Evolutions on the unbounded domain {self} are not solved: its functions are those of steady fields and "
            f"of waves of one frequency. Put a wall with an absorbing condition around a bounded part instead."
        )
