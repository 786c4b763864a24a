"""Where a value elsewhere, or an integral, is evaluated: places and weights for each node of the equation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Box, Domain
from transnet.measure.rules import box as box_rule
from transnet.measure.rules import gauss
from transnet.rows.compile import compile_equation
from transnet.rows.nodes import Away

MOST_NODES = 20_000
"""Nodes of an integral over a region or a part of a boundary."""
MOST_ALONG = 400
"""The most Gauss nodes of an integral along one coordinate."""
GRADED, DENSITY = (0, 0, 0, 0, 35, -84, 70, -20), 140
"""The coefficients of the polynomial from 0 to 1 whose first three derivatives vanish at both ends, and the factor of
its derivative, a multiple of (t (1 - t))^3."""
FINER = 3
"""The factor for the number of nodes if the kernel is singular."""
Limit = tuple[sp.Symbol, sp.Expr, sp.Expr]


@dataclass(frozen=True, eq=False)
class SlotPlace:
    """Where a slot is evaluated: at `at`, summed with the weight over the bound variables."""

    at: tuple[sp.Expr, ...]
    weight: sp.Expr = sp.S.One
    limits: tuple[Limit, ...] = ()
    region: tuple[Domain, str, tuple[sp.Symbol, ...]] | None = None

    def varies(self, coordinates: Sequence[sp.Symbol]) -> set[sp.Symbol]:
        """The coordinates of the node on which it depends."""
        found: set[Any] = set(self.weight.free_symbols).union(*(a.free_symbols for a in self.at))
        for _, low, high in self.limits:
            found |= low.free_symbols | high.free_symbols
        return found & set(coordinates)

    def away(self, coordinates: Sequence[sp.Symbol], points: np.ndarray, count: int) -> Away:
        """The places and weights for nodes; for a single node if all have the same."""
        if not self.varies(coordinates):
            points = points[:1]
        n = len(points)
        known: dict[sp.Symbol, np.ndarray] = {c: points[:, [k]] for k, c in enumerate(coordinates)}
        weights = np.ones((n, 1))
        if self.region is not None:
            nodes, factor = _region(*self.region, count)
            known |= {c: nodes[None, :, k] for k, c in enumerate(self.region[2])}
            weights = np.broadcast_to(factor, (n, len(nodes)))
        if self.region is None and len(self.limits) == 1 and _singular(self.weight, self.limits[0][0]):
            return self._graded(known, weights, min(FINER * count, MOST_ALONG))
        unit, unit_weights = gauss(count)
        for symbol, low, high in self.limits:
            shape = weights.shape
            a, b = (_value(e, known, shape)[:, :, None] for e in (low, high))
            known = {
                c: np.repeat(np.broadcast_to(v, shape), count, axis=1) if v.shape[1] > 1 else v
                for c, v in known.items()
            }
            known[symbol] = (a + (b - a) * unit).reshape(n, -1)
            weights = (weights[:, :, None] * (b - a) * unit_weights).reshape(n, -1)
        shape = weights.shape
        weights = weights * _value(self.weight, known, shape)
        places = np.stack([_value(a, known, shape) for a in self.at], axis=-1)
        return Away(places.reshape(-1, len(self.at)), np.ascontiguousarray(weights))

    def _graded(self, known: dict[sp.Symbol, np.ndarray], weights: np.ndarray, count: int) -> Away:
        """The same for a kernel that is singular at an end, as a function of the distance from that end.

        These are Gauss nodes in a variable whose fourth powers are these distances, in which roots are smooth.
        """
        ((symbol, low, high),) = self.limits
        t, rule = gauss(count)
        begin, end = (np.polynomial.polynomial.polyval(r, GRADED) for r in (t, 1 - t))
        a, b = (_value(e, known, weights.shape) for e in (low, high))
        weights = weights * (b - a) * rule * DENSITY * (t * (1 - t)) ** 3
        from_low, from_high = sp.symbols("from_low from_high", cls=sp.Dummy)
        # Each distance is used for its half only, and must not reach the other end by rounding.
        near = [(b - a) * np.minimum(distance, 0.5) for distance in (begin, end)]
        known = {**known, symbol: a + (b - a) * begin, from_low: near[0], from_high: near[1]}
        kernels = [self.weight.xreplace({symbol: low + from_low}), self.weight.xreplace({symbol: high - from_high})]
        first, last = (_value(k.doit(), known, weights.shape) for k in kernels)
        places = np.stack([_value(e, known, weights.shape) for e in self.at], axis=-1)
        return Away(places.reshape(-1, len(self.at)), np.ascontiguousarray(weights * np.where(t < 0.5, first, last)))


def _singular(kernel: sp.Expr, symbol: sp.Symbol) -> bool:
    """Whether a kernel may be infinite, or not smooth, at an end: it has a root, a quotient or a logarithm there."""
    powers = [p for p in kernel.atoms(sp.Pow) if p.base.has(symbol)]
    return kernel.has(sp.log) or any(not (p.exp.is_Integer and p.exp.is_nonnegative) for p in powers)


def _value(expression: sp.Expr, known: dict[sp.Symbol, np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    symbols = sorted(expression.free_symbols & known.keys(), key=str)
    if not symbols:
        return np.full(shape, float(expression))
    made = compile_equation(expression, (), symbols, (), str(expression))
    columns = np.stack([np.broadcast_to(known[s], shape).ravel() for s in symbols], axis=1)
    return np.asarray(made.residual(columns)).reshape(shape)


def _region(domain: Domain, part: str, symbols: Sequence[sp.Symbol], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes, with normals on a part of the boundary, and weights."""
    if not part:
        return domain.quadrature(min(count ** len(symbols), MOST_NODES))
    nodes, normals, weights = _surface_rule(domain, part, count)
    return np.concatenate([nodes, normals], axis=1), weights


def _surface_rule(domain: Domain, part: str, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, normals and weights of the integral over a part of the boundary: ends, arcs, or faces of a box."""
    found = []
    for name in domain.resolve(part):
        if domain.dimension == 1:
            end = domain.boundary(name, 1)
            found.append((end.points, end.normals, np.ones(1)))
        elif domain.dimension == 2 and domain.arcs(name):
            found += [arc.quadrature(count) for arc in domain.arcs(name)]
        elif isinstance(domain, Box):
            face = domain.boundary(name, 1)
            axis = int(np.argmax(np.abs(face.normals[0])))
            others = [k for k in range(domain.dimension) if k != axis]
            nodes, weights = box_rule(domain.bounds[:, others], min(count ** len(others), MOST_NODES))
            points = np.full((len(nodes), domain.dimension), face.points[0, axis])
            points[:, others] = nodes
            found.append((points, np.tile(face.normals[0], (len(nodes), 1)), weights))
        else:
            raise ProblemError(
                f"An integral over the part '{part}' of {domain} cannot stand in an equation: parts of plane domains "
                f"and faces of boxes can."
            )
    points, normals, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return points, normals, weights
