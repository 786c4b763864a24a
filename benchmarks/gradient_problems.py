"""Problems whose results are differentiated in `benchmarks/gradients.py`, each with what varies in it.

A function that varies stands in its problem with a change of which a parameter is the factor, f + h d, so that the
derivative by the parameter is that by the function along d. A size moves parts of the boundary at a known normal speed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn

x, y, z, t, s, k, a, h, r, c, lam = sp.symbols("x y z t s k a h r c lam")
q, u, v = tn.unknown("q", x), tn.unknown("u", x, y), tn.unknown("v", x, t)
w, p1, p2 = tn.unknown("w", x, y, z), tn.unknown("p1", x, y), tn.unknown("p2", x, y)
heat_in_a_disk = tn.unknown("T", x, y, t)
moved = tn.vector("d", x, y)


@dataclass(frozen=True)
class Case:
    """A problem with the values of what varies, its results, and what is asked for in other words.

    Parameters
    ----------
    ways : mapping
        For a parameter a function or a part of the boundary, and the direction in which that changes.
    smooth : bool
        Whether the solution is, so that seven digits are expected.
    """

    problem: tn.Problem
    values: Mapping[sp.Symbol, float]
    results: Mapping[str, Callable[[Any], Any]]
    ways: Mapping[sp.Symbol, tuple[Any, Callable[[np.ndarray], Any]]] = field(default_factory=dict)
    tol: float = 1e-9
    smooth: bool = True


def steady(u: Any, part: str, place: tuple[float, ...]) -> dict[str, Callable[[Any], Any]]:
    """The kinds of results of a steady problem."""
    first = u.args[0]
    return {
        "integral": lambda s: s.integral(u),
        "mean": lambda s: s.mean(u**2),
        "norm": lambda s: s.norm(sp.diff(u, first)),
        "over a part": lambda s: s.integral(u**2 + first**2, over=part),
        "flux": lambda s: s.flux(part),
        "value": lambda s: s.evaluate(u, [place], error=True)[0],
        "misfit": lambda s: s.misfit(u, [place, tuple(-0.7 * e for e in place)], [0.1, 0.2]),
        "sums and products": lambda s: 2 * s.integral(u) ** 2 - s.integral(u**2) / 3 + 1,
    }


def only(results: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {n: results[n] for n in names}


f1 = tn.given("f", lambda x: 1 + x, x)
f2 = tn.given("f", lambda x, y: np.exp(x), x, y)
coefficient = tn.given("b", lambda x, y: 1 + 0.3 * x**2 + 0.1 * y, x, y)
start = tn.given("start", lambda x: np.sin(np.pi * x), x)
potential = tn.given("V", lambda x, y: 1 + x + y**2, x, y)
disk, plate = tn.Disk(radius=r), tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Disk(radius=r, name="hole")
flower = tn.Region(
    tn.Curve(((1 + r * sp.cos(3 * s)) * sp.cos(s), (1 + r * sp.cos(3 * s)) * sp.sin(s)), (s, 0, 2 * sp.pi), name="rim")
)
layers = tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5))
material = tn.by_piece(core=k, shell=1)
corner = tn.Polygon([(0, 0), (2, 0), (2, 1), (r, 1), (r, 2), (0, 2)])
ring = tn.Disk(radius=2, name="out") - tn.Disk(radius=r, name="in")
body = tn.elasticity(moved, E=10 * k, nu=c, plane="strain")
rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.3))
walls = [tn.on("x=0", v), tn.on("x=1", v)]
stretch = sum(d**2 for d in moved)


def still(part: str = "boundary", unknown: Any = u) -> Any:
    return tn.on(part, sp.Eq(unknown, 0))


def ones(points: np.ndarray) -> np.ndarray:
    return np.ones(len(points))


def cosine(points: np.ndarray) -> np.ndarray:
    return np.cos(points[:, 0])


def cases() -> dict[str, Case]:
    """All of them by name."""
    plane = steady(u, "boundary", (0.6, 0.4))
    return {
        "interval, nonlinear": Case(
            tn.Problem(
                tn.Interval(x=(0, r)),
                [sp.Eq(-sp.diff((1 + k * x) * sp.diff(q, x), x) + a * q**3, f1 + h * sp.cos(x))],
                [tn.on("boundary", sp.Eq(q, x / 4))],
            ),
            {k: 0.7, a: 2.0, r: 1.2, h: 0.0},
            only(steady(q, "boundary", (0.6,)), "integral", "mean", "norm", "flux", "value", "sums and products"),
            {h: (f1, cosine)},
        ),
        "disk": Case(
            tn.Problem(
                disk,
                [sp.Eq(-tn.laplacian(u) + k * u, a * f2 + h * a * sp.cos(x))],
                [tn.on("boundary", sp.Eq(u, sp.sin(k * x)))],
            ),
            {k: 2.0, a: 1.5, r: 1.0, h: 0.0},
            plane,
            {h: (f2, cosine), r: ("circle", ones)},
        ),
        "disk, nonlinear": Case(
            tn.Problem(
                disk,
                [sp.Eq(-tn.div((coefficient + h * sp.cos(x)) * tn.grad(u), x, y) + k * u**3, a)],
                [tn.on("boundary", sp.Eq(u, a * x * y))],
            ),
            {k: 3.0, a: 1.2, r: 1.0, h: 0.0},
            plane,
            {h: (coefficient, cosine), r: ("circle", ones)},
        ),
        "flower, Robin": Case(
            tn.Problem(
                flower,
                [sp.Eq(-tn.laplacian(u) + a * sp.diff(u, x), 1)],
                [tn.on("rim", sp.Eq(tn.normal_derivative(u) + k * u, a * x))],
            ),
            {k: 3.0, a: 1.2, r: 0.2},
            plane,
        ),
        "ring": Case(
            tn.Problem(
                tn.Disk(radius=1) - tn.Disk(center=(a, 0), radius=r, name="hole"),
                [sp.Eq(-tn.laplacian(u) + u, f2)],
                [tn.on("boundary", sp.Eq(u, x))],
            ),
            {r: 0.3, a: 0.2},
            steady(u, "hole", (0.6, 0.4)),
            {r: ("hole", lambda points: -ones(points))},
        ),
        "two materials": Case(
            tn.Problem(layers, [tn.div(material * tn.grad(u), x, y) + a * f2 + h * a * sp.cos(x)], [still()]),
            {k: 4.0, a: 1.0, h: 0.0},
            plane,
            {h: (f2, cosine)},
            tol=1e-8,
        ),
        "plate with a hole": Case(
            tn.Problem(
                plate,
                [sp.Eq(-tn.div((1 + k * x**2) * tn.grad(u), x, y) + a * sp.diff(u, y), f2 + h * sp.cos(x))],
                [tn.on("hole", sp.Eq(u, a * y)), *(still(e) for e in ("x=-1", "x=1", "y=-1", "y=1"))],
            ),
            {k: 0.5, a: 0.8, r: 0.4, h: 0.0},
            steady(u, "hole", (0.6, 0.4)),
            {h: (f2, cosine), r: ("hole", lambda points: -ones(points))},
        ),
        "square, nonlinear": Case(
            tn.Problem(
                tn.Box(x=(0, r), y=(0, 1)),
                [sp.Eq(-tn.laplacian(u) + k * u**3, a * sp.exp(x) + h * sp.cos(x))],
                [still()],
            ),
            {k: 3.0, a: 5.0, r: 1.3, h: 0.0},
            only(plane, "integral", "mean", "norm", "flux", "value", "sums and products"),
            smooth=False,  # r^2 log r at the corners
        ),
        "two unknowns": Case(
            tn.Problem(
                tn.Disk(radius=1),
                [sp.Eq(-tn.laplacian(p1) + k * p1 * p2, 1), sp.Eq(-tn.laplacian(p2) + a * sp.diff(p1, x) + p2, x)],
                [tn.on("boundary", sp.Eq(p1, a * x), sp.Eq(tn.normal_derivative(p2) + p2, k * y))],
            ),
            {k: 1.0, a: 0.5},
            {
                "integral": lambda s: s.integral(p1**2 + p2**2),
                "over a part": lambda s: s.integral(p1 * p2, over="boundary"),
                "flux": lambda s: s.flux("boundary", of="p1"),
                "value": lambda s: s.evaluate(p1 * p2, [(0.6, 0.4)], error=True)[0],
            },
        ),
        "waves": Case(
            tn.Problem(
                tn.Disk(radius=1) - tn.Disk(radius=r, name="hole"),
                [sp.Eq(tn.laplacian(u) + k**2 * u, 0)],
                [tn.on("hole", sp.Eq(u, sp.cos(x))), tn.on("circle", sp.Eq(tn.normal_derivative(u), a * x))],
            ),
            {k: 5.0, a: 1.0, r: 0.3},
            steady(u, "hole", (0.6, 0.4)),
            {r: ("hole", lambda points: -ones(points))},
        ),
        "L-shape": Case(
            tn.Problem(corner, [sp.Eq(-tn.laplacian(u) + k * u, a * (1 + x))], [still()]),
            {k: 1.0, a: 2.0, r: 1.0},
            plane,
            tol=1e-8,
            smooth=False,
        ),
        "ball": Case(
            tn.Problem(
                tn.Ball(radius=r),
                [sp.Eq(-tn.laplacian(w) + k * w, a * sp.exp(x))],
                [tn.on("boundary", sp.Eq(w, x * y))],
            ),
            {k: 2.0, a: 1.0, r: 1.0},
            only(steady(w, "boundary", (0.3, 0.4, 0.2)), "integral", "mean", "flux", "value"),
            tol=1e-8,
        ),
        "march": Case(
            tn.Problem(
                rod,
                [sp.Eq(sp.diff(v, t), k * sp.diff(v, x, 2) - v**3)],
                [tn.on("t=0", sp.Eq(v, a * start + h * a * sp.sin(3 * sp.pi * x))), *walls],
            ),
            {k: 0.3, a: 2.0, h: 0.0},
            {
                "at the end": lambda s: s.integral(v**2, t=0.3),
                "integral": lambda s: s.integral(v**2),
                "value": lambda s: s.evaluate(v, [(0.4, 0.2)], error=True)[0],
                "misfit": lambda s: s.misfit(v, [(0.4, 0.2), (0.6, 0.3)], [0.1, 0.2]),
            },
            {h: (start, lambda points: np.sin(3 * np.pi * points[:, 0]))},
            tol=1e-9,
        ),
        "wave": Case(
            tn.Problem(
                tn.Interval(x=(0, 1)) * tn.Interval(t=(0, r)),
                [sp.Eq(sp.diff(v, t, 2) + a * sp.diff(v, t), k**2 * sp.diff(v, x, 2))],
                [
                    tn.on("t=0", sp.Eq(v, sp.sin(sp.pi * x)), sp.Eq(sp.diff(v, t), a * sp.sin(2 * sp.pi * x))),
                    *walls,
                ],
            ),
            {k: 1.2, a: 0.3, r: 1.3},
            {
                "at the end": lambda s: s.integral(v**2, over=s.problem.domain.parts[-1]),
                "integral": lambda s: s.integral(v**2),
                "value": lambda s: s.evaluate(v, [(0.4, 0.7)], error=True)[0],
            },
        ),
        "march in a disk": Case(
            tn.Problem(
                tn.Disk(radius=1) * tn.Interval(t=(0, 0.2)),
                [sp.Eq(sp.diff(heat_in_a_disk, t), k * tn.laplacian(heat_in_a_disk, x, y) + a * x)],
                [
                    tn.on("t=0", sp.Eq(heat_in_a_disk, 1 - x**2 - y**2)),
                    tn.on("circle", sp.Eq(heat_in_a_disk, 0)),
                ],
            ),
            {k: 0.5, a: 2.0},
            {
                "at the end": lambda s: s.integral(heat_in_a_disk**2, t=0.2),
                "integral": lambda s: s.integral(heat_in_a_disk**2),
            },
            tol=1e-7,
            smooth=False,
        ),
        "elastic ring": Case(
            tn.Problem(
                ring,
                body.equations,
                [
                    tn.on("in", sp.Eq(moved[0], a * x), sp.Eq(moved[1], 0)),
                    tn.on("out", sp.Eq(body.traction[0], y), sp.Eq(body.traction[1], a * x**2)),
                ],
            ),
            {k: 1.0, c: 0.3, a: 0.1, r: 1.0},
            {
                "integral": lambda s: s.integral(stretch),
                "over a part": lambda s: s.integral(stretch, over="out"),
                "energy": lambda s: s.integral(body.von_mises**2),
                "force": lambda s: s.force("in", body.traction)[1],
                "value": lambda s: s.evaluate(moved[0], [(1.3, 0.4)], error=True)[0],
            },
            {r: ("in", lambda points: -ones(points))},
            tol=1e-8,
        ),
        "elastic, clamped corners": Case(
            tn.Problem(
                tn.Box(x=(0, r), y=(0, 1)),
                body.equations,
                [
                    tn.on("left", *(sp.Eq(d, 0) for d in moved)),
                    tn.on("right", sp.Eq(body.traction[0], 1), sp.Eq(body.traction[1], a)),
                    *(tn.on(e, *(sp.Eq(p, 0) for p in body.traction)) for e in ("bottom", "top")),
                ],
            ),
            {k: 1.0, c: 0.3, a: 0.1, r: 2.0},
            {
                "integral": lambda s: s.integral(stretch),
                "over a part": lambda s: s.integral(moved[0] ** 2, over=s.problem.domain.parts[1]),
                "force": lambda s: s.force("left", body.traction)[0],
            },
            tol=1e-6,
            smooth=False,
        ),
    }


def spectra() -> dict[str, Case]:
    """Problems for eigenvalues, of which the lowest two are the results."""
    both = {f"eigenvalue {j}": lambda pairs, j=j: pairs.value(j) for j in (0, 1)}
    first = {"eigenvalue 0": both["eigenvalue 0"]}
    return {
        "drum": Case(
            tn.Problem(
                tn.Box(x=(0, r), y=(0, 1)),
                [sp.Eq(-k * tn.laplacian(u) + (potential + h * sp.cos(x)) * u, lam * u)],
                [still()],
            ),
            {k: 1.5, r: 1.3, h: 0.0},
            both,
            {h: (potential, cosine), r: ("right", ones)},
        ),
        "flower": Case(
            tn.Problem(
                flower,
                [sp.Eq(-tn.div((1 + k * x**2) * tn.grad(u), x, y), lam * u)],
                [tn.on("rim", sp.Eq(tn.normal_derivative(u) + a * u, 0))],
            ),
            {k: 0.5, a: 2.0, r: 0.2},
            first,
        ),
        "carried along": Case(
            tn.Problem(
                tn.Box(x=(0, 1), y=(0, 1)),
                [sp.Eq(-sp.diff(u, x, 2) - k * sp.diff(u, y, 2) + c * sp.diff(u, x), lam * u)],
                [still()],
            ),
            {k: 0.7, c: 1.4},
            both,
        ),
        "two materials": Case(
            tn.Problem(layers, [sp.Eq(-tn.div(material * tn.grad(u), x, y) + c * u, lam * u)], [still()]),
            {k: 3.0, c: 0.5},
            first,
        ),
        "L-shape": Case(
            tn.Problem(corner, [sp.Eq(-tn.laplacian(u) + k * x * u, lam * u)], [still()]),
            {k: 1.0, r: 1.0},
            first,
            smooth=False,
        ),
    }
