"""Flow past a cylinder: the ideal flow around a disk that turns, and the force that lifts it.

    psi_xx + psi_yy = 0   on (-3, 3) x (-2, 2) without the unit disk,   v = (psi_y, -psi_x)

with psi = (r - 1/r) sin(phi) + G / (2 pi) log(r) on the boundary, which is exact. By Bernoulli's law the pressure is
-|v|^2 / 2; its integral over the rim has no component along the flow (d'Alembert), and G across it (Kutta and
Joukowski). The error is that of the lift. Half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
CIRCULATION = 4.0
ACCURACY = 1e-6

# Domain
x, y = sp.symbols("x y")
domain = tn.Box(x=(-3, 3), y=(-2, 2)) - tn.Disk(radius=1, name="cylinder")

# Problem
psi = tn.unknown("psi", x, y)
r2 = x**2 + y**2
exact = y - y / r2 + CIRCULATION / (4 * sp.pi) * sp.log(r2)
problem = tn.Problem(domain, [sp.Eq(tn.laplacian(psi), 0)], [tn.on("boundary", sp.Eq(psi, exact))])
velocity = (sp.diff(psi, y), -sp.diff(psi, x))


# Solve
def force(solution: tn.Solution) -> list[float]:
    """Drag and lift: the integral of the pressure times the normal out of the fluid, into the cylinder."""
    pressure = -(velocity[0] ** 2 + velocity[1] ** 2) / 2
    return [solution.integral(pressure * n, over="cylinder") for n in tn.normal(x, y)]


def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    drag, lift = force(solution)
    return solution, float(max(abs(drag), abs(lift - CIRCULATION)))


def picture(solution: tn.Solution) -> object:
    """The speed, and the lines along which the fluid flows."""
    return solution.plot(vector=velocity, streamlines=True)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print("drag and lift:", *force(solution))
    print(f"error of the lift: {error:.1e}")
    picture(solution)
