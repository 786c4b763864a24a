"""How well the rows determine the unknowns: the constant between a residual and the error that it can hide.

With R the triangle of the weighted rows and Phi the features' values at points of the domain, the largest singular
value of Phi R^-1 is the largest |u| over |rows u| = 1, both in the root mean square. If it is huge there is a function
that satisfies every homogeneous equation and condition: the problem has no unique solution, and that function shows
what is missing. A few steps of power iteration find it, at the price of a few products with a vector.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from transnet.discretise.assembly import Layout

STEPS = 6
SAMPLE = 200
UNSEEN = 3e4
"""Above this amplification the rows do not see a function."""


@dataclass(frozen=True, eq=False)
class Stability:
    """What the rows see of functions.

    Parameters
    ----------
    amplification : float
        The largest |u| over |rows u| = 1; an error is at most the weighted residual times this.
    size : (unknowns,) array
        Of the function that the rows see least: its root mean square in each unknown.
    level : (unknowns,) array
        Its mean in each unknown; where it equals the size, the function is a constant.
    """

    amplification: float
    size: np.ndarray
    level: np.ndarray

    @property
    def unique(self) -> bool:
        """Whether every function is seen by the rows."""
        return self.amplification < UNSEEN

    def undetermined(self, names: tuple[str, ...]) -> str:
        """What is not determined, in words."""
        parts = []
        for name, size, level in zip(names, self.size, self.level, strict=True):
            if size > 0.1 * self.size.max():
                parts.append(f"{name} up to a constant" if level > 0.99 * size else name)
        return " and ".join(parts)


def stability(triangle: np.ndarray, layout: Layout, points: np.ndarray, seed: int = 0) -> Stability:
    """Measure stability on the triangle of a solve.

    Parameters
    ----------
    triangle : (n, n) array
        R of the weighted rows.
    points : (k, d) array
        Points of the domain; a few hundred of them are used.
    """
    chosen = points[np.unique(np.linspace(0, len(points) - 1, min(len(points), SAMPLE)).astype(int))]
    placed = layout.placement(chosen)
    made: dict[int, np.ndarray] = {}
    values = [made.setdefault(id(s), s(placed) / np.sqrt(len(chosen))) for s in layout.spaces]
    # A zero on the diagonal would be an infinite amplification: a tiny one in its place gives a huge one.
    safe = np.array(triangle, order="F")
    diagonal = np.diag(safe).copy()
    floor = 1e-18 * np.abs(diagonal).max(initial=1.0)
    np.fill_diagonal(safe, np.where(np.abs(diagonal) < floor, floor, diagonal))
    rng = np.random.default_rng(seed)
    functions = [rng.standard_normal(len(chosen)) + 1.0 for _ in values]
    amplification = 0.0
    for _ in range(STEPS):
        norm = np.sqrt(sum(f @ f for f in functions))
        right = np.empty((len(safe), 1))
        for k, (v, f) in enumerate(zip(values, functions, strict=True)):
            right[layout.slice_of(k), 0] = v.T @ (f / norm)
        forward, _ = lapack.dtrtrs(safe, right, trans=1)
        amplification = float(np.linalg.norm(forward))
        back, _ = lapack.dtrtrs(safe, forward / max(amplification, np.finfo(float).tiny))
        functions = [v @ back[layout.slice_of(k), 0] for k, v in enumerate(values)]
    root = np.sqrt(len(chosen))
    size = np.array([np.linalg.norm(f) for f in functions])
    level = np.array([abs(f.mean()) * root for f in functions])
    return Stability(amplification, size, level)
