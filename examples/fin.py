"""Heat in a cooling fin: a hot base, air all around, and how much heat the fin carries away.

    u_xx + u_yy = 0   on (0, 4) x (-1/2, 1/2),   u = 1 at x = 0,   du/dn + Bi u = 0 on the other sides

with the Biot number Bi = 0.3. What flows in at the base leaves through the sides: the error is the difference of the
two. Half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
BIOT = 0.3
ACCURACY = 1e-6

# Domain
x, y = sp.symbols("x y")
domain = tn.Box(x=(0, 4), y=(-0.5, 0.5))

# Problem
u = tn.unknown("u", x, y)
cooled = sp.Eq(tn.normal_derivative(u) + BIOT * u, 0)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
    conditions=[tn.on("left", sp.Eq(u, 1)), *(tn.on(side, cooled) for side in ("right", "bottom", "top"))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    taken = solution.flux("left")
    lost = sum(BIOT * solution.integral(u, over=side) for side in ("right", "bottom", "top"))
    return solution, abs(taken - lost)


def picture(solution: tn.Solution) -> object:
    """The temperature, with lines along which the heat flows."""
    return solution.plot(u, streamlines=(-sp.diff(u, x), -sp.diff(u, y)), cmap="inferno")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print("heat taken from the base:", solution.flux("left"))
    print(f"balance: {error:.1e}")
    picture(solution)
