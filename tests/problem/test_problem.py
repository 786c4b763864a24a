"""A problem is checked when it is stated: each mistake has its own error, with cause and fix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import GeometryError, ProblemError, TransnetError

x, y, z = sp.symbols("x y z")
X = sp.Symbol("x", real=True)
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
Eq, square = sp.Eq, tn.Box(x=(0, 1), y=(0, 1))
poisson = Eq(tn.laplacian(u), 0)
fixed = tn.on("boundary", Eq(u, 0))

WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "domain": (lambda: tn.Problem((0, 1), [poisson]), "must be a shape such as"),
    "no equations": (lambda: tn.Problem(square, []), "has no equations"),
    "an equation that is True": (lambda: tn.Problem(square, [Eq(u, u)]), "just True.*both sides are the same"),
    "an obstacle": (lambda: tn.Problem(square, [sp.Min(-tn.laplacian(u), u - x)]), "as a condition: tn.obstacle"),
    "an equation with ==": (lambda: tn.Problem(square, [tn.laplacian(u) == 0]), "just False.*left == right"),
    "a condition with ==": (lambda: tn.Problem(square, [poisson], [tn.on("left", u == 0)]), "just False"),
    "a value of NaN": (lambda: tn.Problem(square, [poisson], [tn.on("left", Eq(u, sp.nan))]), "NaN"),
    "a vector equal to a number": (lambda: tn.Problem(square, [Eq(tn.grad(u), 0)]), "one is a vector"),
    "nothing": (lambda: tn.Problem(square, [poisson, None]), "not an equation"),
    "a text": (lambda: tn.Problem(square, ["u = 0"]), "is a text"),
    "an inequality": (lambda: tn.Problem(square, [u > 0]), "not an equation"),
    "no unknown": (lambda: tn.Problem(square, [Eq(x, y)]), "contain no unknown"),
    "one equation without an unknown": (lambda: tn.Problem(square, [poisson, Eq(x, 1)]), "contains no unknown"),
    "an unknown with no equation": (lambda: tn.Problem(square, [poisson], [tn.on("left", v)]),
                                    r"unknown v\(x, y\) has no equation"),
    "too few equations": (lambda: tn.Problem(square, [tn.laplacian(u) + v]),
                          r"2 unknowns \(u, v\) but only 1 equation"),
    "unknowns of different coordinates": (lambda: tn.Problem(square, [poisson, tn.laplacian(tn.unknown("w", x, z))]),
                                          "the domain lacks"),
    "a coordinate that the domain lacks": (lambda: tn.Problem(tn.Interval(x=(0, 1)), [poisson]),
                                           "the domain lacks y"),
    "a coordinate that the unknown lacks": (lambda: tn.Problem(square * tn.Interval(t=(0, 1)), [poisson]),
                                            "domain has the coordinate t, but the unknown is"),
    "coordinates of other names": (lambda: tn.Problem(tn.Box(a=(0, 1), b=(0, 1)), [poisson]), "coordinates a, b"),
    "a disk in space": (lambda: tn.Problem(tn.Ball(), [poisson]), "2 coordinates, but the domain has 3"),
    "two symbols of one name": (lambda: tn.Problem(square, [poisson], [tn.on("left", Eq(u, X))]),
                                "two different symbols 'x'"),
    "the normal inside": (lambda: tn.Problem(square, [tn.normal_derivative(u)]), "An equation uses the normal"),
    "the normal at a point": (lambda: tn.Problem(square, [poisson], [tn.at([(0, 0)], tn.normal_derivative(u))]),
                              "'at' uses the normal"),
    "where of no coordinate": (lambda: tn.Problem(square, [poisson], [tn.on("left", u, where=z > 0)]),
                               "uses z, not a coordinate"),
    "points with too many columns": (lambda: tn.Problem(square, [poisson], [tn.at([(0, 0, 0)], u)]),
                                     r"3 columns, but the problem has 2 coordinates.*\(n, 2\)"),
    "a point outside": (lambda: tn.Problem(square, [poisson], [tn.data(u, [(0.5, 0.5), (5, 0.5)], [1, 2])]),
                        r"the point \(5, 0.5\) outside the domain"),
    "periodic in no coordinate": (lambda: tn.Problem(square, [poisson], [tn.periodic(z)]), "not a coordinate"),
    "periodic in no unknown": (lambda: tn.Problem(square, [poisson], [tn.periodic(x, v)]), "not an unknown"),
    "a condition nowhere": (lambda: tn.Problem(square, [poisson], [Eq(u, 0)]), "is not a condition. Say where"),
    "a condition on nothing": (lambda: tn.Problem(square, [poisson], [tn.on("left", Eq(x, 0))]),
                               "condition contains no unknown"),
    "a mean of nothing": (lambda: tn.Problem(square, [poisson], [tn.mean(3)]), "condition contains no unknown"),
    "an open polygon": (lambda: tn.Polygon([(0, 0), (1, 1)]), "open"),
    "a polygon that crosses itself": (lambda: tn.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), "crosses"),
    "an empty domain": (lambda: tn.Disk() - tn.Disk(radius=2), "empty|nothing"),
    "a level set that is empty": (lambda: tn.LevelSet(x**2 + y**2 + 1, x=(-1, 1), y=(-1, 1)), "empty"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_problem_is_refused(name: str) -> None:
    make, message = WRONG[name]
    for _ in range(2):  # what is kept of shapes that are alike must not let the second one pass
        with pytest.raises(TransnetError, match=message):
            make()


def test_an_unknown_part_lists_the_parts_there_are() -> None:
    with pytest.raises(GeometryError, match=r"no boundary part 'lft'. Did you mean 'left'\? .*'x=0', 'x=1', 'y=0'"):
        tn.Problem(square, [poisson], [tn.on("lft", Eq(u, 0))])


def test_points_given_to_a_few_digits_count_as_inside() -> None:
    angle = np.linspace(0, 6, 50)
    on_the_rim = np.round(np.stack([np.cos(angle), np.sin(angle)], axis=1), 7)
    tn.Problem(tn.Disk(), [poisson], [tn.data(u, on_the_rim, np.zeros(50))])


def test_coordinates_are_matched_by_name_and_otherwise_by_order() -> None:
    w = tn.unknown("w", y, x)
    assert tn.Problem(square, [tn.laplacian(w)], []).coordinates == (x, y)
    assert tn.Problem(tn.Disk(), [tn.laplacian(w)], []).coordinates == (y, x)
    t = sp.Symbol("t")
    p = tn.unknown("p", t, y, x)
    cylinder = tn.Disk() * tn.Interval(t=(0, 1))
    assert tn.Problem(cylinder, [sp.diff(p, t)], []).coordinates == (y, x, t)


def test_what_a_problem_knows_and_how_it_reads() -> None:
    nu = sp.Symbol("nu")
    problem = tn.Problem(
        square,
        [Eq(nu * tn.laplacian(u), v), Eq(v, x)],
        [tn.on("left", u, where=y > 0), tn.at([(0, 0)], v), tn.data(u, [(0, 0)], [1]), tn.mean(u), tn.periodic(y)],
    )
    assert problem.names == ("u", "v")
    assert problem.parameters == (nu,)
    text = repr(problem)
    for words in ("on left where y > 0", "at 1 point", "measured at 1 point", "mean of u", "periodic in y"):
        assert words in text
    assert isinstance(tn.Problem(square, poisson, fixed).equations, tuple), "one equation needs no list"
    with pytest.raises(ProblemError):
        tn.Problem(square, poisson, Eq(u, 0))


def test_unknowns_come_out_in_the_order_of_their_equations() -> None:
    a, b, p = (tn.unknown(n, x, y) for n in ("b", "a", "p"))
    flow = [tn.laplacian(a) - sp.diff(p, x), tn.laplacian(b) - sp.diff(p, y), sp.diff(a, x) + sp.diff(b, y)]
    assert tn.Problem(square, flow, [tn.on("boundary", a, b)]).names == ("b", "a", "p")
    assert tn.Problem(square, flow, [tn.on("boundary", a, b)], order=(p, a, b)).names == ("p", "b", "a")
