"""Solve again at other points, to see what a solution owes to the points at which its equations were fitted.

The parts of a network are fitted at the same points as the whole. Where data are not smooth, like the root of the
distance to an end, all of them are wrong in the same way between these points, and their differences do not show it. In
one dimension a second solve costs next to nothing. So it is where the rows hardly determine a function, as close to a
resonance: what the points contribute to that function is amplified in the whole network and in its parts alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.counts import SAMPLE
from transnet.errors import TransnetError
from transnet.judge.estimate import distances
from transnet.linalg.least_squares import QR, triangle_of
from transnet.measure.sampling import spread
from transnet.problem import Problem
from transnet.rows.assembly import assemble
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.tolerances import EPS

DENSER = 4
"""The factor by which the number of points is increased. The error of u = x^(5/2) is 2.8e-9 with 92 neurons and 1.6e-9
with 150; with twice as many points it changes by 2.2e-8 and 5.8e-9, with three times as many by 2.8e-8 and 1.8e-9, with
four times as many by 1.4e-8 and 2.9e-9."""
SEED = 1
"""The seed of the other points."""
WEAK = 50.0
"""The amplification, in units of the natural one, above which other points are tried in any dimension. Most problems
are below 10. Near a resonance, at 200 to 7000, the other estimate was two to ten times too low in three of 26, at 1e4
and above up to 50 times."""
LESS = 3.0
"""By how much the estimate from smaller networks is too large there: near a resonance 1 to 18 times, 1.7 in the
median; what other points changed was 0.2 to 4 times the error, and counts if it is more."""
ROUNDS = 0.5
"""The rounding of rows, in units of eps, that is amplified: thin plates have 0.1 to 0.3 at 5e4 to 4e5."""


def changed_by_points(
    problem: Problem,
    basis: Basis,
    blocks: Sequence[Block],
    coefficients: np.ndarray,
    parameters: Sequence[Any],
    relative: float,
) -> float:
    """The relative change of a solution if its equations are fitted at other points, and what rounding makes of it;
    looked at where there is one dimension or the amplification `relative` to the natural one is large."""
    line = problem.domain.dimension == 1
    if not (line or relative > WEAK) or any(b.statement.kind == "data" for b in blocks):
        return 0.0
    rounding = ROUNDS * EPS * relative if np.isfinite(relative) else 0.0
    try:
        size = (DENSER if line else 1) * basis.columns
        others = collocate(problem, [b.statement for b in blocks], size, None, SEED)
        rows = [
            b.linearise(parameters)
            if b.statement.equation.linear
            else b.linearise(parameters, b.state(basis, coefficients))
            for b in others
        ]
        triangle = triangle_of(np.asfortranarray(assemble(others, basis, rows).matrix))
        n = basis.columns
        again = QR().solve(np.asfortranarray(triangle[:n, :n]), np.asfortranarray(triangle[:n, n:])).values[:, 0]
    except TransnetError:
        return rounding  # data that are not finite at a point where they were never evaluated before
    points = blocks[0].points
    features = basis.features(points[spread(len(points), SAMPLE)])
    whole = [f @ coefficients[basis.slice_of(u)] for u, f in enumerate(features)]
    missing = [[w - f @ again[basis.slice_of(u)]] for u, (w, f) in enumerate(zip(whole, features, strict=True))]
    changed = distances([w[:, None] for w in whole], [[m[:, None] for m in ms] for ms in missing])[0, 0]
    return max(float(changed), rounding)
