"""Events: an expression of the unknowns that changes sign ends a march."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.counts import ALONG, LOOKS
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.lazy import optimize
from transnet.rows.compile import compile_equation
from transnet.slabs.evolution import Passing
from transnet.slabs.expansion import SlabBasis
from transnet.tolerances import EPS, PRECISION

CLOSER = 6
"""How often the moment at which a value is nearest to zero is looked for between the two beside it, each time sixteen
times closer."""


class Event:
    """The value of an expression over time: of the unknowns at a place, or the largest over space."""

    def __init__(
        self, evolution: Passing, expression: Any, values: tuple[Any, ...], everywhere: np.ndarray | None = None
    ) -> None:
        problem = evolution.problem
        sides = isinstance(expression, sp.Equality)
        text = formula_of(expression.lhs - expression.rhs if sides else expression, "until=", ProblemError)
        if not text.has(AppliedUndef):
            raise ProblemError(
                f"until={expression} is not an expression of the unknowns ({', '.join(map(str, problem.unknowns))}). "
                f"Give one that changes sign when the march is to stop, such as until={problem.unknowns[0]} - 1."
            )
        self.evolution, self.values, self.text, self.everywhere = evolution, values, text, everywhere
        self.places = self._places(text)
        compiled = compile_equation(text.xreplace(self.places[0]), problem.unknowns, problem.coordinates,
                                    problem.parameters, str(text))  # fmt: skip
        self.equation = compiled

    def _places(self, text: sp.Expr) -> tuple[dict[sp.Basic, sp.Basic], np.ndarray]:
        """Unknowns at places as plain unknowns, and the places in space to evaluate."""
        evolution = self.evolution
        problem, time = evolution.problem, evolution.time
        found: dict[tuple[float, ...], None] = {}
        renamed: dict[sp.Basic, sp.Basic] = {}
        for atom in text.atoms(AppliedUndef):
            own = next((u for u in problem.unknowns if u.func == atom.func), None)
            if own is None or atom.args[own.args.index(time)] != time:
                raise ProblemError(f"until has {atom}, which is not an unknown of the problem as a function of time.")
            if atom != own:
                at = dict(zip(own.args, atom.args, strict=True))
                try:
                    found[tuple(float(at[c]) for c in problem.coordinates if c != time)] = None
                except TypeError:
                    raise ProblemError(
                        f"until has {atom}: its place in space must be given by numbers, or not at all."
                    ) from None
                renamed[atom] = own
        if len(found) > 1:
            raise ProblemError(f"until={text} has unknowns at several places. Only one place can be watched.")
        if found:
            return renamed, np.array(list(found))
        if self.everywhere is not None:
            return renamed, self.everywhere
        low, high = evolution.bounds
        count = int(ALONG ** (1 / max(len(low), 1))) if len(low) else 1
        axes = [np.linspace(a, b, count) for a, b in zip(low, high, strict=True)]
        mesh = np.meshgrid(*axes, indexing="ij") if axes else []
        return renamed, np.stack([m.ravel() for m in mesh], axis=1) if axes else np.zeros((1, 0))

    def __call__(self, basis: SlabBasis, coefficients: np.ndarray, times: np.ndarray) -> np.ndarray:
        """The value at moments."""
        points = self.evolution.joined(self.places[1], times)
        slots = basis.derivatives(coefficients, points, self.equation.slots)
        value = self.equation.residual(points, None, self.values, slots).reshape(-1, len(times))
        return np.asarray(value.max(axis=0))

    def _followed(self, basis: SlabBasis, coefficients: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Moments and values, with the moments between them at which the value is nearest to zero: it may change sign
        twice between two of them."""
        values = self(basis, coefficients, times)
        size = np.abs(values)
        least = (
            np.flatnonzero((size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:]) & (values[:-2] * values[2:] > 0)) + 1
        )
        for k in least:
            a, b = times[k - 1], times[k + 1]
            for _ in range(CLOSER):
                near = np.linspace(a, b, LOOKS)
                there = self(basis, coefficients, near)
                if (there * values[k] < 0).any():
                    break
                j = int(np.argmin(np.abs(there)))
                a, b = near[max(j - 1, 0)], near[min(j + 1, LOOKS - 1)]
            times, values = np.concatenate([times, near]), np.concatenate([values, there])
        order = np.argsort(times if times[-1] >= times[0] else -times, kind="stable")
        return times[order], values[order]

    def crossed(self, basis: SlabBasis, coefficients: np.ndarray, begin: float, end: float) -> float | None:
        """When the sign changes between two moments; None if it does not."""
        times, values = self._followed(basis, coefficients, np.linspace(begin, end, LOOKS))
        change = np.flatnonzero((values[:-1] != 0) & (values[:-1] * values[1:] <= 0))
        if not len(change):
            return None
        a, b = times[change[0]], times[change[0] + 1]

        def at(t: float) -> float:
            return float(self(basis, coefficients, np.array([t]))[0])

        return (
            float(optimize.brentq(at, a, b, xtol=EPS * max(abs(a), abs(b)), rtol=PRECISION)) if at(b) != 0 else float(b)
        )
