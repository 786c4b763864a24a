"""What the evolutions share: their letters, and what a problem with a reference is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy as sp

import transnet as tn

x, y, t = sp.symbols("x y t")
pi, sin, cos, exp, diff, Eq = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff, sp.Eq


@dataclass(frozen=True, eq=False)
class Evolved:
    """A problem, points (n, d) of space and time, the true values there (n,) or (n, unknowns), and the aim.

    `more` is another number that a solution has to keep below an aim, and `what` says which.
    """

    problem: tn.Problem
    points: np.ndarray
    truth: np.ndarray
    aim: float
    more: Callable[[tn.Solution], float] | None = None
    more_aim: float = 1.0
    what: str = ""


def closed(problem: tn.Problem, exact: sp.Expr, points: np.ndarray, aim: float) -> Evolved:
    symbols = (x, t) if points.shape[1] == 2 else (x, y, t)
    return Evolved(problem, points, np.asarray(sp.lambdify(symbols, exact)(*points.T), dtype=float), aim)
