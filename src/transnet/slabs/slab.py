"""One slab: Newton's steps at its stages, and its distance from a richer slab.

The richer slab has one more stage and more features of space. One linear step of it, starting from the solved slab,
gives the slab's own error; a second right-hand side carries the error at the start to the end. So the estimate follows
the linearised flow of the problem, and grows or decays as its solutions do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from transnet.errors import NotFiniteError
from transnet.slabs.factors import Factors
from transnet.slabs.stages import between_stages
from transnet.slabs.system import SlabSystem

STEPS = 12
"""The most Newton steps: more cost more than a shorter slab."""
CONTRACTION = 0.25
"""A change that is not smaller than this times the one before calls for new factors."""
REFINE = 2
"""How often the error is refined if the factors are not those of the slab itself."""
EPS = {False: 2e-16, True: 2e-15}
"""Rounding at the end of a slab, relative, by whether there is space: a string had 2e-15 per slab over 600 slabs."""
ROUNDING = 3e-15
"""Relative changes below this are rounding."""
DONE, NEARLY = 0.01, 0.1
"""The iteration ends if a change, or the remaining change predicted from the rate, is below this part of the tolerance;
the rate is trusted once a change is below that part of it."""
SOLVED = 1e-10
"""The relative accuracy of one linear solve with exact factors."""
NOISE = 100.0
"""Changes that no longer fall are the rounding of an ill-conditioned slab if they are below this many of its units."""
MOVING = 1e-3
"""After a larger relative change the factors of a nonlinear slab are renewed."""
HOPELESS = 5
"""Steps after which an iteration that hardly converges is given up."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A slab solved by Newton's steps: values at the stages, their time derivatives, and how the iteration went."""

    stages: np.ndarray
    ends: np.ndarray
    polynomials: np.ndarray
    steps: int
    factors: Factors


def sizes_of(system: SlabSystem, values: np.ndarray) -> np.ndarray:
    """The root mean squares over space of coefficients (..., unknowns, columns)."""
    return system.space.sizes(values)


def beyond_rounding(system: SlabSystem, changes: np.ndarray, sizes: np.ndarray, rounding: float) -> np.ndarray:
    """Changes of the unknowns without rounding: one without a time derivative has that of all others.

    A concentration that is 1 less the others may be 1e-9 at first, and has a rounding of 1e-16.
    """
    free = np.array(system.evolution.orders) == 0
    return np.where(free, np.maximum(changes - rounding * sizes.max(), 0.0), changes)


def polynomials_of(system: SlabSystem, start: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Legendre's coefficients in time, (s + 1, unknowns, columns), from the start and the stages."""
    stages, orders = system.stages, np.array(system.evolution.orders)
    out = np.zeros((stages.count + 1, *u.shape[1:]))
    moving, free = orders > 0, orders == 0
    if moving.any():
        every = np.concatenate([start[:1], u])[:, moving]
        out[:, moving] = np.tensordot(stages.legendre, every, axes=1)
    if free.any():
        out[:-1, free] = np.tensordot(stages.legendre_free, u[:, free], axes=1)
    return out


def newton(
    system: SlabSystem,
    start: np.ndarray,
    t: float,
    tau: float,
    guess: np.ndarray,
    factors: Factors | None,
    tol: float,
    sizes: np.ndarray,
) -> Solved | None:
    """The stages of a slab, or None if the steps do not converge."""
    times = t + system.stages.nodes * tau
    u, last, fresh = guess, np.inf, factors is None
    linear = system.evolution.linear
    for step in range(1, STEPS + 1):
        s = system.derivatives(u, start, tau)
        try:
            if factors is None:
                factors, fresh = system.factor(s, times, tau), True
            change = -factors(system.residual(s, times)).reshape(u.shape)
        except (NotFiniteError, np.linalg.LinAlgError):
            return None
        if not np.isfinite(change).all():
            return None
        u = u + change
        large = np.maximum(sizes, sizes_of(system, u).max(axis=0))
        moved = beyond_rounding(system, sizes_of(system, change).max(axis=0), large, ROUNDING)
        size = float((moved / np.where(large > 0, large, 1.0)).max())
        ratio = size / last if np.isfinite(last) else 0.0
        if size <= max(DONE * tol, ROUNDING) or (linear and factors.exact and size * SOLVED <= DONE * tol):
            break
        if step > 1 and size <= NEARLY * tol and ratio * size / max(1 - ratio, NEARLY) <= DONE * tol:
            break
        if step > 1 and ratio > CONTRACTION:
            if fresh and (factors.exact or ratio > 1 - NEARLY):
                if size <= NOISE * ROUNDING:
                    break
                if ratio > 1.0 or step > HOPELESS:
                    return None
            factors, fresh = None, False
        elif system.renewed and not linear:
            factors = None if size > MOVING else factors
        last = size
    else:
        return None
    if factors is None:
        factors = system.factor(system.derivatives(u, start, tau), times, tau)
    s = system.derivatives(u, start, tau)
    ends = np.array([s[k][-1] for k in range(len(start))]) if len(start) else np.zeros((0, *u.shape[1:]))
    return Solved(u, ends, polynomials_of(system, start, u), step, factors)


@dataclass(frozen=True, eq=False)
class JudgedSlab:
    """The error of a slab: its own at its stages (relative, by unknown), what is passed on to its end, and the
    polynomials of the richer slab without both."""

    inside: np.ndarray
    end: np.ndarray
    carried: np.ndarray
    factors: Factors
    better: np.ndarray


def judge(
    rich: SlabSystem,
    transfer: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    solved: Solved,
    t: float,
    tau: float,
    error: np.ndarray,
    factors: Factors | None,
) -> JudgedSlab | None:
    """One linear step of the richer slab from a solved one, and the error at the start carried to the end."""
    times = t + rich.stages.nodes * tau
    table = between_stages(rich.stages.count, len(solved.polynomials) - 1)
    u = np.tensordot(table, transfer(solved.polynomials), axes=1)
    begun = transfer(start)
    s = rich.derivatives(u, begun, tau)
    try:
        coefficients = rich.coefficients(s, times)
        if factors is None:
            factors = rich.factor(s, times, tau)
        local = rich.residual(s, times)
        moved = rich.linear(coefficients, rich.derivatives(np.zeros_like(u), error, tau))
        sides = np.stack([local, moved], axis=-1)
        found = -factors(sides)
        for _ in range(0 if factors.exact or factors.iterated else REFINE):
            changed = [rich.derivatives(found[..., k].reshape(u.shape), 0 * begun, tau) for k in range(2)]
            left = sides + np.stack([rich.linear(coefficients, c) for c in changed], axis=-1)
            found = found - factors(left)
    except (NotFiniteError, np.linalg.LinAlgError):
        return None
    if not np.isfinite(found).all():
        return None
    own, carried = found[..., 0].reshape(u.shape), found[..., 1].reshape(u.shape)
    total = rich.derivatives(u + own + carried, begun + error, tau)
    ends = transfer(solved.ends)
    after = np.array([total[k][-1] - ends[k] for k in range(len(ends))]).reshape(ends.shape)
    # Rounding is an error as well, in no particular direction.
    rounding = EPS[rich.columns > 1]
    after = after + rounding * np.abs(ends) * np.sign(after + rounding * ends)
    sizes = sizes_of(rich, own)
    better = polynomials_of(rich, begun + error, u + own + carried)
    return JudgedSlab(sizes.max(axis=0), sizes[-1], after, factors, better)
