"""Sound around a hard ball: Helmholtz' equation in the whole space outside it.

    Laplace(u) + k^2 u = 0   outside the unit ball,   du/dn = 0 on it,   u - exp(i k z) outgoing,   k = 5

The functions are outgoing spherical waves. The exact solution is their series, whose factors are quotients of
derivatives of spherical Bessel functions; the bright spot behind the ball is on its axis. Half a second.
"""

import numpy as np
import sympy as sp
from scipy.special import eval_legendre, spherical_jn, spherical_yn

import transnet as tn

# Parameters
WAVENUMBER = 5.0
ACCURACY = 1e-8

# Domain
x, y, z = sp.symbols("x y z", real=True)
u = tn.unknown("u", x, y, z, complex=True)
domain = tn.Exterior(tn.Ball(radius=1), margin=2)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + WAVENUMBER**2 * u, 0)],
    conditions=[
        tn.on("sphere", sp.Eq(tn.normal_derivative(u), 0)),
        tn.outgoing(u - sp.exp(sp.I * WAVENUMBER * z), WAVENUMBER),
    ],
)


def series(points: np.ndarray) -> np.ndarray:
    """The exact solution."""
    r, total = np.linalg.norm(points, axis=1), np.exp(1j * WAVENUMBER * points[:, 2])
    for n in range(60):
        slope = spherical_jn(n, WAVENUMBER, True) + 1j * spherical_yn(n, WAVENUMBER, True)
        factor = (2 * n + 1) * 1j**n * spherical_jn(n, WAVENUMBER, True) / slope
        wave = spherical_jn(n, WAVENUMBER * r) + 1j * spherical_yn(n, WAVENUMBER * r)
        total -= factor * wave * eval_legendre(n, points[:, 2] / r)
    return total


# Solve
def main(tol: float = 1e-8) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = domain.interior(500)
    exact = series(points)
    return solution, float(np.abs(solution(points) - exact).max() / np.abs(exact).max())


def picture(solution: tn.Solution):
    return solution.plot(problem.unknowns[0], y=0, title="Pressure at one moment")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error: {error:.1e}")
    picture(solution)
