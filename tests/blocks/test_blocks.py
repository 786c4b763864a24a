"""Bodies made of boxes in weak form: exact polynomials, natural conditions, materials, singular edges, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.blocks.body import body_of
from transnet.blocks.stated import BlockProblem
from transnet.drive.facts import Facts
from transnet.errors import TransnetError, TransnetWarning

x, y, z = sp.symbols("x y z")
U = tn.vector("u", x, y, z)
T = tn.unknown("T", x, y, z)
BODY = tn.elasticity(U, E=2.0, nu=0.3)
ANGLE = tn.Box(x=(0, 2), y=(0, 1), z=(0, 1)) | tn.Box(x=(0, 1), y=(0, 1), z=(0, 2))


def stated(problem: tn.Problem) -> BlockProblem | str:
    return Facts(problem, {}).blocks


def solved(problem: tn.Problem, tol: float = 1e-3) -> tn.Solution:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return tn.solve(problem, tol=tol, method="blocks")


def put_in(expression: sp.Expr, field: sp.Matrix) -> sp.Expr:
    return sp.expand(expression.subs(dict(zip(U, field, strict=True))).doit())


def truth(solution: tn.Solution, expression: sp.Expr, of: sp.Expr) -> float:
    points = solution.problem.domain.interior(200, "random", 3)
    values = np.broadcast_to(sp.lambdify((x, y, z), expression)(*points.T), len(points))
    found = solution.evaluate(of, points)
    return float(np.abs(found - values).max() / np.abs(values).max())


def test_the_outer_faces_of_a_body_with_a_cavity_have_the_area_of_its_parts() -> None:
    domain = tn.Box(x=(0, 4), y=(0, 3), z=(0, 2)) - tn.Box(x=(1, 2), y=(1, 2), z=(1, 2), name="slot")
    body = body_of(domain)
    assert body is not None
    areas: dict[str, float] = {}
    for block, faces in body.faces.items():
        size = np.ptp(body.bounds(block), axis=0)
        for face in faces:
            areas[face.part] = areas.get(face.part, 0.0) + float(np.prod(np.delete(size, face.axis)))
    assert areas["z=2"] == pytest.approx(11.0)
    assert areas["slot x=1"] == pytest.approx(1.0)
    assert set(areas) == set(domain.parts)
    assert body_of(tn.Box(x=(0, 4), y=(0, 3), z=(0, 2)) - tn.Ball(center=(1, 1, 1), radius=0.5)) is None


def test_a_displacement_of_second_degree_is_exact_with_tractions_on_all_faces_but_one() -> None:
    field = sp.Matrix([x * y + z**2, x**2 - y * z, x * z + 2 * y * x])
    forces = [put_in(e.lhs - e.rhs if isinstance(e, sp.Eq) else e, field) for e in _rows(BODY.equations)]
    equations = [sp.Eq(e, f) for e, f in zip(_rows(BODY.equations), forces, strict=True)]
    stress = BODY.stress.applyfunc(lambda s: put_in(s, field))
    conditions = [tn.on("x=0", *(sp.Eq(u, f) for u, f in zip(U, field, strict=True)))]
    for part in ANGLE.parts:
        if part != "x=0":
            axis = "xyz".index(part[0])
            sign = 2.0 * (part in ("x=2", "z=2", "y=1", "x=1", "z=1")) - 1.0
            load = [sign * stress[k, axis] for k in range(3)]
            conditions.append(BODY.load(part, *load))
    solution = solved(tn.Problem(ANGLE, equations, conditions))
    assert all(truth(solution, field[k], U[k]) < 1e-11 for k in range(3))


def _rows(equations: object) -> list[sp.Expr]:
    found = []
    for e in equations if isinstance(equations, list | tuple) else [equations]:
        expression = e.lhs - e.rhs if isinstance(e, sp.Eq) else e
        found += list(expression) if isinstance(expression, sp.MatrixBase) else [expression]
    return found


def test_coefficients_that_vary_convection_and_a_robin_condition_converge() -> None:
    exact, k = sp.exp(x / 2) * sp.sin(y) + x * z, 1 + x**2 / 4 + y / 3
    operator = -tn.div(k * tn.grad(T)) + 2 * sp.diff(T, x) + T
    source = operator.subs(T, exact).doit()
    conditions = [tn.on(part, sp.Eq(T, exact)) for part in ANGLE.parts if part not in ("y=0", "z=2")]
    conditions.append(tn.on("y=0", sp.Eq(tn.normal_derivative(T) + 3 * T, -sp.diff(exact, y) + 3 * exact)))
    conditions.append(tn.on("z=2", sp.Eq(k * tn.normal_derivative(T), k * sp.diff(exact, z))))
    solution = solved(tn.Problem(ANGLE, [sp.Eq(operator, source)], conditions), tol=1e-6)
    assert truth(solution, exact, T) < 1e-6
    assert solution.error < 1e-6


def test_two_materials_share_the_flux() -> None:
    bar = tn.Pieces(a=tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), b=tn.Box(x=(1, 3), y=(0, 1), z=(0, 1)))
    k = tn.by_piece(a=4.0, b=1.0)
    sides = [tn.on(p, tn.normal_derivative(T)) for p in bar.parts if p[0] != "x"]
    conditions = [tn.on("x=0", T), tn.on("x=3", sp.Eq(T, 9)), *sides]
    solution = solved(tn.Problem(bar, [sp.Eq(tn.div(k * tn.grad(T)), 0)], conditions))
    # The flux q fulfils q (1 / 4 + 2 / 1) = 9.
    assert solution.evaluate(T, x=1.0, y=0.3, z=0.7) == pytest.approx(1.0, rel=1e-10)
    steel = tn.elasticity(U, E=tn.by_piece(a=4.0, b=1.0), nu=0.0)
    pulled = [steel.fixed("x=0"), steel.load("x=3", 1, 0, 0), *(steel.free(p) for p in bar.parts if p[0] != "x")]
    solution = solved(tn.Problem(bar, steel.equations, pulled))
    assert solution.evaluate(U[0], x=3.0, y=0.3, z=0.7) == pytest.approx(2.25, rel=1e-9)


@pytest.fixture(scope="module")
def cantilever() -> tn.Solution:
    beam = tn.Box(x=(0, 3), y=(0, 1), z=(0, 1))
    free = [BODY.free(part) for part in ("front", "back", "top", "bottom")]
    return solved(tn.Problem(beam, BODY.equations, [BODY.fixed("left"), BODY.load("right", 0, 0, -1), *free]), tol=1e-2)


def test_the_work_of_a_load_is_twice_the_energy_of_a_cantilever(cantilever: tn.Solution) -> None:
    work = cantilever.integral(-U[2], over="right")
    assert float(cantilever.integral(2 * BODY.energy)) == pytest.approx(float(work), rel=1e-2)
    # With E = 1 and a load of 0.01 finer blocks of other degrees have a compliance of 0.0114909.
    assert float(work) == pytest.approx(0.0114909 * 1e4 / 2.0, rel=3e-3)


def test_a_solution_in_blocks_is_saved(cantilever: tn.Solution, tmp_path: object) -> None:
    path = f"{tmp_path}/beam.npz"
    cantilever.save(path)
    points = cantilever.problem.domain.interior(20, "random", 1)
    again = tn.load(path)
    assert np.array_equal(again.evaluate(BODY.von_mises, points), cantilever.evaluate(BODY.von_mises, points))


def test_edges_at_which_derivatives_are_unbounded_are_found() -> None:
    free = [BODY.free(part) for part in ANGLE.parts if part != "z=2"]
    problem = tn.Problem(ANGLE, BODY.equations, [BODY.fixed("z=2"), *free])
    found = stated(problem)
    assert isinstance(found, BlockProblem)
    # The inner edge is x = z = 1; the others are those of the fixed face.
    assert {(0, 1), (2, 1), (2, 2), (0, 0), (1, 0), (1, 1)} == set(found.graded)
    held = tn.Problem(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), tn.laplacian(T) + 1, [tn.on("boundary", T)])
    found = stated(held)
    assert isinstance(found, BlockProblem)
    assert found.graded == []


def test_what_is_not_for_blocks_is_told() -> None:
    cube = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    sides = [BODY.free(p) for p in cube.parts if p != "z=0"]
    pseudo = [tn.on("z=0", *(tn.normal_derivative(u) for u in U)), *sides]
    assert "neither values" in str(stated(tn.Problem(cube, BODY.equations, pseudo)))
    assert "linear" in str(stated(tn.Problem(cube, tn.laplacian(T) + T**3 - 1, [tn.on("boundary", T)])))
    flat = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), tn.laplacian(tn.unknown("w", x, y)) + 1, [tn.on("boundary", tn.unknown("w", x, y))]
    )
    assert "space" in str(stated(flat))
    assert "'cells'" not in str(tn.methods(tn.Problem(cube, tn.laplacian(T) + 1, [tn.on("boundary", T)])))


def test_a_body_that_nothing_holds_is_not_solved_silently() -> None:
    cube = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    problem = tn.Problem(
        cube, BODY.equations, [BODY.load("z=1", 0, 0, 1), *(BODY.free(p) for p in cube.parts if p != "z=1")]
    )
    with pytest.raises((TransnetError, TransnetWarning)):
        solved(problem)


def test_conditions_on_portions_of_a_face_cut_it() -> None:
    cube = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    exact = x * y + z**2 - x**2
    given = [tn.on(part, sp.Eq(T, exact)) for part in cube.parts if part != "z=1"]
    held = tn.on("z=1", sp.Eq(T, exact), where=(x < 0.3) | (x > 0.7))
    load = tn.on("z=1", sp.Eq(tn.normal_derivative(T), 2), where=(x > 0.3) & (x < 0.7))
    problem = tn.Problem(cube, sp.Eq(tn.laplacian(T), 0), [*given, held, load])
    found = stated(problem)
    assert isinstance(found, BlockProblem)
    assert [len(p) for p in found.body.planes] == [4, 2, 2]
    assert {(0, 1), (0, 2), (2, 1)} <= set(found.graded)
    assert truth(solved(problem), exact, T) < 1e-11
    slanted = [*given, tn.on("z=1", T, where=x < y), tn.on("z=1", tn.normal_derivative(T), where=x > y)]
    assert "planes across the axes" in str(stated(tn.Problem(cube, sp.Eq(tn.laplacian(T), 0), slanted)))
    bare = [*given, tn.on("z=1", T, where=x < 0.5)]
    assert "for each unknown" in str(stated(tn.Problem(cube, sp.Eq(tn.laplacian(T), 0), bare)))
