"""A round drum, struck off centre: waves that run to the rim and come back, over two crossings of the drum.

    u_tt = u_xx + u_yy for x^2 + y^2 < 1,   u = 0 on the rim,   u(x, y, 0) = exp(-20 ((x - 1/5)^2 + y^2)),   at rest

Time is cut into slabs; space has the polynomials that are orthonormal on the disk. The error is that against Bessel's
and Fourier's series. About five seconds.
"""

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from scipy.special import jn_zeros, jv

import transnet as tn

# Parameters
END, MODES = 2.0, 32
ACCURACY = 1e-5

# Domain
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
drum = tn.Disk(radius=1)

# Problem
blow = sp.exp(-20 * ((x - sp.Rational(1, 5)) ** 2 + y**2))
problem = tn.Problem(
    domain=drum * tn.Interval(t=(0, END)),
    equations=[sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + sp.diff(u, y, 2))],
    conditions=[tn.on("t=0", sp.Eq(u, blow), sp.Eq(sp.diff(u, t), 0)), tn.on("sides", sp.Eq(u, 0))],
)


def series(points: np.ndarray) -> np.ndarray:
    """The sum of the drum's own modes."""
    r, weights = np.polynomial.legendre.leggauss(160)
    r, weights = (r + 1) / 2, weights / 2
    angles = 2 * np.pi * np.arange(192) / 192
    start = sp.lambdify((x, y), blow)(np.outer(r, np.cos(angles)), np.outer(r, np.sin(angles)))
    distance, angle, total = np.hypot(*points[:, :2].T), np.arctan2(points[:, 1], points[:, 0]), 0.0
    for m in range(MODES):
        along = (start * np.cos(m * angles)).mean(axis=1) * (1 if m == 0 else 2)
        for k in jn_zeros(m, MODES):
            size = 2 * np.sum(weights * r * along * jv(m, k * r)) / jv(m + 1, k) ** 2
            total = total + size * jv(m, k * distance) * np.cos(m * angle) * np.cos(k * points[:, 2])
    return total


# Solve
def main(tol: float = 1e-5) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = problem.domain.interior(100, "random", 1)
    true = series(points)
    return solution, float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))


def picture(solution: tn.Solution) -> plt.Figure:
    figure, axes = plt.subplots(1, 4, figsize=(11, 2.8), layout="constrained")
    for ax, moment in zip(axes, (0.0, 0.5, 1.0, 2.0), strict=True):
        solution.plot(t=moment, ax=ax)
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error {error:.1e}")
    picture(solution).savefig("struck_drum.png")
