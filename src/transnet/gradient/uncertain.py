"""What is known of a parameter: `tn.uncertain(k, tn.normal_distribution(2, 0.1))`. Distributions are SciPy's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.lazy import stats


@dataclass(frozen=True, eq=False)
class Uncertain:
    """A parameter with a distribution of SciPy, `scipy.stats.norm(2, 0.1)` or any other frozen one."""

    symbol: sp.Symbol
    distribution: Any

    @property
    def mean(self) -> float:
        return float(self.distribution.mean())

    @property
    def deviation(self) -> float:
        return float(self.distribution.std())

    def at(self, fractions: np.ndarray) -> np.ndarray:
        """The values below which it stays with given probabilities."""
        return np.asarray(self.distribution.ppf(fractions), float)

    def score(self, values: np.ndarray) -> np.ndarray:
        """Values in units in which polynomials fit: of the deviation if they are bounded, of a normal one otherwise."""
        if np.all(np.isfinite(self.distribution.support())):
            return (values - self.mean) / self.deviation
        return np.asarray(stats.norm.ppf(self.distribution.cdf(values)), float)

    def __repr__(self) -> str:
        return f"{self.symbol} = {self.mean:.6g} with deviation {self.deviation:.3g}"


@explained
def uncertain(parameter: sp.Symbol | str, distribution: Any) -> Uncertain:
    """A parameter whose value is known only as a distribution: `tn.uncertain(k, tn.normal_distribution(2, 0.1))`.

    Parameters
    ----------
    parameter : symbol or str
        A parameter of a problem.
    distribution
        `tn.normal_distribution`, `tn.uniform_distribution`, `tn.lognormal_distribution`,
        `tn.triangular_distribution`, or any frozen distribution of `scipy.stats`.
    """
    symbol = sp.Symbol(parameter) if isinstance(parameter, str) else parameter
    if not isinstance(symbol, sp.Symbol):
        raise ProblemError(f"What is uncertain is a parameter, a symbol or its name, not {shown(parameter)}.")
    if not all(hasattr(distribution, what) for what in ("ppf", "mean", "std")):
        raise ProblemError(
            f"{shown(distribution)} is not a distribution: take tn.normal_distribution(mean, deviation), "
            f"tn.uniform_distribution(low, high), or a frozen one of SciPy, scipy.stats.gamma(3)."
        )
    found = Uncertain(symbol, distribution)
    if not (np.isfinite(found.mean) and np.isfinite(found.deviation) and found.deviation > 0):
        raise ProblemError(f"The distribution of {symbol} has no finite mean and deviation, or does not vary.")
    return found


@explained
def normal_distribution(mean: float, deviation: float) -> Any:
    """The normal distribution."""
    _refuse(deviation > 0, "A normal distribution has a positive deviation.")
    return stats.norm(mean, deviation)


@explained
def uniform_distribution(low: float, high: float) -> Any:
    """The uniform distribution between two values."""
    _refuse(high > low, "A uniform distribution goes from a lower to a higher value.")
    return stats.uniform(low, high - low)


@explained
def lognormal_distribution(mean: float, deviation: float) -> Any:
    """The lognormal distribution with this mean and standard deviation."""
    _refuse(mean > 0 and deviation > 0, "A lognormal distribution has a positive mean and a positive deviation.")
    width = float(np.sqrt(np.log1p((deviation / mean) ** 2)))
    return stats.lognorm(width, scale=mean / np.exp(width**2 / 2))


@explained
def triangular_distribution(low: float, likeliest: float, high: float) -> Any:
    """The triangular distribution: its density rises linearly to the likeliest value and falls linearly from there."""
    _refuse(low < high and low <= likeliest <= high, "A triangular distribution has low <= likeliest <= high.")
    return stats.triang((likeliest - low) / (high - low), low, high - low)


def _refuse(fine: bool, words: str) -> None:
    if not fine:
        raise ProblemError(words)


def refuse_twice(over: Sequence[Any]) -> list[Uncertain]:
    """The uncertain parameters, each once."""
    found = list(over) if isinstance(over, Sequence) else [over]
    if not found or not all(isinstance(u, Uncertain) for u in found):
        raise ProblemError("over= has the uncertain parameters: [tn.uncertain(k, tn.normal_distribution(2, 0.1))].")
    if len({u.symbol.name for u in found}) < len(found):
        raise ProblemError("A parameter is uncertain twice.")
    return found
