"""The glue: what cells exchange, joined by least squares on faces and on the boundary.

The free coefficients of each cell are changed to those in which its own rows are orthonormal; the normal equations of
all cells are so well conditioned then that they lose nothing. They are factored densely, or by nested dissection if
there are many cells. Functions of low degrees come first, in cells and in the whole, and both changes are triangular:
the leading part of the factor is that of cells of lower degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from transnet.cells.columns import RANKS
from transnet.errors import TransnetError
from transnet.linalg import lapack
from transnet.pieces.dissection import Dissection, Normal, dissected

DENSE = 800
"""Unknowns up to which the normal equations are factored densely: 4 ms."""
STEPS, REFINED = 2, 1e-8
"""Steps of refinement on the rows, and the part of the solution that the last one may change if there are fewer."""
PRODUCTS = 1e-3
"""The least pivot, in units of the rows, with which products of rows lose no more digits than two steps of refinement
find again."""
TWICE = 2
"""How often functions are made orthogonal to polynomials: twice is enough."""
UNDETERMINED = 1e-11
"""A pivot below this means that the solution is not determined; those of 200 cells are above 1e-6."""
EMPTY = 1e-13
"""A free direction of a cell that its rows see less than this, relative to the others, is left out."""

Entry = tuple[np.ndarray, np.ndarray]
"""Rows [B, r] of sets of points (sets, m, free + rights), and the place of their cells in a group."""


@dataclass(frozen=True, eq=False)
class GroupRows:
    """All rows of the cells of a group, one below the other: (k, rows, free + rights).

    A cell that has fewer has zeros."""

    rows: np.ndarray
    starts: Sequence[np.ndarray]

    @classmethod
    def of(cls, count: int, entries: Sequence[Entry]) -> GroupRows:
        """Stack entries; `starts` is the first row of each set of each entry, counted over all cells."""
        slots, bases, width = [], [], 0
        for rows, cells in entries:
            order = np.argsort(cells, kind="stable")
            ordered = cells[order]
            slot = np.empty(len(cells), dtype=int)
            slot[order] = np.arange(len(cells)) - np.searchsorted(ordered, ordered)
            slots.append(slot)
            bases.append(width)
            width += (int(slot.max(initial=-1)) + 1) * rows.shape[1]
        found = np.zeros((count, width, entries[0][0].shape[2]))
        starts = []
        for (rows, cells), slot, base in zip(entries, slots, bases, strict=True):
            m = rows.shape[1]
            view = found[:, base : base + (int(slot.max(initial=-1)) + 1) * m].reshape(count, -1, m, found.shape[2])
            view[cells, slot] = rows
            starts.append(cells * width + base + slot * m)
        return cls(found, starts)


@dataclass(frozen=True, eq=False)
class CellGlue:
    """The rows of all cells for their free coefficients, factored.

    Parameters
    ----------
    rows : sequence of (k, rows, free) arrays
        The rows of each group in coordinates in which those of a cell are orthonormal.
    right : (n, r) array
        The right-hand sides of all rows, those of faces for both sides.
    faces : (2, f, m) array
        The two rows of each face, which together are one equation.
    whiten : sequence of (k, free, free) arrays
        From these coordinates to the free coefficients.
    normal : DenseNormal or HalvedNormal
        The normal equations of these coordinates.
    """

    rows: Sequence[np.ndarray]
    right: np.ndarray
    faces: np.ndarray
    whiten: Sequence[np.ndarray]
    normal: DenseNormal | HalvedNormal

    @property
    def pivot(self) -> float:
        """The smallest pivot of the factorisation: how well the rows determine the weakest direction."""
        return self.normal.pivot

    @cached_property
    def _sizes(self) -> list[tuple[int, ...]]:
        return [w.shape[:2] for w in self.whiten]

    def solve(self, lower: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
        """The free coefficients (k, free, r) of each group, and what is left on the faces; with functions of all ranks
        but the `lower` highest ones."""
        several = self.right.shape[1]
        z = np.zeros((sum(k * free for k, free in self._sizes), several))
        for _ in range(STEPS + 1):
            right = np.concatenate([(np.swapaxes(r, 1, 2) @ g).reshape(-1, several) for r, g in self._left(z)[0]])
            more = self.normal.solve(right, lower)
            z += more
            if np.linalg.norm(more) <= REFINED * np.linalg.norm(z):
                break
        over = self._left(z)[1]
        return [w @ c for w, c in zip(self.whiten, self._split(z), strict=True)], over

    def _split(self, z: np.ndarray) -> list[np.ndarray]:
        parts = np.split(z, np.cumsum([k * free for k, free in self._sizes])[:-1])
        return [p.reshape(*size, -1) for p, size in zip(parts, self._sizes, strict=True)]

    def _left(self, z: np.ndarray) -> tuple[list[tuple[np.ndarray, np.ndarray]], np.ndarray]:
        """The rows of each group with what is left of them, and what is left on the faces."""
        made = [(r @ c).reshape(-1, z.shape[1]) for r, c in zip(self.rows, self._split(z), strict=True)]
        left = self.right - np.concatenate(made)
        over = left[self.faces[0]] + left[self.faces[1]]
        left[self.faces] = over
        parts = np.split(left, np.cumsum([len(m) for m in made])[:-1])
        return [(r, g.reshape(*r.shape[:2], -1)) for r, g in zip(self.rows, parts, strict=True)], over


@dataclass(frozen=True, eq=False)
class DenseNormal:
    """Normal equations factored at once, functions of low ranks first: the leading parts belong to these alone.

    Parameters
    ----------
    order : (n,) array
        The unknowns as they are eliminated.
    counts : sequence of int
        How many there are of all ranks, of all but the highest, and so on.
    """

    upper: np.ndarray
    order: np.ndarray
    counts: Sequence[int]
    pivot: float

    def solve(self, right: np.ndarray, lower: int) -> np.ndarray:
        n = self.counts[lower]
        found = np.zeros_like(right)
        found[self.order[:n]] = lapack.dpotrs(self.upper[:n, :n], right[self.order[:n]])[0]
        return found


@dataclass(frozen=True, eq=False)
class HalvedNormal:
    """Normal equations of many cells, halved again and again, for functions of all ranks and, when they are asked for,
    without the highest ones.

    Parameters
    ----------
    order : by the number of ranks that are left out
        The unknowns as they are eliminated.
    """

    blocks: NormalBlocks
    order: Sequence[np.ndarray]
    made: dict[int, Dissection] = field(default_factory=dict)

    @property
    def pivot(self) -> float:
        return self._factor(0).pivot

    def solve(self, right: np.ndarray, lower: int) -> np.ndarray:
        found = np.zeros_like(right)
        found[self.order[lower]] = self._factor(lower).solve(right[self.order[lower]])
        return found

    def _factor(self, lower: int) -> Dissection:
        if lower not in self.made:
            self.made[lower] = self.blocks.halved(lower)
        return self.made[lower]


@dataclass(frozen=True, eq=False)
class NormalBlocks:
    """The blocks of normal equations: of each cell, and of the two sides of faces between `pairs`, for the `places` of
    functions that are there, of which the first `counts` (ranks, cells) are of all ranks, of all but the highest, and
    so on."""

    own: Sequence[np.ndarray]
    pairs: Sequence[Sequence[int]]
    across: Sequence[np.ndarray]
    counts: np.ndarray
    centres: np.ndarray

    def halved(self, lower: int) -> Dissection:
        """Factored by nested dissection."""
        seen = self.counts[lower].tolist()
        products: dict[tuple[int, int], np.ndarray] = {}
        near: list[set[int]] = [set() for _ in self.own]
        for (i, j), whole in zip(self.pairs, self.across, strict=True):
            block = whole[: seen[i], : seen[j]]
            a, b, turned = (i, j, block) if i < j else (j, i, block.T)
            products[a, b] = products[a, b] + turned if (a, b) in products else turned
            near[i].add(j)
            near[j].add(i)
        return dissected(Normal([b[:n, :n] for b, n in zip(self.own, seen, strict=True)], products, near), self.centres)

    def dense(self) -> np.ndarray:
        """The lower triangle, cell by cell."""
        starts = np.cumsum([0, *self.counts[0]]).tolist()
        whole = np.zeros((starts[-1], starts[-1]))
        for k, block in enumerate(self.own):
            whole[starts[k] : starts[k + 1], starts[k] : starts[k + 1]] = block
        for (i, j), block in zip(self.pairs, self.across, strict=True):
            whole[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] += block
            whole[starts[j] : starts[j + 1], starts[i] : starts[i + 1]] += block.T
        return whole


def glued(
    groups: Sequence[GroupRows],
    ranks: Sequence[np.ndarray],
    sums: Sequence[int],
    rights: int,
    sides: np.ndarray,
    width: int,
    pairs: np.ndarray,
    order: np.ndarray,
    seeds: np.ndarray,
) -> CellGlue:
    """Factor the rows of cells.

    Parameters
    ----------
    ranks : sequence of (free,) arrays
        The rank of each free column of a group, which are eliminated in that order; all zero with functions of corners.
    sums : sequence of int
        How many of the columns of a group, the last ones, are functions of corners.
    sides : (2, f) array
        The first row of each side of a face among all rows, group after group; the second with a minus.
    width : int
        The rows of a face.
    order : (k,) array
        The cells in the order of the groups.
    """
    whiten, rows, seen, blocks, ranked = [], [], [], [], []
    for group, rank, count in zip(groups, ranks, sums, strict=True):
        columns = np.argsort(rank, kind="stable")
        found, own = _whitened(group.rows[..., columns], len(rank) - count)
        found[:, columns] = found.copy()  # back to the order of the columns
        made = group.rows[..., : len(rank)] @ found
        whiten.append(found)
        rows.append(made)
        seen += list(own)
        ranked += [rank[columns]] * len(own)
        # Identities up to rounding, which in cells with functions of corners is not small.
        blocks += list(np.swapaxes(made, 1, 2) @ made) if count else [np.eye(len(rank))] * len(made)
    faces = sides[..., None] + np.arange(width)
    place = np.argsort(order)[pairs].tolist()
    across = _across(rows, faces)
    there = [np.flatnonzero(own) for own in seen]
    if not all(own.all() for own in seen):
        blocks = [block[np.ix_(t, t)] for block, t in zip(blocks, there, strict=True)]
        across = [block[np.ix_(there[i], there[j])] for (i, j), block in zip(place, across, strict=True)]
    starts = np.cumsum([0, *(len(own) for own in seen)])[:-1]
    each = [np.cumsum(np.bincount(rank[t], minlength=RANKS)) for rank, t in zip(ranked, there, strict=True)]
    normal = _factored(
        NormalBlocks(blocks, place, across, np.array(each)[:, ::-1].T, seeds[order]),
        [start + t for start, t in zip(starts, there, strict=True)],
        np.concatenate([rank[t] for rank, t in zip(ranked, there, strict=True)]),
    )
    right = np.concatenate([g.rows[..., -rights:].reshape(-1, rights) for g in groups])
    return CellGlue(rows, right, faces, whiten, normal)


def _whitened(rows: np.ndarray, plain: int) -> tuple[np.ndarray, np.ndarray]:
    """From coordinates in which the rows (k, m, free) of each cell are orthonormal to their own, and which of these
    there are (k, free).

    Of the `plain` first columns, polynomials, by Cholesky's factors of their products, which are faster than those of
    the rows; functions of corners hardly differ from polynomials where these are good, and are orthogonalised.
    """
    k, _, free = rows.shape
    found, seen = np.zeros((k, free, free)), np.ones((k, free), dtype=bool)
    products = _by_products(rows[..., :plain])
    if products is None:
        plain = 0
    else:
        found[:, :plain, :plain] = products
    if plain == free:
        return found, seen
    others, share = rows[..., plain:], np.zeros((k, plain, free - plain))
    if plain:
        own = rows[..., :plain] @ found[:, :plain, :plain]
        for _ in range(TWICE):
            more = np.swapaxes(own, 1, 2) @ others
            others = others - own @ more
            share += more
    upper: np.ndarray = np.linalg.qr(others, mode="r")  # type: ignore[assignment]
    diagonal = np.einsum("kii->ki", upper)
    pivots = np.concatenate([1.0 / np.einsum("kii->ki", found[:, :plain, :plain]), np.abs(diagonal)], axis=1)
    seen[:, plain:] = pivots[:, plain:] > EMPTY * pivots.max(axis=1, keepdims=True)
    diagonal[...] = np.where(seen[:, plain:], diagonal, 1.0)
    inverse = np.linalg.inv(upper) * seen[:, None, plain:]
    found[:, plain:, plain:] = inverse
    found[:, :plain, plain:] = -found[:, :plain, :plain] @ (share @ inverse)
    return found, seen


def _by_products(rows: np.ndarray) -> np.ndarray | None:
    """From orthonormal coordinates to those of rows (k, m, n), by Cholesky's factors of their products; None if that
    would lose digits."""
    products = np.swapaxes(rows, 1, 2) @ rows
    scale = np.sqrt(np.einsum("kii->ki", products))
    if not scale.all():
        return None
    try:
        lower = np.linalg.cholesky(products / (scale[:, :, None] * scale[:, None]))
    except np.linalg.LinAlgError:
        return None
    if float(np.einsum("kii->ki", lower).min(initial=1.0)) < PRODUCTS:
        return None
    return np.swapaxes(np.linalg.inv(lower), 1, 2) / scale[..., None]


def _across(rows: Sequence[np.ndarray], faces: np.ndarray) -> list[np.ndarray]:
    """The products of the two sides of each face."""
    starts = np.cumsum([0, *(r.shape[0] * r.shape[1] for r in rows)])
    group = np.searchsorted(starts, faces[:, :, 0], side="right") - 1
    found: list[np.ndarray] = [np.zeros(0)] * faces.shape[1]
    for a, first in enumerate(rows):
        for b, second in enumerate(rows):
            mine = np.flatnonzero((group[0] == a) & (group[1] == b))
            if len(mine):
                left = first.reshape(-1, first.shape[2])[faces[0, mine] - starts[a]]
                right = second.reshape(-1, second.shape[2])[faces[1, mine] - starts[b]]
                for k, product in zip(mine.tolist(), np.swapaxes(left, 1, 2) @ right, strict=True):
                    found[k] = product
    return found


def _factored(blocks: NormalBlocks, places: Sequence[np.ndarray], ranks: np.ndarray) -> DenseNormal | HalvedNormal:
    """The normal equations of unknowns at some places, cell by cell, with their ranks."""
    made: DenseNormal | HalvedNormal
    if len(ranks) > DENSE:
        few = [[p[:n] for p, n in zip(places, counts, strict=True)] for counts in blocks.counts.tolist()]
        made = HalvedNormal(blocks, [np.concatenate(some) for some in few])
    else:
        order = np.argsort(ranks, kind="stable")
        # LAPACK sees the transpose, and overwrites it.
        upper, failed = lapack.dpotrf(blocks.dense()[np.ix_(order, order)].T, clean=0, overwrite_a=1)
        counts = blocks.counts.sum(axis=1).tolist()
        made = DenseNormal(upper, np.concatenate(places)[order], counts, 0.0 if failed else _smallest(upper))
    if not made.pivot > UNDETERMINED:
        raise TransnetError("In cells the solution is not determined: a condition may be missing.")
    return made


def _smallest(upper: np.ndarray) -> float:
    return float(np.diag(upper).min()) ** 2
