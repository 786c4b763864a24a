"""The features of each unknown: those chosen for all coordinates, or their traces on fewer of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transnet.features.singular import NO_FUNCTIONS
from transnet.features.space import FeatureSpace
from transnet.problem import Problem
from transnet.rows.roughness import sought_by
from transnet.rows.statements import statements_of

FEWEST = 16
"""The fewest neurons of a field that noisy data are to determine."""


def spaces_for(problem: Problem, space: FeatureSpace) -> tuple[FeatureSpace, ...]:
    """A space for each unknown; unknowns of the same coordinates share one unless singular features belong to one.

    An unknown of d' of the d coordinates has M^(d'/d) neurons, which do not depend on the others and have the same
    bandwidths along its own; a number has only the constant. A field that noisy data are to determine has half of the
    bandwidth: otherwise the other unknowns cannot follow it, which looks as if the equations contradicted it.
    """
    made: dict[tuple[Any, ...], FeatureSpace] = {}
    found = []
    for number, unknown in enumerate(problem.unknowns):
        depends = tuple(c in unknown.args for c in problem.coordinates)
        own = bool((space.plane["unknown"] == number).any())
        key = (depends, number if own else -1)
        if key not in made:
            mine = space.with_singular(space.singular.of_unknown(number)) if len(space.singular) else space
            made[key] = mine if all(depends) else trace(mine, depends)
        found.append(made[key])
    if any(c.noise is not None for c in problem.conditions):
        for k in sought_by(statements_of(problem), [len(u.args) for u in problem.unknowns]):
            found[k] = halved(found[k], len(problem.unknowns[k].args))
    return tuple(found)


def halved(space: FeatureSpace, extent: int) -> FeatureSpace:
    """Half of the bandwidth along each of its coordinates, with correspondingly fewer neurons."""
    size = min(max(space.neurons >> extent, FEWEST), space.neurons)
    size -= size % 2
    biases = space.biases[:size] * (0.5 if np.isfinite(space.radius) else 1.0)
    return replace(space, weights=0.5 * space.weights[:size], biases=biases, singular=NO_FUNCTIONS)


def trace(space: FeatureSpace, depends: Sequence[bool]) -> FeatureSpace:
    """Fewer neurons that depend on only some of the coordinates."""
    kept = np.array(depends)
    size = int(np.ceil(space.neurons ** (kept.sum() / len(kept)))) if kept.any() else 0
    size = min(size + size % 2, space.neurons)
    return replace(space, weights=space.weights[:size] * kept, biases=space.biases[:size], singular=NO_FUNCTIONS)
