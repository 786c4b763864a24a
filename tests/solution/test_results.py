"""Results against numbers that are known: each to nine digits, with an estimate that holds."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError
from transnet.sections.surface import surface_rule

x, y, z, t = sp.symbols("x y z t")
u = tn.unknown("u", x, y)
v1, v2, p = (tn.unknown(n, x, y) for n in ("v1", "v2", "p"))


def holds(found, truth, digits=9):
    """Whether a result is right to so many digits, and no farther from the truth than its estimate says."""
    size = max(abs(truth), 1e-300)
    assert abs(found - truth) < 10.0**-digits * size, (found, truth)
    assert abs(found - truth) <= found.error + 2e-15 * size, (found, truth)
    assert found.error < 10.0 ** (1 - digits) * size, found


def poisson(domain, right, *conditions):
    return tn.Problem(domain, [sp.Eq(tn.laplacian(u), right)], conditions or [tn.on("boundary", sp.Eq(u, 0))])


@pytest.fixture(scope="module")
def square():
    return tn.solve(poisson(tn.Box(x=(0, 1), y=(0, 1)), -2), tol=1e-10)


def test_the_torsion_constant_of_a_square(square):
    holds(square.integral(2 * u), 0.1405770149551555)
    assert "±" in repr(square.integral(u))
    assert abs(square.mean("u") - square.integral(u)) < 1e-12
    assert abs(square.norm(u) ** 2 - square.integral(u**2)) < 1e-12


def test_the_largest_stress_of_a_twisted_square(square):
    # The slope at the middle of a side, 1 - 8 / pi^2 sum over odd k of 1 / (k^2 cosh(k pi / 2)).
    odd = np.arange(1, 60, 2)
    slope = 1 - 8 / np.pi**2 * np.sum(1 / (odd**2 * np.cosh(odd * np.pi / 2)))
    steepest = square.maximum(-tn.normal_derivative(u), over="left")
    holds(steepest, slope, 8)
    assert np.allclose(steepest.place, [0, 0.5], atol=1e-3)
    top = square.maximum(u)
    holds(top, 0.14734270656302763, 9)
    assert np.allclose(top.place, 0.5, atol=1e-4)
    assert abs(square.minimum(u)) < 1e-10


def test_the_flux_balances_the_source(square):
    holds(square.flux("boundary"), -2.0)
    holds(square.flux("left"), -0.5)
    slopes = square.evaluate(tn.normal_derivative(u), on="left")
    assert slopes.shape == (400,)
    assert np.all(slopes.normals == [-1, 0])
    assert np.allclose(square.evaluate(tn.normal_derivative(u), slopes.points[:5], on="left"), slopes[:5])
    with pytest.raises(ProblemError, match="does not lie on 'left'"):
        square.evaluate(u, x=0.5, y=0.5, on="left")


def test_the_flux_through_the_edges_of_an_l_shape():
    edges = tn.Polygon([(-1, -1), (1, -1), (1, 1), (0, 1), (0, 0), (-1, 0)])
    solution = tn.solve(poisson(edges, -1), tol=1e-10)
    fluxes = [solution.flux(part) for part in edges.parts]
    assert abs(sum(fluxes) + 3) < 1e-9
    holds(solution.flux("boundary"), -3.0)
    # The mirror image of an edge has the same flux.
    for a, b in ((0, 1), (2, 5), (3, 4)):
        assert abs(fluxes[a] - fluxes[b]) < 1e-9
        assert abs(fluxes[a] - fluxes[b]) <= fluxes[a].error + fluxes[b].error
    # Green: the energy is the integral of the solution.
    energy = solution.integral(tn.grad(u).dot(tn.grad(u)))
    assert abs(energy - solution.integral(u)) < 1e-10


def test_the_capacity_of_a_square_in_a_disk():
    plate = tn.Disk() - tn.Box(x=(-0.3, 0.3), y=(-0.3, 0.3))
    inner = [part for part in plate.parts if part != "circle"]
    held = [tn.on(part, sp.Eq(u, 1)) for part in inner]
    solution = tn.solve(poisson(plate, 0, tn.on("circle", sp.Eq(u, 0)), *held), tol=1e-10)
    outer = solution.flux("circle")
    # By finite elements on an eighth of it, graded to the corner: degrees 12, 14 and 16 agree to twelve digits.
    holds(outer, -6.052335411346)
    holds(solution.integral(tn.grad(u).dot(tn.grad(u))), 6.052335411346)
    for part in inner:  # four sides alike, against what arrives at the circle
        side = solution.flux(part)
        assert abs(side + outer / 4) < 1e-9
        assert abs(side + outer / 4) <= side.error + outer.error / 4
        assert side.error < 1e-8


def kovasznay():
    re = 40
    lam = sp.Rational(re, 2) - sp.sqrt(sp.Rational(re**2, 4) + 4 * sp.pi**2)
    exact = {
        v1: 1 - sp.exp(lam * x) * sp.cos(2 * sp.pi * y),
        v2: lam / (2 * sp.pi) * sp.exp(lam * x) * sp.sin(2 * sp.pi * y),
        p: (1 - sp.exp(2 * lam * x)) / 2,
    }
    convected = [v1 * sp.diff(v, x) + v2 * sp.diff(v, y) for v in (v1, v2)]
    equations = [c + sp.diff(p, a) - tn.laplacian(v) / re for c, a, v in zip(convected, (x, y), (v1, v2), strict=True)]
    return re, exact, [*equations, tn.div([v1, v2])]


def force_of(domain, part, exact, mu):
    """The force of a flow that is known, integrated by many nodes."""
    points, normals, weights = surface_rule(domain, part, 40)
    grad = sp.Matrix([[sp.diff(exact[v], c) for c in (x, y)] for v in (v1, v2)])
    sigma = mu * (grad + grad.T) - exact[p] * sp.eye(2)
    values = sp.lambdify((x, y), sigma, "numpy")
    s = np.array([np.asarray(values(*q), float) for q in points])
    return -np.einsum("n,nij,nj->i", weights, s, normals)


def test_drag_and_lift_of_a_flow_around_a_curve():
    re, exact, equations = kovasznay()
    s = sp.symbols("s")
    body = tn.Curve((0.25 + sp.cos(s) / 5, 0.1 + sp.sin(s) / 8 + sp.sin(2 * s) / 40), (s, 0, 2 * sp.pi), name="body")
    rim = tn.Curve((0.25 + 0.6 * sp.cos(s), 0.6 * sp.sin(s)), (s, 0, 2 * sp.pi))
    domain = tn.Region(rim, body)
    conditions = [
        tn.on("boundary", sp.Eq(v1, exact[v1]), sp.Eq(v2, exact[v2])),
        tn.at((0.25, 0.55), sp.Eq(p, exact[p].subs(x, 0.25))),
    ]
    solution = tn.solve(tn.Problem(domain, equations, conditions), tol=1e-11)
    drag, lift = solution.force("body")
    truth = force_of(domain, "body", exact, 1 / re)
    holds(drag, truth[0])
    holds(lift, truth[1])
    through = solution.flux("body", (v1, v2))
    assert abs(through) < 1e-10  # the given data bring as much in as out


def test_the_force_of_a_stokes_flow_on_a_disk():
    # A disk that turns and is dragged: v = grad-perp of r^2 log r and a Stokeslet, regular outside the disk.
    r2 = x**2 + y**2
    exact = {v1: -sp.log(r2) / 2 + x**2 / r2, v2: x * y / r2, p: 2 * x / r2}
    ring = tn.Annulus(inner=0.5, outer=1)
    equations = [-tn.laplacian(v1) + sp.diff(p, x), -tn.laplacian(v2) + sp.diff(p, y), tn.div([v1, v2])]
    conditions = [tn.on("boundary", sp.Eq(v1, exact[v1]), sp.Eq(v2, exact[v2])), tn.mean(p)]
    solution = tn.solve(tn.Problem(ring, equations, conditions), tol=1e-10)
    drag, lift = solution.force("inner")
    holds(drag, -4 * np.pi)  # a Stokeslet of strength one pulls with 4 pi
    assert abs(lift) < 1e-9
    assert abs(lift) <= lift.error + 1e-14
    assert abs(solution.force("outer")[0] - 4 * np.pi) < 1e-8


def test_the_load_of_a_stretched_elastic_bar():
    a, b = tn.unknown("a", x, y), tn.unknown("b", x, y)
    mu, lam = 1.0, 2.0
    stiff = [mu * tn.laplacian(w) + (lam + mu) * sp.diff(tn.div([a, b], x, y), c) for w, c in ((a, x), (b, y))]
    exact = {a: 0.1 * x + 0.02 * y, b: -0.03 * y}
    held = tn.on("boundary", *(sp.Eq(k, v) for k, v in exact.items()))
    solution = tn.solve(tn.Problem(tn.Box(x=(0, 2), y=(0, 1)), stiff, [held]), neurons=60)
    load = solution.force("right")
    both = sum([load, 2 * load])
    assert np.allclose(both.value, 3 * load.value)
    assert np.allclose(both.error, 3 * load.error)
    truth = -np.array([2 * mu * 0.1 + lam * 0.07, mu * 0.02])
    assert np.allclose(load.value, truth, atol=1e-7)
    assert np.allclose(solution.force("right", stress=[[0.34, 0.02], [0.02, 0.08]]).value, truth, atol=1e-12)
    assert abs(load.norm - np.linalg.norm(truth)) < 1e-7


def test_an_integral_over_space_is_a_function_of_time():
    w = tn.unknown("w", x, t)
    exact = sp.exp(-(sp.pi**2) * t) * sp.sin(sp.pi * x)
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.2))
    heat = [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))]
    conditions = [tn.on("sides", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))]
    solution = tn.solve(tn.Problem(rod, heat, conditions), tol=1e-9)
    moments = np.array([0.0, 0.05, 0.2])
    truth = 2 / np.pi * np.exp(-(np.pi**2) * moments)
    content = solution.integral(w, over=x)
    assert np.allclose(content(moments), truth, rtol=1e-7)
    assert np.all(np.abs(content.numbers(moments).value - truth) <= content.numbers(moments).error)
    assert np.allclose(solution.integral(w, t=moments).value, truth, rtol=1e-7)
    assert abs(solution.mean(w, over=(x,))(0.05) - truth[1]) < 1e-7
    # What leaves at both ends in all the time is what is lost.
    out = solution.flux("x=0") + solution.flux("x=1")
    assert abs(out - (truth[2] - truth[0])) < 1e-7
    assert abs(solution.flux("x=1", t=0.05) + np.pi * np.exp(-(np.pi**2) * 0.05)) < 1e-6
    assert abs(solution.maximum(w, t=0.05) - np.exp(-(np.pi**2) * 0.05)) < 1e-7
    watched = solution.probe([[0.5], [0.25]], times=moments)
    assert np.allclose(watched.values[:, 0], np.exp(-(np.pi**2) * moments), atol=1e-7)
    comparison = solution.compare(exact)
    assert comparison.relative < 1e-8
    assert comparison.largest < 1e-6


def test_a_cavity_is_not_looked_into_when_solutions_are_compared():
    x, y, z = sp.symbols("x y z")
    w = tn.unknown("w", x, y, z)
    cavity = tn.Ball(radius=0.5)
    problem = tn.Problem(
        tn.Ball(radius=1) - cavity, [sp.Eq(tn.laplacian(w), 0)], [tn.on("boundary", sp.Eq(w, 1 + x / 9))]
    )
    compared = tn.solve(problem, neurons=100).compare(lambda x, y, z: 1 + x / 9 + 1e6 * (x**2 + y**2 + z**2 < 0.2))
    assert compared.relative < 1e-3
    assert problem.domain.contains(compared.points).all()


def test_chords_of_a_disk():
    solution = tn.solve(poisson(tn.Disk(), -4), neurons=60)  # u = 1 - x^2 - y^2
    chords = solution.integral(u, over=x)
    heights = np.array([0.0, 0.5])
    assert np.allclose(chords(heights), 4 / 3 * (1 - heights**2) ** 1.5, atol=1e-7)
    cut = solution.along((-1, 0), (1, 0), points=5)
    assert np.allclose(cut.values, [0, 0.75, 1, 0.75, 0], atol=1e-8)
    assert np.allclose(np.asarray(cut), cut.values)
    outside = solution.along((0, 0), (2, 0), points=3)
    assert np.isnan(outside.values[2])


def test_a_body_in_space():
    w = tn.unknown("w", x, y, z)
    ball = tn.Problem(tn.Ball(), [sp.Eq(tn.laplacian(w), -6)], [tn.on("boundary", sp.Eq(w, 0))])  # 1 - r^2
    solution = tn.solve(ball, neurons=120)
    assert abs(solution.integral(w) - 8 * np.pi / 15) < 1e-5
    flux = solution.flux("sphere")
    assert abs(flux + 8 * np.pi) <= 2 * flux.error
    top = solution.maximum(w)
    assert abs(top - 1) <= top.error + 1e-9
    assert np.linalg.norm(top.place) < 0.01


def test_a_loaded_solution_still_has_results(square, tmp_path):
    again = tn.load(square.save(tmp_path / "square.npz"))
    found = again.integral(2 * u)
    assert abs(found - 0.1405770149551555) <= found.error
    assert found.error < 1e-9
    assert again.compare(square).norm < 1e-12


def test_what_is_not_said_is_asked_for(square):
    with pytest.raises(ProblemError, match="Say where"):
        square.evaluate(u)
    with pytest.raises(ProblemError, match="Say where"):
        square()
    with pytest.raises(ProblemError, match="is not a coordinate"):
        square.integral(u, over=z)
    with pytest.raises(ProblemError, match="on which part"):
        square.evaluate(tn.normal_derivative(u), x=0, y=0.5)
    with pytest.raises(ProblemError, match="stress"):
        square.force("left")
    with pytest.raises(ProblemError, match="misses"):
        square.along((2, 2), (3, 3))
    with pytest.raises(ProblemError, match="Nothing happens over time"):
        square.probe([[0.5, 0.5]])


def test_tables_are_matched_by_name(square, tmp_path):
    file = tmp_path / "measured.csv"
    file.write_text("u,y,x\n" + f"{float(square(0.3, 0.2)):.12g},0.2,0.3\n0.1,0.5,0.5\n")
    compared = square.compare(file)
    assert abs(compared.difference[0]) < 1e-11
    assert abs(compared.difference[1] - (square(0.5, 0.5) - 0.1)) < 1e-11
    (tmp_path / "wrong.csv").write_text("u,y,z\n1,0.2,0.3\n")
    with pytest.raises(ProblemError, match="no column 'x'"):
        square.compare(tmp_path / "wrong.csv")


def test_the_largest_of_many_peaks_is_found() -> None:
    """A hundred peaks that differ by 1e-3, with a few samples on each."""
    wavy = sp.sin(30 * x) * sp.sin(30 * y) + x / 100
    on = [tn.on("boundary", sp.Eq(u, wavy))]
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u), tn.laplacian(wavy, x, y))], on)
    top = tn.solve(problem).maximum(u)
    # sin(30 y) = -1 and d/dx = 0 near 30 x = 19 pi/2
    assert top.place[0] == pytest.approx(19 * np.pi / 60, abs=1e-4)
    assert top.value == pytest.approx(1 + 19 * np.pi / 6000 + (1 / 3000) ** 2 / 2 * 1, abs=1e-7)


def test_forces_in_cells_have_errors_of_their_own() -> None:
    """A plate with a hole that is pulled at its end: the force on the clamped end is known, and that across is zero."""
    x, y = sp.symbols("x y")
    body = tn.elasticity(tn.vector("u", x, y), E=2e5, nu=0.3, plane="stress")
    u, v = tn.vector("u", x, y)
    domain = tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=(1.1, 0.45), radius=0.2, name="hole")
    free = [tn.on(p, *(sp.Eq(s, 0) for s in body.traction)) for p in ("y=0", "y=1", "hole")]
    pulled = tn.on("x=2", sp.Eq(body.traction[0], 100), sp.Eq(body.traction[1], 0))
    problem = tn.Problem(domain, body.equations, [tn.on("x=0", sp.Eq(u, 0), sp.Eq(v, 0)), pulled, *free])
    solution = tn.solve(problem, tol=1e-4)
    along, across = solution.force("x=0")
    for found, true in ((along, 100.0), (across, 0.0)):
        assert abs(found - true) < 3 * found.error < 1e-3


def test_the_mean_of_a_derivative_around_an_inner_corner_is_finite() -> None:
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    corner = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    problem = tn.Problem(corner, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    slope = tn.solve(problem, tol=1e-4).mean(sp.diff(u, x))
    assert abs(slope) < 3 * slope.error < 1e-2
