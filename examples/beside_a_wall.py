"""Sound beside a wall: a wave on three pipes in front of a hard wall, in the half plane.

    u_xx + u_yy + k^2 u = 0 for y > 0 outside the pipes,   du/dn = 0 on the wall and on the pipes,
    u less the incident wave and its reflection outgoing,   k = 6

The functions around the pipes have mirror images in the wall, so that nothing is left to be fitted there. What the same
pipes with their images scatter in the whole plane gives the error. Half a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
WAVENUMBER = 6.0
PIPES = [((-1.6, 0.8), 0.5), ((0.2, 1.9), 0.7), ((1.5, 0.7), 0.4)]
ACCURACY = 1e-9

# Domain
x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y, complex=True)
domain = tn.Box(x=(-sp.oo, sp.oo), y=(0, sp.oo), reach=(4, 4.5))
for number, (centre, radius) in enumerate(PIPES):
    domain = domain - tn.Disk(centre, radius, name=f"pipe {number}")

# Problem
incident = sp.exp(sp.I * WAVENUMBER * (0.6 * x - 0.8 * y))
hard = [tn.on(part, sp.Eq(tn.normal_derivative(u), 0)) for part in ("y=0", "pipe 0", "pipe 1", "pipe 2")]
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + WAVENUMBER**2 * u, 0)],
    conditions=[*hard, tn.outgoing(u - incident, WAVENUMBER)],
)


def mirrored() -> tn.Solution:
    """The pipes and their images in the whole plane."""
    pipes = [tn.Disk((a, sign * b), radius) for (a, b), radius in PIPES for sign in (1, -1)]
    body = pipes[0]
    for pipe in pipes[1:]:
        body = body | pipe
    waves = incident + incident.subs(y, -y)
    conditions = [tn.on("boundary", sp.Eq(tn.normal_derivative(u), 0)), tn.outgoing(u - waves, WAVENUMBER)]
    return tn.solve(tn.Problem(tn.Exterior(body), problem.equations, conditions), tol=1e-10)


# Solve
def main(tol: float = 1e-10) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    angles = np.linspace(0.1, 3.0, 40)
    return solution, float(np.abs(solution.far_field(angles) - mirrored().far_field(angles)).max())


def picture(solution: tn.Solution):
    return solution.plot(problem.unknowns[0], title="The pressure at one moment")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the far field: {error:.1e}")
    picture(solution)
