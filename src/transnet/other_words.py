"""What other libraries and textbooks call the things of this one: whoever writes `tn.Circle` is told of `tn.Disk`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

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
}  # fmt: skip
"""Functions."""
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
