"""Two solitons on the whole line: Korteweg and de Vries' equation without walls.

    u_t + 6 u u_x + u_xxx = 0   for all x,   u = 6 / cosh(x)^2 at t = 0,   u -> 0 at infinity,   0 <= t <= 0.3

The hump splits into two waves of heights 8 and 2, which leave to the right. The size of the window is
found. The solution is known in closed form. About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
END = 0.3
ACCURACY = 1e-6

# Domain
x, t = sp.symbols("x t", real=True)
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-sp.oo, sp.oo)) * tn.Interval(t=(0, END))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + 6 * u * sp.diff(u, x) + sp.diff(u, x, 3), 0)],
    conditions=[tn.on("t=0", sp.Eq(u, 6 / sp.cosh(x) ** 2)), tn.at_infinity(u, 0)],
)


def exact(x: np.ndarray, t: np.ndarray) -> np.ndarray:
    above = 3 + 4 * np.cosh(2 * x - 8 * t) + np.cosh(4 * x - 64 * t)
    return 12 * above / (3 * np.cosh(x - 28 * t) + np.cosh(3 * x - 36 * t)) ** 2


# Solve
def main(tol: float = 1e-7) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = np.array([(a, b) for a in np.linspace(-15, 15, 301) for b in np.linspace(0, END, 7)])
    return solution, float(np.abs(solution(points) - exact(*points.T)).max() / 8)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error: {error:.1e}")
    solution.plot()
