"""A grating: light on a row of glass rods, and the orders into which it is scattered.

    Laplace(u) + k^2 n^2 u = 0,   u(x + 1) = exp(i q) u(x),   u - exp(i (q x - g y)) outgoing

n is 1.5 in the rods and 1 in the air. At two and a half periods to a wavelength five waves leave on either side.
Glass does not absorb, so their shares of the incident power add up to one; the error is what is missing. Less than a
second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
K, ANGLE, INDEX, RADIUS = 5 * np.pi, 0.2, 1.5, 0.3
ACCURACY = 1e-9

# Domain
x, y = sp.symbols("x y", real=True)
rod = tn.Disk(center=(0.5, 0), radius=RADIUS)
domain = tn.Pieces(air=tn.Box(x=(0, 1), y=(-sp.oo, sp.oo)) - rod, glass=rod)

# Problem
u = tn.unknown("u", x, y, complex=True)
q, g = K * np.sin(ANGLE), K * np.cos(ANGLE)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u) + K**2 * tn.by_piece(air=1, glass=INDEX**2) * u, 0)],
    conditions=[tn.periodic(x, phase=q), tn.outgoing(u - sp.exp(sp.I * (q * x - g * y)), K)],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    return solution, abs(sum(order.share for order in solution.orders()) - 1)


def picture(solution: tn.Solution):
    import matplotlib.pyplot as plt

    sides = np.linspace(0, 1, 60), np.linspace(-2.5, 2.5, 300)
    px, py = np.meshgrid(*sides)
    values = solution.evaluate(u, np.stack([px.ravel(), py.ravel()], axis=1)).reshape(px.shape)
    three = [np.real(values * np.exp(1j * q * n)) for n in range(3)]
    figure, axes = plt.subplots(figsize=(5, 7))
    axes.imshow(np.hstack(three), extent=(0, 3, -2.5, 2.5), origin="lower", cmap="RdBu")
    for n in range(3):
        axes.add_patch(plt.Circle((0.5 + n, 0), RADIUS, fill=False))
    for order in solution.orders():
        up = order.end == "y=oo"
        way = np.array([order.across, order.along if up else -order.along]) / K
        axes.annotate(
            "", 1.2 * way + (1.5, 1.0 if up else -1.0), (1.5, 1.0 if up else -1.0), arrowprops={"arrowstyle": "->"}
        )
        axes.text(*(1.3 * way + (1.4, 1.0 if up else -1.0)), f"{100 * order.share:.1f} %")
    axes.set_xlabel("$x$")
    axes.set_ylabel("$y$")
    return figure


if __name__ == "__main__":
    solution, error = main()
    for order in solution.orders():
        print(f"{order.end:>6}  order {order.number:2d}  {order.share}")
    print(f"power that is missing: {error:.1e}")
    picture(solution).savefig("grating.png")
