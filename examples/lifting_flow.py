"""Flow around a cylinder with circulation: the stream function in the whole plane outside it.

    psi_xx + psi_yy = 0   outside the unit disk,   psi = 0 on it,   psi - y - (G / 2 pi) log r -> c at infinity

with the exact solution psi = y - y / r^2 + (G / 2 pi) log r: the constant c, here 0, is found with the field. The force
on the cylinder is the integral of the pressure (1 - |grad psi|^2) / 2: no drag, and the lift G (Kutta and Joukowski).
Milliseconds.
"""

import sympy as sp

import transnet as tn

# Parameters
CIRCULATION = 6.0
ACCURACY = 1e-10

# Domain
x, y = sp.symbols("x y", real=True)
psi = tn.unknown("psi", x, y)
c = tn.unknown("c")
r = sp.sqrt(x**2 + y**2)
domain = tn.Exterior(tn.Disk(radius=1), margin=2)
vortex = CIRCULATION / (2 * sp.pi) * sp.log(r)
exact = y - y / r**2 + vortex

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(psi), 0)],
    conditions=[tn.on("boundary", sp.Eq(psi, 0)), tn.at_infinity(psi, y + vortex + c)],
)


# Solve
def main(tol: float = 1e-10) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    normal = tn.normal(x, y)  # out of the domain, into the cylinder
    pressure = (1 - sp.diff(psi, x) ** 2 - sp.diff(psi, y) ** 2) / 2
    lift = solution.integral(pressure * normal[1], over="boundary")
    return solution, abs(lift - CIRCULATION) / CIRCULATION


def picture(solution: tn.Solution):
    return solution.plot(psi, title="Stream function")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error of the lift: {error:.1e}")
    picture(solution)
