"""Ridge regression on the triangle: min |A a - b|^2 + (mu s_1)^2 |a|^2 for any number of mu from one SVD of R.

With R = U S V^T and the filter f_i = s_i^2 / (s_i^2 + (mu s_1)^2) the solution is a = V f / s U^T c. The residual and
the size of the coefficients are sums over i, so that choosing mu costs no further factorisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, Literal

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.linalg.least_squares import Coefficients, Solver
from transnet.threads import for_columns
from transnet.tolerances import EPS, ROUNDED

CANDIDATES = 10.0 ** np.linspace(-17, 0, 171)
"""The values of mu from which the L-curve and cross-validation choose: ten per decade."""
CAUTION = 1.4
"""The weight of an effective coefficient in cross-validation; with 1 it occasionally hardly regularises at all."""


@explained
@dataclass(frozen=True)
class Ridge(Solver):
    """Regularised least squares; it replaces a sharp cut of the singular values by a smooth one.

    Parameters
    ----------
    mu : float or {"lcurve", "gcv"}
        The regularisation relative to the largest singular value; or how to choose it: the corner of the L-curve
        (log |A a - b|, log |a|), or generalised cross-validation, G(mu) = |A a - b|^2 / (m - 1.4 sum_i f_i)^2 with m
        rows; the factor 1.4 guards against choosing too little. The latter suits data with independent noise, the
        former also errors that are not independent.
    """

    wants_rest: ClassVar[bool] = True

    mu: float | Literal["lcurve", "gcv"] = "lcurve"

    def __post_init__(self) -> None:
        if isinstance(self.mu, str):
            if self.mu not in ("lcurve", "gcv"):
                raise ProblemError(f"Ridge takes a number, 'lcurve' or 'gcv', not {shown(self.mu)}.")
        elif not (isinstance(self.mu, Real) and 0 <= self.mu < np.inf):
            raise ProblemError(f"The mu of Ridge is a number that is not negative, not {shown(self.mu)}.")

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        return self.informed(triangle, right, 0.0, 2 * len(triangle))

    def informed(self, triangle: np.ndarray, right: np.ndarray, rest: float, rows: int) -> Coefficients:
        """Solve, given the number of rows and the norm `rest` of the part of b outside the range of A."""
        with for_columns(len(triangle)):
            u, s, vt = np.linalg.svd(triangle, full_matrices=False)
        rotated = u.T @ right
        if not s.max(initial=0.0) > 0:
            return Coefficients(np.zeros((triangle.shape[1], right.shape[1])), 0, "Ridge")
        if self.mu == "lcurve":
            mu = corner_of_l_curve(s, rotated, rest)
        else:
            mu = cross_validated(s, rotated, rest, rows) if isinstance(self.mu, str) else self.mu
        filtered = filter_of(s, mu) / np.maximum(s, EPS**2 * s[0])
        rank = int(np.count_nonzero(s > max(mu, EPS) * s[0]))
        return Coefficients(vt.T @ (filtered[:, None] * rotated), rank, f"Ridge(mu={mu:.1e})")


def filter_of(s: np.ndarray, mu: float) -> np.ndarray:
    """f_i = s_i^2 / (s_i^2 + (mu s_1)^2), written so that nothing underflows."""
    ratio = mu * s[0] / np.maximum(s, np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + ratio**2)


def curves(s: np.ndarray, rotated: np.ndarray, mus: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """|R a - c|, |a| and the effective number of coefficients sum_i f_i for each mu."""
    energy = np.einsum("ij,ij->i", rotated, rotated)
    inverse = 1.0 / np.maximum(s, EPS**2 * s[0]) ** 2
    filters = np.stack([filter_of(s, mu) for mu in mus])
    return np.sqrt((1.0 - filters) ** 2 @ energy), np.sqrt(filters**2 @ (energy * inverse)), filters.sum(axis=1)


def corner_of_l_curve(s: np.ndarray, rotated: np.ndarray, rest: float = 0.0) -> float:
    """mu at the point of largest curvature of (log |A a - b|, log |a|)."""
    residual, size, _ = curves(s, rotated, CANDIDATES)
    residual = np.hypot(residual, rest) + EPS * np.linalg.norm(rotated)
    tiny = np.finfo(float).tiny
    x, y = np.log(residual + tiny), np.log(size + tiny)
    dx, dy = np.gradient(x), np.gradient(y)
    curvature = (dx * np.gradient(dy) - dy * np.gradient(dx)) / (dx**2 + dy**2 + ROUNDED) ** 1.5
    return float(CANDIDATES[int(np.argmax(curvature[2:-2])) + 2])


def cross_validated(s: np.ndarray, rotated: np.ndarray, rest: float, rows: int) -> float:
    """mu where generalised cross-validation is smallest."""
    residual, _, effective = curves(s, rotated, CANDIDATES)
    left = rows - CAUTION * effective
    score = np.where(left > 0, np.hypot(residual, rest) / np.where(left > 0, left, 1.0), np.inf)
    return float(CANDIDATES[int(np.argmin(score))])
