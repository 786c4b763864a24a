"""When a flow becomes unstable: the Orr-Sommerfeld equation of the flow between two plates.

    (D^2 - k^2)^2 phi = i k Re ((U - c) (D^2 - k^2) phi - U'' phi),   U = 1 - y^2,   k = 1,   Re = 10000

with phi = phi' = 0 at the walls y = -1 and 1. A complex unknown and a complex eigenvalue c; its imaginary part is
positive, so this wave grows. The error is that of the eigenvalue, which Orszag (1971) gives as 0.23752649 +
0.00373967i. About a second.
"""

import sympy as sp

import transnet as tn

# Parameters
REYNOLDS, WAVENUMBER = 10_000, 1
KNOWN = 0.23752649 + 0.00373967j
ACCURACY = 2e-8

# Domain
y, c = sp.symbols("y c")
phi = tn.unknown("phi", y, complex=True)
domain = tn.Interval(y=(-1, 1))
flow = 1 - y**2


def operator(f: sp.Expr) -> sp.Expr:
    return sp.diff(f, y, 2) - WAVENUMBER**2 * f


# Problem
inertia = (flow - c) * operator(phi) - sp.diff(flow, y, 2) * phi
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(operator(operator(phi)), sp.I * WAVENUMBER * REYNOLDS * inertia)],
    conditions=[tn.on("boundary", phi, sp.diff(phi, y))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    pairs = tn.eigenpairs(problem, c, count=1, near=0.24)
    return pairs[0], float(abs(pairs.values[0] - KNOWN))


if __name__ == "__main__":
    mode, error = main()
    print(mode.report())
    print(f"error of the eigenvalue: {error:.1e}")
    mode.plot()
