"""Complex unknowns and vectors: stated as one, solved as their real parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError
from transnet.problem.complex import real_and_imaginary

x, y, t = sp.symbols("x y t")


def test_a_free_wave_function() -> None:
    psi = tn.unknown("psi", x, t, complex=True)
    exact = sp.exp(sp.I * (x - t / 2))
    sides = [tn.on(part, sp.Eq(psi, exact)) for part in ("x=0", "x=2")]
    problem = tn.Problem(
        tn.Interval(x=(0, 2)) * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.I * sp.diff(psi, t), -sp.diff(psi, x, 2) / 2)],
        [tn.on("t=0", sp.Eq(psi, sp.exp(sp.I * x))), *sides],
    )
    solution = tn.solve(problem, neurons=150)
    points = problem.domain.interior(40)
    truth = np.exp(1j * (points[:, 0] - points[:, 1] / 2))
    assert np.abs(solution(points) - truth).max() < 1e-9
    assert np.abs(solution["psi"](points) - truth).max() < 1e-9
    assert np.abs(solution.evaluate(sp.Abs(psi) ** 2, points) - 1).max() < 1e-8


def test_impedance_and_a_file(tmp_path: Path) -> None:
    u = tn.unknown("u", x, complex=True)
    left = tn.on("x=0", sp.Eq(sp.diff(u, x) + 5 * sp.I * u, 10 * sp.I))
    right = tn.on("x=1", sp.Eq(sp.diff(u, x) - 5 * sp.I * u, 0))
    solution = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(u, x, 2) + 25 * u], [left, right]), neurons=60)
    points = np.linspace(0, 1, 9)
    assert np.abs(solution(points) - np.exp(5j * points)).max() < 1e-9
    again = tn.load(solution.save(tmp_path / "wave.npz"))
    assert np.array_equal(again(points), solution(points))


def test_a_vector_unknown() -> None:
    v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
    exact = sp.Matrix([sp.sin(x) * sp.cos(y), -sp.cos(x) * sp.sin(y)])
    force = -exact.diff(x, 2) - exact.diff(y, 2) + sp.Matrix([y, x])
    problem = tn.Problem(
        tn.Disk(radius=1),
        [sp.Eq(-tn.laplacian(v) + tn.grad(p), force), tn.div(v)],
        [tn.on("boundary", sp.Eq(v, exact)), tn.mean(p)],
    )
    solution = tn.solve(problem, neurons=200)
    points = problem.domain.interior(20)
    truth = np.column_stack([np.sin(points[:, 0]) * np.cos(points[:, 1]), -np.cos(points[:, 0]) * np.sin(points[:, 1])])
    assert solution["v"](points).shape == (20, 2)
    assert np.abs(solution[v](points) - truth).max() < 1e-8
    assert solution.evaluate(tn.curl(v), points).shape == (20,)


def test_parts_of_expressions() -> None:
    a, b = (sp.Function(n, real=True)(x) for n in ("psi_re", "psi_im"))
    real, imaginary = real_and_imaginary(sp.exp(sp.I * x) * (a + sp.I * b) * sp.exp(-sp.I * t))
    assert sp.simplify(real - (a * sp.cos(x - t) - b * sp.sin(x - t))) == 0
    assert sp.simplify(imaginary - (a * sp.sin(x - t) + b * sp.cos(x - t))) == 0


def test_the_imaginary_unit_needs_a_complex_unknown() -> None:
    u = tn.unknown("u", x)
    with pytest.raises(ProblemError, match="complex=True"):
        tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(u, x, 2) + sp.I * u], [tn.on("boundary", u)])


def test_conditions_of_complex_unknowns_by_data_means_periods_and_guesses() -> None:
    u = tn.unknown("u", x, complex=True)
    exact = sp.exp(2 * sp.pi * sp.I * x) + 1 + 2 * sp.I
    places = np.array([0.1])
    measured = tn.data(u, places, np.exp(2j * np.pi * places) + 1 + 2j)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(sp.diff(u, x, 2), sp.diff(exact, x, 2))],
        [tn.periodic(x, u), tn.mean(u, 1 + 2 * sp.I), measured],
    )
    assert len(problem.conditions) == 5
    solution = tn.solve(problem, neurons=60)
    points = np.linspace(0, 1, 9)
    assert np.abs(solution(points) - np.exp(2j * np.pi * points) - 1 - 2j).max() < 1e-8
    start = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x), u**2)], [tn.on("x=0", sp.Eq(u, sp.I))])
    found = tn.solve(start, neurons=40, guess={u: sp.I - x})
    assert np.abs(found(points) - 1 / (-1j - points)).max() < 1e-8
    with pytest.raises(ProblemError, match="which is real"):
        tn.data(tn.unknown("v", x), places, [1j])


def test_a_complex_coefficient_by_piece() -> None:
    x = sp.Symbol("x")
    psi = tn.unknown("psi", x, complex=True)
    absorbing = tn.by_piece(free=1, layer=1 + 6 * sp.I * (x - 1) ** 2)  # a perfectly matched layer
    wave = sp.diff(sp.diff(psi, x) / absorbing, x) + 64 * absorbing * psi
    domain = tn.Pieces(free=tn.Interval(x=(0, 1)), layer=tn.Interval(x=(1, 2)))
    solution = tn.solve(tn.Problem(domain, [wave], [tn.on("x=0", sp.Eq(psi, 1)), tn.on("x=2", psi)]))
    places = np.linspace(0, 2, 41)
    stretched = places + 2j * np.maximum(places - 1, 0) ** 3
    exact = np.sin(8 * (2 + 2j - stretched)) / np.sin(8 * (2 + 2j))
    assert np.abs(solution(places[:, None]) - exact).max() < 1e-6


def test_a_complex_jump() -> None:
    psi = tn.unknown("psi", x, complex=True)
    domain = tn.Pieces(left=tn.Interval(x=(0, 1)), right=tn.Interval(x=(1, 2)))
    jumps = tn.on("left|right", sp.Eq(tn.jump(psi), 1 + 2 * sp.I), sp.Eq(tn.jump(sp.I * sp.diff(psi, x)), 3))
    problem = tn.Problem(domain, [sp.diff(psi, x, 2)], [tn.on("x=0", psi), tn.on("x=2", psi), jumps])
    # a x on the left and b (x - 2) on the right: -b - a = 1 + 2i and b - a = -3i.
    a, b = (-1 + 1j) / 2, (-1 - 5j) / 2
    solution = tn.solve(problem)
    assert np.allclose(solution([[0.5], [1.5]]), [0.5 * a, -0.5 * b], atol=1e-8)


def test_the_phase_and_the_modulus_of_a_solution():
    psi = tn.unknown("psi", x, complex=True)
    wave = sp.exp(2 * sp.I * x)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(psi, x, 2) + 4 * psi, 0)], [tn.on("boundary", sp.Eq(psi, 3 * wave))]
    )
    solution = tn.solve(problem, tol=1e-9)
    points = np.linspace(0, 1, 7)
    assert np.allclose(solution.evaluate(sp.arg(psi), x=points), 2 * points, atol=1e-8)
    assert np.allclose(solution.evaluate(sp.Abs(psi), x=points), 3, atol=1e-8)
    with pytest.raises(ProblemError, match="cannot be split"):
        solution.evaluate(sp.gamma(psi), x=points)
