"""`solution.gradient`, `solution.sensitivity` and `solution.predict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.calls import shown
from transnet.cells.basis import CellBasis
from transnet.eigen.pairs import EIGENFUNCTION, OfEigenvalue
from transnet.errors import ProblemError, TransnetError
from transnet.gradient.along import differentials
from transnet.gradient.differences import corners_move, difference
from transnet.gradient.eigenvalue import eigenvalues_gradient
from transnet.gradient.in_cells import cell_tangents
from transnet.gradient.network import Tangents, network_tangents
from transnet.gradient.split import Put, split_gradient
from transnet.gradient.stated import stated_tangents, tangent_problem
from transnet.gradient.variation import Variation, variations_of
from transnet.gradient.weighted import adjoint_slopes
from transnet.remember import Remembered
from transnet.solution.derivatives import Gradient, Prediction
from transnet.solution.results.numbers import Number, Numbers
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

FURTHER, SEVEN = 1e3, 1e-7
"""A tangent in the basis of the solution is taken if its relative error is within this factor of the solution's, or has
seven digits: otherwise it needs functions that the solution does not, and is solved for."""
DOUBTFUL = 1e-3
"""The relative error of a tangent above which differences of solves are tried as well."""


FEW, MANY = 3, 40
"""How many tangents cost as much as an adjoint solution: of those that are solved for, and of those that share the
factorisation of the solution. For a wave with three parameters the adjoint took 11.6 s and the tangents 9.6 s."""


def gradient_of(solution: Solution, result: Any, wrt: Any) -> Gradient:
    """The derivatives of a result by parameters, given functions and parts of the boundary."""
    several = _terms(result)
    if isinstance(result, Number) and any(isinstance(of, OfEigenvalue) for _, of in result.of):
        return eigenvalues_gradient(result, wrt)
    if solution.diagnostics.solver == EIGENFUNCTION:
        raise ProblemError(
            "The derivative of a result of an eigenfunction is not available, as its eigenvalue changes as well. That "
            "of the eigenvalue is pairs.gradient(wrt=...)."
        )

    def slopes(there: Solution, variations: Sequence[Variation], put: Put | None = None) -> list[Any]:
        if put is None:
            return [_shaped(result, found) for found in _slopes(there, several, variations)]
        if len(several) > 1:
            raise ProblemError("The derivative with respect to a function is available for one result at a time.")
        terms = [[(f, _put(of, put(of.expression))) for f, of in each] for each in several]
        return [found[0] for found in _slopes(there, terms, variations, FEW)]

    return split_gradient(solution, wrt, slopes)


def _put(of: Any, expression: Any) -> Any:
    """The functional of another expression: the same one if it is the same, as what is known of it is kept."""
    return of if expression == of.expression else replace(of, expression=expression)


def _slopes(
    solution: Solution, several: Sequence[Any], variations: Sequence[Variation], each: int = MANY
) -> list[list[Number]]:
    """The derivatives of numbers, each a sum of functionals with factors, by each of the parameters: by an adjoint
    problem for each number, or along a tangent for each parameter, whichever are fewer."""
    each = each if isinstance(solution.basis, Basis | CellBasis) else FEW
    if len(variations) > each * len(several) and not any(map(corners_move, variations)):
        try:
            adjoint = [adjoint_slopes(solution, terms, variations) for terms in several]
        except TransnetError:
            pass  # tangents need less of a problem
        else:
            return [list(one) for one in zip(*adjoint, strict=True)]
    derivatives = _derivatives(solution, variations)
    known: dict[int, list[Number]] = {}  # many results share their functionals
    for terms in several:
        for _, functional in terms:
            if id(functional) not in known:
                known[id(functional)] = derivatives(functional)
    made = []
    for k in range(len(variations)):
        found = []
        for terms in several:
            parts = [(factor, known[id(functional)][k]) for factor, functional in terms]
            found.append(Number(sum(f * n.value for f, n in parts), sum(abs(f) * n.error for f, n in parts)))
        made.append(found)
    return made


def _derivatives(solution: Solution, variations: Sequence[Variation]) -> Callable[[Any], list[Number]]:
    """dF/dk for each parameter: along its tangent, or by differences where that does not serve."""
    smooth = [v for v in variations if not corners_move(v)]
    try:
        tangents = tangents_of(solution, smooth) if smooth else None
    except TransnetError:
        tangents = None

    def derivatives(functional: Any) -> list[Number]:
        along: dict[sp.Symbol, tuple[Number, float]] = {}
        if tangents is not None:
            try:
                found = differentials(solution, functional, tangents, smooth)
                along = {v.symbol: (n, e) for v, n, e in zip(smooth, found, tangents.doubts, strict=True)}
            except TransnetError:
                pass  # differences of solves need nothing of it
        return [_better(solution, functional, v, along.get(v.symbol)) for v in variations]

    return derivatives


def _better(solution: Solution, functional: Any, variation: Variation, along: tuple[Number, float] | None) -> Number:
    """The derivative along a tangent with its error, or by differences if there is none or it is doubtful."""
    if along is None:
        return difference(solution, functional, variation)
    found, error = along
    if error <= DOUBTFUL:
        return found
    try:
        return min(found, difference(solution, functional, variation), key=lambda n: n.error)
    except TransnetError:
        return found


def sensitivity_of(solution: Solution, wrt: Any) -> Solution:
    """The derivative of a solution by one parameter, as a solution."""
    variations = variations_of(solution, wrt)
    if len(variations) != 1:
        raise ProblemError("A sensitivity is the derivative with respect to one parameter: ask for one at a time.")
    return _sensitivities(solution, variations)[0]


def _refuse_unbounded(variations: Sequence[Variation]) -> None:
    for variation in variations:
        if corners_move(variation, inwards=True):
            raise ProblemError(
                f"With {variation.symbol} a corner moves that points into the domain: the derivative of the solution "
                f"at a fixed place is unbounded there, as its gradient is. Results have derivatives all the same: "
                f"solution.gradient(solution.integral(u), wrt={variation.symbol})."
            )


def prediction_of(solution: Solution, parameters: Mapping[str, float]) -> Prediction:
    """The solution for other values of parameters, by its tangents."""
    variations = variations_of(solution, list(parameters))
    changes = tuple(float(parameters[v.symbol.name]) - v.value for v in variations)
    return Prediction(solution, tuple(_sensitivities(solution, variations)), changes)


_tangents: Remembered[Solution, Tangents] = Remembered()


def tangents_of(solution: Solution, variations: Sequence[Variation]) -> Tangents:
    """The tangents: in the network of the solution if it is one, otherwise solved for one by one; kept for the next
    result."""
    names = tuple(v.symbol.name for v in variations)
    return _tangents.get(solution, names, lambda: _solved(solution, variations))


@on_one_thread
def _solved(solution: Solution, variations: Sequence[Variation]) -> Tangents:
    enough = max(FURTHER * solution.error, SEVEN)
    found = network_tangents(solution, variations) or cell_tangents(solution, variations, enough)
    if found is not None and max(found.doubts) <= enough:
        return found
    try:
        made = stated_tangents(variations)
    except TransnetError:
        if found is None:
            raise
        return found
    errors = tuple(m.error for m in made)
    if found is not None and max(found.doubts) <= max(errors):
        return found
    whole = tuple(m.coefficients[:, None] for m in made)
    return Tangents(tuple(m.basis for m in made), whole, solution.coefficients[:, None], np.zeros(0), errors)


def _sensitivities(solution: Solution, variations: Sequence[Variation]) -> list[Solution]:
    _refuse_unbounded(variations)
    found = tangents_of(solution, variations)
    made = []
    for k, variation in enumerate(variations):
        problem = tangent_problem([variation], [sp.Integer(1)])
        known = replace(
            solution.diagnostics, error=found.errors[k], triangle=None, nested=(), coarser=None, messages=(), steps=(),
            trail=(),
        )  # fmt: skip
        values = {p: solution.parameters[p] for p in problem.parameters}
        made.append(Solution(problem, found.bases[k], found.coefficients[k][:, 0], values, known))  # type: ignore[arg-type]
    return made


def _terms(result: Any) -> list[Any]:
    """The differentials of a result, one for each of its numbers."""
    terms = [result.of] if isinstance(result, Number) else list(result.of) if isinstance(result, Numbers) else []
    if not terms or not all(terms):
        raise ProblemError(
            f"{shown(result)} does not know what it is a result of, so it cannot be differentiated. Results are "
            f"solution.integral(...), mean, norm, flux, force, misfit and solution.evaluate(u, points, error=True), "
            f"and sums, products and powers of their numbers; NumPy's functions turn these into plain numbers."
        )
    return terms


def _shaped(result: Any, found: list[Number]) -> Any:
    if isinstance(result, Number):
        return found[0]
    shape = np.shape(result.value)
    value, error = (np.array([getattr(f, what) for f in found]).reshape(shape) for what in ("value", "error"))
    return Numbers(value, error) if shape else Number(float(value), float(error))
