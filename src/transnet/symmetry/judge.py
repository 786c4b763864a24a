"""What is known about a mirrored solve: the same as for any other, from the parts of all parities.

|u|^2 over the domain is the sum over the parities of |u_p|^2 over a corner, so that differences and residuals add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.clock import Clock
from transnet.judge.again import changed_by_points
from transnet.judge.diagnose import answer_messages, data_messages
from transnet.judge.estimate import FRACTIONS, SAMPLE, error_estimate
from transnet.judge.parities import lacking_in, worst_of
from transnet.judge.stability import SMALL, UNSEEN, Stability, least_seen_of, natural_amplification
from transnet.linalg import lapack
from transnet.linalg.least_squares import EPS
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Diagnostics, Residual
from transnet.symmetry.rows import Orbit, at_reflections
from transnet.tolerances import ROUNDED

if TYPE_CHECKING:
    from transnet.symmetry.solve import Parts

FEWEST = 40
"""The fewest points of each parity."""


def judged(
    problem: Problem,
    basis: Basis,
    blocks: Sequence[Block],
    parts: Parts,
    coefficients: np.ndarray,
    parameters: Sequence[Any],
    clock: Clock,
) -> Diagnostics:
    """Everything that is known about the solve."""
    residuals = _residuals(parts, basis, [b.statement for b in blocks])
    features = _features(parts, basis)
    orthogonal = _orthogonal(parts, features)
    stable = _stability(parts, basis, features, orthogonal)
    nested, size = _nested(parts, features, orthogonal)
    weighted = np.hypot.reduce([np.sqrt(r.rows) * r.weight * r.rms for r in residuals])
    unsatisfied = max(r.relative for r in residuals)
    error = error_estimate(nested, float(stable.amplification * weighted / (size or 1.0)), unsatisfied)
    # Waves whose coefficients are large cancel when the solution is evaluated; the products of a parity do so less.
    error = max(error, EPS * float(np.sqrt(len(coefficients)) * rms(coefficients)) / (size or 1.0))
    error = max(error, changed_by_points(problem, basis, blocks, coefficients, tuple(parameters), stable.relative))
    answer = answer_messages(problem, stable, error, residuals, basis.foci)
    messages = [*data_messages(problem, blocks, parameters), *answer]
    ranks = [f.rank for f in parts.found]
    clock.lap("check")
    return Diagnostics(
        residuals=residuals,
        solver=parts.found[0].solver,
        rows=sum(r.rows for r in residuals),
        columns=basis.columns,
        error=error,
        amplification=stable.amplification,
        nested=nested,
        seconds=clock.laps,
        triangle=_whole(parts.triangles),
        of_columns=False,
        stated_rank=None if any(r is None for r in ranks) else sum(r for r in ranks if r is not None),
        messages=tuple(messages),
    )


def _features(parts: Parts, basis: Basis) -> list[np.ndarray]:
    """The products of each parity at some of the points inside, with the constant: (points, columns) each."""
    products, corner = parts.products, parts.corners[0]
    count = min(corner.fitted, max(SAMPLE // products.parities, FEWEST))
    table = parts.table[..., parts.places[0].start : parts.places[0].start + count]
    flat = np.moveaxis(table.reshape(products.parities, products.phases, *table.shape[-2:]), 1, 2)
    early, late = parts.singular.values(basis.placement(corner.points[:count]), [((0, 0), 1.0)])
    found = []
    for k, part in enumerate(flat.reshape(products.parities, -1, count)):
        found.append(np.concatenate([np.ones((1 if k == 0 else 0, count)), early[k], part, late[k]]).T)
    return found


def _orthogonal(parts: Parts, features: Sequence[np.ndarray]) -> list[np.ndarray] | None:
    """The same for the orthonormal columns of Q, (Phi R^-1)^T of each parity; None if they cannot be computed."""
    if any(f.solver != "QR" or len(f.values) > SMALL for f in parts.found):
        return None
    return [
        lapack.dtrtrs(np.asfortranarray(t[: len(f.values), : len(f.values)]), np.asfortranarray(v.T), trans=1)[0]
        for t, f, v in zip(parts.triangles, parts.found, features, strict=True)
    ]


def _stability(
    parts: Parts, basis: Basis, features: Sequence[np.ndarray], orthogonal: Sequence[np.ndarray] | None
) -> Stability:
    """The stability of the parity with the worst one."""
    made = [Block(c.statement, Nodes(c.points[: c.fitted]), None, None) for c in parts.corners]
    coefficients = [[f if np.ndim(f) == 0 else f[: c.fitted] for f in c.coefficients] for c in parts.corners]
    natural = natural_amplification(basis, made, parts.weights, coefficients)
    if orthogonal is not None:
        quick = least_seen_of(orthogonal, natural)
        if quick.relative < UNSEEN:
            return quick
    worst = worst_of(zip(parts.triangles, features, strict=True), natural)
    assert worst is not None
    return worst


def _nested(
    parts: Parts, features: Sequence[np.ndarray], orthogonal: Sequence[np.ndarray] | None
) -> tuple[tuple[tuple[int, float], ...], float]:
    """The differences between parts of the network and the whole, and the size of the solution."""
    products = parts.products
    groups = [int(f * len(products.base) * (1 + ROUNDED)) for f in FRACTIONS]
    lacking, sizes = [np.zeros(len(groups))], [0.0]
    for k, (triangle, found, values) in enumerate(zip(parts.triangles, parts.found, features, strict=True)):
        n = triangle.shape[1] - 1
        columns = [g * products.phases + parts.before(k) for g in groups]
        if min(columns) < 1:
            return (), 0.0
        sizes.append(float(rms(values @ found.values)))
        if orthogonal is not None:
            # A smaller network lacks the sum over the columns of Q that it does not have.
            shares = np.add.reduceat(orthogonal[k] * triangle[:n, n:], columns, axis=0)
            lacking.append(rms(np.cumsum(shares[::-1], axis=0)[::-1].T, axis=0))
            continue
        here = lacking_in(triangle, found.values[:, 0], values, columns)
        if here is None:
            return (), 0.0
        lacking.append(here)
    size = float(np.hypot.reduce(sizes))
    differences = np.hypot.reduce(lacking) / (size or 1.0)
    return tuple((g * products.group, float(e)) for g, e in zip(groups, differences, strict=True)), size


def _residuals(parts: Parts, basis: Basis, statements: Sequence[Statement]) -> tuple[Residual, ...]:
    """The residual of each statement at all reflections of points that were not fitted."""
    inside = parts.corners[0]
    elsewhere = slice(parts.places[0].start + inside.fitted, parts.places[0].stop)
    terms = dict.fromkeys(slot[1] for c in parts.corners for slot in c.statement.equation.slots)
    singular = _singular(parts, basis, list(terms))
    within = {index: _slot(parts, basis, elsewhere, index, singular) for index in terms}
    sizes = {index: rms(value) for index, value in within.items()}
    values: dict[int, list[np.ndarray]] = {}
    known: dict[int, tuple[Orbit, float, float]] = {}
    for corner, place, weight in zip(parts.corners, parts.places, parts.weights, strict=True):
        held = slice(place.start + corner.fitted, place.stop)
        free = corner.free[:, corner.fitted :]
        value, scale = free.copy(), [rms(free)]
        for (_, index), c in zip(corner.statement.equation.slots, corner.coefficients, strict=True):
            here = c if np.ndim(c) == 0 else c[corner.fitted :]
            slot = within[index] if corner is inside else _slot(parts, basis, held, index, singular)
            term = at_reflections(slot) * here
            value += term
            scale += [rms(term), rms(here) * sizes[index] * np.sqrt(parts.products.parities)]
        for row, number in zip(value, corner.images, strict=True):
            values.setdefault(int(number), []).append(row)
            known[int(number)] = corner, weight / np.sqrt(parts.products.parities), max(scale)
    found = []
    for number, statement in enumerate(statements):
        corner, weight, size = known[number]
        whole = float(rms(np.array([rms(v) for v in values[number]])))
        largest = max(float(np.abs(v).max()) for v in values[number])
        relative = whole / size if size > 0 else float(whole > 0)
        found.append(Residual(statement.label, corner.fitted * len(values[number]), weight, whole, largest, relative))
    return tuple(found)


def _singular(parts: Parts, basis: Basis, terms: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], np.ndarray]:
    """The contribution of singular functions to the part of each parity of D^k u at held-out points, (parities,
    points)."""
    if not len(parts.singular.singular):
        return {}
    points = np.concatenate([c.points for c in parts.corners])
    ranges = [np.arange(p.start + c.fitted, p.stop) for c, p in zip(parts.corners, parts.places, strict=True)]
    held = np.concatenate(ranges)
    operators = [[(index, 1.0 / basis.placement.unit(index))] for index in terms]
    each = parts.singular.singular.summed(basis.placement(points[held]), operators, parts.others.T)
    found = {}
    for index, values in zip(terms, each, strict=True):
        found[index] = np.zeros((parts.products.parities, len(points)))
        found[index][:, held] = values.T
    return found


def _slot(
    parts: Parts, basis: Basis, place: slice, index: tuple[int, ...], singular: dict[tuple[int, ...], np.ndarray]
) -> np.ndarray:
    """The part of each parity of D^k u at points: (parities, points)."""
    products = parts.products
    turned, signs, powers = products.derivative(parts.table[..., place], index)
    alpha = parts.waves.reshape(products.parities, len(products.base), -1)
    factors = np.moveaxis(alpha, 2, 1) * signs.reshape(products.parities, products.phases, 1) * powers
    flat = turned.reshape(products.parities, -1, turned.shape[-1])
    values = (factors.reshape(products.parities, 1, -1) @ flat)[:, 0] / basis.placement.unit(index)
    if index in singular:
        values += singular[index][:, place]
    if not any(index):
        values[0] += parts.found[0].values[0, 0]
    return values


def _whole(triangles: Sequence[np.ndarray]) -> np.ndarray:
    """The triangles of all parities as one, for its singular values."""
    sizes = [t.shape[1] - 1 for t in triangles]
    result = np.zeros((sum(sizes), sum(sizes)), order="F")
    start = 0
    for triangle, n in zip(triangles, sizes, strict=True):
        result[start : start + n, start : start + n] = triangle[:n, :n]
        start += n
    return result
