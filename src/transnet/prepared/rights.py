"""Other right-hand sides for a prepared problem: from other formulas, or from arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.problem import Condition, Problem, text_of
from transnet.rows.blocks import Block
from transnet.rows.statements import Statement, distinct_labels, statements_of

SEPARATELY = "Prepare it separately: tn.prepare(problem)."
OTHER = (
    "The problem has other unknowns, parameters or statements than the one that was prepared, so its matrix "
    f"is different. {SEPARATELY}"
)


def with_values(blocks: Sequence[Block], values: Mapping[Any, Any]) -> tuple[dict[int, np.ndarray], int]:
    """The right-hand sides that `values` replaces, by the number of the block, and the number of each."""
    found: dict[int, np.ndarray] = {}
    count = 1
    for key, value in values.items():
        for number in matching([b.statement for b in blocks], key):
            block = blocks[number]
            array = array_of(block.statement.label, block.points, block.rows, value, block.nodes.folded)
            if array.ndim == 2:
                count = agreed(count, len(array), key)
            found[number] = np.atleast_2d(array).T
    return found, count


def matching(statements: Sequence[Statement], key: Any) -> list[int]:
    """The statements that a key of `values` refers to: a condition, an equation as stated, or a label."""
    labels = [s.label for s in statements]
    if isinstance(key, Condition):
        found = [i for i, s in enumerate(statements) if s.source is key or s.source == key]
    elif isinstance(key, sp.Basic):
        found = [i for i, s in enumerate(statements) if s.equation.text == text_of(key)]
    else:
        # If several statements share a label, a number is appended to it, as in prepared.points.
        found = [i for i, label in enumerate(distinct_labels(labels)) if label == key]
    if not found:
        raise ProblemError(
            f"values has the key {shown(key)}, which is not a statement of the problem. Use an equation or a condition "
            f"as it was stated, or one of the labels: " + "; ".join(f"'{label}'" for label in labels) + "."
        )
    sources = [statements[i].source for i in found]
    if any(source is not None and source.period is not None for source in sources):
        raise ProblemError("A periodic condition has no right-hand side that could be replaced.")
    return found


def array_of(
    label: str, points: np.ndarray, rows: int, value: Any, folded: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Right-hand sides (rows,) or (k, rows) of a statement; values at its points are folded into its rows."""
    if callable(value) and not isinstance(value, sp.Basic):
        value = folded(np.array(np.broadcast_to(value(*points.T), (len(points),))))
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        array = np.full(rows, float(array))
    if array.ndim > 2 or array.shape[-1] != rows:
        raise ProblemError(
            f"values for '{label}' has shape {array.shape}, but the statement has {rows} rows. Give ({rows},), or "
            f"(k, {rows}) for k right-hand sides, at the points prepared.points['{label}']; or a callable of the "
            f"coordinates."
        )
    if not np.isfinite(array).all():
        raise ProblemError(f"values for '{label}' has entries that are not finite.")
    return array


def replaced(problem: Problem, blocks: Sequence[Block], other: Problem) -> list[Block]:
    """The blocks with the statements of another problem, which may differ only on its right-hand sides."""
    refuse_another_domain(problem, other)
    mine, others = [b.statement for b in blocks], statements_of(other)
    if other.names != problem.names or len(others) != len(mine) or other.parameters != problem.parameters:
        raise ProblemError(OTHER)
    result = []
    for block, old, new in zip(blocks, mine, others, strict=True):
        if not _same_operator(old, new):
            raise another_operator(old.label, new.label)
        values = None if new.source is None else new.source.measured
        result.append(replace(block, statement=new, values=values))
    return result


def refuse_another_domain(problem: Problem, other: Problem) -> None:
    """Raise if another problem is on a different domain from the prepared one."""
    a, b = problem.domain, other.domain
    if a is b or a == b:
        return
    same = type(a) is type(b) and repr(a) == repr(b) and np.array_equal(np.asarray(a.bounds), np.asarray(b.bounds))
    if same and np.array_equal(a.interior(LOOKS, "quasi", 0), b.interior(LOOKS, "quasi", 0)):
        return
    raise ProblemError(
        f"The problem was prepared on {a}, but the one given is on {b}. Its collocation points and matrix differ, so "
        f"the factorisation cannot be used for it. {SEPARATELY}"
    )


def another_operator(old: str, new: str) -> ProblemError:
    """The error for a statement that differs from the prepared one in more than its right-hand side."""
    return ProblemError(
        f"'{new}' is not '{old}' with another right-hand side: its operator or its place differs, so the factorisation "
        f"cannot be used for it. {SEPARATELY}"
    )


def agreed(count: int, more: int, key: Any) -> int:
    """The number of right-hand sides after one more statement; raises if the numbers differ."""
    if count not in (1, more):
        raise ProblemError(f"values has {count} right-hand sides for one statement, {more} for '{key}'.")
    return more


def _same_operator(old: Statement, new: Statement) -> bool:
    a = dict(zip(old.equation.slots, old.equation.coefficients_symbolic, strict=True))
    b = dict(zip(new.equation.slots, new.equation.coefficients_symbolic, strict=True))
    if (
        old.kind != new.kind
        or type(old.source) is not type(new.source)
        or not new.equation.linear
        or a.keys() != b.keys()
    ):
        return False
    if any(a[k] != b[k] and sp.simplify(a[k] - b[k]) != 0 for k in a):
        return False
    # The rows of a statement are made from its slots in their order.
    if old.equation.slots != new.equation.slots or old.weight != new.weight:
        return False
    return old.source is None or old.source.same_place(new.source)
