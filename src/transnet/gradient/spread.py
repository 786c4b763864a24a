"""`tn.propagate`: how results vary when parameters are uncertain.

First by the tangent, J + sum_k dJ/dk (k - mean): a few solves at points of a Sobol sequence show how far that is off.
If it is not enough, more are solved and a polynomial is fitted, each time judged on points that it has not seen.
The polynomial costs nothing to evaluate, so that mean, deviation, quantiles and Sobol indices are those of thousands of
its values, with what the scrambles of the sequence leave and what the polynomial misses as their errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained
from transnet.errors import EstimateWarning, Message, ProblemError, warn
from transnet.gradient.response import Response, Result
from transnet.gradient.uncertain import Uncertain, refuse_twice
from transnet.lazy import Later
from transnet.prepared.prepared import Prepared
from transnet.problem import Problem
from transnet.solution.results.numbers import Number

Fitted = Callable[[np.ndarray], np.ndarray]
"""The result as a function of parameters (n, p) that costs nothing."""
stats_qmc: Any = Later("scipy.stats.qmc")
stats: Any = Later("scipy.stats")
FIRST = 3
"""The first check has 2^3 solves; each batch that follows is as large as all before it."""
SCRAMBLES, EACH, INDICES = 8, 14, 12
"""Scrambled Sobol sequences, and the logarithm of the points of each on which a polynomial is evaluated: for moments
and quantiles, and for Sobol indices, which need as many for each parameter."""
SPARE = 2
"""Solves for each coefficient of a polynomial."""
TAILS = 2.0
"""In its tails, where few solves were, a polynomial misses more than on the average: quantiles of a fourth power over a
lognormal were off by 1.4 times that."""
DEGREE = 8
"""The highest degree: the deviation of k^8 is that of rounding in a fit of a few hundred values."""
BAND = 0.05
"""What lies outside of the interval that is shown: the custom."""
CLOSE = 1e-2
"""The default part of the deviation that the polynomial may miss."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The spread of a result, from `tn.propagate`.

    Parameters
    ----------
    over : tuple of Uncertain
        The parameters.
    at_mean : Number
        The result for the means of the parameters.
    gradient : dict
        Its derivatives there.
    samples, values : (n, parameters) and (n,) arrays
        What was solved, and the results.
    missed : float
        The root mean square error of the tangent or the polynomial, on solves that were not used to fit it.
    by : str
        "tangent" or "quasi-Monte-Carlo".
    """

    over: tuple[Uncertain, ...]
    at_mean: Number
    gradient: dict[sp.Symbol, float]
    samples: np.ndarray
    values: np.ndarray
    missed: float
    by: str
    fitted: Fitted
    seed: int

    @cached_property
    def _drawn(self) -> np.ndarray:
        """Values of the polynomial, (scrambles, points)."""
        return np.stack([self.fitted(_points(self.over, EACH, self.seed + 1 + j)) for j in range(SCRAMBLES)])

    @property
    def mean(self) -> Number:
        """The mean."""
        return self._number(lambda v: v.mean())

    @property
    def deviation(self) -> Number:
        """The standard deviation."""
        return self._number(lambda v: v.std())

    def quantile(self, fraction: float) -> Number:
        """The value below which the result stays with a given probability, `quantile(0.95)`."""
        if not 0 < fraction < 1:
            raise ProblemError("A quantile is asked for a probability between 0 and 1: spread.quantile(0.95).")
        return self._number(lambda v: np.quantile(v, fraction))

    @cached_property
    def sobol(self) -> dict[sp.Symbol, Number]:
        """The part of the variance that each parameter causes by itself."""
        return self._indices("first_order")

    @cached_property
    def total(self) -> dict[sp.Symbol, Number]:
        """The part of the variance that each parameter causes by itself and together with others."""
        return self._indices("total_order")

    def _number(self, of: Callable[[np.ndarray], Any]) -> Number:
        each = np.array([float(of(v)) for v in self._drawn])
        half = np.array([float(of(v[: 2 ** (EACH - 1)])) for v in self._drawn])  # what the tails still lack
        lack = 2 * each.std(ddof=1) / np.sqrt(SCRAMBLES) + abs(each.mean() - half.mean())
        return Number(float(each.mean()), float(lack) + TAILS * self.missed)

    @cached_property
    def _sobol(self) -> list[Any]:
        """The indices by several scrambles."""
        dists = [u.distribution for u in self.over]
        return [
            stats.sobol_indices(
                func=lambda k: self.fitted(np.asarray(k).T), n=2**INDICES, dists=dists,
                random_state=np.random.default_rng(self.seed + j),
            )
            for j in range(SCRAMBLES)
        ]  # fmt: skip

    def _indices(self, which: str) -> dict[sp.Symbol, Number]:
        if len(self.over) == 1:  # it causes all of it
            return {self.over[0].symbol: Number(1.0, 0.0)}
        each = np.array([getattr(found, which) for found in self._sobol])
        lack = 2 * each.std(axis=0, ddof=1) / np.sqrt(SCRAMBLES) + 2 * self.missed / float(self.deviation)
        return {
            u.symbol: Number(float(v), float(w)) for u, v, w in zip(self.over, each.mean(axis=0), lack, strict=True)
        }

    def __repr__(self) -> str:
        low, high = self.quantile(BAND / 2), self.quantile(1 - BAND / 2)
        return (
            f"{self.mean!r}, deviation {self.deviation!r}, "
            f"{1 - BAND:.0%} between {float(low):.6g} and {float(high):.6g} "
            f"(by {self.by}, {len(self.values) + 1} solves)"
        )


@explained
def propagate(
    result: Result,
    problem: Problem | Prepared,
    *,
    over: Sequence[Uncertain],
    parameters: Mapping[Any, float] | None = None,
    lam: sp.Symbol | None = None,
    tol: float = CLOSE,
    solves: int = 512,
    seed: int = 0,
    progress: Callable[[dict[sp.Symbol, float], float], None] | None = None,
) -> Spread:
    """How a result varies with uncertain parameters: `tn.propagate(lambda s: s.integral(u), problem,
    over=[tn.uncertain(k, tn.normal_distribution(2, 0.1))])`.

    Parameters
    ----------
    result : callable
        From a solution to a result, as in `tn.minimise`.
    problem : Problem or Prepared
        What is solved. With `tn.prepare(problem)` the factorisation is kept, which pays if the uncertain parameters are
        in right-hand sides.
    over : sequence
        The uncertain parameters, independent of each other.
    parameters : mapping, optional
        The values of the others.
    lam : sympy.Symbol, optional
        The eigenvalue of an eigenvalue problem; the result is then one of its pairs, `lambda p: p.value(0)`.
    tol : float
        Tolerance, relative to the standard deviation: the tangent is used if it misses by no more.
    solves : int
        The most solves.

    Returns
    -------
    Spread
        With `mean`, `deviation`, `quantile(0.95)`, `sobol[k]` and `total[k]`, each with its `error`.
    """
    response, uncertain = Response.of(problem, result, lam), tuple(refuse_twice(over))
    named = response.values({**(parameters or {}), **{u.symbol: u.mean for u in uncertain}})
    by_name = {p.name: p for p in named}
    symbols = [by_name[u.symbol.name] for u in uncertain]

    def solved(row: np.ndarray) -> Number:
        values = {**named, **dict(zip(symbols, row.tolist(), strict=True))}
        (number,) = response.numbers(response.solved(values))
        if progress is not None:
            progress(values, float(number))
        return number

    middle = response.solved(named)
    (at_mean,) = response.numbers(middle)
    slopes = response.slopes(middle, at_mean, symbols)
    means = np.array([u.mean for u in uncertain])
    candidates: list[Fitted] = [lambda k: float(at_mean) + (k - means) @ slopes]
    samples, values, by, size, noise = np.zeros((0, len(symbols))), np.zeros(0), "tangent", FIRST, float(at_mean.error)
    while True:
        batch = _points(uncertain, size, seed)[len(values) :]
        numbers = [solved(row) for row in batch]
        new = np.array([float(n) for n in numbers])
        noise = max(noise, *(n.error for n in numbers))
        misses = [float(np.sqrt(np.mean((new - f(batch)) ** 2))) for f in candidates]
        fitted, missed = candidates[int(np.argmin(misses))], min(misses) + noise
        samples, values = np.concatenate([samples, batch]), np.concatenate([values, new])
        if missed <= tol * float(np.std(values)) or 2 ** (size + 1) > solves:
            break
        candidates, by, size = _polynomials(uncertain, samples, values), "quasi-Monte-Carlo", size + 1
    if missed > tol * float(np.std(values)):
        text = (
            f"After {len(values) + 1} solves the fitted polynomial still misses {missed / np.std(values):.1e} of the "
            f"deviation, above {tol:g}: the errors of the spread say so. Likely the result is not smooth in the "
            f"parameters. Allow more with solves={2 * solves}."
        )
        warn([Message(EstimateWarning, text)])
    gradient = dict(zip((u.symbol for u in uncertain), slopes.tolist(), strict=True))
    return Spread(uncertain, at_mean, gradient, samples, values, missed, by, fitted, seed)


def _points(uncertain: Sequence[Uncertain], size: int, seed: int) -> np.ndarray:
    """2^size points of a scrambled Sobol sequence, distributed as the parameters are: (n, parameters)."""
    fractions = stats_qmc.Sobol(len(uncertain), scramble=True, seed=np.random.default_rng(seed)).random_base2(size)
    return np.stack([u.at(f) for u, f in zip(uncertain, fractions.T, strict=True)], axis=1)


def _polynomials(uncertain: Sequence[Uncertain], samples: np.ndarray, values: np.ndarray) -> list[Fitted]:
    """Polynomials of the parameters fitted to the results, of all degrees that the number of solves allows."""
    made: list[Fitted] = []
    terms: list[tuple[int, ...]] = [()]
    for degree in range(1, DEGREE + 1):
        terms = [*terms, *combinations_with_replacement(range(len(uncertain)), degree)]
        if SPARE * len(terms) > len(values):
            break
        matrix = _powers(uncertain, samples, terms)
        sizes = np.linalg.norm(matrix, axis=0)
        factors = np.linalg.lstsq(matrix / sizes, values, rcond=None)[0] / sizes
        made.append(_function(uncertain, terms, factors))
    return made


def _function(uncertain: Sequence[Uncertain], terms: Sequence[tuple[int, ...]], factors: np.ndarray) -> Fitted:
    return lambda k: np.asarray(_powers(uncertain, np.atleast_2d(k), terms) @ factors)


def _powers(uncertain: Sequence[Uncertain], samples: np.ndarray, terms: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Products of the parameters' scores: (n, terms)."""
    z = np.stack([u.score(k) for u, k in zip(uncertain, samples.T, strict=True)], axis=1)
    return np.stack([np.prod(z[:, list(term)], axis=1) for term in terms], axis=1)
