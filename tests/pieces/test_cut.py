"""Plain domains in pieces: layers, corners, waves, means, systems, nonlinear equations, and what the door decides."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cuts.boxes import Boxes
from transnet.errors import ProblemError, UniquenessWarning
from transnet.pieces.glue import Joint, factor
from transnet.pieces.local import reduce_cell

x, y = sp.symbols("x y")
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def relative_error(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(1500, "random", 5)
    true = np.broadcast_to(sp.lambdify(solution.problem.coordinates, exact)(*points.T), (len(points),))
    return float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))


@pytest.mark.parametrize("eps", [1e-3, 1e-5])
def test_a_boundary_layer_is_found_by_the_plain_call(eps: float) -> None:
    u = tn.unknown("u", x)
    equation = sp.Eq(-eps * sp.diff(u, x, 2) + sp.diff(u, x), 1)
    solution = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("boundary", u)]))
    points = np.concatenate([np.linspace(0, 1, 200), 1 - eps * np.linspace(0, 20, 200)])
    assert np.abs(solution(points) - (points - np.exp((points - 1) / eps))).max() < 1e-6


def test_a_smooth_problem_is_not_cut() -> None:
    u = tn.unknown("u", x, y)
    exact = sp.sin(x + 2 * y)
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), -5 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    assert tn.solve(problem).basis.kind != "pieces"


def test_a_nonlinear_equation_with_a_mean_in_pieces() -> None:
    u = tn.unknown("u", x, y)
    disk = tn.Disk(radius=1)
    exact = x * y + x
    slope = 2 * x * y + x  # on the rim the normal is (x, y)
    problem = tn.Problem(
        disk,
        [sp.Eq(tn.laplacian(u) - u**3, -(exact**3))],
        [tn.on("boundary", sp.Eq(tn.normal_derivative(u), slope)), tn.mean(u)],
    )
    solution = tn.solve(problem, pieces=9)
    assert solution.status == "converged"
    assert relative_error(solution, exact) < 1e-8


@pytest.mark.filterwarnings("ignore::transnet.errors.EstimateWarning")
def test_waves_converge_as_boxes_are_halved() -> None:
    u = tn.unknown("u", x, y)
    exact = sp.sin(9 * x + 4 * y)
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), -97 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    errors = [relative_error(tn.solve(problem, pieces=tn.Cut(n, refine=False, neurons=60)), exact) for n in (2, 4)]
    assert errors[1] < 0.02 * errors[0]


def test_stokes_flow_in_pieces_satisfies_all_three_equations() -> None:
    u, v, p = (tn.unknown(name, x, y) for name in "uvp")
    exact = {"u": sp.sin(y) * sp.exp(x), "v": sp.cos(y) * sp.exp(x), "p": sp.cos(3 * x + y)}
    ue, ve, pe = (exact[n] for n in "uvp")
    equations = [
        sp.Eq(-tn.laplacian(u) + sp.diff(p, x), sp.diff(pe, x) - sp.diff(ue, x, 2) - sp.diff(ue, y, 2)),
        sp.Eq(-tn.laplacian(v) + sp.diff(p, y), sp.diff(pe, y) - sp.diff(ve, x, 2) - sp.diff(ve, y, 2)),
        sp.Eq(sp.diff(u, x) + sp.diff(v, y), sp.simplify(sp.diff(ue, x) + sp.diff(ve, y))),
    ]
    mean = sp.integrate(sp.integrate(pe, (x, 0, 1)), (y, 0, 1))
    problem = tn.Problem(SQUARE, equations, [tn.on("boundary", sp.Eq(u, ue), sp.Eq(v, ve)), tn.mean(p, mean)])
    solution = tn.solve(problem, pieces=4)
    points = SQUARE.interior(500, "random", 3)
    for name, e in exact.items():
        assert np.allclose(solution[name](points), sp.lambdify((x, y), e)(*points.T), atol=2e-7)


def test_boxes_cover_the_whole_and_touch_where_they_should() -> None:
    boxes = Boxes.grid(np.array([[0.0, 0.0], [2.0, 1.0]]), (2, 1)).cut({1: (0, 1)})
    assert np.isclose(np.prod(boxes.widths, axis=1).sum(), 2.0)
    points = np.random.default_rng(0).uniform([0, 0], [2, 1], (300, 2))
    owner = boxes.locate(points)
    assert np.all((points >= boxes.low[owner]) & (points <= boxes.high[owner]))
    sizes = [float(np.prod((c.high - c.low)[[1 - c.axis]])) for c in boxes.contacts()]
    assert np.isclose(sum(sizes), 2 * 0.5 + 2 * 0.5 + 2 * 0.5)  # two hanging faces, and four halves inside


def test_reduction_and_glue_solve_the_least_squares_problem() -> None:
    """Two cells joined by rows: the same answer as all rows at once."""
    rng = np.random.default_rng(1)
    n, rows, joint = 12, 14, 6
    # Rows that hold most directions firmly, and those that the face sees not at all.
    local = [np.concatenate([np.eye(n)[joint:], np.zeros((rows - n + joint, n))]) for _ in range(2)]
    traces = [rng.standard_normal((joint, n)) * (np.arange(n) < joint) for _ in range(2)]
    rights = [rng.standard_normal(rows) for _ in range(2)]
    local[0][-1, :joint] = 0.3
    reduced = [reduce_cell(a, t) for a, t in zip(local, traces, strict=True)]
    glue = factor(
        [r.triangle for r in reduced],
        [Joint(0, 1, reduced[0].kept_traces, -reduced[1].kept_traces)],
        np.array([[0.0, 0.0], [1.0, 0.0]]),
    )
    fixed = [r.fixed.T @ b for r, b in zip(reduced, rights, strict=True)]
    jump = -(reduced[0].fixed_traces @ fixed[0] - reduced[1].fixed_traces @ fixed[1])
    kept = glue.solve([r.project.T @ b for r, b in zip(reduced, rights, strict=True)], [jump], np.zeros(0))
    found = [r.back(z, f) for r, z, f in zip(reduced, kept, fixed, strict=True)]
    residual = np.concatenate(
        [local[0] @ found[0] - rights[0], local[1] @ found[1] - rights[1], traces[0] @ found[0] - traces[1] @ found[1]]
    )
    whole = np.zeros((2 * rows + joint, 2 * n))
    whole[:rows, :n], whole[rows : 2 * rows, n:] = local
    whole[2 * rows :, :n], whole[2 * rows :, n:] = traces[0], -traces[1]
    best = np.linalg.lstsq(whole, np.concatenate([*rights, np.zeros(joint)]))[0]
    assert np.linalg.norm(residual) < 1.0001 * np.linalg.norm(whole @ best - np.concatenate([*rights, np.zeros(joint)]))


def test_what_nothing_determines_is_said() -> None:
    u = tn.unknown("u", x, y)
    domain = tn.Pieces(a=SQUARE, b=tn.Box(x=(1, 2), y=(0, 1)))
    k = tn.by_piece(a=1, b=2)
    problem = tn.Problem(
        domain, [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(tn.normal_derivative(u), 0))]
    )
    with pytest.warns(UniquenessWarning, match=r"tn\.mean"):
        tn.solve(problem)


@pytest.mark.parametrize("pieces", [0, -3, 1.5, "many"])
def test_pieces_that_are_no_number_are_refused(pieces: object) -> None:
    u = tn.unknown("u", x, y)
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", u)])
    with pytest.raises(ProblemError, match="pieces"):
        tn.solve(problem, pieces=pieces)


def test_what_pieces_cannot_better_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the domain was cut")

    monkeypatch.setattr("transnet.pieces.solve.solve_pieces", never)
    u = tn.unknown("u", x)
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x, 2), sp.exp(x))], [tn.on("boundary", u)])
    with pytest.warns(tn.errors.EstimateWarning, match="Rounding limits it"):
        solution = tn.solve(problem, tol=1e-25)
    assert solution.error < 1e-11
