"""A journal bearing: slow flow between a resting cylinder and one that turns inside it, off centre.

    -lap (u, v) + grad p = 0,   u_x + v_y = 0   in |(x, y)| < 1 without a disk of radius 1/2 around (1/5, 0)

No slip: the fluid rests on the outer cylinder and turns with the inner one at unit speed; the mean of the pressure is
fixed. What flows through the narrow gap must return through the wide one: the error is the relative difference of the
two fluxes. About a second.
"""

import sympy as sp
from numpy.polynomial.legendre import leggauss

import transnet as tn

# Parameters
SHIFT, RADIUS = 0.2, 0.5
NEURONS = 300
ACCURACY = 1e-7

# Domain
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
domain = tn.Disk(radius=1, name="housing") - tn.Disk(center=(SHIFT, 0), radius=RADIUS, name="shaft")

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(-tn.laplacian(u) + sp.diff(p, x), 0),
        sp.Eq(-tn.laplacian(v) + sp.diff(p, y), 0),
        sp.Eq(tn.div([u, v]), 0),
    ],
    conditions=[
        tn.on("housing", sp.Eq(u, 0), sp.Eq(v, 0)),
        tn.on("shaft", sp.Eq(u, -y / RADIUS), sp.Eq(v, (x - SHIFT) / RADIUS)),
        tn.mean(p),
    ],
)


def flux(solution: tn.Solution, low: float, high: float) -> float:
    """What flows up through a piece of the line y = 0, by Gauss' rule."""
    nodes, weights = leggauss(40)
    return float(solution["v"](x=low + (high - low) * (nodes + 1) / 2, y=0.0) @ weights) * (high - low) / 2


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    narrow, wide = flux(solution, SHIFT + RADIUS, 1), flux(solution, -1, SHIFT - RADIUS)
    return solution, abs(narrow + wide) / abs(narrow)


def picture(solution: tn.Solution) -> object:
    """The velocity."""
    return solution.plot(vector=(u, v))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative difference of the fluxes: {error:.1e}")
    picture(solution)
