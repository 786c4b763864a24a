"""Several phases on a line with fronts between them: each is pulled back to the same interval, where all are solved.

Every other phase is turned round, so that two phases meet at the same end of the interval, and what holds at their
front is a condition there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Slot, from_data, register, to_data
from transnet.errors import GeometryError, ProblemError
from transnet.geometry import Interval, Pieces
from transnet.geometry.product import Product
from transnet.geometry.symbolic import Sized
from transnet.motion.affine import Motion, motion_of
from transnet.motion.basis import Pulled
from transnet.problem import Condition, Jump, NormalComponent, Problem, expressions_of, in_piece, on, piece_of, unknown

ENDS = ("left", "right")
NEEDED = 3
"""Conditions at a front between two phases with one field each: a value on both sides, and the speed."""


@dataclass(frozen=True, eq=False)
class Phases:
    """u(x, t) is that of the phase in which x is at the time t.

    Parameters
    ----------
    phases : tuple of Pulled
        On the same interval at rest, with the unknowns of all phases.
    numbers : tuple of tuples of int
        For each phase, which of these each stated unknown is.
    only : int, optional
        The phase whose functions are taken at all points.
    """

    kind: ClassVar[str] = "phases"

    phases: tuple[Pulled, ...]
    numbers: tuple[tuple[int, ...], ...]
    only: int | None = None

    @property
    def columns(self) -> int:
        return self.phases[0].columns

    @property
    def unknowns(self) -> int:
        return len(self.numbers[0])

    @property
    def neurons(self) -> int:
        return self.phases[0].neurons

    @property
    def noun(self) -> str:
        """What `neurons` counts."""
        return self.phases[0].noun

    def slice_of(self, unknown: int) -> np.ndarray:
        every = np.arange(self.columns)
        mine = dict.fromkeys(own[unknown] for own in self.numbers)
        return np.concatenate([every[self.phases[0].slice_of(k)] for k in mine])

    def within(self, phase: int) -> Phases:
        """The same with the functions of one phase at all points: at a front the values of its side."""
        return replace(self, only=phase)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        first = coefficients if coefficients.ndim == 1 else coefficients[:, 0]
        rest = [phase.at_rest(first, points)[:, 0] for phase in self.phases]
        which = np.argmin([np.maximum(-y, y - 1.0) for y in rest], axis=0)
        which = which if self.only is None else np.full(len(points), self.only)
        found = [np.empty((len(points), *coefficients.shape[1:])) for _ in slots]
        for k in np.unique(which):
            mine, own = which == k, [(self.numbers[k][u], index) for u, index in slots]
            for out, values in zip(found, self.phases[k].derivatives(coefficients, points[mine], own), strict=True):
                out[mine] = values
        return found

    def summary(self) -> str:
        return f"{len(self.phases)} phases {self.phases[0].summary()}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        each = [to_data(phase, arrays, f"{prefix}{k}_") for k, phase in enumerate(self.phases)]
        return {"phases": each, "numbers": [list(n) for n in self.numbers]}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Phases:
    phases = tuple(from_data(p, arrays, f"{prefix}{k}_") for k, p in enumerate(data["phases"]))
    numbers = tuple(tuple(map(int, n)) for n in data["numbers"])
    if not phases or len(numbers) != len(phases) or not all(isinstance(p, Pulled) for p in phases):
        raise ValueError("the phases do not fit together")
    return Phases(phases, numbers)  # type: ignore[arg-type]


register(Phases.kind, _read)


@dataclass(frozen=True, eq=False)
class Folded:
    """A problem of several phases on the interval (0, 1) that they share.

    Parameters
    ----------
    ends : tuple of pairs
        The two ends of each phase, formulas of time and of the fronts.
    """

    problem: Problem
    names: tuple[str, ...]
    shapes: tuple[Any, ...]
    ends: tuple[tuple[sp.Expr, sp.Expr], ...]
    numbers: Mapping[sp.Symbol, sp.Expr]
    starts: Mapping[sp.Expr, sp.Expr]

    @property
    def line(self) -> sp.Symbol:
        return self.problem.coordinates[0]

    @property
    def time(self) -> sp.Symbol:
        return self.problem.coordinates[-1]

    def motion(self, k: int) -> Motion:
        """From the interval (0, 1), turned round if k is odd, to the phase."""
        first, last = self.ends[k][:: -1 if k % 2 else 1]
        return Motion((self.line,), self.time, sp.Matrix([[last - first]]), sp.Matrix([first]))

    def field(self, u: sp.Expr, k: int) -> sp.Expr:
        """An unknown in a phase; fronts belong to all."""
        return unknown(f"{u.func.__name__}_{self.names[k]}", *u.args) if self.line in u.args else u

    @property
    def unknowns(self) -> list[sp.Expr]:
        found = [self.field(u, k) for k in range(len(self.names)) for u in self.problem.unknowns]
        return list(dict.fromkeys(found))

    def pulled(self, expression: sp.Expr, k: int) -> sp.Expr:
        """What holds on the interval for what holds in a phase."""
        here = in_piece(sp.sympify(expression).xreplace(dict(self.numbers)), self.names[k]).doit()
        normal = NormalComponent(self.line)
        turned = {u: self.field(u, k) for u in self.problem.unknowns} | ({normal: -normal} if k % 2 else {})
        return self.motion(k).pulled(here.xreplace(turned))

    def equations(self) -> list[sp.Eq]:
        """Those of all phases."""
        return [
            sp.Eq(self.pulled(expression, k), 0)
            for k, name in enumerate(self.names)
            for equation in self.problem.equations
            if piece_of(equation) in (None, name)
            for expression in expressions_of(equation)
        ]

    def local(self, expression: sp.Expr) -> bool:
        """Whether an expression has fields of a phase, not fronts alone."""
        return any(self.line in u.args for u in expression.atoms(AppliedUndef))

    def conditions(self, times: Interval, line: Pieces) -> list[Condition]:
        """Those at the beginning, at the outer ends and at the fronts."""
        found = []
        for c in self.problem.conditions:
            assert c.boundary is not None
            for expression in c.expressions():
                expression = expression.xreplace(dict(self.numbers))
                if c.across:
                    found += self._at_front(c.boundary, expression)
                    continue
                for part in self.problem.domain.resolve(c.boundary):
                    if part in times.parts:
                        found += self._at_start(part, expression)
                    else:
                        k = line._kept[part][0][0]
                        low = float(line.boundary(part, 1).points[0, 0]) == float(line.shapes[k][1].bounds[0, 0])
                        found.append(on(ENDS[(not low) != bool(k % 2)], sp.Eq(self.pulled(expression, k), 0)))
        for k, (first, second) in enumerate(pairwise(self.names)):
            stated = [c for c in self.problem.conditions if c.across and first in str(c.boundary).split("|")]
            stated = [c for c in stated if second in str(c.boundary).split("|")]
            count = sum(len(self._at_front(str(c.boundary), e)) for c in stated for e in c.expressions())
            if len(self.unknowns) - len(self.starts) == len(self.names) and count < NEEDED:
                front = self.ends[k][1]
                raise ProblemError(
                    f"The front {front} between '{first}' and '{second}' has {count} of {NEEDED} conditions: u on both "
                    f"sides, and how it moves: tn.on('{first}|{second}', sp.Eq(u, 0), sp.Eq(sp.diff({front}, "
                    f"{self.time}), tn.jump(k*sp.diff(u, {self.line}))))."
                )
        return found

    def _at_start(self, part: str, expression: sp.Expr) -> list[Condition]:
        if not self.local(expression):
            return [on(part, sp.Eq(expression, 0))]
        count = range(len(self.names))
        return [on(part, sp.Eq(self.pulled(expression, k).xreplace(dict(self.starts)), 0)) for k in count]

    def _at_front(self, name: str, expression: sp.Expr) -> list[Condition]:
        first, second = (self.names.index(n.strip()) for n in name.split("|"))
        end = ENDS[1 - min(first, second) % 2]
        jumps = {j: sp.Dummy() for j in expression.atoms(Jump)}
        marked = expression.xreplace(jumps)
        if not jumps and self.local(expression):  # it holds on both sides
            return [on(end, sp.Eq(self.pulled(expression, k), 0)) for k in (first, second)]
        if self.local(marked):
            marked = (self.pulled(marked, first) + self.pulled(marked, second)) / 2
        differ = {d: self.pulled(j.args[0], second) - self.pulled(j.args[0], first) for j, d in jumps.items()}
        return [on(end, sp.Eq(marked.xreplace(differ), 0))]


def phases_first(domain: Sized) -> Sized:
    """Pieces that are products with the same time each, as files have them, as one product of pieces with time."""
    shapes = {**(domain.args[0] if domain.args else {}), **domain.keywords} if domain.make is Pieces else {}
    factors = [s.args if isinstance(s, Sized) else (s.first, s.second) for s in shapes.values()]
    if not shapes or any(f[1] != factors[0][1] for f in factors):
        return domain
    pieces = Sized(Pieces, (), {n: f[0] for n, f in zip(shapes, factors, strict=True)}, domain.symbols)
    return Sized(Product, (pieces, factors[0][1]), {}, domain.symbols)


def folded(
    problem: Problem, domain: Sized, numbers: Mapping[sp.Symbol, sp.Expr], starts: Mapping[sp.Expr, sp.Expr]
) -> Folded:
    """The phases of a problem, from left to right."""
    pieces = domain.args[0]
    shapes = {**(pieces.args[0] if pieces.args else {}), **pieces.keywords}
    line = problem.coordinates[0]
    ends = []
    for name, shape in shapes.items():
        recipe = shape.keywords if isinstance(shape, Sized) else {}
        plain = isinstance(shape, Interval) or (isinstance(shape, Sized) and shape.make is Interval)
        if not plain or len(problem.coordinates) != 2:
            raise GeometryError(f"Phases with a front between them are intervals; '{name}' is {shape}.")
        both = recipe[line.name] if recipe else shape.bounds[:, 0].tolist()
        ends.append(tuple(map(sp.sympify, both)))
    if any(sp.simplify(a[1] - b[0]) != 0 for a, b in pairwise(ends)):
        raise GeometryError("State phases in their order along the line, each beginning where the one before ends.")
    return Folded(problem, tuple(shapes), tuple(shapes.values()), tuple(ends), numbers, starts)


def phase_domains(here: Folded, domain: Sized, rest: Callable[[Any], sp.Expr]) -> list[tuple[str, Any, Motion]]:
    """For each phase its name, its place when time begins, and how it moves from there."""
    found = []
    for name, shape in zip(here.names, here.shapes, strict=True):
        product = Sized(domain.make, (shape, domain.args[1]), {}, frozenset({here.time}))
        a, b = here.ends[here.names.index(name)]
        start = Interval(**{here.line.name: (float(rest(a)), float(rest(b)))})
        found.append((name, start * domain.args[1], motion_of(product, rest, (here.line,), here.time)))
    return found


def refuse_guess(guess: Any, starts: Mapping[sp.Expr, sp.Expr]) -> None:
    """Raise an error for a guess of something else than where fronts begin."""
    if guess is not None and not (isinstance(guess, Mapping) and set(guess) <= set(starts)):
        raise ProblemError("With several phases a guess says where fronts begin, guess={s: ...}. Leave out the rest.")
