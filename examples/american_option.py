"""An option that may be exercised at any time: the price of a perpetual American put, and when to exercise it.

    s^2/2 S^2 V'' + r S V' - r V <= 0,   V >= K - S,   one of them as an equation,   S V' = -2 r / s^2 V for large S

Below the price S* = K g / (1 + g), g = 2 r / s^2, exercising is worth more than waiting. There V is the payoff K - S,
above it (K - S*) (S / S*)^-g (Merton 1973). The obstacle is the payoff, and the edge of the contact is S*. A second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
STRIKE, RATE, VOLATILITY = 100.0, 0.05, 0.2
LOW, HIGH = 20.0, 400.0
ACCURACY = 1e-8

# Domain
S = sp.Symbol("S", positive=True)
V = tn.unknown("V", S)
domain = tn.Interval(S=(LOW, HIGH))

# Problem
GROWTH = 2 * RATE / VOLATILITY**2
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(VOLATILITY**2 / 2 * S**2 * sp.diff(V, S, 2) + RATE * S * sp.diff(V, S) - RATE * V, 0),
    ],
    conditions=[
        tn.on("left", sp.Eq(V, STRIKE - LOW)),
        tn.on("right", sp.Eq(S * sp.diff(V, S), -GROWTH * V)),
        tn.obstacle(V >= STRIKE - S),
    ],
)


def exact(prices: np.ndarray) -> np.ndarray:
    edge = STRIKE * GROWTH / (1 + GROWTH)
    return np.where(prices < edge, STRIKE - prices, (STRIKE - edge) * (prices / edge) ** -GROWTH)


# Solve
def main(tol: float | None = None) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    prices = np.linspace(LOW, HIGH, 500)
    return solution, float(np.abs(solution(prices[:, None]) - exact(prices)).max() / STRIKE)


def picture(solution: tn.Solution):
    shown = solution.plot(title="Price of the option, and the payoff")
    prices = np.array([LOW, STRIKE, HIGH])
    shown.axes[0].plot(prices, np.maximum(STRIKE - prices, 0), "k--", linewidth=1)
    return shown


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"exercised below {solution.contact.places[0]:.3f}; relative error of the price: {error:.1e}")
    picture(solution)
