"""Eigenvalues with a weight, and states that are narrow beside their domain."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn

r, lam = sp.symbols("r lam")
v = tn.unknown("v", r)


@pytest.mark.parametrize(("length", "count"), [(160, 1), (160, 4), (60, 2)])
def test_hydrogen_in_a_long_interval(length, count):
    # -v''/2 - v/r = lam v, times r: the weight vanishes at one end, and the first state is as wide as 1/160 of it.
    equation = sp.Eq(-r * sp.diff(v, r, 2) / 2 - v, lam * r * v)
    pairs = tn.eigenpairs(tn.Problem(tn.Interval(r=(0, length)), [equation], [tn.on("boundary", v)]), lam, count=count)
    off = np.abs(pairs.values + 0.5 / np.arange(1, count + 1) ** 2)
    assert (off <= 10 * pairs.errors).all()
    assert off.max() < 1e-10
