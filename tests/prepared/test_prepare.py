"""A prepared problem gives what a solve from scratch gives, for any right-hand side and any parameter."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError, UniquenessWarning

x, y, k, a = sp.symbols("x y k a")
u = tn.unknown("u", x, y)
BOX = tn.Box(x=(-1, 1), y=(-1, 1))
SPACE = tn.FeatureSpace.uniform(2, 250, 1.2, 1.9)
POINTS = np.random.default_rng(0).uniform(-1, 1, (300, 2))
X, Y = POINTS.T
WAVE = sp.sin(k * x) * sp.exp(a * y)


def wave(kk: float, aa: float) -> np.ndarray:
    return np.sin(kk * X) * np.exp(aa * Y)


def poisson(exact: sp.Expr = WAVE) -> tn.Problem:
    return tn.Problem(
        BOX, [sp.Eq(tn.laplacian(u), sp.diff(exact, x, 2) + sp.diff(exact, y, 2))], [tn.on("boundary", sp.Eq(u, exact))]
    )


def helmholtz(operator: sp.Expr) -> tn.Problem:
    source = sp.diff(WAVE, x, 2) + sp.diff(WAVE, y, 2) + operator * WAVE
    return tn.Problem(BOX, [sp.Eq(tn.laplacian(u) + operator * u, source)], [tn.on("boundary", sp.Eq(u, WAVE))])


@pytest.fixture(scope="module")
def prepared() -> tn.Prepared:
    return tn.prepare(poisson(), space=SPACE)


def test_a_parameter_on_the_right_gives_what_a_solve_gives(prepared):
    watch = prepared.operator((1.0, 1.0))
    for values in ({k: 1.5, a: 0.5}, {k: 2.0, a: -1.0}):
        solution = prepared.solve(values)
        fresh = tn.solve(poisson(), space=SPACE, parameters=values)
        truth = wave(values[k], values[a])
        assert np.abs(solution(POINTS) - truth).max() < 3 * np.abs(fresh(POINTS) - truth).max() < 1e-7
        assert solution.parameters == values
    assert prepared.operator((7.0, 7.0)) is watch, "nothing is factored again"


def test_diagnostics_agree_with_those_of_a_solve(prepared):
    solution, fresh = prepared.solve({"k": 2, "a": 0.5}), tn.solve(poisson(), space=SPACE, parameters={k: 2, a: 0.5})
    assert solution.error == pytest.approx(fresh.error, rel=0.3)
    for mine, theirs in zip(solution.diagnostics.residuals, fresh.diagnostics.residuals, strict=True):
        assert (mine.label, mine.rows) == (theirs.label, theirs.rows)
        assert mine.weight == pytest.approx(theirs.weight, rel=1e-12)
        assert mine.rms == pytest.approx(theirs.rms, rel=0.1)
        assert mine.relative == pytest.approx(theirs.relative, rel=3)
    assert solution.diagnostics.amplification == pytest.approx(fresh.diagnostics.amplification, rel=1e-3)
    assert solution.rank == fresh.rank
    assert "estimated error" in solution.report()


@pytest.mark.parametrize("kind", ["dicts", "arrays", "table"])
def test_many_at_once_are_the_single_ones(prepared, kind):
    ks, a0 = np.linspace(0.5, 2.5, 7), 0.3
    given = {
        "dicts": [{k: v, a: a0} for v in ks],
        "arrays": {"k": ks, "a": a0},
        "table": np.column_stack([np.full(7, a0), ks]),
    }[kind]
    many = prepared.solve_many(given)
    assert len(many) == 7
    assert many(POINTS).shape == (7, 300)
    for i in (0, 3, -1):
        single = prepared.solve({k: ks[i], a: a0})
        assert np.abs(many[i](POINTS) - single(POINTS)).max() < 1e-9
        assert np.allclose(many(POINTS)[i], many[i](POINTS), atol=1e-12)
        assert np.abs(many[i](POINTS) - wave(ks[i], a0)).max() < 1e-7
        assert many[i].parameters[k] == pytest.approx(ks[i])
        assert many.errors[i] == pytest.approx(single.error, rel=0.5)
    assert [s.parameters[k] for s in many[1:3]] == pytest.approx(list(ks[1:3]))
    assert "7 solutions" in repr(many)


OPERATORS = [k**2, k * x + a * y**2, sp.exp(k) * x, sp.cos(k * x)]


@pytest.mark.parametrize("operator", OPERATORS, ids=str)
def test_a_parameter_in_the_operator(operator):
    problem = helmholtz(operator)
    ready = tn.prepare(problem, space=SPACE)
    for values in ({k: 0.7, a: 0.5}, {k: 1.3, a: -0.4}):
        solution = ready.solve(values)
        fresh = tn.solve(problem, space=SPACE, parameters=values)
        truth = wave(values[k], values[a])
        assert np.abs(solution(POINTS) - truth).max() < 3 * np.abs(fresh(POINTS) - truth).max() + 1e-12 < 1e-6
        weights = [[r.weight for r in s.diagnostics.residuals] for s in (solution, fresh)]
        assert np.allclose(*weights, rtol=1e-12)


def test_the_triangle_of_constant_rows_stands_for_them():
    """Robin: the parameter is on one face only, so the interior's triangle is kept and the face is added to it."""
    exact = sp.cos(x + a) * sp.exp(y)
    problem = tn.Problem(
        BOX,
        [sp.Eq(tn.laplacian(u), 0)],
        [
            tn.on("x=1", sp.Eq(sp.diff(u, x) + k * u, sp.diff(exact, x) + k * exact)),
            *(tn.on(part, sp.Eq(u, exact)) for part in ("x=-1", "y=-1", "y=1")),
        ],
    )
    ready = tn.prepare(problem, space=SPACE)
    assert len(ready.rows.changing) == 1
    fixed = ready.rows.fixed[0]
    assert ready.operator((0.0, 1.0)).factored.factorisation.rows == fixed.array.shape[1] + ready.rows.blocks[1].rows
    many = ready.solve_many([{k: 0.5, a: 0.1}, {k: 2.0, a: 0.4}, {k: 0.5, a: 0.9}])
    for solution, shift in zip(many, (0.1, 0.4, 0.9), strict=True):
        assert np.abs(solution(POINTS) - np.cos(X + shift) * np.exp(Y)).max() < 1e-6
    assert ready.rows.fixed[0] is fixed


def test_right_hand_sides_as_arrays_and_callables(prepared):
    problem = poisson()
    equation, condition = problem.equations[0], problem.conditions[0]
    ready = tn.prepare(problem, space=SPACE)
    inside, boundary = ready.points.values()
    truth = X**3 * Y
    solution = ready.solve(
        {k: 1, a: 1}, values={equation: 6 * inside[:, 0] * inside[:, 1], condition: lambda p, q: p**3 * q}
    )
    assert np.abs(solution(POINTS) - truth).max() < 1e-7
    assert solution.error < 1e-6
    assert all(r.relative < 1e-5 for r in solution.diagnostics.residuals)
    scales = np.array([[1.0], [2.0], [-3.0]])
    label = next(iter(ready.points))
    many = ready.solve_many(
        {k: 1, a: 1},
        values={
            label: scales * 6 * inside[:, 0] * inside[:, 1],
            condition: scales * boundary[:, 0] ** 3 * boundary[:, 1],
        },
    )
    assert np.abs(many(POINTS) - scales * truth).max() < 1e-6
    assert np.abs(ready.solve({k: 1, a: 1}, values={equation: 0.0, condition: 2.5})(POINTS) - 2.5).max() < 1e-8


@pytest.mark.filterwarnings("ignore::transnet.errors.AccuracyWarning")
def test_new_data_and_means():
    at = np.random.default_rng(3).uniform(-1, 1, (40, 2))
    measured = tn.data(u, at, at[:, 0], weight=10)
    level = tn.mean(u, 0)
    problem = tn.Problem(
        BOX, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(tn.normal_derivative(u), x)), level]
    )
    with pytest.warns(UniquenessWarning, match="incompatible.*gap of 4"):
        tn.prepare(tn.Problem(BOX, [sp.Eq(tn.laplacian(u), 1)], problem.conditions), space=SPACE).solve()
    ready = tn.prepare(tn.Problem(BOX, [sp.Eq(tn.laplacian(u), 0)], [tn.on("x=1", sp.Eq(u, 1)), measured]), space=SPACE)
    assert np.abs(ready.solve()(POINTS) - X).max() < 1e-5
    again = ready.solve(values={measured: 2 * at[:, 0] - 1})
    assert np.abs(again(POINTS) - (2 * X - 1)).max() < 1e-5
    flux = tn.on("boundary", sp.Eq(tn.normal_derivative(u), tn.normal(x)[0]))
    neumann = tn.prepare(tn.Problem(BOX, [sp.Eq(tn.laplacian(u), 0)], [flux, level]), space=SPACE)
    assert np.abs(neumann.solve()(POINTS) - X).max() < 1e-6
    assert np.abs(neumann.solve(values={level: 4.0})(POINTS) - X - 4).max() < 1e-6


def test_other_formulas_on_the_right(prepared):
    other = poisson(sp.cos(k * x) + a * y**2)
    solution = prepared.solve({k: 2, a: 3}, problem=other)
    assert np.abs(solution(POINTS) - np.cos(2 * X) - 3 * Y**2).max() < 1e-7
    assert solution.problem is other
    assert all(np.abs(r).max() < 1e-3 for r in solution.residual_values().values())


@pytest.mark.parametrize(
    "solver", [tn.PivotedQR(), tn.SVD(), tn.Ridge(1e-14), tn.Ridge("lcurve"), tn.Ridge("gcv")], ids=repr
)
def test_other_solvers(solver):
    ready = tn.prepare(poisson(), space=SPACE, solver=solver)
    assert np.abs(ready.solve({k: 1.5, a: 0.5})(POINTS) - wave(1.5, 0.5)).max() < 1e-6


def test_systems_and_periods():
    v, w = tn.unknown("v", x, y), tn.unknown("w", x, y)
    problem = tn.Problem(
        BOX,
        [sp.Eq(tn.laplacian(v) + k * w, k * x), sp.Eq(tn.laplacian(w), 0)],
        [tn.on("boundary", sp.Eq(v, a * y), sp.Eq(w, x))],
    )
    many = tn.prepare(problem, space=SPACE).solve_many({k: [1.0, 2.0], a: [3.0, 4.0]})
    assert many(POINTS).shape == (2, 300, 2)
    assert np.abs(many(POINTS)[1] - np.column_stack([4 * Y, X])).max() < 1e-6
    periodic = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(tn.laplacian(u), -8 * sp.pi**2 * a * sp.cos(2 * sp.pi * x) * sp.cos(2 * sp.pi * y))],
        [tn.periodic(x), tn.periodic(y), tn.mean(u, k)],
    )
    solution = tn.prepare(periodic, space=tn.FeatureSpace.spectral(2, 250, 4.0)).solve({k: 3, a: 2})
    p = POINTS / 2 + 0.5
    expected = 2 * np.cos(2 * np.pi * p[:, 0]) * np.cos(2 * np.pi * p[:, 1]) + 3
    assert np.abs(solution(p) - expected).max() < 1e-6


def test_the_network_can_be_chosen_by_a_tolerance():
    ready = tn.prepare(poisson(), tol=1e-6, parameters={k: 1, a: 0.5}, pieces=False)
    assert ready.solve({k: 1, a: 0.5}).error < 1e-5
    assert f"{ready.neurons} neurons" in repr(ready)


def test_a_poor_solution_is_warned_of(prepared):
    with pytest.warns(AccuracyWarning, match="estimated relative error"):
        prepared.solve({k: 40, a: 0})
    with pytest.warns(AccuracyWarning, match=r"1 of 2 solutions.*number 1"):
        prepared.solve_many({k: [1, 40], a: 0})


def test_many_right_hand_sides_are_looked_at_like_one() -> None:
    x, y, k = sp.symbols("x y k")
    u = tn.unknown("u", x, y)
    flux = tn.on("boundary", sp.Eq(tn.normal_derivative(u), 1))
    prepared = tn.prepare(
        tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), k)], [flux, tn.mean(u)]), neurons=100, parameters={k: 2}
    )
    with pytest.warns(UniquenessWarning, match="Number 1 of 2 .*incompatible.*gap of 3.14"):
        prepared.solve_many({k: [2, 3]})
    free = tn.prepare(tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), k)], [flux]), neurons=100, parameters={k: 2})
    with pytest.warns(UniquenessWarning, match="does not determine u") as told:
        free.solve_many({k: [2, 2]})
    assert not any("more neurons" in str(w.message) for w in told)


def test_a_pole_in_a_parameter() -> None:
    x, y, k = sp.symbols("x y k")
    u = tn.unknown("u", x, y)

    def problem(term: sp.Expr) -> tn.Problem:
        return tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u) - term, 1)], [tn.on("boundary", u)])

    with pytest.raises(ProblemError, match="pole"):
        tn.solve(problem(u / k), neurons=50, parameters={k: 0})
    prepared = tn.prepare(problem(u / (k - 1)), neurons=150)
    plain = tn.solve(problem(u), neurons=150)
    assert prepared.solve({k: 2})(0.1, 0.2) == pytest.approx(plain(0.1, 0.2), rel=1e-7)


def test_equal_labels_are_numbered() -> None:
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    data = [tn.data(u, [[0.1 * i, 0.2]], [0.0]) for i in (1, 2)]
    prepared = tn.prepare(tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.on("boundary", u), *data]), neurons=50)
    assert prepared.points["data: u"][0, 0] == pytest.approx(0.1)
    assert prepared.points["data: u (2)"][0, 0] == pytest.approx(0.2)
