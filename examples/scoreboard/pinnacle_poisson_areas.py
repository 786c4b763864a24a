"""PINNacle's Poisson 2d-MS: a source that jumps between 25 squares.

a (u_xx + u_yy) + f = 0 on (-10, 10)^2, u_n + u = 0 on the boundary; in each of 5 x 5 squares a is a number and
f = f0 + f1 sin(pi s) sin(pi t), s and t from 0 to 1 across the square. The equation is not in divergence form, so that
only f / a matters: u has no kinks. The tables are f0 / a and f1 / a of the benchmark's files, to four digits.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle", {"PINNacle": 0.59}, True, True
TOL, ACCURACY = 1e-5, 1e-4
EVEN = (
    (-0.01169, -0.6323, 3.283, 0.1897, 3.665),
    (-0.06883, 0.626, 0.002788, 0.5354, -2.507),
    (0.3159, -0.01369, 0.008596, -0.4314, -0.01462),
    (-0.05843, 0.5208, 0.2334, -1.682, 0.04147),
    (0.009638, -0.0191, -0.1616, -0.07405, 0.02754),
)
BUMP = (
    (-0.01798, 0.1913, 2.007, -0.7421, 2.938),
    (0.03758, -0.2511, 0.004113, 1.373, 0.8257),
    (0.6717, -0.008802, -0.008647, 0.797, -0.0008853),
    (0.01097, -0.1085, 0.02605, -0.8653, 0.01832),
    (-0.01186, -0.02793, 0.1718, 0.06442, -0.1519),
)
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
cells = [(i, j) for i in range(5) for j in range(5)]
domain = tn.Pieces(**{f"c{i}{j}": tn.Box(x=(4 * i - 10, 4 * i - 6), y=(4 * j - 10, 4 * j - 6)) for i, j in cells})
waves = {(i, j): sp.sin(sp.pi * (x + 10 - 4 * i) / 4) * sp.sin(sp.pi * (y + 10 - 4 * j) / 4) for i, j in cells}
source = tn.by_piece(**{f"c{i}{j}": EVEN[i][j] + BUMP[i][j] * waves[i, j] for i, j in cells})
equations = [sp.Eq(tn.laplacian(u) + source, 0)]
problem = tn.Problem(domain, equations, [tn.on("boundary", sp.Eq(tn.normal_derivative(u) + u, 0))])
