"""Heat in a flower: a region bounded by a curve, times time, as one domain of three coordinates.

    u_t = u_xx + u_yy   inside r < 1 + 0.3 cos(5 phi), 0 < t < 1/2

with initial and boundary values of u = exp(-5 t) sin(2 x + 1/2) cos(y) + exp(-2 t) sin(x - y), which is exact. About
three seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
NEURONS = 1000
ACCURACY = 1e-6

# Domain
x, y, t, phi = sp.symbols("x y t phi")
u = tn.unknown("u", x, y, t)
radius = 1 + sp.Rational(3, 10) * sp.cos(5 * phi)
flower = tn.Region(tn.Curve((radius * sp.cos(phi), radius * sp.sin(phi)), (phi, 0, 2 * sp.pi), name="rim"))
domain = flower * tn.Interval(t=(0, 0.5))
exact = sp.exp(-5 * t) * sp.sin(2 * x + sp.S.Half) * sp.cos(y) + sp.exp(-2 * t) * sp.sin(x - y)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), tn.laplacian(u))],
    conditions=[tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "rim")],
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
