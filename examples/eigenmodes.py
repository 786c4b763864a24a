"""Eigenmodes of a drum with a hole: the lowest frequencies of a membrane that is also held inside.

    -(u_xx + u_yy) = lam u   between two circles,   u = 0   on both

The hole is off the centre, so there is no formula for the spectrum; the error is the largest relative error estimated
by the library. About five seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
COUNT = 6
NEURONS = 300
ACCURACY = 1e-6

# Domain
x, y = sp.symbols("x y")
lam = sp.Symbol("lam")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1) - tn.Disk((0.3, 0.1), 0.25)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.laplacian(u), lam * u)],
    conditions=[tn.on("boundary", u)],
)


# Solve
def main() -> tuple[dict[str, tn.Solution], float]:
    pairs = tn.eigenpairs(problem, lam, count=COUNT, neurons=NEURONS, tol=ACCURACY)
    modes = {f"lam = {value:.6f}": mode for value, mode in zip(pairs.values, pairs, strict=True)}
    return modes, float((pairs.errors / pairs.values).max())


if __name__ == "__main__":
    modes, error = main()
    print("\n".join(modes))
    print(f"largest relative error, estimated: {error:.1e}")
    next(iter(modes.values())).plot()
