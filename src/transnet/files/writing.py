"""Write a problem stated in Python as a problem file, in formulas as people would write them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained
from transnet.errors import ProblemError, TransnetError
from transnet.files.unknowns import functions_of, stated_names
from transnet.geometry import Domain, Pieces
from transnet.geometry.product import Product
from transnet.geometry.symbolic import Sized
from transnet.language.formula import formula
from transnet.language.guarded import Value
from transnet.language.names import Names
from transnet.language.printer import text_of_domain, text_of_expression
from transnet.language.stored_problem import alike
from transnet.problem import Condition, Problem, piece_of
from transnet.problem.by_piece import ByPiece
from transnet.problem.complex import in_given_names, is_component
from transnet.problem.condition import KINDS
from transnet.problem.equations import Written
from transnet.problem.groups import groups_of
from transnet.writing import replacing, target


def toml_value(value: Any) -> str:
    """A text, a number or a list as TOML: JSON with every letter as it is, because TOML has no surrogate pairs."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


QUOTED = re.compile("\"[^\"]*\"|'[^']*'")


def words(expression: Any, names: Names) -> str:
    """An expression as a formula: the short text if it reads back as equal, otherwise the careful one."""
    if isinstance(expression, sp.MatrixBase):
        return f"[{', '.join(words(e, names) for e in expression)}]"
    expression = sp.sympify(expression)
    called = {value.expression: sp.Symbol(name) for name, value in names.definitions.items()}
    # Complex unknowns as one symbol, if the formula uses them as a whole.
    for said in (in_given_names(expression), expression):
        short = Written().doprint(said.xreplace(called))
        try:
            again = sp.sympify(formula(short, names).expression)
            if again == expression or alike(again, expression):
                return short
        except (TransnetError, TypeError, ValueError, AttributeError):
            continue
    return text_of_expression(expression.xreplace(_parts(names)).xreplace(called))


def _parts(names: Names) -> dict[sp.Expr, sp.Expr]:
    """The parts of complex unknowns in the language: re(psi), im(psi)."""
    found: dict[sp.Expr, sp.Expr] = {}
    for name, stated in names.unknowns.items():
        if not isinstance(stated, sp.MatrixBase) and stated.has(sp.I):
            whole = sp.Function(name)
            for function, part in zip(functions_of([stated]), (sp.re, sp.im), strict=True):
                found[function] = part(whole(*function.args), evaluate=False)
    return found


def equation_words(equation: Any, names: Names) -> str:
    """An equation as `left = right`."""
    if isinstance(equation, sp.Equality):
        return f"{words(equation.lhs, names)} = {words(equation.rhs, names)}"
    return f"{words(equation, names)} = 0"


def short_text(domain: Domain) -> str:
    """A domain as text, with numbers and brackets no longer than needed."""
    names = []

    def put_aside(found: re.Match[str]) -> str:
        names.append(found.group())
        return "''"

    text = QUOTED.sub(put_aside, text_of_domain(domain))
    text = re.sub(r"\((-?[\d.e-]+)\)", r"\1", text)
    text = re.sub(r"(?<![\w.])(-?\d+)\.0(?![\d\w])", r"\1", text)
    text = _bare(re.sub(r",\)", ")", text))
    again = iter(names)
    return re.sub("''", lambda _: _single(next(again)), text)


def _single(name: str) -> str:
    """A quoted name in single quotes, if it has none inside: in a text in double quotes they need no escapes."""
    return name if "'" in name[1:-1] else f"'{name[1:-1]}'"


def _bare(text: str) -> str:
    """A text without brackets around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text


@explained
def write_problem(
    problem: Problem,
    path: str | Path,
    parameters: Mapping[Any, float] | None = None,
    *,
    lam: sp.Symbol | None = None,
    count: int | None = None,
    near: complex | None = None,
) -> Path:
    """Write a problem to a file that `tn.read_problem` and `transnet solve` read, and return its path.

    Parameters
    ----------
    parameters : mapping, optional
        Values of the problem's parameters; 1 for those left out.
    lam, count, near : optional
        The eigenvalue, and which ones are wanted, as in `tn.eigenpairs`.

    Raises
    ------
    ProblemError
        If a part of it has no text, such as a function that is Python code.
    """
    path = target(path, ".toml")
    asked = None if lam is None else {"lam": lam.name, "count": count, "near": near}
    text = toml_of(problem, parameters or {}, asked)
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")
    return path


def pieces_in(domain: Domain) -> list[tuple[str, Domain]]:
    """The pieces of a domain, also of one that moves; none of another one."""
    if isinstance(domain, Pieces):
        return list(domain.shapes)
    if not isinstance(domain, Sized):
        return []
    if domain.make is Product:
        return [(name, shape * domain.args[1]) for name, shape in pieces_in(domain.args[0])]
    return list({**(domain.args[0] if domain.args else {}), **domain.keywords}.items()) if domain.make is Pieces else []


def toml_of(problem: Problem, parameters: Mapping[Any, float], eigen: Mapping[str, Any] | None = None) -> str:
    """The text of a problem file."""
    values = {str(getattr(k, "name", k)): float(v) for k, v in parameters.items()}
    coordinates = tuple(problem.coordinates)
    unknowns = unknowns_by_name(problem)
    names = Names({c.name: c for c in coordinates}, unknowns, {p.name: p for p in problem.parameters})
    stated = [_unknown(n, unknowns[n], coordinates) for n in stated_names(unknowns)]
    materials = {n: {k: _number_or_words(v, names) for k, v in e.values.items()} for n, e in _by_piece(problem).items()}
    names = replace(names, definitions={n: Value(e) for n, e in _by_piece(problem).items()})
    lines = [
        f"coordinates = {toml_value([c.name for c in coordinates])}",
        f"unknowns = [{', '.join(stated)}]",
        *([] if pieces_in(problem.domain) else [f"domain = {toml_value(short_text(problem.domain))}"]),
        "equations = [",
        *(f"  {toml_value(equation_words(e, names))}," for e in problem.equations),
        "]",
        "conditions = [",
        *(f"  {_condition(c, names)}," for c in problem.conditions),
        "]",
    ]
    if pieces := pieces_in(problem.domain):
        shapes = ((_key(name), toml_value(short_text(shape))) for name, shape in pieces)
        lines += ["", "[pieces]", *(f"{name} = {shape}" for name, shape in shapes)]
    own = [p.name for p in problem.parameters if eigen is None or p.name != eigen["lam"]]
    if own:
        lines += ["", "[parameters]", *(f"{_key(name)} = {values.get(name, 1.0)!r}" for name in own)]
    if materials:
        lines += ["", "[definitions]"]
        for name, by_name in materials.items():
            lines.append(f"{_key(name)} = {{ {', '.join(f'{_key(piece)} = {v}' for piece, v in by_name.items())} }}")
    if eigen is not None:
        lines += ["", "[eigen]", f"lam = {toml_value(eigen['lam'])}", *_asked(eigen)]
    return "\n".join(lines) + "\n"


def _asked(eigen: Mapping[str, Any]) -> list[str]:
    lines = [] if eigen.get("count") is None else [f"count = {int(eigen['count'])}"]
    near = eigen.get("near")
    if near is not None:
        text = repr(float(near.real)) if complex(near).imag == 0 else f'"{near.real!r} + {near.imag!r}*I"'
        lines.append(f"near = {text}")
    return lines


def _by_piece(problem: Problem) -> dict[str, ByPiece]:
    """The coefficients that differ from piece to piece, under names that nothing else has."""
    inside = [piece for piece in map(piece_of, problem.equations) if piece is not None]
    if inside:
        raise ProblemError(f"A problem file has no words for an equation of the piece '{inside[0]}' only.")
    stated = [*problem.equations, *(e for c in problem.conditions for e in getattr(c, "equations", c.expressions()))]
    found = sorted(set().union(*(e.atoms(ByPiece) for e in stated)), key=sp.default_sort_key)
    taken = {s.name for e in stated for s in e.free_symbols} | set(unknowns_by_name(problem))
    free = (n for n in (f"k{number or ''}" for number in range(len(found) + len(taken) + 1)) if n not in taken)
    return {next(free): k for k in found}


def _key(name: str) -> str:
    """A name as a key of a table."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else toml_value(name)


def _number_or_words(value: sp.Expr, names: Names) -> str:
    """A value of a definition."""
    if isinstance(value, sp.Float | sp.Integer):
        return repr(float(value)) if isinstance(value, sp.Float) else str(value)
    return toml_value(words(value, names))


def unknowns_by_name(problem: Problem) -> dict[str, Any]:
    """The unknowns by their names in a file: complex ones and vectors by the names they were given."""
    groups = groups_of(problem)
    inside = {f.func.__name__ for g in groups.values() if not isinstance(g, sp.MatrixBase) for f in functions_of([g])}
    plain = {u.func.__name__: u for u in problem.unknowns if u.func.__name__ not in inside}
    found = plain | groups
    return dict(sorted(found.items(), key=lambda item: problem.unknowns.index(functions_of([item[1]])[0])))


def _unknown(name: str, stated: Any, coordinates: tuple[sp.Symbol, ...]) -> str:
    own = functions_of([stated])[0].args
    called = name if own == coordinates else f"{name}({', '.join(c.name for c in own)})"
    marks = [f"{word} = true" for word, holds in (
        ("complex", any(map(is_component, functions_of([stated])))), ("vector", isinstance(stated, sp.MatrixBase)),
    ) if holds]  # fmt: skip
    return f"{{ name = {toml_value(called)}, {', '.join(marks)} }}" if marks else toml_value(called)


def _condition(condition: Condition, names: Names) -> str:
    writer = _Entries(names)
    entry = condition.entry(writer)
    if isinstance(entry, str):
        return toml_value(entry)
    table = {**entry, **writer.arrays}
    if not set(table) & set(KINDS):
        raise ProblemError(f"A problem file has no words for this condition: {condition}. Solve it with tn.solve.")
    given = {key: value for key, value in table.items() if value is not None and value != []}
    return f"{{ {', '.join(f'{key} = {toml_value(value)}' for key, value in given.items())} }}"


@dataclass(frozen=True, eq=False)
class _Entries:
    """Writes a condition, with its arrays among the other entries."""

    names: Names
    arrays: dict[str, Any] = field(default_factory=dict)

    def formula(self, expression: Any) -> str:
        return words(expression, self.names)

    def equations(self, equations: Sequence[Any]) -> list[str]:
        return [equation_words(e, self.names) for e in equations]

    def array(self, key: str, values: np.ndarray) -> None:
        self.arrays[key] = values.tolist()

    def unknowns(self, unknowns: Sequence[sp.Expr]) -> list[str]:
        own = self.names.unknowns
        owners = {f: n for n in stated_names(own) for f in functions_of([own[n]])}
        return list(dict.fromkeys(owners[u] for u in unknowns))
