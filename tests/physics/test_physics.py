"""Each discipline against solutions that are known by hand, and against identities."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import jv, roots_legendre
from sympy.core.function import AppliedUndef

import transnet as tn
from transnet.physics import EPSILON_0
from transnet.problem.by_piece import ByPiece
from transnet.problem.equations import expressions_of

x, y, z, t = sp.symbols("x y z t")


def put(expression: sp.Expr, unknowns: sp.Matrix, values: list) -> sp.Expr:
    return sp.simplify(expression.subs(dict(zip(unknowns, values, strict=True))).doit())


# -- elasticity --------------------------------------------------------------------------------------------------------
def test_uniaxial_tension_in_every_setting() -> None:
    """sigma_xx = 1 alone: e_xx = 1/E, e_yy = -nu/E; in plane strain (1 - nu^2)/E and -nu (1 + nu)/E."""
    E, nu = sp.Rational(7, 2), sp.Rational(3, 10)
    plane, space = tn.vector("u", x, y), tn.vector("u", x, y, z)
    strained = [x * (1 - nu**2) / E, -y * nu * (1 + nu) / E]
    cases = {
        "stress": (tn.elasticity(plane, E, nu, plane="stress"), [x / E, -nu * y / E], 1),
        "strain": (tn.elasticity(plane, E, nu, plane="strain"), strained, sp.sqrt(1 - nu + nu**2)),
        "space": (tn.elasticity(space, E, nu), [x / E, -nu * y / E, -nu * z / E], 1),
    }
    for body, field, mises in cases.values():
        stress = [[put(s, body.displacement, field) for s in row] for row in body.stress.tolist()]
        assert stress[0][0] == 1
        assert not any(s for i, row in enumerate(stress) for j, s in enumerate(row) if (i, j) != (0, 0))
        assert sp.simplify(put(body.von_mises, body.displacement, field) - mises) == 0
        principal = [float(put(s, body.displacement, field)) for s in body.principal]
        assert principal == pytest.approx([1, *[0] * (len(field) - 1)], abs=1e-12)
        assert [put(e, body.displacement, field) for e in body.equations] == [0] * len(field)


def test_principal_stresses_in_space_are_eigenvalues() -> None:
    u = tn.vector("u", x, y, z)
    body = tn.elasticity(u, E=2, nu=sp.Rational(1, 4))
    rng = np.random.default_rng(0)
    for _ in range(2):
        a = rng.standard_normal((3, 3)).round(3)
        field = [sum(float(a[i, j]) * c for j, c in enumerate((x, y, z))) for i in range(3)]
        stress = np.array([[float(put(s, u, field)) for s in row] for row in body.stress.tolist()])
        found = [float(s.subs(dict(zip(u, field, strict=True))).doit()) for s in body.principal]
        assert found == pytest.approx(sorted(np.linalg.eigvalsh(stress))[::-1], rel=1e-6)
        deviator = stress - np.trace(stress) / 3 * np.eye(3)
        assert float(put(body.von_mises, u, field)) == pytest.approx(np.sqrt(1.5 * np.sum(deviator**2)))


def test_free_expansion_has_no_stress() -> None:
    for plane, coordinates in (("stress", (x, y)), (None, (x, y, z))):
        u = tn.vector("u", *coordinates)
        body = tn.elasticity(u, E=5, nu=0.25, plane=plane, expansion=0.01, temperature=100)
        assert all(abs(put(s, u, [1.0 * c for c in coordinates])) < 1e-12 for s in body.stress)


def test_a_beam_under_a_load_with_its_reaction() -> None:
    u = tn.vector("u", x, y)
    body = tn.elasticity(u, E=210e9, nu=0.3, plane="stress")
    beam = tn.Box(x=(0, 0.2), y=(0, 0.1))
    conditions = [body.sliding("left"), body.load("right", 5e6, 0), body.free("top"), body.sliding("bottom")]
    solution = tn.solve(tn.Problem(beam, body.equations, conditions), neurons=80)
    assert solution(x=0.2, y=0.1)[0] == pytest.approx(5e6 / 210e9 * 0.2, rel=1e-6)
    assert solution.force("left", stress=body.stress)[0] == pytest.approx(5e6 * 0.1, rel=1e-6)
    assert solution.integral(body.energy) == pytest.approx(0.5 * 5e6**2 / 210e9 * 0.02, rel=1e-6)
    inside = beam.interior(20)
    assert solution.evaluate(body.von_mises, inside) == pytest.approx(np.full(20, 5e6), rel=1e-6)


def test_a_pipe_under_pressure_is_lames() -> None:
    u = tn.vector("u", x, y)
    body = tn.elasticity(u, E=200, nu=0.3, plane="strain")
    pipe = tn.Annulus(inner=1, outer=2)
    conditions = [body.pressure("inner", 3), body.free("outer"), tn.mean(u[0]), tn.mean(u[1])]
    conditions.append(tn.mean(sp.diff(u[1], x) - sp.diff(u[0], y)))
    solution = tn.solve(tn.Problem(pipe, body.equations, conditions), neurons=300)
    hoop = 3 * (1 + 4 / 1.5**2) / 3  # p a^2 / (b^2 - a^2) (1 + b^2 / r^2)
    assert solution.evaluate(body.stress[1, 1], x=1.5, y=0.0) == pytest.approx(hoop, rel=1e-5)
    assert solution.evaluate(body.principal[0], x=0.0, y=1.5) == pytest.approx(hoop, rel=1e-5)


# -- flow --------------------------------------------------------------------------------------------------------------
def test_poiseuille_and_kovasznay() -> None:
    v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
    stokes = tn.flow(v, p, viscosity=2)
    profile = [y * (1 - y), sp.Integer(0), -4 * x]
    assert [put(e, sp.Matrix([*v, p]), profile) for e in stokes.equations] == [0, 0, 0]
    assert put(stokes.vorticity, sp.Matrix([*v, p]), profile) == 2 * y - 1
    re = 20
    lam = re / 2 - sp.sqrt(re**2 / 4 + 4 * sp.pi**2)
    fields = [
        1 - sp.exp(lam * x) * sp.cos(2 * sp.pi * y),
        lam / (2 * sp.pi) * sp.exp(lam * x) * sp.sin(2 * sp.pi * y),
        (1 - sp.exp(2 * lam * x)) / 2,
    ]
    for viscosity in (sp.Rational(1, re), sp.Rational(1, re) + 0 * x):
        inert = tn.flow(v, p, viscosity=viscosity, density=1)
        assert [put(e, sp.Matrix([*v, p]), fields) for e in inert.equations] == [0, 0, 0]


def test_a_channel_with_an_outlet() -> None:
    v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
    fluid = tn.flow(v, p, viscosity=2)
    channel = tn.Box(x=(0, 2), y=(0, 1))
    conditions = [
        fluid.inflow("left", y * (1 - y), 0),
        fluid.outlet("right", 5),
        fluid.wall("top"),
        fluid.wall("bottom"),
    ]
    solution = tn.solve(tn.Problem(channel, fluid.equations, conditions), neurons=200)
    assert solution["p"](0.0, 0.5) == pytest.approx(5 + 8, rel=1e-5)
    assert solution.integral(fluid.dissipation) == pytest.approx(2 * 2 / 3, rel=1e-5)
    drag = solution.force("bottom", stress=fluid.stress)
    assert drag[0] == pytest.approx(2 * 2, rel=1e-5)


def test_a_variable_viscosity_is_under_the_divergence() -> None:
    v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
    fluid = tn.flow(v, p, viscosity=1 + y)
    fields = [y**2, sp.Integer(0), sp.Integer(0)]
    assert put(fluid.equations[0], sp.Matrix([*v, p]), fields) == sp.diff((1 + y) * 2 * y, y).expand()


# -- heat --------------------------------------------------------------------------------------------------------------
def test_a_wall_between_two_rooms() -> None:
    """Resistances add up: 1/h, the wall's thickness over k, 1/h."""
    T = tn.unknown("T", x)
    wall = tn.heat(T, k=0.5)
    conditions = [wall.cooled("left", h=8, ambient=20), wall.cooled("right", h=25, ambient=-5)]
    solution = tn.solve(tn.Problem(tn.Interval(x=(0, 0.3)), wall.equations, conditions), neurons=20)
    through = 25 / (1 / 8 + 0.3 / 0.5 + 1 / 25)
    assert solution.evaluate(wall.flux[0], x=0.1) == pytest.approx(through, rel=1e-8)
    assert solution.evaluate(wall.outflow, on="right")[0] == pytest.approx(through, rel=1e-8)


def test_heat_that_is_stored_carried_and_radiated() -> None:
    T = tn.unknown("T", x, y, t)
    body = tn.heat(T, k=2, capacity=3, velocity=(1, -1), source=x)
    exact = x * y + t
    assert put(body.equations[0], sp.Matrix([T]), [exact]) == sp.expand(x - 3 * (1 + y - x))
    (radiated,) = [r for e in body.radiating("left", 0.5, 300, sigma=2).equations for r in expressions_of(e)]
    normal = dict(zip(tn.normal(x, y), (1, 0), strict=True))
    assert put(radiated.subs(normal), sp.Matrix([T]), [x + 300]).subs(x, 0) == pytest.approx(-2)


# -- fields ------------------------------------------------------------------------------------------------------------
def test_the_capacitance_of_a_coaxial_cable_from_charge_and_from_energy() -> None:
    V = tn.unknown("V", x, y)
    domain = tn.Pieces(rubber=tn.Annulus(inner=1, outer=2), air=tn.Annulus(inner=2, outer=4))
    field = tn.electrostatics(V, tn.by_piece(rubber=3 * EPSILON_0, air=EPSILON_0))
    inner, outer = (p for p in domain.parts if domain.measure(p) != pytest.approx(4 * np.pi))
    inner, outer = sorted((inner, outer), key=domain.measure)
    conditions = [field.electrode(inner, 10), field.electrode(outer, 0)]
    solution = tn.solve(tn.Problem(domain, field.equations, conditions), tol=1e-6)
    exact = 2 * np.pi * EPSILON_0 / (np.log(2) / 3 + np.log(2))
    assert solution.integral(field.surface_charge, over=inner) / 10 == pytest.approx(exact, rel=1e-5)
    assert 2 * solution.integral(field.energy) / 100 == pytest.approx(exact, rel=1e-5)


def test_the_field_of_a_wire_and_the_skin_effect() -> None:
    A = tn.unknown("A", x, y)
    wire = tn.magnetostatics(A, permeability=2, current=3)
    exact = -(x**2 + y**2) * sp.Rational(3, 2)
    assert put(wire.equations[0], sp.Matrix([A]), [exact]) == 0
    assert [put(h, sp.Matrix([A]), [exact]) for h in wire.H] == [-3 * y / 2, 3 * x / 2]  # H = J r / 2 around it
    a = tn.unknown("a", x, y, complex=True)
    skin = tn.magnetostatics(a, permeability=2, conductivity=5, frequency=7)
    depth = 1 / sp.sqrt(35)  # sqrt(2 / (mu sigma omega))
    wave = [sp.exp(-x / depth) * sp.cos(x / depth), -sp.exp(-x / depth) * sp.sin(x / depth)]
    parts = sorted(a.atoms(AppliedUndef), key=lambda part: part.func.__name__, reverse=True)  # a_re, a_im
    assert put(skin.equations[0], sp.Matrix(parts), wave) == 0


def test_the_losses_of_a_wire_that_carries_a_current_are_those_from_bessel_functions() -> None:
    a = tn.unknown("a", x, y, complex=True)
    wire = tn.magnetostatics(a, permeability=2, conductivity=5, frequency=1.0, current=5)  # by a field of 1 along it
    solution = tn.solve(tn.Problem(tn.Disk(), wire.equations, [wire.far("boundary")]), tol=1e-8)
    k = np.sqrt(-10j)
    assert solution.integral(wire.current_density).value == pytest.approx(10 * np.pi / k * jv(1, k) / jv(0, k))
    r, weights = roots_legendre(40)
    heat = np.pi / 2 * weights @ ((1 + r) * 2.5 * np.abs(jv(0, k * (1 + r) / 2) / jv(0, k)) ** 2)
    assert solution.integral(wire.losses).value == pytest.approx(heat)


def test_a_winding_has_no_losses_where_it_has_no_conductivity() -> None:
    A = tn.unknown("A", x, y, t)
    coil = tn.magnetostatics(
        A, current=tn.by_piece(wire=0, coil=3), conductivity=tn.by_piece(wire=2, coil=0), permeability=1
    )
    assert {"wire": sp.Rational(1, 2), "coil": 0} in [k.values for k in coil.losses.atoms(ByPiece)]


# -- waves -------------------------------------------------------------------------------------------------------------
def test_waves_in_time_and_at_one_frequency() -> None:
    u = tn.unknown("u", x, t)
    string = tn.waves(u, speed=3)
    assert put(string.equations[0], sp.Matrix([u]), [sp.cos(x - 3 * t)]) == 0
    leaving = string.absorbing("right").equations[0].subs(tn.normal(x)[0], 1)
    assert put(leaving, sp.Matrix([u]), [sp.cos(x - 3 * t)]) == 0
    w = tn.unknown("w", x, y)
    assert put(tn.waves(w, wavenumber=5).equations[0], sp.Matrix([w]), [sp.sin(3 * x) * sp.sin(4 * y)]) == 0


def test_the_cutoffs_of_a_waveguide() -> None:
    u, lam = tn.unknown("u", x, y), sp.Symbol("lam")
    guide = tn.waves(u, wavenumber=sp.sqrt(lam))
    problem = tn.Problem(tn.Box(x=(0, 2), y=(0, 1)), guide.equations, [guide.hard("boundary")])
    pairs = tn.eigenpairs(problem, lam, count=2, near=2.0)
    assert sorted(pairs.values) == pytest.approx([0, (np.pi / 2) ** 2], abs=1e-6)


WRONG = {
    'plane="stress", or long': lambda: tn.elasticity(tn.vector("u", x, y), 1, 0.3),
    "for a body in the plane": lambda: tn.elasticity(tn.vector("u", x, y, z), 1, 0.3, plane="strain"),
    r"made by tn.vector": lambda: tn.elasticity(tn.unknown("u", x, y), 1, 0.3, plane="strain"),
    "one for each": lambda: tn.elasticity([tn.unknown("u", x, y)], 1, 0.3),
    "has 2 components here": lambda: tn.flow(tn.vector("v", x, y), tn.unknown("p", x, y), 1, force=(1, 2, 3)),
    "made by tn.unknown": lambda: tn.heat(x),
    "is complex": lambda: tn.magnetostatics(tn.unknown("A", x, y), frequency=3),
    "is for the plane": lambda: tn.magnetostatics(tn.unknown("A", x, y, z)),
    "without a wavenumber": lambda: tn.waves(tn.unknown("u", x, y)),
    "not 30: steel has 0.3": lambda: tn.elasticity(tn.vector("u", x, y), 1, 30, plane="strain"),
    "Take 0.499": lambda: tn.elasticity(tn.vector("u", x, y), 1, tn.by_piece(a=0.3, b=0.5), plane="strain"),
    "must be a SymPy expression": lambda: tn.heat(tn.unknown("T", x), k="copper"),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_calls_say_what_is_meant(words: str) -> None:
    with pytest.raises(tn.errors.ProblemError, match=words):
        WRONG[words]()


def test_what_is_called_otherwise_elsewhere_is_found() -> None:
    body = tn.elasticity(tn.vector("u", x, y), 1, 0.3, plane="strain")
    for thing, name, meant in (
        (body, "sxx", r"stress\[0, 0\]"),
        (body, "von_Mises", "von_mises"),
        (tn.heat(tn.unknown("T", x)), "convection", "cooled"),
        (tn.heat(tn.unknown("T", x)), "xyzzy", "It has capacity"),
    ):
        with pytest.raises(AttributeError, match=meant):
            getattr(thing, name)
    with pytest.raises(tn.errors.ArgumentError, match="Did you mean 'k'"):
        tn.heat(tn.unknown("T", x), conductivity=3)
