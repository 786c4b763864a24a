"""Points outside the domain are warned of, once, with their number and distance; those on the boundary are not."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from sympy import Eq

import transnet as tn
from transnet.errors import ExtrapolationWarning, ProblemError

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
DOMAINS = {
    "box": tn.Box(x=(0, 0.3), y=(-1, 1)),
    "ring": tn.Disk(radius=1) - tn.Disk(radius=0.5),
    "polygon": tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
}


def solved(domain: tn.Domain) -> tn.Solution:
    return tn.solve(tn.Problem(domain, [Eq(tn.laplacian(u), 0)], [tn.on("boundary", Eq(u, x * y))]), neurons=60)


@pytest.fixture(scope="module")
def ring() -> tn.Solution:
    return solved(DOMAINS["ring"])


@pytest.mark.parametrize("name", DOMAINS)
def test_the_boundary_and_the_default_points_are_inside(name: str) -> None:
    solution = solved(DOMAINS[name])
    edge = DOMAINS[name].boundary("boundary", 500).points
    assert np.abs(solution(edge) - edge[:, 0] * edge[:, 1]).max() < 1e-3
    solution(np.round(edge, 7))
    solution(solution.points)


def test_how_many_and_how_far(ring: tn.Solution) -> None:
    with pytest.warns(
        ExtrapolationWarning, match=r"^2 of 3 points lie outside .* up to 1e\+02 % of its size"
    ) as caught:
        ring([(0.7, 0.0), (0.0, 0.0), (3.0, 0.0)])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(ExtrapolationWarning, match=r"^The point lies .* up to 25 % .*\(x = 0, y = 0\)"):
        ring(0, 0)


def test_every_way_to_ask(ring: tn.Solution) -> None:
    prepared = tn.prepare(ring.problem, neurons=40)
    for ask in (
        lambda: ring(x=2, y=2),
        lambda: ring["u"](2, 2),
        lambda: ring.evaluate(sp.diff(u, x), [(2, 2)]),
        lambda: ring.evaluate(tn.grad(u), [(2, 2)]),
        lambda: prepared.solve_many([{}, {}])([(2, 2)]),
    ):
        with pytest.warns(ExtrapolationWarning) as caught:
            ask()
        assert len(caught) == 1
        assert caught[0].filename == __file__


def test_pictures_and_files_do_not_warn(ring: tn.Solution, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ExtrapolationWarning)
        ring.plot(resolution=20)
        ring.plot(sp.diff(u, x), resolution=20)
        ring.plot(error_against=x * y, resolution=20)
        ring.plot_residual(resolution=20)
        for kind in ("vtu", "csv", "npz"):
            ring.export(tmp_path / f"ring.{kind}", resolution=20)


def test_coordinates_one_by_one(ring: tn.Solution) -> None:
    assert ring(0.6, 0.2) == ring([(0.6, 0.2)])[0] == ring(x=0.6, y=0.2)
    grid = np.linspace(-0.1, 0.1, 5)
    assert np.array_equal(ring(0.7, grid), ring(x=0.7, y=grid))
    assert np.array_equal(ring.evaluate(u, 0.7, grid), ring(0.7, grid))
    with pytest.raises(ProblemError, match=r"3 coordinates were given, but the solution depends on 2: x, y"):
        ring(0.1, 0.2, 0.3)


def test_an_unknown_in_words(ring: tn.Solution) -> None:
    assert np.array_equal(ring.evaluate("u", 0.6, 0.2), ring(0.6, 0.2))
    with pytest.raises(ProblemError, match=r"no unknown 'u\*\*2'\. .* such as sympy\.diff\(u\(x, y\), x\)"):
        ring.evaluate("u**2")
    with pytest.raises(ProblemError, match=r"The unknown is written u\(x, y\)"):
        ring.evaluate(2 * sp.Symbol("u"), 0.6, 0.2)


def test_a_residual_that_is_zero_everywhere_is_drawn():
    import sympy as sp

    import transnet as tn

    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    around = tn.Exterior(tn.Disk(radius=1))
    problem = tn.Problem(around, [tn.laplacian(u)], [tn.on("circle", sp.Eq(u, x)), tn.at_infinity(u)])
    assert tn.solve(problem).plot_residual().figure.axes
