"""Where an iteration starts: from zero, a formula, a callable of arrays, or another solution.

Formulas and solutions have derivatives, so they give the slots' values without a fit, which is all that the first full
step needs. A callable is first projected onto the features by least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot
from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.iterate.system import Iterate, System
from transnet.linalg.least_squares import triangle_of
from transnet.problem import Problem
from transnet.problem.complex import real_and_imaginary
from transnet.problem.groups import groups_of
from transnet.rows.compile import compile_equation
from transnet.solution.solution import Solution

Guess = Any
"""None, a number, a SymPy expression, a callable, a Solution, or a mapping from unknowns to any of the first four."""
Source = Callable[[np.ndarray, Sequence[Slot]], list[np.ndarray]]
"""D^k u_i at points for slots (i, k)."""


def is_zero(guess: Guess) -> bool:
    """Whether a guess is the usual start, zero."""
    return guess is None or (isinstance(guess, int | float) and guess == 0)


def start_from(guess: Guess, problem: Problem, system: System, parameters: Mapping[sp.Symbol, Any]) -> Iterate:
    """The first iterate."""
    if is_zero(guess):
        return system.iterate(np.zeros(system.basis.columns))
    if isinstance(guess, Solution):
        return _iterate(system, _from_solution(guess, problem))
    by_unknown = _by_unknown(guess, problem)
    sources = {k: _from_part(g, k, problem, parameters) for k, g in by_unknown.items()}
    if all(s is not None for s in sources.values()):
        try:
            return _iterate(system, _together(sources, problem))  # type: ignore[arg-type]
        except _NoDerivativeError:
            pass
    return system.iterate(_project(system, lambda p: _values(p, by_unknown, problem, parameters)))


def source_of(guess: Guess, problem: Problem, parameters: Mapping[sp.Symbol, Any]) -> Source | None:
    """A function that gives the values and derivatives of a guess at any points; None for a start from zero.

    A callable of arrays has no derivatives without features to fit it by, and is refused.
    """
    if is_zero(guess):
        return None
    if isinstance(guess, Solution):
        return _from_solution(guess, problem)
    sources = {k: _from_part(g, k, problem, parameters) for k, g in _by_unknown(guess, problem).items()}
    unknown = next((k for k, s in sources.items() if s is None), None)
    if unknown is not None:
        raise ProblemError(
            f"The guess for {problem.names[unknown]} is a callable, whose derivatives are not known, and this problem "
            f"is solved in pieces. Give a formula, a number or a solution."
        )
    return _together(sources, problem)  # type: ignore[arg-type]


def with_coefficients(system: System, iterate: Iterate) -> Iterate:
    """The same iterate with output weights, by least squares if it has none."""
    if iterate.coefficients is not None:
        return iterate
    # The values at the points are among the slots only if the equations use them, so all slots are fitted.
    return system.iterate(_fit_slots(system, iterate))


# -- the kinds of guess ----------------------------------------------------------------------------------------------
class _NoDerivativeError(Exception):
    """A formula has values but SymPy does not give its derivatives."""


def _by_unknown(guess: Guess, problem: Problem) -> dict[int, Any]:
    if not isinstance(guess, Mapping):
        if len(problem.unknowns) > 1 and not isinstance(guess, int | float):
            raise ProblemError(
                f"The problem has the unknowns {', '.join(problem.names)}, so a guess must say which it is for: "
                f"guess={{{problem.names[0]}: ..., ...}}. What is left out starts from zero."
            )
        return dict.fromkeys(range(len(problem.unknowns)), guess)
    found = {}
    for key, value in _real_parts(guess, problem).items():
        name = key if isinstance(key, str) else getattr(getattr(key, "func", None), "__name__", str(key))
        if name not in problem.names:
            raise ProblemError(
                f"The guess names '{key}', which is not an unknown of the problem: {', '.join(problem.names)}."
            )
        found[problem.names.index(name)] = value
    return found


def _real_parts(guess: Mapping[Any, Any], problem: Problem) -> dict[Any, Any]:
    """A guess for complex unknowns and vectors, by name or by expression, as one for their real components."""
    groups = groups_of(problem)
    found: dict[Any, Any] = {}
    for key, value in guess.items():
        if isinstance(key, sp.MatrixBase | list | tuple):
            key = sp.ImmutableMatrix(list(key))
        names = [n for n, g in groups.items() if n == key or (not isinstance(key, str) and _same(g, key))]
        if not names:
            found[key] = value
            continue
        group = groups[names[0]]
        components = list(group) if isinstance(group, sp.MatrixBase) else [group]
        values = list(value) if isinstance(value, sp.MatrixBase | list | tuple) else [value] * len(components)
        if len(values) != len(components):
            raise ProblemError(f"The guess for the vector {names[0]} needs {len(components)} entries: [a, b].")
        for component, part in zip(components, values, strict=True):
            if not component.has(sp.I):
                found[component] = part
                continue
            both = real_and_imaginary(formula_of(part, f"A guess for {names[0]}", ProblemError))
            found |= dict(zip(component.as_real_imag(), both, strict=True))
    return found


def _same(group: Any, key: Any) -> bool:
    if isinstance(group, sp.MatrixBase) or isinstance(key, sp.MatrixBase):
        return isinstance(group, sp.MatrixBase) and isinstance(key, sp.MatrixBase) and list(group) == list(key)
    return bool(group == key)


def _from_solution(solution: Solution, problem: Problem) -> Source:
    if len(solution.problem.coordinates) != len(problem.coordinates):
        raise ProblemError(
            f"The guess is a solution in {len(solution.problem.coordinates)} coordinates, but the problem has "
            f"{len(problem.coordinates)}."
        )
    there = {name: k for k, name in enumerate(solution.names)}
    if not any(name in there for name in problem.names):
        raise ProblemError(
            f"The guess is a solution for {', '.join(solution.names)}, but the problem's unknowns are "
            f"{', '.join(problem.names)}."
        )

    def source(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        known = [(there[problem.names[u]], index) for u, index in slots if problem.names[u] in there]
        values = iter(solution.basis.derivatives(solution.coefficients, points, known))
        return [next(values) if problem.names[u] in there else np.zeros(len(points)) for u, _ in slots]

    return source


def _from_part(
    guess: Any, unknown: int, problem: Problem, parameters: Mapping[sp.Symbol, Any]
) -> Callable[[np.ndarray, tuple[int, ...]], np.ndarray] | None:
    """D^k of a formula at points; None for a callable."""
    if callable(guess) and not isinstance(guess, sp.Basic):
        return None
    expression = _formula(guess, unknown, problem)

    def derivative(points: np.ndarray, index: tuple[int, ...]) -> np.ndarray:
        wanted = expression
        for c, n in zip(problem.coordinates, index, strict=True):
            wanted = sp.diff(wanted, c, n) if n else wanted
        try:
            compiled = compile_equation(wanted, (), problem.coordinates, tuple(parameters), f"guess {expression}")
            return compiled.residual(points, None, tuple(parameters.values()))
        except ProblemError:
            if not any(index):
                raise
            raise _NoDerivativeError from None

    return derivative


def _formula(guess: Any, unknown: int, problem: Problem) -> sp.Expr:
    try:
        expression = formula_of(guess, "A guess", ProblemError)
    except ProblemError:
        expression = None
    if not isinstance(expression, sp.Expr):
        raise ProblemError(
            f"The guess for {problem.names[unknown]} must be a number, a formula in the coordinates, a callable of "
            f"arrays or a solution, not {shown(guess)}."
        )
    extra = expression.free_symbols - set(problem.coordinates) - set(problem.parameters)
    if extra:
        raise ProblemError(
            f"The guess {expression} contains {', '.join(sorted(map(str, extra)))}, neither a coordinate nor a "
            f"parameter of the problem."
        )
    return expression


def _together(sources: Mapping[int, Callable], problem: Problem) -> Source:
    def source(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return [sources[u](points, index) if u in sources else np.zeros(len(points)) for u, index in slots]

    return source


def _values(
    points: np.ndarray, by_unknown: Mapping[int, Any], problem: Problem, parameters: Mapping[sp.Symbol, Any]
) -> np.ndarray:
    """The values of all unknowns at points, (n, unknowns)."""
    found = np.zeros((len(points), len(problem.unknowns)))
    for k, guess in by_unknown.items():
        part = _from_part(guess, k, problem, parameters)
        if part is not None:
            found[:, k] = part(points, (0,) * points.shape[1])
            continue
        try:
            found[:, k] = np.asarray(guess(*points.T), dtype=float)
        except (TypeError, ValueError) as error:
            raise ProblemError(
                f"The guess for {problem.names[k]} could not be evaluated: {error}. A callable takes one array for "
                f"each coordinate ({', '.join(map(str, problem.coordinates))}) and returns one value for each point."
            ) from error
        if not np.isfinite(found[:, k]).all():
            bad = points[int(np.flatnonzero(~np.isfinite(found[:, k]))[0])]
            raise ProblemError(
                f"The guess for {problem.names[k]} is not finite at ({', '.join(f'{c:.6g}' for c in bad)})."
            )
    return found


# -- onto the features -----------------------------------------------------------------------------------------------
def _iterate(system: System, source: Source) -> Iterate:
    made: dict[tuple[int, tuple[Slot, ...]], list[np.ndarray]] = {}

    def at(points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        key = (id(points), tuple(slots))
        if key not in made:
            made[key] = source(points, slots)
        return made[key]

    slots = [block.nodes.state(at, block.slots) for block in system.blocks]
    return Iterate(slots, source(system.sample, system.value_slots), None)


def _project(system: System, values: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The output weights that fit given values at all points of the blocks."""
    points = np.concatenate(list({id(b.points): b.points for b in system.blocks}.values()))
    wanted = values(points)
    placed = system.basis.placement(points)
    coefficients = np.zeros(system.basis.columns)
    for space in system.basis.distinct:
        mine = [k for k, s in enumerate(system.basis.spaces) if s is space]
        matrix = np.asfortranarray(np.column_stack([space(placed), wanted[:, mine]]))
        triangle = triangle_of(matrix)
        found = system.solver.solve(triangle[: space.size, : space.size], triangle[: space.size, space.size :])
        for j, k in enumerate(mine):
            coefficients[system.basis.slice_of(k)] = found.values[:, j]
    return coefficients


def _fit_slots(system: System, iterate: Iterate) -> np.ndarray:
    """The output weights whose slots fit those of the iterate, each slot's rows scaled to unit norm."""
    targets = [
        (block, slot, value)
        for block, values in zip(system.blocks, iterate.slots, strict=True)
        for slot, value in zip(block.statement.equation.slots, values, strict=True)
        if not block.nodes.away and not block.nodes.remote
    ]
    unique = {(id(block.points), slot): (block.points, slot, value) for block, slot, value in targets}
    n = system.basis.columns
    sampled = [(system.sample, s, v) for s, v in zip(system.value_slots, iterate.values, strict=True)]
    parts = [*unique.values(), *sampled]
    transposed = np.empty((n + 1, sum(len(points) for points, _, _ in parts)))
    start = 0
    for points, slot, value in parts:
        here = slice(start, start + len(points))
        rows = transposed[:n, here]
        system.jets[id(points)].write(rows, [slot], [np.ones(())], 1.0)
        scale = 1.0 / (np.sqrt(np.einsum("ij,ij->", rows, rows)) or 1.0)
        rows *= scale
        transposed[n, here] = scale * value
        start += len(points)
    triangle = triangle_of(transposed.T)
    return system.solver.solve(triangle[:n, :n], triangle[:n, n:]).values[:, 0]
