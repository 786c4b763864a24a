"""Problems on domains that move: pulled back to a domain at rest, solved there, and carried back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.geometry import Interval, Pieces
from transnet.geometry.symbolic import Sized
from transnet.motion.affine import Motion, motion_of
from transnet.motion.basis import Pulled
from transnet.motion.domain import InMotion
from transnet.motion.phases import Phases, folded, phase_domains, phases_first, refuse_guess
from transnet.problem import Problem
from transnet.solution.solution import Solution


def solve_moving(plan: Plan, solve: Callable[[Plan], Solution]) -> Solution:
    """Solve a problem on a domain whose sizes depend on time, or on unknown functions of time."""
    problem, values = plan.problem, plan.values
    stated = problem.domain
    assert isinstance(stated, Sized)
    time = next(c for c in problem.coordinates if c.name == str(stated.time))
    numbers = {s: sp.Float(float(v)) for s, v in values.items()}
    domain = phases_first(_with_numbers(stated, numbers, time))
    _refuse_strange(problem, domain, time)
    for option in (n for n in ("start", "until", "to", "continuation") if n in plan.given):
        raise ProblemError(f"{option}= is not for domains that move. Leave it out.")
    begin = domain.args[1].bounds[0, 0]
    starts = _starts(problem, domain, time, begin, numbers, plan.guess)

    def rest(expression: Any) -> sp.Expr:
        return sp.Float(float(sp.sympify(expression).xreplace(starts).subs(time, begin)))

    if isinstance(domain.args[0], Sized) and domain.args[0].make is Pieces:
        return _solve_phases(plan, solve, domain, starts, rest)
    motion = motion_of(domain, rest, problem.coordinates[:-1], time)
    by_name = {f.func.__name__: float(v) for f, v in starts.items()}
    at_rest = domain.with_values({time.name: begin, **by_name})

    def pulled(expression: Any) -> Any:
        return motion.pulled(sp.sympify(expression).xreplace(numbers))

    here = Problem(
        at_rest, [pulled(e) for e in problem.equations], [c.of(pulled) for c in problem.conditions], problem.unknowns
    )
    guess = _guess(plan.guess, here, motion, starts)
    found = solve(replace(plan, problem=here, parameters=None, guess=guess, watch=None))
    middle = at_rest.bounds[:, :-1].mean(axis=0)
    basis = Pulled(found.basis, motion, problem.unknowns, middle)
    image = InMotion(at_rest, basis, found.coefficients, str(stated))
    there = Problem(image, problem.equations, problem.conditions, problem.unknowns)
    known = replace(found.diagnostics, triangle=None, stated_rank=found.diagnostics.rank)
    left = {p: values[p] for p in there.parameters}
    return Solution(there, basis, found.coefficients, left, known, history=found.history)


def _solve_phases(
    plan: Plan,
    solve: Callable[[Plan], Solution],
    domain: Sized,
    starts: dict[sp.Expr, sp.Expr],
    rest: Callable[[Any], sp.Expr],
) -> Solution:
    """Solve a problem of several phases with fronts between them."""
    problem, times = plan.problem, domain.args[1]
    refuse_guess(plan.guess, starts)
    numbers = {s: sp.Float(float(v)) for s, v in plan.values.items()}
    here = folded(problem, domain, numbers, starts)
    places = phase_domains(here, domain, rest)
    line = Pieces({name: place.first for name, place, _ in places})
    at_rest = Interval(**{here.line.name: (0, 1)}) * times
    made = Problem(at_rest, here.equations(), here.conditions(times, line), here.unknowns)
    guess = {**_beginning(made, here.time, starts), **starts}
    found = solve(replace(plan, problem=made, parameters=None, guess=guess, watch=None))
    middle, fields = at_rest.bounds[:, :-1].mean(axis=0), tuple(made.unknowns)
    phases = tuple(Pulled(found.basis, here.motion(k), fields, middle) for k in range(len(places)))
    own = tuple(tuple(fields.index(here.field(u, k)) for u in problem.unknowns) for k in range(len(places)))
    images = {
        name: InMotion(place, Pulled(found.basis, motion, fields, middle), found.coefficients, str(shape))
        for (name, place, motion), shape in zip(places, here.shapes, strict=True)
    }
    there = Problem(Pieces(images), problem.equations, problem.conditions, problem.unknowns)
    known = replace(found.diagnostics, triangle=None, stated_rank=found.diagnostics.rank)
    left = {p: plan.values[p] for p in there.parameters}
    return Solution(there, Phases(phases, own), found.coefficients, left, known, history=found.history)


def _with_numbers(domain: Sized, numbers: Mapping[sp.Symbol, sp.Expr], time: sp.Symbol) -> Sized:
    """The recipe of a domain with numbers for all symbols but time."""

    def put(value: Any) -> Any:
        if isinstance(value, Sized):
            return Sized(value.make, tuple(map(put, value.args)), put(value.keywords), frozenset({time}))
        if isinstance(value, sp.Basic | sp.MatrixBase):
            return value.xreplace(dict(numbers)).xreplace({s: time for s in value.free_symbols if s.name == time.name})
        if isinstance(value, Mapping):
            return {k: put(v) for k, v in value.items()}
        return type(value)(map(put, value)) if isinstance(value, list | tuple) else value

    made = put(domain)
    assert isinstance(made, Sized)
    return made


def _refuse_strange(problem: Problem, domain: Sized, time: sp.Symbol) -> None:
    """Raise an error for what cannot be carried along."""
    if problem.coordinates[-1] != time:
        raise ProblemError(f"The time {time} of a domain that moves is its last coordinate: shape * tn.Interval(...).")
    for c in problem.conditions:
        if c.boundary is None or c.where is not None:
            raise ProblemError(
                f"On a domain that moves conditions hold on whole parts of the boundary; '{c.kind}' "
                f"{'with where=' if c.boundary else ''} is not among them."
            )
    there = set(problem.unknowns)
    for f in domain.functions:
        if f not in there:
            raise ProblemError(
                f"The front {f} is a size of the domain, but no equation or condition contains it: say how it moves, "
                f"tn.on('right', sp.Eq(sp.diff({f.func.__name__}, {time}), -sp.diff(u, x)))."
            )
        if f.args != (time,):
            raise ProblemError(f"The front {f} must be a function of the time {time} alone.")


def _starts(
    problem: Problem, domain: Sized, time: sp.Symbol, begin: float, numbers: Mapping[Any, Any], guess: Any
) -> dict[sp.Expr, sp.Expr]:
    """The position of each front when time begins: as stated there, or from the guess."""
    found: dict[sp.Expr, sp.Expr] = {}
    for f in sorted(domain.functions, key=str):
        for c in problem.conditions:
            for expression in (e.xreplace(dict(numbers)) for e in c.expressions()):
                slope = sp.diff(expression, f)
                left = sp.expand(f - expression / slope) if slope.is_number and slope != 0 else f
                if not left.has(AppliedUndef) and not left.free_symbols - {time} and f not in found:
                    found[f] = sp.Float(float(left.subs(time, begin)))
        if f not in found and isinstance(guess, Mapping) and f in guess:
            found[f] = sp.Float(float(sp.sympify(guess[f]).subs(time, begin)))
        if f not in found:
            raise ProblemError(
                f"Where the front {f} begins is not stated. Add it at the start, tn.on('{time}={begin:g}', "
                f"sp.Eq({f}, ...)), or give guess={{{f}: ...}}."
            )
        if not float(found[f]):
            raise ProblemError(
                f"The front {f} begins at 0, where the domain has no extent and its speed is infinite. Begin a little "
                f"later, with the similarity solution or a small layer of the new phase."
            )
    return found


def _guess(guess: Any, here: Problem, motion: Motion, starts: Mapping[sp.Expr, sp.Expr]) -> Any:
    """Where the iteration starts on the domain at rest: everything as it begins, unless there is a guess."""
    if not starts and guess is None:
        return None
    if guess is not None and not isinstance(guess, Mapping):
        raise ProblemError("On a domain that moves a guess is a mapping from unknowns to numbers or formulas.")
    given = guess or {}
    fronts = {f: sp.sympify(given.get(f, value)) for f, value in starts.items()}
    made = _beginning(here, motion.time, starts)
    made |= {u: motion.pulled(sp.sympify(g)).xreplace(fronts) for u, g in given.items()}
    return {**made, **fronts}


def _beginning(here: Problem, time: sp.Symbol, starts: Mapping[sp.Expr, sp.Expr]) -> dict[sp.Expr, sp.Expr]:
    """The values that are stated where time begins, for all times."""
    axis, found = here.coordinates.index(time), {}
    begin, first = here.domain.bounds[0, axis], set(here.domain.ends(axis)[0])
    for c in (c for c in here.conditions if set(c.parts(here)) <= first):
        for expression in c.expressions():
            for u in (u for u in here.unknowns if u not in starts):
                slope = sp.diff(expression, u)
                value = sp.expand(u - expression / slope) if slope.is_number and slope != 0 else u
                value = value.xreplace(dict(starts))
                if not value.has(AppliedUndef, sp.Derivative):
                    found[u] = value.subs(time, begin)
    return found
