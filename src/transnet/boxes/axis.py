"""Features along one axis of a box that fulfil the conditions at its ends: the modes of the highest derivative.

An axis is taken as [-1, 1]. Of the polynomials up to a degree, those combinations are used for which the conditions,
such as alpha u' + beta u = 0, hold at both ends, and of these the ones with D^2 u = lambda u at as many Gauss points,
or D^4 u = lambda u for equations of fourth order. In products of such modes an operator of second order with constant
coefficients and without mixed terms is a number for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from transnet.counts import RECENT
from transnet.slabs.axes import Axis, Fourier, Polynomials
from transnet.tolerances import SAME

SMOOTH = 2.0
"""Values at an end are extended by polynomials whose coefficients fall with this power of the degree beyond the order
of the equations."""
WAVES = 4
"""The highest derivative of waves along a periodic axis."""
Ends = tuple[tuple[int, tuple[float, ...]], ...]
"""The conditions: the end, 0 or 1, and what each derivative along the axis is multiplied by; none if it is periodic."""


@dataclass(frozen=True, eq=False)
class AxisBasis:
    """The features of an axis, of which `count` fulfil the conditions.

    Parameters
    ----------
    features : Polynomials or Fourier
        On [-1, 1].
    conditions : (m, n) array
        The conditions applied to the features.
    lift : (n, m) array
        Coefficients that fulfil each condition with the value one, and the others with zero.
    made : (n, f) array
        The coefficients of the modes.
    values : (f,) array
        lambda.
    order : int
        The highest derivative.
    """

    features: Axis
    conditions: np.ndarray
    lift: np.ndarray
    made: np.ndarray
    values: np.ndarray
    order: int

    @property
    def count(self) -> int:
        return len(self.values)

    @cached_property
    def nodes(self) -> np.ndarray:
        """As many points as modes, at which equations hold."""
        return collocation_nodes(self.features, self.count)

    @cached_property
    def whole(self) -> tuple[np.ndarray, ...]:
        """The derivatives of all features at the nodes, by order: (f, n)."""
        return tuple(self.features.matrix(self.nodes, k) for k in range(self.order + 1))

    @cached_property
    def tables(self) -> tuple[np.ndarray, ...]:
        """The derivatives of the modes at the nodes, by order: (f, f)."""
        return tuple(whole @ self.made for whole in self.whole)

    @cached_property
    def read(self) -> np.ndarray:
        """From values at the nodes to modes."""
        return np.linalg.inv(self.tables[0])

    @cached_property
    def numbers(self) -> tuple[np.ndarray, ...]:
        """What each derivative is for each mode, as far as it is a multiple of it; the highest is."""
        lower = [np.diagonal(self.read @ table) for table in self.tables[: self.order]]
        return (*lower, self.values)

    @cached_property
    def project(self) -> np.ndarray:
        """From coefficients of features that fulfil the conditions to modes."""
        return np.linalg.pinv(self.made)

    @cached_property
    def freed(self) -> np.ndarray:
        """From coefficients to those without what the conditions see: (n, n)."""
        return np.eye(len(self.lift)) - self.lift @ self.conditions

    @cached_property
    def fit_nodes(self) -> np.ndarray:
        """Points along the axis for data on faces, one for each feature."""
        return collocation_nodes(self.features, self.features.columns)

    @cached_property
    def fit(self) -> np.ndarray:
        """From values at `fit_nodes` to coefficients."""
        return np.linalg.inv(self.features.matrix(self.fit_nodes, 0))


def collocation_nodes(features: Axis, count: int) -> np.ndarray:
    """Gauss's points, or evenly spaced ones along a periodic axis."""
    if isinstance(features, Fourier):
        return np.linspace(features.low, features.high, count, endpoint=False)
    return np.polynomial.legendre.leggauss(count)[0]


@lru_cache(maxsize=RECENT)
def axis_basis(degree: int, ends: Ends) -> AxisBasis:
    """The features up to a degree, or so many waves, for the conditions at the ends.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the conditions do not leave modes that decay or oscillate on their own.
    """
    if not ends:
        waves = Fourier(-1.0, 1.0, degree)
        one, rates = np.eye(waves.columns), np.pi * np.repeat(np.arange(1, degree + 1), 2)
        return AxisBasis(waves, one[:0], one[:, :0], one, np.append(0.0, rates) ** WAVES, WAVES)
    features, order = Polynomials((-1.0, 1.0), degree), len(ends)
    places = np.array([-1.0, 1.0])
    tables = [features.matrix(places, k) for k in range(order)]
    conditions = np.array(
        [sum(c * table[end] for c, table in zip(factors, tables, strict=True)) for end, factors in ends]
    )
    weighted = ((1.0 + np.arange(degree + 1)) ** -(SMOOTH + order))[:, None] * conditions.T
    lift = weighted @ np.linalg.inv(conditions @ weighted)
    free = np.linalg.qr(conditions.T, mode="complete")[0][:, order:]
    at = collocation_nodes(features, degree + 1 - order)
    plain, highest = (features.matrix(at, k) @ free for k in (0, order))
    if order == 2:
        values, vectors = np.linalg.eig(np.linalg.solve(plain, highest))
    else:
        # Fourth derivatives of n polynomials reach n^8: only the inverse has the slow modes, and rounding may turn two
        # of the fastest into a pair.
        inverse, vectors = np.linalg.eig(np.linalg.solve(highest + plain, plain))
        values = 1.0 / np.abs(inverse) - 1.0
        vectors = np.where(inverse.imag < 0.0, vectors.imag, vectors.real)
    if np.abs(values.imag).max() > SAME * np.abs(values).max():
        raise np.linalg.LinAlgError("the modes along an axis are not real")
    return AxisBasis(features, conditions, lift, free @ vectors.real, values.real, order)
