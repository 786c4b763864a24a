"""Evolutions on boxes of two coordinates: systems of first order, and what they need."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning
from transnet.slabs.axes import Fourier, Polynomials
from transnet.slabs.evolution import evolution_of
from transnet.slabs.fourier import FourierSystem
from transnet.slabs.modes import BoxSystem, separable
from transnet.slabs.space import Space
from transnet.slabs.system import SlabSystem

x, y, t = sp.symbols("x y t")
E, H, G = (tn.unknown(name, x, y, t) for name in ("E", "H", "G"))
a, b = tn.unknown("a", x, t), tn.unknown("b", x, t)
diff, Eq, pi = sp.diff, sp.Eq, sp.pi


def test_a_cavity_of_maxwells_keeps_its_mode() -> None:
    """E_t = G_x - H_y, H_t = -E_y, G_t = E_x with conducting walls: conditions on one unknown of three."""
    omega = sp.sqrt(2) * pi
    e = sp.sin(pi * x) * sp.sin(pi * y) * sp.cos(omega * t)
    h, g = -sp.integrate(diff(e, y), t), sp.integrate(diff(e, x), t)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.5)),
        [Eq(diff(E, t), diff(G, x) - diff(H, y)), Eq(diff(H, t), -diff(E, y)), Eq(diff(G, t), diff(E, x))],
        [tn.on("t=0", Eq(E, e.subs(t, 0)), Eq(H, 0), Eq(G, 0)), tn.on("sides", Eq(E, 0))],
    )
    solution = tn.solve(problem, tol=1e-4)
    points = np.column_stack([np.random.default_rng(1).uniform(0, 1, (100, 2)), np.full(100, 0.5)])
    exact = np.stack([sp.lambdify((x, y, t), f)(*points.T) for f in (e, h, g)], axis=1)
    assert np.abs(solution(points) - exact).max() < 1e-4
    assert solution.slabs is not None


def test_vortices_of_taylor_and_green_decay() -> None:
    """The equations of Navier and Stokes on a periodic square: the pressure has no time derivative."""
    nu = sp.Rational(1, 20)
    decay = sp.exp(-2 * nu * t)
    u, v = -sp.cos(x) * sp.sin(y) * decay, sp.sin(x) * sp.cos(y) * decay
    p = -(sp.cos(2 * x) + sp.cos(2 * y)) / 4 * decay**2
    problem = tn.Problem(
        tn.Box(x=(0, 2 * pi), y=(0, 2 * pi)) * tn.Interval(t=(0, 2)),
        [
            Eq(diff(E, t) + E * diff(E, x) + H * diff(E, y), -diff(G, x) + nu * (diff(E, x, 2) + diff(E, y, 2))),
            Eq(diff(H, t) + E * diff(H, x) + H * diff(H, y), -diff(G, y) + nu * (diff(H, x, 2) + diff(H, y, 2))),
            Eq(diff(E, x) + diff(H, y), 0),
        ],
        [tn.on("t=0", Eq(E, u.subs(t, 0)), Eq(H, v.subs(t, 0))), tn.periodic(x), tn.periodic(y)],
    )
    solution = tn.solve(problem, tol=1e-6)
    points = np.column_stack([np.random.default_rng(1).uniform(0, 6, (50, 2)), np.full(50, 2.0)])
    exact = np.stack([sp.lambdify((x, y, t), f)(*points.T) for f in (u, v, p)], axis=1)
    assert np.abs(solution(points) - exact).max() < 1e-6


def test_a_periodic_slab_without_a_matrix_is_the_one_with_it() -> None:
    """Rows, their linearisation and the solution of a slab are those of the dense system."""
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 2)) * tn.Interval(t=(0, 1)),
        [Eq(diff(E, t), diff(E, x, 2) + diff(E, y, 2) / 3 + E * diff(H, y)), Eq(diff(H, t), diff(H, x, 2) - E**2 * H)],
        [tn.on("t=0", Eq(E, 1), Eq(H, 2)), tn.periodic(x), tn.periodic(y)],
    )
    evolution = evolution_of(problem)
    space = Space((Fourier(0.0, 1.0, 2), Fourier(0.0, 2.0, 1)))
    dense, waves = (made(evolution, space, 3, ()) for made in (SlabSystem, FourierSystem))
    rng = np.random.default_rng(0)
    start, u = rng.normal(size=(1, 2, space.columns)), rng.normal(size=(3, 2, space.columns))
    times, tau = 0.1 * dense.stages.nodes, 0.1
    s = dense.derivatives(u, start, tau)
    assert np.allclose(dense.residual(s, times), waves.residual(s, times))
    assert np.allclose(dense.linear(dense.coefficients(s, times), s), waves.linear(waves.coefficients(s, times), s))
    right = rng.normal(size=(3, 2 * space.columns))
    factors = waves.factor(s, times, tau)
    found = factors(right)
    for _ in range(6):
        found = found + factors(right - factors.applied(found))
    assert np.allclose(factors.applied(found), right)


WALLS = {
    "values": (Eq(E, sp.cos(t)), Eq(H, 0)),
    "slopes": (Eq(tn.normal_derivative(E), sp.cos(t)), Eq(tn.normal_derivative(H), 0)),
    "of two kinds": (Eq(tn.normal_derivative(E) + (1 + y) * E, 0), Eq(H, sp.sin(t))),
}


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.parametrize("waves", [False, True])
def test_a_slab_on_a_box_without_a_matrix_is_the_one_with_it(walls: str, waves: bool) -> None:
    """Rows and their linearisation are those of the dense system, and the iteration solves them."""
    along_x = [tn.periodic(x)] if waves else [tn.on(side, *WALLS[walls]) for side in ("left", "right")]
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 2)) * tn.Interval(t=(0, 1)),
        [
            Eq(diff(E, t), (2 + sp.sin(x * y)) * diff(E, x, 2) + diff(E, y, 2) / 3 + t * diff(E, y) + E * H),
            Eq(diff(H, t), diff(H, x, 2) + diff(H, y, 2) - E**2 * H),
        ],
        [tn.on("t=0", Eq(E, 1), Eq(H, 2)), *along_x, *(tn.on(side, *WALLS[walls]) for side in ("bottom", "top"))],
    )
    evolution = evolution_of(problem)
    assert not isinstance(evolution, str)
    space = Space((Fourier(0.0, 1.0, 2) if waves else Polynomials((0.0, 1.0), 5), Polynomials((0.0, 2.0), 6)))
    assert separable(evolution, space, ())
    dense, free = (made(evolution, space, 3, ()) for made in (SlabSystem, BoxSystem))
    rng = np.random.default_rng(0)
    start, u = rng.normal(size=(1, 2, space.columns)), rng.normal(size=(3, 2, space.columns))
    times, tau = 0.1 * dense.stages.nodes, 0.1
    s = dense.derivatives(u, start, tau)
    assert np.allclose(dense.residual(s, times), free.residual(s, times))
    assert np.allclose(dense.linear(dense.coefficients(s, times), s), free.linear(free.coefficients(s, times), s))
    factors = free.factor(s, times, tau)
    wanted = rng.normal(size=(3, 2 * space.columns))
    right = factors.applied(wanted)
    found = factors(right)
    for _ in range(8):
        found = found + factors(right - factors.applied(found))
    assert np.allclose(found, wanted, atol=1e-6)


def test_heat_in_a_cube_marches() -> None:
    """Three coordinates of space: the slabs have no matrix, so there may be thousands of features."""
    z = sp.Symbol("z")
    w = tn.unknown("w", x, y, z, t)
    exact = sp.exp(-t) * sp.sin(pi * x) * sp.cos(pi * y) * sp.sin(2 * z + t)
    source = diff(exact, t) - sum((diff(exact, c, 2) for c in (x, y, z)), sp.S.Zero) + x * exact
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)) * tn.Interval(t=(0, 1)),
        [Eq(diff(w, t), tn.laplacian(w, x, y, z) - x * w + source)],
        [
            tn.on("t=0", Eq(w, exact.subs(t, 0))),
            *(tn.on(f"x={end}", Eq(w, 0)) for end in (0, 1)),
            *(tn.on(f"y={end}", Eq(tn.normal_derivative(w), 0)) for end in (0, 1)),
            *(tn.on(f"z={end}", Eq(w, exact.subs(z, end))) for end in (0, 1)),
        ],
    )
    solution = tn.solve(problem, tol=1e-6)
    assert solution.slabs is not None
    points = np.random.default_rng(2).uniform(0, 1, (200, 4))
    assert np.abs(solution(points) - sp.lambdify((x, y, z, t), exact)(*points.T)).max() < 3e-6


def test_an_equation_for_a_time_derivative_is_that_of_its_unknown() -> None:
    """A Schroedinger equation in real parts: the second derivative in the first is of the other part."""
    problem = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)),
        [Eq(diff(a, t), -diff(b, x, 2)), Eq(diff(b, t), diff(a, x, 2))],
        [tn.on("t=0", a, b), tn.on("sides", a, b)],
    )
    assert problem.names == ("a", "b")


def test_a_square_that_is_cooled_at_once_and_one_that_is_heated_for_a_moment() -> None:
    """A start that does not fit the walls, and a source that lasts a thousandth of the time: products of two series."""
    box = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.1))
    odd = np.arange(1, 200, 2)

    def series(age: np.ndarray | float) -> np.ndarray:
        """The temperature in the middle of a line that was 1, and 0 at its ends."""
        return (4 / (np.pi * odd) * np.sin(0.5 * np.pi * odd)) @ np.exp(-np.multiply.outer((np.pi * odd) ** 2, age))

    walls = tn.on("sides", Eq(E, 0))
    with pytest.warns(AccuracyWarning):  # what is told is that both meet
        cooled = tn.solve(tn.Problem(box, [Eq(diff(E, t), tn.laplacian(E))], [tn.on("t=0", Eq(E, 1)), walls]), tol=1e-4)
    assert abs(cooled(0.5, 0.5, 0.05) - series(0.05) ** 2) < 1e-7
    width = 1e-4
    pulse = tn.Problem(
        box,
        [Eq(diff(E, t), tn.laplacian(E) + sp.exp(-(((t - 0.03) / width) ** 2)) / width)],
        [tn.on("t=0", Eq(E, 0)), walls],
    )
    heated = tn.solve(pulse, tol=1e-3)
    when = 0.03 + width * np.linspace(-6, 6, 201)
    source = np.exp(-(((when - 0.03) / width) ** 2)) / width
    exact = np.trapezoid(source * series(0.08 - when) ** 2, when)
    assert abs(heated(0.5, 0.5, 0.08) / exact - 1) < 1e-3
    assert heated.error < 1e-3


def test_features_that_no_longer_count_are_dropped() -> None:
    """A narrow bump spreads: the last slabs have a part of the features of the first."""
    bump = sp.exp(-((x - 0.5) ** 2 + (y - 0.5) ** 2) / sp.Float(0.002))
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 1)),
        [Eq(diff(E, t), tn.laplacian(E) / 10)],
        [tn.on("t=0", Eq(E, bump)), tn.on("sides", Eq(tn.normal_derivative(E), 0))],
    )
    solution = tn.solve(problem, tol=1e-5)
    assert solution.slabs[-1].features < 0.3 * solution.slabs[0].features
    assert abs(solution(0.2, 0.7, 1.0) - np.pi * 0.002) < 2e-5 * np.pi


@pytest.mark.parametrize("order", [(0, 0), (1, 0), (0, 2)])
def test_values_at_the_grid_are_those_of_the_matrix(order) -> None:
    """Axis by axis: the matrix of 240 x 240 waves at 360 x 360 points would take 57 GB."""
    space = Space((Polynomials((0.0, 0.4, 1.0), 5), Fourier(-1.0, 2.0, 4)))
    state = np.random.default_rng(0).normal(size=(2, space.columns))
    truth = state @ space.matrix(space.grid[0], order).T
    np.testing.assert_allclose(space.at_grid(state, order), truth, atol=1e-9 * np.abs(truth).max())
