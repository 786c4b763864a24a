"""Bernoulli's free boundary: where must the outer electrode be for the same field everywhere on it?

    u_xx + u_yy = 0   around two bodies with u = 1,   u = 0 and du/dn = -1 on the outer curve, which is unknown

The curve has Fourier coefficients for unknowns, which are found with the field by Newton's method. By Green's formula
its length is the flux out of the bodies: a check that knows nothing of the method. Two seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
FIELD = 1.0
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
body = tn.Disk(center=(-0.5, 0), radius=0.4, name="left") | tn.Disk(center=(0.6, 0.2), radius=0.3, name="right")
domain = tn.Disk(radius=2, name="rim") - body

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
    conditions=[
        tn.on("left", sp.Eq(u, 1)),
        tn.on("right", sp.Eq(u, 1)),
        tn.front("rim", sp.Eq(u, 0), sp.Eq(tn.normal_derivative(u), -FIELD)),
    ],
)


# Solve
def main(tol: float | None = None) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    found = solution.problem.domain
    flux = sum(solution.integral(tn.normal_derivative(u), over=part).value for part in ("left", "right"))
    return solution, abs(flux / FIELD - found.measure("rim")) / found.measure("rim")


def picture(solution: tn.Solution):
    return solution.plot(title="Field and free boundary")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    picture(solution)
