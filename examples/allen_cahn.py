"""The Allen-Cahn equation in space-time: a front that travels at the speed 3 eps / sqrt(2).

    u_t = eps^2 u_xx + u - u^3   on (-1, 1) x (0, 2),   eps = 0.2

with values at t = 0 and at both ends from u = (1 + tanh((x / eps + 3 t / sqrt(2)) / sqrt(8))) / 2, which is exact.
About a second.
"""

import sympy as sp

import transnet as tn

# Parameters
WIDTH = sp.Rational(1, 5)
NEURONS = 500
ACCURACY = 1e-9

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 2))
exact = (1 + sp.tanh((x / WIDTH + 3 * t / sp.sqrt(2)) / sp.sqrt(8))) / 2

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), WIDTH**2 * sp.diff(u, x, 2) + u - u**3)],
    conditions=[tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "x=-1", "x=1")],
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
