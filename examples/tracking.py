"""The source that makes a membrane follow a wanted shape: optimal control, with a price on the source.

    -laplace(u) = f   on the unit square,   u = 0   on its boundary,   f = sum_jk c_jk sin(j pi x) sin(k pi y)
    minimise   int (u - w)^2 + beta int f^2,   w = x (1 - x) y (1 - y)

Each sine is an eigenfunction, so the best factors are known: c = mu w_jk / (1 + beta mu^2) with mu = (j^2 + k^2) pi^2.
Nine factors are found by one adjoint solve a step. The error is their largest distance from the formula. Four seconds.
"""

from itertools import product

import sympy as sp

import transnet as tn

# Parameters
BETA = 1e-4
MODES = 3
ACCURACY = 1e-5

# Domain
x, y = sp.symbols("x y")
domain = tn.Box(x=(0, 1), y=(0, 1))

# Problem
u = tn.unknown("u", x, y)
modes = list(product(range(1, MODES + 1), repeat=2))
factors = [sp.Symbol(f"c{j}{k}") for j, k in modes]
source = sum(c * sp.sin(j * sp.pi * x) * sp.sin(k * sp.pi * y) for c, (j, k) in zip(factors, modes, strict=True))
wanted = x * (1 - x) * y * (1 - y)
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, 0))])


def best_factor(j: int, k: int) -> float:
    """The factor of a sine in closed form: that of w is 4 (int x (1 - x) sin(j pi x)) (int y (1 - y) sin(k pi y))."""
    moment = [2 * (1 - (-1) ** n) / (sp.pi * n) ** 3 for n in (j, k)]
    mu = (j**2 + k**2) * sp.pi**2
    return float(mu * 4 * moment[0] * moment[1] / (1 + BETA * mu**2))


# Solve
def main() -> tuple[tn.Solution, float]:
    best = tn.minimise(
        lambda found: 1e4 * found.integral((u - wanted) ** 2 + BETA * source**2),
        problem,
        over=factors,
        parameters=dict.fromkeys(factors, 0.1),
        tol=1e-10,
    )
    return best.solution, max(
        abs(best.parameters[c] - best_factor(j, k)) for c, (j, k) in zip(factors, modes, strict=True)
    )


def picture(solution: tn.Solution) -> object:
    """The membrane under the best source."""
    return solution.plot(u)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"factors off by {error:.1e}")
    picture(solution)
