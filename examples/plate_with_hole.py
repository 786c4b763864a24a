"""Kirsch's plate: plane stress around a circular hole under tension, where the stress is three times as high.

    div s = 0,   s = l tr(e) I + 2 m e,   e = (grad w + grad w^T) / 2,   w = (u, v)

on a quarter of the plate, (0, 3)^2 without a disk of radius 1, by symmetry: u = 0 and no shear at x = 0, v = 0 and no
shear at y = 0, no traction on the hole, and on the far sides the traction of the infinite plate under unit tension
along x. The error is that of the stress concentration s_xx = 3 at the top of the hole. About two seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
YOUNG, POISSON = 1, sp.Rational(3, 10)
NEURONS = 900
ACCURACY = 1e-4

# Domain
x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
domain = tn.Box(x=(0, 3), y=(0, 3)) - tn.Disk(radius=1, name="hole")

# Problem
SHEAR = YOUNG / (2 * (1 + POISSON))
LAME = YOUNG * POISSON / (1 - POISSON**2)  # for plane stress
strain = sp.Matrix([
    [sp.diff(u, x), (sp.diff(u, y) + sp.diff(v, x)) / 2],
    [(sp.diff(u, y) + sp.diff(v, x)) / 2, sp.diff(v, y)],
])  # fmt: skip
stress = LAME * strain.trace() * sp.eye(2) + 2 * SHEAR * strain
n = tn.normal(x, y)


def kirsch() -> sp.Matrix:
    """The stresses of the infinite plate, from those in polar coordinates."""
    r2 = x**2 + y**2
    c, s = x / sp.sqrt(r2), y / sp.sqrt(r2)
    cos2, sin2 = c**2 - s**2, 2 * c * s
    radial = (1 - 1 / r2) / 2 + (1 - 4 / r2 + 3 / r2**2) / 2 * cos2
    hoop = (1 + 1 / r2) / 2 - (1 + 3 / r2**2) / 2 * cos2
    shear = -(1 + 2 / r2 - 3 / r2**2) / 2 * sin2
    turn = sp.Matrix([[c, -s], [s, c]])
    return (turn * sp.Matrix([[radial, shear], [shear, hoop]]) * turn.T).applyfunc(sp.simplify)


far = kirsch()
problem = tn.Problem(
    domain=domain,
    equations=[tn.div(stress[row, :], x, y) for row in (0, 1)],
    conditions=[
        tn.on("x=0", u, stress[0, 1]),
        tn.on("y=0", v, stress[0, 1]),
        tn.on("hole", *(stress * n)),
        *(tn.on(side, *(stress * n - far * n)) for side in ("x=3", "y=3")),
    ],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    return solution, abs(float(solution.evaluate(stress[0, 0], x=0.0, y=1.0)) - 3)


def picture(solution: tn.Solution) -> object:
    """The stress along the pull."""
    figure = solution.plot(stress[0, 0])
    figure.axes[-1].set_title(r"$\sigma_{xx}$")
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the stress concentration: {error:.1e}")
    picture(solution)
