"""Right-hand sides of statements in pieces or cells, for every place of a statement, from formulas or as given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.prepared.rights import agreed, array_of, matching
from transnet.rows.rights import constants_of
from transnet.rows.statements import Statement
from transnet.tolerances import ROUNDED


@dataclass(frozen=True, eq=False)
class Entry:
    """A block of rows that something is stated in: of a cell, a face or a mean value, and its number there.

    `points` are those of the rows, followed by those at which an equation is only judged.
    """

    place: str
    owner: int
    number: int
    label: str
    statement: Statement
    points: np.ndarray
    normals: np.ndarray | None
    fitted: int
    values: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Gathered:
    """All places of one statement: the numbers of their entries, and their points one after the other."""

    statement: Statement
    entries: tuple[int, ...]
    points: np.ndarray

    @property
    def rows(self) -> int:
        """A mean value has one right-hand side, whatever the number of its points."""
        return 1 if self.statement.averaged else len(self.points)


def by_statement(entries: Sequence[Entry]) -> list[Gathered]:
    """The entries grouped by statement, which may occur in several materials."""
    members: dict[tuple[str, int], list[int]] = {}
    for i, entry in enumerate(entries):
        members.setdefault((entry.label, id(entry.statement.source)), []).append(i)
    return [
        Gathered(entries[which[0]].statement, tuple(which), np.concatenate([entries[i].points for i in which]))
        for which in members.values()
    ]


def same_operator(old: Entry, new: Entry, numbers: Sequence[float]) -> bool:
    """Whether two statements of the same cell or face differ at most on their right-hand sides."""
    a, b = old.statement, new.statement
    same_place = (old.place, old.owner, old.number) == (new.place, new.owner, new.number)
    if not same_place or a.equation.slots != b.equation.slots or a.weight != b.weight or a.kind != b.kind:
        return False
    if old.points.shape != new.points.shape or not np.allclose(old.points, new.points, rtol=0, atol=ROUNDED):
        return False
    factors = (s.equation.jacobian(old.points, old.normals, numbers) for s in (a, b))
    return all(np.allclose(p, q, rtol=ROUNDED, atol=0.0) for p, q in zip(*factors, strict=True))


def rights_by_entry(entries: Sequence[Entry], values: Mapping[Any, Any]) -> tuple[dict[int, np.ndarray], int]:
    """Right-hand sides (n, k) or (n, 1) by the number of an entry, from those given for statements; and k."""
    groups = by_statement(entries)
    found: dict[int, np.ndarray] = {}
    count = 1
    for key, value in values.items():
        for number in matching([g.statement for g in groups], key):
            group = groups[number]
            array = array_of(group.statement.label, group.points, group.rows, value, _folded(group))
            if array.ndim == 2:
                count = agreed(count, len(array), key)
            table = np.atleast_2d(array).T
            if group.rows == 1:
                table = np.broadcast_to(table, (len(group.points), table.shape[1]))
            ends = np.cumsum([len(entries[i].points) for i in group.entries])[:-1]
            found.update(zip(group.entries, np.split(table, ends), strict=True))
    return found, count


def _folded(group: Gathered) -> Any:
    return (lambda v: np.atleast_1d(np.mean(v))) if group.rows == 1 else (lambda v: v)


def rights_of(
    entries: Sequence[Entry], table: np.ndarray, given: Mapping[int, np.ndarray], which: np.ndarray
) -> list[np.ndarray]:
    """The right-hand sides (n, k) of every entry for the parameters in the rows of a table."""
    found: list[np.ndarray] = [np.zeros(0)] * len(entries)
    by_equation: dict[int, list[int]] = {}
    for i, entry in enumerate(entries):
        if i in given:
            chosen = given[i] if given[i].shape[1] == 1 else given[i][:, which]
            found[i] = np.broadcast_to(chosen, (len(entry.points), len(table)))
        else:
            by_equation.setdefault(id(entry.statement.equation), []).append(i)
    for members in by_equation.values():
        first = entries[members[0]]
        points = np.concatenate([entries[i].points for i in members])
        normals = None
        if first.normals is not None:
            normals = np.concatenate([e.normals for e in (entries[i] for i in members) if e.normals is not None])
        ends = np.cumsum([len(entries[i].points) for i in members])[:-1]
        all_of_it = constants_of(replace(first, points=points, normals=normals), table)
        for i, part in zip(members, np.split(all_of_it, ends), strict=True):
            values = entries[i].values
            whole = part if values is None else part + values[:, None]
            found[i] = np.broadcast_to(whole, (len(part), len(table)))
    return found
