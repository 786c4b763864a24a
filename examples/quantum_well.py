"""A particle in a well of finite depth: its states, and how far they reach into the walls.

    -psi'' + V psi = E psi   on (-6, 6),   V = 0 for |x| < 1 and 20 outside

The potential jumps, so psi'' does: the interval is cut there. The energies are roots of k tan k = sqrt(20 - k^2) and of
its odd counterpart. One second.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
DEPTH = 20.0
STATES = 3
ACCURACY = 1e-10

# Domain
x = sp.Symbol("x")
energy = sp.Symbol("E")
psi = tn.unknown("psi", x)
domain = tn.Interval(x=(-6, 6))

# Problem
potential = sp.Piecewise((0, sp.Abs(x) < 1), (DEPTH, True))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-sp.diff(psi, x, 2) + potential * psi, energy * psi)],
    conditions=[tn.on("boundary", psi)],
)


def ground_state() -> float:
    """The lowest root of k tan k tanh(5 q) = q with q^2 = 20 - k^2."""

    def balance(e: float) -> float:
        k, q = np.sqrt(e), np.sqrt(DEPTH - e)
        return float(k * np.tan(k) * np.tanh(5 * q) - q)

    return float(brentq(balance, 0.1, 2.4, xtol=1e-14))


# Solve
def main() -> tuple[tn.Solution, float]:
    pairs = tn.eigenpairs(problem, energy, count=STATES)
    print(pairs.report())
    return pairs[0], abs(float(pairs.values[0]) / ground_state() - 1)


if __name__ == "__main__":
    solution, error = main()
    print(f"relative error of the lowest energy: {error:.1e}")
    solution.plot()
