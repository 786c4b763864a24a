"""Corners at which the data make the solution singular are told from those at which they do not, before any solve."""

from __future__ import annotations

from math import inf

import pytest
import sympy as sp

import transnet as tn
from transnet.choose.compatible import COMPATIBLE, FORCED, misfit_at_corners
from transnet.choose.enrich import enrichment_of
from transnet.drive.driver import drive
from transnet.drive.plan import Plan
from transnet.judge.judgement import held_out_blocks
from transnet.method.network import Network
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
square = tn.Box(x=(0, 1), y=(0, 1))


def misfit(problem: tn.Problem) -> float:
    statements = statements_of(problem)
    blocks = held_out_blocks(problem, statements)
    found = enrichment_of(problem, blocks, [b.linearise() for b in blocks])
    assert found is not None
    return misfit_at_corners(problem, statements, (), found)


def values(load: sp.Expr, value: sp.Expr, domain: tn.Domain = square) -> tn.Problem:
    return tn.Problem(domain, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, value))])


@pytest.mark.parametrize("exact", [sp.sin(3 * x + y), sp.exp(x) * sp.cos(8 * y), 1 / (1 + 25 * (x**2 + y**2))])
def test_data_of_a_smooth_solution_are_compatible(exact: sp.Expr) -> None:
    assert misfit(values(-tn.laplacian(exact, x, y), exact)) < COMPATIBLE


@pytest.mark.parametrize("value", [0, 1, 1 + x * y])
def test_a_load_that_does_not_vanish_where_the_edges_are_straight_forces_a_logarithm(value: sp.Expr) -> None:
    assert FORCED < misfit(values(sp.Integer(1), value)) < inf


def test_values_that_jump_do_as_well() -> None:
    sides = [tn.on(part, sp.Eq(u, int(part == "y=1"))) for part in ("x=0", "x=1", "y=0", "y=1")]
    assert misfit(tn.Problem(square, [sp.Eq(tn.laplacian(u), 0)], sides)) > 1


def test_fluxes_are_compared_with_values_and_with_each_other() -> None:
    def mixed(flux: int) -> float:
        walls = [tn.on(part, sp.Eq(u, 0)) for part in ("x=0", "x=1")]
        ends = [tn.on(part, sp.Eq(sp.diff(u, y), flux)) for part in ("y=0", "y=1")]
        return misfit(tn.Problem(square, [sp.Eq(-tn.laplacian(u), 1)], [*walls, *ends]))

    assert mixed(0) < COMPATIBLE  # x (1 - x) / 2
    assert mixed(1) > FORCED


def test_a_triangle_of_equal_sides_is_compatible_where_a_square_is_not() -> None:
    # u is the product of the three distances.
    triangle = tn.Polygon([(0, 0), (1, 0), (0.5, 3**0.5 / 2)])
    assert misfit(values(sp.Integer(1), 0, triangle)) < COMPATIBLE


def test_at_other_angles_nothing_is_said() -> None:
    assert misfit(values(sp.Integer(1), 0, tn.Polygon([(0, 0), (1, 0), (1.2, 1), (0, 1)]))) == inf


def test_the_first_network_for_a_small_tolerance_has_the_functions_of_the_corners() -> None:
    forced = drive(Plan(values(sp.Integer(1), 0), tol=1e-3), (Network(),))
    smooth = drive(Plan(values(2 * sp.sin(x + y), sp.sin(x + y)), tol=1e-3), (Network(),))
    assert len(forced.basis.spaces[0].singular) > 0
    assert len(smooth.basis.spaces[0].singular) == 0
