"""Channels and rows of bodies whose ends are open: functions in a window around the bodies, running waves beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.basis.end_modes import CrossSection, EndModes, end_modes
from transnet.basis.outside import Formula, Outside
from transnet.basis.penetrable import Penetrable
from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.choose.outside import OutsideLaw
from transnet.features.body_functions import body_functions, outline_functions, turning_order
from transnet.features.images import Copy, Images
from transnet.features.placement import Placement
from transnet.features.radiating import Radiating
from transnet.geometry import Box, Domain, Exterior, Pieces
from transnet.geometry.partition import shapes_of
from transnet.linalg.sizes import rms
from transnet.measure.rules import gauss
from transnet.method.edges import PER_COLUMN, Edge, edges_of
from transnet.method.penetrable import PenetrableLaw
from transnet.pieces.laws import Laws
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.compile import compile_equation
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement, statements_of
from transnet.sections.windows import between, cut_out

SIDE = 6
"""Points on each side and end of a window for so many functions, every other one of which is fitted."""
NEAR = 1.0
"""Copies of bodies within this many heights of a window beside it are functions of their own."""


@dataclass(frozen=True, eq=False)
class OpenLaw:
    """What is needed for waves between open ends.

    Parameters
    ----------
    problem : Problem
        As it was stated, with a window that shows the bodies.
    inner : Problem
        In the window in which the bodies are.
    outer : OutsideLaw
        The wave number, and the incident wave.
    piece : int
        That around the bodies.
    squares : tuple of complex
        k^2 in each piece.
    axis : int
        Along the channel.
    open_ends : (bool, bool)
    clear : float
        The distance of the ends of the window from the bodies.
    apart : bool
        Whether copies of the bodies satisfy what holds on walls and from period to period.
    mirror : int
        The sign of images in the wall at an end that is closed, 0 for none.
    """

    problem: Problem
    inner: Problem
    outer: OutsideLaw
    piece: int
    squares: tuple[complex, ...]
    across: CrossSection
    axis: int
    open_ends: tuple[bool, bool]
    clear: float
    apart: bool
    mirror: int
    numbers: tuple[Any, ...]
    where: ClassVar[str] = "between the open ends"
    cause: ClassVar[str] = ": a wave may be trapped at this wave number, or a part of the boundary has no condition."

    @property
    def channel(self) -> Domain:
        """The piece around the bodies, with its open ends."""
        return shapes_of(self.problem.domain)[self.piece][1]

    @property
    def window(self) -> Domain:
        return shapes_of(self.inner.domain)[self.piece][1]

    def basis(self, digits: float) -> Penetrable | None:
        """As many functions as this many digits usually need; None if that is too many."""
        law, k = self.outer, self.outer.wavenumber
        whole, body = cut_out(self.window)
        families: list[Any] = []
        if not self.apart:
            families.append(outline_functions(self._longer(), k, digits))
            if self.window.corners_and_holes[1]:
                families.append(body_functions(self.window, k, digits))
        else:
            if body is not None:
                families.append(Images(((body_functions(Exterior(body), k, digits), self._copies()),)))
            families.append(self._middle(k, digits))
        ends = [
            end_modes(k, self.across, self.axis, float(whole.bounds[e, self.axis]), 2 * e - 1, self.clear, digits)
            for e in (0, 1)
            if self.open_ends[e]
        ]
        families += [
            end_modes(k, self.across, self.axis, float(whole.bounds[e, self.axis]), 1 - 2 * e, self.clear, digits)
            for e in (0, 1)
            if not self.open_ends[e]
        ]
        zero = Formula(sp.Integer(0), law.given.coordinates)
        shapes = shapes_of(self.inner.domain)
        terms = self._placed(self.piece, self.window, families, law.given)
        for number, (_, shape) in enumerate(shapes):
            if number != self.piece:
                root = complex(np.sqrt(complex(self.squares[number])))
                inside: list[Any] = [outline_functions(shape, root, digits)]
                if shape.corners_and_holes[1]:
                    inside.append(body_functions(shape, root, digits))
                terms += self._placed(number, shape, inside, zero)
        named = {name or "channel": shape for name, shape in shapes}
        for number, modes in enumerate(ends, len(shapes)):
            beyond = self._beyond(modes)
            named["above" if modes.way > 0 else "below"] = beyond
            terms += self._placed(number, beyond, [modes], law.given)
        found = Penetrable(Pieces(named), tuple(terms))
        return found if found.columns <= MOST_FUNCTIONS else None

    def _placed(self, number: int, shape: Domain, families: Sequence[Any], given: Formula) -> list[tuple[int, Outside]]:
        zero, placed = Formula(sp.Integer(0), given.coordinates), Placement.of(shape)
        return [
            (number, Outside(f, placed, self.outer.fields, zero if n else given, {}, self.outer.inwards, bounded=True))
            for n, f in enumerate(families)
        ]

    def _longer(self) -> Domain:
        """The window with more of the channel, so that no corners of its own are near."""
        low, high = self.window.bounds[:, self.axis]
        first, last = (self.clear * e for e in self.open_ends)
        found: Domain = between(self.channel, str(self.window.names[self.axis]), low - first, high + last)
        return found

    def _beyond(self, modes: EndModes) -> Box:
        """The channel beyond the window."""
        sides = dict(zip(map(str, self.window.names), self.window.bounds.T.tolist(), strict=True))
        end = [modes.at, sp.oo] if modes.way > 0 else [-sp.oo, modes.at]
        return Box(**{**sides, str(self.window.names[self.axis]): end})

    def _reach(self) -> int:
        """How many widths away copies are functions of their own."""
        sizes = np.ptp(self.window.bounds, axis=0)
        return int(np.ceil(NEAR * max(sizes) / self.across.width))

    def _copies(self) -> tuple[Copy, ...]:
        """Those beside the window, and behind an end that is closed."""
        a, other, found = self.across, 1 - self.axis, []
        for n in range(-self._reach(), self._reach() + 1):
            shift = [0.0, 0.0]
            if a.phase is not None:
                shift[other] = -n * a.width
                turn = -a.phase if self.outer.inwards else a.phase
                found.append(Copy((1.0, 1.0), tuple(shift), complex(np.exp(1j * n * turn))))
                continue
            both = float(a.signs[0] * a.signs[1]) ** n
            shift[other] = 2.0 * n * a.width
            found.append(Copy((1.0, 1.0), tuple(shift), both))
            flips, there = [1.0, 1.0], list(shift)
            flips[other], there[other] = -1.0, 2.0 * a.low + 2.0 * n * a.width
            found.append(Copy(tuple(flips), tuple(there), a.signs[0] * both))
        if self.mirror:
            end = float(self.window.bounds[0 if self.open_ends[1] else 1, self.axis])
            for copy in list(found):
                flips, shift = list(copy.flips), list(copy.shifts)
                flips[self.axis], shift[self.axis] = -1.0, 2.0 * end
                found.append(Copy(tuple(flips), tuple(shift), self.mirror * copy.weight))
        return tuple(found)

    def _middle(self, k: complex, digits: float) -> Radiating:
        """Waves around the middle of the window, for what comes from bodies that are farther away than the copies."""
        corner = 0.5 * float(np.hypot(*np.ptp(self.window.bounds, axis=0)))
        cells = self._reach() * (1 if self.across.phase is not None else 2)
        order = digits / np.log10((cells + 0.5) * self.across.width / corner) + turning_order(abs(k) * corner, digits)
        centre = 0.5 * np.sum(self.window.bounds, axis=0)
        return Radiating(k, centre[None], np.array([corner]), np.array([[0, int(np.ceil(order))]]), regular=True)

    def edges(self, basis: Penetrable, numbers: Sequence[Any], seed: int) -> list[Edge]:
        """All conditions on their points: those that are stated, from side to side, and at the ends."""
        if isinstance(self.inner.domain, Pieces):
            laws = PenetrableLaw(self.inner, Laws(self.inner), self.outer, self.piece, self.squares)
            found = laws.edges(basis, numbers, seed)
        else:
            stated = [s for s in statements_of(self.inner) if s.source is None or s.part is not None]
            found = edges_of(self.inner, basis.within(0), stated, numbers, seed)
        bounds, fields = self.window.bounds, len(basis.fields)
        count = 2 * int(np.ceil(PER_COLUMN * basis.columns / (2 * SIDE) * fields))
        if self.across.phase is not None:
            here = self._line(self.axis, 1 - self.axis, float(bounds[0, 1 - self.axis]), count)
            there = here.copy()
            there[:, 1 - self.axis] += self.across.width
            turn = np.exp(1j * self.across.phase)
            values = [self._field(basis, p, self.piece, 1 - self.axis) for p in (here, there)]
            gaps = [second - turn * first for first, second in zip(*values, strict=True)]
            found += self._gaps(basis, gaps, here, 1 - self.axis, "from side to side")
        beyond = len(shapes_of(self.inner.domain))
        for end in (e for e in (0, 1) if self.open_ends[e]):
            points = self._line(1 - self.axis, self.axis, float(bounds[end, self.axis]), count)
            values = [self._field(basis, points, piece, self.axis) for piece in (self.piece, beyond)]
            gaps = [first - second for first, second in zip(*values, strict=True)]
            found += self._gaps(basis, gaps, points, self.axis, f"at the {'upper' if end else 'lower'} end")
            beyond += 1
        return found

    def _line(self, along: int, fixed: int, at: float, count: int) -> np.ndarray:
        low, high = self.window.bounds[:, along]
        points = np.full((count, 2), at)
        points[:, along] = low + (high - low) * gauss(count)[0]
        return points

    def _field(self, basis: Penetrable, points: np.ndarray, piece: int, axis: int) -> list[np.ndarray]:
        """All columns as a piece has them, and their derivatives along an axis: (columns, n) complex each."""
        indices = [(0, 0), (1 - axis, axis)]
        found = [np.zeros((basis.columns, len(points)), dtype=complex) for _ in indices]
        for (k, term), columns in zip(basis.terms, basis.slices, strict=True):
            if k == piece:
                for out, values in zip(found, term.field(points, indices), strict=True):
                    out[columns] = values
        return found

    def _gaps(
        self, basis: Penetrable, gaps: Sequence[np.ndarray], points: np.ndarray, axis: int, where: str
    ) -> list[Edge]:
        """Values and derivatives that fit each other, as conditions."""
        problem, found = self.inner, []
        for what, gap, order in (("values", gaps[0], 0), ("slopes", gaps[1], 1)):
            for part, rows in ((0, gap.real), (1, gap.imag)):
                unknown = problem.unknowns[basis.fields[part]]
                expression = sp.diff(unknown, problem.coordinates[axis]) if order else unknown
                equation = compile_equation(expression, problem.unknowns, problem.coordinates, (), f"{what} {where}")
                block = Block(Statement(f"{what} {where}", equation), Nodes(points[::2]))
                norm = float(rms(rows[:, ::2])) or 1.0
                weight = 1.0 / (norm * np.sqrt(block.rows))
                found.append(Edge(block, rows, np.zeros(len(points)), [np.ones(1)], weight))
        return found
