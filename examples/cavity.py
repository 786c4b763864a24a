"""The driven cavity: flow in a square whose lid slides at unit speed, at Re = 100 (Ghia, Ghia and Shin 1982).

With the stream function psi, velocity (psi_y, -psi_x), the Navier-Stokes equations are

    (1/Re) lap lap psi = psi_y lap psi_x - psi_x lap psi_y   on (0, 1)^2

with psi = 0 on the walls, and slip psi_n = 1 on the lid, 0 elsewhere. The velocity jumps at both ends of the lid, which
no smooth function can represent. But near a corner the flow is Taylor's paint scraper r f(theta), a solution of the
Stokes equations with just that jump. Both scrapers are split off, psi = scrapers + smooth part, and the equation is
multiplied by the distances to both corners, where the vorticity transported by the scrapers is singular. About a
second.

Ghia's table is some 1e-2 off in the vertical velocity; Botella and Peyret (1998) give the extreme velocities on the
centre lines to seven digits, and these are met to a few 1e-4.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RE = 100
NEURONS = 1000
ACCURACY = 0.001

# Domain
x, y, re = sp.symbols("x y Re")
smooth = tn.unknown("psi", x, y)
domain = tn.Box(x=(0, 1), y=(0, 1))


def scraper(along: sp.Expr, down: sp.Expr) -> sp.Expr:
    """Taylor's corner flow r f(theta), theta from the sliding wall: f = 0 on both, f' = 1 on the sliding one.

    f = a sin(theta) + b theta cos(theta) + c theta sin(theta) solves f'''' + 2 f'' + f = 0 with f(0) = 0.
    """
    a, b, c, angle = sp.symbols("a b c angle")
    f = a * sp.sin(angle) + b * angle * sp.cos(angle) + c * angle * sp.sin(angle)
    slope = sp.diff(f, angle)
    quarter = sp.pi / 2
    found = sp.solve([slope.subs(angle, 0) - 1, f.subs(angle, quarter), slope.subs(angle, quarter)], [a, b, c])
    theta, r = sp.atan2(down, along), sp.sqrt(along**2 + down**2)
    parts = {sp.sin(angle): down / r, sp.cos(angle): along / r}
    return sp.simplify(r * f.subs(found).subs(parts).subs(angle, theta))


# psi_y = 1 on the lid y = 1, and `down` grows away from it: the slip is -d/d(down).
left, right = scraper(x, 1 - y), scraper(1 - x, 1 - y)
psi = smooth - left - right

# Problem
near = (x**2 + (1 - y) ** 2) * ((1 - x) ** 2 + (1 - y) ** 2)
velocity = sp.diff(psi, y), -sp.diff(psi, x)
spin = tn.laplacian(smooth) - tn.laplacian(left, x, y) - tn.laplacian(right, x, y)
transport = velocity[0] * sp.diff(spin, x) + velocity[1] * sp.diff(spin, y)
problem = tn.Problem(
    domain=domain,
    # The scrapers are biharmonic.
    equations=[sp.Eq(near * (tn.biharmonic(smooth) - re * transport), 0)],
    conditions=[
        tn.on("x=0", sp.Eq(smooth, right), sp.Eq(sp.diff(smooth, x), sp.diff(right, x))),
        tn.on("x=1", sp.Eq(smooth, left), sp.Eq(sp.diff(smooth, x), sp.diff(left, x))),
        tn.on("y=0", sp.Eq(psi, 0), sp.Eq(sp.diff(psi, y), 0)),
        # On the lid each scraper is zero and slips at unit speed: subtract one of them.
        tn.on("y=1", sp.Eq(smooth, 0), sp.Eq(sp.diff(smooth, y), -1)),
    ],
)

GHIA_U = np.array([
    [0.9766, 0.84123], [0.9688, 0.78871], [0.9609, 0.73722], [0.9531, 0.68717], [0.8516, 0.23151], [0.7344, 0.00332],
    [0.6172, -0.13641], [0.5, -0.20581], [0.4531, -0.21090], [0.2813, -0.15662], [0.1719, -0.10150],
    [0.1016, -0.06434], [0.0703, -0.04775], [0.0625, -0.04192], [0.0547, -0.03717],
])  # fmt: skip
"""y and the horizontal velocity on x = 1/2."""
GHIA_V = np.array([
    [0.9688, -0.05906], [0.9609, -0.07391], [0.9531, -0.08864], [0.9453, -0.10313], [0.9063, -0.16914],
    [0.8594, -0.22445], [0.8047, -0.24533], [0.5, 0.05454], [0.2344, 0.17527], [0.2266, 0.17507], [0.1563, 0.16077],
    [0.0938, 0.12317], [0.0781, 0.10890], [0.0703, 0.10091], [0.0625, 0.09233],
])  # fmt: skip
"""x and the vertical velocity on y = 1/2."""


SPECTRAL = np.array([-0.2140424, -0.2538030, 0.1795728])
"""The smallest horizontal, the smallest and the largest vertical velocity on the centre lines."""


def difference_from_ghia(solution: tn.Solution) -> float:
    """The largest on both centre lines."""
    u = solution.evaluate(velocity[0], x=0.5, y=GHIA_U[:, 0])
    v = solution.evaluate(velocity[1], x=GHIA_V[:, 0], y=0.5)
    return float(max(np.abs(u - GHIA_U[:, 1]).max(), np.abs(v - GHIA_V[:, 1]).max()))


def difference_from_spectral(solution: tn.Solution) -> float:
    """The largest difference of the extreme velocities on the centre lines."""
    at = np.linspace(0.01, 0.99, 2001)
    u, v = solution.evaluate(velocity[0], x=0.5, y=at[at < 0.9]), solution.evaluate(velocity[1], x=at, y=0.5)
    return float(np.abs(np.array([u.min(), v.min(), v.max()]) - SPECTRAL).max())


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    # What remains of the corners is local: tanh steps represent it better than waves.
    space = tn.FeatureSpace.uniform(2, neurons, shape=1.7, radius=1.9)
    solution = tn.solve(problem, space=space, parameters={re: RE})
    return solution, difference_from_spectral(solution)


def picture(solution: tn.Solution) -> object:
    """Streamlines on the speed; at the ends of the lid the velocity has no value, so the walls are left out."""
    from matplotlib.figure import Figure

    at = np.linspace(0.005, 0.995, 100)
    u, v = (solution.evaluate(component, x=at[None, :], y=at[:, None]) for component in velocity)
    figure = Figure(figsize=(5, 4.2), layout="constrained")
    axes = figure.subplots()
    shown = axes.pcolormesh(at, at, np.hypot(u, v), shading="gouraud")
    axes.streamplot(at, at, u, v, color="white", linewidth=0.7, density=1.3, arrowsize=0.7)
    axes.set(aspect="equal", xlim=(0, 1), ylim=(0, 1), xlabel="$x$", ylabel="$y$", title="speed and streamlines")
    figure.colorbar(shown)
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"from Botella and Peyret: {error:.1e}, from Ghia et al.: {difference_from_ghia(solution):.1e}")
    picture(solution)
