"""A coefficient that is narrow along a whole line: its width, not its share of the domain, gives the size of cells."""

import numpy as np
import sympy as sp
from scipy.special import erf

import transnet as tn

x, y = sp.symbols("x y")


def test_a_thin_insulating_layer_across_a_square():
    u = tn.unknown("u", x, y)
    place, width, height = 0.58, 0.0069, 10.07
    k = 1 / (1 + height * sp.exp(-(((x - place) / width) ** 2)))
    flux = sp.diff(k * sp.diff(u, x), x) + sp.diff(k * sp.diff(u, y), y)
    sides = [tn.on("left", sp.Eq(u, 0)), tn.on("right", sp.Eq(u, 1))]
    sides += [tn.on(side, sp.Eq(tn.normal_derivative(u), 0)) for side in ("top", "bottom")]
    solution = tn.solve(tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(flux, 0)], sides), tol=1e-3)

    def resistance(s):
        return s + height * width * np.sqrt(np.pi) / 2 * (erf((s - place) / width) + 1)

    points = solution.problem.domain.interior(500, "quasi", 3)
    off = solution(points) - resistance(points[:, 0]) / resistance(1.0)
    assert np.sqrt(np.mean(off**2)) < 3 * max(solution.error, 1e-6)
    assert solution.error < 1e-3
