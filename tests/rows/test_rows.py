"""Rows against finite differences of the features, and the rows of means, periodicity and data."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.basis import Basis
from transnet.errors import GeometryError, ProblemError
from transnet.features.placement import Placement
from transnet.rows.assembly import assemble, weight_of, write_block
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import statements_of

x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
box = tn.Box(x=(3, 5), y=(-1, 0))
SPACE = tn.FeatureSpace.uniform(2, 12, 1.3)


def rows_of(problem: tn.Problem, spaces=None, points: Points | None = None, seed: int = 0):
    """The blocks of a problem with their rows (n, columns) and right-hand sides."""
    basis = Basis(tuple(spaces or [SPACE] * len(problem.unknowns)), Placement.of(problem.domain))
    blocks = collocate(problem, statements_of(problem), basis.columns, points, seed)
    found = []
    for block in blocks:
        lin = block.linearise()
        out = np.empty((basis.columns, block.rows))
        write_block(out, block, basis, lin.coefficients)
        found.append((block, out.T, lin.right))
    return basis, found


def feature(basis: Basis, unknown: int, column: int):
    """One basis function of one unknown, as a function of points of the domain."""
    return lambda points: basis.spaces[unknown](basis.placement(points))[:, column]


def differences(f, points: np.ndarray, axis: int, order: int, h: float = 1e-3) -> np.ndarray:
    """Central differences of fourth order, of order one or two."""
    step = np.zeros(points.shape[1])
    step[axis] = h
    at = {k: f(points + k * step) for k in (-2, -1, 0, 1, 2)}
    if order == 1:
        return (at[-2] - 8 * at[-1] + 8 * at[1] - at[2]) / (12 * h)
    return (-at[-2] + 16 * at[-1] - 30 * at[0] + 16 * at[1] - at[2]) / (12 * h**2)


def test_interior_rows_are_the_operator_of_every_feature() -> None:
    problem = tn.Problem(box, [sp.Eq(x * sp.diff(u, x, 2) + sp.diff(u, y, 2) - y * sp.diff(u, y) + 5 * u, sp.sin(x))])
    basis, [(block, rows, right)] = rows_of(problem)
    p = block.points
    for m in range(basis.columns):
        f = feature(basis, 0, m)
        exact = p[:, 0] * differences(f, p, 0, 2) + differences(f, p, 1, 2)
        exact = exact - p[:, 1] * differences(f, p, 1, 1) + 5 * f(p)
        np.testing.assert_allclose(rows[:, m], exact, atol=2e-7)
    np.testing.assert_allclose(right, np.sin(p[:, 0]))


def test_boundary_rows_use_the_normal_and_lie_on_the_part() -> None:
    condition = tn.on("right", sp.Eq(tn.normal_derivative(u) + 2 * u, y))
    basis, found = rows_of(tn.Problem(box, [tn.laplacian(u)], [condition]))
    block, rows, right = found[1]
    assert np.all(block.points[:, 0] == 5)
    for m in range(basis.columns):
        f = feature(basis, 0, m)
        np.testing.assert_allclose(rows[:, m], differences(f, block.points, 0, 1) + 2 * f(block.points), atol=1e-9)
    np.testing.assert_allclose(right, block.points[:, 1])


def test_columns_of_systems_belong_to_their_unknowns() -> None:
    problem = tn.Problem(box, [sp.diff(u, x) + v, sp.diff(v, y)], [])
    for sizes in ((12, 12), (12, 7)):
        spaces = [tn.FeatureSpace.uniform(2, n, 1.3, seed=n) for n in sizes]
        basis, [(block, first, _), (_, second, _)] = rows_of(problem, spaces)
        assert basis.columns == sum(sizes) + 2
        for m in range(sizes[0] + 1):
            f = feature(basis, 0, m)
            np.testing.assert_allclose(first[:, basis.slice_of(0)][:, m], differences(f, block.points, 0, 1), atol=1e-9)
        for m in range(sizes[1] + 1):
            f = feature(basis, 1, m)
            np.testing.assert_allclose(first[:, basis.slice_of(1)][:, m], f(block.points), atol=1e-13)
        assert not second[:, basis.slice_of(0)].any()


def test_rows_times_coefficients_are_values_and_residuals() -> None:
    conditions = [tn.on("left", sp.Eq(u, y)), tn.periodic(y), tn.mean(u, 2), tn.data(sp.diff(u, x), [(4, -0.5)], [7])]
    basis, found = rows_of(tn.Problem(box, [sp.Eq(tn.laplacian(u) + x * u, sp.exp(y))], conditions))
    alpha = np.random.default_rng(0).standard_normal(basis.columns)
    for block, rows, right in found:
        np.testing.assert_allclose(rows @ alpha - right, block.residual(block.state(basis, alpha)), atol=1e-11)


def test_a_mean_row_is_the_integral_over_the_domain() -> None:
    basis, found = rows_of(tn.Problem(box, [tn.laplacian(u)], [tn.mean(u, 2)]))
    _, rows, _ = found[1]
    assert rows.shape == (1, basis.columns)
    nodes, weights = box.quadrature(4000)
    np.testing.assert_allclose(rows[0], weights @ SPACE(basis.placement(nodes)) / box.volume, atol=1e-12)
    assert rows[0, 0] == pytest.approx(1, abs=1e-14), "the mean of the constant"


def test_periodic_rows_are_differences_between_the_faces() -> None:
    basis, found = rows_of(tn.Problem(box, [tn.biharmonic(u)], [tn.periodic(x)]))
    periodic = found[1:]
    assert len(periodic) == 4, "an equation of fourth order identifies the value and three derivatives"
    for order, (block, rows, right) in enumerate(periodic):
        assert np.all(block.points[:, 0] == 3)
        [away] = block.nodes.away
        assert np.all(away.points[:, 0] == 5)
        np.testing.assert_array_equal(block.points[:, 1], away.points[:, 1])
        assert not right.any()
        np.testing.assert_allclose(rows[:, 0], 0, atol=1e-15)
        if order < 2:
            for m in range(basis.columns):
                f = feature(basis, 0, m)
                g = f if order == 0 else (lambda p, f=f: differences(f, p, 0, 1))
                np.testing.assert_allclose(rows[:, m], g(block.points) - g(away.points), atol=1e-9)


def test_periodicity_counts_the_order_of_each_unknown_and_may_name_some() -> None:
    problem = tn.Problem(box, [tn.laplacian(u) + sp.diff(v, x), sp.diff(u, x) + sp.diff(v, y)], [tn.periodic(x)])
    labels = [s.label for s in statements_of(problem)][2:]
    assert len(labels) == 3, labels
    named = tn.Problem(box, [tn.laplacian(u) + v, v], [tn.periodic(x, v)])
    assert [s.label for s in statements_of(named)][2:] == ["v periodic in x"]
    with pytest.raises(ProblemError, match="no two opposite faces across x"):
        tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.periodic(x)])


def test_derivatives_are_in_the_units_of_the_domain() -> None:
    basis = Basis((SPACE,), Placement.of(box))
    alpha = np.random.default_rng(3).standard_normal(SPACE.size)
    points = box.interior(20)

    def f(p):
        return SPACE(basis.placement(p)) @ alpha

    slots = [(0, (0, 0)), (0, (1, 0)), (0, (0, 1)), (0, (2, 0)), (0, (0, 2))]
    found = basis.derivatives(alpha, points, slots)
    np.testing.assert_allclose(found[0], f(points), atol=1e-12)
    for k, (axis, order) in enumerate([(0, 1), (1, 1), (0, 2), (1, 2)], start=1):
        np.testing.assert_allclose(found[k], differences(f, points, axis, order), atol=1e-6)


def test_automatic_weights_balance_blocks_and_a_weight_replaces_them() -> None:
    problem = tn.Problem(box, [1000 * tn.laplacian(u)], [tn.on("left", u / 1000), tn.on("right", u, weight=7)])
    basis, found = rows_of(problem, points=Points(interior=200, boundary={"left": 60, "right": 30}))
    blocks = [b for b, _, _ in found]
    system = assemble(blocks, basis, [b.linearise() for b in blocks])
    assert system.matrix.flags.f_contiguous or system.matrix.T.flags.c_contiguous
    start, norms = 0, []
    for block in blocks:
        rows = system.matrix[start : start + block.rows, : basis.columns]
        norms.append(np.sqrt(np.sum(rows**2)))
        start += block.rows
    np.testing.assert_allclose(norms, [1, 30, 7], rtol=0.1)


def test_weights_survive_scales_whose_squares_overflow() -> None:
    tiny = tn.Disk(radius=1e-50)
    problem = tn.Problem(tiny, [tn.biharmonic(u)], [tn.on("boundary", u)])
    basis = Basis((SPACE,), Placement.of(tiny))
    block = collocate(problem, statements_of(problem), basis.columns)[0]
    assert 0 < weight_of(block, basis, block.linearise().coefficients) < np.inf


# -- points ------------------------------------------------------------------------------------------------------------
def test_placement_maps_the_bounding_box_and_keeps_digits_far_away() -> None:
    near, far = tn.Box(x=(0, 1), y=(0, 2)), tn.Box(x=(1e6, 1e6 + 1), y=(-1e6, -1e6 + 2))
    unit = near.interior(50)
    # Multiples of 2^-20 are shifted by a million without rounding.
    unit = np.round(unit * 2**20) / 2**20
    np.testing.assert_array_equal(Placement.of(near)(unit), Placement.of(far)(unit + np.array([1e6, -1e6])))
    np.testing.assert_array_equal(Placement.of(near)(near.bounds), [[-1, -1], [1, 1]])


def test_numbers_of_points_are_those_asked_for() -> None:
    problem = tn.Problem(box, [tn.laplacian(u)], [tn.on("left", u), tn.on("boundary", tn.normal_derivative(u))])
    for sampling in ("quasi", "random"):
        _, found = rows_of(problem, points=Points(77, {"left": 11, "boundary": 40}, sampling))
        assert [b.rows for b, _, _ in found] == [77, 11, 40]
    _, found = rows_of(problem, points=Points((9, 7), 60))
    assert found[0][0].rows == 63
    # After the dilation to a square the left side is a quarter of the boundary.
    assert [b.rows for b, _, _ in found[1:]] == [15, 60]


def test_the_sides_of_a_thin_domain_get_equal_shares() -> None:
    thin = tn.Box(x=(0, 1e4), y=(0, 1e-3))
    basis, found = rows_of(tn.Problem(thin, [tn.laplacian(u)], [tn.on("boundary", u)]))
    block = found[1][0]
    assert block.rows < 10 * basis.columns
    sides = [np.sum(np.abs(block.normals[:, k] - s) < 0.5) for k in (0, 1) for s in (-1, 1)]
    assert max(sides) - min(sides) <= 1


def test_a_subset_of_a_part_is_covered_as_densely_as_the_part() -> None:
    problem = tn.Problem(box, [tn.laplacian(u)], [tn.on("left", u), tn.on("left", u, where=y > -0.1)])
    _, found = rows_of(problem, points=Points(100, {"left": 100}))
    chosen = found[2][0]
    assert np.all(chosen.points[:, 1] > -0.1)
    assert 80 <= chosen.rows <= 120


def test_several_equations_of_one_condition_share_its_points() -> None:
    problem = tn.Problem(box, [tn.biharmonic(u)], [tn.on("boundary", u, tn.normal_derivative(u))])
    _, found = rows_of(problem)
    np.testing.assert_array_equal(found[1][0].points, found[2][0].points)


def test_bad_points_are_refused() -> None:
    problem = tn.Problem(box, [tn.laplacian(u)], [tn.on("top", u, where=x > 9)])
    with pytest.raises(ProblemError, match=r"No point of 'top' satisfies x > 9"):
        rows_of(problem)
    fine = tn.Problem(box, [tn.laplacian(u)], [tn.on("top", u)])
    with pytest.raises(GeometryError, match="no boundary part 'tpo'"):
        rows_of(fine, points=Points(boundary={"tpo": 5}))
    with pytest.raises(ProblemError, match="has 3 axes, but the domain has 2"):
        rows_of(fine, points=Points(interior=(3, 3, 3)))
    for bad in (0, -4, 1e3, "many"):
        with pytest.raises(ProblemError, match="positive integer"):
            Points(interior=bad)
        with pytest.raises(ProblemError, match="positive integer"):
            Points(boundary={"top": bad})
    with pytest.raises(ProblemError, match="no sampling 'sobol'"):
        Points(sampling="sobol")


def test_the_seed_decides_the_points() -> None:
    problem = tn.Problem(box, [tn.laplacian(u)], [tn.on("boundary", u)])
    one, two, other = (rows_of(problem, seed=s)[1] for s in (1, 1, 2))
    for (a, _, _), (b, _, _), (c, _, _) in zip(one, two, other, strict=True):
        np.testing.assert_array_equal(a.points, b.points)
        assert not np.array_equal(a.points, c.points)
