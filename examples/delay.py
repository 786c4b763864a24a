"""A delay equation: a rate that depends on the value at half the time.

    v'(t) = -v(t / 2)^2,   v(0) = 1

whose solution is exp(-t). The value at another time enters the equation like a derivative; because it is squared,
Newton's iteration is needed. Less than a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
END = 2
ACCURACY = 1e-9

# Domain
t = sp.Symbol("t")
v = tn.unknown("v", t)
domain = tn.Interval(t=(0, END))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(v, t), -(v.subs(t, t / 2) ** 2))],
    conditions=[tn.on("t=0", sp.Eq(v, 1))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    times = np.linspace(0, END, 101)
    return solution, float(np.abs(solution(times) - np.exp(-times)).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error: {error:.1e}")
    solution.plot()
