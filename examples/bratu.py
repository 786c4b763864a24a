"""The Liouville-Bratu problem, which has two solutions.

    u'' + l exp(u) = 0   on (0, 1),   u(0) = u(1) = 0,   l = 2

For l below 3.5138 both are u = -2 log(cosh((x - 1/2) a / 2) / cosh(a / 4)) with the two roots a of
a = sqrt(2 l) cosh(a / 4). Newton's iteration finds the lower one from zero and the upper one from a higher guess.
About 0.1 seconds.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
STRENGTH = 2.0
NEURONS = 80
ACCURACY = 1e-12

# Domain
x, strength = sp.symbols("x l")
u = tn.unknown("u", x)
domain = tn.Interval(x=(0, 1))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, x, 2) + strength * sp.exp(u), 0)],
    conditions=[tn.on("boundary", sp.Eq(u, 0))],
)

BRANCHES = {"lower": (0, (0.0, 4.0)), "upper": (5 * sp.sin(sp.pi * x), (4.5, 40.0))}
"""For each branch, a guess and an interval in which its a lies."""


def exact(branch: str, at: np.ndarray, strength: float = STRENGTH) -> np.ndarray:
    """The solution on a branch."""
    a = brentq(lambda a: a - np.sqrt(2 * strength) * np.cosh(a / 4), *BRANCHES[branch][1], xtol=1e-15)
    return -2 * np.log(np.cosh((at - 0.5) * a / 2) / np.cosh(a / 4))


# Solve
def main() -> tuple[dict[str, tn.Solution], float]:
    solutions, errors = {}, []
    at = np.linspace(0, 1, 201)
    for branch, (guess, _) in BRANCHES.items():
        solutions[branch] = tn.solve(problem, neurons=NEURONS, guess=guess, parameters={strength: STRENGTH})
        errors.append(np.abs(solutions[branch](x=at) - exact(branch, at)).max())
    return solutions, float(max(errors))


if __name__ == "__main__":
    solutions, error = main()
    for branch, solution in solutions.items():
        print(branch, solution.report(), sep="\n")
    print(f"largest error on both branches: {error:.1e}")
    solutions["upper"].plot()
