"""Results of solutions in pieces, on both sides of their interfaces, and of complex ones."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
k = tn.by_piece(core=10, shell=1)


def holds(found, truth, digits=9):
    """Whether a result is right to so many digits, and no farther from the truth than its estimate says."""
    assert abs(found - truth) <= min(found.error + 1e-14, 10.0**-digits), (found, truth)


@pytest.fixture(scope="module")
def heated():
    # -div(k grad u) = 4: in the shell u = 1 - r^2, in the core 0.856 - r^2 / 10.
    rod = tn.Pieces(core=tn.Disk(radius=0.4), shell=tn.Disk() - tn.Disk(radius=0.4))
    return tn.solve(tn.Problem(rod, [sp.Eq(-tn.div(k * tn.grad(u)), 4)], [tn.on("circle", sp.Eq(u, 0))]))


def test_integrals_over_pieces(heated):
    core, shell = np.pi * (0.16 * 0.856 - 0.4**4 / 20), np.pi * (0.84 - (1 - 0.4**4) / 2)
    holds(heated.integral(u, over="core"), core)
    holds(heated.integral(u, over="shell"), shell)
    holds(heated.integral(k * u), 10 * core + shell)
    holds(heated.mean(u, over="core"), 0.848)
    holds(heated.norm(k, over="core"), 10 * np.sqrt(np.pi * 0.16))


def test_each_side_of_an_interface_has_its_own_values(heated):
    holds(heated.flux("core|shell"), -2 * np.pi * 0.4 * 0.8)
    holds(heated.flux("shell|core"), 2 * np.pi * 0.4 * 0.8)
    within, without = (heated.evaluate(tn.normal_derivative(u), on=side) for side in ("core|shell", "shell|core"))
    assert np.allclose(within, -0.08, atol=1e-9)
    assert np.allclose(without, 0.8, atol=1e-9)  # its normal points the other way
    holds(heated.integral(tn.jump(tn.normal_derivative(u)), over="core|shell"), -0.72 * 2 * np.pi * 0.4)
    holds(heated.integral(tn.jump(k * tn.normal_derivative(u)) ** 2, over="core|shell"), 0)
    with pytest.raises(ProblemError, match="on an interface only"):
        heated.integral(tn.jump(u))
    with pytest.raises(ProblemError, match=r"'core' is a piece.*'core\|shell'"):
        heated.flux("core")


def test_the_largest_value_of_a_piece_may_be_on_its_edge(heated):
    holds(heated.maximum(u), 0.856)
    holds(heated.maximum(u, over="shell"), 0.84)
    holds(heated.maximum(u, over="core|shell"), 0.84)
    holds(heated.maximum(-sp.diff(u, x), over="core"), 0.08)
    assert np.allclose(heated.maximum(-sp.diff(u, x), over="core").place, [0.4, 0], atol=1e-3)
    holds(heated.minimum(u, over="circle"), 0)  # where zero is stated it is zero up to the error of the whole
    holds(heated.maximum(u, y=0.5), 0.75)


def test_a_solution_that_jumps():
    bars = tn.Pieces(a=tn.Box(x=(0, 1), y=(0, 1)), b=tn.Box(x=(1, 2), y=(0, 1)))
    free = [tn.on(side, sp.Eq(tn.normal_derivative(u), 0)) for side in ("y=0", "y=1")]
    gap = tn.on("a|b", sp.Eq(tn.jump(u), 1), sp.Eq(tn.jump(tn.normal_derivative(u)), 0))
    ends = [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=2", sp.Eq(u, 3)), gap]
    solution = tn.solve(tn.Problem(bars, [sp.Eq(tn.laplacian(u), 0)], [*free, *ends]))  # x, and x + 1 beyond x = 1
    holds(solution.integral(u, over="a|b"), 1)
    holds(solution.integral(u, over="b|a"), 2)
    holds(solution.integral(tn.jump(u), over="a|b"), 1)
    holds(solution.integral(u, over=x).numbers(0.3), 3)
    holds(solution.flux("y=0"), 0)


def test_a_name_of_two_things_is_asked_about():
    halves = tn.Pieces(left=tn.Box(x=(0, 1), y=(0, 1)), right=tn.Box(x=(1, 2), y=(0, 1)))
    free = [tn.on(side, sp.Eq(tn.normal_derivative(u), 0)) for side in ("y=0", "y=1")]
    ends = [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=2", sp.Eq(u, 2))]
    solution = tn.solve(tn.Problem(halves, [sp.Eq(tn.laplacian(u), 0)], [*free, *ends]))
    with pytest.raises(ProblemError, match=r"'left' is a piece and a part of the boundary.*'x=0'"):
        solution.integral(u, over="left")
    holds(solution.flux("left"), -1)
    holds(solution.integral(u, over="x=2"), 2)


def test_results_of_a_complex_solution(tmp_path):
    psi = tn.unknown("psi", x, t, complex=True)
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.3))
    start = [tn.on("sides", sp.Eq(psi, 0)), tn.on("t=0", sp.Eq(psi, sp.sin(sp.pi * x)))]
    packet = tn.solve(tn.Problem(rod, [sp.Eq(sp.I * sp.diff(psi, t), -sp.diff(psi, x, 2) / 2)], start))
    turn = np.exp(-0.05j * np.pi**2)
    holds(packet.integral(psi, t=0.1), 2 / np.pi * turn)
    holds(packet.norm(psi, t=0.1), np.sqrt(0.5))
    holds(packet.integral(sp.conjugate(psi) * psi, t=0.1), 0.5)
    holds(packet.flux("x=0", t=0.1), -np.pi / 2 * turn)
    assert abs(packet.integral(over=x)(0.1) - 2 / np.pi * turn) < 1e-9
    assert "j ±" in repr(packet.integral(psi, t=0.1))
    with pytest.raises(ProblemError, match="modulus"):
        packet.maximum(psi, t=0.1)
    watched = packet.probe([[0.5]], times=[0, 0.1])
    assert np.allclose(watched.values[:, 0], [1, turn], atol=1e-9)
    assert watched.save(tmp_path / "psi.csv").read_text().startswith("t,psi_re at 0.5,psi_im at 0.5")
    assert packet.compare(sp.exp(-sp.I * sp.pi**2 * t / 2) * sp.sin(sp.pi * x)).relative < 1e-9
    assert packet.compare(lambda a, b: np.exp(-0.5j * np.pi**2 * b) * np.sin(np.pi * a)).relative < 1e-9


def test_solutions_are_compared_where_both_are():
    def parabola(domain):
        return tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(u), 4)], [tn.on("boundary", sp.Eq(u, x**2 + y**2))]))

    large, small = parabola(tn.Box(x=(-1, 1), y=(-1, 1))), parabola(tn.Disk(radius=0.5))
    both = large.compare(small)
    assert both.relative < 1e-6
    assert abs(both.shared - np.pi / 16) < 0.01
    assert "% of the domain that both have" in repr(both)
    with pytest.raises(ProblemError, match="nothing in common"):
        small.compare(parabola(tn.Disk(center=(3, 0))))


def test_a_gradient_that_grows_towards_a_corner_has_no_known_largest_value() -> None:
    bent = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    problem = tn.Problem(bent, sp.Eq(tn.laplacian(u), -1), [tn.on("boundary", sp.Eq(u, 0))])
    top = tn.solve(problem, tol=1e-3, method="pieces").maximum(sp.sqrt(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2))
    assert np.isinf(top.error)
    assert 1 < top.value < 10  # just outside what is left out around the corner
    assert np.allclose(top.place, [1, 1], atol=0.02)
