"""Seepage: flow through ground whose permeability is code, not a formula.

    div(k grad p) = 0   on (0, 2) x (0, 1),   p = 1 at the left, 0 at the right, no flux through floor and ceiling

k is a spline through a table of samples, as it would come from a measurement, and is passed with tn.given. The error is
the largest relative deviation of the flux through vertical sections from their mean. About two seconds.
"""

import numpy as np
import sympy as sp
from numpy.polynomial.legendre import leggauss
from scipy.interpolate import RectBivariateSpline

import transnet as tn

# Parameters
NEURONS = 900
ACCURACY = 1e-4

# Domain
x, y = sp.symbols("x y")
p = tn.unknown("p", x, y)
domain = tn.Box(x=(0, 2), y=(0, 1))

# A table of the permeability, here made up: a permeable lens in the middle.
columns, rows = np.linspace(-0.1, 2.1, 23), np.linspace(-0.1, 1.1, 13)
table = 1 + 4 * np.exp(-6 * (columns[:, None] - 0.9) ** 2 - 12 * (rows[None, :] - 0.6) ** 2)
# Of fifth degree: the equation takes its derivative, and smoother data are easier to resolve.
spline = RectBivariateSpline(columns, rows, table, kx=5, ky=5)
k = tn.given(
    "k",
    spline.ev,
    x, y,
    derivatives={x: lambda a, b: spline.ev(a, b, dx=1), y: lambda a, b: spline.ev(a, b, dy=1)},
)  # fmt: skip

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.div(k * tn.grad(p)), 0)],
    conditions=[
        tn.on("left", sp.Eq(p, 1)),
        tn.on("right", sp.Eq(p, 0)),
        tn.on("bottom", sp.Eq(tn.normal_derivative(p), 0)),
        tn.on("top", sp.Eq(tn.normal_derivative(p), 0)),
    ],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    nodes, weights = leggauss(40)
    height = (nodes + 1) / 2
    fluxes = [solution.evaluate(-k * sp.diff(p, x), x=at, y=height) @ weights / 2 for at in np.linspace(0, 2, 21)]
    return solution, float(np.ptp(fluxes) / np.mean(fluxes))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest relative deviation of the flux: {error:.1e}")
    solution.plot()
