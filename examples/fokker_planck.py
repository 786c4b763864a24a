"""A Fokker-Planck equation: the density of an Ornstein-Uhlenbeck process that starts as a narrow bell.

    p_t = (x p)_x + D p_xx   on (-4, 4) x (0, 1.5),   D = 1/2

A bell stays a bell: its centre is m exp(-t), its variance D + (s^2 - D) exp(-2 t). The values at both ends, some 1e-9,
are those of the exact density. Half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
DIFFUSION, CENTRE, WIDTH = sp.S.Half, sp.Rational(3, 2), sp.Rational(2, 5)
NEURONS = 1000
ACCURACY = 1e-5

# Domain
x, t = sp.symbols("x t")
p = tn.unknown("p", x, t)
domain = tn.Interval(x=(-4, 4)) * tn.Interval(t=(0, sp.Rational(3, 2)))
variance = DIFFUSION + (WIDTH**2 - DIFFUSION) * sp.exp(-2 * t)
exact = sp.exp(-((x - CENTRE * sp.exp(-t)) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(p, t), sp.diff(x * p, x) + DIFFUSION * sp.diff(p, x, 2))],
    conditions=[tn.on(part, sp.Eq(p, exact)) for part in ("t=0", "x=-4", "x=4")],
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
