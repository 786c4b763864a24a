"""The gallery's thousand Poisson problems, by a number that no single solve knows of."""

import importlib.util
from pathlib import Path

import numpy as np


def test_a_thousand_poissons_satisfy_greens_identity():
    path = Path(__file__).parents[2] / "examples" / "thousand_poissons.py"
    spec = importlib.util.spec_from_file_location("gallery_thousand_poissons", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    solutions, asymmetry = module.main(sources=1000, neurons=500)
    assert len(solutions) == 1000
    assert np.nanmax(solutions.errors) < 1e-6
    assert asymmetry < 1e-9
