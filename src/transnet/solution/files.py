"""Solutions in files: plain NumPy archives (npz) without pickle, so that a file from elsewhere runs no code.

A file holds the network, the diagnostics of the solve, and the problem as text in the formula language. A problem that
cannot be written as text (with a given callable, or a curve made of Python functions) is left out; the solution can
still be evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet import archive
from transnet.basis.expansion import floats, from_data, to_data
from transnet.calls import explained, file_path, there
from transnet.counts import AT_ONCE
from transnet.errors import WARNINGS, FileError, Message, ProblemError, TransnetError, TransnetWarning, printable
from transnet.language.names import Names
from transnet.language.printer import NotWritable
from transnet.language.stored_problem import domain_from_data, domain_to_data, problem_from_data, problem_to_data
from transnet.problem.complex import is_component, unknown_named
from transnet.remedies import PYTHON
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.outline import LostDomain, Remainder
from transnet.solution.report import report
from transnet.solution.schema import fields_of, refuse_odd
from transnet.writing import target

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

FORMAT = "transnet.Solution"
VERSION = 1
ASSUMPTIONS = frozenset({"real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer", "finite"})


def save_solution(solution: Solution, path: str | Path, apart: bool = False) -> Path:
    """Write a solution to a file and return its path, which ends in `.npz`.

    The file is written under a temporary name and renamed when it is complete, so that an interruption leaves no
    half-written file. With `apart` its coefficients are left out: they are in the file of the same name that ends in
    `.npy`.
    """
    path = target(path, ".npz")
    arrays: dict[str, np.ndarray] = {}
    meta = _meta(solution, arrays)
    if apart:
        del arrays["coefficients"]
    arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
    archive.write(path, FORMAT, VERSION, arrays)
    return path


def _meta(solution: Solution, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    known = solution.diagnostics
    basis = to_data(solution.basis, arrays, "basis_")
    arrays["coefficients"], arrays["points"] = solution.coefficients, solution.points
    arrays["singular_values"], arrays["bounds"] = known.singular_values, np.asarray(solution.problem.domain.bounds)
    problem, domain, reason = _problem_data(solution, arrays)
    return {
        "unknowns": list(solution.names),
        "components": [u.func.__name__ for u in solution.problem.unknowns if is_component(u)],
        "arguments": [[c.name for c in u.args] for u in solution.problem.unknowns],
        "coordinates": [_symbol_data(c) for c in solution.problem.coordinates],
        "parameters": [[_symbol_data(s), float(v)] for s, v in solution.parameters.items()],
        "basis": basis,
        "problem": problem,
        "domain": domain,
        "domain_text": str(solution.problem.domain),
        "domain_names": list(solution.problem.domain.names),
        "reason": reason,
        "diagnostics": _known_data(known),
    }


def _problem_data(solution: Solution, arrays: dict[str, np.ndarray]) -> tuple[Any, Any, str]:
    """The problem and the domain as data, and the reason if the problem has none."""
    if isinstance(solution.problem, Remainder):
        domain, reason = None, solution.problem.reason
        if not isinstance(solution.problem.domain, LostDomain):
            domain = domain_to_data(solution.problem.domain, arrays)
        return None, domain, reason
    stated: dict[str, np.ndarray] = {}
    names = _names(solution.problem.unknowns, solution.problem.coordinates, tuple(solution.parameters))
    try:
        problem = problem_to_data(solution.problem, names, stated)
    except NotWritable as error:
        reason = str(error)
    else:
        arrays.update(stated)
        return problem, problem["domain"], ""
    try:
        return None, domain_to_data(solution.problem.domain, arrays), reason
    except NotWritable:
        return None, None, reason


def _known_data(known: Diagnostics) -> dict[str, Any]:
    left_out = ("triangle", "coarser", "residuals", "steps", "messages", "trail")
    plain = {f.name: getattr(known, f.name) for f in fields(known) if f.name not in left_out}
    plain["stated_rank"] = known.rank
    plain["residuals"] = [asdict(r) for r in known.residuals]
    plain["steps"] = [asdict(s) for s in known.steps]
    plain["trail"] = [asdict(a) for a in known.trail]
    plain["messages"] = [[m.kind.__name__, m.text, dict(m.remedy)] for m in known.messages]
    return json.loads(json.dumps(plain, default=float))


def _symbol_data(symbol: sp.Symbol) -> list[Any]:
    stated = getattr(symbol, "_assumptions_orig", None) or symbol._assumptions.generator
    return [symbol.name, {k: bool(v) for k, v in stated.items() if k in ASSUMPTIONS}]


def _symbol(stored: Any) -> sp.Symbol:
    name, stated = stored
    return sp.Symbol(str(name), **{k: bool(v) for k, v in stated.items() if k in ASSUMPTIONS})


def _names(unknowns: Any, coordinates: Any, parameters: Any) -> Names:
    return Names(
        {c.name: c for c in coordinates}, {u.func.__name__: u for u in unknowns}, {p.name: p for p in parameters}
    )


# -- reading -----------------------------------------------------------------------------------------------------------
@explained
def load(path: str | Path) -> Solution:
    """Read a solution written by `solution.save(path)`.

    Raises
    ------
    FileError
        If the file is missing, damaged, of another kind, or written by a newer version.
    """
    path = file_path(path)
    stored = archive.read(path, FORMAT, VERSION, "a solution", "solution.save(path)")
    try:
        meta = json.loads(stored["meta"].tobytes())
        refuse_odd(meta, stored)
        solution = _solution_of(meta, stored, path)
        report(solution)  # what everybody asks for first: it is not there that an odd file is found
        return solution
    except TransnetError as reason:
        raise FileError(f"'{path}' is damaged: {reason}") from reason
    except Exception as reason:  # any error that inconsistent contents lead to
        raise FileError(f"'{path}' is damaged: its contents do not fit together ({reason!r}).") from reason


def _solution_of(meta: Mapping[str, Any], stored: Mapping[str, np.ndarray], path: Path) -> Solution:
    from transnet.solution.solution import Solution

    coordinates = tuple(_symbol(c) for c in meta["coordinates"])
    by_name = {c.name: c for c in coordinates}
    arguments = meta["arguments"]
    if all(isinstance(name, str) for name in arguments):  # an older file: one list for all unknowns
        arguments = [arguments] * len(meta["unknowns"])
    unknowns = tuple(
        unknown_named(str(name), [by_name[n] for n in own], name in meta.get("components", ()))
        for name, own in zip(meta["unknowns"], arguments, strict=True)
    )
    parameters = {_symbol(s): float(v) for s, v in meta["parameters"]}
    basis = from_data(meta["basis"], stored, "basis_")
    coefficients = floats(stored, "coefficients") if "coefficients" in stored else _apart(path, basis.columns)
    if coefficients.shape != (basis.columns,) or basis.unknowns != len(unknowns):
        raise ValueError("the sizes of its arrays differ")
    with suppress(ProblemError):  # a march may not have kept its steps there
        basis.derivatives(coefficients, floats(stored, "points")[:1], [(0, (0,) * len(coordinates))])
    names = _names(unknowns, coordinates, tuple(parameters))
    problem: Any
    if meta["problem"] is not None:
        problem = problem_from_data(meta["problem"], names, stored)
        if problem.unknowns != unknowns or problem.coordinates != coordinates:
            raise ValueError("its problem is not that of its network")
    else:
        axes = tuple(None if n is None else str(n) for n in meta["domain_names"])
        lost = LostDomain(str(meta["domain_text"]), axes, floats(stored, "bounds"))
        domain = lost if meta["domain"] is None else domain_from_data(meta["domain"], stored)
        problem = Remainder(unknowns, coordinates, tuple(parameters), domain, str(meta["reason"]))
    known = _known(meta["diagnostics"], floats(stored, "singular_values"))
    return Solution(problem, basis, coefficients, parameters, known, stored_points=floats(stored, "points"))


def _apart(path: Path, count: int) -> np.ndarray:
    """Coefficients that a march wrote to a file of their own; there may be more than when this one was written."""
    beside = path.with_suffix(".npy")
    if not there(beside.is_file):
        raise FileError(f"its coefficients are in '{beside.name}', which is not there")
    found = np.asanyarray(np.load(beside, mmap_mode="r", allow_pickle=False)[:count])
    if found.dtype != float or not all(
        np.isfinite(found[k : k + AT_ONCE]).all() for k in range(0, len(found), AT_ONCE)
    ):
        raise FileError(f"'{beside.name}' is not an array of finite numbers")
    return found


def _message(stored: Any) -> Message:
    """A message from a file; remedies unknown to this version are left out."""
    kind, text, remedy = stored if not isinstance(stored, str) else ("TransnetWarning", stored, {})
    return Message(
        WARNINGS.get(str(kind), TransnetWarning), printable(str(text)), {k: v for k, v in remedy.items() if k in PYTHON}
    )


def _known(stored: Mapping[str, Any], singular_values: np.ndarray) -> Diagnostics:
    # Estimates may be infinite, or not known; messages have a reader of their own, and the triangle is not stored.
    own = {k: v for k, v in stored.items() if k not in ("messages", "triangle", "coarser")}
    messages = tuple(map(_message, stored["messages"]))
    known = Diagnostics(**fields_of(Diagnostics, own, "diagnostics", finite=False), messages=messages)
    # The triangle is not stored, as it is as large as the matrix; what is derived from it is stored instead.
    known.__dict__["singular_values"] = singular_values
    return known
