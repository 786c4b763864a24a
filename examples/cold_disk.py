"""A cold disk in a warm room: heat comes in through the rim; time is marched in steps with networks in pieces.

    u_t = u_xx + u_yy   for x^2 + y^2 < 1, 0 < t < 1,   u = 0 at t = 0,   u_n = 2 (1 - u) on the rim

A Bessel series is exact. The initial values do not fit the flux at the rim, so the first steps are short. About five
seconds.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import j0, j1, jn_zeros

import transnet as tn

# Parameters
TRANSFER = 2
END = 1
ACCURACY = 1e-3

# Domain
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
disk = tn.Disk(radius=1)
domain = disk * tn.Interval(t=(0, END))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), tn.laplacian(u))],
    conditions=[tn.on("t=0", sp.Eq(u, 0)), tn.on("sides", sp.Eq(tn.normal_derivative(u), TRANSFER * (1 - u)))],
)


def series(places: np.ndarray, time: float) -> np.ndarray:
    """1 - sum 2 h J_0(a r) exp(-a^2 t) / ((a^2 + h^2) J_0(a)) over the roots a of a J_1(a) = h J_0(a)."""
    ends = np.concatenate([[1e-9], jn_zeros(1, 30)])
    roots = np.array([brentq(lambda a: a * j1(a) - TRANSFER * j0(a), *ends[k : k + 2]) for k in range(30)])
    modes = 2 * TRANSFER * j0(np.multiply.outer(np.hypot(*places.T), roots)) / ((roots**2 + TRANSFER**2) * j0(roots))
    return 1 - modes @ np.exp(-(roots**2) * time)


# Solve
def main(tol: float = 1e-3) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    places = disk.interior(300, "quasi", 0)
    errors = [
        np.sqrt(np.mean((solution(np.column_stack([places, np.full(len(places), s)])) - series(places, s)) ** 2))
        for s in (0.1, 0.35, 1.0)
    ]
    return solution, float(max(errors))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest root mean square error at t = 0.1, 0.35 and {END}: {error:.1e}")
