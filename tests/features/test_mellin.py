"""Exponents at corners, against the transcendental equations that are known for plates, slow flow and elasticity."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from transnet.features.mellin import mellin_exponents
from transnet.features.sector import Sector, smallest_singular_value
from transnet.features.singular import Chart, Function, Singular

PLATE = [(0, (4, 0), 1.0), (0, (2, 2), 2.0), (0, (0, 4), 1.0)]
LAPLACE = [(0, (2, 0), 1.0), (0, (0, 2), 1.0)]
STOKES = [
    [(0, (2, 0), -1.0), (0, (0, 2), -1.0), (2, (1, 0), 1.0)],
    [(1, (2, 0), -1.0), (1, (0, 2), -1.0), (2, (0, 1), 1.0)],
    [(0, (1, 0), 1.0), (1, (0, 1), 1.0)],
]
HELD = [[(0, (0, 0), 1.0)], [(1, (0, 0), 1.0)]]
LAME, SHEAR = 1.5, 1.0


def clamped(angle: float) -> list:
    return [[(0, (0, 0), 1.0)], [(0, (1, 0), -np.sin(angle)), (0, (0, 1), np.cos(angle))]]


def elastic() -> list:
    lam, mu = LAME, SHEAR
    return [
        [(0, (2, 0), lam + 2 * mu), (0, (0, 2), mu), (1, (1, 1), lam + mu)],
        [(1, (0, 2), lam + 2 * mu), (1, (2, 0), mu), (0, (1, 1), lam + mu)],
    ]


def free(n: tuple[float, float]) -> list:
    lam, mu = LAME, SHEAR
    return [
        [(0, (1, 0), (lam + 2 * mu) * n[0]), (1, (0, 1), lam * n[0]), (0, (0, 1), mu * n[1]), (1, (1, 0), mu * n[1])],
        [(1, (0, 1), (lam + 2 * mu) * n[1]), (0, (1, 0), lam * n[1]), (0, (0, 1), mu * n[0]), (1, (1, 0), mu * n[0])],
    ]


@pytest.mark.parametrize("opening", [0.9, np.pi / 2, 2.0, 1.5 * np.pi, 5.6])
def test_a_clamped_plate_has_the_exponents_of_williams(opening: float) -> None:
    sector = Sector([PLATE], (clamped(0.3), clamped(0.3 + opening)), (0.3, 0.3 + opening), 1)
    found = np.array([p.value for p in mellin_exponents(sector, 8.0)])
    above = found - 1.0
    np.testing.assert_allclose(np.sin(above * opening) ** 2, above**2 * np.sin(opening) ** 2, atol=1e-9)
    # The argument principle counts the zeros between the first and the last: none is missed.
    assert len(found) == _counted(opening, 8.0)


def _counted(opening: float, degree: float) -> int:
    """Zeros of sin^2(a w) - a^2 sin^2 w with 0 < Re a <= degree - 1 and Im a >= 0 without a = 1, by its argument."""
    low, high, top = 0.03, degree - 1.0, 8.0 / opening
    corners = [low - top * 1j, high - top * 1j, high + top * 1j, low + top * 1j, low - top * 1j]
    path = np.concatenate([a + (b - a) * np.linspace(0, 1, 20001) for a, b in pairwise(corners)])
    values = np.sin(path * opening) ** 2 - path**2 * np.sin(opening) ** 2
    turns = round(float(np.sum(np.angle(values[1:] / values[:-1]))) / (2 * np.pi)) - 1  # without a = 1
    real = np.linspace(low, high, 20001)
    signs = np.sin(real * opening) ** 2 - real**2 * np.sin(opening) ** 2
    alone = int(np.sum(signs[1:] * signs[:-1] < 0)) - 1
    return alone + (turns - alone) // 2


def test_slow_flow_has_those_of_moffatt_and_of_dean_and_montagnon() -> None:
    opening = 1.5 * np.pi
    powers = mellin_exponents(Sector(STOKES, (HELD, HELD), (0.0, opening), 3), 3.0)
    found = [p.value for p in powers if p.value != 1.0]  # a constant pressure
    assert found[0] == pytest.approx(0.5444837367824641)
    assert found[1] == pytest.approx(0.9085291898460992)
    for value in found:
        assert np.sin(value * opening) ** 2 == pytest.approx(value**2 * np.sin(opening) ** 2, abs=1e-10)
    # The velocities have z^lambda and conj(z) z^(lambda - 1), the pressure z^(lambda - 1).
    assert powers[0].parts == ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (2, 0, 0))


def test_elastic_bodies() -> None:
    opening, ratio = 1.5 * np.pi, (LAME + 3 * SHEAR) / (LAME + SHEAR)
    angles = (0.0, opening)
    loose = [p.value for p in mellin_exponents(Sector(elastic(), (free((0, -1)), free((-1, 0))), angles, 2), 2.0)]
    assert loose[0] == pytest.approx(0.5444837367824641)
    held = [p.value for p in mellin_exponents(Sector(elastic(), (HELD, HELD), angles, 2), 2.0)]
    for value in held:
        assert (ratio * np.sin(value * opening)) ** 2 == pytest.approx((value * np.sin(opening)) ** 2, abs=1e-9)
    mixed = [p.value for p in mellin_exponents(Sector(elastic(), (HELD, free((-1, 0))), angles, 2), 1.0)]
    assert mixed[0].imag > 0.03  # stresses that oscillate


def test_potentials_have_multiples_of_a_half_turn() -> None:
    value = [[(0, (0, 0), 1.0)]]
    found = [p.value for p in mellin_exponents(Sector([LAPLACE], (value, value), (0.0, 1.5 * np.pi), 1), 5.0)]
    np.testing.assert_allclose(found, 2 / 3 * np.arange(1, 8), atol=1e-12)
    slanted = [[(0, (1, 0), 1.0), (0, (0, 1), 1.0)]]  # an oblique derivative along y = 0, three eighths of a turn
    found = [p.value for p in mellin_exponents(Sector([LAPLACE], (slanted, value), (0.0, np.pi), 1), 3.0)]
    assert found[0].real == pytest.approx(0.25) or found[0].real == pytest.approx(0.75)


def test_what_is_no_elliptic_system_is_told() -> None:
    wave = [(0, (2, 0), 1.0), (0, (0, 2), -1.0)]
    assert not Sector([wave], ([[(0, (0, 0), 1.0)]], [[(0, (0, 0), 1.0)]]), (0.0, 2.0), 1).well_posed
    assert not Sector([PLATE], ([[(0, (0, 0), 1.0)]], clamped(2.0)), (0.0, 2.0), 1).well_posed


@pytest.mark.parametrize("bars", [0, 1, 2])
def test_complex_powers_are_differentiated(bars: int) -> None:
    frame = Chart(0.1, -0.2, 0.9, 0.3, -0.3, 0.9)
    functions = Singular.of(
        Function(frame, 2.7, bars=bars, imaginary=k, beta=sign * 1.1) for k in (0, 1) for sign in (1.0, -1.0)
    )
    points, h = np.array([[0.7, 0.3], [0.4, 0.9]]), 1e-5
    for index in ((1, 0), (1, 1), (0, 3)):
        axis = 0 if index[0] else 1
        below = tuple(n - (k == axis) for k, n in enumerate(index))
        step = h * np.eye(2)[axis]
        ahead, behind = (functions.apply(points + side * step, [(below, 1.0)]) for side in (1, -1))
        np.testing.assert_allclose(functions.apply(points, [(index, 1.0)]), (ahead - behind) / (2 * h), rtol=1e-6)


def test_functions_that_coincide_have_no_smallest_singular_value():
    """Where two powers are the same function no combination of norm one is left: not an exponent, and not a crash."""
    apart = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 2)))[0]
    same = np.stack([apart[:, 0], np.zeros(5)], axis=1)
    rows = np.stack([apart, apart])
    found = smallest_singular_value(rows, np.stack([apart, same]), np.array([1.0, 0.0]), 2)
    assert np.isclose(found[0], 1.0)
    assert np.isinf(found[1])
