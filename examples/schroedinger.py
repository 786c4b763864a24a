"""A free quantum particle: a packet of waves that moves and spreads, as a system of two real unknowns.

    i w_t = -w_xx / 2   on (-5, 5) x (0, 1),   w = u + i v

    that is   u_t = -v_xx / 2,   v_t = u_xx / 2

The packet starts at x = -1 with the momentum 2 and keeps the form of a bell with complex width, which is exact and
gives the values at t = 0 and at both ends. About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
START, MOMENTUM = -1, 2
NEURONS = 800
ACCURACY = 1e-7

# Domain
x, t = sp.symbols("x t", real=True)
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)
domain = tn.Interval(x=(-5, 5)) * tn.Interval(t=(0, 1))

# The packet is exp(-(x - c)^2 / (2 (1 + i t)) + i k (x - c) - i k^2 t / 2) / sqrt(1 + i t), c = START + k t.
moved = x - START - MOMENTUM * t
size = sp.exp(-(moved**2) / (2 * (1 + t**2))) / (1 + t**2) ** sp.Rational(1, 4)
phase = moved**2 * t / (2 * (1 + t**2)) - sp.atan(t) / 2 + MOMENTUM * moved + MOMENTUM**2 * t / 2
exact = {"u": size * sp.cos(phase), "v": size * sp.sin(phase)}

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), -sp.diff(v, x, 2) / 2), sp.Eq(sp.diff(v, t), sp.diff(u, x, 2) / 2)],
    conditions=[tn.on(part, sp.Eq(u, exact["u"]), sp.Eq(v, exact["v"])) for part in ("t=0", "x=-5", "x=5")],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    points = domain.interior(2000, "random", 1)
    differences = [solution[f](points) - sp.lambdify((x, t), e)(*points.T) for f, e in exact.items()]
    return solution, float(np.sqrt(np.mean(np.square(differences))))


def picture(solution: tn.Solution) -> object:
    """The real part, and where the particle is likely to be found."""
    return solution.plot([u, u**2 + v**2])


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    picture(solution)
