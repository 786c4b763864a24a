"""The rows of an eigenvalue problem: A(lam) = A_0 + lam A_1 + lam^2 A_2 + ..., on one set of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.eigen.products import Products
from transnet.errors import ProblemError
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate, placed_elsewhere
from transnet.rows.compile import array_function
from transnet.rows.equation import Equation
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement, statements_of

Matrices = tuple[np.ndarray, ...]
PART = 0.9
"""The part of the network whose values are compared with those of the whole."""
SAMPLE = 1_500
"""Points at which functions are compared: more than there are features."""
ROWS = 200
"""Rows of a block from which its weight is estimated."""


@dataclass(frozen=True, eq=False)
class Pencil:
    """Weighted rows that are a polynomial of the eigenvalue, and the values of the features inside.

    Parameters
    ----------
    basis : Basis
        The features of the unknowns; for a complex unknown, those of its real part, which the coefficients multiply.
    matrices : tuple of (rows, columns) arrays
        A_0, A_1, ...
    values : (samples, columns) array
        The unknowns at points of the domain, in which functions are compared and normalised.
    part : int
        The columns of the smaller network, whose values give the error.
    """

    basis: Basis | Products
    blocks: tuple[Block, ...]
    weights: tuple[float, ...]
    matrices: Matrices
    values: np.ndarray
    part: int

    def at(self, shift: complex) -> Matrices:
        """The coefficients of the same polynomial in nu = lam - shift."""
        a = self.matrices
        return tuple(
            sum((comb(k, j) * shift ** (k - j) * a[k] for k in range(j + 1, len(a))), a[j]) for j in range(len(a))
        )

    def leading(self, columns: int) -> Pencil:
        """The pencil of the first columns: that of a smaller network."""
        return replace(self, matrices=tuple(a[:, :columns] for a in self.matrices), values=self.values[:, :columns])

    def weighted(self, shift: complex) -> Pencil:
        """The pencil with the rows of each block weighted like those of a solve at the shift."""
        matrices, weights, start = [a.copy(order="F") for a in self.matrices], [], 0
        for block, weight in zip(self.blocks, self.weights, strict=True):
            here = slice(start, start + block.rows)
            start += block.rows
            factor = _weight([a[here] for a in self.matrices], shift)
            weights.append(weight * factor)
            for a in matrices:
                a[here] *= factor
        return replace(self, matrices=tuple(matrices), weights=tuple(weights))

    @cached_property
    def is_complex(self) -> bool:
        return any(np.iscomplexobj(a) for a in self.matrices)


def powers_of(equation: Equation, lam: sp.Symbol) -> list[list[sp.Expr]]:
    """The coefficients of the powers of the eigenvalue, the lowest first, in the coefficient of each slot."""
    try:
        return [sp.Poly(c, lam).all_coeffs()[::-1] for c in equation.coefficients_symbolic]
    except sp.PolynomialError:
        raise ProblemError(
            f"The eigenvalue {lam} must appear in '{equation.text}' as a power with a whole exponent: lam, lam**2, "
            f"and so on. Multiply the equation by what {lam} is divided by, or name another function of it."
        ) from None


@dataclass(frozen=True, eq=False)
class Polynomial:
    """The coefficients of one equation's slots as polynomials of the eigenvalue."""

    parts: tuple[Any, ...]

    @classmethod
    def of(cls, equation: Equation, lam: sp.Symbol, problem: Problem) -> Polynomial:
        rows = powers_of(equation, lam)
        degree = max(len(r) for r in rows)
        parts = [[r[k] if k < len(r) else sp.Integer(0) for r in rows] for k in range(degree)]
        others = tuple(p for p in problem.parameters if p != lam)
        return cls(tuple(array_function(p, problem.coordinates, others, (), ()) for p in parts))

    def at(self, block: Block, parameters: Sequence[float]) -> list[list[np.ndarray]]:
        """For each power of the eigenvalue, the coefficient of each slot at the points of a block."""
        columns = list(block.points.T)
        normals = [0.0] * len(columns) if block.normals is None else list(block.normals.T)
        return [[np.asarray(c, dtype=float) for c in part(*columns, *normals, *parameters)] for part in self.parts]


def refuse_what_has_no_eigenvalues(problem: Problem, lam: sp.Symbol, statements: Sequence[Statement]) -> None:
    """Raise unless the problem is linear and homogeneous and the eigenvalue occurs in it."""
    if lam not in problem.parameters:
        raise ProblemError(
            f"{lam} does not appear in the problem, so it has no eigenvalues of that name. Its symbols other than "
            f"coordinates are: {', '.join(p.name for p in problem.parameters) or 'none'}."
        )
    for s in statements:
        if not s.equation.linear:
            raise ProblemError(
                f"'{s.equation.text}' is not linear in the unknowns, so the problem has no eigenvalues. Linearise it "
                f"around the state whose stability is in question."
            )
        rest = s.equation.expression.xreplace(dict.fromkeys(s.equation.slot_symbols, sp.Integer(0)))
        if rest != 0 and not rest.equals(0):
            raise ProblemError(
                f"'{s.equation.text}' is not homogeneous: it has the term {rest} without an unknown. Eigenvalues are "
                f"those of a problem whose equations and conditions all vanish for u = 0."
            )
        if s.kind == "data":
            raise ProblemError("Measured data have no place in an eigenvalue problem: remove tn.data(...).")


def pencil_of(
    problem: Problem,
    lam: sp.Symbol,
    parameters: Mapping[sp.Symbol, float],
    basis: Basis | Products,
    shift: complex,
    seed: int,
) -> Pencil:
    """The pencil of a problem for the features of a basis; rows are weighted like those of a solve at the shift.

    For a complex problem the basis has one space for each complex unknown. Its equations come in pairs, and since they
    are linear in psi the coefficients of psi_re in the two are the real and the imaginary part of that of psi.
    """
    statements = statements_of(problem)
    pairs = complex_pairs(problem)
    if pairs and 2 * len(pairs) < len(problem.unknowns):
        raise ProblemError(
            f"An eigenvalue problem has either complex unknowns only or none: {', '.join(problem.names)}. "
            f"Make all of them complex."
        )
    stride = 2 if pairs else 1
    number = {re: k for k, (re, _) in enumerate(pairs.values())} or {k: k for k in range(len(problem.unknowns))}
    others = [float(v) for p, v in parameters.items() if p != lam]
    if isinstance(basis, Products):
        blocks = basis.blocks(problem)
        statements = tuple(b.statement for b in blocks)
    else:
        blocks = collocate(problem, statements[::stride], stride * basis.columns, None, seed, basis.foci)
    rows, weights = [], []
    for k, block in enumerate(blocks):
        powers = [_power_rows(problem, lam, s, block, basis, number, others) for s in statements[k * stride :][:stride]]
        degree = max(map(len, powers))
        zero = np.zeros((block.rows, basis.columns))
        filled = [[p[j] if j < len(p) else zero for j in range(degree)] for p in powers]
        whole = filled[0] if stride == 1 else [a + 1j * b for a, b in zip(*filled, strict=True)]
        weights.append(_weight(whole, shift))
        rows.append([weights[-1] * a for a in whole])
    degree = max(map(len, rows))
    if degree < 2:
        raise ProblemError(f"The terms with {lam} cancel: there is no eigenvalue in the problem.")
    matrices = [
        np.asfortranarray(np.concatenate([r[j] if j < len(r) else np.zeros_like(r[0]) for r in rows]))
        for j in range(degree)
    ]
    sample = blocks[0].points[:: max(1, len(blocks[0].points) // SAMPLE)]
    values = np.zeros((len(sample) * basis.unknowns, basis.columns))
    for k, features in enumerate(basis.features(sample)):
        values[k * len(sample) : (k + 1) * len(sample), basis.slice_of(k)] = features / np.sqrt(len(sample))
    return Pencil(basis, tuple(blocks), tuple(weights), tuple(matrices), values, basis.leading(PART)[1])


def _weight(powers: Sequence[np.ndarray], shift: complex) -> float:
    """The weight that gives rows, judging by some of them, the norm one over the root of their number."""
    rows = len(powers[0])
    few = slice(None, None, max(1, rows // ROWS))
    here = sum(np.abs(shift) ** j * np.abs(a[few]) for j, a in enumerate(powers))
    return 1.0 / (np.sqrt(rows) * (float(np.sqrt((here**2).sum(axis=1).mean())) or 1.0))


def _power_rows(
    problem: Problem,
    lam: sp.Symbol,
    statement: Statement,
    block: Block,
    basis: Basis | Products,
    number: Mapping[int, int],
    parameters: Sequence[float],
) -> list[np.ndarray]:
    """The rows of a statement at the points of a block for each power of the eigenvalue, not weighted."""
    equation = statement.equation
    mine = [j for j, (unknown, _) in enumerate(equation.slots) if unknown in number]
    slots = tuple((number[equation.slots[j][0]], equation.slots[j][1]) for j in mine)
    found = []
    nodes = block.nodes
    if equation.places:
        # The two parts of an equation are evaluated elsewhere at slots of their own.
        own = placed_elsewhere(problem, Block(statement, Nodes(nodes.points), block.normals), basis.columns).nodes
        nodes = replace(own, remote=tuple(own.remote[j] for j in mine))
    for coefficients in Polynomial.of(equation, lam, problem).at(block, parameters):
        out = np.zeros((basis.columns, block.rows))
        nodes.write(out, basis.write, slots, [coefficients[j] for j in mine], 1.0)
        found.append(out.T)
    return found
