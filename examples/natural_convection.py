"""Natural convection in a square: a warm wall on the left, a cold one on the right, Ra = 10^4 (de Vahl Davis 1983).

    u u_x + v u_y + p_x = Pr lap u,   u v_x + v v_y + p_y = Pr lap v + Ra Pr T,   u_x + v_y = 0,
    u T_x + v T_y = lap T   on (0, 1)^2

with T = 1 on the left, T = 0 on the right, no heat through the top and the bottom, and no slip anywhere. Air rises at
the warm wall and sinks at the cold one. Checked by the Nusselt number, the heat that passes through the warm wall in
units of what conduction alone would carry: 2.24475 according to Hortmann, Peric and Scheuerer (1990). The square is cut
into cells. About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RAYLEIGH = 10_000
PRANDTL = 0.71
NUSSELT = 2.24475
TOL = 1e-4
ACCURACY = 2e-4

# Domain
x, y = sp.symbols("x y")
u, v, p, T = (tn.unknown(name, x, y) for name in "uvpT")
domain = tn.Box(x=(0, 1), y=(0, 1))


def transport(f: sp.Expr) -> sp.Expr:
    """What the flow carries along."""
    return u * sp.diff(f, x) + v * sp.diff(f, y)


# Problem
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(transport(u) + sp.diff(p, x), PRANDTL * tn.laplacian(u)),
        sp.Eq(transport(v) + sp.diff(p, y), PRANDTL * tn.laplacian(v) + RAYLEIGH * PRANDTL * T),
        sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0),
        sp.Eq(transport(T), tn.laplacian(T)),
    ],
    conditions=[
        tn.on("boundary", u, v),
        tn.on("left", sp.Eq(T, 1)),
        tn.on("right", T),
        tn.on("top", sp.diff(T, y)),
        tn.on("bottom", sp.diff(T, y)),
        tn.mean(p),
    ],
)


def nusselt(solution: tn.Solution, at: float = 0.0) -> float:
    """The heat through a vertical line, by diffusion and with the flow: the same through all of them."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    flux = solution.evaluate(u * T - sp.diff(T, x), x=at, y=0.5 + 0.5 * nodes)
    return float(0.5 * weights @ flux)


# Solve
def main() -> tuple[tn.Solution, float]:
    """The solution, and the larger of the errors of the Nusselt number at the warm wall and in the middle."""
    solution = tn.solve(problem, tol=TOL)
    return solution, max(abs(nusselt(solution, at) / NUSSELT - 1) for at in (0.0, 0.5))


def picture(solution: tn.Solution) -> object:
    """Streamlines on the temperature."""
    from matplotlib.figure import Figure

    at = np.linspace(0.0, 1.0, 90)
    heat, along, up = (solution.evaluate(f, x=at[None, :], y=at[:, None]) for f in (T, u, v))
    figure = Figure(figsize=(5, 4.2), layout="constrained")
    axes = figure.subplots()
    shown = axes.contourf(at, at, heat, 24, cmap="coolwarm")
    axes.streamplot(at, at, along, up, color="black", linewidth=0.7, density=1.1, arrowsize=0.7)
    axes.set(aspect="equal", xlim=(0, 1), ylim=(0, 1), xlabel="$x$", ylabel="$y$", title="temperature and streamlines")
    figure.colorbar(shown)
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"Nusselt number: {nusselt(solution):.5f}, in the middle {nusselt(solution, 0.5):.5f}; error {error:.1e}")
    picture(solution)
