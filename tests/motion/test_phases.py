"""Several phases with fronts between them."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import erf, erfc

import transnet as tn
from transnet.errors import TransnetError

x, t = sp.symbols("x t")
u, s, w = tn.unknown("u", x, t), tn.unknown("s", t), tn.unknown("w", t)
START, LENGTH, K = 0.25, 2.0, 2.0
C = brentq(
    lambda c: c - np.exp(-c * c) / np.sqrt(np.pi) * (1 / erf(c) - 0.5 * K / erfc(c)), 0.05, 2.0
)  # temperatures 1 and -1/2, conductivities 1 and K
WATER = 1 - sp.erf(x / (2 * sp.sqrt(t))) / float(erf(C))
ICE = -(1 - sp.erfc(x / (2 * sp.sqrt(t))) / float(erfc(C))) / 2
HEAT = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))
FRONT = (sp.Eq(u, 0), sp.Eq(sp.diff(s, t), tn.jump(tn.by_piece(water=1, ice=K) * sp.diff(u, x))))
BEGINS = (sp.Eq(u, tn.by_piece(water=WATER, ice=ICE)), sp.Eq(s, 2 * C * np.sqrt(START)))


def stefan(front=FRONT, begins=BEGINS, pieces=None):
    pieces = pieces or {"water": tn.Interval(x=(0, s)), "ice": tn.Interval(x=(s, LENGTH))}
    return tn.Problem(
        tn.Pieces(pieces) * tn.Interval(t=(START, 1)),
        [HEAT],
        [
            tn.on("t=min", *begins),
            tn.on("left", sp.Eq(u, 1)),
            tn.on("right", sp.Eq(u, ICE.subs(x, LENGTH))),
            tn.on("water|ice", *front),
        ],
    )


def test_neumanns_solution_of_two_phases(tmp_path):
    problem = stefan()
    found = tn.solve(problem, tol=1e-9)
    points = found.problem.domain.interior(300)
    exact = [sp.lambdify((x, t), e, "scipy")(*points.T) for e in (WATER, ICE)]
    water = points[:, 0] < 2 * C * np.sqrt(points[:, 1])
    assert 0 < water.sum() < len(points)
    assert np.abs(found["u"](points) - np.where(water, *exact)).max() < 1e-8
    assert np.abs(found["s"](points) - 2 * C * np.sqrt(points[:, 1])).max() < 1e-8
    # Heat that arrives at the front from one side and leaves on the other moves it.
    assert found.evaluate(sp.diff(s, t), 0.1, 0.49) == pytest.approx(C / 0.7, abs=1e-6)
    found.save(tmp_path / "phases.npz")
    np.testing.assert_array_equal(tn.load(tmp_path / "phases.npz")["u"](points), found["u"](points))
    tn.write_problem(problem, tmp_path / "phases.toml")
    again = tn.solve(tn.read_problem(tmp_path / "phases.toml").problem)
    assert again["s"](0.1, 1.0) == pytest.approx(2 * C, abs=1e-6)


def test_three_phases_with_two_fronts():
    """A layer that grows into both neighbours: manufactured, with fluxes in the conditions of the fronts."""
    fronts = {s: 1 + t / 4, w: 2 + t / 2 - t**2 / 8}
    first, middle, last = sp.exp(-t) * (s - x), (x - s) * (w - x) * (1 + t), sp.cos(t) * (x - w)
    fields = {"a": first, "b": middle, "c": last}
    exact = {n: e.xreplace(fronts) for n, e in fields.items()}
    source = tn.by_piece(**{n: sp.diff(e, t) - sp.diff(e, x, 2) for n, e in exact.items()})

    def front(name, f, left, right):
        jump = (sp.diff(exact[right], x) - sp.diff(exact[left], x)).subs(x, fronts[f])
        return tn.on(name, sp.Eq(u, 0), sp.Eq(sp.diff(f, t), tn.jump(sp.diff(u, x)) - jump + sp.diff(fronts[f], t)))

    problem = tn.Problem(
        tn.Pieces(a=tn.Interval(x=(0, s)), b=tn.Interval(x=(s, w)), c=tn.Interval(x=(w, 4))) * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + source)],
        [
            tn.on("t=0", sp.Eq(u, tn.by_piece(**exact)), sp.Eq(s, 1), sp.Eq(w, 2)),
            tn.on("left", sp.Eq(tn.normal_derivative(u), -sp.diff(exact["a"], x))),
            tn.on("right", sp.Eq(tn.normal_derivative(u), sp.diff(exact["c"], x))),
            front("a|b", s, "a", "b"),
            front("b|c", w, "b", "c"),
        ],
    )
    found = tn.solve(problem, tol=1e-7)
    times = np.linspace(0, 1, 20)
    assert np.abs(found["s"](x=2.0, t=times) - (1 + times / 4)).max() < 1e-6
    assert np.abs(found["w"](x=2.0, t=times) - (2 + times / 2 - times**2 / 8)).max() < 1e-6
    assert found["u"](0.5, 1.0) == pytest.approx(np.exp(-1) * 0.75, abs=1e-6)
    assert found["u"](3.5, 1.0) == pytest.approx(np.cos(1) * (3.5 - 2.375), abs=1e-6)


WRONG = {
    "no speed": (lambda: stefan(front=FRONT[:1]), "2 of 3 conditions"),
    "no value": (lambda: stefan(front=FRONT[1:]), "1 of 3 conditions"),
    "no start": (lambda: stefan(begins=BEGINS[:1]), "Where the front s"),
    "not in order": (
        lambda: stefan(pieces={"ice": tn.Interval(x=(s, LENGTH)), "water": tn.Interval(x=(0, s))}), "in their order"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_missing_is_named(name):
    problem, text = WRONG[name]
    with pytest.raises(TransnetError, match=text):
        tn.solve(problem())
