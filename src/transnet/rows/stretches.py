"""Conditions that hold on some of a part of the boundary: the part is cut where one of them begins or ends.

Each stretch is a part of its own, on which everything that is stated holds throughout, and which meets the next one in
a flat corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from transnet.counts import ALONG
from transnet.formulas import compiled_formula
from transnet.geometry import Domain, Slit
from transnet.measure.arcs import Arc
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement
from transnet.tolerances import BESIDE, HALVINGS

DEEPER = 3
"""How often the neighbourhood of a place where a side of a comparison is nearly zero is looked at more closely."""

Stretch = tuple[str, Arc]


@dataclass(frozen=True, repr=False, eq=False)
class Stretched(Domain):
    """A plane domain some of whose parts are cut into stretches; `groups` has more names of parts."""

    base: Domain
    stretches: Mapping[str, tuple[Stretch, ...]]
    groups: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return repr(self.base)

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.base.names

    @property
    def bounds(self) -> np.ndarray:
        return self.base.bounds

    @property
    def volume(self) -> float:
        return self.base.volume

    @property
    def parts(self) -> tuple[str, ...]:
        return self._cut(self.base.parts)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        known = {name: self._cut(parts) for name, parts in self.base.aliases.items() if name != "boundary"}
        return {**known, **{part: self._cut([part]) for part in self.stretches}, **self.groups}

    def _cut(self, parts: Sequence[str]) -> tuple[str, ...]:
        """The stretches of parts, and parts that have none."""
        names = (name for part in parts for name in ([n for n, _ in self.stretches.get(part, ())] or [part]))
        return tuple(dict.fromkeys(names))

    def arcs(self, part: str) -> tuple[Arc, ...]:
        mine = tuple(arc for some in self.stretches.values() for name, arc in some if name == part)
        return mine or self.base.arcs(part)

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return self.base._inside(points, sign)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        return self.base._fill(n, kind, rng)


_known: Remembered[Problem, tuple[Problem, tuple[Statement, ...]]] = Remembered()


def in_stretches(problem: Problem, statements: Sequence[Statement]) -> tuple[Problem, tuple[Statement, ...]]:
    """A problem of the plane without conditions that hold on some of a part; as it is if there are none."""
    if problem.domain.dimension != 2 or all(s.part is None or s.where is None for s in statements):
        return problem, tuple(statements)
    return _known.get(problem, tuple(statements), lambda: _in_stretches(problem, statements))


def _in_stretches(problem: Problem, statements: Sequence[Statement]) -> tuple[Problem, tuple[Statement, ...]]:
    domain = problem.domain
    restricted = [(s.part, s.where) for s in statements if s.part is not None and s.where is not None]
    wheres = {part: tuple(dict.fromkeys(w for name, w in restricted if part in domain.resolve(name)))
              for part in domain.parts}  # fmt: skip
    stretches: dict[str, tuple[Stretch, ...]] = {}
    groups: dict[str, list[str]] = {_group(part, where): [] for part, where in restricted}
    for part, some in wheres.items():
        if not some:
            continue
        found = [(k, arc) for whole in domain.arcs(part) for k, arc in _cut(whole, some, problem.coordinates)]
        kinds = list(dict.fromkeys(k for k, _ in found))
        stretches[part] = tuple((f"stretch {kinds.index(k) + 1} of {part}", arc) for k, arc in found)
        for name, where in dict.fromkeys(restricted):
            if part in domain.resolve(name):
                holds = [k for k in kinds if k[some.index(where)]]
                groups[_group(name, where)] += [f"stretch {kinds.index(k) + 1} of {part}" for k in holds]
    made = _stretched(domain, stretches, {name: tuple(parts) for name, parts in groups.items() if parts})
    # What holds nowhere is left as it is: a condition that nothing satisfies is told where points are drawn.
    sources = {id(c): _moved(c, groups) for c in problem.conditions}
    moved = replace(problem, domain=made, conditions=tuple(sources.values()))
    return moved, tuple(replace(s, source=sources.get(id(s.source))) for s in statements)


def _stretched(domain: Domain, stretches: Mapping[str, Any], groups: Mapping[str, Any]) -> Domain:
    if isinstance(domain, Slit):  # the tips of a slit are its own
        return replace(domain, base=_stretched(domain.base, stretches, groups))
    return Stretched(domain, stretches, groups)


def _group(part: str | None, where: Any) -> str:
    return f"{part} where {where}"


def _moved(condition: Any, groups: Mapping[str, Sequence[str]]) -> Any:
    name = None if condition.boundary is None else _group(condition.boundary, condition.where)
    return replace(condition, part=name, where=None) if name is not None and groups.get(name) else condition


def _cut(arc: Arc, wheres: Sequence[Any], coordinates: Sequence[sp.Symbol]) -> list[tuple[tuple[bool, ...], Arc]]:
    """The stretches of an arc, each with what holds there."""
    sides = [compiled_formula(coordinates, atom.lhs - atom.rhs) for where in wheres
             for atom in where.atoms(sp.core.relational.Relational)]  # fmt: skip
    ends = [0.0]
    for s in sorted(s for side in sides for s in _roots(side, arc)):
        if min(s - ends[-1], arc.length - s) > BESIDE * arc.length:
            ends.append(s)
    found: list[tuple[tuple[bool, ...], float, float]] = []
    for low, high in pairwise([*ends, arc.length]):
        middle = arc.at(np.array([0.5 * (low + high)]))[0]
        holds = tuple(bool(where_mask(where, coordinates, middle)[0]) for where in wheres)
        if found and found[-1][0] == holds:
            low = found.pop()[1]
        found.append((holds, low, high))
    return [(holds, arc if len(found) == 1 else arc.cut(low, high)) for holds, low, high in found]


def _roots(side: Callable[..., Any], arc: Arc) -> list[float]:
    """Where the difference of the sides of a comparison changes its sign along an arc."""

    def values(s: np.ndarray) -> np.ndarray:
        return np.asarray(np.broadcast_to(side(*arc.at(s)[0].T), s.shape), dtype=float)

    s = np.linspace(0.0, arc.length, ALONG + 1)
    v = values(s)
    for _ in range(DEEPER):
        size = np.abs(v)
        least = 1 + np.flatnonzero((size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:]) & (v[:-2] * v[2:] > 0))
        if not len(least):
            break
        more = np.concatenate([np.linspace(s[k - 1], s[k + 1], ALONG) for k in least[:ALONG]])
        s = np.unique(np.concatenate([s, more]))
        v = values(s)
    changes = np.flatnonzero((v[:-1] > 0) != (v[1:] > 0))
    low, high, above = s[changes], s[changes + 1], v[changes] > 0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = (values(middle) > 0) == above
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return (0.5 * (low + high)).tolist()
