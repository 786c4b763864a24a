"""Sod's shock tube: a membrane between gas at two pressures bursts, and a shock, a contact and a fan run apart.

    rho_t + m_x = 0,   m_t + (m^2/rho + p)_x = 0,   e_t + ((e + p) m/rho)_x = 0,   p = (gamma - 1) (e - m^2/(2 rho))

with rho = p = 1 on the left and rho = 1/8, p = 1/10 on the right. Between shock and contact the gas has the speed and
the pressure that solve an equation of their own, from which the place of the shock follows. Half a second.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
GAMMA = 1.4
END = 0.25
ACCURACY = 1e-8

# Domain
x, t = sp.symbols("x t")
rho, m, e = (tn.unknown(name, x, t) for name in ("rho", "m", "e"))
domain = tn.Interval(x=(-0.5, 0.5)) * tn.Interval(t=(0, END))

# Problem
p = (GAMMA - 1) * (e - m**2 / (2 * rho))
problem = tn.Problem(
    domain=domain,
    equations=[tn.conserved(rho, m), tn.conserved(m, m**2 / rho + p), tn.conserved(e, (e + p) * m / rho)],
    conditions=[
        tn.on(
            "t=0",
            sp.Eq(rho, sp.Piecewise((1, x < 0), (0.125, True))),
            sp.Eq(m, 0),
            sp.Eq(e, sp.Piecewise((1, x < 0), (0.1, True)) / (GAMMA - 1)),
        )
    ],
    order=(rho, m, e),
)


def exact() -> float:
    """The speed of the shock."""
    fan = 2 * np.sqrt(GAMMA) / (GAMMA - 1)

    def gap(q: float) -> float:
        shock = (q - 0.1) * np.sqrt(2 / ((GAMMA + 1) * 0.125) / (q + (GAMMA - 1) / (GAMMA + 1) * 0.1))
        return shock - fan * (1 - q ** ((GAMMA - 1) / (2 * GAMMA)))

    q = brentq(gap, 0.1, 1.0, xtol=1e-15)
    return float(np.sqrt(GAMMA * 0.8 * ((GAMMA + 1) / (2 * GAMMA) * q / 0.1 + (GAMMA - 1) / (2 * GAMMA))))


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    return solution, abs(solution.shocks(END)[-1].place - exact() * END)


def picture(solution: tn.Solution):
    return solution.plot(rho, title="Density: fan, contact and shock")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the shock: {error:.1e}")
    picture(solution)
