"""The best length of a cooling fin: the shape of a given amount of material that sheds the most heat.

    u_xx + u_yy = 0   on (0, L) x (-A / 2L, A / 2L)
    u = 1   at x = 0,   du/dn = 0   at the tip,   du/dn + u = 0   above and below

A long fin is thin and cold at its end, a short one has little surface. For thin fins m L = 1.4192 is best, with
m^2 = 2 L / A; this one is thick, and the series of its exact solution is largest at m L = 1.4384. The error is the
relative distance from that length. The corners move with L, so the derivatives come from solves for neighbouring
lengths. Seven seconds.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq, minimize_scalar

import transnet as tn

# Parameters
AREA = 0.02
TERMS = 40
ACCURACY = 1e-5

# Domain
x, y, L = sp.symbols("x y L")
domain = tn.Box(x=(0, L), y=(-AREA / (2 * L), AREA / (2 * L)))

# Problem
u = tn.unknown("u", x, y)
cooled = sp.Eq(tn.normal_derivative(u) + u, 0)
problem = tn.Problem(
    domain,
    [sp.Eq(tn.laplacian(u), 0)],
    [
        tn.on("left", sp.Eq(u, 1)),
        tn.on("right", sp.Eq(tn.normal_derivative(u), 0)),
        tn.on("bottom", cooled),
        tn.on("top", cooled),
    ],
)


def heat(length: float) -> float:
    """What the fin loses above and below: u is a sum of cos(k y) cosh(k (L - x)) with k tan(k A / 2L) = 1."""
    half, total = AREA / (2 * length), 0.0
    for n in range(TERMS):
        k = brentq(lambda q: q * np.sin(q * half) - np.cos(q * half), n * np.pi / half, (n + 0.5) * np.pi / half)
        share = np.sin(k * half) / k
        total += 4 * share**2 / (half + np.sin(2 * k * half) / (2 * k)) * k * np.tanh(k * length)
    return float(total)


# Solve
def main() -> tuple[tn.Solution, float]:
    best = tn.minimise(
        lambda found: -found.integral(u, over="top"),
        problem,
        over=[L],
        parameters={L: 0.25},
        bounds={L: (0.1, 1.0)},
        tol=1e-7,
    )
    exact = minimize_scalar(
        lambda length: -heat(length), bounds=(0.1, 1.0), method="bounded", options={"xatol": 1e-9}
    ).x
    return best.solution, abs(best.parameters[L] / exact - 1)


def picture(solution: tn.Solution) -> object:
    """The temperature of the best fin, with lines along which the heat flows."""
    return solution.plot(u, streamlines=(-sp.diff(u, x), -sp.diff(u, y)), cmap="inferno")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"length off the best one: {error:.1e}")
    picture(solution)
