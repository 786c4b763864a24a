"""Edges in space: found with their exponents, solutions that are singular there, and fluxes that are conserved."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.expansion import from_data, to_data
from transnet.errors import AccuracyWarning
from transnet.features.multipoles import Multipole, Multipoles
from transnet.pieces.edges import ends_of, space_edges_of
from transnet.pieces.enrich import cell_enrichment
from transnet.pieces.laws import Laws

x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
L_SHAPE = tn.Polygon([(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)])
PRISM = L_SHAPE * tn.Interval(z=(0, 1))
ANGLE = sp.atan2((x - y) / sp.sqrt(2), -(x + y) / sp.sqrt(2)) + 3 * sp.pi / 4
"""The angle from the positive y axis to the positive x axis, the long way round."""
RADIUS = sp.sqrt(x**2 + y**2)


def chip(k: float) -> tn.Problem:
    domain = tn.Pieces(
        board=tn.Box(x=(0, 1), y=(0, 1), z=(0, 0.4)), chip=tn.Box(x=(0.25, 0.75), y=(0.25, 0.75), z=(0.4, 0.8))
    )
    stiffness, heat = tn.by_piece(board=1, chip=k), tn.by_piece(board=0, chip=1)
    others = [part for part in domain.parts if part != "z=0"]
    return tn.Problem(
        domain,
        [sp.Eq(-tn.div(stiffness * tn.grad(u)), heat)],
        [tn.on("z=0", u), *(tn.on(part, tn.normal_derivative(u)) for part in others)],
    )


def exact_error(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(2000, "random", 1)
    values = sp.lambdify((x, y, z), exact)(*points.T)
    return float(np.linalg.norm(solution(points) - values) / np.linalg.norm(values))


@pytest.mark.parametrize(
    ("problem", "count", "exponent"),
    [
        (tn.Problem(PRISM, [tn.laplacian(u)], [tn.on("boundary", u)]), 1, 2 / 3),
        (
            tn.Problem(
                tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1)) - tn.Box(x=(0, 2), y=(0, 2), z=(0, 2)),
                [tn.laplacian(u)],
                [tn.on("boundary", u)],
            ),
            3,
            2 / 3,
        ),
        (chip(1.0), 4, 2 / 3),
        # k tan(pi/2 lambda) = -tan(pi lambda): 1 - t^2 = -2 / k with t = tan(pi/2 lambda).
        (chip(10.0), 4, 2 / np.pi * np.arctan(np.sqrt(1.2))),
    ],
    ids=["prism", "Fichera's corner", "chip", "chip of another material"],
)
def test_inner_edges_are_found(problem: tn.Problem, count: int, exponent: float) -> None:
    strong = [(edge, powers) for edge, powers in cell_enrichment(Laws(problem), ()).edges if edge.strong]
    lengths = {(e.axis, *np.delete(e.low, e.axis).tolist()) for e, _ in strong}
    assert len(lengths) == count
    for _, powers in strong:
        assert min(alpha for alpha, _, _ in powers.terms if alpha > 0) == pytest.approx(exponent, abs=1e-7)


def test_a_box_has_no_strong_edges_and_an_edge_ends_twice() -> None:
    cube = tn.Problem(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), [tn.laplacian(u)], [tn.on("boundary", u)])
    assert not any(edge.strong for edge in space_edges_of(Laws(cube), ()))
    prism = tn.Problem(PRISM, [tn.laplacian(u)], [tn.on("boundary", u)])
    ends = ends_of([edge for edge in space_edges_of(Laws(prism), ()) if edge.strong])
    np.testing.assert_allclose(sorted(ends.tolist()), [[0, 0, 0], [0, 0, 1]], atol=1e-9)


@pytest.mark.parametrize("kind", ["value", "flux"])
def test_a_prism_with_an_inner_edge(kind: str, tmp_path: Path) -> None:
    shape = sp.sin if kind == "value" else sp.cos
    exact = RADIUS ** sp.Rational(2, 3) * shape(2 * ANGLE / 3) * sp.cos(2 * z)
    sides = ("edge 2", "edge 3")
    natural = [tn.on(part, tn.normal_derivative(u) if kind == "flux" else u) for part in sides]
    rest = [tn.on(part, sp.Eq(u, exact)) for part in PRISM.parts if part not in sides]
    problem = tn.Problem(PRISM, [sp.Eq(-tn.laplacian(u), 4 * exact)], [*natural, *rest])
    with pytest.warns(AccuracyWarning, match="estimated relative error"):  # there is nothing to compare with
        solution = tn.solve(problem, pieces=tn.Cut(2, 2, 1, refine=False))
    assert solution.basis.pieces == 3
    assert exact_error(solution, exact) < 2e-4
    solution.save(tmp_path / "prism.npz")
    points = PRISM.interior(50, "random", 2)
    np.testing.assert_array_equal(tn.load(tmp_path / "prism.npz")(points), solution(points))


def test_all_heat_of_a_chip_flows_through_the_board() -> None:
    """Without conservation 45 % of it are lost at the corners of the chip, where no function fits."""
    problem = chip(10.0)
    with pytest.warns(AccuracyWarning, match="estimated relative error"):
        solution = tn.solve(problem, pieces=tn.Cut(4, 4, 2, refine=False))
    nodes, weights = tn.Box(x=(0, 1), y=(0, 1)).quadrature(2500)
    bottom = np.column_stack([nodes, np.zeros(len(nodes))])
    flux = weights @ solution.value_of(sp.diff(u, z), bottom)
    assert flux == pytest.approx(0.1, rel=1e-2)


def test_all_heat_leaves_through_one_condition_on_all_sides() -> None:
    """The mean of every face of a cell is conserved, also where one condition covers several of them."""
    pieces = tn.Pieces(
        board=tn.Box(x=(0, 1), y=(0, 1), z=(0, 0.4)), chip=tn.Box(x=(0.25, 0.75), y=(0.25, 0.75), z=(0.4, 0.8))
    )
    k, heat = tn.by_piece(board=1, chip=10), tn.by_piece(board=0, chip=1)
    cooled = tn.on("boundary", sp.Eq(k * tn.normal_derivative(u) + 2 * u, 0))
    problem = tn.Problem(pieces, [sp.Eq(-tn.div(k * tn.grad(u)), heat)], [cooled])
    with pytest.warns(AccuracyWarning, match="estimated relative error"):
        solution = tn.solve(problem, pieces=tn.Cut(4, 4, 2, refine=False))
    assert float(solution.integral(2 * u, over="boundary")) == pytest.approx(0.1, rel=1e-3)
    # Cells with functions of edges beside some with multipoles: both come back from a file.
    kept = solution.basis
    mixed = replace(kept, singular=(Multipoles.of([Multipole(0, 0, 0, 1, 1, 1, 2, 1, 1)]), *kept.singular[1:]))
    arrays: dict[str, np.ndarray] = {}
    again = from_data(to_data(mixed, arrays), arrays)
    for one, other in zip(mixed.singular, again.singular, strict=True):
        np.testing.assert_array_equal(one.table, other.table)
