"""Singular features: their derivatives, and where they are smooth."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

import transnet as tn
from transnet.features.evaluate import evaluate, write_rows
from transnet.features.singular import Singular

POINTS = np.array([(0.31, 0.4), (-0.52, 0.27), (0.8, -0.65), (-0.4, -0.3), (0.05, 0.9)])
ROTATED = (0.4, 0.3, -0.25, 0.45)
INDICES = [(i, n - i) for n in range(5) for i in range(n + 1)]
FUNCTIONS = {
    "a pole": (0.0, -3.0, 0, 0),
    "around a segment": (-0.13, -5.0, 0, 0),
    "the logarithm of a segment": (-0.13, 0.0, 1, 0),
    "around a segment, with bars": (-0.13, -3.0, 0, 2),
    "a high pole": (0.0, -12.0, 0, 0),
    "a logarithm": (0.0, 0.0, 1, 0),
    "two thirds": (0.0, 2 / 3, 0, 0),
    "a resonance": (0.0, 2.0, 1, 0),
    "with a bar": (0.0, 2 / 3, 0, 1),
    "with three bars": (0.0, 1.5, 1, 3),
    "a cut that ends": (0.7, 2 / 3, 0, 0),
    "a resonance whose cut ends": (0.7, 2.0, 1, 2),
}


def table(s: float, alpha: float, p: int, j: int, frame: tuple[float, ...] = ROTATED) -> Singular:
    """Both parts of one function at (0.1, -0.2); a negative s stands for a segment of that half length."""
    ends = (0.0, -s) if s < 0 else (s, 0.0)
    return Singular(np.array([[0.1, -0.2, *frame, *ends, alpha, p, j, part, 0] for part in (0, 1)]))


def exactly(s: float, alpha: float, p: int, j: int, index: tuple[int, int], point: np.ndarray) -> complex:
    """A derivative in fifty digits, by mpmath."""

    def function(a: mp.mpf, b: mp.mpf) -> mp.mpc:
        z = mp.mpc(*ROTATED[:2]) * (a - mp.mpf(0.1)) + mp.mpc(*ROTATED[2:]) * (b + mp.mpf(0.2))
        zeta = z / (1 + s * z) if s >= 0 else (z + mp.sqrt(z + s) * mp.sqrt(z - s)) / 2
        return zeta**alpha * mp.log(zeta) ** p * mp.conj(z) ** j

    with mp.workdps(50):
        return complex(mp.diff(function, tuple(map(mp.mpf, map(float, point))), index))


@pytest.mark.parametrize("which", FUNCTIONS)
def test_derivatives_up_to_the_fourth_order(which):
    found = table(*FUNCTIONS[which])
    for index in INDICES:
        values = found.apply(POINTS, [(index, 1.0)])
        wanted = np.array([exactly(*FUNCTIONS[which], index, p) for p in POINTS])
        size = np.abs(wanted).max() + 1e-30
        np.testing.assert_allclose(values[0], wanted.real, rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(values[1], wanted.imag, rtol=0, atol=1e-12 * size)


def test_sums_of_functions_are_the_sums_of_what_each_is():
    plain = [name for name, (_, _, _, j) in FUNCTIONS.items() if j == 0]
    turned = (0.3, -0.4, 0.2, 0.5)
    several = [[(index, 1.0)] for index in INDICES] + [[((2, 0), 2.0), ((0, 1), POINTS[:, 0])]]
    for names in (FUNCTIONS, plain):
        tables = [table(*FUNCTIONS[name], frame=frame).table for name in names for frame in (ROTATED, turned)]
        found = Singular(np.concatenate(tables))
        alpha = np.random.default_rng(0).standard_normal((len(found), 3))
        for terms in (several[:-1], several):
            for sums, each in zip(found.summed(POINTS, terms, alpha), found.apply_each(POINTS, terms), strict=True):
                np.testing.assert_allclose(sums, each.T @ alpha, rtol=0, atol=1e-12 * np.abs(each).max())


@pytest.mark.parametrize("which", [k for k, (_, _, _, j) in FUNCTIONS.items() if j == 0])
def test_without_bars_they_solve_the_equation_of_their_frame(which):
    """a + b mu + c mu^2 = 0 with z = turn (x + mu y): here a = 1, b = 1, c = 2."""
    mu = (-1 + 1j * np.sqrt(7)) / 4
    turn = 0.4 + 0.3j
    found = table(*FUNCTIONS[which], frame=(turn.real, turn.imag, (mu * turn).real, (mu * turn).imag))
    coefficients = [((2, 0), 1.0), ((1, 1), 1.0), ((0, 2), 2.0)]
    size = np.abs(found.apply(POINTS, [((2, 0), 1.0)])).max()
    assert np.abs(found.apply(POINTS, coefficients)).max() < 1e-13 * size


def test_the_branch_is_cut_along_the_segment_only():
    s = 2.0
    found = table(s, 2 / 3, 0, 0, frame=(1.0, 0.0, 0.0, 1.0))
    across = np.array([[0.1 + t, -0.2 + h] for t in (-0.3, -0.7, 0.3) for h in (1e-12, -1e-12)])
    jump = np.ptp(found.apply(across, [((0, 0), 1.0)]).reshape(2, 3, 2), axis=2).max(axis=0)
    assert jump[0] > 0.1  # on the segment from z = 0 to -1/s
    assert jump[1:].max() < 1e-10


def test_at_the_corner_itself_the_value_is_finite():
    found = table(0.0, 1 / 3, 0, 0)
    assert np.abs(found.apply(np.array([[0.1, -0.2]]), [((0, 0), 1.0)])).max() < 1e-19
    assert np.isfinite(found.apply(np.array([[0.1, -0.2]]), [((2, 2), 1.0)])).all()


def enriched(neurons: int = 30) -> tn.FeatureSpace:
    return tn.FeatureSpace.waves(2, neurons, 0.2).with_singular(tn.singularities(tn.Annulus(), poles=10))


def test_rows_values_and_sums_agree():
    space, rng = enriched(), np.random.default_rng(0)
    assert space.size == 1 + 21 + 30
    assert space.singular.early < 21, "the highest poles come after the neurons"
    alpha = rng.standard_normal((space.size, 2))
    features = space(POINTS)
    varying = rng.standard_normal(len(POINTS))
    terms = [((2, 0), np.array(1.0)), ((0, 1), varying), ((0, 0), np.array(3.0))]
    rows = np.empty((space.size, len(POINTS)))
    write_rows(space, POINTS, [(rows, terms)])
    sums = evaluate(space, alpha, POINTS, [(2, 0), (0, 1), (0, 0)])
    np.testing.assert_allclose(sums[2], features @ alpha, rtol=1e-12)
    combined = sums[0] + varying[:, None] * sums[1] + 3.0 * sums[2]
    np.testing.assert_allclose(rows.T @ alpha, combined, rtol=1e-10, atol=1e-10 * np.abs(combined).max())


def test_a_space_keeps_them_in_a_file(tmp_path):
    space = enriched()
    again = tn.FeatureSpace.load(space.save(tmp_path / "space"))
    np.testing.assert_array_equal(again(POINTS), space(POINTS))
    assert "singular=21" in repr(again)


def test_a_table_that_is_none_is_refused():
    with pytest.raises(ValueError, match="a table of finite numbers"):
        Singular(np.ones((2, 3)))
    with pytest.raises(ValueError, match="late functions are last"):
        Singular(np.array([[0, 0, 1, 0, 0, 1, 0, 0, 1.5, 0, 0, 0, late] for late in (1, 0)]))
    with pytest.raises(ValueError, match="functions of two coordinates"):
        tn.FeatureSpace.waves(3, 10, 0.1).with_singular(tn.singularities(tn.Annulus()))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("which", FUNCTIONS)
def test_far_from_the_domain_nothing_is_said(which):
    """In the middle of a hole, and on a segment in it, powers are not finite; no warning comes from there."""
    middle = np.array([[0.1, -0.2], [0.1 + 1e-9, -0.2]])
    table(*FUNCTIONS[which]).apply(middle, [((2, 0), 1.0), ((0, 1), np.ones(2))])
