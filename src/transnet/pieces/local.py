"""One cell: its rows, and their reduction to the few columns that its neighbours share.

With A the rows of equations and conditions and T those of the faces, [A; T] = [Q_A; Q_T] R has orthonormal columns.
Directions in which Q_A is not small are determined by the cell alone and are fixed at once; the others, a fifth of
them, are kept: they are the traces that the glue joins. Going back is a triangular solve; the product of R^-1 with the
directions is never formed, as it would cost three digits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from transnet.basis.expansion import Slot
from transnet.features.evaluate import Terms, evaluate, write_rows
from transnet.features.space import FeatureSpace
from transnet.lazy import linalg
from transnet.linalg import lapack
from transnet.linalg.reflectors import Reflectors
from transnet.rows.statements import Statement
from transnet.tolerances import DECIMALS

RANK = 1e-13
"""Columns that depend on the others to this accuracy are left out."""
FIXED = 0.1
"""Directions that the cell's own rows determine at least this well are fixed."""
DIRECT = 128
"""Up to this many columns all rows are factored at once, which takes as long as factoring the cell's own first (113
columns: 1.1 ms), and right-hand sides are multiplied by a matrix instead of reflectors, three times as fast."""
CONSERVED = 300.0
"""By how many times more the mean of rows counts where fluxes are to be conserved: 300 and 3000 give the
same digits."""


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Rows sum_k c_k D^k u = right at points (n, d), times a weight: one number, or one for each point.

    `honest` is the weight with which a violation is judged, if rows are downweighted on purpose; `statement` is what
    the rows state at points with `normals`, if it is more than continuity, and `values` are measured ones. Along
    `mean`, a unit vector, the weighted rows count `CONSERVED` times more.
    """

    points: np.ndarray
    slots: tuple[Slot, ...]
    coefficients: tuple[np.ndarray, ...]
    weight: np.ndarray | float
    right: np.ndarray
    honest: np.ndarray | float = 1.0
    statement: Statement | None = None
    normals: np.ndarray | None = None
    values: np.ndarray | None = None
    mean: np.ndarray | None = None

    @property
    def weighted(self) -> np.ndarray:
        """The right-hand sides with their weights, (n,) or (n, k)."""
        plain: np.ndarray = (self.weight * self.right.T).T
        return plain if self.mean is None else plain + CONSERVED * np.multiply.outer(self.mean, self.mean @ plain)

    def less(self, found: np.ndarray) -> RowBlock:
        """The rows with the residuals as right-hand sides; measured values are included in those."""
        return replace(self, right=(self.right.T - found.T).T)


def conserved_mean(shares: np.ndarray | None, weight: np.ndarray | float) -> np.ndarray | None:
    """The direction of the mean of weighted rows, for the weights of a quadrature rule at their points."""
    if shares is None:
        return None
    direction = shares / weight
    return np.asarray(direction / np.linalg.norm(direction))


@dataclass(frozen=True, eq=False)
class Frame:
    """The features of a cell: a space, placed into its box, and the units of the unknowns."""

    space: FeatureSpace
    centre: np.ndarray
    half: np.ndarray
    units: np.ndarray

    @property
    def columns(self) -> int:
        return self.space.size * len(self.units)

    def placed(self, points: np.ndarray) -> np.ndarray:
        return (points - self.centre) / self.half

    def terms(self, block: RowBlock) -> list[tuple[int, tuple[int, ...], np.ndarray]]:
        """The unknown, multi-index and coefficient of each term in the coordinates of the space."""
        return [
            (u, index, block.weight * np.asarray(c) * (self.units[u] / np.prod(self.half ** np.array(index))))
            for (u, index), c in zip(block.slots, block.coefficients, strict=True)
        ]

    def rows(self, blocks: Sequence[RowBlock]) -> np.ndarray:
        """The rows of blocks, one after the other, in columns of unknown after unknown."""
        total = sum(len(b.points) for b in blocks)
        out = np.zeros((self.columns, total))
        n = self.space.size
        start = 0
        groups: dict[int, list[tuple[np.ndarray, Terms]]] = {}
        points: dict[int, np.ndarray] = {}
        for block in blocks:
            here = slice(start, start + len(block.points))
            start += len(block.points)
            by_unknown: dict[int, list[tuple[tuple[int, ...], np.ndarray]]] = {}
            for u, index, c in self.terms(block):
                by_unknown.setdefault(u, []).append((index, c))
            for u, terms in by_unknown.items():
                groups.setdefault(id(block.points), []).append((out[u * n : (u + 1) * n, here], terms))
                points[id(block.points)] = block.points
        for key, targets in groups.items():
            write_rows(self.space, self.placed(points[key]), targets)
        start = 0
        for block in blocks:
            if block.mean is not None:
                mine = out[:, start : start + len(block.points)]
                mine += CONSERVED * np.multiply.outer(mine @ block.mean, block.mean)
            start += len(block.points)
        return out.T

    def values(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points for each slot (i, k)."""
        n = self.space.size
        placed = self.placed(points)
        result: list[np.ndarray] = [np.zeros(0)] * len(slots)
        for u in sorted({u for u, _ in slots}):
            mine = [(j, index) for j, (v, index) in enumerate(slots) if v == u]
            found = evaluate(self.space, coefficients[u * n : (u + 1) * n], placed, [index for _, index in mine])
            for (j, index), value in zip(mine, found, strict=True):
                result[j] = value / np.prod(self.half ** np.array(index))
        return result

    def asked(
        self, coefficients: np.ndarray, requests: Sequence[tuple[np.ndarray, Sequence[Slot]]]
    ) -> list[list[np.ndarray]]:
        """The slots at several sets of points, in one evaluation: a call costs more than its work."""
        distinct = {id(points): points for points, _ in requests}
        if len(self.space.singular):  # their derivatives take longer than a call: only the requested ones
            wanted: dict[int, dict[Slot, np.ndarray]] = {key: {} for key in distinct}
            for points, some in requests:
                wanted[id(points)].update(dict.fromkeys(some, np.zeros(0)))
            for key, points in distinct.items():
                slots = list(wanted[key])
                wanted[key] = dict(zip(slots, self.values(coefficients, points, slots), strict=True))
            return [[wanted[id(points)][slot] for slot in some] for points, some in requests]
        slots = list(dict.fromkeys(slot for _, some in requests for slot in some))
        ends = np.cumsum([0, *map(len, distinct.values())])
        found = self.values(coefficients, np.concatenate([*distinct.values()]), slots) if slots else []
        place = {key: slice(ends[k], ends[k + 1]) for k, key in enumerate(distinct)}
        of = dict(zip(slots, found, strict=True))
        return [[of[slot][place[id(points)]] for slot in some] for points, some in requests]

    def applied(self, coefficients: np.ndarray, blocks: Sequence[RowBlock]) -> list[np.ndarray]:
        """The left-hand sides of rows for coefficients (columns,) or (columns, k), without their weights."""
        if not blocks:
            return []
        found = self.asked(coefficients, [(b.points, b.slots) for b in blocks])
        sums = []
        for block, values in zip(blocks, found, strict=True):
            none = np.zeros((len(block.points), *coefficients.shape[1:]))
            terms = zip(block.coefficients, values, strict=True)
            sums.append(sum(((np.asarray(c) * v.T).T for c, v in terms), none))
        return sums


@dataclass(frozen=True, eq=False)
class Reduced:
    """A cell reduced to its traces.

    The right-hand sides of the cell's rows are rotated by `reflections`; `basis` maps them to those of `triangle`, and
    `firm` to the coefficients of the fixed directions; `kept_traces` and `fixed_traces` are the traces of both on
    faces.
    """

    reflections: Reflectors | None
    basis: np.ndarray
    firm: np.ndarray
    triangle: np.ndarray
    kept_traces: np.ndarray
    fixed_traces: np.ndarray
    kept_directions: np.ndarray
    fixed_directions: np.ndarray
    upper: np.ndarray
    pivots: np.ndarray

    def projected(self, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Right-hand sides of the cell's rows as those of `triangle`, and the coefficients of the fixed directions."""
        turned = right if self.reflections is None else self.reflections.turned(right)
        return self.basis.T @ turned, self.firm.T @ turned

    @cached_property
    def project(self) -> np.ndarray:
        """The matrix that maps right-hand sides, as rows, to those of `triangle`."""
        return self.basis if self.reflections is None else self.reflections.times(self.basis)

    @cached_property
    def fixed(self) -> np.ndarray:
        """The matrix that maps right-hand sides, as rows, to the coefficients of the fixed directions."""
        return self.firm if self.reflections is None else self.reflections.times(self.firm)

    def seen(self, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A row over the cell's columns as rows over the kept and over the fixed directions."""
        w = linalg.solve_triangular(self.upper, row[self.pivots[: len(self.upper)]], trans=1, check_finite=False)
        return w @ self.kept_directions, w @ self.fixed_directions

    def back(self, kept: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """The coefficients of the cell's columns."""
        w = self.kept_directions @ kept + self.fixed_directions @ fixed
        result = np.zeros((len(self.pivots), *w.shape[1:]))
        result[self.pivots[: len(w)]] = lapack.dtrtrs(self.upper, w)[0] if w.size else w
        return result


def reduce_cell(local: np.ndarray, traces: np.ndarray) -> Reduced:
    """Reduce the rows of a cell, as described above."""
    n = local.shape[1]
    reflections, triangle = None, local
    if len(local) > n > DIRECT:
        (stored, factors), triangle = linalg.qr(local, mode="raw", check_finite=False)
        reflections, triangle = Reflectors(stored, factors), triangle[:n]
    m = len(triangle)
    both, upper, pivots = linalg.qr(
        np.concatenate([triangle, traces]), mode="economic", pivoting=True, check_finite=False, overwrite_a=True
    )
    diagonal = np.abs(np.diag(upper))
    rank = int(np.count_nonzero(diagonal > RANK * diagonal[0])) if len(diagonal) else 0
    own, seen = both[:m, :rank], both[m:, :rank]
    held, directions = np.linalg.eigh(seen.T @ seen if len(traces) < 2 * rank else np.eye(rank) - own.T @ own)
    keep = held > 1 - FIXED**2
    kept, fixed = directions[:, keep], directions[:, ~keep]
    basis, small = np.linalg.qr(own @ kept)
    firm = own @ fixed
    return Reduced(
        reflections=reflections,
        basis=basis,
        firm=firm / np.sum(firm**2, axis=0),
        triangle=small,
        kept_traces=seen @ kept,
        fixed_traces=seen @ fixed,
        kept_directions=kept,
        fixed_directions=fixed,
        upper=upper[:rank, :rank].copy(order="F"),
        pivots=pivots,
    )


def likeness(frame: Frame, blocks: Sequence[RowBlock]) -> bytes:
    """A key that is equal for cells whose rows are equal up to rounding, wherever they are and however large."""
    digest = hashlib.blake2b()
    digest.update(frame.space.weights.tobytes() + (np.round(frame.space.singular.table, DECIMALS) + 0.0).tobytes())
    seen: dict[int, int] = {}
    for block in blocks:
        if id(block.points) not in seen:
            seen[id(block.points)] = len(seen)
            digest.update((np.round(frame.placed(block.points), DECIMALS) + 0.0).tobytes())
        digest.update(f"{seen[id(block.points)]},{len(block.points)},{block.mean is None}".encode())
        for u, index, c in frame.terms(block):
            value = np.asarray(c)
            digest.update(f"{u}{index}{value.ndim}".encode())
            largest = float(np.abs(value).max(initial=0.0))
            scale = 10.0 ** np.floor(np.log10(largest)) if largest > 0 else 1.0
            digest.update((np.round(value / scale, DECIMALS) + 0.0).tobytes() + np.float32(scale).tobytes())
    return digest.digest()
