"""The picture of the README: the solution of the first program, made by that program."""

from pathlib import Path

import matplotlib
import sympy as sp

import transnet as tn

matplotlib.use("Agg")

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)

problem = tn.Problem(
    domain=tn.Disk(radius=1) - tn.Disk(radius=0.5),
    equations=[sp.Eq(tn.laplacian(u), -sp.exp(x) * y)],
    conditions=[tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))],
)
solution = tn.solve(problem)
solution.plot().savefig(Path(__file__).with_name("first.png"), dpi=110)
print(solution.report())
