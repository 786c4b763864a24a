"""Gaussian-process realisations against the covariance they should have, and against gstools."""

import numpy as np
import pytest

from transnet.features.random_fields import correlation, random_fields


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 6])
def test_covariance_of_the_waves(dimension):
    """The covariance of a sum of waves, over its amplitudes, is that of the process."""
    fields = random_fields(dimension, 0.7, 1, seed=4)
    h = np.random.default_rng(0).uniform(-1, 1, (300, dimension))
    exact = correlation(np.linalg.norm(h, axis=1), 0.7)
    worst = np.abs(fields.covariance(h) - exact).max()
    assert worst < {1: 1e-3, 2: 1e-2, 3: 2e-2, 4: 5e-2, 6: 1e-1}[dimension]


def test_sample_covariance():
    """Over many realisations the values have zero mean, unit variance and the covariance of the process."""
    fields = random_fields(2, 0.5, 4000, modes=300, seed=1)
    points = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, -0.6], [1.0, 1.0]])
    values = fields(points)
    distance = np.linalg.norm(points[:, None] - points, axis=2)
    assert np.abs(values.mean(axis=1)).max() < 5 / np.sqrt(4000)
    assert np.abs(np.cov(values) - correlation(distance, 0.5)).max() < 0.1


@pytest.mark.parametrize(("dimension", "length"), [(1, 0.3), (2, 0.5), (3, 1.0)])
def test_gstools_has_the_same_model(dimension, length):
    gstools = pytest.importorskip("gstools")
    model = gstools.Gaussian(dim=dimension, var=1.0, len_scale=length)
    r = np.linspace(0.0, 3.0, 50)
    assert np.allclose(model.covariance(r), correlation(r, length), atol=1e-14)
    assert model.integral_scale == pytest.approx(length)
    h = np.zeros((50, dimension))
    h[:, 0] = r
    fields = random_fields(dimension, length, 1, modes=4096)
    assert np.abs(fields.covariance(h) - model.covariance(r)).max() < 5e-3
    assert np.trapezoid(fields.covariance(h), r) == pytest.approx(length, abs=5e-3)


def test_gstools_fields_have_the_same_statistics():
    """Realisations of both have the same empirical variogram, within the scatter of 60 draws."""
    gstools = pytest.importorskip("gstools")
    rng = np.random.default_rng(2)
    start, step = rng.uniform(-1, 1, (40, 2)), np.array([[0.2, 0.0]])
    both = np.vstack([start, start + step])
    ours = random_fields(2, 0.5, 60, seed=3)(both)
    model = gstools.Gaussian(dim=2, var=1.0, len_scale=0.5)
    theirs = np.column_stack([gstools.SRF(model, seed=s, mode_no=300)(both.T) for s in range(60)])
    variogram = [np.mean((v[:40] - v[40:]) ** 2) / 2 for v in (ours, theirs)]
    exact = 1.0 - correlation(0.2, 0.5)
    assert variogram == pytest.approx([exact, exact], rel=0.2)


def test_a_length_for_each_axis():
    fields = random_fields(2, (0.3, 1.2), 1, modes=4096)
    assert fields.correlation_lengths == (0.3, 1.2)
    h = np.array([[0.2, 0.0], [0.0, 0.8]])
    assert fields.covariance(h) == pytest.approx(np.exp(-0.25 * np.pi * np.array([4 / 9, 4 / 9])), abs=5e-3)


def test_seed_and_blocks():
    """The same seed gives the same functions, and the values do not depend on how points are blocked."""
    points = np.random.default_rng(0).uniform(-1, 1, (3000, 3))
    whole = random_fields(3, 0.5, 3, seed=7)(points)
    assert np.array_equal(whole, random_fields(3, 0.5, 3, seed=7)(points))
    assert not np.allclose(whole, random_fields(3, 0.5, 3, seed=8)(points))
    parts = np.vstack([random_fields(3, 0.5, 3, seed=7)(p) for p in np.array_split(points, 7)])
    assert np.allclose(whole, parts, atol=1e-13)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="positive number"):
        random_fields(2, 0.0)
    with pytest.raises(ValueError, match="one for each of the 2 axes"):
        random_fields(2, (1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match="at least one"):
        random_fields(2, 1.0, realisations=0)
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        random_fields(2, 1.0)(np.zeros((3, 3)))
