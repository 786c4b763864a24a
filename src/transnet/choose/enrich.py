"""Which singular features a problem can use, as a law in the number of neurons.

They are solutions of elliptic equations of second order in the plane for one unknown. For systems, and equations of
higher order, those around holes are Goursat's functions, analytic ones times powers of conj(z), which represent slow
flow and elastic bodies; corners have exponents of their own there, see `sectors`. Whether the features help is decided
in `choose` by comparing residuals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from transnet.choose.inner import Inner, inner_points, may_have_inner_points
from transnet.choose.sectors import Sectors, oblique, sectors_of
from transnet.features.singular import Singular
from transnet.features.singularities import GOURSAT, counts, has_singularities, singularities
from transnet.geometry import Domain
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.statements import Statement
from transnet.rows.stretches import in_stretches
from transnet.tolerances import SAME

FEW, MOST = 60, 400
"""Singular features: half as many as neurons plus this number, up to this limit."""
POLES = 16
DEGREE, HIGHEST = (4.0, 0.25), 9.0
BARS = (3.0, 0.12)
"""Poles in a hole, degrees of powers at a corner and of their conjugates, a + b sqrt(neurons). With 8 poles a ring
whose data have a pole at 0.7 of the radius of its hole takes 1460 neurons for six digits instead of 808, and four times
as long, and 240 neurons have 650 times the error; with 24 they have 0.14 times, but nine digits around two holes take
1.3 times as long. With smooth data there is no difference (the first program takes 10 ms with 12 to 32). With lower
degrees the error of an L-shape is 800 times larger, with higher ones 0.6 times for a tenth more time, with HIGHEST = 6
13 times larger (benchmarks/constants.py enrich)."""

_made: Remembered[Domain, Singular] = Remembered()


@dataclass(frozen=True, eq=False)
class Enrichment:
    """The singular features of a domain for an operator, more of them for larger networks.

    Parameters
    ----------
    domain : Domain
    mu : complex
        The root of the principal part.
    barred : bool
        Whether powers of conj(z) are needed: for terms of lower order, and coefficients that vary.
    kinds : dict
        The kind of condition on each part of the boundary, "value" or "flux".
    corners : bool
        Whether the exponents at corners are known.
    sectors : Sectors, optional
        The corners of a system or an equation of higher order.
    inner : tuple of Inner
        Interior points at which the equation is singular.
    """

    domain: Domain
    mu: complex
    barred: bool
    kinds: dict[str, str]
    corners: bool = True
    sectors: Sectors | None = None
    inner: tuple[Inner, ...] = ()

    @property
    def switches(self) -> bool:
        """Whether values give way to fluxes where the boundary goes straight on."""
        return any(c.flat and counts(c, self.kinds) for c in self.domain.corners_and_holes[0])

    @property
    def reaching(self) -> bool:
        """Whether stresses, moments or fluxes are unbounded at a corner of a system or an equation of higher order.

        Or whether the equation itself is singular inside.
        """
        return bool(self.inner) or (self.sectors is not None and self.sectors.reaching)

    def features(self, neurons: int, most: int | None = None) -> Singular:
        """The features for a number of neurons, at most half as many and a few; made once for a domain."""
        stated = (self.mu, self.barred, self.corners, tuple(sorted(self.kinds.items())), self.sectors)
        key = (neurons, most, self.inner, *stated)
        return _made.get(self.domain, key, lambda: self._features(neurons, most))

    def _features(self, neurons: int, most: int | None) -> Singular:
        return singularities(
            self.domain,
            poles=int(POLES + sqrt(neurons)),
            degree=min(DEGREE[0] + DEGREE[1] * sqrt(neurons), HIGHEST) if self.corners or self.sectors else 0.0,
            bars=self._bars(neurons),
            kinds=self.kinds,
            mu=self.mu,
            most=min(FEW + neurons // 2, MOST) if most is None else most,
            powers=() if self.sectors is None else self.sectors.powers,
            inner=[(i.point, i.families) for i in self.inner],
        )

    def _bars(self, neurons: int) -> float:
        if not self.corners:
            return GOURSAT
        return BARS[0] + BARS[1] * sqrt(neurons) if self.barred else 0.0


def enrichment_of(
    problem: Problem,
    blocks: Sequence[Block],
    linearisations: Sequence[Linearisation | None],
    numbers: Sequence[Any] = (),
) -> Enrichment | None:
    """The enrichment of a problem; None if the equation is of another kind, or nothing is singular.

    Parameters
    ----------
    blocks, linearisations : sequences
        The statements on points, and their coefficients there; those of conditions may be left out.
    numbers : sequence
        The values of the problem's parameters.
    """
    if problem.domain.dimension != 2:
        return None
    within = may_have_inner_points(problem)
    problem, statements = in_stretches(problem, [b.statement for b in blocks])
    kinds, mixed = kinds_of(problem, statements)
    if not within and not has_singularities(problem.domain, kinds):
        return None
    equations = [k for k, b in enumerate(blocks) if b.statement.kind == "equation"]
    orders = {sum(index) for k in equations for _, index in blocks[k].slots}
    if len(problem.unknowns) > 1 or len(equations) > 1 or max(orders) > 2:
        sectors = sectors_of(problem, statements, numbers)
        if not problem.domain.corners_and_holes[1] and sectors is None:
            return None
        return Enrichment(problem.domain, 1j, True, kinds, corners=False, sectors=sectors)
    slots = blocks[equations[0]].slots
    linear = linearisations[equations[0]]
    found = None if linear is None else principal_of([index for _, index in slots], linear.coefficients)
    if found is None:
        return None
    mu, plain = found
    if problem.domain.corners_and_holes[0] and oblique(problem, statements, numbers, mu):
        sectors = sectors_of(problem, statements, numbers)
        if sectors is not None:
            return Enrichment(problem.domain, mu, True, kinds, corners=False, sectors=sectors)
    plain &= blocks[equations[0]].statement.equation.linear
    inner = inner_points(problem, numbers, mu) if within else ()
    if not inner and not has_singularities(problem.domain, kinds):
        return None
    return Enrichment(problem.domain, mu, mixed or not plain, kinds, inner=inner)


def principal_of(indices: Sequence[tuple[int, ...]], coefficients: Sequence[np.ndarray]) -> tuple[complex, bool] | None:
    """The root mu of an elliptic principal part of second order, and whether it is constant and the only term."""
    if max(sum(index) for index in indices) != 2:
        return None
    terms = dict(zip(indices, coefficients, strict=True))
    a, b, c = (np.asarray(terms.get(index, 0.0), dtype=float) for index in ((2, 0), (1, 1), (0, 2)))
    discriminant = 4 * a * c - b * b
    if not (np.all(np.isfinite(discriminant)) and np.all(discriminant > 0)):
        return None
    roots = np.ravel((-b + 1j * np.sqrt(discriminant)) / (2 * c))
    roots = np.where(roots.imag > 0, roots, np.conj(roots))
    mu = complex(roots.mean())
    if np.abs(roots - mu).max() > SAME * abs(mu):
        return None
    constant = all(np.ptp(value) <= SAME * np.abs(value).max() for value in map(np.atleast_1d, (a, b, c)))
    return mu, constant and all(sum(index) == 2 for index in indices)


def kinds_of(problem: Problem, statements: Sequence[Statement]) -> tuple[dict[str, str], bool]:
    """The kind of condition on each part of the boundary with a single kind, and whether values and fluxes are
    mixed."""
    kinds: dict[str, str] = {}
    several: set[str] = set()
    mixed = False
    for statement in statements:
        if statement.part is not None:
            orders = {sum(index) for _, index in statement.equation.slots}
            kind = "value" if orders == {0} else "flux"
            mixed |= kind == "flux" and 0 in orders
            for part in problem.domain.resolve(statement.part):
                if statement.where is not None or part in kinds:
                    several.add(part)
                kinds[part] = kind
    return {part: kind for part, kind in kinds.items() if part not in several}, mixed
