"""Systems with two states at the beginning: Sod's tube and a dam that breaks, against equations of their own."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq

import transnet as tn
from transnet.errors import ProblemError

x, t = sp.symbols("x t")
GAMMA = 1.4


def tube(left, right, until=0.2, along=(-0.5, 0.5)):
    rho, m, e = (tn.unknown(n, x, t) for n in ("rho", "m", "e"))
    p = (GAMMA - 1) * (e - m**2 / rho / 2)
    states = [(r, r * v, q / (GAMMA - 1) + r * v * v / 2) for r, v, q in (left, right)]
    start = [sp.Piecewise((a, x < 0), (b, True)) for a, b in zip(*states, strict=True)]
    return tn.Problem(
        tn.Interval(x=along) * tn.Interval(t=(0, until)),
        [tn.conserved(rho, m), tn.conserved(m, m**2 / rho + p), tn.conserved(e, (e + p) * m / rho)],
        [tn.on("t=0", *(sp.Eq(u, v) for u, v in zip((rho, m, e), start, strict=True)))],
        order=(rho, m, e),
    )


def star(left, right):
    """Pressure and speed between the waves, from the pressure equation of an ideal gas."""

    def f(p, side):
        rho, _, q = side
        if p > q:
            return (p - q) * np.sqrt(2 / ((GAMMA + 1) * rho) / (p + (GAMMA - 1) / (GAMMA + 1) * q))
        c = np.sqrt(GAMMA * q / rho)
        return 2 * c / (GAMMA - 1) * ((p / q) ** ((GAMMA - 1) / (2 * GAMMA)) - 1)

    p = brentq(lambda p: f(p, left) + f(p, right) + right[1] - left[1], 1e-8, 1e4, xtol=1e-15, rtol=1e-14)
    return p, 0.5 * (left[1] + right[1] + f(p, right) - f(p, left))


SOD = (1.0, 0.0, 1.0), (0.125, 0.0, 0.1)


@pytest.mark.parametrize("states", [SOD, ((1.0, 1.0, 1.0), (1.0, -1.0, 2.0))], ids=["Sod", "two shocks"])
def test_ideal_gas(states):
    solution = tn.solve(tube(*states))
    p, v = star(*states)
    *_, contact, shock = solution.shocks(0.2)
    assert contact.speed == pytest.approx(v, abs=1e-9)
    rho, m, e = shock.left
    assert (GAMMA - 1) * (e - m * m / rho / 2) == pytest.approx(p, abs=1e-9)
    q, c = p / states[1][2], np.sqrt(GAMMA * states[1][2] / states[1][0])
    speed = states[1][1] + c * np.sqrt((GAMMA + 1) / (2 * GAMMA) * q + (GAMMA - 1) / (2 * GAMMA))
    assert shock.place == pytest.approx(0.2 * speed, abs=1e-9)
    assert solution.error < 1e-9


def test_fan_satisfies_the_equations_and_is_stored(tmp_path):
    solution = tn.solve(tube(*SOD))
    points = np.column_stack([np.linspace(-0.2, -0.03, 9), np.full(9, 0.18)])
    rho, m, e = solution.problem.unknowns
    p = (GAMMA - 1) * (e - m**2 / rho / 2)
    for u, flux in ((rho, m), (m, m**2 / rho + p), (e, (e + p) * m / rho)):
        assert np.abs(solution.evaluate(sp.diff(u, t) + sp.diff(flux, x), points)).max() < 1e-8
    again = tn.load(solution.save(tmp_path / "tube"))
    assert np.array_equal(again["rho"](points), solution["rho"](points))


def test_dam_that_breaks():
    h, q = tn.unknown("h", x, t), tn.unknown("q", x, t)
    problem = tn.Problem(
        tn.Interval(x=(-2, 2)) * tn.Interval(t=(0, 1)),
        [tn.conserved(h, q), tn.conserved(q, q**2 / h + h**2 / 2)],
        [tn.on("t=0", sp.Eq(h, sp.Piecewise((2, x < 0), (1, True))), sp.Eq(q, 0))],
    )
    (shock,) = tn.solve(problem).shocks(1.0)

    def gap(d):  # the speed of the water behind the shock, by the fan and by the shock
        return 2 * (np.sqrt(2) - np.sqrt(d)) - (d - 1) * np.sqrt((d + 1) / (2 * d))

    depth = brentq(gap, 1, 2, xtol=1e-15)
    assert shock.left[0] == pytest.approx(depth, abs=1e-9)
    assert shock.speed == pytest.approx(np.sqrt(depth * (depth + 1) / 2), abs=1e-9)


def test_wrong_statements_are_refused():
    with pytest.raises(ProblemError, match="longer interval"):
        tn.solve(tube(*SOD, until=1.0))
    u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)
    domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 0.1))
    smooth = [tn.on("t=0", sp.Eq(u, sp.sin(x)), sp.Eq(v, 0))]
    with pytest.raises(ProblemError, match="two constant states"):
        tn.solve(tn.Problem(domain, [tn.conserved(u, v), tn.conserved(v, u)], smooth))
