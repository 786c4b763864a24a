"""Random problems that are not well posed, which must be told, and some that only look so, which must not."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

import transnet as tn
from trust_problems import Rng, Stated, laplacian, manufactured, number, smooth_function, t, x, y, z


def small(rng: Rng, low: float, high: float) -> sp.Float:
    """A number between powers of ten."""
    return sp.Float(f"{10 ** rng.uniform(low, high):.3g}")


# -- what must be told -----------------------------------------------------------------------------------------------
def bare_hole(rng: Rng) -> Stated:
    """Nothing is stated on one of the holes."""
    space, hole = (x, y), float(number(rng, 0.1, 0.3))
    at = (float(number(rng, -0.3, 0.3)), float(number(rng, -0.3, 0.3)))
    outer = [tn.Disk(radius=1), tn.Box(x=(-1, 1), y=(-0.8, 0.9)), tn.Polygon([(-1, -1), (1.2, -0.9), (0.2, 1.5)])]
    domain = outer[int(rng.integers(3))] - tn.Disk(center=at, radius=hole, name="hole")
    stated = [p for p in domain.parts if p != "hole"]
    match int(rng.integers(3)):
        case 0:
            domain -= tn.Disk(center=(at[0], at[1] - 2 * hole), radius=hole / 2, name="other")
            stated.append("other")
        case 1:
            space = (x, y, z)
            domain = tn.Ball(radius=1) - tn.Ball(center=(*at, 0.0), radius=hole, name="hole")
            stated = [p for p in domain.parts if p != "hole"]
    u, a = tn.unknown("u", *space), number(rng, 0.5, 5)
    left = [laplacian(u, *space), laplacian(u, *space) - a * u, laplacian(u, *space) + a * sp.diff(u, x)]
    left.append(laplacian(u, *space) - u**3)
    equation = sp.Eq(left[int(rng.integers(4))], smooth_function(rng, space) * int(rng.integers(2)))
    value = smooth_function(rng, space)
    return Stated(tn.Problem(domain, [equation], [tn.on(p, sp.Eq(u, value)) for p in stated]), {})


def bare_side(rng: Rng) -> Stated:
    """One condition of a plate, an elastic body or a piece of the boundary is missing."""
    domain = tn.Box(x=(0, 1), y=(0, float(number(rng, 0.6, 1.5))))
    sides, u, v = list(domain.parts), tn.unknown("u", x, y), tn.unknown("v", x, y)
    bare = sides[int(rng.integers(4))]
    match int(rng.integers(4)):
        case 0:  # a plate with one side that is only supported in height, and nothing about its slope or moment
            conditions = [tn.on(p, sp.Eq(u, 0)) for p in sides]
            conditions += [tn.on(p, sp.Eq(tn.normal_derivative(u), 0)) for p in sides if p != bare]
            equations = [sp.Eq(laplacian(laplacian(u, x, y), x, y), smooth_function(rng, (x, y)))]
        case 1:
            spread, a = sp.diff(u, x) + sp.diff(v, y), number(rng, 0.5, 4)
            equations = [
                sp.Eq(laplacian(w, x, y) + a * sp.diff(spread, c), smooth_function(rng, (x, y)))
                for w, c in ((u, x), (v, y))
            ]
            conditions = [tn.on(p, sp.Eq(u, 0)) for p in sides]
            conditions += [tn.on(p, sp.Eq(v, 0)) for p in sides if p != bare]
        case 2:
            equations = [sp.Eq(laplacian(u, x, y), smooth_function(rng, (x, y)))]
            conditions = [tn.on(p, sp.Eq(u, smooth_function(rng, (x, y)))) for p in sides if p != bare]
        case _:
            equations = [sp.Eq(laplacian(u, x, y), smooth_function(rng, (x, y)))]
            conditions = [tn.on(p, sp.Eq(u, 0)) for p in sides if p != bare]
            along = y if bare.startswith("x") else x
            conditions.append(tn.on(bare, sp.Eq(u, 0), where=along < number(rng, 0.2, 0.5)))
    return Stated(tn.Problem(domain, equations, conditions), {})


def bare_time(rng: Rng) -> Stated:
    """An evolution without its start, its velocity, its walls or its inflow; or with an end instead."""
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, float(number(rng, 0.3, 2))))
    end = next(p for p in domain.parts if p.startswith("t=") and p != "t=0")
    u, k, f = tn.unknown("u", x, t), number(rng, 0.1, 2), smooth_function(rng, (x, t))
    walls = [tn.on(p, sp.Eq(u, 0)) for p in ("x=0", "x=1")]
    start = tn.on("t=0", sp.Eq(u, sp.sin(sp.pi * x)))
    heat, waves = sp.diff(u, t) - k * sp.diff(u, x, 2), sp.diff(u, t, 2) - k * sp.diff(u, x, 2)
    match int(rng.integers(6)):
        case 0:
            left, conditions = heat, walls
        case 1:
            left, conditions = heat, [walls[0], start]
        case 2:
            left, conditions = waves, [*walls, start]
        case 3:
            left, conditions = waves, [*walls, start, tn.on(end, sp.Eq(u, 0))]
        case 4:
            left, conditions = sp.diff(u, t) + k * sp.diff(u, x), [start]
        case _:
            left, conditions = heat, [*walls, tn.on(end, sp.Eq(u, sp.sin(sp.pi * x)))]
    return Stated(tn.Problem(domain, [sp.Eq(left, f)], conditions), {})


def obstacle(rng: Rng) -> Stated:
    """An obstacle written with Min or Max, whose solution has kinks where it is touched."""
    u, low = tn.unknown("u", x), number(rng, -0.1, -0.02)
    force = number(rng, 1, 3)
    left = [sp.Max(sp.diff(u, x, 2) - force, low - u), sp.Min(-sp.diff(u, x, 2) + force, u - low)]
    equation = sp.Eq(left[int(rng.integers(2))], 0)
    return Stated(tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("boundary", sp.Eq(u, 0))]), {})


def tiny_hole(rng: Rng) -> Stated:
    """A level set with a hole that is a few thousandths wide; an area or a solution that is right is as good."""
    r, c = small(rng, -2.7, -1.5), [number(rng, -0.4, 0.4) for _ in range(2)]
    hole = [r**2 - (x - c[0]) ** 2 - (y - c[1]) ** 2, r - sp.sqrt((x - c[0]) ** 2 + (y - c[1]) ** 2)]
    level = sp.Max(x**2 + y**2 - 1, hole[int(rng.integers(2))])
    u = tn.unknown("u", x, y)
    far = sp.log(((x - c[0]) ** 2 + (y - c[1]) ** 2) / r**2)
    exact = far + smooth_function(rng, (x, y), 2)
    domain = tn.LevelSet(level, x=(-1.1, 1.1), y=(-1.1, 1.1))
    problem = tn.Problem(
        domain, [sp.Eq(laplacian(u, x, y), laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))]
    )
    return Stated(problem, {"u": exact})


# -- what only looks so ----------------------------------------------------------------------------------------------
def near_resonance(rng: Rng) -> Stated:
    """An equation close to one that has a solution of its own."""
    away, n, m = small(rng, -5, -2), int(rng.integers(1, 3)), int(rng.integers(1, 3))
    value = (n**2 + m**2) * sp.pi**2 * (1 - away)
    domain = tn.Box(x=(0, 1), y=(0, 1))
    return manufactured(domain, smooth_function(rng, (x, y)), lambda v: laplacian(v, x, y) + value.evalf() * v)


def near_steklov(rng: Rng) -> Stated:
    """A boundary condition close to one that has a solution of its own, and one with a tiny coefficient."""
    n, exact = int(rng.integers(0, 3)), smooth_function(rng, (x, y), 3)
    a = sp.Float(n * (1 - small(rng, -5, -2)) if n else -small(rng, -5, -2))

    def robin(v: sp.Expr) -> sp.Expr:
        return tn.normal_derivative(v, x, y) - a * v

    on = lambda u: [tn.on("boundary", sp.Eq(robin(u), robin(exact)))]  # noqa: E731
    return manufactured(tn.Disk(radius=1), exact, lambda v: -laplacian(v, x, y), conditions=on)


def thin(rng: Rng) -> Stated:
    """A clamped plate or an elastic strip that is ten to a hundred times longer than wide."""
    height = float(small(rng, -2, -1))
    domain, exact = tn.Box(x=(0, 1), y=(0, height)), smooth_function(rng, (x, y), 4)
    if rng.random() < 0.5:
        slope = sum(n * sp.diff(exact, c) for n, c in zip(tn.normal(x, y), (x, y), strict=True))
        on = lambda u: [tn.on("boundary", sp.Eq(u, exact), sp.Eq(tn.normal_derivative(u), slope))]  # noqa: E731
        return manufactured(domain, exact, lambda v: laplacian(laplacian(v, x, y), x, y), (x, y), on)
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    second, a = smooth_function(rng, (x, y), 4), number(rng, 0.5, 4)
    put = {u: exact, v: second}
    spread = sp.diff(u, x) + sp.diff(v, y)
    left = [laplacian(w, x, y) + (1 + a) * sp.diff(spread, c) for w, c in ((u, x), (v, y))]
    shear, across = sp.diff(u, y) + sp.diff(v, x), a * spread + 2 * sp.diff(v, y)
    free = [tn.on(p, *(sp.Eq(e, e.subs(put).doit()) for e in (shear, across))) for p in domain.parts if p[0] == "y"]
    held = [tn.on(p, *(sp.Eq(w, e) for w, e in put.items())) for p in ("x=0", "x=1")]
    equations = [sp.Eq(e, e.subs(put).doit()) for e in left]
    return Stated(tn.Problem(domain, equations, [*free, *held]), {"u": exact, "v": second})


def stiff(rng: Rng) -> Stated:
    """Coefficients, sides and values in units that are far from one."""
    length, level, k = (small(rng, -6, 6) for _ in range(3))
    shape = smooth_function(rng, (x, y), 4)
    exact = level * shape.xreplace({x: x / length, y: y / length})
    side = float(length)
    domain = [tn.Box(x=(0, side), y=(0, side)), tn.Disk(radius=side)][int(rng.integers(2))]
    return manufactured(domain, exact, lambda v: -k * laplacian(v, x, y) + k / length**2 * v)


ILL_POSED: list[Callable[[Rng], Stated]] = [bare_hole, bare_side, bare_time, obstacle, tiny_hole]
WELL_POSED: list[Callable[[Rng], Stated]] = [near_resonance, near_steklov, thin, stiff]
