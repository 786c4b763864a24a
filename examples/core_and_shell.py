"""A core with contact resistance: heat leaves a disk through a thin layer that is not resolved.

    -div(k grad u) = 1,   k = 10 in the core, 1 in the shell,   u = 0 on the rim

and across the interface the temperature jumps by the flux times the resistance, jump(u) = R k du/dn. The solution is (1
- r^2) / 4 in the shell, and follows in the core from the jump and the flux. Half a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
CONDUCTIVITY = 10
RESISTANCE = 0.2
RADIUS = 0.4
ACCURACY = 1e-9

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Pieces(core=tn.Disk(radius=RADIUS), shell=tn.Disk(radius=1) - tn.Disk(radius=RADIUS))
k = tn.by_piece(core=CONDUCTIVITY, shell=1)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.div(k * tn.grad(u)), 1)],
    conditions=[
        tn.on("boundary", u),
        tn.on("core|shell", sp.Eq(tn.jump(u), RESISTANCE * k * tn.normal_derivative(u))),
    ],
)


# Solve
def exact(points: np.ndarray) -> np.ndarray:
    r2 = np.sum(points**2, axis=1)
    rim = (1 - RADIUS**2) / 4 + RESISTANCE * RADIUS / 2
    return np.where(r2 < RADIUS**2, rim + (RADIUS**2 - r2) / (4 * CONDUCTIVITY), (1 - r2) / 4)


def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = domain.interior(2000, "random", 1)
    return solution, float(np.sqrt(np.mean((solution(points) - exact(points)) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
