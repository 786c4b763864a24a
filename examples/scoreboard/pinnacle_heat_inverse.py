"""PINNacle's inverse heat problem: a conductivity from 2500 values with noise.

u_t = (a u_x)_x + (a u_y)_y + f on (-1, 1)^2, 0 < t < 1, where u = exp(-t) sin(pi x) sin(pi y) is measured at 2500
random points with noise of standard deviation 0.1, and a is known on the sides; wanted is a = 2 + sin(pi x) sin(pi y)
inside. Neither the start nor values on the sides are given, so that u is determined by the data alone.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, LIMIT, SLOW = "PINNacle", {"PINNacle": 0.0509}, "noise", True
TOL, ACCURACY, REFERENCE = 1e-3, 0.5, "the a that the source was made with; the error is that of a"
x, y, t = sp.symbols("x y t")
u, a = tn.unknown("u", x, y, t), tn.unknown("a", x, y)
wave = sp.exp(-t) * sp.sin(sp.pi * x) * sp.sin(sp.pi * y)
wanted = 2 + sp.sin(sp.pi * x) * sp.sin(sp.pi * y)


def rate(c: sp.Expr, w: sp.Expr) -> sp.Expr:
    return sp.diff(w, t) - sum(sp.diff(c * sp.diff(w, z), z) for z in (x, y))


random = np.random.default_rng(0)
places = random.uniform([-1, -1, 0], 1, (2500, 3))
values = sp.lambdify((x, y, t), wave)(*places.T) + random.normal(0, 0.1, 2500)
known = [tn.data(u, places, values, noise=0.1), tn.on("sides", sp.Eq(a, wanted))]
domain = tn.Box(x=(-1, 1), y=(-1, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [sp.Eq(rate(a, u), rate(wanted, wave))], known)


def error(solution: tn.Solution) -> float:
    at = np.random.default_rng(1).uniform(-1, 1, (2000, 2))
    truth = sp.lambdify((x, y), wanted)(*at.T)
    return float(np.linalg.norm(solution["a"](at) - truth) / np.linalg.norm(truth))
