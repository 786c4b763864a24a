"""Free boundaries: the front is an unknown function of time."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import erf

import transnet as tn
from transnet.errors import TransnetError

x, r, t = sp.symbols("x r t")
u, s = tn.unknown("u", x, t), tn.unknown("s", t)
START = 0.25
LAMBDA = brentq(lambda k: np.sqrt(np.pi) * k * np.exp(k * k) * erf(k) - 1.0, 0.1, 2)
NEUMANN = 1 - sp.erf(x / (2 * sp.sqrt(t))) / sp.erf(LAMBDA)


def stefan(front, *more, domain=None):
    return tn.Problem(
        tn.Interval(x=(0, s)) * tn.Interval(t=(START, 1)) if domain is None else domain,
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))],
        [tn.on("t=min", sp.Eq(u, NEUMANN), *more), tn.on("left", sp.Eq(u, 1)), tn.on("right", *front)],
    )


MELTS = (sp.Eq(u, 0), sp.Eq(sp.diff(s, t), -sp.diff(u, x)))
BEGINS = sp.Eq(s, 2 * LAMBDA * np.sqrt(START))


def test_neumanns_similarity_solution_to_eight_digits(tmp_path):
    solution = tn.solve(stefan(MELTS, BEGINS), tol=1e-9)
    domain = solution.problem.domain
    points = domain.interior(300)
    assert np.abs(solution["u"](points) - sp.lambdify((x, t), NEUMANN, "scipy")(*points.T)).max() < 1e-8
    assert np.abs(solution["s"](points) - 2 * LAMBDA * np.sqrt(points[:, 1])).max() < 1e-8
    assert list(domain.contains([(1.0, 0.7), (1.0, 0.6)])) == [True, False]
    speed = solution.evaluate(sp.diff(s, t), 0.1, 0.49)
    assert np.isclose(speed, LAMBDA / 0.7, atol=1e-6)
    solution.save(tmp_path / "stefan.npz")
    assert np.array_equal(tn.load(tmp_path / "stefan.npz")(points), solution(points))


def test_a_radial_front_with_a_source():
    w, front = tn.unknown("w", r, t), 1 + t / 2
    exact = (r**2 - front**2) * (1 + t * r**2) / 4
    source = sp.simplify(r * (sp.diff(exact, t) - sp.diff(exact, r, 2)) - sp.diff(exact, r))
    speed = sp.diff(w, r) - sp.diff(exact, r).subs(r, front) + sp.Rational(1, 2)
    problem = tn.Problem(
        tn.Interval(r=(0, s)) * tn.Interval(t=(0, 1)),
        [sp.Eq(r * sp.diff(w, t), r * sp.diff(w, r, 2) + sp.diff(w, r) + source)],
        [
            tn.on("t=0", sp.Eq(w, exact), sp.Eq(s, 1)),
            tn.on("left", sp.Eq(sp.diff(w, r), 0)),
            tn.on("right", sp.Eq(w, 0), sp.Eq(sp.diff(s, t), speed)),
        ],
    )
    solution = tn.solve(problem)
    times = np.linspace(0, 1, 20)
    assert np.abs(solution["s"](r=0.1, t=times) - (1 + times / 2)).max() < 1e-8


def test_a_front_without_a_speed():
    """The edge of contact in an evolution: u = 0 and u_x = 0 there determine it, as for options."""
    front = 1 + t / 4 + t**2 / 10
    exact = (x - front) ** 2 * sp.exp(-x)
    source = sp.diff(exact, t) - sp.diff(exact, x, 2)
    problem = tn.Problem(
        tn.Interval(x=(s, 4)) * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + source)],
        [
            tn.on("t=0", sp.Eq(u, exact), sp.Eq(s, 1)),
            tn.on("left", sp.Eq(u, 0), sp.Eq(sp.diff(u, x), 0)),
            tn.on("right", sp.Eq(u, exact)),
        ],
    )
    solution = tn.solve(problem)
    times = np.linspace(0, 1, 20)
    assert np.abs(solution["s"](x=2.0, t=times) - (1 + times / 4 + times**2 / 10)).max() < 1e-7


WRONG = {
    "no start": (lambda: stefan(MELTS), "Where the front s"),
    "a start without extent": (lambda: stefan(MELTS, sp.Eq(s, 0)), "no extent"),
    "no speed": (lambda: stefan((sp.Eq(u, 0),)), "say how it moves"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_missing_is_named(name):
    problem, text = WRONG[name]
    with pytest.raises(TransnetError, match=text):
        tn.solve(problem())


def test_a_front_in_a_problem_file(tmp_path):
    (tmp_path / "melt.toml").write_text(
        'coordinates = ["x", "t"]\nunknowns = ["u", "s(t)"]\n'
        'domain = "Interval(x=(0, s)) * Interval(t=(0.25, 1))"\nequations = ["u_t = u_xx"]\n'
        f'conditions = ["u = 1 - erf(x)/{float(sp.erf(LAMBDA))!r}, s = {LAMBDA!r} on t=min", "u = 1 on left",\n'
        '  "u = 0, s_t = -u_x on right"]\n'
    )
    problem = tn.read_problem(tmp_path / "melt.toml").problem
    assert abs(tn.solve(problem)["s"](0.1, 1.0) - 2 * LAMBDA) < 1e-6
    tn.write_problem(problem, tmp_path / "again.toml")
    assert str(tn.read_problem(tmp_path / "again.toml").problem) == str(problem)
