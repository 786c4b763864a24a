"""The initial state of a heated rod: found from later temperatures, with its uncertainty.

    u_t = u_xx / 10,   u = 0 at both ends,   u(x, 0) = g(x) unknown

from 60 temperatures at the times 0.1, 0.2 and 0.3 with errors of 0.002. Heat forgets: the fine detail of g is not
in the data, so that g is made as smooth as they allow, and the standard error of g says what is known. A few
seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RATE, NOISE = 0.1, 0.002
ACCURACY = 0.03

# Domain
x, t = sp.symbols("x t")
u, g = tn.unknown("u", x, t), tn.unknown("g", x)
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.4))


def exact(a: np.ndarray, b: np.ndarray | float) -> np.ndarray:
    first, second = (np.exp(-RATE * (k * np.pi) ** 2 * b) * np.sin(k * np.pi * a) for k in (1, 2))
    return first + 0.5 * second


# Problem
places = np.array([(a, b) for b in (0.1, 0.2, 0.3) for a in np.linspace(0.05, 0.95, 20)])
values = exact(*places.T) + NOISE * np.random.default_rng(1).standard_normal(len(places))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t), RATE * sp.diff(u, x, 2))],
    conditions=[
        tn.on("x=0", sp.Eq(u, 0)),
        tn.on("x=1", sp.Eq(u, 0)),
        tn.on("t=0", sp.Eq(u, g)),
        tn.data(u, places, values, noise=NOISE),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = np.column_stack([np.linspace(0, 1, 51), np.zeros(51)])
    wrong = solution["g"](points) - exact(points[:, 0], 0.0)
    return solution, float(np.linalg.norm(wrong) / np.linalg.norm(exact(points[:, 0], 0.0)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error of the initial state: {error:.1e}")
    solution.plot()
