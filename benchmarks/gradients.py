"""What the gradient of a result by a hundred parameters costs, in units of the solve that it belongs to.

    python benchmarks/gradients.py [tol]

A source is a sum of a hundred functions with factors, on several kinds of problems. Each is solved and differentiated
three times with new problems; the table has the smallest processor seconds of a solve and of a gradient, their ratio,
and the largest error of a derivative relative to the largest derivative, as estimated.
"""

import sys
from time import process_time

import sympy as sp

import transnet as tn

COUNT, SIDE, TIMES = 100, 10, 3
x, y, t = sp.symbols("x y t")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, t)
factors = sp.symbols(f"p:{COUNT}")
values = {p: 0.5 / (1 + j) ** 2 for j, p in enumerate(factors)}
source = sum(p * sp.cos((j % SIDE) * x) * sp.cos((j // SIDE) * y) for j, p in enumerate(factors))
heating = sum(p * sp.sin((1 + j % SIDE) * sp.pi * x) * sp.cos((j // SIDE) * t) for j, p in enumerate(factors))
disk, core = tn.Disk(radius=1), tn.Disk(radius=0.5)
still = tn.on("boundary", sp.Eq(u, 0))


def problems() -> dict[str, tuple[tn.Problem, sp.Expr, dict[str, float]]]:
    """The problems, and of what an integral is differentiated, where."""
    layers = tn.Pieces(core=core, shell=disk - core)
    material = tn.by_piece(core=3, shell=1)
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.3))
    start = [tn.on("t=0", sp.Eq(v, sp.sin(sp.pi * x))), tn.on("x=0", v), tn.on("x=1", v)]
    radius = 1 + sp.cos(5 * t) / 4
    lobes = tn.Region(tn.Curve((radius * sp.cos(t), radius * sp.sin(t)), (t, 0, 2 * sp.pi)))
    return {
        "linear, a disk": (tn.Problem(disk, [sp.Eq(-tn.laplacian(u), source)], [still]), u**2, {}),
        "linear, a flower": (tn.Problem(lobes, [sp.Eq(-tn.laplacian(u) + x * u, source)], [still]), u**2, {}),
        "nonlinear, a disk": (tn.Problem(disk, [sp.Eq(-tn.laplacian(u) + u**3, source)], [still]), u**2, {}),
        "nonlinear, a square": (
            tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.laplacian(u) + u**3, source)], [still]),
            u**2,
            {},
        ),
        "two materials": (tn.Problem(layers, [tn.div(material * tn.grad(u), x, y) + source], [still]), u**2, {}),
        "marched": (
            tn.Problem(rod, [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2) / 3 - v**3 + heating)], start),
            v**2,
            {"t": 0.3},
        ),
    }


def measure(name: str, tol: float) -> tuple[float, float, float]:
    """The seconds of a solve and of a gradient, and the relative error of the gradient."""
    solves, gradients, error = [], [], 0.0
    for _ in range(TIMES):
        problem, expression, fixed = problems()[name]
        start = process_time()
        solution = tn.solve(problem, parameters=values, tol=tol)
        solves.append(process_time() - start)
        result = solution.integral(expression, **fixed)
        start = process_time()
        gradient = solution.gradient(result, wrt=factors)
        gradients.append(process_time() - start)
        error = max(n.error for n in gradient.values()) / max(abs(float(n)) for n in gradient.values())
    return min(solves), min(gradients), error


def main(tol: float) -> None:
    print(f"{'problem':<22}{'solve':>8}{'gradient':>10}{'ratio':>8}{'error':>10}")
    for name in problems():
        solve, gradient, error = measure(name, tol)
        print(f"{name:<22}{solve:8.3f}{gradient:10.3f}{gradient / solve:8.1f}{error:10.0e}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 1e-8)
