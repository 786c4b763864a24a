"""Waves from two sources: Helmholtz' equation in a square, about five wavelengths across.

    u_xx + u_yy + k^2 u = 0   on (0, 1)^2,   k = 30

with the values of u = J0(k |y - a|) + J0(k |y - b|) on the sides, exact; a and b are the sources. The bandwidth of the
plane waves is found from the residuals of small networks. About a second.
"""

import sympy as sp

import transnet as tn

# Parameters
WAVENUMBER = 30
SOURCES = ((-0.3, 0.2), (0.6, 1.4))
NEURONS = 1200
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(0, 1), y=(0, 1))
exact = sum(sp.besselj(0, WAVENUMBER * sp.sqrt((x - a) ** 2 + (y - b) ** 2)) for a, b in SOURCES)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + WAVENUMBER**2 * u, 0)],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
