"""Waves around five cylinders: Helmholtz' equation in the whole plane outside them.

    u_xx + u_yy + k^2 u = 0   outside five disks,   u = 0 on them,   u - exp(i k x) outgoing,   k = 4

The functions are outgoing waves around each disk, so nothing has to absorb waves at a distance. The optical theorem
gives the error: what is scattered into all directions is missing from the wave behind. A tenth of a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
WAVENUMBER = 4.0
PLACES = ((0, 0), (2.6, 0.4), (1.1, 2.4), (-1.6, 1.9), (1.0, -2.3))
RADII = (0.9, 0.6, 0.7, 0.5, 0.8)
ACCURACY = 1e-9

# Domain
x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y, complex=True)
disks = [tn.Disk(place, radius) for place, radius in zip(PLACES, RADII, strict=True)]
bodies = disks[0] | disks[1] | disks[2] | disks[3] | disks[4]
domain = tn.Exterior(bodies, margin=2)

# Problem
incident = sp.exp(sp.I * WAVENUMBER * x)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + WAVENUMBER**2 * u, 0)],
    conditions=[tn.on("boundary", sp.Eq(u, 0)), tn.outgoing(u - incident, WAVENUMBER)],
)


# Solve
def main(tol: float = 1e-10) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    forward = complex(solution.far_field(0.0))
    missing = 2 * np.sqrt(2 * np.pi / WAVENUMBER) * (np.exp(-0.25j * np.pi) * forward).imag
    return solution, abs(solution.cross_section() / missing - 1)


def picture(solution: tn.Solution):
    return solution.plot(problem.unknowns[0], title="The field at one moment")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"optical theorem: {error:.1e}")
    picture(solution)
