"""One space for three problems: made once, kept in a file, and good for problems that have nothing in common.

Poisson on a disk, Helmholtz on a rectangle (k = 8), heat in space-time: the space depends on none of them, because
every domain is mapped to the same box and only the output weights are solved for. This is the transfer in the method's
name. The error is the largest of the three. About a second.
"""

import tempfile
from pathlib import Path

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NEURONS = 500
ACCURACY = 1e-8

# Domain
x, y, t = sp.symbols("x y t")
disk = tn.Disk()
rectangle = tn.Box(x=(0, 2), y=(0, 1))
rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))

# Problem
u, w = tn.unknown("u", x, y), tn.unknown("w", x, t)
EXACT = {
    "Poisson": sp.exp(x) * sp.sin(2 * y) + x**2,
    "Helmholtz": sp.sin(6 * x + 1) * sp.cos(sp.sqrt(28) * y),
    "heat": sp.exp(-(sp.pi**2) * t / 4) * sp.sin(sp.pi * x),
}
problems = {
    "Poisson": tn.Problem(
        disk,
        [sp.Eq(tn.laplacian(u), tn.laplacian(EXACT["Poisson"], x, y))],
        [tn.on("boundary", sp.Eq(u, EXACT["Poisson"]))],
    ),
    "Helmholtz": tn.Problem(
        rectangle, [sp.Eq(tn.laplacian(u) + 64 * u, 0)], [tn.on("boundary", sp.Eq(u, EXACT["Helmholtz"]))]
    ),
    "heat": tn.Problem(
        rod,
        [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2) / 4)],
        [tn.on(part, sp.Eq(w, EXACT["heat"])) for part in ("t=0", "x=0", "x=1")],
    ),
}


# Solve
def main(neurons: int = NEURONS) -> tuple[dict[str, tn.Solution], float]:
    with tempfile.TemporaryDirectory() as folder:
        file = tn.FeatureSpace.waves(2, neurons).save(Path(folder) / "waves.npz")
        space = tn.FeatureSpace.load(file)
    solutions, errors = {}, []
    for name, problem in problems.items():
        solutions[name] = tn.solve(problem, space=space)
        points = problem.domain.interior(2000, "random", 1)
        exact = sp.lambdify(problem.coordinates, EXACT[name])(*points.T)
        errors.append(np.sqrt(np.mean((solutions[name](points) - exact) ** 2)))
    return solutions, float(max(errors))


if __name__ == "__main__":
    solutions, error = main()
    for name, solution in solutions.items():
        print(name, solution.report(), sep="\n")
        solution.plot()
    print(f"largest root mean square error: {error:.1e}")
