"""The tangent of one network: the rows of the solution linearised, factored once for any number of parameters.

F(u; k) = 0 gives F_u du/dk = -F_k: the same rows with other right-hand sides. The triangle that a solve leaves does not
suffice: with condition numbers of 1e16 a Q that is not kept cannot be had back from A R^-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Slot
from transnet.counts import SAMPLE
from transnet.errors import ProblemError
from transnet.gradient.variation import Variation, explicit_changes
from transnet.linalg.least_squares import QR
from transnet.linalg.nested import nested_solutions
from transnet.linalg.sizes import rms
from transnet.linalg.triangle import Triangle
from transnet.rows.assembly import weight_of, write_block
from transnet.rows.statements import Statement, statements_of
from transnet.solution.corners import corners_of, derivatives_near_corners
from transnet.solution.results.networks import PARTS
from transnet.solution.solution import Solution

FAINT, EXACT = 1e3, 1e-9
"""A parameter that changes the solution, relative to itself, by less than this many of its errors, or of the best error
that a solve has, is asked for no more digits."""


@dataclass(frozen=True, eq=False)
class Tangents:
    """Derivatives of a solution with respect to parameters, and the smaller networks that tell how far to trust them.

    Parameters
    ----------
    bases, coefficients : for each parameter
        The basis and the output weights (columns, c) of the derivative: the whole, then parts of the network.
    states : (columns, c) array
        The solution itself, the whole and the same parts.
    changes : (c - 1,) array
        How far the parts are from the whole, relative; none if only the whole is known.
    errors : for each parameter
        The estimated relative error of the derivative.
    shares : for each parameter, optional
        Its size as a part of that which counts, 1 if it is more: what hardly changes the solution has few digits.
    """

    bases: tuple[object, ...]
    coefficients: tuple[np.ndarray, ...]
    states: np.ndarray
    changes: np.ndarray
    errors: tuple[float, ...]
    shares: tuple[float, ...] = ()

    @property
    def doubts(self) -> tuple[float, ...]:
        """The errors relative to sizes that count."""
        return tuple(e * s for e, s in zip(self.errors, self.shares or (1.0,) * len(self.errors), strict=True))

    def at(self, points: np.ndarray, slots: Sequence[Slot], error: float | None = None) -> list[np.ndarray]:
        """D^k of all derivatives at points for each slot: (n, parameters, c) each.

        Parameters
        ----------
        error : float, optional
            That of the solution: close to corners unbounded functions whose coefficients are within it are left out.
        """
        shared = all(b is self.bases[0] for b in self.bases)
        corners = error is not None and any(corners_of(b) for b in self.bases)  # type: ignore[arg-type]
        if shared and not corners:
            made = self.bases[0].derivatives(np.hstack(self.coefficients), points, slots)  # type: ignore[attr-defined]
            return [m.reshape(len(points), len(self.bases), -1) for m in made]
        each = [
            derivatives_near_corners(b, c, points, slots, error or 0.0)  # type: ignore[arg-type]
            for b, c in zip(self.bases, self.coefficients, strict=True)
        ]
        return [np.stack(several, axis=1) for several in zip(*each, strict=True)]

    def within(self, piece: int) -> Tangents:
        """The same on one piece of the domain."""
        return replace(self, bases=tuple(b.within(piece) for b in self.bases))  # type: ignore[attr-defined]

    @property
    def whole(self) -> Tangents:
        """The same without the parts of the network."""
        first = tuple(c[:, :1] for c in self.coefficients)
        return replace(self, coefficients=first, states=self.states[:, :1], changes=np.zeros(0))


def network_tangents(solution: Solution, variations: Sequence[Variation]) -> Tangents | None:
    """The tangents in the basis of the solution itself; None if they have to be stated and solved for."""
    basis, problem = solution.basis, solution.problem
    if not isinstance(basis, Basis) or not solution.blocks:
        return None
    statements = statements_of(problem, lagged=False)
    if len(solution.blocks) != len(statements):
        return None
    if any(b.statement.noise is not None for b in solution.blocks):
        return None  # a prior is part of its rows
    blocks = [replace(b, statement=s) for b, s in zip(solution.blocks, statements, strict=True)]
    if not any(s.neurons for s in basis.spaces):  # its functions solve the equation, whatever the conditions are
        if any(v.explicit(b.statement.equation) for v in variations for b in blocks if b.statement.source is None):
            return None
        blocks = [b for b in blocks if b.statement.source is not None]
    if sum(b.rows for b in blocks) < basis.columns:
        return None
    numbers = tuple(solution.parameters.values())
    states = [b.state(basis, solution.coefficients) for b in blocks]
    basis = replace(basis, known=None)
    linear = [b.linearise(numbers, s) for b, s in zip(blocks, states, strict=True)]
    weights = [weight_of(b, basis, m.coefficients) for b, m in zip(blocks, linear, strict=True)]
    fitted = len(blocks) < len(statements)
    if fitted:
        weights = [r.weight for r in solution.diagnostics.residuals[-len(blocks) :]]
    ends = np.cumsum([b.rows for b in blocks])
    matrix = np.empty((ends[-1], basis.columns), order="F")
    rights = np.zeros((ends[-1], 1 + len(variations)), order="F")
    for b, s, m, w, end in zip(blocks, states, linear, weights, ends, strict=True):
        here = slice(end - b.rows, end)
        write_block(matrix.T[:, here], b, basis, m.coefficients, w)
        rights[here, 0] = w * m.right
        changes = held_changes(solution, b.statement, b.points, b.normals, s, variations)
        rights[here, 1:] = -w * b.nodes.folded(changes)
    triangle = Triangle.of(matrix, keep=True)
    rotated = np.asfortranarray(triangle.rotated(rights))
    whole = QR().solve(triangle.array, rotated).values
    if not fitted:
        return _with_parts(solution, basis, triangle.array, rotated, whole, least_sizes(solution, variations))
    coefficients = [whole[:, [k + 1]] for k in range(len(variations))]
    left = solution.diagnostics.amplification * triangle.rest(rights, rotated)[1:]
    sizes = [float(rms(_values(solution, basis, c))) or 1.0 for c in coefficients]
    errors = [max(float(lack) / size, solution.error) for lack, size in zip(left, sizes, strict=True)]
    return Tangents(
        (basis,) * len(variations), tuple(coefficients), solution.coefficients[:, None], np.zeros(0), tuple(errors)
    )


def held_changes(
    solution: Solution,
    statement: Statement,
    at: np.ndarray,
    along: np.ndarray | None,
    state: Sequence[np.ndarray],
    variations: Sequence[Variation],
) -> np.ndarray:
    """dF of a statement at points by each parameter, with the solution held: (points, parameters)."""
    equation, source = statement.equation, statement.source
    total = explicit_changes(variations, equation, at, along, state)
    numbers = tuple(solution.parameters.values())

    @cache
    def derivatives(slots: tuple[Slot, ...]) -> list[np.ndarray]:
        return derivatives_near_corners(solution.basis, solution.coefficients, at, slots, solution.error)

    for k, variation in enumerate(variations):
        if variation.shapes and source is not None:
            refuse_moving_means(statement.averaged)
            parts = source.parts(solution.problem)
            if parts and source.at_points is None:
                total[:, k] += variation.motion(parts, at).of_equation(equation, numbers, derivatives)
    return total


def least_sizes(solution: Solution, variations: Sequence[Variation]) -> np.ndarray:
    """The size of a derivative by each parameter below which it does not count, as a part of that of the solution:
    solves for two values that differ by a thousandth would not tell it from their errors."""
    return FAINT * max(solution.error, EXACT) / np.array([abs(v.value) or 1.0 for v in variations])


def refuse_moving_means(averaged: bool) -> None:
    """Raise for a mean value over a domain that changes."""
    if averaged:
        raise ProblemError(
            "The derivative with respect to a size of the domain is not available with a condition on a mean value "
            "over it. State the value at a point instead: tn.at((0, 0), sympy.Eq(p, 0))."
        )


def _with_parts(
    solution: Solution, basis: Basis, triangle: np.ndarray, rotated: np.ndarray, whole: np.ndarray, faint: np.ndarray
) -> Tangents:
    count = len(faint)
    states, coefficients, changes = (
        solution.coefficients[:, None],
        [whole[:, [k + 1]] for k in range(count)],
        np.zeros(0),
    )
    parts = nested_solutions(triangle, rotated, [basis.leading(p)[1] for p in PARTS])
    if parts is not None:
        grouped = parts.reshape(len(whole), len(PARTS), 1 + count)
        values = _values(solution, basis, np.hstack([whole[:, :1], grouped[:, :, 0]]))
        changes = np.array([float(rms(values[:, j] - values[:, 0])) for j in range(1, values.shape[1])])
        changes = np.maximum(changes / (float(rms(values[:, 0])) or 1.0), 1e-300)
        states = np.hstack([states, grouped[:, :, 0]])
        coefficients = [np.hstack([c, grouped[:, :, k + 1]]) for k, c in enumerate(coefficients)]
    errors = [_error(solution, basis, c, changes) for c in coefficients]
    own = float(rms(_values(solution, basis, states[:, :1])))
    sizes = [float(rms(_values(solution, basis, c[:, :1]))) for c in coefficients]
    shares = tuple(min(s / (own * least or 1.0), 1.0) for s, least in zip(sizes, faint, strict=True))
    return Tangents((basis,) * count, tuple(coefficients), states, changes, tuple(errors), shares)


def _values(solution: Solution, basis: Basis, coefficients: np.ndarray) -> np.ndarray:
    """The unknowns at points of the domain, one after the other: (n, c)."""
    points = solution.problem.domain.interior(SAMPLE, "quasi", 1)
    slots = [(u, (0,) * points.shape[1]) for u in range(basis.unknowns)]
    return np.concatenate(basis.derivatives(coefficients, points, slots))


def _error(solution: Solution, basis: Basis, coefficients: np.ndarray, changes: np.ndarray) -> float:
    """The relative error of a tangent: how much more than the solution it changes with the size of the network."""
    values = _values(solution, basis, coefficients)
    size = float(rms(values[:, 0]))
    if not len(changes) or size == 0.0:
        return solution.error
    lack = np.array([float(rms(values[:, j] - values[:, 0])) for j in range(1, values.shape[1])]) / size
    return float(solution.error * max(np.max(lack / changes), 1.0))
