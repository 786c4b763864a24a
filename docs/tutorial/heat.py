"""The tutorial's second program: time is one more coordinate."""

# [state]
import sympy as sp

import transnet as tn

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)

problem = tn.Problem(
    domain=tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.5)),
    equations=[sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))],
    conditions=[
        tn.on("t=0", sp.Eq(u, sp.sin(sp.pi * x))),
        tn.on("x=0", sp.Eq(u, 0)),
        tn.on("x=1", sp.Eq(u, 0)),
    ],
)
solution = tn.solve(problem)
# [use]
exact = sp.exp(-(sp.pi**2) * t) * sp.sin(sp.pi * x)
solution.plot(t=[0, 0.05, 0.1, 0.2])  # snapshots
solution.plot(error_against=exact)  # |u - exact| on a logarithmic scale
# [end]
assert abs(solution(x=0.5, t=0.1) - float(exact.subs({x: 0.5, t: 0.1}))) < 1e-9
