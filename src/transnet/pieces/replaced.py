"""Which of the natural conditions of an interface the stated ones replace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp
from scipy.optimize import linear_sum_assignment
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.pieces.fluxes import derivative_atoms
from transnet.problem import Condition

Natural = tuple[str, Any, sp.Expr]
"""A condition that holds across an interface unless another is stated: kind, what it is of, the jump that vanishes."""
Stated = tuple[str, sp.Expr, set[sp.Expr], bool, Condition]
"""A condition of the user on an interface: text, expression, what jumps in it, whether it holds on each side, place."""


def not_replaced(
    natural: Sequence[Natural], stated: Sequence[Stated], coordinates: Sequence[sp.Symbol], place: str
) -> list[Natural]:
    """The natural conditions without those that the stated ones replace.

    Each stated condition replaces the natural one whose values and derivatives are most like those that jump in it.
    One that holds on both sides is two: the second replaces whatever is left of the same unknowns.
    """
    like = np.full((len(stated), len(natural) + len(stated)), -1.0)  # the last columns: nothing is replaced
    for j, (_, _, jump) in enumerate(natural):
        whole = about(jump, coordinates)
        for i, (_, _, jumping, on_both, _) in enumerate(stated):
            shared = len(whole & jumping) / len(whole | jumping)
            if shared > 0 or (on_both and not _unknowns(whole).isdisjoint(_unknowns(jumping))):
                like[i, j] = shared
    rows, columns = linear_sum_assignment(like, maximize=True)
    for i, j in zip(rows, columns, strict=True):
        if like[i, j] < 0:
            raise ProblemError(
                f"The condition '{stated[i][0]}' on '{place}' is one too many: everything that can be stated there has "
                f"been stated. A second-order equation has one condition on the values and one on the flux across an "
                f"interface; what is not stated is continuous."
            )
    return [n for j, n in enumerate(natural) if j not in columns]


def about(expression: sp.Expr, coordinates: Sequence[sp.Symbol]) -> set[sp.Expr]:
    """The unknowns that occur by themselves in an expression, and the derivatives."""
    hidden = expression.xreplace({d: sp.Dummy() for d in expression.atoms(sp.Derivative)})
    alone = hidden.atoms(AppliedUndef)
    atoms = derivative_atoms(expression, coordinates)
    return {a for a, (_, index) in atoms.items() if sum(index) > 0 or a in alone}


def _unknowns(atoms: set[sp.Expr]) -> set[sp.Expr]:
    """The unknowns of derivatives, on either side."""
    return {f for atom in atoms for f in atom.atoms(AppliedUndef)}
