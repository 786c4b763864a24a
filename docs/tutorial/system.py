"""The tutorial's last program: a time-dependent nonlinear system, prey and predators that wander."""

# [state]
import numpy as np
import sympy as sp

import transnet as tn

x, t = sp.symbols("x t")
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)  # prey, predators

space, time = tn.Interval(x=(0, 1)), tn.Interval(t=(0, 4))
problem = tn.Problem(
    domain=space * time,
    equations=[
        sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) / 20 + u - u * v),
        sp.Eq(sp.diff(v, t), sp.diff(v, x, 2) / 20 + u * v - v),
    ],
    conditions=[
        tn.on("t=0", sp.Eq(u, 1 + sp.cos(sp.pi * x) / 2), sp.Eq(v, 1)),
        tn.on("sides", sp.Eq(tn.normal_derivative(u), 0), sp.Eq(tn.normal_derivative(v), 0)),
    ],
)
solution = tn.solve(problem, neurons=400, guess={u: 1, v: 1})
print(solution.report())
# [use]
prey = solution["u"]  # one unknown as a function
at = np.linspace(0, 1, 5)
print(prey(x=at, t=4.0))
pairs = solution(x=at, t=4.0)  # (5, 2), in the order of solution.names
solution.plot(["u", "v"])
# [end]
assert solution.status == "converged"
assert solution.error < 1e-5
assert pairs.shape == (5, 2)
# Without flux through the ends, the total of the prey changes by what is born and eaten.
nodes, weights = np.polynomial.legendre.leggauss(30)
when, where = np.meshgrid(2 + 2 * nodes, (1 + nodes) / 2)
born = weights @ solution.evaluate(u - u * v, x=where, t=when) @ weights
assert abs(prey(x=(1 + nodes) / 2, t=4.0) @ weights / 2 - 1 - born) < 1e-5
