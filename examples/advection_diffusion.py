"""Advection and diffusion: a layer at the outflow that is a tenth of the square wide.

    -e (u_xx + u_yy) + u_x = 0   on (0, 1)^2,   e = 1/20

with the values of u = sin(pi y) (exp(r (x - 1)) - exp(q x)) on the sides, where r and q are the roots of
-e (m^2 - pi^2) + m = 0. About half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
DIFFUSION = sp.Rational(1, 20)
NEURONS = 500
ACCURACY = 1e-9

# Domain
x, y, m = sp.symbols("x y m")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(0, 1), y=(0, 1))
q, r = sorted(sp.solve(-DIFFUSION * (m**2 - sp.pi**2) + m, m), key=float)
exact = sp.sin(sp.pi * y) * (sp.exp(r * (x - 1)) - sp.exp(q * x))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-DIFFUSION * tn.laplacian(u) + sp.diff(u, x), 0)],
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
