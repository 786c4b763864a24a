"""A photonic crystal: light in a square lattice of alumina rods, and the gap in which there is none.

    -Laplace(u) = (omega / c)^2 eps u,   eps = 8.9 in rods of radius 0.2 a, 1 in air,   u(x + a) = exp(i q) u(x)

u is the electric field along the rods (TM). Each value is a pole of responses, which contour integrals find. Between
the first band, whose top is at q = (pi, pi), and the second, whose bottom is at (pi, 0), nothing propagates: the gap is
31.41 % of its middle. An expansion in 1,225 plane waves, a program of our own, has the same to 3e-6; the error is the
distance from it. Two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
RADIUS, ALUMINA = 0.2, 8.9
PLANE_WAVES = 0.314089
ACCURACY = 1e-5

# Domain
x, y = sp.symbols("x y", real=True)
p, q = sp.symbols("p q", real=True)
rod = tn.Disk(radius=RADIUS)
domain = tn.Pieces(rod=rod, air=tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5)) - rod)

# Problem
u = tn.unknown("u", x, y, complex=True)
square = sp.Symbol("lam")
eps = tn.by_piece(rod=ALUMINA, air=1)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.laplacian(u), square * eps * u)],
    conditions=[tn.periodic(x, phase=p), tn.periodic(y, phase=q)],
)


# Solve
def frequencies(phases: tuple[float, float], count: int = 2) -> np.ndarray:
    """omega a / (2 pi c) of the lowest bands."""
    pairs = tn.eigenpairs(problem, square, count=count, tol=1e-3, parameters=dict(zip((p, q), phases, strict=True)))
    return np.sqrt(np.maximum(pairs.values, 0.0)) / (2 * np.pi)


def main() -> tuple[tn.Solution, float]:
    top = frequencies((np.pi, np.pi))[0]
    pairs = tn.eigenpairs(problem, square, count=2, parameters={p: np.pi, q: 0.0}, tol=1e-3)
    bottom = np.sqrt(pairs.values[1]) / (2 * np.pi)
    return pairs[1], abs((bottom - top) / (0.5 * (bottom + top)) - PLANE_WAVES)


def picture(solution: tn.Solution):
    import matplotlib.pyplot as plt

    corners = {"$\\Gamma$": (0.0, 0.0), "X": (np.pi, 0.0), "M": (np.pi, np.pi), "$\\Gamma$ ": (0.0, 0.0)}
    ends = np.array(list(corners.values()))
    steps = np.linspace(0, 3, 10)
    path = [np.interp(steps, range(4), e) for e in ends.T]
    bands = np.array([frequencies(phases, 4) for phases in zip(*path, strict=True)])
    figure, axes = plt.subplots()
    axes.plot(steps, bands, ".-", color="C0")
    axes.axhspan(bands[:, 0].max(), bands[:, 1].min(), color="C1", alpha=0.3)
    axes.set_xticks(range(4), list(corners))
    axes.set_ylabel("$\\omega a / 2 \\pi c$")
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(f"the gap differs from that of plane waves by {error:.1e} of its middle")
    picture(solution).savefig("photonic_crystal.png")
