"""The features' derivatives at fixed points, computed once and used in every step of an iteration.

A row of a step is sum_k c_k(y_j) D^k phi_m(y_j) with coefficients c_k that change and features that do not. What is
kept is s^(n)(w_m.y_j + b_m) for each order n: all derivatives D^k phi_m = w_m^k s^(|k|) follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Slot
from transnet.features.evaluate import POINTS, Terms, powers, run_chunks
from transnet.features.space import FeatureSpace

NEURONS = 16
"""Neurons of a chunk when rows are written: their values and the rows stay in the cache."""


class Jet:
    """The derivatives of all features of a basis at one set of points.

    Parameters
    ----------
    basis : Basis
        The features of each unknown.
    points : (n, d) array
        Points of the domain.
    slots : sequence of (unknown, multi-index)
        Which derivatives will be asked for.
    keep : bool
        Whether to keep them; if memory is short they are computed whenever they are needed.
    """

    def __init__(self, basis: Basis, points: np.ndarray, slots: Sequence[Slot], keep: bool = True) -> None:
        self.basis = basis
        self.points = points
        # The derivatives of several layers are not products of powers and orders: they are computed when needed.
        keep = keep and not any(space.inner for space in basis.spaces)
        self.kept = keep
        placed = basis.placement(points)
        orders: dict[int, set[int]] = {}
        for unknown, index in slots:
            orders.setdefault(id(basis.spaces[unknown]), set()).add(sum(index))
        self.values: dict[int, dict[int, np.ndarray]] = {
            id(space): _activations(space, placed, sorted(orders[id(space)]))
            for space in basis.distinct
            if keep and id(space) in orders
        }
        self.singular: dict[tuple[int, tuple[int, ...]], np.ndarray] = {
            (id(space), index): space.singular.apply(placed, [(index, 1.0)])
            for space, index in {(id(basis.spaces[u]), k): (basis.spaces[u], k) for u, k in slots}.values()
            if keep and len(space.singular)
        }

    @staticmethod
    def elements(basis: Basis, points: np.ndarray, slots: Sequence[Slot]) -> int:
        """The number of values that will be kept."""
        kept = {(id(basis.spaces[u]), sum(index), basis.spaces[u].neurons) for u, index in slots}
        return len(points) * sum(neurons for _, _, neurons in kept)

    def write(self, out: np.ndarray, slots: Sequence[Slot], coefficients: Sequence[np.ndarray], factor: float) -> None:
        """Write sum_k c_k D^k phi, times the factor, into the transposed rows `out`: (columns, n)."""
        if not self.kept:
            self.basis.write(out, self.points, slots, coefficients, factor)
            return

        def write(space: FeatureSpace, targets: list[tuple[np.ndarray, Terms]]) -> None:
            for rows, terms in targets:
                self._write(rows, space, terms)

        self.basis.write_by(write, out, slots, coefficients, factor)

    def _write(self, out: np.ndarray, space: FeatureSpace, terms: Terms) -> None:
        values = self.values[id(space)]
        n = len(self.points)
        groups: list[tuple[np.ndarray, np.ndarray, np.ndarray | None]] = []
        for order in sorted({sum(index) for index, _ in terms}):
            mine = [(powers(space.weights, index), c) for index, c in terms if sum(index) == order]
            if all(np.ndim(c) == 0 for _, c in mine):
                groups.append((values[order], sum((p * c for p, c in mine), np.zeros(space.neurons))[:, None], None))
            else:
                coefficients = np.stack([np.broadcast_to(c, (n,)) for _, c in mine])
                groups.append((values[order], np.stack([p for p, _ in mine], axis=1), coefficients))

        def chunk(start: int) -> None:
            here = slice(start, min(start + NEURONS, space.neurons))
            rows = out[space.neuron_columns][here]
            for number, (value, factor, coefficients) in enumerate(groups):
                scale = factor[here] if coefficients is None else factor[here] @ coefficients
                if number == 0:
                    np.multiply(value[here], scale, out=rows)
                else:
                    scale = scale * value[here]
                    rows += scale

        run_chunks(chunk, range(0, space.neurons, NEURONS), space.neurons * n)
        out[0] = sum((c for index, c in terms if sum(index) == 0), np.zeros(()))
        if len(space.singular):
            out[space.singular_columns] = sum(self.singular[id(space), index] * c for index, c in terms)

    def derivatives(self, coefficients: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at the points, for each slot (i, k), for given output weights."""
        if not self.kept:
            return self.basis.derivatives(coefficients, self.points, slots)
        found = []
        for unknown, index in slots:
            space, unit = self.basis.spaces[unknown], self.basis.placement.unit(index)
            alpha = coefficients[self.basis.slice_of(unknown)]
            value = (alpha[space.neuron_columns] * powers(space.weights, index) / unit) @ self.values[id(space)][
                sum(index)
            ]
            if len(space.singular):
                value = value + alpha[space.singular_columns] @ self.singular[id(space), index] / unit
            found.append(value + alpha[0] if sum(index) == 0 else value)
        return found

    def pull_back(self, slots: Sequence[Slot], parts: Sequence[np.ndarray]) -> np.ndarray:
        """The transposed map: sum over slots and points of g_k(y_j) D^k phi_m(y_j), one number per column."""
        total = np.zeros(self.basis.columns)
        if not self.kept and any(space.inner for space in self.basis.spaces):
            for slot, part in zip(slots, parts, strict=True):
                rows = np.empty((self.basis.columns, len(self.points)))
                self.basis.write(rows, self.points, [slot], [np.ones(())])
                total += rows @ np.broadcast_to(part, (len(self.points),))
            return total
        if not self.kept:
            for start in range(0, len(self.points), POINTS):
                here = slice(start, start + POINTS)
                piece = Jet(self.basis, self.points[here], slots)
                total += piece.pull_back(slots, [p if np.ndim(p) == 0 else p[here] for p in parts])
            return total
        for (unknown, index), part in zip(slots, parts, strict=True):
            space = self.basis.spaces[unknown]
            g = np.broadcast_to(part, (len(self.points),))
            mine = np.empty(space.size)
            mine[0] = g.sum() if sum(index) == 0 else 0.0
            values = self.values[id(space)][sum(index)]
            mine[space.neuron_columns] = powers(space.weights, index) / self.basis.placement.unit(index) * (values @ g)
            if len(space.singular):
                mine[space.singular_columns] = self.singular[id(space), index] @ g / self.basis.placement.unit(index)
            total[self.basis.slice_of(unknown)] += mine
        return total


def _activations(space: FeatureSpace, placed: np.ndarray, orders: list[int]) -> dict[int, np.ndarray]:
    columns = np.ascontiguousarray(placed.T)
    kept = {order: np.empty((space.neurons, len(placed))) for order in orders}

    def chunk(start: int) -> None:
        here = slice(start, min(start + NEURONS, space.neurons))
        z = space.weights[here] @ columns
        z += space.biases[here, None]
        for order, value in zip(orders, space.activation.derivatives(z, orders), strict=True):
            kept[order][here] = value

    run_chunks(chunk, range(0, space.neurons, NEURONS), space.neurons * len(placed) * len(orders))
    return kept
