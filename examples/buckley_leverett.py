"""Water that drives out oil: the law of Buckley and Leverett, whose flux is neither convex nor concave.

    u_t + f(u)_x = 0,   f = u^2 / (u^2 + (1 - u)^2 / 4),   u = 1 at x = 0,   u = 0 at t = 0

The part u of water follows characteristics, which cross: a front forms at once, with a fan behind it. There
f' = f/u, so u = 1/sqrt(5), and the front moves with the speed (1 + sqrt(5))/2. `tn.conserved` asks for this solution,
the limit of small viscosity. A second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
END = 1.0
ACCURACY = 1e-10

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(0, 2)) * tn.Interval(t=(0, END))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.conserved(u, u**2 / (u**2 + (1 - u) ** 2 / 4)), 0)],
    conditions=[tn.on("t=0", sp.Eq(u, 0)), tn.on("left", sp.Eq(u, 1))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    (front,) = solution.shocks(END)
    return solution, abs(front.place - (1 + np.sqrt(5)) / 2 * END)


def picture(solution: tn.Solution):
    return solution.plot(title="The part of water: a fan and a front")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the front: {error:.1e}")
    picture(solution)
