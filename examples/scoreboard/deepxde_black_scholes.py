"""DeepXDE's black_scholes_call: the price of an option whose payoff has a kink.

V_t = S^2 V_SS / 50 + S V_S / 20 - V / 20 on (0, 150), 0 < t < 1; V = max(S - 50, 0) at t = 0, V = 0 at S = 0, V = S -
50 exp(-t / 20) at S = 150. The solution is Black and Scholes' formula, to ten digits.
"""

import numpy as np
import sympy as sp
from scipy.stats import norm

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-6, 1e-4
S, t = sp.symbols("S t")
V = tn.unknown("V", S, t)
rhs = S**2 * sp.diff(V, S, 2) / 50 + S * sp.diff(V, S) / 20 - V / 20
start = tn.on("t=0", sp.Eq(V, sp.Max(S - 50, 0)))
ends = [tn.on("S=0", V), tn.on("S=150", sp.Eq(V, S - 50 * sp.exp(-t / 20)))]
problem = tn.Problem(tn.Interval(S=(0, 150)) * tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(V, t), rhs)], [start, *ends])


def reference(points: np.ndarray) -> np.ndarray:
    price, time = points.T
    above = (np.log(price / 50) + 0.07 * time) / (0.2 * np.sqrt(time))
    return price * norm.cdf(above) - 50 * np.exp(-time / 20) * norm.cdf(above - 0.2 * np.sqrt(time))
