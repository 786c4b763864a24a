"""Decaying vortices: the Navier-Stokes equations on a periodic square, marched in time slabs.

    u_t + u u_x + v u_y = -p_x + nu (u_xx + u_yy)
    v_t + u v_x + v v_y = -p_y + nu (v_xx + v_yy)
    u_x + v_y = 0                                     for 0 < x, y < 2 pi, 0 < t < 5, periodic in x and y

from the Taylor-Green vortices, whose solution is known. The pressure has neither initial values nor a time derivative.
About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NU = sp.Rational(1, 50)
END = 5
ACCURACY = 1e-6

# Domain
x, y, t = sp.symbols("x y t")
u, v, p = (tn.unknown(name, x, y, t) for name in "uvp")
domain = tn.Box(x=(0, 2 * sp.pi), y=(0, 2 * sp.pi)) * tn.Interval(t=(0, END))
decay = sp.exp(-2 * NU * t)
exact = (-sp.cos(x) * sp.sin(y) * decay, sp.sin(x) * sp.cos(y) * decay)


# Problem
def momentum(w: sp.Expr, c: sp.Symbol) -> sp.Eq:
    carried = sp.diff(w, t) + u * sp.diff(w, x) + v * sp.diff(w, y)
    return sp.Eq(carried, -sp.diff(p, c) + NU * (sp.diff(w, x, 2) + sp.diff(w, y, 2)))


problem = tn.Problem(
    domain=domain,
    equations=[momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact[0].subs(t, 0)), sp.Eq(v, exact[1].subs(t, 0))),
        tn.periodic(x),
        tn.periodic(y),
    ],
)


# Solve
def main(tol: float = 1e-6) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    places = np.random.default_rng(0).uniform(0, 6, (200, 2))
    points = np.column_stack([places, np.full(200, float(END))])
    truth = np.stack([sp.lambdify((x, y, t), f)(*points.T) for f in exact], axis=1)
    names = list(problem.names)
    found = solution(points)[:, [names.index("u"), names.index("v")]]
    return solution, float(np.sqrt(np.mean((found - truth) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error at t = {END}: {error:.1e}")
