"""What other libraries and textbooks call the things of this one: whoever writes `tn.Circle` is told of `tn.Disk`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NoReturn

SHAPES = {
    "circle": "Disk", "rectangle": "Box", "rect": "Box", "square": "Box", "cube": "Box", "cuboid": "Box",
    "hypercube": "Box", "hyperrectangle": "Box", "line": "Interval", "ring": "Annulus", "triangle": "Polygon",
    "sphere": "Ball", "hypersphere": "Ball", "hollowsphere": "Shell", "ellipse": "Region", "ellipsoid": "LevelSet",
    "implicit": "LevelSet", "stl": "Mesh", "crack": "Segment", "subdomains": "Pieces", "timedomain": "Interval",
    "geometryxtime": "Interval", "cylinder": "Disk(radius=1) * Interval(z=(0, 1))",
}  # fmt: skip
"""Shapes, without capitals and underscores."""
CALLS = {
    "dirichlet": "on", "dirichletbc": "on", "neumann": "normal_derivative", "neumannbc": "normal_derivative",
    "robin": "on", "robinbc": "on", "boundarycondition": "on", "bc": "on", "ic": "on", "initial": "on",
    "pointsetbc": "data", "observation": "data", "function": "unknown", "field": "unknown", "variable": "unknown",
    "trialfunction": "unknown", "symbol": "unknown", "vectorfield": "vector", "gradient": "grad", "divergence": "div",
    "rot": "curl", "nabla": "grad", "laplace": "laplacian", "bilaplacian": "biharmonic", "model": "solve",
    "pde": "Problem", "eigenvalues": "eigenpairs", "eigs": "eigenpairs", "materials": "by_piece",
    "coefficient": "by_piece", "interpolate": "given", "callable": "given", "open": "load", "read": "load",
    "dirichletcondition": "on", "normalvector": "normal", "average": "mean", "neural_network": "TransNet",
    "dn": "normal_derivative", "sweep": "prepare",
}  # fmt: skip
"""Functions."""
OF_A_SOLUTION = {
    "max": "maximum(u)", "min": "minimum(u)", "integrate": "integral(u)", "average": "mean(u)", "grad":
    "evaluate(tn.grad(u), points)", "diff": "evaluate(sympy.diff(u, x), points)", "derivative":
    "evaluate(sympy.diff(u, x), points)", "values": "evaluate(u, points)", "predict": "evaluate(u, points)", "eval":
    "evaluate(u, points)", "at": "evaluate(u, points)", "u": "evaluate(u, points)", "show": "plot().show()", "savefig":
    "plot().save('name.png')", "draw": "plot()", "residual": "plot_residual()", "residuals": "plot_residual()",
    "summary": "report()", "to_csv": "export('name.csv')", "to_vtk": "export('name.vtu')", "reaction": "force('part')",
}  # fmt: skip
"""What is asked of a solution under another name."""
OF_PHYSICS = {
    "sxx": "stress[0, 0]", "syy": "stress[1, 1]", "sxy": "stress[0, 1]", "sigma": "stress", "mises": "von_mises",
    "vonmises": "von_mises", "epsilon": "strain", "clamped": "fixed", "fix": "fixed", "roller": "sliding",
    "symmetry": "sliding", "force": "load", "q": "flux", "convection": "cooled", "robin": "cooled", "fixed": "held",
    "temperature": "held", "dirichlet": "held", "adiabatic": "insulated", "neumann": "heated", "grounded": "electrode",
    "voltage": "electrode", "charge": "surface_charge", "open": "outlet", "outflow": "outlet", "noslip": "wall",
    "J": "current_density", "equation": "equations",
}  # fmt: skip
"""What is asked of a body, a fluid or a field under another name."""
CLOSE = 0.7
"""How similar a misspelt name is to the one meant: 'Anulus' and 'laplacien' are similar enough."""


def meant(name: str, known: Iterable[str]) -> str | None:
    """The name that was most likely meant by one that does not exist; None if there is no telling."""
    names = list(known)
    plain = name.lower().replace("_", "")
    found = SHAPES.get(plain) or CALLS.get(plain)
    if found is not None and (found in names or not found.isidentifier()):
        return found
    lower = {n.lower(): n for n in names}
    close = difflib.get_close_matches(name.lower()[:40], lower, n=1, cutoff=CLOSE)
    return lower[close[0]] if close else None


def no_attribute(thing: Any, name: str, words: Mapping[str, str]) -> AttributeError:
    """The error for an attribute that does not exist, with what was probably meant and what there is."""
    text = f"'{type(thing).__name__}' object has no attribute '{name}'"
    if name.startswith("_"):
        return AttributeError(text)
    own = [n for n in dir(thing) if not n.startswith("_")]
    other = words.get(name, words.get(name.lower().replace("_", "")))
    if other is None or ("(" not in other and other.partition("[")[0] not in own):
        other = meant(name, own)
    return AttributeError(f"{text}. " + (f"Did you mean {other}?" if other else f"It has {', '.join(own)}."))


class Answering:
    """Something that answers a question for an attribute that it does not have with the one meant."""

    _WORDS: ClassVar[Mapping[str, str]] = OF_PHYSICS

    def __getattr__(self, name: str) -> NoReturn:
        raise no_attribute(self, name, self._WORDS)
