"""A problem file: heat in a rod, stated in the text file rod.toml instead of a program.

    u_t = kappa u_xx   on (0, 1) x (0, 1/2),   u = 0 at both ends,   u = sin(pi x) at t = 0

The same file works on the command line: `transnet solve rod.toml`. A file may come from a stranger: its formulas are
parsed, never executed. A tenth of a second.
"""

from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
FILE = Path(__file__).with_name("rod.toml")
ACCURACY = 1e-8

# Domain
stated = tn.read_problem(FILE)

# Problem
problem = stated.problem


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = stated.solve()
    points = problem.domain.interior(2000, "random", 1)
    (exact,) = stated.exact.values()
    values = sp.lambdify(problem.coordinates, exact.subs(solution.parameters))(*points.T)
    return solution, float(np.sqrt(np.mean((solution(points) - values) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
