"""Sparse least squares on the triangle: few columns that fit as well as asked for, and a refit on them.

Which columns are needed depends on the right-hand side. `Sparse` picks them one after the other, each the one that
reduces the residual most once those before are fitted (orthogonal least squares: a QR of R whose pivots are chosen by
the right-hand side). `Lasso` lets the l1 norm choose. Both refit on the chosen columns by QR, so the penalty does not
bias the answer, and return the smallest set on their path that meets |R a - c| <= tolerance |c|.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.linalg.least_squares import QR, Coefficients, Solver
from transnet.linalg.triangle import Triangle
from transnet.tolerances import HALVINGS

REFRESH = 64
"""Steps after which the norms of the remaining columns, which are downdated, are recomputed."""
DEPENDENT = 1e-13
"""A column of which less than this part is independent of the chosen ones is not chosen."""
SETTLED = 1e-3
"""A round of coordinate descent that moves nothing by more than this part of the penalty is the last."""


def _checked(tolerance: float) -> None:
    if not (isinstance(tolerance, Real) and 0 < tolerance < 1):
        raise ProblemError(
            f"The tolerance of a sparse solve is the relative residual that may remain, a number between 0 and 1, not "
            f"{shown(tolerance)}."
        )


@explained
@dataclass(frozen=True)
class Sparse(Solver):
    """Thresholded pivoting: the columns are picked greedily until the relative residual is below `tol`.

    Parameters
    ----------
    tol : float
        |R a - c| / |c| that may remain, with R and c the weighted rows. What the whole network cannot fit is not
        counted.
    most : int, optional
        At most this many columns, besides the constants, which always stay. A nonlinear problem, whose columns change
        with every step, is solved with few columns but keeps its whole network.
    """

    tol: float = 1e-8
    most: int | None = None

    def __post_init__(self) -> None:
        _checked(self.tol)
        if self.most is not None and not (isinstance(self.most, Integral) and self.most >= 1):
            raise ProblemError(f"A sparse solve keeps a whole number of columns, at least one, not {shown(self.most)}.")

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        order = greedy_order(triangle, right, self.tol, self.most or triangle.shape[1])
        return _refitted(triangle, right, order, "Sparse")


def greedy_order(triangle: np.ndarray, right: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """The columns in the order in which orthogonal least squares picks them, until the residual is small enough.

    With several right-hand sides a column counts by the sum of the squares of the decreases.
    """
    n = triangle.shape[1]
    norms = np.einsum("ij,ij->j", triangle, triangle)
    whole = norms.copy()
    left = np.array(right)
    goal = tolerance * np.linalg.norm(right)
    basis, products = np.empty((triangle.shape[0], 0)), np.empty((0, n))
    correlations = triangle.T @ left
    chosen: list[int] = []
    allowed = whole > 0
    while len(chosen) < min(most, n) and np.linalg.norm(left) > goal and allowed.any():
        gain = np.where(
            allowed, np.einsum("jk,jk->j", correlations, correlations) / np.where(allowed, norms, 1.0), -1.0
        )
        j = int(np.argmax(gain))
        allowed[j] = False
        q = triangle[:, j].copy()
        for _ in range(2):
            # Twice is enough: the second pass removes what rounding left of the chosen columns in the first.
            q -= basis @ (basis.T @ q)
        length = np.linalg.norm(q)
        if length**2 <= DEPENDENT**2 * whole[j]:
            continue
        q /= length
        chosen.append(j)
        row = q @ triangle
        basis, products = np.column_stack([basis, q]), np.vstack([products, row])
        part = q @ left
        left -= np.outer(q, part)
        correlations -= np.outer(row, part)
        norms = norms - row**2
        if len(chosen) % REFRESH == 0:
            outside = triangle - basis @ products
            norms = np.einsum("ij,ij->j", outside, outside)
            correlations = outside.T @ left
        allowed &= norms > DEPENDENT**2 * whole
    return np.array(chosen, dtype=int)


@explained
@dataclass(frozen=True)
class Lasso(Solver):
    """min |R a - c|^2 / 2 + lambda |a|_1 with lambda lowered until the refitted columns meet the tolerance.

    The columns are scaled to unit norm, so the penalty treats all neurons alike. Coordinate descent with warm starts
    follows the path; it only has to find which coefficients are not zero, and the refit gives their digits.

    Parameters
    ----------
    tol : float
        |R a - c| / |c| that may remain after the refit.
    sweeps : int
        Sweeps of coordinate descent at each value of lambda.
    """

    tol: float = 1e-8
    sweeps: int = 10

    def __post_init__(self) -> None:
        _checked(self.tol)
        if not (isinstance(self.sweeps, Integral) and self.sweeps >= 1):
            raise ProblemError(f"Lasso needs a whole number of sweeps, at least one, not {shown(self.sweeps)}.")

    def solve(self, triangle: np.ndarray, right: np.ndarray) -> Coefficients:
        if right.shape[1] != 1:
            raise ProblemError("Lasso chooses columns for one right-hand side; use Sparse for several.")
        norms = np.linalg.norm(triangle, axis=0)
        columns = triangle / np.where(norms > 0, norms, 1.0)
        gram = columns.T @ columns
        target = (columns.T @ right)[:, 0]
        x = np.zeros(len(target))
        size = float(np.abs(target).max(initial=0.0))
        goal = self.tol * np.linalg.norm(right)
        kept = np.zeros(0, dtype=int)
        best = _refitted(triangle, right, kept, "Lasso")
        for step in range(HALVINGS):
            _descend(x, gram, target, size * 0.5 ** (step + 1), self.sweeps)
            found = np.flatnonzero(x)
            if np.array_equal(found, kept):
                continue
            kept = found
            best = _refitted(triangle, right, kept, "Lasso")
            if np.linalg.norm(triangle @ best.values - right) <= goal:
                break
        return best


def _descend(x: np.ndarray, gram: np.ndarray, target: np.ndarray, penalty: float, sweeps: int) -> None:
    """Sweeps of coordinate descent, in place: x_j <- soft(target_j - sum_(i != j) G_ji x_i, penalty)."""
    gradient = target - gram @ x
    for _ in range(sweeps):
        # Only coefficients that are nonzero or about to become so are updated; the others are checked once per sweep.
        active = np.flatnonzero((x != 0) | (np.abs(gradient) > penalty))
        moved = 0.0
        for j in active:
            wanted = gradient[j] + x[j]
            new = np.sign(wanted) * max(abs(wanted) - penalty, 0.0)
            if new != x[j]:
                gradient -= gram[j] * (new - x[j])
                moved = max(moved, abs(new - x[j]))
                x[j] = new
        if moved <= SETTLED * penalty:
            break


def _refitted(triangle: np.ndarray, right: np.ndarray, kept: np.ndarray, name: str) -> Coefficients:
    values = np.zeros((triangle.shape[1], right.shape[1]))
    if len(kept):
        small = Triangle.of(np.array(triangle[:, kept], order="F"), keep=True)
        values[kept] = QR().solve(small.array, small.rotated(right)).values
    return Coefficients(values, len(kept), name, np.sort(kept))
