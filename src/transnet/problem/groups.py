"""Unknowns that belong together: the parts of a complex one, the components of a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from transnet.problem.complex import complex_pairs

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


def groups_of(problem: Problem) -> dict[str, sp.Expr]:
    """The complex unknowns and the vectors of a problem by name, as expressions of its unknowns."""
    real = {u.func.__name__: u for u in problem.unknowns}
    pairs = complex_pairs(problem)
    groups = {name: problem.unknowns[re] + sp.I * problem.unknowns[im] for name, (re, im) in pairs.items()}
    found = {**{n: u for n, u in real.items() if not n.endswith(("_re", "_im"))}, **groups}
    space = [c for c in problem.coordinates if c.name != "t"]
    for name in dict.fromkeys(n.rpartition("_")[0] for n in found):
        components = [found.get(f"{name}_{c.name}") for c in space]
        if name and name not in found and all(c is not None for c in components):
            groups[name] = sp.Matrix(components)
    return groups
