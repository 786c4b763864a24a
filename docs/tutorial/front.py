"""The tutorial's third program: a nonlinear equation is stated like any other."""

# [state]
import sympy as sp

import transnet as tn

x, t, rate = sp.symbols("x t r")
u = tn.unknown("u", x, t)

wave = (1 + sp.exp(sp.sqrt(rate / 6) * x - 5 * rate * t / 6)) ** -2
problem = tn.Problem(
    domain=tn.Interval(x=(-5, 10)) * tn.Interval(t=(0, 2)),
    equations=[sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + rate * u * (1 - u))],
    conditions=[tn.on(part, sp.Eq(u, wave)) for part in ("t=0", "x=-5", "x=10")],
)
solution = tn.solve(problem, neurons=300, parameters={rate: 1})
print(solution.status, len(solution.diagnostics.steps))
# [steep]
steep = tn.solve(problem, neurons=600, continuation={rate: [1, 2, 4]})
# [end]
assert solution.status == steep.status == "converged"
assert abs(solution(x=1.0, t=1.0) - float(wave.subs({x: 1, t: 1, rate: 1}))) < 1e-6
assert abs(steep(x=1.0, t=1.0) - float(wave.subs({x: 1, t: 1, rate: 4}))) < 1e-4
