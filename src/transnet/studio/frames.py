"""What the page draws, as arrays of numbers: a grid of values around the domain, and the domain's edge as lines.

The values extend a little beyond the edge, so that the page can interpolate smoothly up to it and clip the picture at
the true outline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError, TransnetError
from transnet.geometry import Domain
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.problem import expressions_of
from transnet.sections.section import embedded, section, sliced
from transnet.sections.simplices import outline
from transnet.solution.solution import Solution

FINEST = 200
"""Points of a grid along its longer side: beyond that the page's own interpolation is as good."""
ROOM = 2
"""Cells of the grid beyond the box of the domain."""
SPACING = 120
"""Pieces of the outline along the shorter side of the domain."""
LARGEST = 1e30
"""The largest value that fits single precision, with room for interpolation."""
SMALLEST = 1e-17
"""The smallest residual drawn: residuals are drawn as powers of ten, and zero has none."""


@dataclass(frozen=True)
class Look:
    """What is displayed.

    Parameters
    ----------
    show : str
        A formula of the unknowns; "residual" is the residual of the equations. Empty: the first unknown.
    flow : str
        Two formulas with a comma between them, the field of the streamlines; "grad" the gradient of what is shown.
    fixed : dict
        Values of coordinates that are not axes of the picture.
    grid : int
        Points along the longer side.
    window : tuple, optional
        The rectangle x0, y0, x1, y1 that is seen, if it is not the whole domain.
    """

    show: str = ""
    flow: str = ""
    fixed: Mapping[str, float] = field(default_factory=dict)
    grid: int = 64
    window: tuple[float, float, float, float] | None = None


def view_of(message: Mapping[str, Any]) -> Look:
    """The view of a message; entries of the wrong kind are ignored."""
    fixed = {str(k): float(v) for k, v in dict(message.get("fixed") or {}).items()}
    window = message.get("window")
    corners = tuple(float(w) for w in window) if window else None
    if corners is not None and (len(corners) != 4 or not np.all(np.isfinite(corners)) or corners[0] >= corners[2]):
        corners = None
    grid = int(np.clip(int(message.get("grid", 64)), 8, FINEST))
    return Look(str(message.get("show", ""))[:2000], str(message.get("flow", ""))[:2000], fixed, grid, corners)


@dataclass(frozen=True, eq=False)
class Packed:
    """A picture in numbers: `head` says how to read the arrays."""

    head: dict[str, Any]
    arrays: tuple[np.ndarray, ...] = ()


class Painter:
    """Makes frames of solutions."""

    def frame(self, solution: Solution, view: Look) -> Packed:
        """The displayed values on a grid, the flow, and the outline of the domain."""
        problem = solution.problem
        names = [c.name for c in problem.coordinates]
        axes, fixed = seen_axes(problem.domain, names, view.fixed)
        if len(axes) == 1:
            return self._line(solution, view, axes[0], names)
        shown = np.asarray(problem.domain.bounds)[:, list(axes)]
        rest = sliced(problem.domain, fixed)
        low, high = np.asarray(rest.bounds) if isinstance(rest, Domain) and fixed else shown
        if view.window is not None:
            corners = np.array(view.window).reshape(2, 2)
            low, high = np.maximum(low, corners[0]), np.minimum(high, corners[1])
            if np.any(low >= high):
                low, high = shown
        counts, low, high = _grid_of(low, high, view.grid, "t" in [names[a] for a in axes])
        grid = np.stack(
            np.meshgrid(np.linspace(low[0], high[0], counts[0]), np.linspace(low[1], high[1], counts[1])), -1
        )
        points = embedded(grid.reshape(-1, 2), axes, fixed)
        near = near_domain(problem.domain.contains(points), counts)
        values = _spread(self.values(solution, view.show, points[near]), near)
        flow = [_spread(f, near) for f in self._flow(solution, view, points[near], axes)]
        lines, parts = edges(problem.domain, rest, fixed)
        head = {
            "axes": [names[a] for a in axes],
            "box": [float(v) for v in (*low, *high)],
            "counts": [int(c) for c in counts],
            "lines": [len(line) for line in lines],
            "parts": parts,
            "flow": len(flow),
            "all": {n: [float(b) for b in problem.domain.bounds[:, k]] for k, n in enumerate(names)},
        }
        return Packed(head, (values, *flow, *(np.asarray(line).ravel() for line in lines)))

    def _line(self, solution: Solution, view: Look, axis: int, names: list[str]) -> Packed:
        low, high = np.asarray(solution.problem.domain.bounds)[:, axis]
        fixed = {k: view.fixed.get(n, 0.0) for k, n in enumerate(names) if k != axis}
        places = np.linspace(low, high, 401)
        values = self.values(solution, view.show, embedded(places[:, None], (axis,), fixed))
        head = {"axes": [names[axis]], "box": [float(low), float(high)], "counts": [len(places)], "lines": []}
        return Packed({**head, "parts": [], "flow": 0, "all": {names[axis]: [float(low), float(high)]}}, (values,))

    def values(self, solution: Solution, show: str, points: np.ndarray) -> np.ndarray:
        """The displayed values at points, finite."""
        name = show.strip() or solution.names[0]
        if name in solution.names:
            return _finite(solution[name].at(points))
        if name == "residual":
            squares = [solution.value_of(r, points) ** 2 for e in solution.problem.equations for r in expressions_of(e)]
            return np.log10(np.maximum(_finite(np.sqrt(sum(squares))), SMALLEST))
        return _finite(np.broadcast_to(solution.value_of(drawn_expression(solution, name), points), len(points)))

    def _flow(self, solution: Solution, view: Look, points: np.ndarray, axes: tuple[int, ...]) -> list[np.ndarray]:
        if not view.flow:
            return []
        if view.flow == "grad":
            base = drawn_expression(solution, view.show.strip() or solution.names[0])
            parts = [sp.diff(base, solution.problem.coordinates[a]) for a in axes]
        else:
            parts = [drawn_expression(solution, part) for part in view.flow.split(",")]
        if len(parts) != 2:
            raise ProblemError("A flow has two components: write them with a comma between, u, v.")
        return [_finite(np.broadcast_to(solution.value_of(p, points), len(points))) for p in parts]


def seen_axes(domain: Domain, names: list[str], fixed: Mapping[str, float]) -> tuple[tuple[int, ...], dict[int, float]]:
    """The coordinates that are drawn, the first two of space or of those there are, and the values of the others."""
    order = sorted(range(len(names)), key=lambda k: names[k] == "t")
    axes = tuple(sorted(order[:2]))
    low, high = np.asarray(domain.bounds)
    others = {}
    for k, name in enumerate(names):
        if k not in axes:
            middle = low[k] if name == "t" else (low[k] + high[k]) / 2
            others[k] = float(np.clip(fixed.get(name, middle), low[k], high[k]))
    return axes, others


def edges(domain: Domain, rest: Domain | str, fixed: Mapping[int, float]) -> tuple[list[np.ndarray], list[str]]:
    """The outline as polylines, and the name of the part that each belongs to."""
    if not isinstance(rest, Domain):
        return section(domain, fixed, 60).lines, []
    spacing = float(np.ptp(np.asarray(rest.bounds), axis=0).min()) / SPACING
    lines, parts = [], []
    try:
        for part in rest.parts:
            for arc in rest.arcs(part):
                ends = arc.at(np.array([0.0, arc.length / 3, arc.length]))[1]
                straight = np.ptp(ends, axis=0).max() < 1e-9
                count = 2 if straight else int(np.clip(arc.length / spacing, 24, 400))
                lines.append(arc.at(np.linspace(0.0, arc.length, count))[0])
                parts.append(part)
    except TransnetError:
        return outline(rest, spacing), []
    return lines, parts


def drawn_expression(solution: Solution, text: str) -> sp.Expr:
    """A formula of the unknowns, read by the guarded grammar."""
    problem = solution.problem
    names = Names(
        {c.name: c for c in problem.coordinates},
        {u.func.__name__: u for u in problem.unknowns},
        {p.name: p for p in problem.parameters},
    )
    expression = formula(text, names).expression
    if not isinstance(expression, sp.Expr):
        raise ProblemError("Only a number can be drawn: write one component, or a length such as sqrt(u**2 + v**2).")
    return expression


def _grid_of(
    low: np.ndarray, high: np.ndarray, longest: int, timelike: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = high - low
    shape = np.ones(2) if timelike else np.maximum(size / size.max(), 0.2)
    counts = np.maximum(np.round(longest * shape).astype(int), 12)
    cell = size / (counts - 1 - 2 * ROOM)
    return counts, low - ROOM * cell, high + ROOM * cell


def near_domain(inside: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Which points of a grid are inside or within a few cells: further out a network may take any value."""
    near = inside.reshape(counts[1], counts[0])
    for _ in range(ROOM + 1):
        wider = near.copy()
        wider[1:] |= near[:-1]
        wider[:-1] |= near[1:]
        near = wider.copy()
        near[:, 1:] |= wider[:, :-1]
        near[:, :-1] |= wider[:, 1:]
    return near.ravel() if near.any() else np.ones(near.size, dtype=bool)


def _spread(values: np.ndarray, near: np.ndarray) -> np.ndarray:
    whole = np.zeros(len(near))
    whole[near] = values
    return whole


def _finite(values: np.ndarray) -> np.ndarray:
    return np.clip(np.nan_to_num(np.asarray(values, dtype=float)), -LARGEST, LARGEST)
