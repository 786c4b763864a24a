"""Solve partial differential equations with transferable neural networks: one least-squares problem, ten digits."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn


class _Named(ModuleType):
    """A module that is pickled by its name, as plain ones are."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return import_module, (self.__name__,)


class _Room(_Named):
    """A package of the library, which has the name of something that one might call: `tn.gradient(u)`."""

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        from transnet.errors import ProblemError
        from transnet.other_words import meant

        name = self.__name__.rpartition(".")[2]
        close = meant(name, __all__)
        hint = f" Did you mean tn.{close}?" if close else ""
        raise ProblemError(f"tn.{name} is a package of the library, not a function.{hint}")


class _Library(_Named):
    """The library itself: an import makes a package an attribute of it."""

    def __setattr__(self, name: str, value: Any) -> None:
        if type(value) is ModuleType and value.__name__ == f"transnet.{name}":
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Library

# Imported at once, because its package has the same name.
from transnet.studio.door import studio  # noqa: E402

if TYPE_CHECKING:
    from transnet.cuts.plan import Cut
    from transnet.doors.eigen import eigenpairs
    from transnet.doors.load import load
    from transnet.doors.prepare import prepare
    from transnet.doors.register import register
    from transnet.doors.solve import methods, solve
    from transnet.doors.transnet import TransNet
    from transnet.drawings import from_shapely, read_domain
    from transnet.drive.method import Expanded, Fit, Method, Refusal
    from transnet.eigen.pairs import Eigenpairs
    from transnet.engines.distributed import Distributed
    from transnet.engines.engine import Engine, Streamed
    from transnet.errors import Message
    from transnet.features.activation import Activation
    from transnet.features.density import density
    from transnet.features.random_fields import RandomFields, random_fields
    from transnet.features.singularities import singularities
    from transnet.features.space import FeatureSpace
    from transnet.features.tuning import Tuned, landscape, tune
    from transnet.files import read_problem, write_problem
    from transnet.geometry import (
        Annulus,
        Ball,
        Box,
        Curve,
        Disk,
        Domain,
        Exterior,
        Interval,
        LevelSet,
        Mesh,
        Pieces,
        Polygon,
        Region,
        Segment,
        Shell,
        Sphere,
        Torus,
    )
    from transnet.geometry.curved import Surface
    from transnet.gradient.arrays import to_jax, to_torch
    from transnet.gradient.minimise import minimise
    from transnet.gradient.search import Optimum
    from transnet.gradient.spread import Spread, propagate
    from transnet.gradient.uncertain import (
        Uncertain,
        lognormal_distribution,
        normal_distribution,
        triangular_distribution,
        uncertain,
        uniform_distribution,
    )
    from transnet.iterate.strategies import Descent, Newton, Picard, Strategy
    from transnet.linalg.least_squares import QR, SVD, PivotedQR, Solver
    from transnet.linalg.ridge import Ridge
    from transnet.linalg.sparse import Lasso, Sparse
    from transnet.motion.velocity import moving
    from transnet.paper.baselines.pinn import PINN
    from transnet.paper.baselines.random_features import RandomFeatures
    from transnet.paper.recipe import Published
    from transnet.physics import elasticity, electrostatics, flow, heat, magnetostatics, waves
    from transnet.prepared.prepared import Prepared
    from transnet.problem import (
        Condition,
        Problem,
        at,
        at_infinity,
        biharmonic,
        by_piece,
        conserved,
        curl,
        curvature,
        data,
        div,
        front,
        given,
        grad,
        inside,
        integral,
        jump,
        lagged,
        laplacian,
        mean,
        normal,
        normal_derivative,
        obstacle,
        on,
        outgoing,
        periodic,
        surface_divergence,
        surface_gradient,
        surface_laplacian,
        unknown,
        vector,
    )
    from transnet.rows.points import Points
    from transnet.solution.solution import Solution
    from transnet.solution.solutions import Solutions

__version__ = "1.0.0"

__all__ = [
    "PINN", "QR", "SVD", "Activation", "Annulus", "Ball", "Box", "Condition", "Curve", "Cut", "Descent", "Disk",
    "Distributed", "Domain", "Eigenpairs", "Engine", "Expanded", "Exterior", "FeatureSpace", "Fit", "Interval",
    "Lasso", "LevelSet", "Mesh", "Message", "Method", "Newton", "Optimum", "Picard", "Pieces", "PivotedQR",
    "Points", "Polygon", "Prepared", "Problem", "Published", "RandomFeatures", "RandomFields", "Refusal", "Region",
    "Ridge", "Segment", "Shell", "Solution", "Solutions", "Solver", "Sparse", "Sphere", "Spread", "Strategy",
    "Streamed", "Surface", "Torus", "TransNet", "Tuned", "Uncertain", "at", "at_infinity", "biharmonic", "by_piece",
    "conserved", "curl", "curvature", "data", "density", "div", "eigenpairs", "elasticity", "electrostatics",
    "flow", "from_shapely", "front", "given", "grad", "heat", "inside", "integral", "jump", "lagged", "landscape",
    "laplacian", "load", "lognormal_distribution", "magnetostatics", "mean", "methods", "minimise", "moving",
    "normal", "normal_derivative", "normal_distribution", "obstacle", "on", "outgoing", "periodic", "prepare",
    "propagate", "random_fields", "read_domain", "read_problem", "register", "singularities", "solve", "studio",
    "surface_divergence", "surface_gradient", "surface_laplacian", "to_jax", "to_torch", "triangular_distribution",
    "tune", "uncertain", "uniform_distribution", "unknown", "vector", "waves", "write_problem",
]  # fmt: skip

_HOMES = {
    "cuts.plan": "Cut",
    "doors.eigen": "eigenpairs",
    "doors.load": "load",
    "doors.prepare": "prepare",
    "doors.register": "register",
    "doors.solve": "methods solve",
    "doors.transnet": "TransNet",
    "drive.method": "Expanded Fit Method Refusal",
    "eigen.pairs": "Eigenpairs",
    "engines.distributed": "Distributed",
    "engines.engine": "Engine Streamed",
    "errors": "Message",
    "drawings": "from_shapely read_domain",
    "features.activation": "Activation",
    "features.density": "density",
    "features.random_fields": "RandomFields random_fields",
    "features.singularities": "singularities",
    "features.space": "FeatureSpace",
    "features.tuning": "Tuned landscape tune",
    "files": "read_problem write_problem",
    "geometry": "Annulus Ball Box Curve Disk Domain Exterior Interval LevelSet Mesh Pieces Polygon Region Segment "
    "Shell Sphere Torus",
    "geometry.curved": "Surface",
    "gradient.arrays": "to_jax to_torch",
    "gradient.minimise": "minimise",
    "gradient.search": "Optimum",
    "gradient.spread": "Spread propagate",
    "gradient.uncertain": "Uncertain lognormal_distribution normal_distribution triangular_distribution uncertain "
    "uniform_distribution",
    "iterate.strategies": "Descent Newton Picard Strategy",
    "linalg.least_squares": "QR SVD PivotedQR Solver",
    "linalg.ridge": "Ridge",
    "linalg.sparse": "Lasso Sparse",
    "motion.velocity": "moving",
    "paper.baselines.pinn": "PINN",
    "paper.baselines.random_features": "RandomFeatures",
    "paper.recipe": "Published",
    "physics": "elasticity electrostatics flow heat magnetostatics waves",
    "prepared.prepared": "Prepared",
    "problem": "Condition Problem at at_infinity biharmonic by_piece conserved curl curvature data div front given "
    "grad inside integral jump lagged laplacian mean normal normal_derivative obstacle on outgoing periodic "
    "surface_divergence surface_gradient surface_laplacian unknown vector",
    "rows.points": "Points",
    "solution.solution": "Solution",
    "solution.solutions": "Solutions",
}
"""The module in which each name is found: it is imported on first use, as most programs use only a few."""
_HOME = {name: part for part, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        found = getattr(import_module(f"transnet.{_HOME[name]}"), name)
        globals()[name] = found
        return found
    if not name.startswith("__") and find_spec(f"transnet.{name}") is not None:
        return import_module(f"transnet.{name}")
    from transnet.other_words import meant

    close = None if name.startswith("_") else meant(name, __all__)
    hint = f". Did you mean tn.{close}?" if close else ""
    if not close and not name.startswith("_") and hasattr(import_module("sympy"), name):
        hint = f". It is SymPy's: import sympy as sp, then sp.{name}"
    raise AttributeError(f"module 'transnet' has no attribute '{name}'{hint}")


def __dir__() -> list[str]:
    return sorted({"__version__", *__all__})
