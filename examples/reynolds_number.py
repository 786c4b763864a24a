"""The Reynolds number of a flow: found from noisy velocities, with its standard error.

    (v . grad) v + grad p = laplacian(v) / Re,   div v = 0   behind a grid of rods (Kovasznay's flow)

Velocities are given on the boundary and measured at 30 points inside to 1 %. The unknown number is nu = 1 / Re, and the
true Re is 20. About ten seconds.
"""

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RE, NOISE = 20, 0.01
ACCURACY = 3.0  # standard errors
QUICK = {"seconds": 60.0}  # with a limit of time no other numbers are looked for

# Domain
x, y = sp.symbols("x y")
v1, v2, p = (tn.unknown(name, x, y) for name in ("v1", "v2", "p"))
nu = tn.unknown("nu")
domain = tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5))

# Problem
rate = RE / 2 - sp.sqrt(sp.Integer(RE) ** 2 / 4 + 4 * sp.pi**2)
flow = (1 - sp.exp(rate * x) * sp.cos(2 * sp.pi * y), rate / (2 * sp.pi) * sp.exp(rate * x) * sp.sin(2 * sp.pi * y))
places = domain.interior(30, "quasi", 1)
rng = np.random.default_rng(0)


def measured(component: sp.Expr) -> np.ndarray:
    return sp.lambdify((x, y), component)(*places.T) + NOISE * rng.standard_normal(len(places))


def momentum(v: sp.Expr, along: sp.Symbol) -> sp.Eq:
    carried = v1 * sp.diff(v, x) + v2 * sp.diff(v, y)
    return sp.Eq(carried + sp.diff(p, along), nu * tn.laplacian(v))


problem = tn.Problem(
    domain=domain,
    equations=[momentum(v1, x), momentum(v2, y), sp.Eq(sp.diff(v1, x) + sp.diff(v2, y), 0)],
    conditions=[
        tn.on("boundary", sp.Eq(v1, flow[0]), sp.Eq(v2, flow[1])),
        tn.mean(p),
        tn.data(v1, places, measured(flow[0]), noise=NOISE),
        tn.data(v2, places, measured(flow[1]), noise=NOISE),
    ],
)


# Solve
def main(seconds: float | None = None) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, seconds=seconds)
    return solution, abs(float(solution["nu"]) - 1 / RE) / solution["nu"].standard_error()


def picture(solution: tn.Solution) -> plt.Figure:
    grid = np.meshgrid(np.linspace(-0.5, 0.5, 41), np.linspace(-0.5, 0.5, 41))
    first, second = (solution[name](x=grid[0], y=grid[1]) for name in ("v1", "v2"))
    figure, axes = plt.subplots(figsize=(4.4, 4))
    axes.streamplot(*grid, first, second, color=np.hypot(first, second), density=1.1, linewidth=1)
    axes.plot(*places.T, "k.", markersize=4)
    number, error = float(solution["nu"]), float(solution["nu"].standard_error())
    axes.set(xlabel="x", ylabel="y", title=f"Re = {1 / number:.2f} ± {error / number**2:.2f}", aspect="equal")
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"the Reynolds number is off by {error:.1f} standard errors")
    picture(solution).savefig("reynolds_number.png")
