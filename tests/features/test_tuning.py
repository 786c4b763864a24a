"""Tuning by random functions: the search, what it finds, and the published landscape."""

import numpy as np
import pytest

import transnet as tn
from transnet.features.auxiliary import grid, setting
from transnet.features.search import golden, lowest

PUBLISHED = {
    (0.5, 100): 1.309e-05, (0.5, 500): 4.851e-17, (1.0, 100): 1.193e-11, (1.0, 500): 4.228e-19,
}  # fmt: skip
"""The smallest published mean-square errors in 2D, by correlation length and neurons."""


def test_golden_section():
    calls = []

    def f(x):
        calls.append(x)
        return np.cosh(x - 3.21)

    x, value = golden(f, 0.0, 0.3, 0.01)
    assert abs(x - 3.21) <= 0.01
    assert value == f(x)
    assert len(calls) < 25


@pytest.mark.parametrize("start", [-4.0, 0.0, 4.0])
def test_minimise_a_tilted_bowl(start):
    def f(x):
        return (x[0] - 1) ** 2 + 2 * (x[1] + 0.5) ** 2 + 0.3 * (x[0] - 1) * (x[1] + 0.5)

    x, _ = lowest(f, np.array([start, -start]), np.array([0.4, 0.2]), 0.01)
    assert np.allclose(x, [1.0, -0.5], atol=0.05)


def test_a_function_that_falls_for_ever_ends():
    x, _ = golden(lambda x: -x, 0.0, 0.1, 0.05)
    assert x > 1.0


def test_one_factorisation_is_all_least_squares_problems():
    """The error read off the triangle is the mean of K separate least-squares fits."""
    family, target = setting(2, 40, 0.8, 4, "tanh", 300, False, 1.0, "quasi", 0, None)
    space = family.space(1.1, 1.5, (1.0, 1.0))
    matrix, values = space(target.fitted), target.values
    alpha = np.linalg.lstsq(matrix, values, rcond=None)[0]
    assert target.error(space) == pytest.approx(np.mean((matrix @ alpha - values) ** 2), rel=1e-6)


def test_the_tuned_shape_is_the_minimum_of_the_landscape():
    tuned = tn.tune(2, 60, 0.8, radius=1.7, realisations=5)
    shapes = tuned.shape * np.geomspace(0.25, 4.0, 9)
    errors = tn.landscape(2, 60, 0.8, shapes, radius=1.7, realisations=5)
    assert tuned.error == errors[4]
    assert errors.min() >= 0.7 * tuned.error  # the landscape has wiggles, but no better valley
    assert errors[0] > 10 * tuned.error
    assert errors[-1] > 10 * tuned.error
    assert tuned.error == min(t.error for t in tuned.history)
    assert np.array_equal(tuned.space.weights, tn.FeatureSpace.uniform(2, 60, tuned.shape, 1.7).weights)


def test_same_seed_same_space():
    a, b = (tn.FeatureSpace.tuned(2, 30, 1.0, radius=1.7, realisations=2, seed=3) for _ in range(2))
    assert np.array_equal(a.weights, b.weights)


@pytest.mark.parametrize("activation", ["tanh", "gauss", "sin"])
def test_more_neurons_fit_better(activation):
    errors = [
        tn.tune(2, m, 0.8, radius=1.7, realisations=4, activation=activation, tol=0.1).error for m in (30, 60, 120)
    ]
    assert errors[0] > 30 * errors[1] > 900 * errors[2]


def test_radius_tuned_together_is_no_worse():
    fixed = tn.tune(2, 60, 0.8, radius=1.0, realisations=4, tol=0.1)
    free = tn.tune(2, 60, 0.8, realisations=4, tol=0.1)
    assert free.error <= fixed.error
    assert free.radius != fixed.radius


def test_per_axis_shapes_for_functions_that_vary_along_one_axis():
    """Functions four times as fast along x: a factor for each axis gains decades, and points the right way."""
    common = tn.tune(2, 80, (0.4, 1.6), realisations=4, radius=1.9, tol=0.1)
    own = tn.tune(2, 80, (0.4, 1.6), realisations=4, radius=1.9, tol=0.1, per_axis=True)
    assert own.factors[0] > 1.5 * own.factors[1]
    assert own.factors[0] * own.factors[1] == pytest.approx(1.0)
    assert own.error < 0.1 * common.error


def test_a_spread_of_shapes():
    tuned = tn.tune(2, 60, 0.8, realisations=3, radius=1.7, spread=4.0, tol=0.1)
    shapes = tuned.space.shapes
    assert shapes.max() / shapes.min() == pytest.approx(4.0, rel=0.1)
    assert np.exp(np.log(shapes).mean()) == pytest.approx(tuned.shape, rel=0.05)
    assert tuned.error < 1e-5


def test_progress(capsys):
    seen = []
    tuned = tn.tune(1, 10, 0.8, realisations=2, radius=1.3, progress=lambda number, trial: seen.append((number, trial)))
    assert [n for n, _ in seen] == list(range(1, len(tuned.history) + 1))
    tn.landscape(1, 10, 0.8, [1.0, 2.0], 2, radius=1.3, progress=True)
    assert capsys.readouterr().err.count("rms error") == 2


@pytest.mark.parametrize(("length", "neurons"), PUBLISHED)
def test_published_landscape(length, neurons):
    """At the published dimension, neurons, correlation length and radius our tuned space has a smaller error.

    The published setting: a 50 x 50 grid of [-1, 1]^2, a ball of radius 1.5, the error on the fitted points.
    """
    tuned = tn.tune(2, neurons, length, radius=1.5, points=grid(2, 50), held_out=False, tol=0.2)
    assert tuned.error < PUBLISHED[length, neurons]


def test_published_setting_reproduces_the_published_curve():
    """Independent neurons and the mean (not the sum) over realisations: within the scatter between draws."""
    published = {0.2: 6.355e-03, 0.6: 2.700e-05, 1.0: 1.7e-05, 2.0: 4.4e-05, 3.0: 1.7e-04, 4.0: 5.7e-04}
    settings = {"radius": 1.5, "placement": "random", "points": grid(2, 50), "held_out": False}
    ours = tn.landscape(2, 100, 0.5, list(published), **settings)
    assert np.abs(np.log10(ours / np.array(list(published.values())))).max() < 1.6


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="do not determine"):
        tn.tune(2, 100, 1.0, points=50)
    with pytest.raises(ValueError, match="spread is the ratio"):
        tn.tune(2, 10, 1.0, spread=0.5)
    with pytest.raises(ValueError, match="no activation"):
        tn.tune(2, 10, 1.0, activation="relu")
    with pytest.raises(ValueError, match="at least one"):
        tn.tune(0, 10, 1.0)
    with pytest.raises(ValueError, match=r"\(J, 2\)"):
        tn.tune(2, 10, 1.0, points=np.zeros((100, 3)))
