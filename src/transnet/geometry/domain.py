"""What every domain can do: decide which points are inside, sample itself and its boundary, integrate, combine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from transnet.lazy import Later
from transnet.measure import filling
from transnet.measure.arcs import Arc, along
from transnet.measure.checks import points_array
from transnet.measure.pen import Pen
from transnet.measure.sampling import Seed, apportion, check_draw, generator
from transnet.tolerances import BESIDE

from ..arguments import Axes
from ..calls import explained
from ..remember import without_caches
from . import sweep
from .parts import dilated, faces, named

if TYPE_CHECKING:
    from ..pictures.picture import Picture
    from .corners import Corner, Hole
    from .csg import Combination
    from .product import Product
    from .slit import Segment

drawn: Any = Later("transnet.sections.plot")


@dataclass(frozen=True)
class Surface:
    """Samples of a boundary part: points (n, d) on it and its outward unit normals (n, d) there."""

    points: np.ndarray
    normals: np.ndarray


class Domain(ABC):
    """A region with a named boundary.

    A shape states its `names`, `bounds`, `volume` and `parts`, decides which points are inside (`_inside`) and samples
    each part of its boundary: in the plane by returning the part as arcs (`arcs`), otherwise by `_draw` and `_measure`.
    With its `arguments` it can be written as text, and `tn.register` makes it known to files.
    """

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """A shape; with symbols among its sizes a recipe for one."""
        if args or keywords:
            from .symbolic import Sized, sized

            found = None if issubclass(cls, Sized) else sized(cls, args, keywords)
            if found is not None:
                return found
        return super().__new__(cls)

    arguments: ClassVar[Mapping[str, str]] = {}
    """For each argument whether it is a "number", "numbers" or a "text"; the shape has an attribute of that name."""

    @property
    def solid(self) -> bool:
        """Whether it has an interior; a surface in space has none."""
        return True

    @property
    @abstractmethod
    def names(self) -> tuple[str | None, ...]:
        """Names of the coordinates; None where the shape takes whatever coordinate the problem has."""

    @property
    @abstractmethod
    def bounds(self) -> np.ndarray:
        """Lower and upper corner of the bounding box, shape (2, d)."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Length, area or volume of the interior."""

    @property
    @abstractmethod
    def parts(self) -> tuple[str, ...]:
        """Names of the parts that make up the boundary."""

    @abstractmethod
    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        """Which points are inside the shape grown (sign 1) or shrunk (sign -1) by its own rounding tolerance."""

    def text(self, pen: Pen) -> str:
        """The shape in the formula language, which can read it back; an error if it has no text."""
        if not self.arguments:
            pen.refuse(f"the domain {self}")
        words = {"number": pen.number, "numbers": pen.numbers, "text": pen.quoted}
        given = ((key, kind, getattr(self, key)) for key, kind in self.arguments.items())
        written = [f"{key}={words[kind](value)}" for key, kind, value in given if value is not None]  # type: ignore[operator]
        return f"{pen.prefix}{type(self).__name__}({', '.join(written)})"

    def arcs(self, part: str) -> tuple[Arc, ...]:
        """A part of the boundary of a plane domain as arcs; none for a shape without them."""
        return ()

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        """n samples of one part, uniform by measure."""
        return Surface(*along(self.arcs(part), n, kind, rng))

    def _measure(self, part: str) -> float:
        """Length or area of one part."""
        return float(sum(arc.length for arc in self.arcs(part)))

    @property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        """Aliases besides "boundary"."""
        return {}

    @cached_property
    def dimension(self) -> int:
        """Number of coordinates."""
        return len(self.names)

    @cached_property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Other names of (groups of) parts; "boundary" is all of them."""
        return {**self._other_names, "boundary": self.parts}

    @explained
    def contains(self, points: ArrayLike) -> np.ndarray:
        """Which of the points (n, d) lie in the closed domain, up to rounding."""
        return self._inside(points_array(points, self.dimension), 1)

    def nearly_contains(self, points: ArrayLike) -> np.ndarray:
        """Which points lie in the domain, or within a millionth of its size of it: data have only a few digits."""
        array = points_array(points, self.dimension)
        inside = self._inside(array, 1)
        beside = BESIDE * np.ptp(self.bounds, axis=0) * np.array(list(product((-1, 0, 1), repeat=self.dimension)))
        for step in beside if not inside.all() else ():
            inside[~inside] = self._inside(array[~inside] + step, 1)
        return inside

    @explained
    def interior(self, n: int, kind: str = "quasi", seed: Seed = 0) -> np.ndarray:
        """Points strictly inside, uniform by measure, shape (n, d).

        Parameters
        ----------
        n : int
            How many; for a "grid" approximately.
        kind : {"quasi", "random", "grid"}
            Low-discrepancy, independent, or a regular grid masked to the domain.
        seed : int or numpy.random.Generator
        """
        n, rng = check_draw(n, kind), generator(seed)
        return self._lattice(n) if kind == "grid" else self._fill(n, kind, rng)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        """n interior points, low-discrepancy or random."""
        return filling.keep(self, n, kind, rng)

    def _lattice(self, n: int) -> np.ndarray:
        """A regular grid with about n points inside."""
        return filling.lattice(self, n)

    @explained
    def grid(self, shape: int | tuple[int, ...]) -> np.ndarray:
        """The grid of `numpy.linspace` on each side of the bounding box, ends included, masked to the closed domain.

        This is the paper's choice of interior points: `Box(...).grid(50)` has 50^2 points in the plane.
        """
        return filling.grid(self, shape)

    @explained
    def boundary(self, part: str = "boundary", n: int = 100, kind: str = "quasi", seed: Seed = 0) -> Surface:
        """n samples of a part of the boundary, uniform by measure, with exact outward normals.

        A name that stands for several parts splits n between them by measure, and draws each part separately. In one
        dimension each end is one point, whatever n.
        """
        n, rng = check_draw(n, kind), generator(seed)
        parts = self.resolve(part)
        if not parts:  # a closed surface has no boundary
            return Surface(np.empty((0, self.dimension)), np.empty((0, self.dimension)))
        if self.dimension == 1:
            counts = np.ones(len(parts), dtype=int)
        else:
            counts = apportion(n, [self.measure(name) for name in parts])
        pieces = [self._draw(name, int(m), kind, rng) for name, m in zip(parts, counts, strict=True) if m > 0]
        return Surface(np.concatenate([s.points for s in pieces]), np.concatenate([s.normals for s in pieces]))

    def measure(self, part: str = "boundary") -> float:
        """Length or area of a part (or of all that a name stands for); 1 for each end of an interval."""
        if part not in self._measured:
            self._measured[part] = float(sum(self._measure(name) for name in self.resolve(part)))
        return self._measured[part]

    @cached_property
    def _measured(self) -> dict[str, float]:
        """What has been measured already."""
        return {}

    def dilated_measure(self, part: str) -> float:
        """The measure of a single part after the bounding box is dilated to [-1, 1]^d."""
        if part not in self._dilated:
            self._dilated[part] = dilated(self, part)
        return self._dilated[part]

    @cached_property
    def _dilated(self) -> dict[str, float]:
        """What has been measured this way already."""
        return {}

    def ends(self, axis: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The flat parts on which a coordinate is smallest, and those on which it is largest: none for a disk."""
        return self._ends[axis]

    @cached_property
    def _ends(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        return faces(self)

    def resolve(self, part: str) -> tuple[str, ...]:
        """The parts that a name stands for."""
        return named(self, part)

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Nodes (q, d) and weights (q,), about n of them, to integrate a smooth function over the interior."""
        return sweep.general(self, check_draw(n, "grid"))

    @explained
    def plot(self, *, normals: bool = False, ax: Axes | None = None) -> Picture:
        """Draw the domain with the names of its parts and pieces, to look at before stating conditions.

        Parameters
        ----------
        normals : bool
            Whether to draw the outward normals.
        ax : matplotlib Axes, optional
            Where to draw a plane domain.
        """
        return drawn.plot_domain(self, normals=normals, ax=ax)

    @cached_property
    def corners_and_holes(self) -> tuple[tuple[Corner, ...], tuple[Hole, ...]]:
        """The corners of a plane domain, the widest first, with the points where parts of its boundary meet without an
        angle; and its holes. Empty in other dimensions."""
        from .corners import corners_and_holes

        return corners_and_holes(self)

    def __sub__(self, other: Domain | Segment) -> Domain:
        from .csg import combine
        from .slit import Segment, Slit

        if isinstance(other, Segment):
            return Slit(self, other)

        return combine("-", self, other)

    def __or__(self, other: Domain) -> Combination:
        from .csg import combine

        return combine("|", self, other)

    def __and__(self, other: Domain) -> Combination:
        from .csg import combine

        return combine("&", self, other)

    def __mul__(self, other: Domain) -> Product:
        from .product import Product

        return Product(self, other)

    def __str__(self) -> str:
        return repr(self)

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)
