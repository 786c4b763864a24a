"""The drum with the lowest tone: among ellipses of given area, by the gradient of the first eigenvalue.

    -laplace(u) = lam u   inside,   u = 0   on the ellipse (a cos s, b sin s),   a b = 1

Rayleigh guessed, and Faber and Krahn proved, that the disk has the lowest first eigenvalue of all membranes of its
area: the square of the first zero of J_0. The error is the distance from it. Five seconds.
"""

import sympy as sp
from scipy.special import jn_zeros

import transnet as tn

# Parameters
ACCURACY = 1e-6

# Domain
s, x, y, a, b, lam = sp.symbols("s x y a b lam")
domain = tn.Region(tn.Curve((a * sp.cos(s), b * sp.sin(s)), (s, 0, 2 * sp.pi)))

# Problem
u = tn.unknown("u", x, y)
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", sp.Eq(u, 0))])


# Solve
def main() -> tuple[tn.Solution, float]:
    best = tn.minimise(
        lambda pairs: pairs.value(0),
        problem,
        over=[a, b],
        parameters={a: 1.2, b: 0.9},
        subject_to=[sp.Eq(a * b, 1)],
        lam=lam,
    )
    return best.solution[0], abs(float(best.value) / jn_zeros(0, 1)[0] ** 2 - 1)


def picture(solution: tn.Solution) -> object:
    """The tone of the best drum."""
    return solution.plot(u)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"eigenvalue off that of the disk: {error:.1e}")
    picture(solution)
