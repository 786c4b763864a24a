"""Eigenvalues that are counted: narrow wells, operators far from normal, potentials with many values close together."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning

x, y, lam = sp.symbols("x y lam")


def on_a_line(length: float, left: Callable[[sp.Expr], sp.Expr], count: int) -> tn.Eigenpairs:
    u = tn.unknown("u", x)
    equation = sp.Eq(left(u), lam * u)
    return tn.eigenpairs(
        tn.Problem(tn.Interval(x=(0, length)), [equation], [tn.on("boundary", sp.Eq(u, 0))]), lam, count=count
    )


@pytest.mark.parametrize(("width", "place"), [(1e-3, 0.37), (2e-4, 0.7131)])
def test_a_narrow_well_binds_what_the_same_well_binds_in_other_units(width: float, place: float) -> None:
    first = on_a_line(1.0, lambda u: -sp.diff(u, x, 2) - 2 / width**2 * sp.exp(-(((x - place) / width) ** 2)) * u, 2)
    same = on_a_line(40.0, lambda u: -sp.diff(u, x, 2) - 2 * sp.exp(-((x - 20) ** 2)) * u, 1)
    assert first.values[0] * width**2 == pytest.approx(same.values[0], rel=1e-7)
    assert first.values[1] > 0


@pytest.mark.parametrize(("speed", "k"), [(30.0, 1.0), (41.7, 0.9), (12.0, 1.5)])
def test_errors_of_an_operator_far_from_normal_hold(speed: float, k: float) -> None:
    pairs = on_a_line(1.0, lambda u: -k * sp.diff(u, x, 2) + speed * sp.diff(u, x), 4)
    true = speed**2 / (4 * k) + k * (np.pi * np.arange(1, 5)) ** 2
    off = np.abs(pairs.values - true)
    assert (off <= 10 * pairs.errors).all()
    assert (pairs.errors <= 50 * np.maximum(off, 1e-11 * true)).all()


def test_a_peak_in_the_plane_that_features_do_not_resolve_is_told() -> None:
    u = tn.unknown("u", x, y)
    well = -3e4 * sp.exp(-((x - 0.43) ** 2 + (y - 0.61) ** 2) / 0.01**2)
    equation = sp.Eq(-sp.diff(u, x, 2) - sp.diff(u, y, 2) + well * u, lam * u)
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [equation], [tn.on("boundary", sp.Eq(u, 0))])
    with pytest.warns(AccuracyWarning, match="do not resolve"):
        pairs = tn.eigenpairs(problem, lam, count=1, neurons=100)
    assert np.isnan(pairs.errors).all()
