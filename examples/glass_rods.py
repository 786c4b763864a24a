"""Light through glass rods: Helmholtz' equation inside and outside them, in the whole plane.

    u_xx + u_yy + (n k)^2 u = 0,   n = 1.5 in three rods, one of which has a core with n = 2, and n = 1 outside,
    u and du/dn continuous,   u - exp(i k x) outgoing,   k = 6

Each piece has functions that solve its own equation: waves around the middle of a rod, outgoing ones outside. The
optical theorem gives the error: what is scattered into all directions is missing from the wave behind. A second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
WAVENUMBER, GLASS, CORE = 6.0, 1.5, 2.0
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y, complex=True)
upper, lower, thick, core = (tn.Disk(*at) for at in (((0, 1.4), 0.8), ((0, -1.2), 0.9), ((2.6, 0), 1), ((2.6, 0), 0.5)))
domain = tn.Pieces(
    upper=upper,
    lower=lower,
    coat=thick - core,
    core=core,
    air=tn.Exterior(upper | lower | thick, margin=1.5),
)

# Problem
index = tn.by_piece(upper=GLASS, lower=GLASS, coat=GLASS, core=CORE, air=1)
incident = sp.exp(sp.I * WAVENUMBER * x)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + (WAVENUMBER * index) ** 2 * u, 0)],
    conditions=[tn.outgoing(u - incident, WAVENUMBER)],
)


# Solve
def main(tol: float = 1e-8) -> tuple[tn.Solution, float]:
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
