"""Cells of a lattice with bodies that waves enter: functions that solve the equation of each piece, and the sides.

Around bodies lie functions with their copies around the bodies of neighbouring cells, each with its phase. What comes
from farther away is smooth in the cell: waves around its middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.outside import Formula, Outside
from transnet.basis.penetrable import Penetrable
from transnet.choose.outside import square_of
from transnet.errors import ProblemError
from transnet.features.body_functions import body_functions, outline_functions, turning_order
from transnet.features.images import Copy, Images
from transnet.features.placement import Placement
from transnet.features.radiating import Radiating
from transnet.geometry import Box, Exterior, Pieces
from transnet.linalg.sizes import rms
from transnet.measure.rules import gauss
from transnet.method.edges import PER_COLUMN
from transnet.method.penetrable import PenetrableLaw
from transnet.pieces.laws import Laws
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs
from transnet.sections.windows import cut_out
from transnet.tolerances import SAME

NEAR = 1.0
"""Bodies within this many widths of a cell around it have functions of their own."""
SIDE = 12
"""Rows of a pair of points on opposite sides, of both axes, with as many again that are not needed."""
LOADS, SEEN = 60, 80
"""Loads whose responses are looked at, more than there are values near those that are sought, and points for that."""


@dataclass(frozen=True, eq=False)
class LatticeLaw:
    """What is needed for waves in a cell of a lattice.

    Parameters
    ----------
    piece : int
        The piece around the bodies.
    squares : tuple of (complex, complex)
        k^2 in each piece, a constant and the factor of the eigenvalue.
    phases : tuple of float
        By which the field turns along each axis.
    """

    problem: Problem
    laws: Laws
    piece: int
    fields: tuple[int, ...]
    squares: tuple[tuple[complex, complex], ...]
    phases: tuple[float, ...]
    numbers: tuple[Any, ...]

    @property
    def domain(self) -> Pieces:
        assert isinstance(self.problem.domain, Pieces)
        return self.problem.domain

    @property
    def widths(self) -> np.ndarray:
        """Of the cell."""
        low, high = self.domain.bounds
        return np.asarray(high - low)

    @property
    def lowest(self) -> float:
        """No eigenvalue is lower: k^2 cannot be negative everywhere."""
        return min(float((-a / b).real) for a, b in self.squares)

    def weyl(self, count: float) -> float:
        """About which value the eigenvalue of that number has: N(lam) = lam sum_j |piece_j| c_j / (4 pi)."""
        size = sum(
            float(shape.volume) * c.real for (_, shape), (_, c) in zip(self.domain.shapes, self.squares, strict=True)
        )
        return 4.0 * np.pi * count / size

    def basis(self, value: complex, digits: float) -> Penetrable:
        """The functions for an eigenvalue and so many digits."""
        zero, terms = Formula(sp.Integer(0), tuple(self.problem.coordinates)), []
        for k, (_, shape) in enumerate(self.domain.shapes):
            root = complex(np.sqrt(complex(self.squares[k][0] + value * self.squares[k][1])))
            root = -root if root.imag < 0 else root
            if k == self.piece:
                families: list[Any] = [self._middle(root, digits)]
                if (bodies := cut_out(shape)[1]) is not None:
                    families.append(Images(((body_functions(Exterior(bodies), root, digits), self._copies()),)))
            else:
                families = [outline_functions(shape, root, digits)]
                if shape.corners_and_holes[1]:
                    families.append(body_functions(shape, root, digits))
            placed = Placement.of(shape)
            terms += [(k, Outside(f, placed, self.fields, zero, {}, bounded=True)) for f in families]
        terms.sort(key=lambda term: term[0] != self.piece)
        return Penetrable(self.domain, tuple(terms))

    def _reach(self) -> list[int]:
        return [int(np.ceil(NEAR * self.widths.max() / w)) for w in self.widths]

    def _copies(self) -> tuple[Copy, ...]:
        found = []
        for steps in product(*(range(-n, n + 1) for n in self._reach())):
            shifts = -self.widths * steps
            found.append(Copy((1.0, 1.0), tuple(shifts.tolist()), complex(np.exp(1j * np.dot(steps, self.phases)))))
        return tuple(found)

    def _middle(self, root: complex, digits: float) -> Radiating:
        """Waves around the middle of the cell, for what comes from bodies that are farther away than the neighbours."""
        corner = 0.5 * float(np.hypot(*self.widths))
        away = min((n + 0.5) * w for n, w in zip(self._reach(), self.widths, strict=True))
        order = digits / np.log10(away / corner) + turning_order(abs(root) * corner, digits)
        centre = 0.5 * np.sum(self.domain.bounds, axis=0)
        return Radiating(root, centre[None], np.array([corner]), np.array([[0, int(np.ceil(order))]]), regular=True)

    def rows(self, basis: Penetrable, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """All conditions on their points: weighted rows, and loads on them that do not depend on the functions."""
        law = PenetrableLaw(self.problem, self.laws, None, self.piece, ())  # type: ignore[arg-type]
        found, places = [], []
        for n, edge in enumerate(law.edges(basis, self.numbers, seed, shared=False)):
            found.append(edge.weight * edge.rows[:, ::2].T)
            places.append((n, edge.block.points, edge.weight))
        for axis, phase in enumerate(self.phases):
            here = self._side(axis, basis)
            there = here.copy()
            there[:, axis] += self.widths[axis]
            flux = (1 - axis, axis)
            values = [self._outer(basis, points, [(0, 0), flux]) for points in (here, there)]
            for first, second in zip(*values, strict=True):
                gap = second - np.exp(1j * phase) * first
                for part in (gap.real, gap.imag):
                    weight = 1.0 / (float(rms(part)) * np.sqrt(part.shape[1]))
                    found.append(weight * part.T)
        loads = np.zeros((sum(map(len, found)), LOADS))
        # On the sides they would not fit each other at the corners of the cell.
        before = np.concatenate([weight * self._load(n, points) for n, points, weight in places])
        loads[: len(before)] = before
        return np.concatenate(found), loads

    def _side(self, axis: int, basis: Penetrable) -> np.ndarray:
        """Points on the lower side across an axis."""
        low, other = self.domain.bounds[0], 1 - axis
        nodes, _ = gauss(int(np.ceil(PER_COLUMN * basis.columns / SIDE)))
        points = np.full((len(nodes), 2), low[axis])
        points[:, other] = low[other] + self.widths[other] * nodes
        return points

    def _outer(self, basis: Penetrable, points: np.ndarray, indices: list[tuple[int, int]]) -> list[np.ndarray]:
        """The derivatives of the columns of the piece around the bodies: (columns, n) complex each."""
        found = [np.zeros((basis.columns, len(points)), dtype=complex) for _ in indices]
        for (k, term), columns in zip(basis.terms, basis.slices, strict=True):
            if k == self.piece:
                for out, values in zip(found, term.field(points, indices), strict=True):
                    out[columns] = values
        return found

    def response(self, value: complex, digits: float, seed: int) -> np.ndarray:
        """The field at some points for each load."""
        basis, points = self.basis(value, digits), self.domain.interior(SEEN)
        rows, loads = self.rows(basis, seed)
        q, r = np.linalg.qr(rows)
        re, im = (basis.features(points)[0] @ np.linalg.solve(r, q.T @ loads)).reshape(2, len(points), -1)
        return np.asarray(re + 1j * im)

    def function(self, value: float, digits: float, number: int, seed: int) -> tuple[Penetrable, np.ndarray]:
        """One of the functions of an eigenvalue, orthogonal to those before it."""
        basis, points = self.basis(value, digits), self.domain.interior(SEEN * 4)
        rows, _ = self.rows(basis, seed)
        seen = basis.features(points)[0] / np.sqrt(len(points))
        q, r = np.linalg.qr(np.concatenate([rows, seen]))
        vectors = np.linalg.svd(q[: len(rows)])[2][::-1][: 2 * number + 2]
        values = q[len(rows) :] @ vectors.T
        found = 0
        for n in range(number + 1):
            found = int(np.argmax(np.linalg.norm(values, axis=0))) if n else 0
            u = values[:, found]
            both = np.array([u, np.concatenate([-u[len(points) :], u[: len(points)]])])  # u and i u
            k = np.linalg.qr(both.T)[0]
            if n < number:
                values = values - k @ (k.T @ values)
        weights = np.linalg.lstsq(q[len(rows) :] @ vectors.T, values[:, found], rcond=None)[0]
        return basis, np.linalg.solve(r, vectors.T @ weights)

    def _load(self, number: int, points: np.ndarray) -> np.ndarray:
        """Loads: random smooth functions, others for each condition, the same for each eigenvalue and basis."""
        rng = np.random.default_rng(number)
        waves = rng.standard_normal((2, LOADS)) * (2.0 * np.pi / self.widths.max())
        return np.cos(points @ waves + rng.uniform(0.0, 2.0 * np.pi, LOADS))


def lattice_of(problem: Problem, lam: sp.Symbol, values: Mapping[Any, Any]) -> LatticeLaw | None:
    """Waves in a lattice; None for another problem."""
    domain, pairs = problem.domain, complex_pairs(problem)
    turns = dict(c.turn for c in problem.conditions if c.turn is not None)
    if not isinstance(domain, Pieces) or domain.dimension != 2 or len(pairs) != 1 or len(problem.unknowns) != 2:
        return None
    if set(turns) != set(problem.coordinates) or any(c.turn is None and not c.across for c in problem.conditions):
        return None
    laws = Laws(problem)
    outer = [k for k, (_, shape) in enumerate(domain.shapes) if np.allclose(shape.bounds, domain.bounds)]
    if len(outer) != 1 or not isinstance(cut_out(domain.shapes[outer[0]][1])[0], Box):
        return None
    fields = next(iter(pairs.values()))

    def at(number: float) -> list[complex]:
        numbers = tuple(number if s == lam else v for s, v in values.items())
        each = zip(laws.equations, domain.shapes, strict=True)
        return [square_of(equations, fields, shape.interior(3), numbers) for equations, (_, shape) in each]

    try:
        constant, one, two = at(0.0), at(1.0), at(2.0)
    except ProblemError:
        return None
    if any(abs(c - 2 * b + a) > SAME * abs(c) for a, b, c in zip(constant, one, two, strict=True)):
        return None
    phases = [float(turns[c].subs(dict(values))) for c in problem.coordinates]
    squares = tuple((a, b - a) for a, b in zip(constant, one, strict=True))
    return LatticeLaw(problem, laws, outer[0], fields, squares, tuple(phases), tuple(values.values()))
