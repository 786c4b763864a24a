"""A body from a file: heat conduction in an angle bracket made of triangles.

    u_xx + u_yy + u_zz = f   in the body of bracket.stl,   u given on its surface

with f and the values from u = sin(x + y) exp(z / 2). The file is read by trimesh. About two seconds.
"""

from pathlib import Path

import sympy as sp

import transnet as tn

# Parameters
FILE = Path(__file__).with_name("bracket.stl")
NEURONS = 700
ACCURACY = 1e-7

# Domain
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Mesh(FILE)
exact = sp.sin(x + y) * sp.exp(z / 2)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y, z))],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
