"""An ordinary differential equation: second order, Robin conditions, the smallest problem there is.

    -((1 + x^2) u')' + cos(x) u = f   on (0, 2),   u' - 2 u given at 0,   u' + u given at 2

with everything from u = exp(-x) sin(6 x). A few hundredths of a second, nearly all of it in SymPy.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
TOLERANCE = 1e-10
ACCURACY = 1e-10

# Domain
x = sp.Symbol("x")
u = tn.unknown("u", x)
domain = tn.Interval(x=(0, 2))
exact = sp.exp(-x) * sp.sin(6 * x)


# Problem
def operator(f: sp.Expr) -> sp.Expr:
    return -sp.diff((1 + x**2) * sp.diff(f, x), x) + sp.cos(x) * f


problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(operator(u), operator(exact))],
    conditions=[
        tn.on("x=0", sp.Eq(sp.diff(u, x) - 2 * u, sp.diff(exact, x) - 2 * exact)),
        tn.on("x=2", sp.Eq(sp.diff(u, x) + u, sp.diff(exact, x) + exact)),
    ],
)


# Solve
def main(tol: float = TOLERANCE) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    at = np.linspace(0, 2, 501)
    return solution, float(np.abs(solution(x=at) - sp.lambdify(x, exact)(at)).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error: {error:.1e}")
    solution.plot()
