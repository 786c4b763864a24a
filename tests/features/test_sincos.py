"""Sine and cosine together, and pairs of sines evaluated once."""

import mpmath
import numpy as np
import pytest

import transnet as tn
from transnet.features import sincos as module
from transnet.features.evaluate import evaluate, write_rows
from transnet.features.sincos import by_convergents, sincos, tangent_convergent


@pytest.mark.parametrize("tangent", [True, False])
@pytest.mark.parametrize("size", [1e-300, 1e-8, 0.1, 1.0, 10.0, 1e3])
def test_sincos_has_the_digits_of_its_argument(size, tangent, monkeypatch):
    monkeypatch.setattr(module, "TANGENT", tangent)
    z = size * np.random.default_rng(0).uniform(-1, 1, 500)
    exact = np.array([[float(mpmath.sin(v)), float(mpmath.cos(v))] for v in z]).T
    sine, cosine = sincos(z.copy())
    assert np.abs(sine - exact[0]).max() <= 1e-15
    assert np.abs(cosine - exact[1]).max() <= 1e-15
    # Small arguments keep their relative digits.
    assert np.all(np.abs(sine - exact[0]) <= 1e-15 * np.maximum(np.abs(exact[0]), min(size, 1.0)))


@pytest.mark.parametrize("tangent", [True, False])
def test_sincos_at_multiples_of_a_quarter_turn_and_without_cosine(tangent, monkeypatch):
    monkeypatch.setattr(module, "TANGENT", tangent)
    z = 0.5 * np.pi * np.arange(-9, 10)
    sine, cosine = sincos(z.copy())
    assert np.abs(sine - np.sin(z)).max() < 1e-15
    assert np.abs(cosine - np.cos(z)).max() < 1e-15
    assert np.array_equal(sincos(z.copy(), cosine=False)[0], sine)


def test_both_ways_agree_in_arrays_of_any_shape_and_order():
    z = np.random.default_rng(1).uniform(-30, 30, (3, 70, 101))
    for array in (z, z[:, :, ::2], z.T, z[:0]):
        for ours, theirs in zip(sincos(array.copy("K")), by_convergents(array.copy()), strict=True):
            assert ours.shape == array.shape
            assert np.abs(ours - theirs).max(initial=0.0) < 2e-15


def test_the_convergents_of_the_tangent():
    above, below = tangent_convergent(3)
    # tan x / x = (15 - x^2) / (15 - 6 x^2) after three steps.
    assert above == pytest.approx((15.0, -1.0))
    assert below == pytest.approx((15.0, -6.0))


def test_pairs_are_evaluated_as_the_single_neurons_they_are():
    space = tn.FeatureSpace.waves(2, 40, 0.2)
    assert space.paired
    shuffled = np.random.default_rng(1).permutation(40)
    single = tn.FeatureSpace(space.weights[shuffled], space.biases[shuffled], space.activation)
    assert not single.paired
    points = np.random.default_rng(2).uniform(-1, 1, (70, 2))
    terms = [((2, 0), np.array(1.5)), ((0, 1), points[:, 0]), ((1, 1), np.array(-1.0)), ((0, 0), np.array(2.0))]
    rows, expected = np.empty((41, 70)), np.empty((41, 70))
    write_rows(space, points, [(rows, terms)])
    write_rows(single, points, [(expected, terms)])
    order = np.concatenate([[0], 1 + shuffled])
    assert np.allclose(rows[order], expected, atol=1e-12)
    alpha = np.random.default_rng(3).standard_normal((41, 2))
    indices = [(0, 0), (1, 0), (2, 1)]
    assert np.allclose(
        evaluate(space, alpha, points, indices), evaluate(single, alpha[order], points, indices), atol=1e-11
    )


def test_what_is_not_a_pair_is_not_taken_for_one():
    space = tn.FeatureSpace.waves(2, 40, 0.2)
    assert not tn.FeatureSpace.waves(2, 41, 0.2).paired
    assert not tn.FeatureSpace(space.weights, space.biases, "tanh").paired
    assert not tn.FeatureSpace(space.weights, 2 * space.biases, "sin").paired
