"""A solid bracket: two bars of steel in a right angle, held at the top and loaded at the end.

    div(stress) = 0,   stress from E = 210 GPa, nu = 0.3,   2 kN on the end of the arm

The arm is 30 mm long, the post 30 mm high, both 10 mm x 10 mm. Stresses are unbounded at the inner edge and around the
face that is held, so blocks become thin there. The work of the load must be twice the elastic energy, and the force at
the support the load. A few seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
SIDE, LENGTH = 10.0, 30.0
LOAD = 2000.0
ACCURACY = 1e-2

# Domain
x, y, z = sp.symbols("x y z")
u = tn.vector("u", x, y, z)
arm = tn.Box(x=(0, LENGTH), y=(0, SIDE), z=(0, SIDE))
post = tn.Box(x=(0, SIDE), y=(0, SIDE), z=(0, LENGTH))
domain = arm | post

# Problem
steel = tn.elasticity(u, E=210e3, nu=0.3)
TOP, END = f"z={LENGTH:g}", f"x={LENGTH:g}"
problem = tn.Problem(
    domain=domain,
    equations=steel.equations,
    conditions=[
        steel.fixed(TOP),
        steel.load(END, 0, 0, -LOAD / SIDE**2),
        *(steel.free(part) for part in domain.parts if part not in (TOP, END)),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=1e-2)
    work = float(solution.integral(-u[2] * LOAD / SIDE**2, over=END))
    return solution, abs(float(solution.integral(2 * steel.energy)) - work) / work


def picture(solution: tn.Solution) -> object:
    """The von Mises stress in the middle of the bracket."""
    return solution.plot(steel.von_mises, y=SIDE / 2, label="von Mises stress", unit="MPa", limits=(0, 400))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"the end sinks by {-float(solution.evaluate(u[2], x=LENGTH, y=SIDE / 2, z=SIDE / 2)):.4f} mm")
    print(f"force at the support: {solution.force(TOP, stress=steel.stress)} N")
    print(f"work and energy differ by {error:.1e}")
    picture(solution)
