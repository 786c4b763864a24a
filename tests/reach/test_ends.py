"""Waves that leave at open ends: modes of channels, orders of gratings, their energy, and what is refused."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y, complex=True)
k = 5.0
waves = [sp.Eq(tn.laplacian(u) + k**2 * u, 0)]
post = tn.Disk((0.1, 0.4), 0.2, name="post")
guide = tn.Box(x=(-sp.oo, sp.oo), y=(0, 1))
row = tn.Box(x=(0, 1), y=(-sp.oo, sp.oo))
q, r = k * np.sin(0.3), k * np.cos(0.3)
incident = sp.exp(sp.I * (q * x - r * y))
first = sp.exp(sp.I * sp.sqrt(k**2 - sp.pi**2) * x) * sp.sin(sp.pi * y)
walls = [tn.on("y=0", sp.Eq(u, 0)), tn.on("y=1", sp.Eq(u, 0))]
slopes = [tn.on(part, sp.Eq(tn.normal_derivative(u), 0)) for part in ("y=0", "y=1")]


def problem(domain, conditions, equations=waves):
    return tn.Problem(domain, equations, conditions)


rod = tn.Disk((0.5, 0.0), 0.2, name="rod")
glass = [sp.Eq(tn.laplacian(u) + k**2 * tn.by_piece(air=1, rod=2.25) * u, 0)]
turning = [tn.periodic(x, phase=q), tn.outgoing(u - incident, k)]
LOSSLESS = {
    "soft post": problem(guide - post, [tn.on("post", sp.Eq(u, 0)), *walls, tn.outgoing(u - first, k)]),
    "hard post": problem(
        guide - post,
        [tn.on("post", sp.Eq(tn.normal_derivative(u), 0)), *slopes, tn.outgoing(u - sp.exp(sp.I * k * x), k)],
    ),
    "one wall of each kind": problem(
        guide - post,
        [
            tn.on("post", sp.Eq(u, 0)),
            slopes[0],
            walls[1],
            tn.outgoing(u - sp.exp(-sp.I * sp.sqrt(k**2 - sp.pi**2 / 4) * x) * sp.cos(sp.pi * y / 2), k),
        ],
    ),
    "time runs the other way": problem(
        guide - post, [tn.on("post", sp.Eq(u, 0)), *walls, tn.outgoing(u - sp.conjugate(first), -k)]
    ),
    "soft rods": problem(row - rod, [tn.on("rod", sp.Eq(u, 0)), *turning]),
    "rods that waves enter": problem(tn.Pieces(air=row - rod, rod=rod), turning, glass),
    "rods before a wall": problem(
        tn.Box(x=(0, 1), y=(-0.7, sp.oo)) - rod, [tn.on("rod", sp.Eq(u, 0)), tn.on("y=-0.7", sp.Eq(u, 0)), *turning]
    ),
    "a bump on a wall": problem(
        guide - tn.Disk((0, 0), 0.3, name="bump"),
        [tn.on("boundary", sp.Eq(tn.normal_derivative(u), 0)), tn.outgoing(u - sp.exp(sp.I * k * x), k)],
    ),
}


@pytest.mark.parametrize("name", LOSSLESS)
def test_what_comes_in_leaves(name, tmp_path):
    found = tn.solve(LOSSLESS[name], tol=1e-3 if "bump" in name else 1e-8)
    shares = [order.share for order in found.orders()]
    assert len(shares) > 1
    assert min(shares) > 0
    assert abs(sum(shares) - 1) < 10 * found.error < 1e-2
    found.save(tmp_path / "waves.npz")
    assert tn.load(tmp_path / "waves.npz").orders() == found.orders()


def test_a_piston_sends_its_waves():
    """cos(n pi y) at the end becomes cos(n pi y) exp(i g_n x)."""
    half = tn.Box(x=(0, sp.oo), y=(0, 1))
    found = tn.solve(problem(half, [tn.on("x=0", sp.Eq(u, sp.cos(sp.pi * y) + 1)), *slopes, tn.outgoing(u, k)]))
    points = np.array([[0.3, 0.2], [4.0, 0.9], [-0.0, 0.5]])
    g = np.sqrt(k**2 - np.pi**2)
    exact = np.exp(1j * k * points[:, 0]) + np.cos(np.pi * points[:, 1]) * np.exp(1j * g * points[:, 0])
    np.testing.assert_allclose(found.evaluate(u, points), exact, atol=1e-11)
    np.testing.assert_allclose([o.amplitude for o in found.orders()], [1, 1], atol=1e-11)


def test_waves_through_a_row_turn_and_pass_both_ways_alike():
    """From side to side the field turns by the phase; a row passes as much from above as from below (reciprocity)."""
    body = tn.Disk((0.3, -0.2), 0.1, name="rod") | tn.Disk((0.6, 0.2), 0.25, name="rod")
    up = sp.exp(sp.I * (q * x + r * y))
    down = sp.exp(sp.I * (-q * x - r * y))
    found = []
    for wave, phase in ((up, q), (down, -q)):
        conditions = [tn.on("rod", sp.Eq(u, 0)), tn.periodic(x, phase=phase), tn.outgoing(u - wave, k)]
        found.append(tn.solve(problem(row - body, conditions), tol=1e-6))
    sides = np.array([[0.0, 0.3], [1.0, 0.3], [0.0, 3.0], [1.0, 3.0]])
    values = found[0].evaluate(u, sides)
    np.testing.assert_allclose(values[1::2], np.exp(1j * q) * values[::2], atol=1e-5)
    through = [
        next(o for o in s.orders() if o.number == 0 and o.end == e)
        for s, e in zip(found, ("y=oo", "y=-oo"), strict=True)
    ]
    assert through[0].amplitude == pytest.approx(through[1].amplitude, abs=1e-5)


def test_a_medium_that_absorbs_keeps_power():
    lossy = [sp.Eq(tn.laplacian(u) + k**2 * tn.by_piece(air=1, rod=2.25 + sp.I / 2) * u, 0)]
    found = tn.solve(problem(tn.Pieces(air=row - rod, rod=rod), turning, lossy), tol=1e-6)
    assert 0.5 < sum(o.share for o in found.orders()) < 0.99


WRONG = {
    "does not turn by the phase": (
        row - rod,
        [tn.on("rod", sp.Eq(u, 0)), tn.periodic(x), tn.outgoing(u - incident, k)],
    ),
    "does not satisfy what holds on the wall": (
        guide - post,
        [tn.on("post", sp.Eq(u, 0)), *walls, tn.outgoing(u - sp.exp(sp.I * k * x), k)],
    ),
    "something else is stated": (
        guide - post,
        [tn.on("post", sp.Eq(u, 0)), walls[0], tn.on("y=1", sp.Eq(u + tn.normal_derivative(u), 0)), tn.outgoing(u, k)],
    ),
    "a part of the boundary has no condition": (guide - post, [*walls, tn.outgoing(u - first, k)]),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_fit_is_told(text):
    with pytest.raises(ProblemError, match=text):
        tn.solve(problem(*WRONG[text]))


def test_a_wave_that_runs_across_is_told():
    cut_off = [sp.Eq(tn.laplacian(u) + (2 * sp.pi) ** 2 * u, 0)]
    conditions = [tn.on("post", sp.Eq(u, 1)), *walls, tn.outgoing(u, 2 * sp.pi)]
    with pytest.raises(ProblemError, match="cut-off"):
        tn.solve(problem(guide - post, conditions, cut_off))


def test_only_open_ends_have_orders():
    found = tn.solve(LOSSLESS["soft post"], tol=1e-3)
    with pytest.raises(ProblemError, match=r"solution.orders\(\)"):
        found.far_field([0.0])
    plain = tn.solve(tn.Problem(tn.Disk(radius=1), [sp.Eq(tn.laplacian(u) + u, 0)], [tn.on("boundary", sp.Eq(u, x))]))
    with pytest.raises(ProblemError, match="open ends"):
        plain.orders()
