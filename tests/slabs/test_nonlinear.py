"""Evolutions on an interval that are harder: fronts that need pieces, solitons, fourth order, a packet's norm."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import erfc, ndtr

import transnet as tn
from transnet.errors import AccuracyWarning

x, t = sp.symbols("x t")
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)
pi, sin, cos, exp, diff, Eq = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff, sp.Eq


def strip(low: float, high: float, end: float) -> tn.geometry.Domain:
    return tn.Interval(x=(low, high)) * tn.Interval(t=(0, end))


def cole_hopf(places: np.ndarray, time: float, nu: float) -> np.ndarray:
    """Burgers' equation from -sin(pi x), by Gauss and Hermite's quadrature."""
    z, w = np.polynomial.hermite.hermgauss(200)
    y = places[:, None] - np.sqrt(4 * nu * time) * z
    power = -np.cos(np.pi * y) / (2 * np.pi * nu)
    weights = w * np.exp(power - power.max(axis=1, keepdims=True))
    return np.asarray(-(weights * np.sin(np.pi * y)).sum(axis=1) / weights.sum(axis=1))


def test_burgers_front_is_found_by_pieces() -> None:
    nu = 0.01 / np.pi
    equation = Eq(diff(u, t) + u * diff(u, x), nu * diff(u, x, 2))
    problem = tn.Problem(strip(-1, 1, 1), [equation], [tn.on("t=0", Eq(u, -sin(pi * x))), tn.on("sides", Eq(u, 0))])
    solution = tn.solve(problem, tol=1e-6)
    places = np.linspace(-1, 1, 1001)
    for time in (0.35, 0.7, 1.0):
        exact = cole_hopf(places, time, nu)
        error = np.sqrt(np.mean((solution(places, time) - exact) ** 2) / np.mean(exact**2))
        assert error < 1e-6
    assert error < 10 * solution.slabs.estimates[-1]
    assert solution.slabs.estimates[-1] < 30 * error
    edges = solution.basis.spaces[-1].axes[0].edges
    assert np.diff(edges).min() < 0.1 * np.diff(edges).max()


def test_solitons_cross() -> None:
    """Two solitons of the equation of Korteweg and de Vries on a circle that is wide enough for both."""
    a, b = 1.0, 0.6
    first, second = 2 * a * (x + 6) - 8 * a**3 * t, 2 * b * (x + 1) - 8 * b**3 * t
    tau = 1 + exp(first) + exp(second) + ((a - b) / (a + b)) ** 2 * exp(first + second)
    exact = 2 * diff(sp.log(tau), x, 2)
    equation = Eq(diff(u, t) + 6 * u * diff(u, x) + diff(u, x, 3), 0)
    problem = tn.Problem(strip(-20, 25, 1.5), [equation], [tn.on("t=0", Eq(u, exact.subs(t, 0))), tn.periodic(x)])
    solution = tn.solve(problem, tol=1e-5)
    places = np.linspace(-19, 24, 300)
    truth = sp.lambdify((x, t), exact)(places, 1.5)
    error = np.sqrt(np.mean((solution(places, 1.5) - truth) ** 2) / np.mean(truth**2))
    assert error < 1e-5
    assert error < 10 * solution.slabs.estimates[-1] < 300 * error


def test_equations_of_fourth_order_keep_what_they_conserve() -> None:
    """The equation of Cahn and Hilliard keeps the mean, and its energy falls."""
    flux = diff(-diff(u, x, 2) / 400 + u**3 - u, x, 2)
    problem = tn.Problem(
        strip(0, 1, 0.05),
        [Eq(diff(u, t), flux)],
        [tn.on("t=0", Eq(u, cos(pi * x) / 5 + cos(3 * pi * x) / 10 + 0.1)),
         tn.on("sides", Eq(diff(u, x), 0), Eq(diff(u, x, 3), 0))],
    )  # fmt: skip
    solution = tn.solve(problem, tol=1e-5)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    places = (nodes + 1) / 2
    energies = []
    for time in (0.0, 0.01, 0.05):
        values, slopes = solution(places, time), solution.evaluate(diff(u, x), places, time)
        assert abs(weights @ values / 2 - 0.1) < 1e-6
        energies.append(weights @ (slopes**2 / 800 + (values**2 - 1) ** 2 / 4))
    assert energies[0] > energies[1] > energies[2]


def test_schroedingers_packet_keeps_its_norm() -> None:
    k = 3
    barrier = 20 * exp(-4 * (x - 3) ** 2)
    problem = tn.Problem(
        strip(-9, 11, 1.0),
        [Eq(diff(u, t), -diff(v, x, 2) + barrier * v), Eq(diff(v, t), diff(u, x, 2) - barrier * u)],
        [
            tn.on("t=0", Eq(u, exp(-(x**2)) * cos(k * x)), Eq(v, exp(-(x**2)) * sin(k * x))),
            tn.on("sides", Eq(u, 0), Eq(v, 0)),
        ],
    )
    solution = tn.solve(problem, tol=1e-7)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    places = 1 + 10 * nodes

    def norm(time: float) -> float:
        values = solution(places, time)
        return float(10 * weights @ (values**2).sum(axis=1))

    assert abs(norm(1.0) / norm(0.0) - 1) < 1e-7


def test_a_wave_on_a_square_keeps_its_digits() -> None:
    y = sp.Symbol("y")
    w = tn.unknown("w", x, y, t)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 10)),
        [Eq(diff(w, t, 2), diff(w, x, 2) + 2 * diff(w, y, 2))],
        [tn.on("t=0", Eq(w, sin(pi * x) * sin(pi * y)), Eq(diff(w, t), 0)), tn.on("sides", Eq(w, 0))],
    )
    solution = tn.solve(problem, tol=1e-6)
    places = np.random.default_rng(0).uniform(0, 1, (100, 2))
    exact = np.sin(np.pi * places[:, 0]) * np.sin(np.pi * places[:, 1]) * np.cos(np.sqrt(3) * np.pi * 10)
    error = np.sqrt(np.mean((solution(np.column_stack([places, np.full(100, 10.0)])) - exact) ** 2))
    assert error < 1e-6
    assert error < 10 * solution.slabs.estimates[-1]


def test_a_kink_at_the_last_moment_is_gone_before() -> None:
    """A call option by the equation of Black and Scholes, which runs backwards from its kink."""
    rate, sigma = 0.05, 0.2
    equation = Eq(diff(u, t) + sigma**2 / 2 * x**2 * diff(u, x, 2) + rate * x * diff(u, x) - rate * u, 0)
    problem = tn.Problem(
        strip(0, 4, 1),
        [equation],
        [tn.on("t=1", Eq(u, sp.Max(x - 1, 0))), tn.on("x=0", Eq(u, 0)), tn.on("x=4", Eq(u, x - exp(rate * (t - 1))))],
    )
    solution = tn.solve(problem, tol=1e-4)
    places = np.linspace(0.02, 3.9, 200)
    d = (np.log(places) + rate + sigma**2 / 2) / sigma
    exact = places * ndtr(d) - np.exp(-rate) * ndtr(d - sigma)
    assert np.abs(solution(places, 0.0) - exact).max() < 1e-6


def test_a_jump_at_the_wall_is_named_and_its_digits_come_back() -> None:
    problem = tn.Problem(
        strip(0, 1, 1),
        [Eq(diff(u, t), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, 0)), tn.on("x=0", Eq(u, 1)), tn.on("x=1", Eq(u, 0))],
    )
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        solution = tn.solve(problem, tol=1e-6)
    places = np.linspace(0, 1, 301)
    for time in (1e-5, 1e-3, 1e-2):
        root = 2 * np.sqrt(time)
        exact = sum(erfc((2 * n + places) / root) - erfc((2 * n + 2 - places) / root) for n in range(3))
        assert np.abs(solution(places, time) - exact).max() < 1e-6
    assert np.abs(solution(places, 1.0) - (1 - places)).max() < 1e-4
    assert solution.error < 1e-6


def test_a_jump_of_the_first_time_derivative_is_seen() -> None:
    """u_t = u_xx + 1 from zero: the wall says u_t = 0, the equation 1."""
    problem = tn.Problem(
        strip(0, 1, 0.1), [Eq(diff(u, t), diff(u, x, 2) + 1)], [tn.on("t=0", Eq(u, 0)), tn.on("sides", Eq(u, 0))]
    )
    solution = tn.solve(problem, tol=1e-6)
    places, odd = np.linspace(0, 1, 101), np.pi * np.arange(1, 40, 2)[:, None]
    modes = 4 / odd**3 * np.sin(odd * places) * np.exp(-(odd**2) * 0.1)
    assert np.abs(solution(places, 0.1) - places * (1 - places) / 2 + modes.sum(axis=0)).max() < 1e-8
    assert solution.slabs[0].end < 1e-6  # the first slab is tiny


def test_derivatives_that_vanish_at_the_wall_are_no_jump() -> None:
    flux = diff(-diff(u, x, 2) / 400 + u**3 - u, x, 2)
    problem = tn.Problem(
        strip(0, 1, 1e-3),
        [Eq(diff(u, t), flux)],
        [tn.on("t=0", Eq(u, cos(5 * pi * x) / 5)), tn.on("sides", Eq(diff(u, x), 0), Eq(diff(u, x, 3), 0))],
    )
    assert len(tn.solve(problem, tol=1e-5).slabs) < 10
