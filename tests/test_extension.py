"""One of each from outside the package, in one definition: solved with, saved and loaded, and sent to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.expansion import register
from transnet.errors import TransnetError
from transnet.features.activation import ACTIVATIONS
from transnet.iterate.strategies import STRATEGIES
from transnet.language.errors import ProblemFileError
from transnet.linalg.least_squares import Coefficients
from transnet.measure.shapes import SHAPES
from transnet.method import METHODS
from transnet.problem.condition import KINDS, Placed, Stated

x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.cos(y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
POISSON = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, EXACT))])
FILE = 'coordinates = ["x", "y"]\nunknowns = ["u"]\nequations = "laplacian(u) = 0"\n'


def error(solution):
    points = solution.problem.domain.interior(50)
    return np.abs(solution(points) - np.exp(points[:, 0]) * np.cos(points[:, 1])).max()


@pytest.fixture(autouse=True)
def forgotten():
    """What a test registers is forgotten after it."""
    tables = (ACTIVATIONS, SHAPES, KINDS, STRATEGIES, METHODS)
    before = [dict(t) for t in tables]
    yield
    for table, kept in zip(tables, before, strict=True):
        table.clear()
        table.update(kept)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


def saved(solution, path):
    """The solution after a file, with the same values."""
    again = tn.load(solution.save(path))
    points = solution.problem.domain.interior(50)
    np.testing.assert_array_equal(again(points), solution(points))
    return again


# -- an activation -----------------------------------------------------------------------------------------------------
def test_an_activation(tmp_path, client):
    def derivatives(z, orders):
        """Of the cosine: cosines with other phases."""
        import numpy

        return [numpy.cos(z + n * numpy.pi / 2) for n in orders]

    cosine = tn.register(tn.Activation("cosine", derivatives))
    waves = tn.FeatureSpace.waves(2, 120, 0.12)
    space = tn.FeatureSpace(waves.weights, waves.biases, "cosine", waves.radius)
    solution = tn.solve(POISSON, space=space)
    assert error(solution) < 1e-5
    assert saved(solution, tmp_path / "cosine").basis.spaces[0].activation is cosine
    assert error(tn.solve(POISSON, space=space, engine=client)) < 1e-5


# -- a shape -----------------------------------------------------------------------------------------------------------
def test_a_shape(tmp_path, client):
    @tn.register
    @dataclass(frozen=True)
    class Ellipse(tn.Domain):
        """All of it that the library asks for."""

        arguments: ClassVar[Mapping[str, str]] = {"a": "number", "b": "number"}

        a: float = 1.0
        b: float = 1.0

        names = (None, None)
        parts = ("rim",)

        @cached_property
        def bounds(self):
            return np.array([[-self.a, -self.b], [self.a, self.b]])

        @property
        def volume(self):
            return np.pi * self.a * self.b

        def _inside(self, points, sign):
            return np.sum((points / self.bounds[1]) ** 2, axis=1) <= 1.0 + 1e-12 * sign

        def arcs(self, part):
            s = sp.Symbol("s", real=True)
            return (tn.Curve((self.a * sp.cos(s), self.b * sp.sin(s)), (s, 0, 2 * sp.pi)).arc(1.0),)

    ring = Ellipse(1.0, 0.6) - tn.Disk(radius=0.25, name="hole")
    assert ring.quadrature(2000)[1].sum() == pytest.approx(np.pi * (0.6 - 0.25**2), rel=1e-9)
    problem = tn.Problem(ring, POISSON.equations, POISSON.conditions)
    solution = tn.solve(problem, neurons=120)
    assert error(solution) < 1e-5
    assert repr(saved(solution, tmp_path / "ring").problem.domain) == repr(ring)
    assert error(tn.solve(problem, neurons=120, engine=client)) < 1e-5
    file = tmp_path / "ring.toml"
    file.write_text(FILE + 'domain = "Ellipse(1, b=0.6)"\nconditions = ["u = exp(x)*cos(y) on rim"]\n')
    assert error(tn.read_problem(file).solve(neurons=120)) < 1e-5


# -- a solver ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Normal(tn.Solver):
    """The normal equations: half of the digits, but one definition."""

    def solve(self, triangle, right):
        shift = 1e-14 * np.trace(triangle.T @ triangle) * np.eye(len(triangle))
        return Coefficients(
            np.linalg.solve(triangle.T @ triangle + shift, triangle.T @ right), None, "normal equations"
        )


def test_a_solver_needs_no_registration(tmp_path, client):
    solution = tn.solve(POISSON, neurons=60, solver=Normal())
    assert error(solution) < 1e-3
    assert saved(solution, tmp_path / "normal").diagnostics.solver == "normal equations"
    assert error(tn.solve(POISSON, neurons=60, solver=Normal(), engine=client)) < 1e-3


# -- a kind of condition -----------------------------------------------------------------------------------------------
def paired():
    """u at points and at others add up to a number: what fixes the constant of a problem with fluxes only."""

    @tn.register
    @dataclass(frozen=True, eq=False)
    class Paired(tn.Condition):
        unknown: sp.Expr
        points: np.ndarray
        partners: np.ndarray
        total: float
        weight: float | None = None

        def expressions(self):
            return [self.unknown - self.total]

        def stated(self, problem, order):
            text = f"{self.unknown} at pairs of points adds up to {self.total}"
            return [Stated(text, text, self.expressions()[0])]

        def lines(self):
            return [(f"{self.unknown} adds up to {self.total}", "at pairs of points")]

        def latex(self, problem):
            return [(rf"{sp.latex(self.unknown)} &\ \text{{adds up to }} {self.total}", "")]

        def placed(self, problem, draw):
            return Placed(self.points, images=self.partners, factor=1.0)

        def stored(self, writer):
            writer.array("points", self.points)
            writer.array("partners", self.partners)
            return {"paired": writer.formula(self.unknown), "total": self.total, "weight": self.weight}

        @classmethod
        def read(cls, reader):
            where = reader.array("points"), reader.array("partners")
            return cls(reader.formula("paired"), *where, float(reader["total"]), reader["weight"])

    return Paired


PAIR = np.array([[0.2, 0.3]]), np.array([[0.9, 0.6]])
TOTAL = float(np.exp(0.2) * np.cos(0.3) + np.exp(0.9) * np.cos(0.6))


@dataclass(frozen=True)
class Wall(tn.Condition):
    """An expression that vanishes on a part of the boundary, which it names."""

    part: str
    expression: sp.Expr
    weight: float | None = None

    @property
    def boundary(self):
        return self.part

    def expressions(self):
        return [self.expression]

    def stated(self, problem, order):
        return [Stated(f"{self.part}: wall", str(self.expression), self.expression)]

    def lines(self):
        return [(f"{self.expression} = 0", f"on {self.part}")]

    def latex(self, problem):
        return [(f"{sp.latex(self.expression)} &= 0", "")]

    def placed(self, problem, draw):
        surface = draw.surface(self.part)
        return Placed(surface.points, surface.normals)


@pytest.mark.parametrize("pieces", [None, 4])
def test_a_kind_of_condition_that_says_where_it_holds_is_treated_as_those_of_the_library(pieces):
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [Wall("boundary", u - EXACT)])
    solution = tn.solve(problem, pieces=pieces)
    points = SQUARE.interior(200, "random", 1)
    assert np.abs(solution(points) - np.exp(points[:, 0]) * np.cos(points[:, 1])).max() < 1e-9


def test_a_kind_of_condition(tmp_path, client):
    flux = tn.on("boundary", sp.Eq(tn.normal_derivative(u), tn.normal_derivative(EXACT, x, y)))
    problem = tn.Problem(SQUARE, POISSON.equations, [flux, paired()(u, *PAIR, TOTAL)])
    solution = tn.solve(problem)
    assert error(solution) < 1e-7
    assert solution.error < 1e-6
    assert saved(solution, tmp_path / "paired").problem.conditions[1].total == TOTAL
    assert error(tn.solve(problem, neurons=120, engine=client)) < 1e-5
    file = tmp_path / "paired.toml"
    file.write_text(
        FILE
        + 'domain = "Box(x=(0, 1), y=(0, 1))"\nconditions = ["normal_derivative(u) = normal_derivative(exp(x)*cos(y))'
        f' on boundary", {{ paired = "u", points = [[0.2, 0.3]], partners = [[0.9, 0.6]], total = {TOTAL} }}]\n'
    )
    assert error(tn.read_problem(file).solve(neurons=120)) < 1e-5
    again = tn.read_problem(tn.write_problem(problem, tmp_path / "written.toml")).problem.conditions[1]
    assert (again.total, again.partners.tolist()) == (TOTAL, PAIR[1].tolist())
    file.write_text(file.read_text().replace("total =", "sum = 1, total ="))
    with pytest.raises(ProblemFileError, match=r"'sum' is not a key of a condition 'paired'"):
        tn.read_problem(file)


def test_a_kind_of_condition_that_is_not_known_is_told_by_its_name(tmp_path):
    where = np.array([[0.2, 0.3]]), np.array([[0.9, 0.6]])
    conditions = [
        *POISSON.conditions,
        paired()(u, *where, float(EXACT.subs({x: 0.2, y: 0.3}) + EXACT.subs({x: 0.9, y: 0.6}))),
    ]
    path = tn.solve(tn.Problem(SQUARE, POISSON.equations, conditions), neurons=60).save(tmp_path / "paired")
    del KINDS["paired"]
    with pytest.raises(TransnetError, match="paired"):
        tn.load(path)


# -- a strategy --------------------------------------------------------------------------------------------------------
def test_a_strategy(tmp_path, client):
    @tn.register
    @dataclass(frozen=True)
    class Careful:
        """Newton's iteration with two steps more than it asks for."""

        name: ClassVar[str] = "careful"
        lagged: ClassVar[bool] = False
        cascade: ClassVar[bool] = True

        def iterate(self, system, outcome, watch):
            tn.Newton(tol=1e-13).iterate(system, outcome, watch)

    equations = [sp.Eq(tn.laplacian(u) - u**3, -(EXACT**3))]
    cubic = tn.Problem(SQUARE, equations, POISSON.conditions)
    solution = tn.solve(cubic, neurons=100, strategy=Careful())
    assert error(solution) < 1e-6
    assert saved(solution, tmp_path / "careful").status == "converged"
    # Rows of a nonlinear problem are factored where it is iterated, so the whole solve goes to the worker.
    there = client.submit(lambda p, s: tn.solve(p, neurons=100, strategy=s).coefficients, cubic, Careful()).result()
    np.testing.assert_allclose(there, solution.coefficients, rtol=1e-6, atol=1e-6 * np.abs(there).max())
    file = tmp_path / "cubic.toml"
    file.write_text(
        FILE.replace("laplacian(u) = 0", "laplacian(u) - u**3 = -(exp(x)*cos(y))**3")
        + 'domain = "Box(x=(0, 1), y=(0, 1))"\nconditions = ["u = exp(x)*cos(y) on boundary"]\n'
        '[solve]\nneurons = 100\nstrategy = "careful"\n'
    )
    solution = tn.read_problem(file).solve()
    assert solution.status == "converged"
    assert error(solution) < 1e-6


def test_something_else_is_refused():
    with pytest.raises(TransnetError, match="Solver needs no registration"):
        tn.register(Normal)


# -- a method of solution ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ChebyshevSeries:
    """Chebyshev polynomials on an interval as a basis."""

    low: float
    high: float
    degree: int

    kind: ClassVar[str] = "chebyshev series"
    unknowns: ClassVar[int] = 1

    @property
    def columns(self):
        return self.degree + 1

    neurons = columns

    def slice_of(self, unknown):
        return slice(0, self.columns)

    def derivatives(self, coefficients, points, slots):
        made = [
            np.polynomial.Chebyshev.basis(k, domain=(self.low, self.high)).deriv(m)(points[:, 0])
            for _, (m,) in slots
            for k in range(self.columns)
        ]
        return [np.stack(part, axis=1) @ coefficients for part in np.array_split(made, len(slots))]

    def summary(self):
        return f"Chebyshev polynomials up to degree {self.degree}"

    def stored(self, arrays, prefix=""):
        return {"low": self.low, "high": self.high, "degree": self.degree}


@dataclass(frozen=True)
class Chebyshev:
    """Collocation with Chebyshev polynomials on an interval: all that the driver asks for."""

    name: str = "chebyshev"
    options: frozenset[str] = frozenset()
    floor: float = 1e-4

    def fits(self, facts, plan):
        if not isinstance(facts.problem.domain, tn.Interval) or not facts.linear:
            return tn.Refusal("it is for linear equations on an interval")
        return tn.Fit(1e-4, "Chebyshev polynomials")

    def levels(self, facts, plan):
        low, high = (float(v) for v in facts.problem.domain.bounds[:, 0])
        for degree in (8, 16, 32, 64):
            basis, rows, right = ChebyshevSeries(low, high, degree), [], []
            inner = np.cos(np.pi * np.arange(1, degree) / degree)
            for s in facts.statements:
                side = None if s.part is None else facts.problem.domain.boundary(s.part)
                points = 0.5 * (low + high + (high - low) * inner)[:, None] if side is None else side.points
                normals = None if side is None else side.normals
                parts = basis.derivatives(np.eye(basis.columns), points, s.equation.slots)
                factors = s.equation.jacobian(points, normals, facts.numbers)
                rows.append(sum(np.reshape(c, (-1, 1)) * p for c, p in zip(factors, parts, strict=True)))
                nothing = [np.zeros(len(points)) for _ in parts]
                right.append(-s.equation.residual(points, normals, facts.numbers, nothing) * np.ones(len(points)))
            found = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)[0]
            yield tn.Expanded(facts, basis, found, f"degree {degree}")


def test_a_method_of_solution(tmp_path):
    """One registration: the driver, the estimate, the report, results, files and pictures come with it."""
    register("chebyshev series", lambda data, *_: ChebyshevSeries(data["low"], data["high"], data["degree"]))
    tn.register(Chebyshev())
    w, exact = tn.unknown("w", x), sp.exp(sp.sin(3 * x))
    equation = sp.Eq(sp.diff(w, x, 2) + x * w, sp.diff(exact, x, 2) + x * exact)
    problem = tn.Problem(tn.Interval(x=(0, 2)), [equation], [tn.on("boundary", sp.Eq(w, exact))])
    assert tn.methods(problem).fitting[0] == "chebyshev"
    assert "interval" in tn.methods(POISSON)["chebyshev"].reason
    solution = tn.solve(problem, tol=1e-9, method="chebyshev")
    points = np.linspace(0, 2, 200)
    true = np.abs(solution(points) - np.exp(np.sin(3 * points))).max()
    assert true < 1e-9
    assert solution.error < 1e-9
    assert solution.basis.kind == "chebyshev series"
    assert "degree 32" in solution.report()
    value = solution.integral(w)
    assert value.value == pytest.approx(float(sp.Integral(exact, (x, 0, 2)).evalf()), abs=10 * value.error + 1e-12)
    again = tn.load(solution.save(tmp_path / "series"))
    assert np.array_equal(again(points), solution(points))
    assert solution.plot().save(tmp_path / "series.png").exists()
    assert tn.solve(problem, method="network").basis.kind == "network"
