"""Water and ice: Stefan's problem with two phases, which both conduct heat.

    u_t = a u_xx   in the water, 0 < x < s(t), and in the ice, s(t) < x < 5/2,   u = 0 at the front,
    s_t = k u_x in the ice minus k u_x in the water,   u = 1 at x = 0

Each phase has its own a and k. Neumann's similarity solution, s = 2 c sqrt(t), gives the values at the start, t = 1/4,
and at the far end. The phases are the pieces of a domain, and the front between them is an unknown function of time. A
second.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import erf, erfc

import transnet as tn

# Parameters
START, END, LENGTH = 0.25, 1.0, 2.5
HOT, COLD = 1.0, -0.5
(A1, K1), (A2, K2) = (1.0, 1.0), (1.5, 2.0)
ACCURACY = 1e-8


def speed(c: float) -> float:
    """The speed of the front minus that which the heat on both sides gives it, over 1/sqrt(t)."""
    water = K1 * HOT * np.exp(-c * c / A1) / (np.sqrt(np.pi * A1) * erf(c / np.sqrt(A1)))
    ice = K2 * COLD * np.exp(-c * c / A2) / (np.sqrt(np.pi * A2) * erfc(c / np.sqrt(A2)))
    return c - water - ice


C = brentq(speed, 0.05, 2.0)

# Domain
x, t = sp.symbols("x t")
u, s = tn.unknown("u", x, t), tn.unknown("s", t)
phases = tn.Pieces(water=tn.Interval(x=(0, s)), ice=tn.Interval(x=(s, LENGTH)))
domain = phases * tn.Interval(t=(START, END))

# Problem
a, k = tn.by_piece(water=A1, ice=A2), tn.by_piece(water=K1, ice=K2)
water = HOT * (1 - sp.erf(x / (2 * sp.sqrt(A1 * t))) / erf(C / np.sqrt(A1)))
ice = COLD * (1 - sp.erfc(x / (2 * sp.sqrt(A2 * t))) / erfc(C / np.sqrt(A2)))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), a * sp.diff(u, x, 2))],
    conditions=[
        tn.on("t=min", sp.Eq(u, tn.by_piece(water=water, ice=ice)), sp.Eq(s, 2 * C * np.sqrt(START))),
        tn.on("left", sp.Eq(u, HOT)),
        tn.on("right", sp.Eq(u, ice.subs(x, LENGTH))),
        tn.on("water|ice", sp.Eq(u, 0), sp.Eq(sp.diff(s, t), tn.jump(k * sp.diff(u, x)))),
    ],
)


# Solve
def main(tol: float = 1e-9) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    times = np.linspace(START, END, 50)
    return solution, float(np.abs(solution["s"](x=0.0, t=times) - 2 * C * np.sqrt(times)).max())


def picture(solution: tn.Solution):
    return solution.plot(u, title="The temperature of water and ice")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the front: {error:.1e}")
    picture(solution)
