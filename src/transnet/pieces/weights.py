"""How much each row counts: everything is measured at the highest frequency of a cell's waves.

At the frequency kappa_j = K / (sqrt(3) h_j) an equation i has the size P_iu = sum |c| kappa^k in the unknown u. Factors
r_i of equations and t_u of unknowns with r_i P_iu t_u <= 1, with equality for one equation of each unknown, make a
system dimensionless: for Stokes' equations the pressure is measured in units of mu kappa.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.expansion import Slot
from transnet.lazy import optimize
from transnet.linalg.sizes import rms

NEVER, LARGEST = -1e6, 600.0
"""The logarithm of a zero size, which no assignment takes, and of the largest finite weight."""


@dataclass(frozen=True, eq=False)
class Scale:
    """The units of a cell.

    Parameters
    ----------
    kappa : (d,) array
        The frequency along each axis.
    rows : (equations,) array
        Factors of the equations.
    unknowns : (unknowns,) array
        Units of the unknowns.
    stiffness : float
        The coefficient of the highest derivatives, which scales the energy of a material.
    diffusive : float
        The share of the highest derivatives in the equation: small if convection is not resolved.
    drift : (d,) array
        The first-order coefficients of the first unknown's equation: the direction of a flow.
    """

    kappa: np.ndarray
    rows: np.ndarray
    unknowns: np.ndarray
    stiffness: float
    diffusive: float
    drift: np.ndarray

    def size(self, slots: Sequence[Slot], coefficients: Sequence[np.ndarray]) -> float:
        """The size of a statement in these units."""
        return float(
            sum(
                rms(c) * np.prod(self.kappa ** np.array(index)) * self.unknowns[u]
                for (u, index), c in zip(slots, coefficients, strict=True)
            )
        )


def scale_of(
    kappa: np.ndarray,
    unknowns: int,
    equations: Sequence[tuple[Sequence[Slot], Sequence[np.ndarray]]],
    orders: Sequence[int],
) -> Scale:
    """The units of a cell from the coefficients of its equations; `orders` are those of the unknowns."""
    sizes = np.zeros((len(equations), unknowns))
    for i, (slots, coefficients) in enumerate(equations):
        for (u, index), c in zip(slots, coefficients, strict=True):
            sizes[i, u] += rms(c) * np.prod(kappa ** np.array(index))
    reference = int(np.argmax(orders))
    t, matched = _balance(sizes, reference)
    with np.errstate(divide="ignore"):
        rows = 1.0 / np.maximum((sizes * t).max(axis=1), np.finfo(float).tiny)
    slots, coefficients = equations[matched[reference]]
    top = max((sum(index) for u, index in slots if u == reference), default=0)
    principal = 0.0
    drift = np.zeros(len(kappa))
    for (u, index), c in zip(slots, coefficients, strict=True):
        if u == reference and sum(index) == top:
            principal += rms(c) * float(np.prod(kappa ** np.array(index)))
        if u == reference and sum(index) == 1 and top > 1:
            drift[index.index(1)] = float(np.mean(c))
    whole = sizes[matched[reference], reference]
    # -u'' + u' and u'' - u' are the same flow: the drift is relative to the sign of the highest derivatives.
    terms = zip(slots, coefficients, strict=True)
    turn = -np.sign(sum(float(np.mean(c)) for (u, index), c in terms if u == reference and sum(index) == top)) or 1.0
    stiffness = principal / float(np.linalg.norm(kappa)) ** top if principal > 0 else 1.0
    return Scale(kappa, rows, t, stiffness, principal / whole if whole > 0 else 1.0, turn * drift)


def _balance(sizes: np.ndarray, reference: int) -> tuple[np.ndarray, np.ndarray]:
    """Units t_u of the unknowns and the equation of each: r_i sizes_iu t_u <= 1 with equality for that equation."""
    count = sizes.shape[1]
    with np.errstate(divide="ignore"):
        logs = np.where(sizes > 0, np.log(np.maximum(sizes, np.finfo(float).tiny)), NEVER)
    rows, columns = optimize.linear_sum_assignment(-logs)
    matched = np.zeros(count, dtype=int)
    matched[columns] = rows
    t = np.full(count, np.inf)
    order = [reference, *(u for u in range(count) if u != reference)]
    for source in order:
        if np.isfinite(t[source]):
            continue
        t[source] = 0.0
        for _ in range(count):
            for u in range(count):
                if np.isfinite(t[u]):
                    i = matched[u]
                    for w in range(count):
                        if sizes[i, w] > 0 and w != source:
                            t[w] = min(t[w], t[u] + logs[i, u] - logs[i, w])
    return np.exp(np.clip(t, -LARGEST, LARGEST)), matched
