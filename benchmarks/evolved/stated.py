"""What the evolutions share: their letters, and what a problem with a reference is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

import transnet as tn

x, y, t = sp.symbols("x y t")
pi, sin, cos, exp, diff, Eq = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff, sp.Eq


@dataclass(frozen=True, eq=False)
class Evolved:
    """A problem, points (n, d) of space and time, the true values there (n,) or (n, unknowns), and the aim."""

    problem: tn.Problem
    points: np.ndarray
    truth: np.ndarray
    aim: float


def closed(problem: tn.Problem, exact: sp.Expr, points: np.ndarray, aim: float) -> Evolved:
    symbols = (x, t) if points.shape[1] == 2 else (x, y, t)
    return Evolved(problem, points, np.asarray(sp.lambdify(symbols, exact)(*points.T), dtype=float), aim)
