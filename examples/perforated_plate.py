"""A perforated plate: heat through a square with 25 holes, no two in line.

    lap(u) = 0,   u given on the sides and on the rims of all holes

by a solution with a source and a dipole in each hole, off its centre. Poles in all holes, and outside where a hole is
close to a side, solve the equation; their factors are fitted on the boundary alone. A second; a hundred holes take
ten.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ROWS = 5
RADIUS = 0.25 / ROWS
TOL = 1e-6
ACCURACY = 1e-6

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
rng = np.random.default_rng(0)
middles = (np.stack(np.meshgrid(range(ROWS), range(ROWS)), axis=-1).reshape(-1, 2) + 0.5) / ROWS
middles = middles + rng.uniform(-0.15, 0.15, middles.shape) / ROWS
domain = tn.Box(x=(0, 1), y=(0, 1))
for middle in middles:
    domain = domain - tn.Disk(center=tuple(middle), radius=RADIUS)
strengths = rng.normal(size=(len(middles), 3))


def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    value = np.zeros(np.shape(px))
    for (a, b), (source, p, q) in zip(middles, strengths, strict=True):
        dx, dy = px - a - 0.3 * RADIUS, py - b - 0.2 * RADIUS
        r2 = dx**2 + dy**2
        value = value + 0.5 * source * np.log(r2) + RADIUS * (p * dx + q * dy) / r2
    return value


# Problem
problem = tn.Problem(
    domain=domain,
    equations=[tn.laplacian(u)],
    conditions=[tn.on("boundary", sp.Eq(u, tn.given("g", exact, x, y)))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=TOL)
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
