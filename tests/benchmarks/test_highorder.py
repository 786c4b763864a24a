"""NGSolve solves the problems of the race, and its error falls with the degree."""

import pytest

pytest.importorskip("ngsolve")
import charts
from parts.highorder import Run, best
from peers.highorder import MESHES, mesh_of, solved, values
from races import races

RACES = races()


@pytest.mark.parametrize("name", [n for n in RACES if RACES[n].exact is not None and n not in ("torus", "ellipsoid")])
def test_the_error_falls_with_the_degree(name):
    race, size = RACES[name], MESHES[name].sizes[0]
    errors = []
    for degree in (4, 7) if name != "helmholtz" else (8, 14):
        mesh = mesh_of(name, size, degree)
        errors.append(race.error(values(race, mesh, solved(race, mesh, degree))))
    assert errors[1] < 0.3 * errors[0] < 0.3 * 2.0


def test_the_fastest_run_that_reaches_an_error_counts():
    runs = [Run("a", 1e-3, 1.0), Run("b", 1e-7, 3.0, 1.0), Run("c", 1e-8, 3.5), Run("d", 1e-9, 2.0, 9.0)]
    assert best(runs, 1e-6).label == "c"
    assert best(runs, 1e-6, mesh=False).label == "d"
    assert best(runs, 1e-12) is None
    assert charts.envelope(runs) == [(1e-3, 1e3), (1e-8, 3.5e3), (1e-9, 11e3)]
