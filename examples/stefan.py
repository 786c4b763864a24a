"""Ice that melts: Stefan's problem, whose domain ends at an unknown front.

    u_t = u_xx   for 0 < x < s(t),   u = 1 at x = 0,   u = 0 and s_t = -u_x at x = s(t)

The heat that arrives at the front melts the ice there. Neumann's similarity solution is s = 2 k sqrt(t) with
sqrt(pi) k exp(k^2) erf(k) = 1; it is the start at t = 1/4, when the front has a speed. The front is an unknown function
of time, found together with the temperature. Half a second.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import erf

import transnet as tn

# Parameters
START, END = 0.25, 1.0
K = brentq(lambda k: np.sqrt(np.pi) * k * np.exp(k * k) * erf(k) - 1.0, 0.1, 2.0)
ACCURACY = 1e-8

# Domain
x, t = sp.symbols("x t")
u, s = tn.unknown("u", x, t), tn.unknown("s", t)
domain = tn.Interval(x=(0, s)) * tn.Interval(t=(START, END))

# Problem
similar = 1 - sp.erf(x / (2 * sp.sqrt(t))) / sp.erf(K)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))],
    conditions=[
        tn.on("t=min", sp.Eq(u, similar), sp.Eq(s, 2 * K * np.sqrt(START))),
        tn.on("left", sp.Eq(u, 1)),
        tn.on("right", sp.Eq(u, 0), sp.Eq(sp.diff(s, t), -sp.diff(u, x))),
    ],
)


# Solve
def main(tol: float = 1e-9) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    times = np.linspace(START, END, 50)
    return solution, float(np.abs(solution["s"](x=0.0, t=times) - 2 * K * np.sqrt(times)).max())


def picture(solution: tn.Solution):
    return solution.plot(u, title="The temperature of the water, up to the front")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the front: {error:.1e}")
    picture(solution)
