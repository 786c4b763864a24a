"""A radius and a conductivity from two readings: Gauss and Newton's method in JAX, through a solve.

    -k laplace(u) = 1   in a disk of radius r,   u = 0   on its rim

The readings are the integral of u, pi r^4 / (8 k), and its value in the middle, r^2 / (4 k). `tn.to_jax` makes them a
function of k and r that JAX differentiates, the size of the domain included. The error is the distance from the truth.
Three seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-6
TRUE = (2.0, 1.5)
STEPS = 8

# Domain
x, y, k, r = sp.symbols("x y k r")
domain = tn.Disk(radius=r)

# Problem
u = tn.unknown("u", x, y)
problem = tn.Problem(domain, [sp.Eq(-k * tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])


# Solve
def main() -> tuple[tn.Solution, float]:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    readings = tn.to_jax(
        problem, [lambda s: s.integral(u), lambda s: s.evaluate(u, [[0.0, 0.0]], error=True)[0]], over=[k, r]
    )
    measured = jnp.array([np.pi * TRUE[1] ** 4 / (8 * TRUE[0]), TRUE[1] ** 2 / (4 * TRUE[0])])

    def missed(logarithms: object) -> object:
        return jnp.log(readings(*jnp.exp(logarithms)) / measured)

    found = jnp.log(jnp.array([1.0, 1.0]))
    for _ in range(STEPS):
        found = found - jnp.linalg.solve(jax.jacrev(missed)(found), missed(found))
    values = np.exp(np.asarray(found))
    solution = tn.solve(problem, parameters=dict(zip((k, r), map(float, values), strict=True)))
    return solution, float(np.abs(values - TRUE).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"conductivity and radius off by {error:.1e}")
    solution.plot()
