"""The functional of a block: values, means, integrals over some coordinates and values elsewhere are one thing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.basis import Basis
from transnet.features.placement import Placement
from transnet.iterate.system import System
from transnet.linalg.least_squares import QR
from transnet.rows.blocks import Block
from transnet.rows.nodes import Away, Nodes
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
box = tn.Box(x=(0, 1), y=(0, 1))
problem = tn.Problem(box, [sp.Eq(x * sp.diff(u, y) + u**2 / 2, y)], [])
STATEMENT = statements_of(problem)[0]
BASIS = Basis((tn.FeatureSpace.waves(2, 20, 0.12),), Placement.of(box))
RNG = np.random.default_rng(0)
ALPHA = RNG.standard_normal(BASIS.columns)
ROWS, M = 6, 4

KINDS = {
    "values": Nodes(RNG.random((ROWS, 2))),
    "a mean": Nodes(RNG.random((9, 2)), fold=RNG.random((1, 9))),
    "integrals": Nodes(RNG.random((ROWS * M, 2)), fold=RNG.random((ROWS, M))),
    "values elsewhere": Nodes(RNG.random((ROWS, 2)), (Away(RNG.random((ROWS, 2)), np.full((ROWS, 1), -1.0)),)),
    "integrals around": Nodes(RNG.random((ROWS, 2)), (Away(RNG.random((ROWS * M, 2)), RNG.random((ROWS, M))),)),
    "both": Nodes(
        RNG.random((ROWS * M, 2)),
        (Away(RNG.random((ROWS * M * 3, 2)), RNG.random((ROWS * M, 3))),),
        RNG.random((ROWS, M)),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [3, 10_000])
def test_rows_are_the_derivative_of_the_residual(kind, most):
    block = Block(STATEMENT, KINDS[kind])
    state = block.state(BASIS, ALPHA)
    lin = block.linearise((), state)
    rows = np.empty((BASIS.columns, block.rows))
    block.nodes.write(rows, BASIS.write, block.slots, lin.coefficients, 1.0, most)
    np.testing.assert_allclose(ALPHA @ rows - lin.right, block.residual(state), atol=1e-10)
    step = 1e-6 * RNG.standard_normal(BASIS.columns)
    change = block.residual(block.state(BASIS, ALPHA + step)) - block.residual(block.state(BASIS, ALPHA - step))
    np.testing.assert_allclose(2 * step @ rows, change, atol=1e-9 * np.abs(rows).max())


@pytest.mark.parametrize("kind", KINDS)
def test_parts_are_the_same_rows_and_can_be_sent(kind):
    block = Block(STATEMENT, KINDS[kind])
    whole = block.residual(block.state(BASIS, ALPHA))
    for which in (slice(0, 2), np.array([0, block.rows - 1])):
        part = block.part(which)
        np.testing.assert_allclose(part.residual(part.state(BASIS, ALPHA)), whole[which], rtol=1e-12)
        sent = pickle.loads(pickle.dumps(part.nodes))
        np.testing.assert_array_equal(sent.points, part.points)


@pytest.mark.parametrize("kind", KINDS)
def test_an_iteration_sees_the_same_rows(kind):
    block = Block(STATEMENT, KINDS[kind])
    system = System([block], BASIS, (), QR())
    iterate = system.iterate(ALPHA)
    lin = system.linearise(iterate)[0]
    system.weigh([lin])
    rows, expected = np.empty((2, BASIS.columns, block.rows))
    system.write(rows, block, lin.coefficients, 1.0)
    block.nodes.write(expected, BASIS.write, block.slots, lin.coefficients)
    np.testing.assert_allclose(rows, expected, atol=1e-10)
    value, gradient = system.gradient(iterate)
    residual = system.weights[0] * system.residuals(iterate)[0]
    assert value == pytest.approx(0.5 * residual @ residual)
    np.testing.assert_allclose(gradient, system.weights[0] * expected @ residual, atol=1e-10 * np.abs(gradient).max())
