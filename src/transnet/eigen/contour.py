"""Eigenvalues from responses: solves with loads at points of a circle around the values that are sought.

The response R(z) = sum_j v_j w_j^* / (lam_j - z) + ... to loads has a pole at each eigenvalue. With the nodes z_k of
the trapezoidal rule on a circle the sums of (z_k - c) R(z_k) and of z_k (z_k - c) R(z_k) are sums of v_j w_j^* and of
lam_j v_j w_j^*, each with the same factor, which is one inside and falls fast outside; so the eigenvalues of the pencil
of the two are those inside, and those close outside, with their multiplicities (Sakurai and Sugiura; Beyn).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

NODES = 12
"""Nodes of the rule, and one more for each digit: a pole outside at the distance of a radius counts with a factor of
3^-n."""
NOISE = 3.5
"""Digits by which responses are better than their functions are made for."""
REAL = 1e-3
"""The imaginary part of a value that is real, relative to the radius: others are noise."""


def values_inside(
    response: Callable[[complex], np.ndarray], centre: float, radius: float, digits: float
) -> np.ndarray | None:
    """The real eigenvalues in a circle, sorted; None if there are as many as loads or more.

    Parameters
    ----------
    response : callable
        The field at some points for several loads, (points, loads), complex, for a complex value.
    """
    nodes = NODES + int(digits)
    turns = np.exp(2j * np.pi * (np.arange(nodes) + 0.5) / nodes)
    first, second = 0.0, 0.0
    for turn in turns:
        z = centre + radius * turn
        found = turn * response(z) / nodes
        first, second = first + found, second + turn * found
    left, sizes, right = np.linalg.svd(first, full_matrices=False)
    rank = int(np.sum(sizes > 10.0 ** -(digits + NOISE) * sizes[0]))
    if rank == min(np.shape(first)):
        return None
    left, right = left[:, :rank], right[:rank]
    values = np.linalg.eigvals((left.conj().T @ second @ right.conj().T) / sizes[:rank])
    inside = (np.abs(values.imag) < REAL) & (np.abs(values.real) < 1.0)
    return centre + radius * np.sort(values[inside].real)
