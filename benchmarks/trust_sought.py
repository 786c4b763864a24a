"""Random questions for numbers that noisy data determine, where their misfit has many minima."""

from __future__ import annotations

import numpy as np
import sympy as sp
from scipy import integrate

import transnet as tn
from trust_problems import Rng, number, t, x
from trust_results import Asked


def frequency(rng: Rng) -> Asked:
    """The frequency of an oscillation from noisy values: its misfit has many minima."""
    true, noise = float(number(rng, 2, 30)), float(number(rng, 0.005, 0.05))
    times = np.sort(rng.uniform(0.02, 1.98, int(rng.integers(40, 90))))[:, None]
    values = np.cos(true * times[:, 0]) + noise * rng.standard_normal(len(times))
    w, c = tn.unknown("w", t), tn.unknown("c")
    problem = tn.Problem(
        tn.Interval(t=(0, 2)),
        [sp.Eq(sp.diff(w, t, 2) + c**2 * w, 0)],
        [tn.on("t=0", sp.Eq(w, 1), sp.Eq(sp.diff(w, t), 0)), tn.data(w, times, values, noise=noise)],
    )
    return Asked(lambda: [_sought(problem, true, "c", sign=True)])


def place(rng: Rng) -> Asked:
    """The place of a narrow source from noisy values away from it."""
    true, b, noise = float(number(rng, 0.15, 0.85)), float(number(rng, 0.03, 0.1)), float(number(rng, 0.001, 0.01))
    u, c = tn.unknown("u", x), tn.unknown("c")
    at = np.linspace(0.05, 0.95, int(rng.integers(15, 40)))[:, None]

    def load(s: np.ndarray) -> np.ndarray:
        return np.exp(-(((s - true) / b) ** 2)) / b

    fine = np.linspace(0, 1, 20001)
    slope = integrate.cumulative_simpson(load(fine), x=fine, initial=0)
    bent = integrate.cumulative_simpson(slope, x=fine, initial=0)
    exact = -bent + fine * bent[-1]
    values = np.interp(at[:, 0], fine, exact) + noise * rng.standard_normal(len(at))
    equation = sp.Eq(-sp.diff(u, x, 2), sp.exp(-(((x - c) / b) ** 2)) / b)
    on = [tn.on("boundary", sp.Eq(u, 0)), tn.data(u, at, values, noise=noise)]
    problem = tn.Problem(tn.Interval(x=(0, 1)), [equation], on)
    return Asked(lambda: [_sought(problem, true, "c")])


def rate(rng: Rng) -> Asked:
    """A rate and a level of a reaction, from noisy values."""
    true, level, noise = float(number(rng, 0.3, 6)), float(number(rng, 0.5, 3)), float(number(rng, 0.002, 0.02))
    times = np.sort(rng.uniform(0.0, 2.0, 40))[:, None]
    start = 0.1 * level
    values = level / (1 + (level / start - 1) * np.exp(-true * times[:, 0])) + noise * rng.standard_normal(40)
    w, c, m = tn.unknown("w", t), tn.unknown("c"), tn.unknown("m")
    problem = tn.Problem(
        tn.Interval(t=(0, 2)),
        [sp.Eq(sp.diff(w, t), c * w * (1 - w / m))],
        [tn.on("t=0", sp.Eq(w, start)), tn.data(w, times, values, noise=noise)],
    )
    return Asked(lambda: [_sought(problem, true, "c")])


def tone(rng: Rng) -> Asked:
    """The height and the frequency of an oscillation: with a wrong frequency the height is best near zero."""
    true, height, noise = float(number(rng, 3, 35)), float(number(rng, 0.3, 3)), float(number(rng, 0.005, 0.02))
    times = np.sort(rng.uniform(0.0, 2.0, 60))[:, None]
    values = height * np.cos(true * times[:, 0]) + noise * rng.standard_normal(60)
    w, c, a = tn.unknown("w", t), tn.unknown("c"), tn.unknown("a")
    problem = tn.Problem(
        tn.Interval(t=(0, 2)),
        [sp.Eq(sp.diff(w, t, 2) + c**2 * w, 0)],
        [tn.on("t=0", sp.Eq(w, a), sp.Eq(sp.diff(w, t), 0)), tn.data(w, times, values, noise=noise)],
    )
    return Asked(lambda: [_sought(problem, true, "c", sign=True)])


def moment(rng: Rng) -> Asked:
    """When something short happened: far from it the data do not depend on the guess."""
    true, b, noise = float(number(rng, 1, 9)), float(number(rng, 0.2, 0.5)), 0.01
    times = np.linspace(0.0, 10.0, 60)[:, None]
    fine = np.linspace(0, 10, 40001)
    grown = integrate.cumulative_simpson(np.exp(fine - (((fine - true) / b) ** 2)), x=fine, initial=0)
    values = np.interp(times[:, 0], fine, np.exp(-fine) * grown) + noise * rng.standard_normal(60)
    w, c = tn.unknown("w", t), tn.unknown("c")
    problem = tn.Problem(
        tn.Interval(t=(0, 10)),
        [sp.Eq(sp.diff(w, t) + w, sp.exp(-(((t - c) / b) ** 2)))],
        [tn.on("t=0", sp.Eq(w, 0)), tn.data(w, times, values, noise=noise)],
    )
    return Asked(lambda: [_sought(problem, true, "c")])


def resonant(rng: Rng) -> Asked:
    """A wave number between resonances, at each of which predictions are unbounded."""
    true = float(number(rng, 2, 30))
    at = np.sort(rng.uniform(0.0, 1.0, 40))[:, None]
    exact = np.sin(true * at[:, 0]) / np.sin(true)
    noise = 0.02 * float(np.abs(exact).max())
    u, k = tn.unknown("u", x), tn.unknown("k")
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(sp.diff(u, x, 2) + k**2 * u, 0)],
        [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=1", sp.Eq(u, 1)),
         tn.data(u, at, exact + noise * rng.standard_normal(40), noise=noise)],
    )  # fmt: skip
    return Asked(lambda: [_sought(problem, true, "k", sign=True)])


def _sought(problem: tn.Problem, true: float, name: str, sign: bool = False) -> tuple[float, float, float]:
    """The distance of a number from the truth, and three standard errors."""
    solution = tn.solve(problem)
    value = float(solution[name])
    off = abs((abs(value) if sign else value) - true)
    return off / abs(true), 3 * float(solution[name].standard_error()) / abs(true), 0.0


SOUGHT = [frequency, place, rate, tone, moment, resonant]
