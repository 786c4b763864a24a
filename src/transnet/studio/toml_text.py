"""A problem that was stated in Python as the text of a problem file, in formulas that people would write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from transnet.errors import ProblemError, TransnetError
from transnet.geometry import Domain
from transnet.language.formula import formula
from transnet.language.names import Names
from transnet.language.printer import text_of_domain, text_of_expression
from transnet.language.stored_problem import alike
from transnet.problem import At, Mean, On, Periodic, Problem

LETTERS = re.compile(r"[^\W\d]\w*\Z")


class _Words(StrPrinter):
    """SymPy's own text with the language's derivatives, u_xx, and unknowns without their arguments."""

    def _print_Derivative(self, e: Any) -> str:
        names = [v.name for v, n in e.variable_count for _ in range(int(n))]
        if isinstance(e.expr, AppliedUndef) and all(len(n) == 1 for n in names):
            return f"{e.expr.func.__name__}_{''.join(names)}"
        return f"diff({self._print(e.expr)}, {', '.join(names)})"

    def _print_Function(self, e: Any) -> str:
        return str(e.func.__name__) if isinstance(e, AppliedUndef) else str(super()._print_Function(e))


def words(expression: Any, names: Names) -> str:
    """An expression as a formula: the short text if it reads back as the same, otherwise the careful one."""
    if isinstance(expression, sp.MatrixBase):
        return f"[{', '.join(words(e, names) for e in expression)}]"
    short = _Words().doprint(sp.sympify(expression))
    try:
        again = formula(short, names).expression
        if again == expression or alike(sp.sympify(again), sp.sympify(expression)):
            return short
    except (TransnetError, TypeError, ValueError, AttributeError):
        pass
    return text_of_expression(expression)


def equation_words(equation: Any, names: Names) -> str:
    """An equation as `left = right`."""
    if isinstance(equation, sp.Equality):
        return f"{words(equation.lhs, names)} = {words(equation.rhs, names)}"
    return f"{words(equation, names)} = 0"


def short_text(domain: Domain) -> str:
    """A domain as text, with numbers and brackets no longer than needed."""
    text = text_of_domain(domain)
    text = re.sub(r"\((-?[\d.e-]+)\)", r"\1", text)
    text = re.sub(r"(?<![\w.])(-?\d+)\.0(?![\d\w])", r"\1", text)
    text = re.sub(r",\)", ")", text)
    return text.replace('"', "'")


def toml_of(problem: Problem, parameters: Mapping[Any, float]) -> str:
    """The text of a problem file."""
    values = {str(getattr(k, "name", k)): float(v) for k, v in parameters.items()}
    names = Names(
        {c.name: c for c in problem.coordinates},
        {u.func.__name__: u for u in problem.unknowns},
        {p.name: p for p in problem.parameters},
    )
    lines = [
        f"coordinates = {json.dumps([c.name for c in problem.coordinates])}",
        f"unknowns = {json.dumps(list(problem.names))}",
        f"domain = {json.dumps(short_text(problem.domain))}",
        "equations = [",
        *(f"  {json.dumps(equation_words(e, names))}," for e in problem.equations),
        "]",
        "conditions = [",
        *(f"  {_condition(c, names)}," for c in problem.conditions),
        "]",
    ]
    if problem.parameters:
        lines += ["", "[parameters]", *(f"{p.name} = {values.get(p.name, 1.0)!r}" for p in problem.parameters)]
    return "\n".join(lines) + "\n"


def _condition(condition: Any, names: Names) -> str:
    weight = getattr(condition, "weight", None)
    match condition:
        case On(part=part, equations=equations, where=where):
            texts = [equation_words(e, names) for e in equations]
            inside = None if where is None else words(where, names)
            if weight is None:
                place = part if inside is None else f"{part} where {inside}"
                return json.dumps(f"{', '.join(texts)} on {place}")
            more = "" if inside is None else f", where = {json.dumps(inside)}"
            return f"{{ on = {json.dumps(part)}, equations = {json.dumps(texts)}{more}, weight = {float(weight)!r} }}"
        case At(points=points, equations=equations) if weight is None:
            texts = [equation_words(e, names) for e in equations]
            places = [f"({', '.join(repr(float(v)) for v in p)})" for p in points]
            return json.dumps(f"{', '.join(texts)} at {places[0] if len(places) == 1 else f'[{chr(44).join(places)}]'}")
        case Mean(expression=expression, value=value) if weight is None:
            return json.dumps(f"mean({words(expression, names)}) = {words(value, names)}")
        case Periodic(coordinate=coordinate, unknowns=unknowns) if weight is None:
            which = json.dumps([u.func.__name__ for u in unknowns])
            return f"{{ periodic = {json.dumps(coordinate.name)}, unknowns = {which} }}"
    raise ProblemError(f"The studio has no words for this condition: {condition}. Solve the problem with tn.solve.")
