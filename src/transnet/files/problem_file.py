"""Problem files: a problem, its parameters and how to solve it, as TOML (docs/howto/problem-files.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import explained, file_path
from transnet.errors import ProblemError, TransnetError, printable, warn
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.conditions import condition_of
from transnet.files.design import NUMBERS, Design, design_of, number_of, uncertain_of
from transnet.files.eigen import SETTINGS as EIGEN_SETTINGS
from transnet.files.eigen import Eigen, eigen_of, eigenvalue_of
from transnet.files.own_names import definitions_of, new_names, parameters_of
from transnet.files.physics import physics_of
from transnet.files.region import region_of
from transnet.files.results import Result, Wanted, found_results, results_of
from transnet.files.settings import settings_of
from transnet.files.source import source_text, tables_of
from transnet.files.unknowns import functions_of, stated_names, unknowns_of
from transnet.files.words import told
from transnet.language.errors import Position, ProblemFileError
from transnet.language.formula import equation, formula
from transnet.language.guarded import Value
from transnet.language.names import Names
from transnet.measure.checks import TIME
from transnet.problem import Problem

if TYPE_CHECKING:
    from transnet.eigen.pairs import Eigenpairs
    from transnet.gradient.search import Optimum
    from transnet.gradient.spread import Spread
    from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class ProblemFile:
    """The contents of a problem file.

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
        What to make of the solution.
    eigen : Eigen, optional
        Which eigenvalues are wanted, if the file has the table [eigen]: `file.eigenpairs()`.
    design : Design, optional
        What is to be smallest or largest, if the file has the table [optimise].
    uncertain : tuple of Uncertain
        The parameters of the table [uncertain].
    """

    path: Path
    title: str
    problem: Problem
    parameters: dict[sp.Symbol, float]
    settings: dict[str, Any] = field(default_factory=dict)
    exact: dict[sp.Expr, sp.Expr] = field(default_factory=dict)
    results: tuple[Wanted, ...] = ()
    eigen: Eigen | None = None
    design: Design | None = None
    uncertain: tuple[Any, ...] = ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """A value for each parameter of the problem; zero for an eigenvalue, which has none yet."""
        return tuple(self.parameters.get(p, 0.0) for p in self.problem.parameters)

    def eigenpairs(self, **changes: Any) -> Eigenpairs:
        """The eigenvalues and functions that the file asks for; keywords of `tn.eigenpairs` take precedence."""
        pairs = self.eigenpairs_unwarned(**changes)
        warn(pairs.messages)
        return pairs

    def eigenpairs_unwarned(self, **changes: Any) -> Eigenpairs:
        """The same without warnings."""
        from transnet.doors.eigen import EigenPlan, found_pairs

        if self.eigen is None:
            raise ProblemError("The file asks for no eigenvalues. Add a table [eigen] with lam, the name of one.")
        kept = {k: v for k, v in self._settings(changes).items() if k in EIGEN_SETTINGS}
        asked = {"count": self.eigen.count, "near": self.eigen.near, **kept}
        return found_pairs(EigenPlan(self.problem, self.eigen.lam, parameters=self.parameters, **asked))

    def found(self, solution: Solution) -> list[Result]:
        """The results that the file asks for, from a solution of it; pictures and tables are written."""
        return found_results(self.results, solution)

    def solve(self, **changes: Any) -> Solution:
        """Solve it as the file says; keywords of `tn.solve` take precedence."""
        from transnet.doors.solve import solve

        self._refuse_eigen()
        return solve(self.problem, parameters=self.parameters, **self._settings(changes))

    def optimise(self, **changes: Any) -> Optimum:
        """The best values of the parameters of [optimise]; keywords of `tn.minimise` take precedence."""
        from transnet.gradient.minimise import minimise

        design, varied = self._design()
        given: dict[str, Any] = {"bounds": design.bounds, "subject_to": design.subject_to, "method": design.method}
        given |= {} if design.steps is None else {"steps": design.steps}
        given |= {"tol": self.settings["tol"]} if "tol" in self.settings else {}
        return minimise(
            design.wanted, varied.problem, over=design.over, parameters=varied.parameters, **{**given, **changes}
        )

    def _design(self) -> tuple[Design, ProblemFile]:
        """What [optimise] asks for, and the file with symbols for the sizes that are sought."""
        if self.design is None:
            raise ProblemError('The file has no table [optimise]. Add one: minimise = "drag", over = ["r"].')
        self._refuse_eigen()
        varied = read_problem(self.path, {p.name: v for p, v in self.parameters.items()}, self.design.over)
        return self.design, varied

    def propagate(self, **changes: Any) -> dict[str, Spread]:
        """How each result that is a number varies with the parameters of [uncertain], by its name."""
        from transnet.gradient.spread import propagate

        self._refuse_eigen()
        wanted = [r for r in self.results if r.kind in NUMBERS]
        if not self.uncertain or not wanted:
            raise ProblemError(
                'The file has no table [uncertain], such as k = "normal(2, 0.1)", or no result that is one number.'
            )
        names = [u.symbol.name for u in self.uncertain]
        varied = read_problem(self.path, {p.name: v for p, v in self.parameters.items()}, names)
        fixed = {p: v for p, v in varied.parameters.items() if p.name not in names}
        return {
            entry.name: propagate(
                partial(number_of, entry), varied.problem, over=self.uncertain, parameters=fixed, **changes
            )
            for entry in wanted
        }

    def unwarned(self, **changes: Any) -> Solution:
        """The same without warnings, for front ends with their own wording of messages."""
        from transnet.doors.solve import carried_out
        from transnet.drive.plan import Plan

        self._refuse_eigen()
        return carried_out(Plan(self.problem, parameters=self.parameters, **self._settings(changes)))

    def _refuse_eigen(self) -> None:
        if self.eigen is not None:
            raise ProblemError(
                f"The file asks for eigenvalues, the values of {self.eigen.lam}: it is solved by 'transnet solve', or "
                f"by file.eigenpairs() in a program, and has no single solution."
            )

    def _settings(self, changes: dict[str, Any]) -> dict[str, Any]:
        settings = {**self.settings, **changes}
        sizes = {"tol", "neurons", "space"}
        if sizes & set(changes):  # one way of giving the size of the network replaces another
            settings = {k: v for k, v in settings.items() if k not in sizes or k in changes}
        return settings


@explained
def read_problem(
    path: str | Path, parameters: Mapping[str, float] | None = None, free: Iterable[str] = ()
) -> ProblemFile:
    """Read and check a problem file.

    Parameters
    ----------
    path : str or Path
        The file.
    parameters : mapping, optional
        Values that replace those of the file, by name.
    free : names, optional
        Parameters that stay symbols in the domain, so that a result can be differentiated by them.

    Raises
    ------
    ProblemFileError
        If anything in it is wrong; the text has the line and the column. The file can run no code.
    """
    path = file_path(path)
    return problem_of_text(source_text(path), path, parameters, free)


def problem_of_text(
    text: str, path: Path, parameters: Mapping[str, float] | None = None, free: Iterable[str] = ()
) -> ProblemFile:
    """The same for the text of a problem file; errors call it `path`, and meshes are searched for beside that.

    Parameters that are `free` stay symbols in the domain, so that it can be differentiated by them.
    """
    table, locator = tables_of(text, path)
    schema.check_values(table, locator)
    try:
        return _built(Builder(path, table, locator, dict(parameters or {}), frozenset(free)))
    except RecursionError:
        raise ProblemFileError("A formula of the file is nested too deeply.", Position(str(path), 1, 1)) from None


def _built(builder: Builder) -> ProblemFile:
    keys = schema.PROBLEM
    for stated, other in (("pieces", "domain"), ("physics", "equations")):
        if stated in builder.table:
            keys = {**keys, other: replace(keys[other], required=False)}
    schema.check(builder.table, keys, builder.locator)
    taken: set[str] = set()
    coordinates = {n: sp.Symbol(n, real=True) for n in new_names(builder, "coordinates", taken)}
    unknowns = unknowns_of(builder, coordinates, taken)
    parameters = parameters_of(builder, taken)
    symbols = {n: sp.Symbol(n, real=True) for n in parameters}
    lam = eigenvalue_of(builder, taken)
    symbols |= {} if lam is None else {lam.name: lam}
    names = Names(coordinates, unknowns, symbols)
    names = Names(coordinates, unknowns, symbols, definitions_of(builder, names, taken))
    equations, quantities = physics_of(builder, names, taken)
    names = replace(names, definitions={**names.definitions, **quantities})
    numbers = Names(
        parameters={n: symbols[n] for n in parameters if n in builder.free},
        definitions={n: Value(sp.Float(v), v) for n, v in parameters.items() if n not in builder.free},
    )
    if TIME in coordinates:  # sizes may depend on time, and on fronts, which are unknown functions of it
        fronts = {n: u for n, u in unknowns.items() if getattr(u, "args", ()) == (coordinates[TIME],)}
        numbers = replace(numbers, coordinates={TIME: coordinates[TIME]}, unknowns=fronts)
    region = region_of(builder, numbers)
    texts = builder.texts(("equations",)) if "equations" in builder.table else []
    equations += [e for p, text in texts for e in builder.read(p, equation, text, names)]
    conditions = [condition_of(builder, i, c, names, region) for i, c in enumerate(builder.table.get("conditions", ()))]
    try:
        problem = Problem(region, equations, conditions, functions_of(unknowns.values()))
    except TransnetError as error:
        builder.fail(("equations",), told(error))
    _check_axes(builder, problem, coordinates)
    for name, stated in unknowns.items():
        if not set(functions_of([stated])) <= set(problem.unknowns):
            builder.fail(("unknowns",), f"The unknown {name} appears in no equation.")
    used = {s: parameters[s.name] for s in problem.parameters if s != lam}
    unused = {symbols[n]: v for n, v in parameters.items() if symbols[n] not in {*problem.parameters, lam}}
    results = tuple(r.with_values(unused) for r in results_of(builder, names, numbers))
    exact = _exact(builder, names, {symbols[n]: sp.Float(v) for n, v in parameters.items()})
    return ProblemFile(
        builder.path,
        printable(builder.table.get("title", builder.path.stem)),
        problem,
        used,
        settings_of(builder, names),
        exact,
        results,
        None if lam is None else eigen_of(builder, problem, lam, names),
        design_of(builder, names, results),
        uncertain_of(builder, names),
    )


def _check_axes(builder: Builder, problem: Problem, coordinates: Mapping[str, sp.Symbol]) -> None:
    order = [c.name for c in problem.coordinates]
    if order != list(coordinates):
        builder.fail(("coordinates",), f"The domain has them in the order {', '.join(order)}: list them in this order.")


def _exact(builder: Builder, names: Names, values: Mapping[sp.Symbol, sp.Float]) -> dict[sp.Expr, sp.Expr]:
    found = {}
    for name, text in builder.table.get("exact", {}).items():
        path = ("exact", name)
        if name not in names.unknowns:
            builder.fail(path, f"'{name[:40]}' is not an unknown: {', '.join(stated_names(names.unknowns))}.")
        if not isinstance(text, str):
            builder.fail(path, f"The exact solution '{name}' must be a formula in quotes.")
        expression = builder.read(path, formula, text, names).expression
        unknown = names.unknowns[name]
        pairs = [(unknown, expression)]
        if isinstance(unknown, sp.MatrixBase) and isinstance(expression, sp.MatrixBase):
            if len(unknown) != len(expression):
                builder.fail(path, f"The vector '{name}' has {len(unknown)} components, not {len(expression)}.")
            pairs = list(zip(unknown, expression, strict=True))
        for component, stated in pairs:
            if not isinstance(component, sp.Expr) or not isinstance(stated, sp.Expr) or stated.atoms(AppliedUndef):
                builder.fail(path, "An exact solution is a formula of the coordinates and parameters.")
            found[component] = stated.xreplace(dict(values))
    return found
