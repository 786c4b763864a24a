"""scikit-fem solves the cases that it is compared on, at the rates of its elements."""

import importlib.util

import numpy as np
import pytest

pytest.importorskip("skfem")
from skfem import Basis, Functional

from peers import evolution, flow, meshes, poisson
from transnet.paper.cases import case

SIZES = {"C1": 6, "C2": 3, "C3": 4, "C4": 2, "C5": 3}


@pytest.mark.parametrize(("name", "element"), [(n, e) for n, kinds in poisson.MESHES.items() for e in kinds])
def test_the_error_falls_at_the_rate_of_the_element(name, element):
    kind, mesh_of = poisson.MESHES[name][element]
    coarse, fine = 2 * SIZES[name], 3 * SIZES[name]
    solver = (poisson.ORDERED,)
    errors = [poisson.poisson(mesh_of(n), kind, solver).error for n in (coarse, fine)]
    rate = np.log(errors[0] / errors[1]) / np.log(fine / coarse)
    assert rate == pytest.approx(kind.degree + 1, abs=0.45)


@pytest.mark.parametrize("name", poisson.MESHES)
def test_its_exact_solution_is_that_of_the_case(name):
    what = case(name)
    assert poisson.exact(what.test_points.T) == pytest.approx(what.exact_values(what.test_points)[:, 0], abs=1e-14)


@pytest.mark.parametrize(
    ("mesh", "area", "tolerance"),
    [
        (meshes.square(3), 4, 1e-12),
        (meshes.ell(2), 3, 1e-12),
        (meshes.cube(2), 8, 1e-12),
        (meshes.disk(8), np.pi, 1e-4),
        (meshes.annulus(4), 0.75 * np.pi, 1e-4),
    ],
)
def test_meshes_cover_their_domains(mesh, area, tolerance):
    one = Functional(lambda w: 1.0 + 0 * w.x[0])
    assert one.assemble(Basis(mesh, mesh.elem())) == pytest.approx(area, rel=tolerance)


def test_all_solvers_give_the_same_solution():
    kind, mesh_of = poisson.MESHES["C2"]["quartic"]
    solvers = [s for s in kind.solvers if s != poisson.AMG or importlib.util.find_spec("pyamg")]
    errors = [poisson.poisson(mesh_of(6), kind, (s,)).error for s in solvers]
    assert errors == pytest.approx([errors[0]] * len(errors), rel=1e-4)
    assert set(poisson.poisson(mesh_of(6), kind, tuple(solvers)).seconds) == set(solvers)


@pytest.mark.parametrize("name", evolution.CASES)
def test_the_error_in_time_falls_at_the_rate_of_crank_and_nicolson(name):
    errors = [evolution.evolve(name, steps).error for steps in ((20, 40) if name == "C8" else (100, 200))]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.15)


@pytest.mark.parametrize("element", flow.PAIRS)
def test_the_error_of_the_flow_falls_at_the_rate_of_the_elements(element):
    errors = [flow.kovasznay(n, element, 1e-8).error for n in (1, 2)]
    assert np.log2(errors[0] / errors[1]) > (2 if element == "quadratic" else 4)
