"""The jobs of a page and their answers."""

from __future__ import annotations

import math
import signal
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import sympy as sp

from transnet.drawings import read_domain
from transnet.errors import AccuracyWarning, Message, TransnetError
from transnet.files.problem_file import ProblemFile, problem_of_text
from transnet.files.words import told
from transnet.files.writing import short_text
from transnet.language.errors import ProblemFileError
from transnet.solution.report import report
from transnet.solution.solution import Solution
from transnet.studio.frames import Painter, drawn_expression, seen_axes, view_of
from transnet.studio.modes import Modes, mode_of, modes_of
from transnet.studio.python_text import python_of
from transnet.studio.reading import PLACE, FormReader
from transnet.studio.slopes import slopes_of
from transnet.studio.solving import Reuse, quick
from transnet.studio.worker import packed_answer

PATIENCE = 15.0
"""Seconds after which a solve returns the best network found so far."""
CUT = 241
"""Points of a cut."""
LATE = Message(
    AccuracyWarning, f"No larger network was solved within {PATIENCE:g} seconds: this is the one of the first look."
)
DRAWINGS = (".svg", ".geojson", ".json", ".dxf")
FILES = ("npz", "vtu", "csv")


class Answers:
    """The state of a page: its last solution, and what the next frame can reuse."""

    def __init__(self) -> None:
        self.solution: Solution | None = None
        self.first: tuple[str, Any] = ("", None)
        self.reuse = Reuse()
        self.modes: Modes | None = None
        self.painter = Painter()
        self.reader = FormReader()

    def answer(self, job: Mapping[str, Any]) -> bytes:
        """Do a job; errors become messages."""
        head = {"type": job.get("type"), "id": job.get("id")}
        try:
            made = getattr(self, f"_{job.get('type')}")(job)
            return packed_answer({**head, **made[0]}, *made[1:])
        except ProblemFileError as error:
            place = {"line": error.place.line, "column": error.place.column}
            return packed_answer({**head, "error": {"text": error.message, **place}})
        except TransnetError as error:
            return packed_answer({**head, "error": {"text": told(error)}})
        except RecursionError:
            return packed_answer({**head, "error": {"text": "A formula is nested too deeply."}})
        except MemoryError:
            raise
        except Exception as e:
            return packed_answer(
                {**head, "error": {"text": f"This could not be solved ({type(e).__name__}: {str(e)[:200]})."}}
            )

    # -- jobs --------------------------------------------------------------------------------------------------------
    def _solve(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        start = perf_counter()
        text = str(job["toml"])
        fast = bool(job.get("quick"))
        if fast:
            file, table = self.reader.read(text)
        else:
            file, table = problem_of_text(text, PLACE), {}
        read = perf_counter()
        if file.eigen is not None:
            return self._modes(job, file, fast, start)
        self.modes = None
        if fast:
            solution = quick(file, table, self.reuse)
            self.first = (text, solution)
        else:
            with patience(PATIENCE):
                solution = file.unwarned()
            if solution.status == "interrupted" and self.first[0] == text and self.first[1].error < solution.error:
                late = replace(self.first[1].diagnostics, messages=(LATE,))
                solution = replace(self.first[1], diagnostics=late)
        self.solution = solution
        solved = perf_counter()
        frame = self.painter.frame(solution, view_of(job.get("view") or {}))
        head = {**frame.head, **self._known(solution, fast)}
        head["seconds"] = {"read": read - start, "solve": solved - read, "values": perf_counter() - solved}
        return head, frame.arrays

    def _modes(self, job: Mapping[str, Any], file: ProblemFile, fast: bool, start: float) -> tuple[Any, ...]:
        """Eigenvalues instead of one solution; the function of the selected one is drawn."""
        read, text = perf_counter(), str(job["toml"])
        try:
            self.modes = modes_of(file, fast, patience(PATIENCE))
        except Impatient:
            if self.first[0] != text:
                raise
            self.modes = replace(self.first[1], late=(LATE,))
        self.first = (text, self.modes)
        self.solution = self.modes.solution(mode_of(job))
        solved = perf_counter()
        frame = self.painter.frame(self.solution, view_of(job.get("view") or {}))
        head = {**frame.head, **self._known(self.solution, True), **self.modes.head(mode_of(job)), "quick": fast}
        head["seconds"] = {"read": read - start, "solve": solved - read, "values": perf_counter() - solved}
        return head, frame.arrays

    def _slope(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """The chosen result, its slope at each slider, and arrows on the parts of the boundary."""
        with patience(PATIENCE):
            head, arrows = slopes_of(str(job["toml"]))
        return head, (arrows.ravel(),)

    def _look(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        if self.modes is not None:
            self.solution = self.modes.solution(mode_of(job))
        frame = self.painter.frame(self._solved(), view_of(job.get("view") or {}))
        return frame.head, frame.arrays

    def _probe(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """The value and the gradient of the displayed quantity at a point, with all digits."""
        solution, view = self._solved(), view_of(job.get("view") or {})
        points, axes, names = self._placed([job["point"]], view.fixed)
        value = self.painter.values(solution, view.show, points)[0] if view.show == "residual" else None
        gradient: list[float] = []
        if value is None:
            base = drawn_expression(solution, view.show.strip() or solution.names[0])
            value = float(np.ravel(solution.value_of(base, points))[0])
            slopes = [sp.diff(base, solution.problem.coordinates[a]) for a in axes]
            gradient = [float(np.ravel(solution.value_of(s, points))[0]) for s in slopes]
        inside = bool(solution.problem.domain.contains(points)[0])
        numbers = {"value": _number(value), "gradient": [_number(g) for g in gradient]}
        return ({"inside": inside, "axes": [names[a] for a in axes], **numbers},)

    def _cut(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """The displayed quantity along a line; NaN outside the domain."""
        solution, view = self._solved(), view_of(job.get("view") or {})
        first, last = (np.array([float(v) for v in p], dtype=float) for p in job["line"])
        places = np.linspace(0.0, 1.0, CUT)
        points, _, _ = self._placed(first + places[:, None] * (last - first), view.fixed)
        values = self.painter.values(solution, view.show, points)
        return {"length": float(np.linalg.norm(last - first))}, (
            np.where(solution.problem.domain.contains(points), values, np.nan),
        )

    def _take(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """A file to download, as bytes."""
        kind = str(job["kind"])
        if kind == "py":
            return {"kind": kind}, (), python_of(problem_of_text(str(job["toml"]), PLACE)).encode()
        if kind not in FILES:
            raise ProblemFileError(f"There is no file of the kind '{kind[:20]}'.", _nowhere())
        solution = self._solved()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"solution.{kind}"
            if kind == "npz":
                path = solution.save(path)
            else:
                names = [c.name for c in solution.problem.coordinates]
                view = view_of(job.get("view") or {})
                fixed = seen_axes(solution.problem.domain, names, view.fixed)[1] if len(names) > 3 else {}
                where: dict[str, Any] = {names[k]: v for k, v in fixed.items()}
                solution.export(path, **where)
            return {"kind": kind}, (), path.read_bytes()

    def _open(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """The table of a problem file, for the fields of the page; it is checked when it is solved."""
        text = str(job["toml"])
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            problem_of_text(text, PLACE)
            raise ProblemFileError(str(error), _nowhere()) from None
        return ({"table": table},)

    def _drop(self, job: Mapping[str, Any]) -> tuple[Any, ...]:
        """The text of a domain from a drawing that was dropped on the page."""
        suffix = Path(str(job["name"])).suffix.lower()
        if suffix not in DRAWINGS:
            raise ProblemFileError(
                f"Only problem files and drawings ({', '.join(DRAWINGS)}) can be dropped.", _nowhere()
            )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"drawing{suffix}"
            path.write_text(str(job["text"]), encoding="utf-8")
            domain = read_domain(path)
        return ({"domain": short_text(domain)},)

    # -- what they share ---------------------------------------------------------------------------------------------
    def _solved(self) -> Solution:
        if self.solution is None:
            raise ProblemFileError("Nothing has been solved yet.", _nowhere())
        return self.solution

    def _placed(self, points: Any, fixed: Mapping[str, float]) -> tuple[np.ndarray, tuple[int, ...], list[str]]:
        domain = self._solved().problem.domain
        names = [c.name for c in self._solved().problem.coordinates]
        axes, others = seen_axes(domain, names, fixed)
        where = np.asarray(points, dtype=float)[:, : len(axes)]
        whole = np.empty((len(where), len(names)))
        whole[:, list(axes)] = where
        for axis, value in others.items():
            whole[:, axis] = value
        return whole, axes, names

    def _known(self, solution: Solution, fast: bool) -> dict[str, Any]:
        known = solution.diagnostics
        messages = [told(m) for m in known.messages]
        if known.status == "interrupted" and not messages:
            messages = [f"Stopped after {PATIENCE:g} seconds: this is the best network found so far."]
        return {
            "quick": fast,
            "error": None,
            "estimate": _number(known.error),
            "neurons": solution.neurons,
            "status": known.status,
            "unknowns": list(solution.names),
            "boundary": list(solution.problem.domain.parts),
            "warnings": messages,
            "report": "" if fast else report(solution, told),
            "nonlinear": bool(known.steps),
        }


class Impatient(ProblemFileError):
    """The time limit of a page is over."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Interrupt, like Ctrl-C, what takes longer; a solve then returns the best it has."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def enough(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, enough)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except KeyboardInterrupt:
        raise Impatient(
            f"Nothing was found in {seconds:g} seconds. Make the problem smaller, or solve it from the command line.",
            _nowhere(),
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _number(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _nowhere() -> Any:
    from transnet.language.errors import Position

    return Position("problem", 0, 0)
