"""A round drum: the wave equation on a disk in its second symmetric mode, in three coordinates.

    u_tt = u_xx + u_yy   in |(x, y)| < 1, 0 < t < 1,   u = 0 on the rim,   u = J0(j r), u_t = 0 at t = 0

with the second zero j = 5.52... of Bessel's J0. The exact solution is u = J0(j r) cos(j t). About three seconds.
"""

import numpy as np
import sympy as sp
from scipy.special import j0, jn_zeros

import transnet as tn

# Parameters
FREQUENCY = float(jn_zeros(0, 2)[1])
NEURONS = 1200
ACCURACY = 1e-5

# Domain
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
domain = tn.Disk(radius=1, name="rim") * tn.Interval(t=(0, 1))
start = tn.given("J0", lambda a, b: j0(FREQUENCY * np.hypot(a, b)), x, y)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t, 2), tn.laplacian(u))],
    conditions=[tn.on("t=0", sp.Eq(u, start), sp.Eq(sp.diff(u, t), 0)), tn.on("rim", sp.Eq(u, 0))],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    points = domain.interior(2000, "random", 1)
    exact = j0(FREQUENCY * np.hypot(points[:, 0], points[:, 1])) * np.cos(FREQUENCY * points[:, 2])
    return solution, float(np.sqrt(np.mean((solution(points) - exact) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
