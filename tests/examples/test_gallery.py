"""Every example of the gallery runs and reaches the accuracy that it states, without a warning.

An example is a file with `main() -> (solution, error)` and the bound `ACCURACY`; a new one is tested by being there.
One that takes long says by `QUICK` how `main` is called here.
"""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn

FOLDER = Path(__file__).parents[2] / "examples"

EXAMPLES = sorted(file.stem for file in FOLDER.glob("*.py"))
SECTIONS = ("# Parameters", "# Domain", "# Problem", "# Solve", 'if __name__ == "__main__":')


OTHERS = ("torch", "jax")
"""Libraries that an example may need and that are not installed everywhere."""
EXACT = (
    "advection_diffusion", "allen_cahn", "ball_with_cavity", "burgers", "fokker_planck", "heat_flower", "helmholtz",
    "klein_gordon", "l_shape", "linear_kdv", "measured_data", "minimal_surface", "periodic", "plate", "pure_neumann",
    "stl_body", "sturm_liouville", "wave",
)  # fmt: skip
"""Those that state an exact solution of one unknown as a formula."""


def load(name):
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def run(name):
    try:
        example = load(name)
        return example.main(**getattr(example, "QUICK", {}))
    except ImportError as error:
        if error.name not in OTHERS:
            raise
        pytest.skip(f"needs {error.name}")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_reaches_its_accuracy(name):
    found, error = run(name)
    several = found.values() if isinstance(found, dict) else found
    solutions = [found] if isinstance(found, tn.Solution) else list(several)[:5]
    assert all(s.status in ("solved", "converged") for s in solutions)
    assert error < load(name).ACCURACY


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_has_the_form_of_the_gallery(name):
    text = (FOLDER / f"{name}.py").read_text()
    places = [text.find(section) for section in SECTIONS]
    assert places == sorted(places)
    assert min(places) > 0
    title, _, body = load(name).__doc__.partition("\n")
    assert len(title) > 20
    assert "second" in body  # how long it takes


def test_there_are_more_than_twenty_examples():
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("name", EXACT)
def test_the_exact_solution_of_an_example_satisfies_its_equation(name):
    example = load(name)
    left = example.problem.equations[0]
    residual = (
        (left.lhs - left.rhs if isinstance(left, sp.Eq) else left)
        .subs(example.problem.unknowns[0], example.exact)
        .doit()
    )
    place = {s: 0.3 + 0.1 * k for k, s in enumerate(sorted(residual.free_symbols, key=str))}
    assert abs(sp.N(residual.subs(place), 30)) < 1e-12


def test_bratu_has_two_branches():
    solutions, _ = run("bratu")
    lower, upper = (solutions[b](x=0.5) for b in ("lower", "upper"))
    assert 0.3 < lower < 0.4
    assert 2.8 < upper < 3.0


def test_the_cavity_agrees_with_ghia_as_far_as_ghia_is_right():
    example = load("cavity")
    solution, _ = run("cavity")
    u = solution.evaluate(example.velocity[0], x=0.5, y=example.GHIA_U[:, 0]) - example.GHIA_U[:, 1]
    assert np.abs(u).max() < 6e-3
    assert example.difference_from_ghia(solution) < 1.1e-2


def test_kovasznay_by_newton_and_by_picard():
    example = load("kovasznay")
    space = tn.FeatureSpace.spectral(2, 200, 4.0)
    newton = tn.solve(example.problem(), space=space)
    picard = tn.solve(example.problem(lagged=True), space=space)
    assert len(newton.diagnostics.steps) <= 8
    assert len(newton.diagnostics.steps) < len(picard.diagnostics.steps)
    assert example.mean_square_error(newton) < 1e-11
    assert example.mean_square_error(picard) < 1e-11


def test_kovasznay_without_pressure_data_but_its_mean():
    example = load("kovasznay")
    solution = tn.solve(example.problem(pressure="mean"), neurons=200)
    assert example.mean_square_error(solution) < 1e-10
