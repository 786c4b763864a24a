"""Polynomials times exponentials, sines and cosines: sources for which an equation is solved by a formula.

    u(x) = Re sum_j c_j x^(p_j) exp(l_j . x)

with complex c_j and l_j. An operator with constant coefficients maps such functions to ones of the same kind, and each
of them is the image of another: the method of undetermined coefficients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, factorial, perm, prod

import numpy as np
import sympy as sp

MultiIndex = tuple[int, ...]
Key = tuple[MultiIndex, tuple[complex, ...]]
"""The powers and the rates of a term."""
MOST, HIGHEST = 60, 12
"""The most terms of a function, and the highest degree of its polynomials: others are left to features."""
RESONANT = 1e-12
"""The operator applied to exp(l . x) is rounding below this part of its terms."""
SOLVED = 1e-12
"""The accuracy required of the undetermined coefficients."""


class Another(Exception):
    """The formula is of another kind."""


@dataclass(frozen=True, eq=False)
class QuasiPolynomial:
    """Such a function, as arrays that can be stored in a file.

    Parameters
    ----------
    factors : (J,) complex array
        c_j.
    powers : (J, d) integer array
        p_j.
    rates : (J, d) complex array
        l_j.
    """

    factors: np.ndarray
    powers: np.ndarray
    rates: np.ndarray

    @classmethod
    def of_terms(cls, terms: Mapping[Key, complex], dimension: int) -> QuasiPolynomial:
        """The function with a table of terms; of two conjugate terms one is kept."""
        found: dict[Key, complex] = {}
        for (powers, rates), c in terms.items():
            below = next((r.imag < 0 for r in rates if r.imag != 0), False)
            key = (powers, tuple(r.conjugate() for r in rates) if below else rates)
            found[key] = found.get(key, 0.0) + (c.conjugate() if below else c)
        kept = [(key, c) for key, c in found.items() if c != 0]
        return cls(
            np.array([c for _, c in kept], dtype=complex),
            np.array([powers for (powers, _), _ in kept], dtype=int).reshape(-1, dimension),
            np.array([rates for (_, rates), _ in kept], dtype=complex).reshape(-1, dimension),
        )

    def derivative(self, points: np.ndarray, index: MultiIndex) -> np.ndarray:
        """D^k u at points: (n, d) -> (n,)."""
        total = np.zeros(len(points))
        columns = points.T
        for c, powers, rates in zip(self.factors.tolist(), self.powers.tolist(), self.rates.tolist(), strict=True):
            value: np.ndarray | complex = c
            for x, p, rate, k in zip(columns, powers, rates, index, strict=True):
                # Leibniz: D^k (x^p e^(l x)) = sum_i C(k, i) p!/(p - i)! x^(p - i) l^(k - i) e^(l x).
                factors = [(comb(k, i) * perm(p, i) * rate ** (k - i), p - i) for i in range(min(k, p) + 1)]
                polynomial = sum(f * x**m if m else f for f, m in factors if f != 0)
                value = value * polynomial
            if rates != [0.0] * len(rates):
                value = value * np.exp(points @ np.array(rates))
            total += np.real(value)
        return total


def solved(
    source: sp.Expr,
    coordinates: Sequence[sp.Symbol],
    terms: Mapping[MultiIndex, float],
    numbers: Mapping[sp.Symbol, float],
) -> QuasiPolynomial | None:
    """A function u with sum_k c_k D^k u = source for constants c_k; None where the formula is of another kind.

    Parameters
    ----------
    terms : mapping
        c_k by multi-index.
    numbers : mapping
        The values of the other symbols in the source.
    """
    return _solved(source, tuple(coordinates), tuple(sorted(terms.items())), tuple(numbers.items()))


@lru_cache(maxsize=256)
def _solved(
    source: sp.Expr,
    coordinates: tuple[sp.Symbol, ...],
    terms: tuple[tuple[MultiIndex, float], ...],
    numbers: tuple[tuple[sp.Symbol, float], ...],
) -> QuasiPolynomial | None:
    try:
        wanted = _terms(source, coordinates, dict(numbers))
        groups: dict[tuple[complex, ...], dict[MultiIndex, complex]] = {}
        for (powers, rates), c in wanted.items():
            if c != 0:
                groups.setdefault(rates, {})[powers] = c
        found: dict[Key, complex] = {}
        for rates, polynomial in groups.items():
            for powers, c in _undetermined(terms, rates, polynomial).items():
                found[powers, rates] = c
    except (Another, OverflowError, TypeError, ValueError):
        return None
    return QuasiPolynomial.of_terms(found, len(coordinates))


def _undetermined(
    terms: Sequence[tuple[MultiIndex, float]], rates: tuple[complex, ...], polynomial: Mapping[MultiIndex, complex]
) -> dict[MultiIndex, complex]:
    """h with P(D)(h e^(l x)) = g e^(l x) for the polynomial g: P(D + l) h = g.

    In the powers x^p / p! a derivative maps each to the next, so P(D + l) = sum_j q_j D^j is the system
    sum_j q_j h_(r + j) = g_r; if q_0 vanishes h has a higher degree than g.
    """
    shifted: dict[MultiIndex, complex] = {}
    size = 0.0
    q: complex
    for k, c in terms:
        for j in product(*(range(n + 1) for n in k)):
            q = c * prod(comb(n, m) * rate ** (n - m) for n, m, rate in zip(k, j, rates, strict=True))
            shifted[j] = shifted.get(j, 0.0) + q
            size = max(size, abs(q))
    shifted = {j: q for j, q in shifted.items() if abs(q) > RESONANT * size}
    zero = (0,) * len(rates)
    if set(polynomial) == {zero} and zero in shifted:
        return {zero: polynomial[zero] / shifted[zero]}
    order = max(sum(k) for k, _ in terms)
    degree = max(map(sum, polynomial)) + (0 if zero in shifted else order)
    unknowns = [p for p in product(range(degree + 1), repeat=len(rates)) if sum(p) <= degree]
    if len(unknowns) > (HIGHEST + 1) ** 2:
        raise Another
    number = {p: k for k, p in enumerate(unknowns)}
    matrix = np.zeros((len(unknowns), len(unknowns)), dtype=complex)
    right = np.zeros(len(unknowns), dtype=complex)
    for r, row in number.items():
        for j, q in shifted.items():
            column = number.get(tuple(a + b for a, b in zip(r, j, strict=True)))
            if column is not None:
                matrix[row, column] += q
    for p, g in polynomial.items():
        right[number[p]] = g * prod(map(factorial, p))
    found = np.linalg.lstsq(matrix, right, rcond=RESONANT)[0]
    if np.abs(matrix @ found - right).max() > SOLVED * max(np.abs(right).max(), size * np.abs(found).max()):
        raise Another
    small = SOLVED * np.abs(found).max(initial=0.0)
    return {p: complex(h) / prod(map(factorial, p)) for p, h in zip(unknowns, found, strict=True) if abs(h) > small}


def _terms(e: sp.Expr, coordinates: tuple[sp.Symbol, ...], numbers: Mapping[sp.Symbol, float]) -> dict[Key, complex]:
    """The terms of a formula; raises `Another` where it has others."""
    zero: Key = ((0,) * len(coordinates), (0j,) * len(coordinates))
    if e.is_number:
        return {zero: complex(e)}
    if e in numbers:
        return {zero: complex(numbers[e])}
    if e in coordinates:
        return {(tuple(int(c == e) for c in coordinates), zero[1]): 1.0 + 0j}
    parts = [_terms(a, coordinates, numbers) for a in e.args] if isinstance(e, sp.Add | sp.Mul) else []
    if isinstance(e, sp.Add):
        total: dict[Key, complex] = {}
        for part in parts:
            for key, c in part.items():
                total[key] = total.get(key, 0j) + c
        return total
    if isinstance(e, sp.Mul):
        result = {zero: 1.0 + 0j}
        for part in parts:
            result = _multiplied(result, part)
        return result
    if isinstance(e, sp.Pow) and e.exp.is_Integer and 0 < e.exp <= HIGHEST:
        base = _terms(e.base, coordinates, numbers)
        result = base
        for _ in range(int(e.exp) - 1):
            result = _multiplied(result, base)
        return result
    made = {sp.exp: ((1.0, 1.0),), sp.cosh: ((0.5, 1.0), (0.5, -1.0)), sp.sinh: ((0.5, 1.0), (-0.5, -1.0)),
            sp.cos: ((0.5, 1j), (0.5, -1j)), sp.sin: ((-0.5j, 1j), (0.5j, -1j))}.get(e.func)  # fmt: skip
    if made is None:
        raise Another
    inner = _terms(e.args[0], coordinates, numbers)
    if any(sum(powers) > 1 or any(rates) for powers, rates in inner):
        raise Another
    level = inner.get(zero, 0j)
    slopes = [inner.get((tuple(int(c == a) for c in coordinates), zero[1]), 0j) for a in coordinates]
    total = {}
    for factor, turn in made:
        key = (zero[0], tuple(turn * s + 0j for s in slopes))
        total[key] = total.get(key, 0j) + factor * complex(np.exp(turn * level))
    return total


def _multiplied(a: Mapping[Key, complex], b: Mapping[Key, complex]) -> dict[Key, complex]:
    result: dict[Key, complex] = {}
    for (p, first), c in a.items():
        for (q, second), d in b.items():
            powers = tuple(i + j for i, j in zip(p, q, strict=True))
            key = powers, tuple(i + j for i, j in zip(first, second, strict=True))
            result[key] = result.get(key, 0j) + c * d
    if len(result) > MOST or max(sum(p) for p, _ in result) > HIGHEST:
        raise Another
    return result
