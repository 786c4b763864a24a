"""The symbol of equations at points: derivatives become numbers, and a determinant tells the order of a system.

With d/dx_i replaced by s_i the equations become a matrix D(s). Along a line s = kappa e + f each entry is a polynomial
in kappa, and so is det D: its degree is the order of the whole system in the direction e (4 for Stokes flow, whose five
derivatives are not independent). The roots say how many solutions decay into the domain behind a wall with the normal
e, and that many conditions the wall needs: m for an elliptic system of order 2m or a parabolic one, for a hyperbolic
system the number of characteristics that come in (the count of Agmon, Douglis and Nirenberg, and of Kreiss)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from transnet.problem import Problem
from transnet.rows.statements import Statement

MOST_UNKNOWNS = 5
"""The most unknowns: the determinant is expanded."""
ZERO = 1e-10
"""A coefficient of the determinant counts as zero if it is this small beside the terms that make it up."""
FREQUENCIES = (1e4, 1e7)
"""Wave numbers, in the unit box, at which only the leading terms count; both have to say the same."""
NEUTRAL = 1e-6
"""The real part of a root, relative to its size, that is neither growth nor decay."""


def symbol_along(
    problem: Problem,
    statements: Sequence[Statement],
    points: np.ndarray,
    normals: np.ndarray | None,
    along: np.ndarray,
    beside: np.ndarray,
    rng: np.random.Generator,
    positive: bool = False,
) -> np.ndarray:
    """D(kappa along + beside) at points, as polynomials in kappa: (points, statements, unknowns, powers).

    Parameters
    ----------
    along, beside : (n, d) arrays
        In units of the inverse sides of the domain's box, which makes all coordinates alike.
    positive : bool
        Whether a nonlinear equation is linearised at positive values only; otherwise at values of either sign.
    """
    sides = np.ptp(problem.domain.bounds, axis=0)
    highest = 1 + max((sum(index) for s in statements for _, index in s.equation.slots), default=0)
    parameters = list(rng.uniform(0.5, 1.5, len(problem.parameters)))
    found = np.zeros((len(points), len(statements), len(problem.unknowns), highest), dtype=complex)
    for row, s in enumerate(statements):
        state = None
        if not s.equation.linear:
            drawn = rng.standard_normal((len(s.equation.slots), len(points)))
            state = list(np.abs(drawn) if positive else drawn)
        coefficients = s.equation.jacobian(points, normals, parameters, state)
        places = s.equation.places or (None,) * len(coefficients)
        for (unknown, index), c, place in zip(s.equation.slots, coefficients, places, strict=True):
            if place is not None:
                continue
            term = np.ones((len(points), 1), dtype=complex)
            for axis, order in enumerate(index):
                factor = np.stack([beside[:, axis], along[:, axis]], axis=1) / sides[axis]
                for _ in range(order):
                    term = times(term, factor)
            found[:, row, unknown, : term.shape[1]] += np.broadcast_to(c, len(points))[:, None] * term
    return found


def determinant(symbol: np.ndarray, unknowns: Sequence[int]) -> np.ndarray:
    """det D of these unknowns as polynomials in kappa, (points, powers), with what is zero up to rounding as zero."""
    count, symbol = symbol.shape[1], symbol[:, :, list(unknowns)]
    total, size = np.zeros((1, 1)), np.zeros((1, 1))
    for order in permutations(range(count)):
        product = np.ones((symbol.shape[0], 1), dtype=complex)
        for row, column in enumerate(order):
            product = times(product, symbol[:, row, column])
        sign = float(np.prod([np.sign(b - a) for a, b in combinations(order, 2)]))
        total, size = total + sign * product, size + np.abs(product)
    return np.where(np.abs(total) > ZERO * np.maximum(size, np.finfo(float).tiny), total, 0.0)


def degrees_of(polynomials: np.ndarray) -> np.ndarray:
    """The degree of each polynomial, 0 for zero."""
    return np.asarray(np.max(np.where(polynomials != 0, np.arange(polynomials.shape[1]), 0), axis=1))


def signs_of_roots(polynomial: np.ndarray) -> tuple[int, int, int]:
    """How many roots have a negative real part, a positive one, and neither."""
    degree = int(degrees_of(polynomial[None])[0])
    roots = np.roots(polynomial[degree::-1]) if degree else np.zeros(0)
    leaning = np.where(np.abs(roots.real) > NEUTRAL * np.abs(roots), np.sign(roots.real), 0.0)
    return int((leaning < 0).sum()), int((leaning > 0).sum()), int((leaning == 0).sum())


def times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The products of polynomials, one pair per row."""
    product = np.zeros((len(a), a.shape[1] + b.shape[1] - 1), dtype=np.result_type(a, b))
    for power in range(b.shape[1]):
        product[:, power : power + a.shape[1]] += a * b[:, power : power + 1]
    return product
