"""The problems of the race against high-order finite elements: what is solved, and what the answer is."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import sympy as sp

import transnet as tn
from transnet.paper.cases import case
from transnet.rows.statements import statements_of

SAMPLE = 1_500
"""Points at which the errors of both are measured."""
INSIDE = 0.01
"""How far they are from the boundary at least, in units of the domain: a curved mesh may miss those that are closer."""

x, y, z = sp.symbols("x y z")


@dataclass(frozen=True, eq=False)
class Race:
    """A problem that both solve.

    Parameters
    ----------
    exact : dict, optional
        The solution by unknown; without it a network of `reference` neurons is the reference.
    goals : tuple of float
        Relative errors in L2 to reach.
    sizes : tuple of int
        The networks that are tried by hand.
    """

    name: str
    title: str
    problem: tn.Problem
    exact: dict[str, sp.Expr] | None = None
    goals: tuple[float, ...] = (1e-3, 1e-6, 1e-9)
    sizes: tuple[int, ...] = (40, 60, 80, 100, 130, 160, 200, 250, 300, 400, 500, 600)
    reference: int = 1500

    def fresh(self) -> tn.Problem:
        """The same problem of which nothing is known yet but the compiled equations: SymPy is not what is timed.

        The domain is the one that was there: what is known of it (arcs, corners, points, singular functions) is kept
        for the next problem on it.
        """
        problem = replace(self.problem)
        statements_of(problem)
        statements_of(problem, lagged=False)
        return problem

    def unknown(self) -> tn.Problem:
        """The same on a domain of which nothing is known either."""
        problem = replace(self.problem, domain=_forgotten(self.problem.domain))
        statements_of(problem)
        statements_of(problem, lagged=False)
        return problem

    @cached_property
    def points(self) -> np.ndarray:
        domain = self.problem.domain
        points = domain.interior(SAMPLE, "quasi", 17)
        away = INSIDE * (domain.bounds[1] - domain.bounds[0])
        deep = np.ones(len(points), dtype=bool)
        for axis in range(points.shape[1]):
            for sign in (-1, 1):
                deep &= domain.contains(points + sign * away * np.eye(points.shape[1])[axis])
        return points[deep]

    @cached_property
    def values(self) -> np.ndarray:
        """The answer at the points, (n, unknowns)."""
        if self.exact is None:
            return tn.solve(self.problem, neurons=self.reference)(self.points).reshape(len(self.points), -1)
        functions = [sp.lambdify(self.problem.coordinates, self.exact[name]) for name in self.problem.names]
        return np.stack([np.broadcast_to(f(*self.points.T), len(self.points)) for f in functions], axis=1)

    def error(self, found: np.ndarray) -> float:
        """The relative error in L2 of values at the points."""
        return float(np.linalg.norm(found.reshape(self.values.shape) - self.values) / np.linalg.norm(self.values))


def _forgotten(domain: tn.Domain) -> tn.Domain:
    """A domain of which nothing is known, and which shares nothing with others like it: it is compared by identity."""
    kind = type(domain)
    alone = {"__eq__": object.__eq__, "__hash__": object.__hash__, "__module__": kind.__module__}
    made = copy.copy(domain)
    object.__setattr__(made, "__class__", type(kind.__name__, (kind,), alone))
    for name in [k for k in vars(made) if isinstance(getattr(type(made), k, None), cached_property)]:
        vars(made).pop(name)
    return made


def _of_case(name: str, title: str, **options: object) -> Race:
    what = case(name)
    return Race(name, title, what.problem, dict(what.exact), **options)


def _poisson(domain: tn.Domain, exact: sp.Expr) -> tn.Problem:
    u = tn.unknown("u", x, y, z)
    return tn.Problem(
        domain, [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y, z))], [tn.on("boundary", sp.Eq(u, exact))]
    )


def _first() -> tn.Problem:
    u = tn.unknown("u", x, y)
    return tn.Problem(
        tn.Disk(radius=1) - tn.Disk(radius=0.5),
        [sp.Eq(tn.laplacian(u), -sp.exp(x) * y)],
        [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))],
    )


def _ell() -> tn.Problem:
    u = tn.unknown("u", x, y)
    domain = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Box(x=(0, 1), y=(-1, 0))
    return tn.Problem(domain, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])


HALF = sp.Rational(1, 2)
WAVES = sp.sin(40 * (x * sp.cos(1) + y * sp.sin(1)) + 1) + sp.cos(40 * (y * sp.cos(HALF) - x * sp.sin(HALF)))
SMOOTH = sp.exp(x) * sp.sin(2 * y + HALF) * sp.cos(3 * z)


def races() -> dict[str, Race]:
    """All of them by name."""
    u = tn.unknown("u", x, y)
    helmholtz = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u) + 1600 * u, 0)], [tn.on("boundary", sp.Eq(u, WAVES))]
    )
    ellipsoid = tn.LevelSet(x**2 + (y / 0.7) ** 2 + (z / 0.5) ** 2 < 1, x=(-1, 1), y=(-0.7, 0.7), z=(-0.5, 0.5))
    torus = tn.LevelSet((sp.sqrt(x**2 + y**2) - 1) ** 2 + z**2 < 0.16, x=(-1.4, 1.4), y=(-1.4, 1.4), z=(-0.4, 0.4))
    space = (200, 300, 400, 600, 800, 1000, 1300, 1600, 2000)
    found = [
        _of_case("C1", "Poisson, box (C1)"),
        _of_case("C2", "Poisson, disk (C2)"),
        _of_case("C4", "Poisson, ring (C4)"),
        Race("first", "first program", _first()),
        Race("L", "L-shape, -lap u = 1", _ell()),
        Race("helmholtz", "Helmholtz, k = 40", helmholtz, {"u": WAVES}, sizes=(400, 600, 800, 1000, 1300)),
        _of_case("C6", "Kovasznay flow (C6)", sizes=(80, 130, 200, 300)),
        _of_case("C5", "Poisson, cube (C5)", goals=(1e-3, 1e-6), sizes=(800, 1200, 1600, 2400, 3200)),
        Race("ellipsoid", "Poisson, ellipsoid", _poisson(ellipsoid, SMOOTH), {"u": SMOOTH}, sizes=space),
        Race("torus", "Poisson, torus", _poisson(torus, SMOOTH), {"u": SMOOTH}, goals=(1e-3, 1e-6), sizes=space),
    ]
    return {race.name: race for race in found}
