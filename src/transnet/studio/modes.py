"""Eigenvalues on the page: computed once, then viewed one by one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.doors.eigen import laws_of
from transnet.eigen.pairs import Eigenpairs
from transnet.errors import Message
from transnet.files.problem_file import ProblemFile
from transnet.files.words import told
from transnet.solution.solution import Solution

QUICK = {1: 60, 2: 120, 3: 300, 4: 400}
"""Neurons of a frame, by dimension."""
LAW = 1
"""The bandwidth of a frame: the middle one of those compared at rest, in the plane."""


@dataclass(frozen=True, eq=False)
class Modes:
    """The eigenvalues of a page, and those of their functions that were viewed."""

    pairs: Eigenpairs
    fast: bool
    late: tuple[Message, ...] = ()
    _seen: dict[int, Solution] = field(default_factory=dict)

    def number(self, wanted: int) -> int:
        """The number of an existing eigenvalue."""
        return max(0, min(wanted, len(self.pairs) - 1))

    def solution(self, wanted: int) -> Solution:
        """The function of an eigenvalue."""
        k = self.number(wanted)
        if k not in self._seen:
            self._seen[k] = self.pairs[k]
        return self._seen[k]

    def head(self, wanted: int) -> dict[str, Any]:
        """What the page displays about them."""
        k = self.number(wanted)
        values, errors = self.pairs.values, self.pairs.errors
        relative = float(errors[k] / max(abs(values[k]), np.finfo(float).tiny))
        return {
            "modes": {
                "name": self.pairs.lam.name,
                "shown": k,
                "values": [_text(v, e) for v, e in zip(values, errors, strict=True)],
                "errors": [f"{float(e):.0e}" for e in errors],
            },
            "estimate": relative if np.isfinite(relative) else None,
            "warnings": [told(m) for m in (*self.pairs.messages, *self.late)],
            "report": "" if self.fast else self.pairs.report(),
        }


def _text(value: complex, error: float) -> str:
    """A value with its correct digits, at most twelve."""
    digits = 12 if not error > 0 else int(np.clip(np.ceil(np.log10(max(abs(value), 1e-300) / error)) + 1, 3, 12))
    if np.iscomplexobj(value) and value.imag:
        return f"{value.real:.{digits}g} {'-' if value.imag < 0 else '+'} {abs(value.imag):.{digits}g} i"
    return f"{np.real(value):.{digits}g}"


def mode_of(job: Mapping[str, Any]) -> int:
    """The number of the eigenvalue that a message selects."""
    view = job.get("view") or {}
    return int(view.get("mode") or 0)


def modes_of(file: ProblemFile, fast: bool, patience: AbstractContextManager[None]) -> Modes:
    """The eigenvalues of a problem file; of one small network while something is dragged."""
    if fast:
        d = file.problem.domain.dimension
        values = {**file.parameters, file.eigen.lam: 0.0} if file.eigen is not None else file.parameters
        space = laws_of(file.problem, values, 0)[LAW](QUICK[d])
        return Modes(file.eigenpairs_unwarned(space=space), True)
    with patience:
        return Modes(file.eigenpairs_unwarned(), False)
