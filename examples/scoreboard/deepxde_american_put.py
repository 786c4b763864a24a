"""DeepXDE's american_put: an option that may be exercised at any time before it ends.

V_t >= S^2 V_SS / 50 + S V_S / 20 - V / 20 and V >= max(1 - S, 0) on (0, 4), 0 < t < 1, one of them as an equation; V =
max(1 - S, 0) at t = 0, V = 1 at S = 0, V = 0 at S = 4. Compared are the prices at t = 1.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "DeepXDE", {}, True
TOL, ACCURACY, REFERENCE = 1e-4, 1e-3, "the mean of binomial trees of 4000 and 4001 steps, to 1e-5"
S, t = sp.symbols("S t")
v = tn.unknown("V", S, t)
payoff = sp.Max(1 - S, 0)
equation = sp.Eq(sp.diff(v, t), S**2 * sp.diff(v, S, 2) / 50 + S * sp.diff(v, S) / 20 - v / 20)
given = [tn.on("t=0", sp.Eq(v, payoff)), tn.on("S=0", sp.Eq(v, 1)), tn.on("S=4", v), tn.obstacle(v >= payoff)]
problem = tn.Problem(tn.Interval(S=(0, 4)) * tn.Interval(t=(0, 1)), [equation], given)


def tree(price: float, steps: int) -> float:
    up = np.exp(0.2 / np.sqrt(steps))
    rise, stay = (np.exp(0.05 / steps) - 1 / up) / (up - 1 / up), np.exp(-0.05 / steps)
    worth = np.maximum(1 - price * up ** np.arange(-steps, steps + 1, 2.0), 0)
    for k in range(steps - 1, -1, -1):
        now = stay * (rise * worth[1:] + (1 - rise) * worth[:-1])
        worth = np.maximum(now, 1 - price * up ** np.arange(-k, k + 1, 2.0))
    return float(worth[0])


def error(solution: tn.Solution) -> float:
    prices = np.linspace(0.1, 2, 20)
    truth = np.array([(tree(price, 4000) + tree(price, 4001)) / 2 for price in prices])
    return float(np.linalg.norm(solution(S=prices, t=1.0) - truth) / np.linalg.norm(truth))
