"""What a result is a result of: functionals of the solution, which `solution.gradient` differentiates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp


@dataclass(frozen=True, eq=False)
class OfIntegral:
    """The integral of an expression over the domain, a piece or a part of the boundary, at fixed coordinates."""

    expression: sp.Expr
    part: str | None
    fixed: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class OfValue:
    """The value of an expression at a point (d,)."""

    expression: sp.Expr
    point: np.ndarray
