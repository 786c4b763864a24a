"""The functional of a block: how the values of unknowns at points become rows.

The general form is a weighted sum of evaluations. At each node y_j there is an equation F(y_j, s) = 0, where a slot is

    s = D^k u(y_j) + sum_e sum_m w_e[j, m] D^k u(p_e[j, m]),

its value at the node and, with weights, at places away from it; and a row is one node, or a weighted sum of the values
of F at several. A value, a periodic condition (away: the opposite face, with the weight -1), a mean value (all nodes
make one row) and an integral over some of the coordinates (several nodes for each row) are all of this form, and
nothing else needs to distinguish them. It contains no equation, so it can be pickled and sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.expansion import Slot

FOLDED = 4_096
"""Nodes whose rows are written at once before they are added up: a few arrays of columns stay in memory."""

Evaluate = Callable[[np.ndarray, Sequence[Slot]], Sequence[np.ndarray]]
"""D^k u at points, for each slot."""
Write = Callable[[np.ndarray, np.ndarray, Sequence[Slot], Sequence[np.ndarray], float], None]
"""Transposed rows into an array, at points, of slots with coefficients, times a factor."""
PullBack = Callable[[np.ndarray, Sequence[Slot], Sequence[np.ndarray]], np.ndarray]
"""The transposed map at points: sum over slots and points of g_k(y_j) D^k phi_m(y_j)."""


@dataclass(frozen=True, eq=False)
class Away:
    """Other places for each of n nodes: points (n m, d), those of a node together, and weights (n, m)."""

    points: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Where the unknowns are evaluated, and how the values make rows.

    Parameters
    ----------
    points : (n, d) array
        The nodes.
    away : tuple of Away
        Additional places where slots are evaluated.
    fold : (rows, m) array, optional
        The weights of the m consecutive nodes of each row; without it each node is a row.
    remote : tuple of Away or None, optional
        For each slot the places where it is evaluated instead of the node; weights (1, m) hold for all nodes.
    """

    points: np.ndarray
    away: tuple[Away, ...] = ()
    fold: np.ndarray | None = None
    remote: tuple[Away | None, ...] = ()

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.points) if self.fold is None else len(self.fold)

    @property
    def places(self) -> list[np.ndarray]:
        """All arrays of points where slots are evaluated."""
        return [self.points, *(a.points for a in self.away), *(r.points for r in self.remote if r is not None)]

    def nodes_of(self, which: slice | np.ndarray) -> slice | np.ndarray:
        """The nodes of some rows."""
        return which if self.fold is None else np.arange(len(self.points)).reshape(self.fold.shape)[which].ravel()

    def part(self, which: slice | np.ndarray) -> Nodes:
        """Some of the rows."""
        here = self.nodes_of(which)
        away = tuple(Away(_grouped(a)[here].reshape(-1, a.points.shape[1]), a.weights[here]) for a in self.away)
        remote = tuple(
            r
            if r is None or len(r.weights) < len(self.points)
            else Away(_grouped(r)[here].reshape(-1, r.points.shape[1]), r.weights[here])
            for r in self.remote
        )
        return Nodes(self.points[here], away, None if self.fold is None else self.fold[which], remote)

    def state(
        self, evaluate: Evaluate, slots: Sequence[Slot], here: Sequence[np.ndarray] | None = None
    ) -> list[np.ndarray]:
        """The value of each slot at the nodes; `here` are the values of the unknowns there, if they are known."""
        values = list(evaluate(self.points, slots) if here is None else here)
        for away in self.away:
            there = evaluate(away.points, slots)
            shape = away.weights.shape
            summed = [np.einsum("nm...,nm->n...", t.reshape(*shape, *t.shape[1:]), away.weights) for t in there]
            values = [a + b for a, b in zip(values, summed, strict=True)]
        for j, place in enumerate(self.remote):
            if place is not None:
                value = evaluate(place.points, [slots[j]])[0]
                grouped = value.reshape(*place.weights.shape, *value.shape[1:])
                total = np.einsum("nm...,nm->n...", grouped, place.weights)
                values[j] = np.broadcast_to(total, (len(self.points), *total.shape[1:]))
        return values

    def folded(self, values: np.ndarray) -> np.ndarray:
        """From values at the nodes, (n,) or (n, k), to values of the rows."""
        if self.fold is None:
            return values
        grouped = values.reshape(*self.fold.shape, *values.shape[1:])
        return (self.fold[:, None, :] @ grouped.reshape(*self.fold.shape, -1))[:, 0].reshape(-1, *values.shape[1:])

    def write(
        self,
        out: np.ndarray,
        write: Write,
        slots: Sequence[Slot],
        coefficients: Sequence[np.ndarray],
        factor: float = 1.0,
        most: int = FOLDED,
    ) -> None:
        """The transposed rows of an operator with coefficients at the nodes, (columns, rows), times a factor."""
        if self.fold is None:
            self._write(out, write, slots, coefficients, factor)
            return
        rows, m = self.fold.shape
        step, stride = max(1, most // m), min(m, most)
        for first in range(0, rows, step):
            some = slice(first, min(first + step, rows))
            out[:, some] = 0.0
            for start in range(0, m, stride):
                weights = self.fold[some, start : start + stride]
                nodes, theirs = self, coefficients
                if weights.shape != self.fold.shape:
                    here = np.arange(rows * m).reshape(rows, m)[some, start : start + stride].ravel()
                    nodes = Nodes(self.points, self.away, None, self.remote).part(here)
                    theirs = [c if np.ndim(c) == 0 else c[here] for c in coefficients]
                whole = np.empty((len(out), len(nodes.points)))
                nodes._write(whole, write, slots, theirs, factor)
                grouped = whole.reshape(len(out), *weights.shape)
                out[:, some] += (grouped.transpose(1, 0, 2) @ weights[:, :, None])[:, :, 0].T

    def _write(
        self, out: np.ndarray, write: Write, slots: Sequence[Slot], coefficients: Sequence[np.ndarray], factor: float
    ) -> None:
        if self.remote:
            self._write_remote(out, write, slots, coefficients, factor)
            return
        write(out, self.points, slots, coefficients, factor)
        for away in self.away:
            rows = np.empty((len(out), len(away.points)))
            write(rows, away.points, slots, _weighted(coefficients, away), factor)
            out += rows.reshape(len(out), *away.weights.shape).sum(axis=2)

    def _write_remote(
        self, out: np.ndarray, write: Write, slots: Sequence[Slot], coefficients: Sequence[np.ndarray], factor: float
    ) -> None:
        """The same if some slots are evaluated elsewhere."""
        here = [j for j, r in enumerate(self.remote) if r is None]
        write(out, self.points, [slots[j] for j in here], [coefficients[j] for j in here], factor)
        for j, place in enumerate(self.remote):
            if place is None or not np.any(coefficients[j]):
                continue
            rows = np.empty((len(out), len(place.points)))
            if len(place.weights) < len(self.points):
                write(rows, place.points, [slots[j]], [place.weights.ravel()], factor)
                out += rows.sum(axis=1)[:, None] * np.broadcast_to(coefficients[j], (len(self.points),))
            else:
                write(rows, place.points, [slots[j]], _weighted([coefficients[j]], place), factor)
                out += rows.reshape(len(out), *place.weights.shape).sum(axis=2)

    def pull_back(
        self, pull: PullBack, slots: Sequence[Slot], coefficients: Sequence[np.ndarray], rows: np.ndarray
    ) -> np.ndarray:
        """The transposed operator applied to values of the rows: one number per column."""
        nodes = rows if self.fold is None else (rows[:, None] * self.fold).ravel()
        parts = [c * nodes for c in coefficients]
        if self.remote:
            here = [j for j, r in enumerate(self.remote) if r is None]
            total = pull(self.points, [slots[j] for j in here], [parts[j] for j in here])
            for j, place in enumerate(self.remote):
                if place is not None:
                    shared = len(place.weights) < len(self.points)
                    part = [np.sum(parts[j]) * place.weights.ravel()] if shared else _weighted([parts[j]], place)
                    total = total + pull(place.points, [slots[j]], part)
            return total
        total = pull(self.points, slots, parts)
        for away in self.away:
            total = total + pull(away.points, slots, _weighted(parts, away))
        return total


def _grouped(away: Away) -> np.ndarray:
    return away.points.reshape(*away.weights.shape, -1)


def _weighted(coefficients: Sequence[np.ndarray], away: Away) -> list[np.ndarray]:
    return [(np.broadcast_to(c, (len(away.weights),))[:, None] * away.weights).ravel() for c in coefficients]
