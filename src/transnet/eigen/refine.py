"""Eigenvalues to all digits: inverse iteration with a shift of their own for values that lie together.

Each step is a plain least-squares solve with a smooth right-hand side, as accurate as any solve of the library. The
shift stays away from the value: the rows of an eigenfunction do not vanish, they are its error, and a shift nearer
than that error would see it instead of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.eigen.pencil import Pencil
from transnet.eigen.reflectors import Reflectors
from transnet.lazy import linalg

STEPS = 30
"""The most steps; each brings the eigenfunctions closer by the ratio of the distances from the shift, about 0.4."""
STILL = 1e-14
"""A relative change of the values by less than this ends the iteration."""
ROUNDING, SLOWER = 1e-11, 0.8
"""So does one below the first that is more than the second times the one before: that is rounding, and goes on so."""
REAL = 1e-5
"""The imaginary part, relative to the value, of one that is real up to the errors of the first search."""
OFF = 0.3
"""How far the shift is from the values, in units of the distance to the next others: on a clamped plate with 300 waves
a hundredth gives an error of 4e-3, a tenth of 4e-4, this of 1e-4, and more would make the iteration slow."""


@dataclass(frozen=True, eq=False)
class Cluster:
    """Eigenvalues that lie together: their values, the coefficients of their functions (columns, k), and the error.

    `errors` are the differences to the values of smaller networks, `changes` the relative L2 distances of functions.
    """

    values: np.ndarray
    coefficients: np.ndarray
    errors: np.ndarray
    changes: np.ndarray


def refined(
    pencil: Pencil, values: np.ndarray, coefficients: np.ndarray, distance: float, parts: Sequence[int]
) -> Cluster:
    """The values of a cluster to all digits.

    Parameters
    ----------
    values, coefficients : arrays
        What `nearest` gave for them.
    distance : float
        From the cluster to the next other eigenvalue.
    parts : sequence of int
        The columns of smaller networks, whose values tell the error of those of the whole.
    """
    shift = complex(np.mean(values)) + OFF * distance
    if not pencil.is_complex and np.abs(values.imag).max() <= REAL * np.abs(values).max():
        coefficients = _real(pencil, coefficients)
        shift = shift.real
    matrices = pencil.at(shift)
    factored = Reflectors.of(matrices[0])
    whole, functions = _iterate(pencil, matrices, factored, coefficients, shift)
    errors, changes = np.zeros(len(whole)), np.zeros(len(whole))
    seen = pencil.values @ functions
    for columns in parts:
        smaller = pencil.leading(columns)
        start = factored.solve(matrices[0] @ functions, columns)
        small, others = _iterate(smaller, tuple(m[:, :columns] for m in matrices), factored, start, shift)
        errors = np.maximum(errors, np.abs(_matched(small, whole) - whole))
        q_small = np.linalg.qr(smaller.values @ others)[0]
        changes = np.maximum(changes, np.linalg.norm(seen - q_small @ (q_small.conj().T @ seen), axis=0))
    return Cluster(whole, functions, errors, changes)


def _iterate(
    pencil: Pencil, matrices: Sequence[np.ndarray], factored: Reflectors, start: np.ndarray, shift: complex
) -> tuple[np.ndarray, np.ndarray]:
    """Block inverse iteration: the values, and coefficients of functions that are orthonormal at first."""
    first, *rest = matrices
    n = first.shape[1]
    phi = pencil.values
    now = np.concatenate([start, *(np.zeros_like(start) for _ in rest[1:])])
    # The further parts nu u, nu^2 u of a polynomial pencil are small where the shift is near.
    values, before_it = np.full(start.shape[1], np.inf), np.inf
    for _ in range(STEPS):
        seen = np.concatenate([phi @ p for p in np.split(now, len(rest))])
        triangle = np.asarray(np.linalg.qr(seen, mode="r"))
        now = linalg.solve_triangular(triangle.T, now.T, lower=True).T
        parts = np.split(now, len(rest))
        right = sum(m @ p for m, p in zip(rest, parts, strict=True))
        new = np.concatenate([-factored.solve(right, n), *parts[:-1]])
        before = np.concatenate([phi @ p for p in parts])
        after = np.concatenate([phi @ p for p in np.split(new, len(rest))])
        mu, vectors = np.linalg.eig(before.conj().T @ after)
        found = shift + 1.0 / mu
        change = np.abs(np.sort_complex(found) - np.sort_complex(values)).max()
        values, last, now = found, now, new
        size = np.abs(found).max()
        if change <= STILL * size or (change <= ROUNDING * size and change > SLOWER * before_it):
            break
        before_it = change
    functions = last[:n] @ vectors
    return values, functions / np.linalg.norm(phi @ functions, axis=0)


def _real(pencil: Pencil, coefficients: np.ndarray) -> np.ndarray:
    """Real functions that span the same space as complex ones of real eigenvalues."""
    both = np.concatenate([coefficients.real, coefficients.imag], axis=1)
    seen = pencil.values @ both
    _, _, order = np.linalg.svd(seen, full_matrices=False)
    return both @ order[: coefficients.shape[1]].T


def _matched(small: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """For each value of the whole network the nearest of a smaller one, each taken once."""
    left = list(small)
    found = []
    for value in whole:
        nearest = min(range(len(left)), key=lambda k: abs(left[k] - value))
        found.append(left.pop(nearest))
    return np.array(found)
