"""Several materials in cells: closed forms, corners of interfaces, small pieces, estimates that hold."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cells.stated import CellProblem
from transnet.cells.wedges import wedges_of
from transnet.pieces.laws import Laws

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
v = tn.vector("v", x, y)
SQUARE = tn.Box(x=(-1, 1), y=(-1, 1))
CORE = tn.Disk(radius=0.4)


def test_an_elastic_ring_around_a_disk_under_pressure() -> None:
    """Lame: u_r = a r in the disk, b r + c / r in the ring, with a pressure on its rim."""
    e, nu, core = (7.0, 0.2), 0.3, 0.4
    disk = tn.Pieces(core=CORE, ring=tn.Disk(radius=1, name="rim") - CORE)
    body = tn.elasticity(v, E=tn.by_piece(core=e[0], ring=e[1]), nu=nu, plane="stress")
    problem = tn.Problem(disk, body.equations, [body.fixed("rim", x / 10, y / 10)])
    # a r0 = b r0 + c / r0, the radial stress is continuous, and b + c = 1/10.
    plus, minus = 1 / (1 - nu), 1 / (1 + nu)
    rows = [[core, -core, -1 / core], [e[0] * plus, -e[1] * plus, e[1] * minus / core**2], [0, 1, 1]]
    a, b, c = np.linalg.solve(rows, [0, 0, 0.1])
    found = tn.solve(problem, tol=1e-7)
    assert found.basis.kind == "cells"
    points = disk.interior(400, "random", 1)
    r = np.hypot(*points.T)
    exact = points[:, 0] * np.where(r < core, a, b + c / r**2)
    error = np.linalg.norm(found.evaluate(v[0], points) - exact) / np.linalg.norm(exact)
    assert error < 1e-7
    assert error < 3 * found.error


@pytest.mark.parametrize("contrast", [1.0, 5.0])
def test_exponents_where_materials_meet(contrast: float) -> None:
    """A square in a plate: without a contrast nothing is singular, with one the strain is unbounded."""
    core = tn.Box(x=(-0.3, 0.2), y=(-0.3, 0.4))
    body = tn.elasticity(v, E=tn.by_piece(core=contrast, plate=1), nu=0.3, plane="stress")
    plate = tn.Pieces(core=core, plate=SQUARE - core)
    problem = tn.Problem(plate, body.equations, [body.fixed("boundary", x, -0.3 * y)])
    found = list(wedges_of(CellProblem.of_materials(Laws(problem), ())))
    assert len(found) == 4
    for _, _, powers, _ in found:
        assert (min(p.value.real for p in powers) < 0.99) == (contrast > 1)
    if contrast > 1:
        rough, fine = (tn.solve(problem, tol=tol, method="cells") for tol in (1e-2, 1e-4))
        points = plate.interior(300, "random", 1)
        values = [[s.evaluate(w, points) for w in v] for s in (rough, fine)]
        apart = np.linalg.norm(np.subtract(*values)) / np.linalg.norm(values[1])
        assert apart < 1e-2
        assert apart < 10 * rough.error


def test_a_small_hole_has_cells_around_it() -> None:
    domain = SQUARE - tn.Disk((0.2, -0.1), radius=0.01)
    exact = sp.log((x - 0.2) ** 2 + (y + 0.1) ** 2)
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) - x * u, -x * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    found = tn.solve(problem, tol=1e-5, method="cells")
    points = domain.interior(400, "random", 1)
    truth = sp.lambdify((x, y), exact)(*points.T)
    assert np.linalg.norm(found(points) - truth) < 1e-5 * np.linalg.norm(truth)


def test_materials_are_stored_and_told_apart_on_their_interface(tmp_path) -> None:
    k = tn.by_piece(core=10, shell=1)
    domain = tn.Pieces(core=CORE, shell=SQUARE - CORE)
    problem = tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), 1)], [tn.on("boundary", u)])
    found = tn.solve(problem, tol=1e-5, method="cells")
    again = tn.load(found.save(tmp_path / "found"))
    points = domain.interior(100, "random", 1)
    assert np.array_equal(again(points), found(points))
    rim = np.array([[0.4, 0.0]])
    inner, outer = (found.basis.within(m).derivatives(found.coefficients, rim, [(0, (1, 0))])[0] for m in (0, 1))
    assert outer == pytest.approx(10 * inner, rel=1e-3)
