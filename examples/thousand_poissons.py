"""A thousand Poisson problems on one domain: one factorisation serves them all.

    laplacian u = exp(-((x - p)^2 + (y - q)^2) / s^2)   in the unit disk,   u = 0 on its boundary

for a thousand places (p, q) of the source. The parameters appear only on the right-hand side, so the matrix and its QR
factorisation are the same for all; each further solution costs a product with Q and a back substitution. About three
seconds, of which the thousand solutions take one.
"""

import time

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
SOURCES = 1000
NEURONS = 700
WIDTH = sp.Rational(2, 5)
ACCURACY = 1e-8

# Domain
x, y, p, q = sp.symbols("x y p q")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), sp.exp(-((x - p) ** 2 + (y - q) ** 2) / WIDTH**2))],
    conditions=[tn.on("boundary", sp.Eq(u, 0))],
)


# Solve
def main(sources: int = SOURCES, neurons: int = NEURONS) -> tuple[tn.Solutions, float]:
    """All solutions, and how far some are from Green's identity: f_a u_b and f_b u_a have the same integral."""
    places = domain.interior(sources, "quasi", 0)
    prepared = tn.prepare(problem, neurons=neurons, parameters={p: 0.0, q: 0.5})
    solutions = prepared.solve_many({p: places[:, 0], q: places[:, 1]})
    few = slice(0, 20)
    nodes, weights = domain.quadrature(4_000)
    values = solutions(nodes)[few]
    loads = np.exp(-((nodes[:, 0] - places[few, :1]) ** 2 + (nodes[:, 1] - places[few, 1:]) ** 2) / float(WIDTH) ** 2)
    energy = (loads * weights) @ values.T
    return solutions, float(np.abs(energy - energy.T).max() / np.abs(energy).max())


def picture(solutions: tn.Solutions) -> object:
    """The one whose estimated error is largest."""
    return solutions[solutions.worst].plot()


if __name__ == "__main__":
    begun = time.perf_counter()
    solutions, error = main()
    print(solutions)
    print(f"{len(solutions)} solutions in {time.perf_counter() - begun:.2f} s, asymmetry {error:.1e}")
