"""Problem files: a problem, its parameters and how to solve it, as TOML (docs/howto/problem-files.md)."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp

from transnet.calls import explained, file_path, there
from transnet.errors import ProblemError, TransnetError, printable
from transnet.files import schema
from transnet.files.positions import Locator, locate
from transnet.files.results import Found, Wanted, found_results, results_of
from transnet.files.settings import settings_of
from transnet.files.words import told
from transnet.geometry import Domain, Pieces
from transnet.geometry.readers import read_domain as domain_from_file
from transnet.language.conditions import boundary_condition, condition
from transnet.language.domains import domain as read_domain
from transnet.language.errors import FormulaError, Place, ProblemFileError
from transnet.language.formula import equation, formula
from transnet.language.guarded import Value
from transnet.language.names import Names
from transnet.language.vocabulary import CONSTANTS, FUNCTIONS, OPERATORS, OTHER_NAMES, RESERVED
from transnet.problem import Condition, Problem, at, by_piece, data, mean, periodic
from transnet.tables import read_table, select

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

LARGEST = 300_000
"""Bytes of a problem file."""
DEEPEST_KEY = 50
"""Parts of a dotted key."""
LONG_KEY = re.compile(rf"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{DEEPEST_KEY},}}""")
LONG_NUMBER = re.compile(r"\d[\d_]{4000}")
MOST = 200
"""Entries of any of its lists of formulas."""


@dataclass(frozen=True, eq=False)
class ProblemFile:
    """What a problem file says.

    Parameters
    ----------
    problem : Problem
        What holds, and where.
    parameters : dict
        The values of the problem's parameters, by symbol.
    settings : dict
        Keywords for `tn.solve`: tol, neurons, seed, points.
    exact : dict
        The exact solution by unknown, where the file gives it.
    results : tuple of Wanted
        What is to be made of the solution.
    """

    path: Path
    title: str
    problem: Problem
    parameters: dict[sp.Symbol, float]
    settings: dict[str, Any] = field(default_factory=dict)
    exact: dict[sp.Expr, sp.Expr] = field(default_factory=dict)
    results: tuple[Wanted, ...] = ()

    def found(self, solution: Solution) -> list[Found]:
        """The results that the file asks for, of a solution of it; pictures and tables are written."""
        return found_results(self.results, solution)

    def solve(self, **changes: Any) -> Solution:
        """Solve it as the file says; keywords of `tn.solve` take precedence."""
        from transnet.doors.solve import solve

        return solve(self.problem, parameters=self.parameters, **self._settings(changes))

    def unwarned(self, **changes: Any) -> Solution:
        """The same without warnings, for front ends that put messages into words of their own."""
        from transnet.doors.plan import Plan
        from transnet.doors.solve import carried_out

        return carried_out(Plan(self.problem, parameters=self.parameters, **self._settings(changes)))

    def _settings(self, changes: dict[str, Any]) -> dict[str, Any]:
        settings = {**self.settings, **changes}
        sizes = {"tol", "neurons", "space"}
        if sizes & set(changes):  # one way of saying how large the network is replaces another
            settings = {k: v for k, v in settings.items() if k not in sizes or k in changes}
        return settings


@explained
def read_problem(path: str | Path, parameters: Mapping[str, float] | None = None) -> ProblemFile:
    """Read and check a problem file.

    Parameters
    ----------
    path : str or Path
        The file.
    parameters : mapping, optional
        Values that replace those of the file, by name.

    Raises
    ------
    ProblemFileError
        If anything in it is wrong; the text has the line and the column. The file can run no code.
    """
    path = file_path(path)
    return problem_of_text(_text_of(path), path, parameters)


def problem_of_text(text: str, path: Path, parameters: Mapping[str, float] | None = None) -> ProblemFile:
    """The same for the text of a problem file; `path` is what errors call it, and beside it meshes are looked for."""
    if len(text) > LARGEST:
        raise ProblemFileError(f"The text is longer than {LARGEST} characters.", Place(str(path), 1, 1))
    long = LONG_KEY.search(text)
    if long:
        place = Locator(text, str(path)).place(long.start())
        raise ProblemFileError(f"A key has more than {DEEPEST_KEY} parts.", place)
    try:
        table = tomllib.loads(text)
        locator = locate(text, str(path))
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(path, text, error) from None
    except RecursionError:
        raise ProblemFileError("The file is nested too deeply.", Place(str(path), 1, 1)) from None
    except ValueError:  # Python reads no integers of more than some thousand digits
        long = LONG_NUMBER.search(text)
        place = Locator(text, str(path)).place(long.start() if long else 0)
        raise ProblemFileError("A whole number has too many digits. Write it as 1e30.", place) from None
    schema.check_numbers(table, locator)
    try:
        return Builder(path, table, locator, dict(parameters or {})).build()
    except RecursionError:
        raise ProblemFileError("A formula of the file is nested too deeply.", Place(str(path), 1, 1)) from None


def _text_of(path: Path) -> str:
    start = Place(str(path), 1, 1)
    if path.suffix.lower() == ".npz" and there(path.is_file):
        raise ProblemFileError(f"This is a solution, not a problem file. Look at it with: transnet show {path}", start)
    if not there(path.exists):
        folder = path.parent.glob("*.toml") if there(path.parent.is_dir) else ()
        near = difflib.get_close_matches(path.name, [p.name for p in folder], n=1)
        hint = f" Did you mean '{path.with_name(near[0])}'?" if near else " Start one with: transnet new"
        raise ProblemFileError(f"There is no such file.{hint}", start)
    try:
        if path.exists() and not path.is_file():  # a folder, or a pipe that would never answer
            raise ProblemFileError("It is not a file. Give the name of a problem file.", start)
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ProblemFileError):
            raise
        error = error if isinstance(error, OSError) else OSError(str(error))
        raise ProblemFileError(f"The file cannot be read: {error.strerror or error}.", start) from None
    if len(raw) > LARGEST:
        raise ProblemFileError(
            f"The file is larger than {LARGEST} bytes, so it is hardly a problem file. Start one with: transnet new",
            start,
        )
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        message = "The file is not text in UTF-8: a byte here belongs to no character."
        raise ProblemFileError(message, Place(str(path), line, column)) from None


def _toml_error(path: Path, text: str, error: Exception) -> ProblemFileError:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    lines = text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
    message = str(error)[: found.start()] if found else str(error)
    shown = lines[min(line, len(lines)) - 1]
    cause = " Texts need quotes."
    if "nclosed" in message and (opened := _opened(lines, line)):
        line, column = opened
        shown, cause = lines[line - 1], " It begins here, and its closing bracket is missing."
    elif re.match(r"\s*[\w.-]*[^\x00-\x7f][\w.-]*\s*=", shown):
        key = shown.partition("=")[0].strip()
        cause = f' Keys with other letters than a to z need quotes: "{key}" = ...'
    return ProblemFileError(f"This is not valid TOML: {message}.{cause}", Place(str(path), line, column), shown)


def _opened(lines: list[str], end: int) -> tuple[int, int] | None:
    """Where the last bracket stands, up to a line, that is opened and not closed."""
    open_: list[tuple[int, int]] = []
    for number, text in enumerate(lines[:end], start=1):
        bare = re.sub(r'"[^"]*"|\'[^\']*\'|#.*', lambda found: " " * len(found.group()), text)
        if not open_ or "=" not in bare:
            for column, letter in enumerate(bare, start=1):
                if letter in "[{":
                    open_.append((number, column))
                elif letter in "]}" and open_:
                    open_.pop()
    return open_[-1] if open_ else None


class Builder:
    """Makes a problem of a table, and knows where everything in it stands."""

    def __init__(self, path: Path, table: Mapping[str, Any], locator: Locator, replaced: dict[str, float]) -> None:
        self.path, self.table, self.locator, self.replaced = path, table, locator, replaced

    def build(self) -> ProblemFile:
        keys = schema.PROBLEM
        if "pieces" in self.table:
            keys = {**keys, "domain": replace(keys["domain"], required=False)}
        schema.check(self.table, keys, self.locator)
        for key in ("equations", "conditions", "parameters", "definitions"):
            if not isinstance(self.table.get(key, ""), str) and len(self.table[key]) > MOST:
                self.fail((key,), f"'{key}' has {len(self.table[key])} entries; at most {MOST} are read.")
        taken: set[str] = set()
        coordinates = {n: sp.Symbol(n, real=True) for n in self.own_names("coordinates", taken, 4)}
        unknowns = self.unknowns(coordinates, taken)
        parameters = self.parameters(taken)
        symbols = {n: sp.Symbol(n, real=True) for n in parameters}
        names = Names(coordinates, unknowns, symbols)
        names = Names(coordinates, unknowns, symbols, self.definitions(names, taken))
        numbers = Names(definitions={n: Value(sp.Float(v), v) for n, v in parameters.items()})
        region = self.region(numbers)
        equations = [e for p, text in self.texts(("equations",)) for e in self.read(p, equation, text, names)]
        conditions = [self.condition(i, c, names, region) for i, c in enumerate(self.table.get("conditions", ()))]
        try:
            problem = Problem(region, equations, conditions, tuple(unknowns.values()))
        except TransnetError as error:
            self.fail(("equations",), told(error))
        self.check_axes(problem, coordinates)
        absent = [u for u in unknowns.values() if u not in problem.unknowns]
        if absent:
            self.fail(("unknowns",), f"The unknown {absent[0]} appears in no equation.")
        used = {s: parameters[s.name] for s in problem.parameters}
        exact = self.exact(names, {symbols[n]: sp.Float(v) for n, v in parameters.items()})
        return ProblemFile(
            self.path,
            printable(self.table.get("title", self.path.stem)),
            problem,
            used,
            settings_of(self, names),
            exact,
            results_of(self, names),
        )

    def region(self, numbers: Names) -> Domain:
        """The domain: a text, a table that names a file, or pieces."""
        if "pieces" in self.table:
            if "domain" in self.table:
                self.fail(
                    ("pieces",), "The file has a 'domain' and 'pieces'. The pieces are the domain: leave one out."
                )
            return self.pieces(numbers)
        stated = self.table["domain"]
        if isinstance(stated, str):
            return self.read(("domain",), read_domain, stated, numbers, self.path.parent)
        schema.check(stated, schema.DOMAIN_FILE, self.locator, ("domain",))
        source = self.beside(("domain", "file"), stated["file"])
        try:
            domain = domain_from_file(source, float(stated.get("scale", 1.0)))
        except TransnetError as error:
            self.fail(("domain", "file"), told(error))
        if "times" in stated:
            domain = domain * self.read(("domain", "times"), read_domain, stated["times"], numbers, self.path.parent)
        return domain

    def beside(self, path: tuple, name: str) -> Path:
        """A file in the folder of the problem file, or below it."""
        source = (self.path.parent / name).resolve()
        if not source.is_relative_to(self.path.parent.resolve()):
            self.fail(path, "A file is looked for in the folder of the problem file or below it.")
        if not there(source.is_file):
            near = difflib.get_close_matches(source.name, [p.name for p in self.path.parent.glob("*")], n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            self.fail(path, f"There is no file '{name[:80]}' beside the problem file.{hint}")
        return source

    def measured(self, value: dict[str, Any], path: tuple, names: Names) -> tuple[Any, Any]:
        """The points and values of data: from the file beside it, or written out."""
        if "file" not in value:
            for key in ("points", "values"):
                if key not in value:
                    self.fail(path, f"A condition 'data' needs 'points' and 'values', or a 'file'; '{key}' is missing.")
            return value["points"], value["values"]
        source = self.beside((*path, "file"), value["file"])
        column = value.get("column", value["data"].partition("(")[0].strip())
        try:
            table = select(read_table(source), [*names.coordinates, column], f"'{source.name}'")
        except TransnetError as error:
            self.fail((*path, "file"), told(error))
        return table[:, :-1], table[:, -1]

    def fail(self, path: tuple, message: str, offset: int | None = None) -> Any:
        schema.fail(self.locator, path, message, offset)

    def read(self, path: tuple, function: Callable[..., Any], text: str, *arguments: Any) -> Any:
        """Read a text value; an error points into it."""
        try:
            return function(text, *arguments)
        except FormulaError as error:
            return self.fail(path, error.message, error.offset)
        except ProblemError as error:
            return self.fail(path, told(error))

    def texts(self, path: tuple) -> list[tuple[tuple, str]]:
        value: Any = self.table
        for key in path:
            value = value[key]
        return [(path, value)] if isinstance(value, str) else [((*path, i), v) for i, v in enumerate(value)]

    def unknowns(self, coordinates: Mapping[str, sp.Symbol], taken: set[str]) -> dict[str, sp.Expr]:
        """The unknowns: "u" of all coordinates, "a(x)" of some, "c()" a number."""
        stated = self.table["unknowns"]
        if not 1 <= len(stated) <= 12:
            self.fail(("unknowns",), f"'unknowns' needs one to 12 names, not {len(stated)}.")
        found = {}
        for i, text in enumerate(stated):
            name, bracket, rest = text.partition("(")
            own = list(coordinates)
            if bracket:
                own = [c.strip() for c in rest.rstrip().removesuffix(")").split(",") if c.strip()]
                wrong = [c for c in own if c not in coordinates]
                if wrong or not rest.rstrip().endswith(")"):
                    there = ", ".join(coordinates)
                    self.fail(("unknowns", i), f"'{text[:40]}' names an unknown with some of the coordinates: {there}.")
            self.check_name(("unknowns", i), name.strip(), taken)
            found[name.strip()] = sp.Function(name.strip())(*(coordinates[c] for c in own))
        return found

    def own_names(self, key: str, taken: set[str], most: int) -> list[str]:
        names = self.table[key]
        if not 1 <= len(names) <= most:
            self.fail((key,), f"'{key}' needs one to {most} names, not {len(names)}.")
        for i, name in enumerate(names):
            self.check_name((key, i), name, taken)
        return names

    def check_name(self, path: tuple, name: str, taken: set[str]) -> None:
        if not re.fullmatch(r"[^\W\d]\w{0,39}", name):
            self.fail(path, f"'{name[:40]}' cannot be a name: use a letter, then letters, digits and _.")
        if name in RESERVED or name in FUNCTIONS or name in OTHER_NAMES or name in OPERATORS or name in CONSTANTS:
            self.fail(path, f"'{name}' has a meaning of its own in formulas and cannot name anything else.")
        if name in taken:
            self.fail(path, f"The name '{name}' is used twice.")
        taken.add(name)

    def parameters(self, taken: set[str]) -> dict[str, float]:
        found: dict[str, float] = {}
        stated = self.table.get("parameters", {})
        absent = [name for name in self.replaced if name not in stated]
        if absent:
            there = f"They are {', '.join(stated)}" if stated else "There are none"
            self.fail(("parameters",), f"The file has no parameter '{absent[0]}' to be changed. {there}.")
        for name, value in {**stated, **self.replaced}.items():
            path = ("parameters", name)
            self.check_name(path, name, taken)
            if not schema.NUMBER_OR_TEXT.check(value):
                self.fail(path, f"The parameter '{name}' must be {schema.NUMBER_OR_TEXT.words}.")
            known = Names(definitions={n: Value(sp.Float(v), v) for n, v in found.items()})
            number = self.read(path, formula, value, known).number if isinstance(value, str) else float(value)
            if number is None or number != number or abs(number) == float("inf"):
                self.fail(path, f"The parameter '{name}' is not a finite number.")
            found[name] = float(number)
        return found

    def definitions(self, names: Names, taken: set[str]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, value in self.table.get("definitions", {}).items():
            path = ("definitions", name)
            self.check_name(path, name, taken)
            known = Names(names.coordinates, names.unknowns, names.parameters, found)
            if isinstance(value, dict):
                found[name] = self.by_piece(name, value, known)
                continue
            if not schema.NUMBER_OR_TEXT.check(value):
                self.fail(path, f"The definition '{name}' must be {schema.NUMBER_OR_TEXT.words}.")
            found[name] = self.read(path, formula, value if isinstance(value, str) else repr(value), known)
        return found

    def pieces(self, numbers: Names) -> Domain:
        """The domain of several materials."""
        shapes = {}
        for name, text in self.table["pieces"].items():
            if not isinstance(text, str):
                self.fail(("pieces", name), f"The piece '{name}' must be a domain as a text.")
            shapes[name] = self.read(("pieces", name), read_domain, text, numbers, self.path.parent)
        try:
            return Pieces(shapes)
        except TransnetError as error:
            return self.fail(("pieces",), told(error))

    def by_piece(self, name: str, table: Mapping[str, Any], known: Names) -> Value:
        """A definition that has a value for each piece."""
        values = {}
        for piece, value in table.items():
            path = ("definitions", name, piece)
            if not schema.NUMBER_OR_TEXT.check(value):
                self.fail(path, f"The value of '{name}' for '{piece}' must be {schema.NUMBER_OR_TEXT.words}.")
            text = value if isinstance(value, str) else repr(value)
            values[piece] = self.read(path, formula, text, known).expression
        try:
            return Value(by_piece(values))
        except ProblemError as error:
            return self.fail(("definitions", name), told(error))

    def condition(self, i: int, value: str | dict[str, Any], names: Names, region: Domain) -> Condition:
        path = ("conditions", i)
        if isinstance(value, str):
            return self.read(path, condition, value, names, region)
        kinds = [k for k in schema.CONDITION if k in value]
        if len(kinds) != 1:
            self.fail(path, f"A condition has exactly one of the keys {', '.join(schema.CONDITION)}.")
        kind = kinds[0]
        schema.check(value, schema.CONDITION[kind], self.locator, path, f"a condition '{kind}'")
        weight = value.get("weight")
        try:
            return self.table_condition(kind, value, path, names, region, weight)
        except (FormulaError, ProblemFileError):
            raise
        except ProblemError as error:
            return self.fail(path, told(error))

    def table_condition(
        self, kind: str, value: dict[str, Any], path: tuple, names: Names, region: Domain, weight: float | None
    ) -> Condition:
        equations = []
        if "equations" in value:
            texts = self.texts((*path, "equations"))
            equations = [e for p, text in texts for e in self.read(p, equation, text, names)]
        match kind:
            case "on":
                rest = value["on"] + (f" where {value['where']}" if "where" in value else "")
                return self.read((*path, "on"), boundary_condition, rest, 0, equations, names, region, weight)
            case "at":
                return at(value["at"], *equations, weight=weight)
            case "data":
                measured = self.read((*path, "data"), formula, value["data"], names).expression
                points, values = self.measured(value, path, names)
                return data(measured, points, values, weight, value.get("noise"))
            case "mean":
                of = self.read((*path, "mean"), formula, value["mean"], names).expression
                text = value.get("value", 0)
                right = self.read((*path, "value"), formula, text, names).expression if isinstance(text, str) else text
                return mean(of, right, weight)
        if value["periodic"] not in names.coordinates:
            self.fail((*path, "periodic"), f"'{value['periodic'][:40]}' is not a coordinate.")
        for name in value.get("unknowns", ()):
            if name not in names.unknowns:
                self.fail((*path, "unknowns"), f"'{name[:40]}' is not an unknown: {', '.join(names.unknowns)}.")
        which = [names.unknowns[n] for n in value.get("unknowns", ())]
        return periodic(names.coordinates[value["periodic"]], *which, weight=weight)

    def check_axes(self, problem: Problem, coordinates: Mapping[str, sp.Symbol]) -> None:
        order = [c.name for c in problem.coordinates]
        if order != list(coordinates):
            self.fail(
                ("coordinates",), f"The domain has its coordinates in the order {', '.join(order)}: list them so."
            )

    def exact(self, names: Names, values: Mapping[sp.Symbol, sp.Float]) -> dict[sp.Expr, sp.Expr]:
        found = {}
        for name, text in self.table.get("exact", {}).items():
            path = ("exact", name)
            if name not in names.unknowns:
                self.fail(path, f"'{name[:40]}' is not an unknown: {', '.join(names.unknowns)}.")
            if not isinstance(text, str):
                self.fail(path, f"The exact solution '{name}' must be a formula in quotes.")
            expression = self.read(path, formula, text, names).expression
            if not isinstance(expression, sp.Expr) or expression.atoms(sp.core.function.AppliedUndef):
                self.fail(path, "An exact solution is a formula of the coordinates and parameters.")
            found[names.unknowns[name]] = expression.xreplace(dict(values))
        return found
