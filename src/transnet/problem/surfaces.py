"""Equations on a surface: operators along it, and its normal, as formulas of the coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Domain
from transnet.geometry.manifold import Manifold, manifold_of
from transnet.problem.unknowns import Given, NormalComponent, SurfaceLaplacian

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

SAMPLES, ACROSS = 20, 1e-8
"""Points of a surface at which an equation is looked at, and the part of its size that is rounding."""


def along_surface(expression: sp.Expr, domain: Domain, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
    """The expression with what depends on the surface put in: its normal, and Laplacians along it.

    Parameters
    ----------
    domain : Domain
        A surface, or a surface times time; on any other domain an expression stays as it is.
    """
    if not expression.has(NormalComponent, SurfaceLaplacian):
        return expression
    surface = manifold_of(domain)
    if surface is None:
        if expression.has(SurfaceLaplacian):
            raise ProblemError(
                f"tn.surface_laplacian is for problems on a surface, such as tn.Sphere(radius=1), but the domain is "
                f"{domain}. Inside a body the operator is tn.laplacian."
            )
        return expression
    own = tuple(coordinates[:3])
    normals = dict(zip(map(NormalComponent, own), surface.normal(own), strict=True))
    return expression.xreplace(normals).replace(SurfaceLaplacian, lambda f, *axes: _laplacian(f, surface, axes))


def refuse_across(expression: sp.Expr, problem: Problem) -> None:
    """Raise if an equation on a surface differentiates across it: values on the surface do not say how u goes on.

    A function that is zero on the surface must not count: the equation is linearised for u = level * (1 + x).
    """
    surface = manifold_of(problem.domain)
    if surface is None:
        return
    own, size = problem.coordinates, sp.Dummy(real=True)
    points = problem.domain.interior(SAMPLES)
    level = surface.level(own[:3])
    for u in problem.unknowns:
        slopes = []
        for trial in (level * (1 + own[0]), sp.exp(sum(c / (k + 2) for k, c in enumerate(own)))):
            put = dict.fromkeys(problem.unknowns, sp.S.Zero) | {u: size * trial}
            slope = sp.diff(expression.subs(put).doit(), size).subs(size, 0)
            if slope.free_symbols - set(own) or slope.has(Given, sp.Subs):
                return  # with parameters or given functions it is not looked at
            value = sp.lambdify(own, slope, "numpy")(*points.T)
            slopes.append(float(np.nanmax(np.abs(np.broadcast_to(value, len(points))), initial=0.0)))
        if slopes[0] > ACROSS * slopes[1]:
            raise ProblemError(
                f"An equation differentiates {u.func.__name__} across {surface}, but only its values on the surface "
                f"are known. Use tn.surface_laplacian, tn.surface_gradient and tn.surface_divergence instead of "
                f"tn.laplacian, tn.grad and tn.div, and velocities along the surface."
            )


def _laplacian(f: sp.Expr, surface: Manifold, axes: tuple[sp.Symbol, ...]) -> sp.Expr:
    """lap f - n.(D^2 f) n - kappa n.grad f: what f is around the surface drops out."""
    n = surface.normal(axes)
    slope = [sp.diff(f, c) for c in axes]
    across = sp.Add(
        *(a * b * sp.diff(s, c) for a, s in zip(n, slope, strict=True) for b, c in zip(n, axes, strict=True))
    )
    normal = sp.Add(*(a * s for a, s in zip(n, slope, strict=True)))
    return (
        sp.Add(*(sp.diff(s, c) for s, c in zip(slope, axes, strict=True))) - across - surface.curvature(axes) * normal
    )
