"""The tutorial's first program: Poisson's equation between two circles."""

# [state]
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)

problem = tn.Problem(
    domain=tn.Disk(radius=1) - tn.Disk(radius=0.5),
    equations=[sp.Eq(tn.laplacian(u), -sp.exp(x) * y)],
    conditions=[tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))],
)
# [solve]
solution = tn.solve(problem, tol=1e-6)
print(solution.report())
# [use]
value = solution(x=0.6, y=0.2)  # coordinates by name, numbers or arrays
values = solution([(0.6, 0.2), (0.0, -0.8)])  # or points as rows of an array
slope = solution.evaluate(sp.diff(u, x), x=0.6, y=0.2)  # any expression of the unknown
energy = solution.integral(tn.grad(u).dot(tn.grad(u)))  # a number, with energy.error
heat = solution.flux("boundary")  # du/dn through the boundary
# [picture]
picture = solution.plot()
picture = solution.plot(sp.diff(u, x))
# [end]
assert solution.error < 1e-6
assert abs(solution(x=1.0, y=0.0) - float(sp.cos(3))) < 1e-5
assert values.shape == (2,)
