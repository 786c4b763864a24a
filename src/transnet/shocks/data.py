"""The data of a scalar law as families of characteristics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import sympy as sp

from transnet.reading.search import read_places
from transnet.shocks.family import Characteristics, Flux, s

CELLS = 400
"""Cells of a smooth part of the data."""
STEEP = np.linspace(-8.0, 8.0, 65)
"""Nodes around a steep place, in units of its width."""
MARGIN = 1e-6
"""The part of the length within which the value at an end goes on: what enters by less need not be given."""
ALIKE = 1e-13
"""Places and values that differ by less than this part of their size are the same."""
SIDES = (sp.Piecewise, sp.Heaviside, sp.sign, sp.Abs, sp.Max, sp.Min)


@dataclass(frozen=True)
class Cauchy:
    """What is given: initial values over [low, high], values at the ends, all as formulas of s, and the time.

    Parameters
    ----------
    ends : tuple of two formulas or None
    periodic : bool
    """

    flux: Flux
    initial: sp.Expr
    ends: tuple[sp.Expr | None, sp.Expr | None]
    bounds: tuple[float, float]
    begin: float
    until: float
    periodic: bool


def families_of(data: Cauchy, cells: int = CELLS) -> tuple[Characteristics, ...]:
    """All families, those of the initial values first."""
    low, high = data.bounds
    parts = smooth_parts(data.initial, low, high, cells)
    if data.periodic:
        parts = _repeated(data, parts)
    margin = MARGIN * (high - low)
    if data.ends[0] is None and not data.periodic:
        parts = [(sp.Float(parts[0][0].subs(s, low)), np.array([low - margin, low])), *parts]
    if data.ends[1] is None and not data.periodic:
        parts = [*parts, (sp.Float(parts[-1][0].subs(s, high)), np.array([high, high + margin]))]
    made: list[Characteristics] = []
    potential = 0.0
    for k, (formula, nodes) in enumerate(parts):
        if k:
            made += _fan(
                data.flux,
                nodes[0],
                data.begin,
                parts[k - 1][0].subs(s, nodes[0]),
                formula.subs(s, nodes[0]),
                potential,
                cells,
            )
        made.append(Characteristics(data.flux, s, sp.Float(data.begin), formula, nodes, potential))
        potential = made[-1].last
    first, last = parts[0], parts[-1]
    sides = (
        (data.ends[0], low, first[0].subs(s, low), 0.0),
        (data.ends[1], high, last[0].subs(s, high), potential),
    )
    for values, place, inside, potential in sides:
        if values is None:
            continue
        before = inside
        for formula, nodes in smooth_parts(values, data.begin, data.until, cells):
            made += _fan(data.flux, place, nodes[0], before, formula.subs(s, nodes[0]), potential, cells)
            made.append(Characteristics(data.flux, sp.Float(place), s, formula, nodes, potential))
            potential, before = made[-1].last, formula.subs(s, nodes[-1])
    return tuple(made)


def _fan(
    flux: Flux, place: float, time: float, before: sp.Expr, after: sp.Expr, potential: float, cells: int
) -> list[Characteristics]:
    """The values between both sides of a jump."""
    low, high = sorted((float(before), float(after)))
    if high - low <= ALIKE * max(abs(low), abs(high)):
        return []
    return [Characteristics(flux, sp.Float(place), sp.Float(time), s, np.linspace(low, high, cells + 1), potential)]


def smooth_parts(formula: sp.Expr, low: float, high: float, cells: int) -> list[tuple[sp.Expr, np.ndarray]]:
    """A formula of s between its jumps and kinks, each part with its own smooth formula and nodes."""
    places = read_places(formula, [s], np.array([[low], [high]]))
    size = high - low
    cuts = [c for p in places if p.kind in ("jump", "kink") for c in p.centres[:, 0]]
    cuts = sorted([*cuts, *_borders(formula, low, high)])
    inner = [c for k, c in enumerate(cuts) if low < c < high and (k == 0 or c - cuts[k - 1] > ALIKE * size)]
    edges = [low, *inner, high]
    made = []
    for a, b in pairwise(edges):
        nodes = [np.linspace(a, b, cells + 1)]
        for p in places:
            if p.kind in ("step", "peak"):
                nodes += [c + w * STEEP for c, w in zip(p.centres[:, 0], p.widths[:, 0], strict=True)]
        every = np.unique(np.concatenate(nodes))
        made.append((_smooth(formula, 0.5 * (a + b)), every[(every >= a) & (every <= b)]))
    return made


def _borders(formula: sp.Expr, low: float, high: float) -> list[float]:
    """Where the branches of a `Piecewise` meet."""
    found: list[float] = []
    for piecewise in formula.atoms(sp.Piecewise):
        for _, condition in piecewise.args:
            for relation in condition.atoms(sp.core.relational.Relational):
                difference = sp.sign(relation.lhs - relation.rhs)
                for p in read_places(difference, [s], np.array([[low], [high]])):
                    found += list(p.centres[:, 0])
    return found


def _smooth(formula: sp.Expr, inside: float) -> sp.Expr:
    """The formula that holds around a place."""

    def chosen(e: sp.Expr) -> sp.Expr:
        if isinstance(e, sp.Piecewise):
            return next((b for b, c in e.args if bool(c.subs(s, inside))), sp.nan)
        if isinstance(e, sp.Max | sp.Min):
            return (max if isinstance(e, sp.Max) else min)(e.args, key=lambda a: float(a.subs(s, inside)))
        side = sp.Integer(1 if float(e.args[0].subs(s, inside)) > 0 else -1)
        return side * e.args[0] if isinstance(e, sp.Abs) else (side + 1) / 2 if isinstance(e, sp.Heaviside) else side

    return formula.replace(lambda e: isinstance(e, SIDES), chosen)


def _repeated(data: Cauchy, parts: Sequence[tuple[sp.Expr, np.ndarray]]) -> list[tuple[sp.Expr, np.ndarray]]:
    """The initial values of as many periods as reach the domain in time."""
    low, high = data.bounds
    start = (Characteristics(data.flux, s, sp.Integer(0), f, n, 0.0) for f, n in parts)
    speed = max(float(np.abs(c.reached(c.nodes, np.ones(1)) - c.nodes).max()) for c in start)
    turns = int(np.ceil(speed * (data.until - data.begin) / (high - low))) + 1
    return [(f.subs(s, s - k * (high - low)), n + k * (high - low)) for k in range(-turns, turns + 1) for f, n in parts]
