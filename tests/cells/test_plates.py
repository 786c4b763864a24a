"""Elastic parts in cells: fillets and other places where the curvature jumps, closed forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.geometry.corners import bends

x, y = sp.symbols("x y")
u = tn.vector("u", x, y)
body = tn.elasticity(u, E=1, nu=0.3, plane="stress")
BRACKET = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <path id="bracket" d="M 0 0 H 40 V 50 A 10 10 0 0 0 50 60 H 100 V 100 H 0 Z"/>
  <circle id="bolt" cx="20" cy="15" r="6"/> <circle id="pin" cx="82" cy="80" r="7"/></svg>"""


def drawn(folder: Path) -> tn.Domain:
    (folder / "part.svg").write_text(BRACKET)
    return tn.read_domain(folder / "part.svg")


def test_a_drawing_has_its_corners_and_the_ends_of_its_fillets(tmp_path: Path) -> None:
    part = drawn(tmp_path)
    corners = part.corners_and_holes[0]
    assert len(corners) == 5
    assert all(c.opening() == pytest.approx(np.pi / 2) and not c.curved for c in corners)
    assert sorted(np.round(c.point, 9).tolist() for c in bends(part)) == [[40, 50], [50, 40]]
    assert not bends(tn.Disk() - tn.Disk(radius=0.3))
    assert not bends(tn.Box(x=(0, 1), y=(0, 1)) - tn.Disk(radius=0.3))


def test_a_bracket_with_a_fillet_is_in_equilibrium(tmp_path: Path) -> None:
    part = drawn(tmp_path)
    problem = tn.Problem(part, body.equations, [body.fixed("bolt"), body.load("pin", 3, -1.5), body.free("bracket")])
    found = tn.solve(problem, tol=1e-3, method="cells")
    assert found.error < 1e-3
    load = 2 * np.pi * 7 * np.array([3, -1.5])
    assert [f.value for f in found.force("bolt", stress=body.stress)] == pytest.approx(load, rel=1e-2)
    finer = tn.solve(problem, tol=1e-5, method="cells")
    points = part.interior(300, "random", 1)
    apart = [found.evaluate(w, points) - finer.evaluate(w, points) for w in u]
    size = [finer.evaluate(w, points) for w in u]
    assert np.linalg.norm(apart) < 1.5 * found.error * np.linalg.norm(size)


def kirsch(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """u + i v of a plate in tension along x around a free hole of radius 0.3, by Kolosov's formula."""
    a, nu = 0.3, 0.3
    z = px + 1j * py
    slope = 0.25 * (1 - 2 * a**2 / z**2)
    psi = -0.5 * (z + a**2 / z - a**4 / z**3)
    return (1 + nu) * ((3 - nu) / (1 + nu) * 0.25 * (z + 2 * a**2 / z) - z * np.conj(slope) - np.conj(psi))


def test_the_plate_of_kirsch() -> None:
    plate = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Disk(radius=0.3, name="hole")
    sides = ("x=-1", "x=1", "y=-1", "y=1")
    given = [
        tn.given(name, f, x, y) for name, f in (("g", lambda *p: kirsch(*p).real), ("h", lambda *p: kirsch(*p).imag))
    ]
    stated = [tn.on(side, sp.Eq(w, g)) for side in sides for w, g in zip(u, given, strict=True)]
    found = tn.solve(tn.Problem(plate, body.equations, [body.free("hole"), *stated]), tol=1e-6)
    assert found.basis.kind == "cells"
    points = plate.interior(300, "random", 1)
    exact = kirsch(*points.T)
    error = np.linalg.norm(found.evaluate(u[0], points) + 1j * found.evaluate(u[1], points) - exact) / np.linalg.norm(
        exact
    )
    assert error < 1e-6
    assert error < 3 * found.error
    assert found.evaluate(body.stress[0, 0], np.array([[0.0, 0.3]])) == pytest.approx(3.0, rel=1e-4)
