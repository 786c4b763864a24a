"""Obstacles in evolutions: ice that melts, as the time integral of its temperature, against Neumann's solution."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import erf

import transnet as tn
from transnet.errors import ProblemError

x, t = sp.symbols("x t", real=True)
u = tn.unknown("u", x, t)
START = [tn.on("t=0", sp.Eq(u, 0)), tn.on("x=0", sp.Eq(u, t)), tn.on("x=3", sp.Eq(u, 0))]
LAW = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) - 1)
PLACE = tn.Interval(x=(0, 3)) * tn.Interval(t=(0, 1))


def test_melting_ice_as_an_obstacle_problem():
    root = brentq(lambda k: np.sqrt(np.pi) * k * np.exp(k * k) * erf(k) - 1, 0.1, 2)

    def exact(place, time):
        begin = (place / (2 * root)) ** 2
        return quad(lambda s: 1 - erf(place / (2 * np.sqrt(s))) / erf(root), begin, time)[0] if begin < time else 0.0

    solution = tn.solve(tn.Problem(PLACE, [LAW], [*START, tn.obstacle(u >= 0)]), tol=3e-3)
    points = np.array([(a, b) for a in np.linspace(0, 3, 31) for b in (0.3, 1.0)])
    expected = np.array([exact(*p) for p in points])
    error = np.linalg.norm(solution(points) - expected) / np.linalg.norm(expected)
    assert error < 2 * solution.error < 6e-3


def test_what_is_refused():
    wave = sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2))
    with pytest.raises(ProblemError, match="first order in t"):
        tn.solve(tn.Problem(PLACE, [wave], [*START, tn.obstacle(u >= 0)]))
    with pytest.raises(ProblemError, match="above the given values"):
        tn.solve(tn.Problem(PLACE, [LAW], [*START, tn.obstacle(u >= 0.5)]))
