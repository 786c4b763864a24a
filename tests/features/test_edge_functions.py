"""Functions of edges in space: harmonic, with the right derivatives, and in files."""

import numpy as np
import pytest

from transnet.errors import TransnetError
from transnet.features.edge_functions import EdgeFunction, EdgeFunctions, read_singular

LINE = (0.1, -0.2, 0.5, 0.3, -0.24, 0.4, 0.2, 0.7)
"""Where the edge is, P and Q = 0.8 i P, and the coordinate along it: |P| = 0.58 and |Q| = 0.47 are units of length."""
UNITS = {"first": abs(0.5 + 0.3j), "second": abs(-0.24 + 0.4j), "along": 0.7}
POINTS = np.random.default_rng(0).uniform(0.3, 1.0, (6, 3))


def functions(axis: int, bars: int) -> EdgeFunctions:
    made = [
        EdgeFunction(axis, *LINE, alpha, log, bars, power, imaginary)
        for alpha, log in ((2 / 3, 0), (0.53, 0), (2.0, 1))
        for power in range(6)
        for imaginary in (0, 1)
    ]
    return EdgeFunctions.of(made)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("bars", [0, 1])
def test_derivatives_are_limits_of_differences(axis: int, bars: int) -> None:
    made, step = functions(axis, bars), 1e-4
    for j in range(3):
        e = step * np.eye(3)[j]
        high, here, low = (made.apply(POINTS + k * e, [((0, 0, 0), 1.0)]) for k in (1, 0, -1))
        first, second = (made.apply(POINTS, [(tuple(n * np.eye(3, dtype=int)[j]), 1.0)]) for n in (1, 2))
        np.testing.assert_allclose((high - low) / (2 * step), first, atol=1e-7)
        np.testing.assert_allclose((high - 2 * here + low) / step**2, second, atol=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_functions_without_a_conjugate_are_harmonic(axis: int) -> None:
    others = [j for j in range(3) if j != axis]
    units = {others[0]: UNITS["first"], others[1]: UNITS["second"], axis: UNITS["along"]}
    laplacian = [(tuple(2 * np.eye(3, dtype=int)[j]), 1 / unit**2) for j, unit in units.items()]
    assert np.abs(functions(axis, 0).apply(POINTS, laplacian)).max() < 1e-13
    assert np.abs(functions(axis, 1).apply(POINTS, laplacian)).max() > 1e-3


def test_functions_are_read_from_their_table() -> None:
    made = functions(1, 0)
    again = read_singular(made.table)
    assert isinstance(again, EdgeFunctions)
    assert np.array_equal(again.apply(POINTS, [((1, 0, 1), 2.0)]), made.apply(POINTS, [((1, 0, 1), 2.0)]))
    with pytest.raises(TransnetError, match="'axis' is from 0 to 2"):
        EdgeFunctions.of([EdgeFunction(3, *LINE, 0.5, 0, 0, 0, 0)])
