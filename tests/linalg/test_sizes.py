"""Root mean squares of arrays whose squares are no numbers."""

from __future__ import annotations

import numpy as np
import pytest

from transnet.linalg.sizes import each_rms, rms


@pytest.mark.parametrize("size", [1e-200, 1e-100, 1.0, 1e100, 1e200])
@pytest.mark.parametrize("axis", [None, 0, 1, 2])
def test_sizes_along_every_axis(size: float, axis: int | None) -> None:
    values = np.random.default_rng(0).normal(size=(5, 3, 4))
    wanted = np.sqrt(np.mean(values**2, axis=axis))
    np.testing.assert_allclose(rms(size * values, axis), size * wanted, rtol=1e-13)
    assert rms(0.0 * values).max() == 0.0


def test_a_column_of_zeros_stands_beside_others() -> None:
    values = np.array([[0.0, 3.0], [0.0, 4.0]])
    np.testing.assert_allclose(each_rms(values), [0.0, np.sqrt(12.5)])
    np.testing.assert_allclose(rms(values.T, axis=1), [0.0, np.sqrt(12.5)])
    assert each_rms(values[:, 1]) == pytest.approx(np.sqrt(12.5))
