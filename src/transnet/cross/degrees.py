"""Which products of cosines and sines are used in many coordinates: degrees whose product of costs is below a limit.

A function of one coordinate is given by its degree j: cos(k w y) for j = 2 k and sin(k w y) for j = 2 k - 1, which for
small w span what polynomials of degree j span. In d coordinates all degrees up to some number would be too many; but a
smooth function needs high degrees in few coordinates at a time. So a degree has a cost c(j), and the products are those
with c(j_1) ... c(j_d) at most H. The costs determine which functions are represented well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

HIGHEST = 60
"""Of all degrees."""
STEP = 1.25
"""The factor by which the limit of the cost grows until there are enough products."""


def _grown(first: tuple[float, ...], factor: float) -> Callable[[int], float]:
    return lambda j: first[j] if j < len(first) else first[-1] * factor ** (j - len(first) + 1)


FAMILIES: Mapping[str, Callable[[int], float]] = {
    "even": _grown((1.0, 1.2), 1.6),
    "product": _grown((1.0, 1.1, 1.25), 1.75),
    "bump": _grown((1.0, 1.5, 1.1), 1.75),
    "sum": lambda j: 1.0 + j,
}
"""The cost of a degree: for functions like exp(a.y), where nearly only the total degree counts; for products of
functions of one coordinate each, which need the second degree in all of them; the same for those that vanish at both
ends, such as sin(pi x) and x (1 - x), which are even; for sums of such, the hyperbolic cross. The numbers are those
with the smallest errors of several tried for six such functions in six coordinates."""


def degrees(dimension: int, count: int, family: str) -> np.ndarray:
    """The `count` degrees of least cost, cheapest first: (count, d) integers."""
    cost = np.array([FAMILIES[family](j) for j in range(HIGHEST)])
    limit = 2.0
    while True:
        found, total = np.zeros((1, 0), dtype=np.int16), np.ones(1)
        for _ in range(dimension):
            parts = [(j, total * cost[j]) for j in range(HIGHEST) if cost[j] <= limit]
            kept = [(j, t, t <= limit) for j, t in parts]
            found = np.concatenate([np.c_[found[ok], np.full(ok.sum(), j, np.int16)] for j, _, ok in kept])
            total = np.concatenate([t[ok] for _, t, ok in kept])
        if len(found) >= count:
            return found[np.argsort(total, kind="stable")[:count]]
        limit *= STEP
