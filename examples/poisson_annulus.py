"""The first program: Poisson's equation between two circles.

    u_xx + u_yy = -exp(x) y   in 1/2 < |(x, y)| < 1,   u = cos(3 x) on both circles

Everything except the tolerance is automatic. There is no formula for the solution; the error is the distance from one
computed in an entirely different way: eight pieces, each with a network of its own, and no singular functions. About a
second.
"""

import sympy as sp

import transnet as tn

# Parameters
TOLERANCE = 1e-8
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1) - tn.Disk(radius=0.5)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), -sp.exp(x) * y)],
    conditions=[tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))],
)


# Solve
def main(tol: float = TOLERANCE) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    other = tn.solve(problem, pieces=8, tol=tol / 10)
    return solution, solution.compare(other).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative distance to the other solution: {error:.1e}")
    solution.plot()
