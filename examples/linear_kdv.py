"""The linear Korteweg-de Vries equation: long waves of small height, of third order in space.

    u_t + u_x + u_xxx / 10 = 0   on (0, 4) x (0, 2)

Two values at the right end and one at the left, as an equation of this sign needs, from the superposition of waves
sin(k x - (k - k^3 / 10) t) with k = 2 and 3. Half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
DISPERSION = sp.Rational(1, 10)
WAVENUMBERS = (2, 3)
NEURONS = 500
ACCURACY = 1e-8

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(0, 4)) * tn.Interval(t=(0, 2))
exact = sum(sp.sin(k * x - (k - DISPERSION * k**3) * t) for k in WAVENUMBERS)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + sp.diff(u, x) + DISPERSION * sp.diff(u, x, 3), 0)],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact)),
        tn.on("x=0", sp.Eq(u, exact)),
        tn.on("x=4", sp.Eq(u, exact), sp.Eq(sp.diff(u, x), sp.diff(exact, x))),
    ],
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
