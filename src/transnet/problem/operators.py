"""Differential operators that read as on paper. Each returns plain SymPy.

The coordinates are those of the expression's unknowns; one that is called `t` is time and is left out. Name the
coordinates to choose others: `laplacian(u, x, t)`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.unknowns import Given, NormalComponent, SurfaceLaplacian


def space_coordinates(*expressions: sp.Expr) -> tuple[sp.Symbol, ...]:
    """The coordinates of the unknowns in the expressions, in their order, without time.

    Without an unknown they are those of the given functions, if nothing else depends on others. A plain formula does
    not say which of its symbols are coordinates.
    """
    found: dict[sp.Symbol, None] = {}
    expressions = tuple(map(_formula, expressions))
    for kind in (AppliedUndef, Given):
        for expression in expressions if not found else ():
            for function in sorted(expression.atoms(kind), key=str):
                found.update({c: None for c in function.args if isinstance(c, sp.Symbol)})
                if kind is Given and not expression.free_symbols <= set(found):
                    found.clear()
    coordinates = tuple(c for c in found if c.name != "t")
    if not coordinates and len(expressions) == 1 and isinstance(expressions[0], sp.Symbol):
        name = expressions[0].name
        raise ProblemError(
            f"{name} is a plain symbol, whose derivatives are zero. If it is what is to be found, make it with "
            f"{name} = tn.unknown({name!r}, x, y)."
        )
    if not coordinates:
        raise ProblemError(
            f"Cannot tell the coordinates of {expressions[0] if len(expressions) == 1 else expressions}. "
            f"Name them after the expression, as in laplacian(u, x, y)."
        )
    return coordinates


def _formula(value: object) -> sp.Expr:
    return formula_of(value, "What an operator is applied to", ProblemError)


def _components(field: object, operator: str) -> list[sp.Expr]:
    """The components of a field; a string or a mapping, which are iterable too, is not one."""
    if isinstance(field, list | tuple | sp.MatrixBase | np.ndarray) and np.ndim(field) > 0:
        return [_formula(component) for component in field]
    raise ProblemError(
        f"{operator} takes a field of several components, such as [u, v] or tn.grad(u), not {shown(field)}."
    )


def _along(coordinates: tuple[sp.Symbol, ...], *expressions: sp.Expr) -> tuple[sp.Symbol, ...]:
    """The given coordinates, or those of the expressions."""
    for c in coordinates:
        if not isinstance(c, sp.Symbol):
            raise ProblemError(
                f"The coordinates of an operator must be SymPy symbols, not {shown(c)}: tn.laplacian(u, x, y)."
            )
    return coordinates or space_coordinates(*expressions)


@explained
def grad(u: sp.Expr | sp.Matrix, *coordinates: sp.Symbol) -> sp.Matrix:
    """The gradient, a column vector of du/dx_i; for a vector the matrix of dv_i/dx_j."""
    if isinstance(u, list | tuple | sp.MatrixBase):
        components = _components(u, "grad")
        axes = _along(coordinates, *components)
        return sp.Matrix([[sp.diff(component, c) for c in axes] for component in components])
    u = _formula(u)
    return sp.Matrix([sp.diff(u, c) for c in _along(coordinates, u)])


@explained
def div(field: Sequence[sp.Expr] | sp.Matrix, *coordinates: sp.Symbol) -> sp.Expr | sp.Matrix:
    """The divergence, the sum of dF_i/dx_i; for a matrix such as a stress, that of each row."""
    if isinstance(field, sp.MatrixBase) and min(field.shape) > 1:
        along = _along(coordinates, *field)
        return sp.Matrix([div(field.row(i), *along) for i in range(field.rows)])
    components = _components(field, "div")
    axes = _along(coordinates, *components)
    if len(components) != len(axes):
        raise ProblemError(
            f"div got {len(components)} components for the coordinates {', '.join(map(str, axes))}. "
            f"Give one component for each, or name the coordinates: div(field, x, y)."
        )
    return sp.Add(*(sp.diff(f, c) for f, c in zip(components, axes, strict=True)))


@explained
def curl(field: Sequence[sp.Expr] | sp.Expr | sp.Matrix, *coordinates: sp.Symbol) -> sp.Expr | sp.Matrix:
    """The curl: a vector in 3D; in 2D the scalar dv/dx - du/dy of (u, v), or the vector (du/dy, -du/dx) of a scalar."""
    if isinstance(field, sp.Expr):
        x, y = _axes(_along(coordinates, field), 2)
        return sp.Matrix([sp.diff(field, y), -sp.diff(field, x)])
    components = _components(field, "curl")
    axes = _axes(_along(coordinates, *components), len(components))
    if len(components) == 2:
        return sp.diff(components[1], axes[0]) - sp.diff(components[0], axes[1])
    if len(components) == 3:
        (u, v, w), (x, y, z) = components, axes
        return sp.Matrix([sp.diff(w, y) - sp.diff(v, z), sp.diff(u, z) - sp.diff(w, x), sp.diff(v, x) - sp.diff(u, y)])
    raise ProblemError(f"curl takes a scalar or a field of 2 or 3 components, not of {len(components)}.")


def _axes(axes: tuple[sp.Symbol, ...], count: int) -> tuple[sp.Symbol, ...]:
    if len(axes) != count:
        raise ProblemError(f"curl needs {count} space coordinates here, but has {', '.join(map(str, axes))}.")
    return axes


@explained
def laplacian(u: sp.Expr | sp.Matrix, *coordinates: sp.Symbol) -> sp.Expr | sp.Matrix:
    """The Laplacian, the sum of d2u/dx_i^2 over the space coordinates; for a vector, of each component."""
    if isinstance(u, list | tuple | sp.MatrixBase):
        components = _components(u, "laplacian")
        axes = _along(coordinates, *components)
        return sp.Matrix([laplacian(component, *axes) for component in components])
    u = _formula(u)
    return sp.Add(*(sp.diff(u, c, 2) for c in _along(coordinates, u)))


@explained
def biharmonic(u: sp.Expr, *coordinates: sp.Symbol) -> sp.Expr:
    """The Laplacian of the Laplacian."""
    axes = _along(coordinates, _formula(u))
    return laplacian(laplacian(u, *axes), *axes)


@explained
def normal(*coordinates: sp.Symbol) -> sp.Matrix:
    """The outward unit normal as a column vector, for use on a boundary."""
    if not coordinates:
        raise ProblemError("The normal has a component for each coordinate. Name them: tn.normal(x, y).")
    return sp.Matrix([NormalComponent(c) for c in _along(coordinates)])


@explained
def normal_derivative(u: sp.Expr | sp.Matrix, *coordinates: sp.Symbol) -> sp.Expr | sp.Matrix:
    """The derivative along the outward normal, n.grad u, for a condition on a boundary; for a vector, of each
    component."""
    if isinstance(u, list | tuple | sp.MatrixBase):
        components = _components(u, "normal_derivative")
        along = _along(coordinates, *components)
        return sp.Matrix([normal_derivative(component, *along) for component in components])
    u = _formula(u)
    axes = _along(coordinates, u)
    return sp.Add(*(NormalComponent(c) * sp.diff(u, c) for c in axes))


def _tangential(u: sp.Expr, axes: tuple[sp.Symbol, ...]) -> list[sp.Expr]:
    """P grad u with P = 1 - n n^T."""
    slope, n = [sp.diff(u, c) for c in axes], [NormalComponent(c) for c in axes]
    across = sp.Add(*(a * b for a, b in zip(n, slope, strict=True)))
    return [s - a * across for s, a in zip(slope, n, strict=True)]


@explained
def surface_gradient(u: sp.Expr, *coordinates: sp.Symbol) -> sp.Matrix:
    """The gradient along a surface, grad u - n (n.grad u), for a problem on `tn.Sphere`, `tn.Torus`, `tn.Surface`."""
    u = _formula(u)
    return sp.Matrix(_tangential(u, _along(coordinates, u)))


@explained
def surface_divergence(field: Sequence[sp.Expr] | sp.Matrix, *coordinates: sp.Symbol) -> sp.Expr:
    """The divergence along a surface, the trace of P grad F with P = 1 - n n^T."""
    components = _components(field, "surface_divergence")
    axes = _axes(_along(coordinates, *components), len(components))
    return sp.Add(*(_tangential(f, axes)[i] for i, f in enumerate(components)))


@explained
def surface_laplacian(u: sp.Expr, *coordinates: sp.Symbol) -> sp.Expr:
    """The Laplacian along a surface (Laplace-Beltrami): lap u - n.(D^2 u) n - kappa n.grad u, kappa = div n.

    It depends only on the values of u on the surface.
    """
    u = _formula(u)
    axes = _along(coordinates, u)
    if len(axes) != 3:
        raise ProblemError(f"surface_laplacian needs 3 space coordinates, but has {', '.join(map(str, axes))}.")
    return SurfaceLaplacian(u, *axes)
