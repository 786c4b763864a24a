"""The source of a wave: found from noisy values of the wave, with its uncertainty.

    u_tt = u_xx + f(x)   in 0 < x < 1, 0 < t < 1.5,   u = 0 at both ends,   at rest at t = 0

from 80 values of u at random places and times with errors of 0.005, which is 3 % of the wave. The source is as smooth
as the data allow, and its standard error shows what they leave undetermined. Less than a second.
"""

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NOISE = 0.005
STRENGTHS = {1: 3.0, 2: 2.0, 3: -1.0}
ACCURACY = 0.1

# Domain
x, t = sp.symbols("x t")
u, f = tn.unknown("u", x, t), tn.unknown("f", x)
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1.5))


def source(a: np.ndarray) -> np.ndarray:
    return sum(c * np.sin(k * np.pi * a) for k, c in STRENGTHS.items())


def wave(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    parts = [c * (1 - np.cos(k * np.pi * b)) / (k * np.pi) ** 2 * np.sin(k * np.pi * a) for k, c in STRENGTHS.items()]
    return sum(parts)


# Problem
places = domain.interior(80, "random", 3)
values = wave(*places.T) + NOISE * np.random.default_rng(0).standard_normal(len(places))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + f)],
    conditions=[
        tn.on("x=0", sp.Eq(u, 0)),
        tn.on("x=1", sp.Eq(u, 0)),
        tn.on("t=0", sp.Eq(u, 0), sp.Eq(sp.diff(u, t), 0)),
        tn.data(u, places, values, noise=NOISE),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    along = np.linspace(0, 1, 101)
    wrong = solution["f"](x=along, t=0 * along) - source(along)
    return solution, float(np.linalg.norm(wrong) / np.linalg.norm(source(along)))


def picture(solution: tn.Solution) -> plt.Figure:
    along = np.linspace(0, 1, 201)
    found, band = (get(x=along, t=0 * along) for get in (solution["f"], solution["f"].standard_error))
    figure, axes = plt.subplots(figsize=(5, 3.2))
    axes.fill_between(along, found - 2 * band, found + 2 * band, alpha=0.25, label="two standard errors")
    axes.plot(along, found, label="found")
    axes.plot(along, source(along), "k--", linewidth=1, label="true")
    axes.set(xlabel="x", ylabel="f")
    axes.legend()
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error of the source: {error:.1e}")
    picture(solution).savefig("wave_source.png")
