"""Kovasznay flow: the steady Navier-Stokes equations behind a grid, at Re = 40 (the paper's case C6).

    (v . grad) v + grad p - (1/Re) lap v = 0,   div v = 0   on [-0.5, 1] x [-0.5, 1.5]

with the values of v and p on the boundary from the exact solution

    v1 = 1 - exp(l x) cos(2 pi y),   v2 = l / (2 pi) exp(l x) sin(2 pi y),   p = (1 - exp(2 l x)) / 2,
    l = Re/2 - sqrt(Re^2/4 + 4 pi^2).

`pressure="mean"` gives the mean of the pressure instead of its values on the boundary; `lagged=True` marks the
transporting velocity, which selects Picard's iteration. About 2 seconds on one core.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RE = 40
NEURONS = 500
ACCURACY = 1e-20

# Domain
x, y = sp.symbols("x y")
v1, v2, p = (tn.unknown(name, x, y) for name in ("v1", "v2", "p"))
domain = tn.Box(x=(-0.5, 1), y=(-0.5, 1.5))

growth = sp.Rational(RE, 2) - sp.sqrt(sp.Rational(RE, 2) ** 2 + 4 * sp.pi**2)
exact = {
    v1: 1 - sp.exp(growth * x) * sp.cos(2 * sp.pi * y),
    v2: growth / (2 * sp.pi) * sp.exp(growth * x) * sp.sin(2 * sp.pi * y),
    p: (1 - sp.exp(2 * growth * x)) / 2,
}


# Problem
def problem(lagged: bool = False, pressure: str = "boundary") -> tn.Problem:
    """The flow as Newton or Picard takes it, with the pressure given on the boundary or by its mean."""
    hold = tn.lagged if lagged else lambda velocity: velocity

    def transport(f: sp.Expr) -> sp.Expr:
        return hold(v1) * sp.diff(f, x) + hold(v2) * sp.diff(f, y)

    if pressure == "boundary":
        level = tn.on("boundary", sp.Eq(p, exact[p]))
    else:
        average = sp.integrate(exact[p], (x, sp.Rational(-1, 2), 1)) / sp.Rational(3, 2)
        level = tn.mean(p, average)
    return tn.Problem(
        domain=domain,
        equations=[
            sp.Eq(transport(v1) + sp.diff(p, x), tn.laplacian(v1) / RE),
            sp.Eq(transport(v2) + sp.diff(p, y), tn.laplacian(v2) / RE),
            sp.Eq(tn.div([v1, v2], x, y), 0),
        ],
        conditions=[tn.on("boundary", sp.Eq(v1, exact[v1]), sp.Eq(v2, exact[v2])), level],
    )


def mean_square_error(solution: tn.Solution) -> float:
    """The mean square error over v1, v2 and p on a grid, as the paper measures it."""
    points = domain.grid((100, 100))
    errors = [
        solution[f](points) - np.broadcast_to(sp.lambdify((x, y), value)(*points.T), len(points))
        for f, value in exact.items()
    ]
    return float(np.mean(np.square(errors)))


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem(), neurons=NEURONS)
    return solution, mean_square_error(solution)


def picture(solution: tn.Solution) -> object:
    """The velocity."""
    return solution.plot(vector=(v1, v2))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"mean square error: {error:.1e}")
    picture(solution)
