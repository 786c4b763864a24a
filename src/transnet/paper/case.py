"""What a case of the paper consists of: the problem, its exact solution, the paper's points and sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sp

from transnet.problem import Problem
from transnet.rows.points import Points

TEST_POINTS = 10_000
"""Points at which errors are measured (paper, appendix D), drawn once for each case and never fitted."""
PLANE = (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
"""Numbers of neurons of the paper's 2D feature space."""
SPACE = (1000, 2000, 3000, 4000, 5000)
"""Numbers of neurons of the paper's 3D feature space."""
WIDTHS = (100, 250, 500, 750, 1000)
"""Widths of the paper's PINNs in the plane."""


@dataclass(frozen=True)
class Errors:
    """The distance of a solution from the exact one at the test points, over all unknowns.

    Parameters
    ----------
    mse : float
        The mean square of the error, averaged over the unknowns.
    max_error : float
        The largest error of any unknown.
    relative_l2 : float
        The root of the mean square error over the root of the mean square of the exact solution.
    """

    mse: float
    max_error: float
    relative_l2: float


@dataclass(frozen=True, eq=False)
class Case:
    """One of the paper's test cases.

    Parameters
    ----------
    name, title : str
        "C1" and what it is about.
    problem : Problem
        What holds, in the public language.
    exact : mapping
        The exact solution: an expression for each unknown, by name.
    points : Points
        The collocation points of the paper's appendix D.
    neurons : tuple of int
        The numbers of neurons of the paper's curves.
    widths : tuple of int
        The widths of the paper's PINN curves.
    condition_weight : float
        The factor by which the authors multiply the rows of the conditions.
    """

    name: str
    title: str
    problem: Problem
    exact: Mapping[str, sp.Expr]
    points: Points
    neurons: tuple[int, ...] = PLANE
    widths: tuple[int, ...] = WIDTHS
    condition_weight: float = 1.0

    @cached_property
    def test_points(self) -> np.ndarray:
        """10,000 uniformly distributed random points of the domain, (n, d): the same for every method and seed."""
        return self.problem.domain.interior(TEST_POINTS, "random", 20_230_124)

    def exact_values(self, points: np.ndarray) -> np.ndarray:
        """The exact solution at points: (n, unknowns), in the order of `problem.names`."""
        columns = []
        for name in self.problem.names:
            function = sp.lambdify(self.problem.coordinates, self.exact[name], "numpy")
            columns.append(np.broadcast_to(function(*points.T), (len(points),)))
        return np.column_stack(columns)

    def errors_of(self, values: np.ndarray) -> Errors:
        """The errors of values at the test points, of shape (n,) or (n, unknowns)."""
        exact = self.exact_values(self.test_points)
        difference = values.reshape(exact.shape) - exact
        mse = float(np.mean(difference**2))
        return Errors(mse, float(np.abs(difference).max()), float(np.sqrt(mse / np.mean(exact**2))))
