"""The eigenvalues nearest to a shift, by block Krylov iteration with the least-squares solution operator; all of a
small one.

With nu = lam - shift the pencil is M_0 + nu M_1 + ..., and M_0^+ is the solve of the shifted problem. A function is
represented by its rows, y = R a with M_0 = Q R: in these coordinates the operator is well scaled. Features that are
dependent to rounding have rows that are noise, and noise has eigenvalues too: they are cut off here, at the price of
digits, which `refine` restores.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.eigen.pencil import Pencil
from transnet.lazy import linalg
from transnet.linalg.reflectors import Reflectors

CUT = 1e-11
"""Columns whose independent part is smaller than this times the largest are left out. On the drum with 200 to 600 waves
a cut of 1e-15 leaves errors of 1e-2, 1e-13 of 1e-4, 1e-11 of 1e-7; larger ones remove what is needed."""
BLOCK = 4
"""Vectors that are iterated together: as many eigenvalues may coincide."""
CONVERGED = 1e-10
"""The residual of an eigenvector in the Krylov space, relative to its eigenvalue."""
MOST = 400
"""The largest Krylov space."""
LARGER = 1.25
"""The factor by which the Krylov space grows before its eigenvalues are computed again."""
DENSE = 400
"""The size up to which all eigenvalues are computed: 193 polynomials take 0.02 s. Far from the shift a Krylov space
that is almost everything has fewer digits: 14.9 for pi^2 from a shift of -7e5."""

Operator = Callable[[np.ndarray], np.ndarray]


def nearest_values(
    pencil: Pencil,
    shift: complex,
    count: int,
    seed: int = 0,
    known: tuple[np.ndarray, np.ndarray] | None = None,
    converged: float = CONVERGED,
) -> tuple[np.ndarray, np.ndarray]:
    """The `count` eigenvalues nearest to the shift, nearest first, and the coefficients of their functions.

    `known` are values and functions to leave out of the search.
    """
    first, *rest = pencil.at(shift)
    n = first.shape[1]
    factored = Reflectors.of(first)
    r = np.triu(factored.stored[:n])
    # |R a|^2 + (cut |a|)^2 has a triangle of its own, which keeps noise from acting as a function.
    cut = CUT * float(np.linalg.norm(r, axis=0).max())
    held = np.linalg.qr(np.concatenate([r, cut * np.eye(n, dtype=r.dtype)]), mode="r")

    def operator(y: np.ndarray) -> np.ndarray:
        """[u, nu u, ...] -> [-M_0^+ (M_1 u + M_2 nu u + ...), u, ...], whose eigenvalues are 1 / nu."""
        parts = np.split(y, len(rest))
        right = sum(m @ linalg.solve_triangular(held, p) for m, p in zip(rest, parts, strict=True))
        seen = linalg.solve_triangular(held, r.conj().T @ factored.turned(right), trans="C")
        return np.concatenate([-seen, *parts[:-1]])

    size, dtype = n * len(rest), first.dtype
    searched: Operator = operator
    if known is not None:
        states = [held @ known[1] * (known[0] - shift) ** k for k in range(len(rest))]
        searched = _without(operator, np.concatenate(states), dtype)
    mu, vectors = _krylov(searched, size, dtype, count, seed, converged)
    return shift + 1.0 / mu, linalg.solve_triangular(held, vectors[:n])


def _without(operator: Operator, states: np.ndarray, dtype: np.dtype) -> Operator:
    """The operator with the eigenvalue zero in place of those of known states."""
    states = states / np.linalg.norm(states, axis=0)
    if np.iscomplexobj(states) and not np.issubdtype(dtype, np.complexfloating):
        states = np.concatenate([states.real, states.imag], axis=1)
    # The parts of a complex pair and of its conjugate are the same: dependent vectors are not directions.
    q, sizes, _ = np.linalg.svd(states, full_matrices=False)
    q = q[:, sizes > 1e-6 * sizes[0]]

    def searched(y: np.ndarray) -> np.ndarray:
        image = operator(y - q @ (q.conj().T @ y))
        return image - q @ (q.conj().T @ image)

    return searched


def _krylov(
    operator: Operator, size: int, dtype: np.dtype, count: int, seed: int, converged: float
) -> tuple[np.ndarray, np.ndarray]:
    """The eigenvalues of largest modulus of an operator and their vectors."""
    if size <= DENSE:
        mu, vectors = np.linalg.eig(operator(np.eye(size, dtype=dtype)))
        best = np.argsort(-np.abs(mu))[:count]
        return mu[best], vectors[:, best]
    rng = np.random.default_rng(seed)
    start = operator(rng.standard_normal((size, min(BLOCK, size))).astype(dtype))
    basis = np.linalg.qr(start)[0]
    images = newest = operator(basis)
    look = float(count + 2 * BLOCK)
    while True:
        for _ in range(2):  # twice is enough for orthogonality to rounding
            newest = newest - basis @ (basis.conj().T @ newest)
        fresh = np.linalg.qr(newest)[0]
        basis, newest = np.concatenate([basis, fresh], axis=1), operator(fresh)
        images = np.concatenate([images, newest], axis=1)
        columns = basis.shape[1]
        full = columns >= min(MOST, size - BLOCK)
        if columns < look and not full:
            continue
        look = LARGER * columns
        mu, small = np.linalg.eig(basis.conj().T @ images)
        best = np.argsort(-np.abs(mu))[:count]
        mu, small = mu[best], small[:, best]
        left = np.linalg.norm(images @ small - basis @ small * mu, axis=0)
        if full or (left <= converged * np.abs(mu)).all():
            return mu, basis @ small
