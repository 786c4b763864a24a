"""The solution: a function with its derivatives, its residuals and an estimate of its error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.arguments import Formula
from transnet.arrays import constant
from transnet.basis.expansion import Expansion
from transnet.calls import explained
from transnet.errors import NoUnknown, ProblemError
from transnet.lazy import Later
from transnet.other_words import OF_A_SOLUTION, Answering
from transnet.problem import Problem
from transnet.problem.groups import groups_of
from transnet.problem.origin import Origin
from transnet.rows.blocks import Block
from transnet.rows.statements import distinct_labels
from transnet.rows.uncertainty import uncertainty_of
from transnet.solution.diagnostics import Diagnostics, Status, error_in_words
from transnet.solution.expressions import compiled
from transnet.solution.field import Field, located
from transnet.solution.outside import warn_outside
from transnet.solution.quantities import expression_of
from transnet.solution.report import report
from transnet.solution.residuals import left_of
from transnet.solution.results.around import values_on
from transnet.solution.results.comparisons import compare
from transnet.solution.results.cuts import along, probe
from transnet.solution.results.extrema import maximum, minimum
from transnet.solution.results.far import cross_section, far_field
from transnet.solution.results.fluxes import flux
from transnet.solution.results.forces import force
from transnet.solution.results.integrals import integral, mean, norm
from transnet.solution.results.orders import orders
from transnet.solution.results.pointwise import error_of, misfit, numbers_at
from transnet.solution.same_library import same_library
from transnet.solution.shown import animate, plot, plot_neurons, plot_pieces, plot_residual, view
from transnet.solution.written import export, save, save_report, to_frame, to_meshio, to_pyvista, to_xarray

if TYPE_CHECKING:
    from transnet.solution.derivatives import Gradient, Prediction

notebooks: Any = Later("transnet.views.notebook")
doors: Any = Later("transnet.gradient.doors")
modules: Any = Later("transnet.gradient.modules")
POINTS = 1_000
"""Points of a solution that has none of its own, such as one in slabs."""


@dataclass(frozen=True, eq=False)
class Solution(Answering):
    """u(y) = sum_m alpha_m s(w_m.y + b_m) + alpha_0 for each unknown.

    Call it on an `(n, d)` array of points, or on coordinates one by one or by name, which are broadcast: `solution(0.5,
    grid)`, `solution(x=0.5, y=grid)`. Points outside the domain raise a warning. Arrays of torch, of JAX and of xarray
    (by name) give arrays of the same kind; data frames are read by the names of their columns.

    With several unknowns the result has a last axis in the order of `solution.names`, which is that of the
    problem's unknowns. `solution[p]` or `solution["p"]` is one of them.

    Parameters
    ----------
    problem : Problem
        What it solves.
    basis : Basis
        The feature spaces and the placement of the domain, or another `Expansion`.
    coefficients : (columns,) array
        The output weights, in the order of the basis.
    parameters : dict
        The values of the problem's parameters.
    diagnostics : Diagnostics
        What is known about the solve.
    history : tuple
        The networks that a solve to a tolerance tried; the last is not always the best.
    origin : Origin, optional
        The problem before the sizes of its domain had values.
    """

    _WORDS = OF_A_SOLUTION

    problem: Problem
    basis: Expansion
    coefficients: np.ndarray
    parameters: dict[sp.Symbol, Any]
    diagnostics: Diagnostics
    blocks: tuple[Block, ...] = ()
    history: tuple[Any, ...] = ()
    stored_points: np.ndarray | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", constant(self.coefficients))

    # -- values ------------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return self.problem.names

    @same_library
    def __call__(self, *points: Any, **coordinates: Any) -> np.ndarray:
        where, shape = self._located(points, coordinates)
        values = [self[name].at(where).reshape(shape) for name in self.fields]
        return values[0] if len(values) == 1 else np.stack(values, axis=-1)

    def __getitem__(self, name: Any) -> Field:
        if name in self.groups.values():
            return Field(self, name)
        key = name if isinstance(name, str) else getattr(getattr(name, "func", None), "__name__", name)
        if key in self.groups:
            return Field(self, self.groups[key])
        if key not in self.names:
            known = [*self.groups, *(n for n in self.fields if n not in self.groups)]
            raise NoUnknown(f"There is no unknown '{key}'. The solution has: {', '.join(known)}.")
        return Field(self, self.problem.unknowns[self.names.index(key)])

    @cached_property
    def groups(self) -> dict[str, sp.Expr]:
        """Complex unknowns and vectors by name, as expressions of the real unknowns they consist of."""
        return groups_of(self.problem)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the scalar unknowns, real or complex, whose values a call returns."""
        whole = {n: name for name in self.groups for n in (f"{name}_re", f"{name}_im") if n in self.names}
        return tuple(dict.fromkeys(whole.get(n, n) for n in self.names))

    @explained
    @same_library
    def evaluate(
        self, expression: Formula, *points: Any, on: str | None = None, error: bool = False, **coordinates: Any
    ) -> Any:
        """Any SymPy expression of the unknowns, their derivatives and the coordinates.

        Parameters
        ----------
        expression : sympy expression
            For example `sp.diff(u, x)**2`; a vector gives a last axis.
        points : (n, d) array
            Where, in the domain's order of coordinates; or give the coordinates one by one or by name.
        on : str, optional
            A part of the boundary, which has normals: `evaluate(tn.normal_derivative(u), on="rim")`. Without points a
            few hundred are taken along it, and the result has `points` and `normals`.
        error : bool
            Whether to estimate the errors of the values: the result is then `Numbers`, with the arrays `value` and
            `error`.
        """
        expression = expression_of(self, expression)
        if on is not None:
            return values_on(self, expression, on, points, coordinates, error)
        parts = list(expression) if isinstance(expression, sp.MatrixBase) else [expression]
        functions = [compiled(self, e) for e in parts]
        where, shape = self._located(points, coordinates)
        if error:
            return numbers_at(self, expression, where, shape)
        values = [f(where).reshape(shape) for f in functions]
        return np.stack(values, axis=-1) if isinstance(expression, sp.MatrixBase) else values[0]

    def value_of(self, expression: sp.Expr, points: np.ndarray) -> np.ndarray:
        """An expression at points (n, d), without a check that they lie in the domain: (n,), complex if it is; (n, k)
        for a vector."""
        if isinstance(expression, sp.MatrixBase):
            return np.stack([compiled(self, e)(points) for e in expression], axis=-1)
        return compiled(self, expression)(points)

    compiled = compiled

    # -- results -----------------------------------------------------------------------------------------------------
    integral = integral
    mean = mean
    norm = norm
    flux = flux
    force = force
    maximum = maximum
    minimum = minimum
    along = along
    probe = probe
    compare = compare
    error_of = error_of
    far_field = far_field
    cross_section = cross_section
    orders = orders
    misfit = misfit

    # -- derivatives: they need solves, so the doors above are entered when asked for ---------------------------------
    def gradient(self, result: Any, wrt: Any) -> Gradient:
        """The derivative of a result with respect to parameters: `solution.gradient(solution.mean(u), wrt=[k])[k]`.

        Parameters
        ----------
        result : Number
            An integral, mean, norm, flux, component of a force or misfit of this solution, `solution.evaluate(...,
            error=True)`, or sums, products and powers of these.
        wrt : symbols, given functions or names of parts
            Parameters of equations, conditions and the sizes of the domain; functions that `tn.given` made, such as a
            source or boundary values; and parts of the boundary, which move along their normals.

        Returns
        -------
        Gradient
            By symbol or name the derivative, a `Number` with its `error`; for a function or a part a function g of
            points with dJ = integral of g times the change, over the place of the function or over the part.
        """
        return doors.gradient_of(self, result, wrt)

    def sensitivity(self, wrt: Any) -> Solution:
        """The derivative of the whole solution with respect to a parameter, as a solution: du/dk at fixed points."""
        return doors.sensitivity_of(self, wrt)

    def predict(self, **parameters: float) -> Prediction:
        """The solution for other values of parameters by its tangents, u + sum_k du/dk (k' - k), with an error."""
        return doors.prediction_of(self, parameters)

    @property
    def points(self) -> np.ndarray:
        """The interior collocation points, (n, d)."""
        if self.stored_points is not None:
            return self.stored_points
        return self.blocks[0].points if self.blocks else self.problem.domain.interior(POINTS)

    @explained
    def residual_values(self, seed: int = 1) -> dict[str, np.ndarray]:
        """The residual of each statement, by its label, at points that were not fitted."""
        left = left_of(self, self.basis.columns, seed)
        return dict(zip(distinct_labels([r.label for r in left]), [r.values for r in left], strict=True))

    # -- what is known of it -----------------------------------------------------------------------------------------
    @property
    def neurons(self) -> int:
        """The number of neurons of the largest space."""
        return self.basis.neurons

    @property
    def size(self) -> str:
        """The size of the basis in words: "500 neurons", "2380 functions"."""
        return f"{self.neurons} {getattr(self.basis, 'noun', 'functions')}"

    @property
    def slabs(self) -> Any:
        """The time slabs of a solution that was marched: their times, estimates and Newton steps; otherwise None."""
        return getattr(self.basis, "slabs", None)

    @property
    def contact(self) -> Any:
        """Where an obstacle is touched: `contact.contains(points)`, and points on its edges, `contact.curves`;
        otherwise None."""
        return getattr(self.basis, "edges", None)

    def shocks(self, time: float) -> tuple[Any, ...]:
        """The shocks of a conservation law at a time, from left to right, each with `place`, `speed`, and the values
        `left` and `right` of it; none for other problems."""
        found = getattr(self.basis, "shocks", None)
        return () if found is None else found(float(time))

    @property
    def rank(self) -> int:
        """The numerical rank of the least-squares problem."""
        return self.diagnostics.rank

    def with_history(self, steps: tuple[Any, ...]) -> Solution:
        """The same solution with the networks that led to it."""
        return replace(self, history=steps)

    @property
    def error(self) -> float:
        """The estimated relative L2 error."""
        return self.diagnostics.error

    @property
    def status(self) -> Status:
        """How the solve ended: "solved", or for an iteration "converged", "stalled" and so on."""
        return self.diagnostics.status

    @cached_property
    def uncertainty(self) -> Any:
        """How errors of measured values change the solution; None if there are no such values."""
        known = self.diagnostics
        weights, numbers = [r.weight for r in known.residuals], tuple(self.parameters.values())
        return uncertainty_of(self.basis, self.blocks, weights, known.triangle, self.coefficients, numbers)  # type: ignore[arg-type]

    def report(self) -> str:
        """Rank, residual of each block, estimated error, where the time went."""
        return report(self)

    # -- pictures and files ------------------------------------------------------------------------------------------
    plot = plot
    view = view
    plot_residual = plot_residual
    plot_neurons = plot_neurons
    plot_pieces = plot_pieces
    animate = animate
    export = export
    to_xarray = to_xarray
    to_frame = to_frame
    to_meshio = to_meshio
    to_pyvista = to_pyvista
    save = save
    save_report = save_report

    # -- the network for other libraries -------------------------------------------------------------------------------
    def to_torch(self) -> Any:
        """The solution as a `torch.nn.Module` in double precision, from points (n, d) to values (n,).

        With several real unknowns the values are (n, unknowns). A solution that is not one network, with functions of
        its own at corners or in pieces, is fitted by one first; a warning says if that misses much.
        """
        return modules.torch_module(self)

    def to_jax(self) -> Any:
        """The solution as a pure function of JAX arrays, from points (n, d) or (d,) to values; as `to_torch`."""
        return modules.jax_function(self)

    def to_onnx(self, path: str | Path) -> Path:
        """Write the solution as an ONNX model, from `points` (n, d) to `values` (n, unknowns); as `to_torch`."""
        return modules.write_onnx(self, path)

    def _repr_html_(self) -> str:
        """The display in a notebook: a small report with a picture."""
        shown: str = notebooks.solution_html(self)
        return shown

    def __repr__(self) -> str:
        features = getattr(self.basis, "noun", "neurons")
        return (
            f"Solution of {', '.join(map(str, self.problem.unknowns))} with {self.neurons} {features}, "
            f"estimated relative error {error_in_words(self.error)}"
        )

    # -- how ---------------------------------------------------------------------------------------------------------
    def _located(self, points: tuple[Any, ...], coordinates: dict[str, Any]) -> tuple[np.ndarray, tuple[int, ...]]:
        """The points (n, d) that a user gave in some form, and the shape of the result; warns about points outside."""
        if not coordinates and (not points or points[0] is None):
            names = ", ".join(f"{c}=..." for c in self.problem.coordinates)
            raise ProblemError(
                f"Say where: an array of points (n, {len(self.problem.coordinates)}), or the coordinates by name, "
                f"({names}). The collocation points are solution.points; solution.problem.domain.interior(500) draws "
                f"others."
            )
        where, shape = located(points, coordinates, [s.name for s in self.problem.coordinates])
        warn_outside(self.problem, where)
        return where, shape
