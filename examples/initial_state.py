"""The initial state of a heated rod: found from later temperatures, with its uncertainty.

    u_t = u_xx / 10,   u = 0 at both ends,   u(x, 0) = g(x) unknown

from 60 temperatures at the times 0.1, 0.2 and 0.3 with errors of 0.002. Diffusion removes detail: the fine structure of
g is not in the data, so g is made as smooth as they allow, and its standard error says what is known. A few seconds.
"""

import matplotlib.pyplot as plt
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


def picture(solution: tn.Solution) -> plt.Figure:
    along = np.linspace(0, 1, 201)
    found, band = (get(x=along, t=0 * along) for get in (solution["g"], solution["g"].standard_error))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    left.fill_between(along, found - 2 * band, found + 2 * band, alpha=0.25, label="two standard errors")
    left.plot(along, found, label="found")
    left.plot(along, exact(along, 0.0), "k--", linewidth=1, label="true")
    left.plot(places[:20, 0], values[:20], ".", markersize=4, label="measured at t = 0.1")
    left.set(xlabel="x", ylabel="g")
    left.legend(loc="upper right")
    later = np.full_like(along, places[0, 1])
    right.plot(along, band, label="initial state")
    right.plot(along, solution["u"].standard_error(x=along, t=later), label="t = 0.1")
    right.set(xlabel="x", ylabel="standard error", ylim=(0, None))
    right.legend()
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error of the initial state: {error:.1e}")
    picture(solution).savefig("initial_state.png")
