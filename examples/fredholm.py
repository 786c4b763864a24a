"""An integral equation: Fredholm's equation of the second kind with a smooth kernel.

    u(x) = f(x) + integral of exp(x s) u(s) over s from 0 to 1

with f such that u = exp(x). There are no derivatives and no conditions: the integral is one more term of the equation.
Well under a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-12

# Domain
x, s = sp.symbols("x s")
u = tn.unknown("u", x)
domain = tn.Interval(x=(0, 1))

# Problem
f = sp.exp(x) - (sp.exp(x + 1) - 1) / (x + 1)
problem = tn.Problem(domain, [sp.Eq(u, f + tn.integral(sp.exp(x * s) * u.subs(x, s), over=(s, 0, 1)))])


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = np.linspace(0, 1, 101)
    return solution, float(np.abs(solution(points) - np.exp(points)).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error: {error:.1e}")
    solution.plot()
