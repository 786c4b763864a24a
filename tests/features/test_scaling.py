"""The fitted laws: their scaling, and how close a predicted space comes to a tuned one."""

import numpy as np
import pytest

import transnet as tn
from transnet.features.scaling import spectral_scale, tanh_shape


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_scaling(dimension):
    """Doubling the neurons along each axis doubles the shape, up to rounding of M."""
    assert tanh_shape(dimension, 2**dimension * 50, 1.5) == pytest.approx(2 * tanh_shape(dimension, 50, 1.5))
    assert tanh_shape(dimension, 50, 6.0) == pytest.approx(tanh_shape(dimension, 50, 1.5) / 2)
    assert spectral_scale(dimension, 2**dimension * 50) == pytest.approx(2 * spectral_scale(dimension, 50))
    assert spectral_scale(dimension, 50, 0.5) > spectral_scale(dimension, 50, 1.0)


# Settings that the laws were not fitted to: other neurons, lengths, radii and seeds. The factors are for the
# root-mean-square error.
@pytest.mark.parametrize(
    ("dimension", "neurons", "length", "radius", "factor"),
    [(1, 25, 0.4, 1.5, 10.0), (2, 120, 0.7, 1.7, 6.0), (2, 250, 0.5, 2.1, 6.0), (3, 250, 1.2, 2.1, 3.0)],
)
def test_a_predicted_space_is_nearly_as_good_as_a_tuned_one(dimension, neurons, length, radius, factor):
    settings = {"realisations": 4, "radius": radius, "seed": 11}
    tuned = tn.tune(dimension, neurons, length, tol=0.15, **settings)
    predicted = tn.landscape(dimension, neurons, length, [tanh_shape(dimension, neurons, radius)], **settings)
    assert np.sqrt(predicted[0] / tuned.error) < factor


@pytest.mark.parametrize(("dimension", "neurons", "length", "factor"), [(1, 30, 0.4, 30.0), (2, 150, 0.8, 5.0)])
def test_a_predicted_spectral_space(dimension, neurons, length, factor):
    settings = {"realisations": 4, "seed": 11, "activation": "sin"}
    tuned = tn.tune(dimension, neurons, length, tol=0.15, **settings)
    scales = [spectral_scale(dimension, neurons), spectral_scale(dimension, neurons, length)]
    predicted = tn.landscape(dimension, neurons, length, scales, **settings)
    assert np.sqrt(predicted / tuned.error).max() < factor


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="at least one"):
        tanh_shape(0, 10, 1.0)
    with pytest.raises(ValueError, match="radius of the ball"):
        tanh_shape(2, 10, np.inf)
    with pytest.raises(ValueError, match="correlation length"):
        spectral_scale(2, 10, -1.0)
