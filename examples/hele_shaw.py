"""A Hele-Shaw cell: oil is pressed between two plates, and its rim moves with the gradient of the pressure.

    p_xx + p_yy = 0 in the oil but for the injection at the origin,   p = 0 on the rim,   speed of the rim -dp/dn

With p = w - log(r) the field w is harmonic. The rim that begins as the image of the unit circle under
z = a s + b s^2 remains one (Polubarinova and Galin): a^2 b is constant, and a^2 + 2 b^2 grows by 2 t. Two seconds.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
A, B, TIME = 1.0, 0.3, 0.5
ACCURACY = 1e-3

# Domain
x, y, t, s = sp.symbols("x y t s")
w = tn.unknown("w", x, y, t)
rim = tn.Curve((A * sp.cos(s) + B * sp.cos(2 * s), A * sp.sin(s) + B * sp.sin(2 * s)), (s, 0, 2 * sp.pi), name="rim")
domain = tn.Region(rim) * tn.Interval(t=(0, TIME))

# Problem
log_r = sp.log(x**2 + y**2) / 2
n = tn.normal(x, y)
outflow = sum(k * sp.diff(w - log_r, c) for k, c in zip(n, (x, y), strict=True))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(w, x, 2) + sp.diff(w, y, 2), 0)],
    conditions=[tn.front("rim", sp.Eq(w, log_r), speed=-outflow)],
)


def exact(time: float, angles: np.ndarray) -> np.ndarray:
    """Points of the rim."""
    total, product = A**2 + 2 * B**2 + 2 * time, A**2 * B
    a = brentq(lambda r: r**2 + 2 * (product / r**2) ** 2 - total, A, 10)
    z = a * np.exp(1j * angles) + product / a**2 * np.exp(2j * angles)
    return np.column_stack([z.real, z.imag])


# Solve
def main(tol: float | None = 1e-3) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    angles = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    px, py = exact(TIME, angles).T * (1 - 1e-3)  # just inside the rim, where the pressure is nearly zero
    inside = solution(px, py, np.full_like(px, TIME)) - np.log(np.hypot(px, py))
    oil = solution.problem.domain.at(TIME).volume
    area = abs(oil - domain.first.volume - 2 * np.pi * TIME) / oil
    return solution, max(float(np.abs(inside).max()) - 1e-3, area)


def picture(solution: tn.Solution):
    shown = solution.plot(t=TIME, title="Pressure without its source, and the rim at five times")
    for time in np.linspace(0, TIME, 5):
        points = solution.problem.domain.at(time).boundary("rim", 400, "grid").points
        shown.axes[0].plot(*points.T, "k-", lw=0.8)
    return shown


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    picture(solution)
