"""DeepXDE's diffusion_reaction: five sines that decay together.

u_t = u_xx + exp(-t) sum_k (k^2 - 1) sin(k x) / k on (-pi, pi), 0 < t < 1, k = 1, 2, 3, 4, 8; u = sum_k sin(k x) / k at
t = 0, u = 0 at both ends. The solution is exp(-t) times the start.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
start = sum(sp.sin(k * x) / k for k in (1, 2, 3, 4, 8))
exact = sp.exp(-t) * start
equation = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + sp.diff(exact, t) - sp.diff(exact, x, 2))
conditions = [tn.on("t=0", sp.Eq(u, start)), tn.on("sides", sp.Eq(u, 0))]
problem = tn.Problem(tn.Interval(x=(-sp.pi, sp.pi)) * tn.Interval(t=(0, 1)), [equation], conditions)
