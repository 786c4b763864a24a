"""A plucked string: held at both ends, in space-time, with two initial conditions on one part of the boundary.

    u_tt = c^2 u_xx   on (0, 1) x (0, 2),   c = 1,   u = 0 at both ends,   u = f, u_t = 0 at t = 0

with f = sin(pi x) + sin(3 pi x) / 2, so that u = cos(pi t) sin(pi x) + cos(3 pi t) sin(3 pi x) / 2. Half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
SPEED = 1
NEURONS = 400
ACCURACY = 1e-8

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 2))
exact = sum(sp.cos(n * sp.pi * SPEED * t) * sp.sin(n * sp.pi * x) * size for n, size in ((1, 1), (3, sp.S.Half)))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t, 2), SPEED**2 * sp.diff(u, x, 2))],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact.subs(t, 0)), sp.Eq(sp.diff(u, t), 0)),
        tn.on("x=0", sp.Eq(u, 0)),
        tn.on("x=1", sp.Eq(u, 0)),
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
