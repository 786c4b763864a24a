"""Evolutions on squares by Chebyshev collocation in space, exact in time."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BarycentricInterpolator

POINTS = 60
"""Points of the square at which a reference is kept, at each of some times."""
TIMES = 4

Reference = tuple[np.ndarray, np.ndarray]


def derivative(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Chebyshev's points on (-1, 1) and the matrix of the first derivative there."""
    x = np.cos(np.pi * np.arange(size + 1) / size)
    ends = np.r_[2, np.ones(size - 1), 2] * (-1) ** np.arange(size + 1)
    matrix = np.outer(ends, 1 / ends) / (x[:, None] - x + np.eye(size + 1))
    return x, matrix - np.diag(matrix.sum(axis=1))


def sampled(x: np.ndarray, grids: list[np.ndarray], low: float, high: float, end: float) -> Reference:
    """Values on the tensor grid of points x at equidistant times, read at random points of the square."""
    places = np.random.default_rng(0).uniform(low, high, (POINTS, 2))
    read = [BarycentricInterpolator(x, np.eye(len(x)))(places[:, axis]) for axis in (0, 1)]
    values = [np.einsum("pi,ij,pj->p", read[0], grid, read[1]) for grid in grids]
    times = end * np.arange(1, len(grids) + 1) / len(grids)
    return np.concatenate([np.column_stack([places, np.full(POINTS, t)]) for t in times]), np.concatenate(values)


def heat_varying(size: int) -> Reference:
    """u_t = a lap(u) + f sin(pi t), u = 0 at the start and around: the sum of exponentials that solves the system."""
    x, first = derivative(size)
    x, first = (x + 1) / 2, 2 * first
    second = (first @ first)[1:-1, 1:-1]
    a, b = np.meshgrid(x[1:-1], x[1:-1], indexing="ij")
    eye = np.eye(size - 1)
    varying = np.exp(np.sin(3 * a + 2 * b) + np.cos(5 * a - 4 * b) / 2).ravel()
    matrix = varying[:, None] * (np.kron(second, eye) + np.kron(eye, second))
    source = (200 * np.sin(np.pi * a) * np.sin(5 * np.pi * b)).ravel()
    rates, modes = np.linalg.eig(matrix)
    driven = np.linalg.solve(1j * np.pi * np.eye(len(source)) - matrix, source)
    weights = np.linalg.solve(modes, driven.imag.astype(complex))
    grids = []
    for t in 5 * np.arange(1, TIMES + 1) / TIMES:
        inside = (np.exp(1j * np.pi * t) * driven).imag - (modes @ (np.exp(rates * t) * weights)).real
        grids.append(np.pad(inside.reshape(size - 1, size - 1), 1))
    return sampled(x, grids, 0, 1, 5)


def wave_medium(size: int) -> Reference:
    """u_tt = a lap(u) with no slope on the sides, by Chebyshev's points in space and Dormand and Prince's in time."""
    from scipy.integrate import solve_ivp

    x, first = derivative(size)
    ends, inner = [0, size], slice(1, size)
    held = -np.linalg.solve(first[np.ix_(ends, ends)], first[ends, inner])
    second = first @ first
    second = second[inner, inner] + second[inner, ends] @ held
    a, b = np.meshgrid(x[inner], x[inner], indexing="ij")
    medium = np.exp(1.2 + 1.2 * np.sin(3 * a + 2 * b) * np.cos(2 * a - 3 * b))

    def bump(c: np.ndarray, centers: tuple[float, ...]) -> np.ndarray:
        return sum(np.exp(-((c - k) ** 2) / 0.18) for k in centers)

    start = bump(a, (-0.5, -1.5, 2.5, 3.5, -4.5)) * bump(b, (-4, -2, 0, 2, 4))
    shape = start.shape

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        u, speed = state.reshape(2, *shape)
        return np.concatenate([speed.ravel(), (medium * (second @ u + u @ second.T)).ravel()])

    times = 5 * np.arange(1, TIMES + 1) / TIMES
    state = np.concatenate([start.ravel(), np.zeros(start.size)])
    found = solve_ivp(slope, (0, 5), state, "DOP853", times, rtol=1e-9, atol=1e-11).y
    grids = []
    for column in found.T:
        u = column[: start.size].reshape(shape)
        u = np.vstack([held[:1] @ u, u, held[1:] @ u])
        grids.append(np.column_stack([u @ held[0], u, u @ held[1]]))
    return sampled(x, grids, -1, 1, 5)
