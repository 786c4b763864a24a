"""Two of the five problems with py-pde, which has grids only: no ring, no L-shape, and no data to fit."""

import numpy as np
from pde import PDE, CartesianGrid, ScalarField


def layer() -> float:
    """The state at rest of u_t = u'' / 1000 - u' + 1, with cells that do not resolve the layer well."""
    grid = CartesianGrid([[0, 1]], 2000)
    rate = PDE({"u": "laplace(u) / 1000 - d_dx(u) + 1"}, bc={"value": 0})
    end = rate.solve(ScalarField(grid), t_range=3, solver="scipy", method="LSODA", tracker=None)
    return float(end.interpolate(np.array([0.999])))


def phases() -> float:
    grid = CartesianGrid([[0, 2 * np.pi]], 256, periodic=True)
    start = ScalarField.from_expression(grid, "sin(x) / 2")
    end = PDE({"c": "laplace(c) / 20 + c - c**3"}).solve(start, t_range=5, solver="scipy", tracker=None)
    return float(end.interpolate(np.array([1.0])))
