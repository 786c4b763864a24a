"""The wave vectors of a spectral space are spread over the plane, not along curves in it."""

from __future__ import annotations

import numpy as np
import pytest

import transnet as tn


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_waves_of_nearly_one_length_point_everywhere(seed):
    """Among any 30 waves of neighbouring lengths no two neighbouring directions are far apart."""
    weights = tn.FeatureSpace.spectral(2, 300, 4.0, seed=seed).weights
    weights = weights[np.argsort(np.linalg.norm(weights, axis=1))]
    angles = np.arctan2(weights[:, 1], weights[:, 0])
    for start in range(0, 270, 15):
        some = np.sort(angles[start : start + 30])
        gaps = np.diff(np.append(some, some[0] + 2 * np.pi))
        assert gaps.max() < 2.8 * 2 * np.pi / 30
        assert gaps.min() > 0.2 * 2 * np.pi / 30


def test_they_have_the_moments_of_a_gaussian():
    for d in (1, 2, 3):
        weights = tn.FeatureSpace.spectral(d, 2000, 3.0).weights
        np.testing.assert_allclose(weights.T @ weights / (9.0 * len(weights)), np.eye(d), atol=0.05)
