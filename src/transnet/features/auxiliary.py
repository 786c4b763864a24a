"""How a candidate space is measured: least-squares fits of random functions on [-1, 1]^d (paper, Eq. mse)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from transnet.calls import shown
from transnet.errors import TransnetError
from transnet.features.activation import Activation, activation
from transnet.features.evaluate import Terms, write_rows
from transnet.features.neurons import Placing, log_spread
from transnet.features.random_fields import RandomFields, random_fields
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import QR, Solver, triangle_of
from transnet.measure.sampling import quasi

UNSEEN = 1_000
"""The fewest points at which a fit is judged, none of which were fitted."""


@dataclass(frozen=True, eq=False)
class Target:
    """What candidates are measured against: random functions, the points of the fit and those of the error."""

    fields: RandomFields
    fitted: np.ndarray
    held_out: np.ndarray | None
    values: np.ndarray = field(repr=False)
    checks: np.ndarray | None = field(repr=False)
    solver: Solver = field(default_factory=QR)

    @classmethod
    def of(cls, fields: RandomFields, fitted: np.ndarray, held_out: np.ndarray | None, solver: Solver) -> Target:
        """Evaluate the random functions once, for all the candidates."""
        checks = None if held_out is None else fields(held_out)
        return cls(fields, fitted, held_out, fields(fitted), checks, solver)

    def error(self, space: FeatureSpace) -> float:
        """The mean-square error of the least-squares fits, over all realisations."""
        columns, realisations = space.size, self.values.shape[1]
        rows = np.empty((columns + realisations, len(self.fitted)))
        one: Terms = [((0,) * space.dimension, np.array(1.0))]
        write_rows(space, self.fitted, [(rows[:columns], one)])
        rows[columns:] = self.values.T
        triangle = triangle_of(rows.T)
        if self.held_out is None or self.checks is None:
            # The residual is what remains below R in the columns of the functions: no solve is needed.
            return float((triangle[columns:, columns:] ** 2).sum() / self.values.size)
        found = self.solver.solve(triangle[:columns, :columns], triangle[:columns, columns:]).values
        held = np.empty((columns, len(self.held_out)))
        write_rows(space, self.held_out, [(held, one)])
        return float(np.mean((held.T @ found - self.checks) ** 2))


@dataclass(frozen=True)
class Family:
    """The spaces that are tuned over: everything except shape, radius and factors is fixed, including the draw of
    neurons."""

    dimension: int
    neurons: int
    activation: Activation
    spread: float = 1.0
    placement: Placing = "quasi"
    seed: int = 0

    def space(self, shape: float, radius: float, factors: Sequence[float]) -> FeatureSpace:
        """The member with these parameters."""
        if self.activation.name == "sin":
            made = FeatureSpace.spectral(self.dimension, self.neurons, shape, self.placement, self.seed)
        else:
            shapes = shape * log_spread(self.neurons, self.spread, self.seed + 1)
            made = FeatureSpace.uniform(
                self.dimension, self.neurons, shapes, radius, self.activation, self.placement, self.seed
            )
        return made.stretched(tuple(factors)) if any(f != 1.0 for f in factors) else made

    @property
    def located(self) -> bool:
        """Whether the neurons lie in a ball; sines are the same everywhere and have a phase instead."""
        return self.activation.name != "sin"


def grid(dimension: int, per_axis: int) -> np.ndarray:
    """The points of an even grid of [-1, 1]^d, the faces included: (n^d, d)."""
    axis = np.linspace(-1.0, 1.0, per_axis)
    return np.stack(np.meshgrid(*[axis] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)


def setting(
    dimension: int,
    neurons: int,
    correlation_length: float | Sequence[float],
    realisations: int,
    which: str | Activation,
    points: int | np.ndarray | None,
    held_out: bool,
    spread: float,
    placement: Placing,
    seed: int,
    solver: Solver | None,
) -> tuple[Family, Target]:
    """The spaces to choose from and how they are measured; the parameters are those of `tune`."""
    if dimension < 1 or neurons < 1:
        raise TransnetError(
            f"A feature space needs at least one dimension and one neuron, not {dimension} and {neurons}."
        )
    if not spread >= 1.0:
        raise TransnetError(
            f"The spread is the ratio of the largest shape to the smallest, at least 1, not {shown(spread)}."
        )
    family = Family(dimension, neurons, activation(which), float(spread), placement, seed)
    rng = np.random.default_rng([seed, 1])
    if isinstance(points, np.ndarray):
        fitted = np.ascontiguousarray(points, dtype=float)
        if fitted.ndim != 2 or fitted.shape[1] != dimension:
            raise TransnetError(f"The points must have shape (J, {dimension}), not {fitted.shape}.")
    else:
        # The arcsine density keeps a fit from oscillating near the faces, where it has points on one side only.
        fitted = -np.cos(np.pi * quasi(4 * (neurons + 1) if points is None else points, dimension, rng))
    if len(fitted) < neurons + 1:
        raise TransnetError(
            f"{len(fitted)} points do not determine {neurons + 1} coefficients. Use at least {2 * (neurons + 1)}."
        )
    low, high = fitted.min(axis=0), fitted.max(axis=0)
    unseen = low + (high - low) * quasi(max(UNSEEN, neurons), dimension, rng) if held_out else None
    fields = random_fields(dimension, correlation_length, realisations, seed=np.random.default_rng([seed, 2]))
    return family, Target.of(fields, fitted, unseen, solver or QR())
