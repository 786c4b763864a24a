"""While something is dragged the formulas are read only once: the next frame has another domain or other numbers.

The formulas, and their compiled form, are kept from the last frame if only the text of the domain and the values of
parameters differ. Anything else that has changed, or looks wrong, is read like a problem file.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import sympy as sp

from transnet.errors import TransnetError
from transnet.files.problem_file import ProblemFile, problem_of_text
from transnet.geometry import Pieces
from transnet.language.domains import domain as read_domain
from transnet.language.guarded import Value
from transnet.language.names import Names
from transnet.problem import Problem
from transnet.rows.statements import share_statements

PLACE = Path("problem")
"""The name of a page's text in errors."""
MOVING = ("domain", "parameters")
"""What dragging changes."""
LARGEST = 1e12
"""Larger numbers are read with all checks."""

LONGEST = 20_000
"""Longer texts are read with all checks as well."""
WORD = re.compile(r"\w+")

Table = dict[str, Any]


class FormReader:
    """Reads the problems of one page, and keeps the last."""

    def __init__(self) -> None:
        self._last: tuple[Table, ProblemFile] | None = None

    def read(self, text: str) -> tuple[ProblemFile, Table]:
        """The problem of a text, and the table it consists of."""
        try:
            table = tomllib.loads(text) if len(text) < LONGEST else {}
        except (tomllib.TOMLDecodeError, RecursionError):
            table = {}
        file = self._next(table) or problem_of_text(text, PLACE)
        self._last = table, file
        return file, table

    def _next(self, table: Table) -> ProblemFile | None:
        """The last problem with the domain and the parameters of this one; None if more than that differs."""
        if self._last is None or not isinstance(table.get("domain"), str):
            return None
        before, file = self._last
        values, known = table.get("parameters", {}), before.get("parameters", {})
        said, kept = ({k: v for k, v in t.items() if k not in MOVING} for t in (table, before))
        if (
            said != kept
            or "exact" in table
            or file.eigen is not None
            or not _numbers(values)
            or values.keys() != known.keys()
        ):
            return None
        changed = {n for n in values if values[n] != known[n]}
        problem: Problem | None = file.problem
        if table["domain"] != before["domain"] or changed & set(WORD.findall(table["domain"])):
            problem = _moved(file.problem, table["domain"], values)
        if problem is None:
            return None
        return replace(file, problem=problem, parameters={s: float(values[s.name]) for s in file.parameters})


def _numbers(values: Any) -> bool:
    return isinstance(values, Mapping) and all(
        isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) and abs(v) < LARGEST
        for v in values.values()
    )


def _moved(problem: Problem, text: str, values: Mapping[str, float]) -> Problem | None:
    """The problem on the domain of a text, if that has the same parts."""
    numbers = Names(definitions={n: Value(sp.Float(v), float(v)) for n, v in values.items()})
    try:
        domain = read_domain(text, numbers, PLACE.parent)
        if isinstance(domain, Pieces) or domain.parts != problem.domain.parts:
            return None
        moved = replace(problem, domain=domain)
    except TransnetError:  # it is read again, and reported with its position
        return None
    share_statements(problem, moved)
    return moved
