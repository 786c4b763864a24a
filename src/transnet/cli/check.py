"""`transnet check`: what a problem file says, in mathematics, without solving."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from rich.markup import escape
from sympy.core.function import AppliedUndef

from transnet.cli.options import AsJson, ProblemPath
from transnet.cli.output import NOT_REACHED, OK, command, console, print_json, print_warning, speaks_unicode
from transnet.doors.solve import methods
from transnet.facts.conditions import missing_conditions
from transnet.files import ProblemFile, read_problem
from transnet.files.words import told
from transnet.geometry import Pieces
from transnet.judge.diagnose import data_messages
from transnet.problem import Problem, expressions_of, in_piece
from transnet.problem.complex import in_given_names
from transnet.problem.stated import stated_equation
from transnet.rows.collocation import collocate
from transnet.rows.statements import Statement, statements_of

SAMPLE = 60
"""The data are evaluated at the points of a network of this size, to find values that are not finite."""


@command
def check(path: ProblemPath, as_json: AsJson = False) -> int | None:
    """Show what a problem file states, as mathematics, and check its data. Solves nothing."""
    file = read_problem(path)
    in_each = each_piece(file.problem)
    statements = tuple(s for one in in_each for s in statements_of(one))
    rows = sum(evaluated(file, one) for one in in_each)
    doubts = doubtful(file, statements)
    code = NOT_REACHED if doubts else OK
    if as_json:
        print_json({"ok": code == OK, "exit_code": code, **described(file, statements), "warnings": doubts})
        return code
    out = console()
    out.print(f"[bold]{escape(file.title)}[/]")
    unknowns = [str(in_given_names(u)) for u in file.problem.unknowns if in_given_names(u) != 0]
    out.print(f"\n{', '.join(unknowns)} on {escape(str(file.problem.domain))}\n")
    for equation in file.problem.equations:
        out.print(indented(mathematics(equation)), markup=False)
    for condition in file.problem.conditions:
        for text in stated(condition):
            out.print(indented(text), markup=False)
    if file.parameters:
        out.print("\n" + ", ".join(f"{s} = {v:g}" for s, v in file.parameters.items()))
    domain = file.problem.domain
    out.print("\nparts of the boundary: " + escape(", ".join(domain.parts)))
    kind = "linear: one least-squares solve" if linear(statements) else "nonlinear: solved by iteration"
    if file.eigen is not None:
        where = "the lowest" if file.eigen.near is None else f"those nearest to {file.eigen.near}"
        kind = f"eigenvalues {file.eigen.lam}: {where} {file.eigen.count}"
    out.print(f"{kind}; {len(labels(file.problem))} statements, finite at all {rows} points checked")
    if file.eigen is None:
        fitting = methods(file.problem, parameters=file.parameters)
        out.print(f"methods that fit, cheapest first: {', '.join(fitting.fitting) or 'none'}")
    if file.settings:
        out.print("settings: " + escape(", ".join(f"{k} = {v}" for k, v in file.settings.items())))
    for message in doubts:
        print_warning(message)
    return code


def each_piece(problem: Problem) -> list[Problem]:
    """The problem itself, or for several materials the equations of each, without the conditions that join them."""
    if not isinstance(problem.domain, Pieces):
        return [problem]
    return [
        Problem(shape, [in_piece(r, name) for e in problem.equations for r in expressions_of(e)], [])
        for name, shape in problem.domain.shapes
    ]


def labels(problem: Problem) -> list[str]:
    """What is stated, one text for each scalar equation and condition."""
    equations = [s.text for e in problem.equations for s in stated_equation(e)]
    return equations + [s.label for c in problem.conditions for s in c.stated(problem, lambda *_: 1)]


def doubtful(file: ProblemFile, statements: tuple[Statement, ...]) -> list[str]:
    """What is known without solving: missing conditions, and data that contradict each other or do not balance."""
    if isinstance(file.problem.domain, Pieces):
        missing = missing_conditions(file.problem)
        return [told(missing)] if missing else []
    values = file.numbers
    blocks = collocate(file.problem, statements, SAMPLE, None, 0)
    return [told(message) for message in data_messages(file.problem, [b.statement for b in blocks], values)]


def linear(statements: tuple[Statement, ...]) -> bool:
    """Whether all statements are linear in the unknowns."""
    return all(s.equation.linear for s in statements)


def evaluated(file: ProblemFile, problem: Problem) -> int:
    """Evaluate the data of every statement at a few points; an error names the one that is not finite."""
    values = tuple(v for s, v in zip(file.problem.parameters, file.numbers, strict=True) if s in problem.parameters)
    blocks = collocate(problem, statements_of(problem), SAMPLE, None, 0)
    for block in blocks:
        # Any smooth state will do: the data must be finite for all unknowns if these enter linearly.
        slots = None if block.statement.equation.linear else [np.full(len(block.points), 0.5)] * len(block.slots)
        block.statement.equation.residual(block.points, block.normals, values, slots)
    return sum(len(b.points) for b in blocks)


def described(file: ProblemFile, statements: tuple[Statement, ...]) -> dict[str, Any]:
    """The problem as data for a program."""
    problem = file.problem
    return {
        "title": file.title,
        "coordinates": [c.name for c in problem.coordinates],
        "unknowns": list(problem.names),
        "domain": str(problem.domain),
        "bounds": np.asarray(problem.domain.bounds),
        "parts": list(problem.domain.parts),
        "equations": [s.text for e in problem.equations for s in stated_equation(e)],
        "conditions": labels(problem)[sum(len(stated_equation(e)) for e in problem.equations) :],
        "parameters": {s.name: v for s, v in file.parameters.items()},
        "linear": linear(statements),
        "settings": {k: v if isinstance(v, int | float) else str(v) for k, v in file.settings.items()},
        "latex": problem._repr_latex_().strip("$"),
    }


def mathematics(equation: Any) -> str:
    """An equation as two-dimensional text, with derivatives as fractions."""
    stated = (equation.lhs, equation.rhs) if isinstance(equation, sp.Equality) else (equation, sp.Integer(0))
    sides = [in_given_names(side) for side in stated]
    functions = set().union(*(side.atoms(AppliedUndef) for side in sides))
    bare = {f: sp.Symbol(f.func.__name__) for f in functions if all(isinstance(a, sp.Symbol) for a in f.args)}
    sides = [_subscripted(side).xreplace(bare) for side in sides]
    return sp.pretty(sp.Eq(*sides, evaluate=False), use_unicode=speaks_unicode(), wrap_line=False)


def _subscripted(expression: Any) -> Any:
    names = {}
    for d in expression.atoms(sp.Derivative):
        if isinstance(d.expr, AppliedUndef):
            names[d] = sp.Dummy(f"{d.expr.func.__name__}_{''.join(v.name for v in d.variables)}")
    named = {d: sp.Symbol(dummy.name) for d, dummy in names.items()}
    return expression.xreplace(named)


def stated(condition: Any) -> list[str]:
    """A condition, one text per equation, with the place where it holds."""
    return [
        f"{what} {place}".rstrip() if isinstance(what, str) else beside(mathematics(what), place)
        for what, place in condition.lines()
    ]


def beside(formula: str, place: str) -> str:
    """A formula of several lines with a remark at the height of its middle."""
    lines = formula.split("\n")
    middle = len(lines) // 2
    width = max(map(len, lines))
    return "\n".join(f"{line:<{width}}   {place}" if k == middle else line for k, line in enumerate(lines))


def indented(text: str) -> str:
    """A text two columns further right."""
    return "\n".join(f"  {line}" for line in text.split("\n"))
