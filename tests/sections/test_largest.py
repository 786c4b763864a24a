"""The largest value in a closed domain, against closed forms and fine grids."""

from __future__ import annotations

import numpy as np
import pytest

import transnet as tn
from transnet.sections.largest import largest

RING = tn.Disk((0, 0), 1.0) - tn.Disk((0.1, 0.1), 0.3)
BENT = tn.Polygon([(0, 0), (1.3, 0.1), (1.0, 1.2), (0.4, 0.7), (-0.3, 0.9)])


@pytest.mark.parametrize("domain", [tn.Disk((0, 0), 0.7), tn.Disk((0, 0), 1.0), RING, BENT])
def test_no_hill_is_missed_close_to_the_boundary_or_between_samples(domain: tn.Domain) -> None:
    rng = np.random.default_rng(4)
    grid = np.stack(np.meshgrid(*np.linspace(*domain.bounds, 500).T), -1).reshape(-1, 2)
    fine = np.concatenate([grid[domain.contains(grid)], domain.boundary("boundary", 20_000).points])
    for k in (*rng.uniform(10, 40, 4), 80.0):
        shift, tilt = rng.uniform(0, 6), rng.uniform(-0.02, 0.02, 2)

        def hills(p: np.ndarray, k: float = k, shift: float = shift, tilt: np.ndarray = tilt) -> np.ndarray:
            return np.cos(k * p[:, 0] + shift) * np.cos(k * p[:, 1]) + p @ tilt

        place, missed = largest(hills, domain)
        assert hills(place[None])[0] + missed + 1e-13 >= hills(fine).max()
        assert missed < 1e-8


def test_a_maximum_on_a_circle_is_exact_though_the_function_rises_steeply_across_it() -> None:
    for angle in np.linspace(0.1, 6.0, 5):
        towards = np.array([np.cos(angle), np.sin(angle)])
        place, missed = largest(lambda p, d=towards: np.exp(5 * p @ d), RING)  # type: ignore[misc]
        assert abs(np.exp(5 * place @ towards) - np.exp(5)) <= missed + 1e-12 * np.exp(5)
        assert missed < 1e-8
