"""Flow past a cylinder: the steady benchmark 2D-1 of Schaefer and Turek (1996), in cells around the obstacle.

    u u_x + v u_y - nu lap u + p_x = 0,   u v_x + v v_y - nu lap v + p_y = 0,   u_x + v_y = 0

in a channel with a parabolic inflow, no slip on the walls and on the cylinder, and a do-nothing condition at the
outflow: nu u_x = p, v_x = 0. The Reynolds number is 20. Checked by the drag, the force of the flow on the cylinder, and
by the pressure between its front and its back, which are known to ten digits. About five seconds; the drag has five
digits and the lift, five hundred times smaller, almost three.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
CENTRE, RADIUS = (0.2, 0.2), 0.05
LENGTH, HEIGHT = 2.2, 0.41
VISCOSITY = 0.001
FASTEST = 0.3
DRAG, LIFT, PRESSURE = 5.57953523384, 0.010618948146, 0.11752016697
TOL = 1e-4
ACCURACY = 1e-3

# Domain
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
domain = tn.Box(x=(0, LENGTH), y=(0, HEIGHT)) - tn.Disk(center=CENTRE, radius=RADIUS)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(u * sp.diff(u, x) + v * sp.diff(u, y) - VISCOSITY * tn.laplacian(u) + sp.diff(p, x), 0),
        sp.Eq(u * sp.diff(v, x) + v * sp.diff(v, y) - VISCOSITY * tn.laplacian(v) + sp.diff(p, y), 0),
        sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0),
    ],
    conditions=[
        tn.on("left", sp.Eq(u, 4 * FASTEST * y * (HEIGHT - y) / HEIGHT**2), v),
        tn.on("right", sp.Eq(VISCOSITY * sp.diff(u, x), p), sp.diff(v, x)),
        *(tn.on(part, u, v) for part in ("top", "bottom", "circle")),
    ],
)


def coefficients(solution: tn.Solution, points: int = 1000) -> tuple[float, float]:
    """The drag and lift coefficients: the traction -p n + nu (grad u + grad u') n over the cylinder."""
    angle = 2 * np.pi * (np.arange(points) + 0.5) / points
    n = np.stack([np.cos(angle), np.sin(angle)])
    at = np.array(CENTRE) + RADIUS * n.T
    shear = VISCOSITY * (sp.diff(u, y) + sp.diff(v, x))
    pressure, along = solution.evaluate(p, at), solution.evaluate(shear, at)
    across = [solution.evaluate(2 * VISCOSITY * sp.diff(w, c), at) for w, c in ((u, x), (v, y))]
    force = [
        np.mean((across[0] - pressure) * n[0] + along * n[1]),
        np.mean((across[1] - pressure) * n[1] + along * n[0]),
    ]
    mean_speed = 2 / 3 * FASTEST
    unit = 0.5 * mean_speed**2 * 2 * RADIUS / (2 * np.pi * RADIUS)
    return float(force[0] / unit), float(force[1] / unit)


# Solve
def main() -> tuple[tn.Solution, float]:
    """The solution, and the larger of the relative errors of the drag and of the pressure difference."""
    solution = tn.solve(problem, tol=TOL)
    drag, _ = coefficients(solution)
    front, back = solution.evaluate(p, np.array([[0.15, 0.2], [0.25, 0.2]]))
    return solution, float(max(abs(drag / DRAG - 1), abs((front - back) / PRESSURE - 1)))


def picture(solution: tn.Solution) -> object:
    return solution.plot(vector=(u, v))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"drag and lift: {coefficients(solution)}, known: {DRAG, LIFT}")
    print(f"relative error of the drag and of the pressure difference: {error:.1e}")
    solution.plot(vector=(u, v))
    solution.plot_pieces()
