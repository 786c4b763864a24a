"""Two operations on features: write them into rows, and sum them up.

Both go through the neurons in chunks that stay in the cache, and evaluate the activation once for all the orders of
derivatives that are needed. Sums use a second core if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from transnet.features.layers import Layer, deep_derivatives
from transnet.features.sincos import CHUNK
from transnet.features.space import FeatureSpace
from transnet.threads import cores, on_one_thread

MultiIndex = tuple[int, ...]
Terms = Sequence[tuple[MultiIndex, np.ndarray]]
"""Derivatives with their coefficients: numbers, or one value for each point."""

DEEP_POINTS = 512
"""Points of a chunk of a network of several layers."""
POINTS = 2_048
"""Points of a chunk."""
PARALLEL = 200_000
"""The number of values above which several threads are worth starting: about three milliseconds of work."""
FEWEST, LAYER_CHUNKS = 16, 8
"""Points at once of a network with layers: at least this many, and values for this many chunks."""


def powers(weights: np.ndarray, index: MultiIndex) -> np.ndarray:
    """w_m^k = prod_i w_(m,i)^(k_i) for each neuron: (M,)."""
    result = np.ones(len(weights))
    for axis, n in enumerate(index):
        if n:
            result = result * weights[:, axis] ** n
    return result


def write_rows(space: FeatureSpace, points: np.ndarray, targets: Sequence[tuple[np.ndarray, Terms]]) -> None:
    """Write sum_k c_k(y_j) D^k phi_m(y_j) of every feature at every point.

    Parameters
    ----------
    space : FeatureSpace
        The features phi_m.
    points : (n, d) array
        y_j, in the coordinates of the ball.
    targets : sequence of (out, terms)
        `out` is the transposed block of rows, (space.size, n); several share one evaluation of the activation.
    """
    (_write_deep if space.inner else _write_neurons)(space, points, targets)
    for out, terms in targets:
        out[0] = sum((c for index, c in terms if sum(index) == 0), np.zeros(()))
        if len(space.singular):
            out[space.singular_columns] = space.singular.apply(points, terms)


def _write_neurons(space: FeatureSpace, points: np.ndarray, targets: Sequence[tuple[np.ndarray, Terms]]) -> None:
    columns = np.ascontiguousarray(points.T)
    plans = [_Plan(space, terms) for _, terms in targets]
    orders = sorted({n for plan in plans for n in plan.by_order})
    n = len(points)
    tile = min(n, POINTS)
    # Pairs of sines are evaluated once for both: their steps are over the first of each.
    stride = 2 if space.paired else 1
    step = stride * max(1, CHUNK // max(tile, 1))

    def chunk(start: int) -> None:
        stop = min(start + step, space.neurons)
        bias = space.biases[start:stop:stride, None]
        for first in range(0, n, tile):
            here = slice(first, min(first + tile, n))
            z = space.weights[start:stop:stride] @ columns[:, here]
            z += bias
            for shift, values in enumerate(_shifted(space, z, orders)):
                neurons = slice(start + shift, stop, stride)
                for (out, _), plan in zip(targets, plans, strict=True):
                    plan.write(out[space.neuron_columns][neurons, here], values, neurons, here)

    # On one thread: steps that stay in the cache are so short that threads would wait for the interpreter's lock.
    for start in range(0, space.neurons, step):
        chunk(start)


def _write_deep(space: FeatureSpace, points: np.ndarray, targets: Sequence[tuple[np.ndarray, Terms]]) -> None:
    """The same for a network of several hidden layers."""
    indices = list(dict.fromkeys(index for _, terms in targets for index, _ in terms))
    layers = (*space.inner, Layer(space.weights, space.biases, space.activation))
    for start in range(0, len(points), DEEP_POINTS):
        here = slice(start, start + DEEP_POINTS)
        values = deep_derivatives(layers, points[here], indices)
        for out, terms in targets:
            out[space.neuron_columns, here] = sum(
                (values[index] * (c if np.ndim(c) == 0 else c[here, None]) for index, c in terms),
                np.zeros((len(points[here]), space.neurons)),
            ).T


def _shifted(space: FeatureSpace, z: np.ndarray, orders: Sequence[int]) -> list[dict[int, np.ndarray]]:
    """s^(n)(z) for each order n; for pairs of sines also s^(n)(z + pi/2) = s^(n+1)(z)."""
    if not orders:
        return [{}, {}] if space.paired else [{}]
    if not space.paired:
        return [dict(zip(orders, space.activation.derivatives(z, orders), strict=True))]
    needed = sorted({n + k for n in orders for k in (0, 1)})
    values = dict(zip(needed, space.activation.derivatives(z, needed), strict=True))
    return [{n: values[n + k] for n in orders} for k in (0, 1)]


class _Plan:
    """What one target needs: for each order, a factor for each neuron (and point, where coefficients vary)."""

    def __init__(self, space: FeatureSpace, terms: Terms) -> None:
        self.by_order: dict[int, tuple[np.ndarray, np.ndarray | None]] = {}
        for order in sorted({sum(index) for index, _ in terms}):
            group = [(powers(space.weights, index), c) for index, c in terms if sum(index) == order]
            if all(np.ndim(c) == 0 for _, c in group):
                self.by_order[order] = (sum((p * c for p, c in group), np.zeros(space.neurons)), None)
            else:
                size = max(np.size(c) for _, c in group)
                coefficients = np.stack([np.broadcast_to(c, (size,)) for _, c in group])
                self.by_order[order] = (np.stack([p for p, _ in group], axis=1), coefficients)

    def write(self, out: np.ndarray, values: dict[int, np.ndarray], neurons: slice, here: slice) -> None:
        if not self.by_order:
            out[:] = 0.0
        for number, (order, (factor, coefficients)) in enumerate(self.by_order.items()):
            scale = factor[neurons, None] if coefficients is None else factor[neurons] @ coefficients[:, here]
            if number == 0:
                np.multiply(values[order], scale, out=out)
            else:
                out += values[order] * scale


def run_chunks(chunk: Callable[[int], None], starts: range, elements: int) -> None:
    """Run the chunks, on several threads if there is enough to do: NumPy releases the interpreter's lock."""
    threads = min(cores(), len(starts))
    if threads < 2 or elements < PARALLEL:
        for start in starts:
            chunk(start)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(chunk, starts))


@on_one_thread
def evaluate(
    space: FeatureSpace, coefficients: np.ndarray, points: np.ndarray, indices: Sequence[MultiIndex]
) -> np.ndarray:
    """D^k u at points, u = sum_m alpha_m phi_m + alpha_0, the singular features included.

    Parameters
    ----------
    coefficients : (size,) or (size, c) array
        alpha in the order of the columns, the constant first; several columns are several functions.
    points : (n, d) array
        In the coordinates of the ball.
    indices : sequence of multi-indices
        Which derivatives, with respect to the coordinates of the ball.

    Returns
    -------
    (len(indices), n) or (len(indices), n, c) array
    """
    alpha = coefficients if coefficients.ndim == 2 else coefficients[:, None]
    n, functions = len(points), alpha.shape[1]
    result = np.zeros((len(indices), n, functions))
    if not indices:
        return result
    if space.inner:
        layers = (*space.inner, Layer(space.weights, space.biases, space.activation))
        for start in range(0, n, DEEP_POINTS):
            here = slice(start, start + DEEP_POINTS)
            values = deep_derivatives(layers, points[here], list(dict.fromkeys(map(tuple, indices))))
            for i, index in enumerate(indices):
                result[i, here] = values[tuple(index)] @ alpha[space.neuron_columns]
        _add_rest(space, alpha, points, indices, result)
        return result if coefficients.ndim == 2 else result[:, :, 0]
    orders = sorted({sum(index) for index in indices})
    neurons = alpha[space.neuron_columns]
    sides = {
        order: np.concatenate([powers(space.weights, k)[:, None] * neurons for k in indices if sum(k) == order], axis=1)
        for order in orders
    }
    positions = {order: [i for i, k in enumerate(indices) if sum(k) == order] for order in orders}
    step = max(FEWEST, LAYER_CHUNKS * CHUNK // max(space.neurons, 1))

    stride = 2 if space.paired else 1
    weights, biases = space.weights[::stride].T, space.biases[::stride]

    def chunk(start: int) -> None:
        here = slice(start, min(start + step, n))
        z = points[here] @ weights
        z += biases
        shifted = _shifted(space, z, orders)
        for order in orders:
            summed = sum(values[order] @ sides[order][k::stride] for k, values in enumerate(shifted))
            for j, i in enumerate(positions[order]):
                result[i, here] = summed[:, j * functions : (j + 1) * functions]

    run_chunks(chunk, range(0, n, step), space.neurons * n)
    _add_rest(space, alpha, points, indices, result)
    return result if coefficients.ndim == 2 else result[:, :, 0]


def _add_rest(
    space: FeatureSpace, alpha: np.ndarray, points: np.ndarray, indices: Sequence[MultiIndex], result: np.ndarray
) -> None:
    """Add the constant and the singular features."""
    n = len(points)
    for i, index in enumerate(indices):
        if sum(index) == 0:
            result[i] += alpha[0]
    if len(space.singular):
        for start in range(0, n, POINTS):
            here = slice(start, start + POINTS)
            terms = [[(index, 1.0)] for index in indices]
            for i, values in enumerate(space.singular.summed(points[here], terms, alpha[space.singular_columns])):
                result[i, here] += values
