"""Eigenvalues to all digits: inverse iteration of several functions at once, with one shift for values of one size.

Each step is a plain least-squares solve with smooth right-hand sides, as accurate as any solve of the library, for the
functions that the previous step separated: in a mixture the error of the roughest would be that of all. The shift stays
away from the values: the rows of an eigenfunction do not vanish, they are its error, and a shift closer than that error
would find the error instead of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.eigen.clusters import clusters_of
from transnet.eigen.pencil import Pencil
from transnet.lazy import linalg
from transnet.linalg.reflectors import Reflectors
from transnet.linalg.sizes import rms
from transnet.tolerances import BESIDE, EPS, PRECISION

ITERATIONS = 30
"""The most steps; each brings the functions closer by the ratio of the distances from the shift, about 0.3."""
ROUNDING, SLOWER = 1e-11, 0.8
"""So does a change below the first of these that is more than the second times the one before: that is rounding."""
STUCK = 4
"""So do this many steps, not counting the first few, without a smaller change."""
ROUNDS = 20.0
"""The rounding of a value, in units of eps: on fifty lines with two wells the values were off by 5 to 100."""
MOVED = 5.0
"""How far from its value an iteration may be, in units of its last change: with convection, whose operator is far from
normal, up to 13 times that was seen."""
NOISE = 2.0
"""The same of one that only wanders, in units of the mean of its last changes: 0.4 to 1.5 on planes with two wells."""
LEFT = 0.5
"""The error of a value, in units of its difference from that of nine tenths of the network: values converge twice as
fast as functions, and on twelve planes with two wells it was 0.05 to 0.5."""
REAL = 1e-5
"""The imaginary part, relative to the value, of a value that is real up to the errors of the first search."""
OFF = 0.3
"""The distance of the shift from values that lie together, in units of the distance to the next ones: on a clamped
plate with 300 waves a hundredth gives an error of 4e-3, a tenth of 4e-4, this of 1e-4; more would make the iteration
slow."""
APART = 1e-3
"""Values closer to the middle of a group than this part of the distance of the farthest belong to it."""


@dataclass(frozen=True, eq=False)
class Refined:
    """Some eigenvalues: their values, the coefficients of their functions (columns, k), and the error.

    `errors` are the differences from the values of smaller networks, `changes` the relative L2 distances of functions.
    """

    values: np.ndarray
    coefficients: np.ndarray
    errors: np.ndarray
    changes: np.ndarray


def refined_values(
    pencil: Pencil, values: np.ndarray, coefficients: np.ndarray, group: np.ndarray, parts: Sequence[int]
) -> Refined:
    """The values of a group to all digits.

    Parameters
    ----------
    values, coefficients : arrays
        What `nearest` found for them and for others.
    group : array of int
        The indices of those that are wanted.
    parts : sequence of int
        The columns of smaller networks, whose values give the error of those of the whole.
    """
    shift = _shift(values, group)
    near = np.argsort(np.abs(values - shift))
    most = np.flatnonzero(np.isin(near, group)).max() + 1
    block = near[: max(most, min(2 * len(group) + 6, len(values)))]
    wanted = np.isin(block, group)
    real = not pencil.is_complex and np.abs(values[block].imag).max() <= REAL * np.abs(values[block]).max()
    shift = shift.real if real else shift
    matrices = pencil.at(shift)
    start = _states(coefficients[:, block], values[block] - shift, len(matrices) - 1)
    start = _real(pencil, start) if real else start
    factored = Reflectors.of(matrices[0])
    expected = values[block][wanted]
    all_values, functions, moved = _iterate(pencil, matrices, factored, start, shift, expected)
    chosen = matched(all_values, expected)
    whole = all_values[chosen]
    functions = _orthogonal(pencil, whole, functions[:, chosen])
    # No value is better than what the last steps still moved, nor than the rounding of the largest beside it.
    errors = np.maximum(MOVED * moved, ROUNDS * EPS * float(np.abs(whole).max(initial=0.0)))
    changes = np.zeros(len(whole))
    seen = pencil.values @ functions
    for columns in parts:
        smaller = pencil.leading(columns)
        begin = _states(factored.solve(matrices[0] @ functions, columns), whole - shift, len(matrices) - 1)
        leading = tuple(m[:, :columns] for m in matrices)
        small, others, _ = _iterate(smaller, leading, factored, begin, shift, whole)
        errors = np.maximum(errors, LEFT * np.abs(small[matched(small, whole)] - whole))
        q_small = np.linalg.qr(smaller.values @ others)[0]
        changes = np.maximum(changes, np.linalg.norm(seen - q_small @ (q_small.conj().T @ seen), axis=0))
    return Refined(whole, functions, errors, changes)


def _shift(values: np.ndarray, group: np.ndarray) -> complex:
    """A number amid the values of a group, not close to any of them."""
    mine = values[group]
    middles = (0.5 * (mine[:, None] + mine)).ravel()
    centre = complex(mine.mean())
    away = np.abs(values - centre)
    alone = away > APART * away.max(initial=0.0)
    if alone.any() and np.abs(mine - centre).max() < OFF * away[alone].min():
        return centre + OFF * float(away[alone].min())
    distances = np.abs(middles[:, None] - values).min(axis=1) / np.abs(middles[:, None] - mine).max(axis=1).clip(1e-300)
    best = int(np.argmax(distances))
    if distances[best] > 0:
        return complex(middles[best])
    return centre + OFF * (abs(centre) or 1.0)


def _iterate(
    pencil: Pencil,
    matrices: Sequence[np.ndarray],
    factored: Reflectors,
    start: np.ndarray,
    shift: complex,
    expected: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Block inverse iteration until the expected values no longer change: all values, their functions, and how much
    each of the expected ones changed last."""
    first, *rest = matrices
    n = first.shape[1]
    phi = pencil.values
    triangle = np.asarray(np.linalg.qr(_seen(phi, start, len(rest)), mode="r"))
    now = linalg.solve_triangular(triangle.T, start.T, lower=True).T
    values, before_it, smallest, since = expected, np.inf, np.inf, 0
    moves: list[np.ndarray] = []
    size = np.abs(expected).max()
    for step in range(ITERATIONS):
        parts = np.split(now, len(rest))
        right = sum(m @ p for m, p in zip(rest, parts, strict=True))
        new = np.concatenate([-factored.solve(right, n), *parts[:-1]])
        q, r = np.linalg.qr(_seen(phi, now, len(rest)))
        mu, vectors = np.linalg.eig(linalg.solve_triangular(r, q.conj().T @ _seen(phi, new, len(rest))))
        if not np.iscomplexobj(now):
            mu, vectors = real_values(mu, vectors)
        every = shift + 1.0 / np.where(mu == 0, np.finfo(float).tiny, mu)
        found = every[matched(every, expected)]
        moves.append(np.abs(found - values))
        change = float(moves[-1].max())
        moved = np.full(len(expected), change)
        values = found
        functions = now[:n] @ vectors
        now = new @ vectors
        now = now / np.linalg.norm(_seen(phi, now, len(rest)), axis=0)
        since = 0 if change < smallest else since + 1
        smallest = min(change, smallest)
        if change <= PRECISION * size or (change <= ROUNDING * size and change > SLOWER * before_it):
            break
        if step > 2 * STUCK and since >= STUCK:
            moved = NOISE / MOVED * rms(np.array(moves[-STUCK:]), axis=0)
            break
        before_it = change
    return every, functions / np.linalg.norm(phi @ functions, axis=0), moved


def _states(functions: np.ndarray, nu: np.ndarray, parts: int) -> np.ndarray:
    """The functions u and, for a polynomial pencil, their further parts nu u, nu^2 u, ..."""
    return np.concatenate([functions * nu**k for k in range(parts)])


def _seen(phi: np.ndarray, states: np.ndarray, parts: int) -> np.ndarray:
    """The values at points of functions and, for a polynomial pencil, of their further parts."""
    return np.concatenate([phi @ p for p in np.split(states, parts)])


def real_values(mu: np.ndarray, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Real eigenvalues and vectors: values that rounding has made complex or equal keep the space that they span."""
    result = np.empty(vectors.shape)
    # A value and its conjugate have one real part.
    for cluster in clusters_of(mu.real, BESIDE * float(np.abs(mu).max())):
        mine = vectors[:, cluster]
        if len(cluster) == 1:
            result[:, cluster] = mine.real
        else:
            result[:, cluster] = np.linalg.svd(np.concatenate([mine.real, mine.imag], axis=1))[0][:, : len(cluster)]
    return mu.real, result


def _orthogonal(pencil: Pencil, values: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """Functions of one value made orthogonal."""
    functions = functions.copy()
    for cluster in clusters_of(values, BESIDE * float(np.abs(values).max())):
        if len(cluster) > 1:
            triangle = np.asarray(np.linalg.qr(pencil.values @ functions[:, cluster], mode="r"))
            functions[:, cluster] = linalg.solve_triangular(triangle.T, functions[:, cluster].T, lower=True).T
    return functions


def _real(pencil: Pencil, states: np.ndarray) -> np.ndarray:
    """Real functions that span the same space as complex ones of real eigenvalues."""
    both = np.concatenate([states.real, states.imag], axis=1)
    _, _, order = np.linalg.svd(pencil.values @ both[: pencil.values.shape[1]], full_matrices=False)
    return np.asarray(both @ order[: states.shape[1]].T)


def matched(values: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """For each expected value the number of the nearest, each taken once."""
    left = list(range(len(values)))
    found = []
    for value in expected:
        nearest = min(left, key=lambda k: abs(values[k] - value))
        left.remove(nearest)
        found.append(nearest)
    return np.array(found, dtype=int)
