"""A conductivity learnt through a solve: torch trains it, and the gradient passes through the equation.

    -(k(u) u')' = 4   on (0, 1),   u = 0   at both ends,   k(u) = 1 + a u + b u^2

The data are values of the solution for a known conductivity. `tn.to_torch` makes the solve a layer with a backward
pass, and torch's optimiser finds a and b. The error is their distance from the truth. Seven seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-3
TRUE = (0.5, 0.8)
SENSORS = np.linspace(0.1, 0.9, 5)[:, None]

# Domain
x, a, b = sp.symbols("x a b")
domain = tn.Interval(x=(0, 1))

# Problem
u = tn.unknown("u", x)
k = 1 + a * u + b * u**2
problem = tn.Problem(domain, [sp.Eq(-sp.diff(k * sp.diff(u, x), x), 4)], [tn.on("boundary", sp.Eq(u, 0))])


# Solve
def main() -> tuple[tn.Solution, float]:
    import torch

    def reading(j: int) -> object:
        return lambda solution: solution.evaluate(u, SENSORS[j : j + 1], error=True)[0]

    measured = torch.as_tensor(tn.solve(problem, parameters=dict(zip((a, b), TRUE, strict=True)), tol=1e-9)(SENSORS))
    sensors = tn.to_torch(problem, [reading(j) for j in range(len(SENSORS))], over=[a, b])
    factors = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([factors], max_iter=40, tolerance_change=1e-14, line_search_fn="strong_wolfe")

    def loss() -> object:
        optimiser.zero_grad()
        missed = 1e4 * ((sensors(factors[0], factors[1]) - measured) ** 2).sum()
        missed.backward()
        return missed

    optimiser.step(loss)
    found = factors.detach().numpy()
    solution = tn.solve(problem, parameters={a: float(found[0]), b: float(found[1])})
    return solution, float(np.abs(found - TRUE).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"factors off by {error:.1e}")
    solution.plot()
