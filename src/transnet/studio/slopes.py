"""A chosen result of the page's problem: its value, its slope at each slider, and how it grows where a part moves."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np

from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import ProblemError, TransnetError
from transnet.files.design import NUMBERS, number_of
from transnet.files.problem_file import problem_of_text
from transnet.geometry import Pieces
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution
from transnet.studio.reading import PLACE

TOL = 1e-6
"""The relative error of the solve: more than a slider shows."""
ARROWS = 48
"""Arrows around the domain, spread by length, and at least two on each arc."""


def slopes_of(text: str) -> tuple[dict[str, Any], np.ndarray]:
    """The value of the first result of a problem file, its slopes by parameters, and arrows (n, 4): a place on the
    boundary, and the normal there times the derivative by the normal speed, the largest of length one."""
    file = problem_of_text(text, PLACE)
    stated = tomllib.loads(text).get("parameters", {})
    wanted = next((r for r in file.results if r.kind in NUMBERS), None)
    if wanted is None or file.eigen is not None:
        raise ProblemError("A result is one number of a solution: integral(u), mean(u), norm(u) or flux(rim).")
    varied = problem_of_text(text, PLACE, free=[n for n, v in stated.items() if isinstance(v, int | float)])
    solution = carried_out(Plan(varied.problem, tol=TOL, parameters=varied.parameters))
    number = number_of(wanted, solution)
    if not isinstance(number, Number):
        raise ProblemError(f"{wanted.name} is not one number.")
    slopes = {p.name: _slope(solution, number, p.name) for p in varied.parameters}
    head = {"name": wanted.name, "value": float(number), "off": float(number.error), "slopes": slopes}
    return head, _arrows(solution, number)


def _slope(solution: Solution, number: Number, name: str) -> float | None:
    """One derivative; None if it does not exist."""
    try:
        slope = float(solution.gradient(number, wrt=[name])[name])
    except TransnetError:
        return None
    return slope if np.isfinite(slope) else None


def _arrows(solution: Solution, number: Number) -> np.ndarray:
    domain = solution.problem.domain
    found = [np.zeros((0, 4))]
    if domain.dimension != 2 or isinstance(domain, Pieces):
        return found[0]
    whole = sum(domain.measure(part) for part in domain.parts)
    for part in domain.parts:
        try:
            speed = solution.gradient(number, wrt=part)[part]
            for arc in domain.arcs(part):
                count = max(int(ARROWS * arc.length / whole), 2)
                points, normals = arc.at((np.arange(count) + 0.5) * arc.length / count)
                found.append(np.hstack([points, normals * np.asarray(speed(points))[:, None]]))
        except TransnetError:
            continue  # a part that cannot move, or of which the result itself is
    arrows = np.concatenate(found)
    longest = float(np.linalg.norm(arrows[:, 2:], axis=1).max(initial=0.0)) or 1.0
    arrows[:, 2:] /= longest
    return arrows
