"""Half lines, lines and strips: closed forms, how far windows reach, and what is told where a solution falls slowly."""

import numpy as np
import pytest
import sympy as sp
from scipy.stats import norm

import transnet as tn
from transnet.errors import AccuracyWarning, TransnetError

x, y, t, lam = sp.symbols("x y t lam", real=True)
u, w = tn.unknown("u", x), tn.unknown("u", x, t)
half, line = tn.Interval(x=(0, sp.oo)), tn.Interval(x=(-sp.oo, sp.oo))
decays = tn.at_infinity(u, 0)


def worst(solution: tn.Solution, exact, points) -> float:
    points = np.asarray(points, dtype=float)
    expected = exact(*points.T)
    return float(np.abs(solution(points) - expected).max() / np.abs(expected).max())


@pytest.mark.parametrize("rate", [0.01, 1.0, 300.0])
def test_the_window_follows_the_rate_of_decay(rate):
    problem = tn.Problem(half, [sp.Eq(sp.diff(u, x, 2), rate**2 * u)], [tn.on("x=0", sp.Eq(u, 1)), decays])
    solution = tn.solve(problem, tol=1e-8)
    points = np.linspace(0, 40 / rate, 200)[:, None]
    assert worst(solution, lambda x: np.exp(-rate * x), points) < 10 * solution.error < 1e-7
    reach = rate * solution.problem.domain.high
    assert 15 < reach < 80  # exp(-23) is 1e-10


def test_a_boundary_layer_grows_beyond_its_window():
    """Blasius' layer, f''' + f f'' / 2 = 0: the wall's shear, and f = x - 1.72 far away."""
    f = tn.unknown("f", x)
    problem = tn.Problem(
        half,
        [sp.diff(f, x, 3) + f * sp.diff(f, x, 2) / 2],
        [tn.on("x=0", sp.Eq(f, 0), sp.Eq(sp.diff(f, x), 0)), tn.at_infinity(sp.diff(f, x), 1)],
    )
    solution = tn.solve(problem)
    assert solution.evaluate(sp.diff(f, x, 2), [[0.0]])[0] == pytest.approx(0.332057336215196, abs=1e-9)
    assert solution([[1000.0]])[0] == pytest.approx(1000 - 1.72078765752, abs=1e-7)
    slopes = [solution.evaluate(sp.diff(f, x, k), [[1000.0]])[0] for k in (1, 2)]
    assert slopes == pytest.approx([1, 0], abs=1e-9)


def test_each_end_has_its_own_limit():
    problem = tn.Problem(
        line,
        [sp.Eq(sp.diff(u, x, 2), 2 * u * (u**2 - 1))],
        [tn.on("x=-oo", sp.Eq(u, -1)), tn.on("x=oo", sp.Eq(u, 1)), tn.at([[0.0]], sp.Eq(u, 0))],
    )
    solution = tn.solve(problem, guess=x / sp.sqrt(1 + x**2))
    assert worst(solution, np.tanh, np.linspace(-50, 50, 101)[:, None]) < 1e-8


EVOLUTIONS = {
    "a bump that spreads": (
        sp.diff(w, t) - sp.diff(w, x, 2), 1, lambda x, t: np.exp(-(x**2) / (1 + 4 * t)) / np.sqrt(1 + 4 * t),
        [sp.Eq(w, sp.exp(-(x**2)))],
    ),
    "a soliton": (
        sp.diff(w, t) + 6 * w * sp.diff(w, x) + sp.diff(w, x, 3), 1, lambda x, t: 2 / np.cosh(x - 4 * t) ** 2,
        [sp.Eq(w, 2 / sp.cosh(x) ** 2)],
    ),
    "waves that leave": (
        sp.diff(w, t, 2) - sp.diff(w, x, 2), 12,
        lambda x, t: 0.5 * (np.exp(-((x - t) ** 2)) + np.exp(-((x + t) ** 2))),
        [sp.Eq(w, sp.exp(-(x**2))), sp.Eq(sp.diff(w, t), 0)],
    ),
    "transport": (sp.diff(w, t) + sp.diff(w, x), 3, lambda x, t: np.exp(-((x - t) ** 2)), [sp.Eq(w, sp.exp(-(x**2)))]),
}  # fmt: skip


@pytest.mark.parametrize("name", EVOLUTIONS)
def test_evolutions_on_the_line(name):
    equation, end, exact, start = EVOLUTIONS[name]
    problem = tn.Problem(line * tn.Interval(t=(0, end)), [equation], [tn.on("t=0", *start), tn.at_infinity(w, 0)])
    solution = tn.solve(problem, tol=1e-8)
    points = [(a, b) for a in np.linspace(-40, 40, 161) for b in (0, 0.5 * end, end)]
    assert worst(solution, exact, points) < max(10 * solution.error, 1e-9) < 1e-6


def test_heat_from_the_end_of_a_half_line():
    problem = tn.Problem(
        half * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))],
        [tn.on("t=0", sp.Eq(w, x * sp.exp(-(x**2)))), tn.on("x=0", sp.Eq(w, 0)), tn.at_infinity(w, 0)],
    )
    solution = tn.solve(problem)
    points = [(a, b) for a in np.linspace(0, 30, 91) for b in (0, 0.5, 1)]
    assert worst(solution, lambda x, t: x * np.exp(-(x**2) / (1 + 4 * t)) / (1 + 4 * t) ** 1.5, points) < 1e-8


def test_a_call_option_grows_with_the_price():
    price, strike, rate, spread = sp.Symbol("S", real=True), 100, 0.05, 0.2
    v = tn.unknown("V", price, t)
    law = spread**2 * price**2 / 2 * sp.diff(v, price, 2) + rate * price * sp.diff(v, price) - rate * v
    problem = tn.Problem(
        tn.Interval(S=(0, sp.oo)) * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(v, t), law)],
        [
            tn.on("t=0", sp.Eq(v, sp.Max(price - strike, 0))),
            tn.on("S=0", sp.Eq(v, 0)),
            tn.on("S=oo", sp.Eq(v, price - strike * sp.exp(-rate * t))),
        ],
    )
    solution = tn.solve(problem, tol=1e-6)
    s = np.array([50.0, 90.0, 100.0, 130.0, 5000.0])
    d = (np.log(s / strike) + rate + spread**2 / 2) / spread
    exact = s * norm.cdf(d) - strike * np.exp(-rate) * norm.cdf(d - spread)
    assert np.abs(solution(np.column_stack([s, np.ones(5)])) - exact).max() < 1e-4


def test_a_strip_and_a_channel_around_a_body():
    v = tn.unknown("v", x, y)
    strip = tn.Problem(
        tn.Box(x=(0, sp.oo), y=(0, 1)),
        [sp.Eq(tn.laplacian(v), 0)],
        [tn.on("left", sp.Eq(v, sp.sin(sp.pi * y))), *(tn.on(p, sp.Eq(v, 0)) for p in ("top", "bottom")),
         tn.at_infinity(v, 0)],
    )  # fmt: skip
    points = [(a, b) for a in np.linspace(0, 20, 30) for b in np.linspace(0, 1, 9)]
    assert worst(tn.solve(strip), lambda x, y: np.exp(-np.pi * x) * np.sin(np.pi * y), points) < 1e-8

    def channel(length):
        body = tn.Disk((0, 0.5), 0.2, name="body")
        there = [tn.on("bottom", sp.Eq(v, 0)), tn.on("top", sp.Eq(v, 1)), tn.on("body", sp.Eq(v, 0.5))]
        ends = [tn.at_infinity(v, y)] if length == sp.oo else [tn.on(p, sp.Eq(v, y)) for p in ("left", "right")]
        return tn.Problem(tn.Box(x=(-length, length), y=(0, 1)) - body, [tn.laplacian(v)], [*there, *ends])

    places = [(0.0, 0.2), (0.5, 0.3), (1.0, 0.9)]
    assert np.abs(tn.solve(channel(sp.oo))(places) - tn.solve(channel(6))(places)).max() < 1e-7


def test_bound_states():
    """The oscillator, hydrogen, and two states in a well beside a continuous spectrum."""
    oscillator = tn.Problem(line, [sp.Eq(-sp.diff(u, x, 2) + x**2 * u, lam * u)], [decays])
    pairs = tn.eigenpairs(oscillator, lam, count=5)
    assert pairs.values == pytest.approx(np.arange(1, 10, 2), abs=1e-10)
    assert pairs[0]([[0.0], [80.0]]) == pytest.approx([np.pi**-0.25, 0], abs=1e-7)
    atom = tn.Problem(half, [sp.Eq(-sp.diff(u, x, 2) / 2 - u / x, lam * u)], [tn.on("x=0", sp.Eq(u, 0)), decays])
    pairs = tn.eigenpairs(atom, lam, count=3, tol=1e-5)
    assert pairs.values == pytest.approx([-1 / 2, -1 / 8, -1 / 18], abs=1e-5)
    well = tn.Problem(line, [sp.Eq(-sp.diff(u, x, 2) - 6 / sp.cosh(x) ** 2 * u, lam * u)], [decays])
    with pytest.warns(AccuracyWarning, match="continuous spectrum"):
        pairs = tn.eigenpairs(well, lam, count=3, tol=1e-6)
    assert pairs.values == pytest.approx([-4, -1], abs=1e-6)


def test_a_power_is_told():
    exact = 1 / (1 + x**2)
    problem = tn.Problem(line, [sp.Eq(sp.diff(u, x, 2) - u, sp.diff(exact, x, 2) - exact)], [decays])
    with pytest.warns(AccuracyWarning, match="like a power"):
        solution = tn.solve(problem)
    assert worst(solution, lambda x: 1 / (1 + x**2), np.linspace(-500, 500, 1001)[:, None]) < 3 * solution.error


def test_files_results_and_gradients(tmp_path):
    k = sp.Symbol("k")
    problem = tn.Problem(half, [sp.Eq(sp.diff(u, x, 2), k**2 * u)], [tn.on("x=0", sp.Eq(u, 1)), decays])
    solution = tn.solve(problem, parameters={k: 2.0})
    assert solution.integral(u).value == pytest.approx(0.5, abs=1e-8)
    assert solution.gradient(solution.integral(u), wrt=[k])[k].value == pytest.approx(-0.25, abs=1e-7)
    solution.save(tmp_path / "half.npz")
    again = tn.load(tmp_path / "half.npz")
    assert again.problem.domain.bounds == pytest.approx(solution.problem.domain.bounds)
    assert again([[0.3], [1e4]]) == pytest.approx(solution([[0.3], [1e4]]))
    path = tmp_path / "half.toml"
    path.write_text(
        'coordinates = ["x"]\nunknowns = ["u"]\ndomain = "Interval(x=(0, oo))"\nequations = ["u_xx = 4*u"]\n'
        'conditions = ["u = 1 on x=0", { at_infinity = "u" }]\n'
    )
    assert tn.solve(tn.read_problem(path).problem)([[0.5]])[0] == pytest.approx(np.exp(-1), abs=1e-8)


WRONG = {
    "nothing is stated there": lambda: tn.Problem(half, [sp.Eq(sp.diff(u, x, 2), u)], [tn.on("x=0", sp.Eq(u, 1))]),
    "Time must end": lambda: tn.Interval(t=(0, sp.oo)),
    "must be finite": lambda: tn.Interval(x=(sp.oo, 0)),
    "Take one period": lambda: tn.Problem(
        line * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))],
        [tn.on("t=0", sp.Eq(w, 0)), tn.periodic(x), tn.at_infinity(w, 0)],
    ),
    "is bounded": lambda: tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x, 2), u)], [decays]),
    "reach": lambda: tn.Interval(x=(0, sp.oo), reach=-1),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_statements(words):
    with pytest.raises(TransnetError, match=words):
        WRONG[words]()
