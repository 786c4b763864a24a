"""A composite: nine fibres of a hundred times the conductivity in a square.

    -div(k grad u) = 0,   k = 100 in the fibres, 1 around them

with u = 0 on the left, u = 1 on the right and no flux through the other sides. The effective conductivity is wanted,
the mean flux. Through a square of fibres in rows it lies between the bounds of Wiener, 1 / mean(1/k) and
mean(k). A few seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
CONTRAST = 100
RADIUS = 0.12
TOL = 1e-4
ACCURACY = 1e-3

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
square = tn.Box(x=(0, 1), y=(0, 1))
fibres = {
    f"fibre{3 * i + j}": tn.Disk(center=((2 * i + 1) / 6, (2 * j + 1) / 6), radius=RADIUS)
    for i in range(3)
    for j in range(3)
}
matrix = square
for fibre in fibres.values():
    matrix = matrix - fibre
domain = tn.Pieces({"matrix": matrix, **fibres})
k = tn.by_piece({"matrix": 1, **dict.fromkeys(fibres, CONTRAST)})

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.div(k * tn.grad(u)), 0)],
    conditions=[
        tn.on("x=0", u),
        tn.on("x=1", sp.Eq(u, 1)),
        tn.on("y=0", tn.normal_derivative(u)),
        tn.on("y=1", tn.normal_derivative(u)),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    """The solution, and by how much the fluxes through both ends differ."""
    solution = tn.solve(problem, tol=TOL)
    s = (np.arange(400) + 0.5) / 400
    ends = [solution.evaluate(k * sp.diff(u, x), np.column_stack([np.full(400, a), s])).mean() for a in (0.0, 1.0)]
    return solution, float(abs(ends[1] - ends[0]) / ends[0])


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative difference of the fluxes: {error:.1e}")
    solution.plot()
    solution.plot_pieces()
