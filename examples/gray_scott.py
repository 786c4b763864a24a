"""The Gray-Scott model: two reacting chemicals that form splitting pulses, in space-time.

    u_t = 2 D u_xx - u v^2 + F (1 - u),   v_t = D v_xx + u v^2 - (F + k) v   on (-1, 1) x (0, 5)

with D = 0.01, F = 0.04, k = 0.06, no flux through the ends, and a seed of v in the middle at t = 0. The reference
is a cosine series in space with a high-order method in time. About 5 seconds on one core.
"""

import numpy as np
import sympy as sp
from scipy.fft import dct, idct
from scipy.integrate import solve_ivp

import transnet as tn

# Parameters
DIFFUSION, FEED, KILL = 0.01, 0.04, 0.06
END = 5
NEURONS = 600
ACCURACY = 1e-6

# Domain
x, t = sp.symbols("x t")
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, END))
seed = sp.cos(sp.pi * x / 2) ** 4

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(sp.diff(u, t), 2 * DIFFUSION * sp.diff(u, x, 2) - u * v**2 + FEED * (1 - u)),
        sp.Eq(sp.diff(v, t), DIFFUSION * sp.diff(v, x, 2) + u * v**2 - (FEED + KILL) * v),
    ],
    conditions=[
        tn.on("t=0", sp.Eq(u, 1 - seed / 2), sp.Eq(v, seed / 4)),
        *(tn.on(end, sp.Eq(sp.diff(f, x), 0)) for end in ("x=-1", "x=1") for f in (u, v)),
    ],
)


def reference(modes: int = 128) -> tuple[np.ndarray, np.ndarray]:
    """x and (u, v) at the end, by a cosine series."""
    at = -1 + 2 * (np.arange(modes) + 0.5) / modes
    symbol = -((np.pi * np.arange(modes) / 2) ** 2)

    def rate(_: float, state: np.ndarray) -> np.ndarray:
        a, b = state.reshape(2, -1)
        second = idct(symbol * dct(state.reshape(2, -1), axis=1), axis=1)
        reaction = a * b**2
        return np.concatenate(
            [
                2 * DIFFUSION * second[0] - reaction + FEED * (1 - a),
                DIFFUSION * second[1] + reaction - (FEED + KILL) * b,
            ]
        )

    bump = np.cos(np.pi * at / 2) ** 4
    start = np.concatenate([1 - bump / 2, bump / 4])
    found = solve_ivp(rate, (0, END), start, method="DOP853", rtol=1e-11, atol=1e-12)
    return at, found.y[:, -1].reshape(2, -1)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons, guess={u: 1})
    at, values = reference()
    return solution, float(max(np.abs(solution[f](x=at, t=END) - w).max() for f, w in zip("uv", values, strict=True)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error at the end: {error:.1e}")
    solution.plot()
