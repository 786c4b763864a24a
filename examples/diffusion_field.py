"""A diffusion coefficient of two coordinates from noisy values of a solution that changes in time.

    u_t = div(a grad u) + f   in 0 < x, y, t < 1,   u given on the boundary and at t = 0, measured at 400 points to 1 %

The exact coefficient is a = 1 + sin(2 x) cos(y) / 2. About four seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NOISE = 0.01
ACCURACY = 0.02

# Domain
x, y, t = sp.symbols("x y t")
u, a = tn.unknown("u", x, y, t), tn.unknown("a", x, y)
domain = tn.Box(x=(0, 1), y=(0, 1), t=(0, 1))
field = 1 + sp.sin(2 * x) * sp.cos(y) / 2
state = sp.exp(-t) * (1 + x + 2 * y + sp.sin(x + 2 * y)) + sp.exp(-3 * t) * sp.cos(2 * x - y) + t**2 * x * y


# Problem
def left(of: sp.Expr, coefficient: sp.Expr) -> sp.Expr:
    flux = [coefficient * sp.diff(of, c) for c in (x, y)]
    return sp.diff(of, t) - sp.diff(flux[0], x) - sp.diff(flux[1], y)


points = domain.interior(400, "quasi", 3)
values = sp.lambdify((x, y, t), state)(*points.T)
level = NOISE * float(np.sqrt(np.mean(values**2)))
values = values + level * np.random.default_rng(0).standard_normal(400)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(left(u, a), left(state, field))],
    conditions=[tn.on("boundary", sp.Eq(u, state)), tn.data(u, points, values, noise=level)],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    where = domain.interior(500, "random", 1)
    exact = sp.lambdify((x, y, t), field)(*where.T)
    return solution, float(np.sqrt(np.mean((solution["a"](where) - exact) ** 2) / np.mean(exact**2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error of the coefficient: {error:.1e}")
    solution.plot("a", t=0.5)
