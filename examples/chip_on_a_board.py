"""A chip on a board: a hot die in three dimensions, glued to a board by a layer that resists the heat.

    -div(k grad u) = q,   k = 1 in the board and 3 in the chip,   q = 1 + cos(pi x) cos(pi y) in the chip

The board is held at u = 0 from below, top and sides are insulated, and across the glue, which is not resolved, the
temperature jumps by the flux times its resistance, jump(u) = R k du/dn. The solution is known as a sum of two modes, of
hyperbolic functions across the layers. About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
BOARD, TOP = 0.4, 0.6
CONDUCTIVITY = 3.0
RESISTANCE = 0.05
ACCURACY = 1e-6

# Domain
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Pieces(
    board=tn.Box(x=(0, 1), y=(0, 1), z=(0, BOARD)),
    chip=tn.Box(x=(0, 1), y=(0, 1), z=(BOARD, TOP)),
)
k = tn.by_piece(board=1, chip=CONDUCTIVITY)
heat = tn.by_piece(board=0, chip=1 + sp.cos(sp.pi * x) * sp.cos(sp.pi * y))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.div(k * tn.grad(u)), heat)],
    conditions=[
        tn.on("z=0", u),
        *(tn.on(side, tn.normal_derivative(u)) for side in ("x=0", "x=1", "y=0", "y=1", f"z={TOP}")),
        tn.on("board|chip", sp.Eq(tn.jump(u), RESISTANCE * k * tn.normal_derivative(u))),
    ],
)


# Solve
def exact(points: np.ndarray) -> np.ndarray:
    """The mean across the layers, and the mode cos(pi x) cos(pi y)."""
    height, depth = points[:, 2], TOP - points[:, 2]
    thick = TOP - BOARD
    mean = np.where(
        height < BOARD,
        thick * height,
        thick * (BOARD + RESISTANCE) + (thick**2 - depth**2) / (2 * CONDUCTIVITY),
    )
    rate = np.sqrt(2) * np.pi
    # a sinh(rate z) below, q / (k rate^2) + b cosh(rate (TOP - z)) above: the flux, and the jump by it
    flux = [np.cosh(rate * BOARD), CONDUCTIVITY * np.sinh(rate * thick)]
    jump = [np.sinh(rate * BOARD) + RESISTANCE * rate * np.cosh(rate * BOARD), -np.cosh(rate * thick)]
    load = 1 / (CONDUCTIVITY * rate**2)
    a, b = np.linalg.solve([flux, jump], [0.0, load])
    mode = np.where(height < BOARD, a * np.sinh(rate * height), load + b * np.cosh(rate * depth))
    return mean + mode * np.cos(np.pi * points[:, 0]) * np.cos(np.pi * points[:, 1])


def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = domain.interior(2000, "random", 1)
    values = exact(points)
    return solution, float(np.linalg.norm(solution(points) - values) / np.linalg.norm(values))


def picture(solution: tn.Solution) -> object:
    """The temperature in the section through the middle of the hot side."""
    return solution.plot(y=0)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    picture(solution)
