"""A wave steered to rest: one end of a string moves so that both halves of the wave leave through it.

    w_tt = w_xx   on (0, 1) x (0, 2),   w(0, t) = 0,   w(1, t) = a sin^3(pi t) + b sin^3(2 pi t)
    w(x, 0) = sin^3(pi x),   w_t(x, 0) = 0

By d'Alembert's formula the end that reflects nothing moves as sin^3(pi t) / 2, and at t = 2 the string is at rest. The
energy at that time is minimised; the error is the largest distance of a and b from 1/2 and 0. Four seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-4

# Domain
x, t, a, b = sp.symbols("x t a b")
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 2))

# Problem
w = tn.unknown("w", x, t)
problem = tn.Problem(
    domain,
    [sp.Eq(sp.diff(w, t, 2), sp.diff(w, x, 2))],
    [
        tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x) ** 3)),
        tn.on("t=0", sp.Eq(sp.diff(w, t), 0)),
        tn.on("x=0", sp.Eq(w, 0)),
        tn.on("x=1", sp.Eq(w, a * sp.sin(sp.pi * t) ** 3 + b * sp.sin(2 * sp.pi * t) ** 3)),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    best = tn.minimise(
        lambda solution: solution.integral(w**2 + sp.diff(w, t) ** 2, t=2.0),
        problem,
        over=[a, b],
        parameters={a: 0.2, b: 0.1},
        tol=1e-5,
    )
    return best.solution, max(abs(best.parameters[a] - 0.5), abs(best.parameters[b]))


def picture(solution: tn.Solution) -> object:
    """The string over time."""
    return solution.plot(w)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"control off by {error:.1e}")
    picture(solution)
