"""Linear equations of second order in weak form, read from their statements.

An equation is div(C grad u) + b . grad u + c u + f = 0. Multiplied by a test function and integrated by parts it leaves
the flux n . C grad u on the boundary, and that is what a condition with first derivatives gives. Second derivatives
determine only the symmetric part of C; the rest, which makes a flux of the elastic equations a traction, is read from
the conditions and from what is continuous across interfaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.rows.equation import Equation
from transnet.tolerances import SAME

DIMENSION = 3
"""Blocks are in space."""


@dataclass(frozen=True, eq=False)
class Terms:
    """The coefficients of a row at points: of second and first derivatives, of the unknowns, and the rest.

    Each has the points first, or 1 if it is constant: (n, unknowns, d, d), (n, unknowns, d), (n, unknowns) and (n,).
    """

    second: np.ndarray
    first: np.ndarray
    zeroth: np.ndarray
    rest: np.ndarray


def terms_at(
    equation: Equation, unknowns: int, points: np.ndarray, normals: np.ndarray | None, numbers: Sequence[Any]
) -> Terms:
    """The coefficients of a linear equation at points; second derivatives are shared evenly between their axes."""
    factors = equation.jacobian(points, normals, numbers)
    n = len(points) if any(np.ndim(c) for c in factors) else 1
    second = np.zeros((n, unknowns, DIMENSION, DIMENSION))
    first, zeroth = np.zeros((n, unknowns, DIMENSION)), np.zeros((n, unknowns))
    for (unknown, index), c in zip(equation.slots, factors, strict=True):
        axes = [a for a, power in enumerate(index) for _ in range(power)]
        if len(axes) == 2:
            second[:, unknown, axes[0], axes[1]] += 0.5 * c
            second[:, unknown, axes[1], axes[0]] += 0.5 * c
        elif len(axes) == 1:
            first[:, unknown, axes[0]] += c
        else:
            zeroth[:, unknown] += c
    return Terms(second, first, zeroth, equation.residual(points, normals, numbers))


@dataclass(frozen=True, eq=False)
class Form:
    """The equations of a material in weak form, in the order of the unknowns that they belong to.

    Parameters
    ----------
    turned : (equations, unknowns, d, d) array
        What is added to the symmetric part of C; it changes sign if its axes are exchanged.
    """

    equations: tuple[Equation, ...]
    numbers: tuple[Any, ...]
    turned: np.ndarray

    @property
    def unknowns(self) -> int:
        return len(self.equations)

    def at(self, points: np.ndarray) -> list[Terms]:
        """The coefficients at points."""
        found = []
        for e, equation in enumerate(self.equations):
            c = terms_at(equation, self.unknowns, points, None, self.numbers)
            found.append(Terms(c.second + self.turned[e], c.first, c.zeroth, c.rest))
        return found


def owned(equations: Sequence[Equation], points: np.ndarray, numbers: Sequence[Any]) -> list[Equation] | None:
    """The equations in the order of the unknowns whose second derivatives are largest in them; None if one has none."""
    count = len(equations)
    sizes = np.zeros((count, count))
    for e, equation in enumerate(equations):
        second = terms_at(equation, count, points, None, numbers).second
        sizes[e] = np.abs(np.einsum("nuaa->nua", second)).max(axis=(0, 2))
    found: dict[int, Equation] = {}
    least = SAME * sizes.max()
    for _ in range(count):  # the largest that is left
        row, unknown = divmod(int(np.argmax(sizes)), count)
        if not sizes[row, unknown] > least:
            return None
        found[unknown] = equations[row]
        sizes[row], sizes[:, unknown] = 0.0, 0.0
    return [found[u] for u in range(count)]


@dataclass(frozen=True, eq=False)
class Natural:
    """Conditions on a face that state fluxes: flux_e = sum_r inverse_er (given_r - robin_ru u_u) at its points.

    Parameters
    ----------
    flux : (n, free, unknowns, d) array
        The flux of the equations of the free unknowns that the conditions mean, n_a C_ak.
    """

    free: tuple[int, ...]
    flux: np.ndarray
    robin: np.ndarray
    given: np.ndarray


def natural_of(
    rows: Sequence[Terms], free: Sequence[int], form: Form, points: np.ndarray, axis: int, sign: float
) -> Natural | None:
    """What rows say of fluxes through a face at points; None if they do not determine them."""
    n, count = len(points), form.unknowns
    if len(rows) != len(free) or any(np.any(row.second) for row in rows):
        return None
    if not free:
        return Natural((), np.zeros((n, 0, count, DIMENSION)), np.zeros((n, 0, count)), np.zeros((n, 0)))
    inside = form.at(points)
    across = sign * np.stack([np.broadcast_to(inside[e].second[:, :, axis, axis], (n, count)) for e in free], axis=1)
    slopes = np.stack([np.broadcast_to(row.first, (n, count, DIMENSION)) for row in rows], axis=1)
    robin = np.stack([np.broadcast_to(row.zeroth, (n, count)) for row in rows], axis=1)
    given = np.stack([np.broadcast_to(row.rest, (n,)) for row in rows], axis=1)
    # The rows are combinations of fluxes; their normal derivatives say which.
    mine = list(free)
    left = slopes[:, :, mine, axis]
    if np.linalg.cond(left).max() > 1.0 / SAME:
        return None
    combined = across[:, :, mine] @ np.linalg.inv(left)
    flux = np.einsum("ner,nruk->neuk", combined, slopes)
    return Natural(tuple(free), flux, combined @ robin, -np.einsum("ner,nr->ne", combined, given))


def turned_by(form: Form, natural: Natural, axis: int, sign: float, points: np.ndarray) -> np.ndarray | None:
    """What the conditions on a face add to the symmetric part of C, with nan where they say nothing; None if they
    contradict it."""
    count = form.unknowns
    found = np.full((count, count, DIMENSION, DIMENSION), np.nan)
    inside = form.at(points)
    for place, e in enumerate(natural.free):
        stated = sign * natural.flux[:, place]
        extra = stated - inside[e].second[:, :, axis, :]
        size = SAME**0.5 * np.abs(inside[e].second).max()
        if np.ptp(extra, axis=0).max() > size or np.abs(extra[:, :, axis]).max() > size:
            return None
        found[e, :, axis, :] = extra.mean(axis=0)
        found[e, :, :, axis] = -extra.mean(axis=0)
        found[e, :, axis, axis] = 0.0
    return found
