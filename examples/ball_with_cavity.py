"""A ball with a cavity: the potential between two spheres that do not share a centre, in three dimensions.

    u_xx + u_yy + u_zz = 0   in the unit ball without a ball of radius 0.5 around (0.2, 0, 0)

with the values of u = 1 / |y - c| + x z on both spheres, c in the cavity: a point charge that is outside the domain.
About three seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
CENTRE = (0.2, 0.0, 0.0)
NEURONS = 1600
ACCURACY = 1e-3

# Domain
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Ball(radius=1) - tn.Ball(center=CENTRE, radius=0.5, name="cavity")
exact = 1 / sp.sqrt(sum((a - c) ** 2 for a, c in zip((x, y, z), CENTRE, strict=True))) + x * z

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
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
