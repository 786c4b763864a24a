"""Random questions whose answers are numbers: results that are zero, extrema, events, fluxes, eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy as sp
from scipy import optimize

import transnet as tn
from transnet.solution.results.numbers import Number
from trust_page import TOL
from trust_posed import small
from trust_problems import Rng, laplacian, number, t, x, y


@dataclass(frozen=True, eq=False)
class Asked:
    """A question: `answer` gives pairs of numbers with an `error`, and the truth; `size` is what errors are relative
    to where the truth is zero."""

    answer: Callable[[], list[tuple[float, float, float]]]


def told(result: Number, truth: float, size: float = 0.0, tol: float = TOL) -> tuple[float, float, float]:
    """The distance from the truth and the estimated one, relative to the size of the truth; and of a zero the size that
    its error may have, the tolerance of the solve."""
    scale = max(abs(truth), size)
    return abs(float(result) - truth) / scale, float(result.error) / scale, 0.0 if truth else tol


# -- results ---------------------------------------------------------------------------------------------------------
def zero_result(rng: Rng) -> Asked:
    """Integrals, means and fluxes that symmetry makes zero, beside others that are not."""
    r, a, k = float(number(rng, 0.15, 0.45)), number(rng, 0.5, 4), number(rng, 1, 4)
    outer = [tn.Disk(radius=1), tn.Box(x=(-1, 1), y=(-1, 1)), tn.Box(x=(-1, 1), y=(-0.7, 0.7))][int(rng.integers(3))]
    domain = outer - tn.Disk(radius=r, name="hole") if rng.random() < 0.7 else outer
    u = tn.unknown("u", x, y)
    odd = sp.sin(k * x) * (1 + a * y**2)
    left = [laplacian(u, x, y) - a * u, laplacian(u, x, y), laplacian(u, x, y) - u**3][int(rng.integers(3))]
    problem = tn.Problem(domain, [sp.Eq(left, odd)], [tn.on("boundary", sp.Eq(u, a * x))])

    def answer() -> list[tuple[float, float, float]]:
        solution = tn.solve(problem)
        size = float(solution.integral(u**2)) ** 0.5
        part = "hole" if "hole" in domain.parts else "boundary"
        return [
            told(solution.integral(u), 0.0, size),
            told(solution.flux(part), 0.0, size),
            told(solution.mean(u * sp.cos(y)), 0.0, size),
        ]

    return Asked(answer)


def zero_force(rng: Rng) -> Asked:
    """A plate pulled between its ends: the forces across are zero, those of the ends are opposite."""
    length, nu, stiffness = float(number(rng, 1, 3)), number(rng, 0.0, 0.4), small(rng, -2, 11)
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    mu, lam = stiffness / (2 * (1 + nu)), stiffness * nu / (1 - nu**2)
    spread = sp.diff(u, x) + sp.diff(v, y)
    shear, across = mu * (sp.diff(u, y) + sp.diff(v, x)), lam * spread + 2 * mu * sp.diff(v, y)
    equations = [sp.Eq(mu * laplacian(w, x, y) + (lam + mu) * sp.diff(spread, c), 0) for w, c in ((u, x), (v, y))]
    domain = tn.Box(x=(0, length), y=(-0.5, 0.5))
    left, right = [p for p in domain.parts if p.startswith("x=")]
    conditions = [tn.on(left, sp.Eq(u, 0), sp.Eq(v, 0)), tn.on(right, sp.Eq(u, 1e-3), sp.Eq(v, 0))]
    conditions += [tn.on(p, sp.Eq(shear, 0), sp.Eq(across, 0)) for p in domain.parts if p.startswith("y=")]
    problem = tn.Problem(domain, equations, conditions)

    def answer() -> list[tuple[float, float, float]]:
        solution = tn.solve(problem, tol=1e-4)
        first, second = solution.force(left), solution.force(right)
        size = abs(float(first[0]))
        zeros = [first[1], second[1], first[0] + second[0]]
        return [told(z, 0.0, size, 1e-4) for z in zeros]

    return Asked(answer)


def holes(rng: Rng) -> Asked:
    """Three to five holes with values: the flux through each is known from logarithms."""
    count = int(rng.integers(3, 6))
    angles = 2 * np.pi * (np.arange(count) + rng.uniform(-0.15, 0.15, count)) / count
    centres = [(round(0.55 * np.cos(a), 3), round(0.55 * np.sin(a), 3)) for a in angles]
    domain = tn.Disk(radius=1) if rng.random() < 0.5 else tn.Box(x=(-1, 1), y=(-1, 1))
    charges = [number(rng, -1, 1) for _ in centres]
    for i, c in enumerate(centres):
        domain = domain - tn.Disk(center=c, radius=float(number(rng, 0.05, 0.18)), name=f"hole{i}")
    u = tn.unknown("u", x, y)
    exact = sp.Add(
        *(q * sp.log((x - a) ** 2 + (y - b) ** 2) / 2 for q, (a, b) in zip(charges, centres, strict=True)),
        number(rng, -1, 1) * x + number(rng, -1, 1) * x * y,
    )
    problem = tn.Problem(domain, [sp.Eq(laplacian(u, x, y), 0)], [tn.on("boundary", sp.Eq(u, exact))])

    def answer() -> list[tuple[float, float, float]]:
        solution = tn.solve(problem)
        found = [
            told(solution.flux(f"hole{i}"), -2 * np.pi * float(q), float(max(map(abs, charges))))
            for i, q in enumerate(charges)
        ]
        points = domain.interior(3000, "quasi", 77)
        truth = sp.lambdify((x, y), exact)(*points.T)
        off = float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))
        return [*found, (off, solution.error, 0.0)]

    return Asked(answer)


def extremum(rng: Rng) -> Asked:
    """The largest value of a wave with many tops that differ little."""
    k, slope = [number(rng, 8, 35) for _ in range(2)], number(rng, -0.05, 0.05)
    exact = sp.sin(k[0] * x + number(rng, 0, 3)) * sp.cos(k[1] * y) + slope * x + number(rng, -0.05, 0.05) * y
    domain = tn.Box(x=(0, 1), y=(0, 1))
    u = tn.unknown("u", x, y)
    problem = tn.Problem(
        domain, [sp.Eq(laplacian(u, x, y), laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))]
    )
    value = sp.lambdify((x, y), exact)
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 801)] * 2), axis=-1).reshape(-1, 2)
    heights = value(*grid.T)
    best = grid[np.argsort(-heights)[:4000:40]]
    truth = max(
        -optimize.minimize(lambda p: -value(*p), p, bounds=[(0, 1)] * 2, options={"ftol": 1e-16, "gtol": 1e-12}).fun
        for p in best
    )
    return Asked(lambda: [told(tn.solve(problem).maximum(u), float(truth))])


def event(rng: Rng) -> Asked:
    """The time at which an oscillation first reaches a level that it only just reaches."""
    w0, decay = number(rng, 1, 12), small(rng, -4, -2)
    w = tn.unknown("w", t)
    exact = sp.exp(decay * t) * sp.cos(w0 * t)
    level = 1 - small(rng, -5, -2)
    end = 60.0
    value = sp.lambdify(t, exact + level)
    times = np.linspace(0, end, 2_000_001)
    low = np.flatnonzero(value(times) < 0)
    if not len(low):
        return event(rng)
    truth = optimize.brentq(value, times[low[0] - 1], times[low[0]], xtol=1e-14)
    left = sp.diff(w, t, 2) - 2 * decay * sp.diff(w, t) + (w0**2 + decay**2) * w
    start = tn.on("t=0", sp.Eq(w, 1), sp.Eq(sp.diff(w, t), decay))
    problem = tn.Problem(tn.Interval(t=(0, end)), [sp.Eq(left, 0)], [start])

    def answer() -> list[tuple[float, float, float]]:
        solution = tn.solve(problem, until=w + level)
        stopped = solution.problem.domain.bounds[1, 0]
        # A time has no error of its own: that of the solution, over its slope there.
        slope = abs(float(sp.diff(exact, t).subs(t, truth)))
        return [(abs(stopped - truth) / truth, solution.error / slope / truth, 0.0)]

    return Asked(answer)


# -- eigenvalues -----------------------------------------------------------------------------------------------------
def _chebyshev(length: float, potential: Callable[[np.ndarray], np.ndarray], n: int) -> np.ndarray:
    """The eigenvalues of -u'' + V u on (0, length) with zero ends, by Chebyshev collocation."""
    k = np.arange(n + 1)
    s = np.cos(np.pi * k / n)
    c = np.where((k == 0) | (k == n), 2.0, 1.0) * (-1.0) ** k
    d = np.outer(c, 1 / c) / (s[:, None] - s[None, :] + np.eye(n + 1))
    d -= np.diag(d.sum(axis=1))
    second = (d @ d)[1:-1, 1:-1] * (2 / length) ** 2
    places = length * (s[1:-1] + 1) / 2
    return np.sort(np.linalg.eigvals(-second + np.diag(potential(places))).real)


def wells(rng: Rng) -> Asked:
    """Two wells of different depth and width."""
    length = float(number(rng, 6, 14))
    places = [length * float(rng.uniform(0.15, 0.4)), length * float(rng.uniform(0.6, 0.85))]
    depths, widths = [number(rng, 5, 40) for _ in range(2)], [number(rng, 0.3, 1.2) for _ in range(2)]
    potential = sp.Add(
        *(-d * sp.exp(-(((x - round(c, 3)) / w) ** 2)) for c, d, w in zip(places, depths, widths, strict=True))
    )
    values = _chebyshev(length, sp.lambdify(x, potential), 220)[:4]
    u, lam = tn.unknown("u", x), sp.Symbol("lam")
    equation = sp.Eq(-sp.diff(u, x, 2) + potential * u, lam * u)
    problem = tn.Problem(tn.Interval(x=(0, length)), [equation], [tn.on("boundary", sp.Eq(u, 0))])
    return Asked(lambda: _eigenvalues(problem, lam, values))


def wells_in_the_plane(rng: Rng) -> Asked:
    """A potential that is a sum of one along each axis: values are sums."""
    sides = [float(number(rng, 3, 7)) for _ in range(2)]
    each, formula = [], sp.Integer(0)
    for c, side in zip((x, y), sides, strict=True):
        a, b, d = round(side * float(rng.uniform(0.2, 0.8)), 3), number(rng, 0.4, 1.2), number(rng, 2, 15)
        one = -d * sp.exp(-(((c - a) / b) ** 2))
        each.append(_chebyshev(side, sp.lambdify(c, one), 160)[:6])
        formula += one
    values = np.sort((each[0][:, None] + each[1][None, :]).ravel())[:4]
    u, lam = tn.unknown("u", x, y), sp.Symbol("lam")
    equation = sp.Eq(-laplacian(u, x, y) + formula * u, lam * u)
    problem = tn.Problem(tn.Box(x=(0, sides[0]), y=(0, sides[1])), [equation], [tn.on("boundary", sp.Eq(u, 0))])
    return Asked(lambda: _eigenvalues(problem, lam, values))


def carried(rng: Rng) -> Asked:
    """Convection and diffusion, whose eigenfunctions are far from orthogonal."""
    c, k = number(rng, 1, 60), number(rng, 0.3, 2)
    values = float(c**2 / (4 * k)) + float(k) * (np.pi * np.arange(1, 5)) ** 2
    u, lam = tn.unknown("u", x), sp.Symbol("lam")
    equation = sp.Eq(-k * sp.diff(u, x, 2) + c * sp.diff(u, x), lam * u)
    problem = tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("boundary", sp.Eq(u, 0))])
    return Asked(lambda: _eigenvalues(problem, lam, values))


def _eigenvalues(problem: tn.Problem, lam: sp.Symbol, values: np.ndarray) -> list[tuple[float, float, float]]:
    pairs = tn.eigenpairs(problem, lam, count=len(values))
    size = float(np.median(np.abs(values)))
    return [
        told(Number(float(np.real(v)), float(e)), float(truth), size)
        for v, e, truth in zip(pairs.values, pairs.errors, values, strict=False)
    ]


RESULTS = [zero_result, zero_force, holes, extremum, event]
EIGENVALUES = [wells, wells_in_the_plane, carried]
