"""Bands of an optical lattice: Schroedinger's equation with a periodic potential, phase by phase.

    -u'' + V cos(2 pi x) u = E u   on (0, 1),   u(1) = exp(i q) u(0),   u'(1) = exp(i q) u'(0),   V = 20

The energies E(q) are Mathieu's: those of plane waves that the potential couples, found here from a matrix of 61.
Between the bands there are gaps, in which nothing propagates. About two seconds.
"""

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import transnet as tn

# Parameters
DEPTH = 20.0
BANDS = 4
ACCURACY = 1e-9

# Domain
x, q = sp.symbols("x q", real=True)
energy = sp.Symbol("E")
u = tn.unknown("u", x, complex=True)
domain = tn.Interval(x=(0, 1))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-sp.diff(u, x, 2) + DEPTH * sp.cos(2 * sp.pi * x) * u, energy * u)],
    conditions=[tn.periodic(x, phase=q)],
)


def exact(phase: float) -> np.ndarray:
    """The energies from plane waves."""
    k = phase + 2 * np.pi * np.arange(-30, 31)
    coupling = np.full(60, 0.5 * DEPTH)
    return np.linalg.eigvalsh(np.diag(k**2) + np.diag(coupling, 1) + np.diag(coupling, -1))[:BANDS]


# Solve
def bands(phases: np.ndarray) -> np.ndarray:
    """The energies of the lowest bands for each phase."""
    return np.array([tn.eigenpairs(problem, energy, count=BANDS, parameters={q: p}).values.real for p in phases])


def main() -> tuple[tn.Solution, float]:
    phases = np.linspace(-np.pi, np.pi, 7)
    error = max(np.abs(found / exact(phase) - 1).max() for phase, found in zip(phases, bands(phases), strict=True))
    return tn.eigenpairs(problem, energy, count=1, parameters={q: 1.0})[0], float(error)


def picture(solution: tn.Solution):
    figure, axes = plt.subplots()
    phases = np.linspace(-np.pi, np.pi, 41)
    axes.plot(phases, bands(phases))
    axes.set_xlabel("phase q across a cell")
    axes.set_ylabel("energy E")
    return figure


if __name__ == "__main__":
    solution, error = main()
    print(f"relative error of the energies: {error:.1e}")
    picture(solution).savefig("optical_lattice.png")
