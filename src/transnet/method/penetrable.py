"""Bodies that waves and fields enter: the equation of each piece, its functions, and what holds across interfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.outside import Formula, Outside
from transnet.basis.penetrable import Penetrable
from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.choose.outside import OutsideLaw, outside_of, square_of
from transnet.errors import ProblemError
from transnet.features.bodies_in_space import inner_functions
from transnet.features.body_functions import body_functions, outline_functions
from transnet.features.placement import Placement
from transnet.geometry import Pieces
from transnet.method.edges import PER_COLUMN, Edge, edge_on
from transnet.pieces.laws import Laws
from transnet.problem import Far, Problem, exterior_of
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class PenetrableLaw:
    """What is needed to solve a problem inside and outside bodies."""

    problem: Problem
    laws: Laws
    outer: OutsideLaw
    piece: int
    squares: tuple[complex, ...]

    @property
    def domain(self) -> Pieces:
        assert isinstance(self.problem.domain, Pieces)
        return self.problem.domain

    def basis(self, digits: float) -> Penetrable | None:
        """As many functions as this many digits usually need; None if that is too many."""
        outside = self.outer.basis(digits)
        if outside is None:
            return None
        zero, terms = Formula(sp.Integer(0), tuple(self.problem.coordinates)), [(self.piece, outside)]
        for k, (_, shape) in enumerate(self.domain.shapes):
            if k == self.piece:
                continue
            root = complex(np.sqrt(complex(self.squares[k])))
            families: list[Any] = []
            if shape.dimension == 3:
                families += inner_functions(shape, root, digits)
            else:
                families.append(outline_functions(shape, root, digits))
                if shape.corners_and_holes[1]:
                    families.append(body_functions(shape, root, digits))
            placed = Placement.of(shape)
            terms += [(k, Outside(f, placed, outside.fields, zero, {}, bounded=True)) for f in families]
        found = Penetrable(self.domain, tuple(terms))
        return found if found.columns <= MOST_FUNCTIONS else None

    def edges(self, basis: Penetrable, numbers: Sequence[Any], seed: int, shared: bool = True) -> list[Edge]:
        """The conditions across interfaces and on the bodies that nothing enters, on their points.

        Unless `shared` each point counts the same.
        """
        domain, fields = self.domain, len(basis.fields)
        names = domain.piece_names
        pairs = [(f"{names[i]}|{names[j]}", (i, j), self.laws.interface(i, j)) for i, j in domain.interfaces]
        parts = [
            (part, (k,), self.laws.condition(c, k))
            for c in self.problem.conditions
            if not isinstance(c, Far) and not c.across
            for part in c.parts(self.problem)
            for k in dict.fromkeys(number for number, _ in domain._kept[part])
        ]
        places = [*pairs, *parts]
        around = {k: sum(domain.measure(part) for part, sides, _ in places if k in sides) for k in range(len(names))}
        foci = [replace(f, gamma=0.5 * f.gamma) for f in basis.foci]

        def on(part: str, sides: tuple[int, ...], statement: Statement) -> Edge:
            # A piece has its columns for all of its boundary; across an interface a point has twice as many rows.
            each = sum(term.columns / around[k] for k, term in basis.terms if k in sides)
            step = len(sides) * fields / (2 * PER_COLUMN * each)

            def write(rows: np.ndarray, points: np.ndarray, coefficients: Sequence[np.ndarray]) -> None:
                rows[:] = 0.0
                for side, own, mine in _by_side(statement, sides, len(self.problem.unknowns)):
                    more = np.empty_like(rows)
                    basis.within(side).write(more, points, own, [coefficients[m] for m in mine])
                    rows += more

            def fixed(points: np.ndarray) -> list[np.ndarray]:
                found = [np.zeros(len(points)) for _ in statement.equation.slots]
                for side, own, mine in _by_side(statement, sides, len(self.problem.unknowns)):
                    for m, value in zip(mine, basis.within(side).fixed(points, own), strict=True):
                        found[m] = value
                return found

            return edge_on(domain, part, basis.columns, statement, numbers, foci, step, seed, write, fixed, shared)

        return [on(part, sides, s) for part, sides, statements in places for s in statements]


def penetrable_of(problem: Problem, values: Mapping[Any, Any]) -> PenetrableLaw:
    """How such a problem is solved; ProblemError if its equations or conditions do not fit together."""
    domain, exterior = problem.domain, exterior_of(problem.domain)
    assert isinstance(domain, Pieces)
    assert exterior is not None
    laws, numbers = Laws(problem), tuple(values.values())
    piece = next(k for k, (_, shape) in enumerate(domain.shapes) if shape is exterior)
    outer = outside_of(problem, values, exterior, laws.equations[piece])
    assert isinstance(outer, OutsideLaw)
    if outer.numbers:
        raise ProblemError("Numbers that are to be found are not solved together with bodies that fields enter.")
    squares = tuple(
        square_of(equations, outer.fields, shape.interior(3), numbers)
        for equations, (_, shape) in zip(laws.equations, domain.shapes, strict=True)
    )
    return PenetrableLaw(problem, laws, outer, piece, squares)


def _by_side(
    statement: Statement, sides: tuple[int, ...], unknowns: int
) -> list[tuple[int, list[tuple[int, tuple[int, ...]]], list[int]]]:
    """The slots of a statement on each side of its interface, as those of the piece there, with their places."""
    slots, found = statement.equation.slots, []
    for n, side in enumerate(sides):
        mine = [m for m, (number, _) in enumerate(slots) if number // unknowns == n]
        found.append((side, [(slots[m][0] % unknowns, slots[m][1]) for m in mine], mine))
    return found
