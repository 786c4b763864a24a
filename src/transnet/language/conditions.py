"""Conditions as text: `u = 0, u_t = 1 on t=0`, `u = 1 at (0, 0)`, `u = 0 at infinity`, `mean(p) = 0`, ..."""

from __future__ import annotations

import re
from dataclasses import dataclass

import sympy as sp

from transnet.errors import TransnetError
from transnet.geometry import Domain
from transnet.language.errors import FormulaError
from transnet.language.formula import Evaluator, equation, formula
from transnet.language.grammar import Call, Items, Node, Operation, Token, parse, parse_equation, tokens_of
from transnet.language.names import Names
from transnet.problem import Condition, at, at_infinity, mean, obstacle, on, periodic

UNEQUAL = re.compile(r"[<>]=")
PERIODIC = re.compile(r"\s*periodic\s+in\s+(\w+)\s*\Z")


@dataclass(frozen=True)
class Split:
    """A condition cut at its keyword: the equations with their offsets, the keyword, and what follows."""

    equations: tuple[tuple[str, int], ...]
    keyword: Token | None
    rest: str


def condition(text: str, names: Names, domain: Domain) -> Condition:
    """The condition that a text states."""
    match = PERIODIC.match(text)
    if match:
        name = match[1]
        if name not in names.coordinates:
            raise FormulaError(f"'{name}' is not a coordinate: {', '.join(names.coordinates)}.", match.start(1))
        return periodic(names.coordinates[name])
    split = _split(text)
    if split.keyword is None:
        return obstacle(formula(text, names).expression) if UNEQUAL.search(text) else _mean(text, names)
    equations = [e for part, offset in split.equations for e in shifted(_stated, part, offset, names)]
    start = split.keyword.offset + len(split.keyword.text)
    if split.keyword.text == "at" and split.rest.strip() == "infinity":
        if len(equations) != 1:
            raise FormulaError("One equation holds at infinity: 'u = 0 at infinity'.", 0)
        return at_infinity(equations[0])
    if split.keyword.text == "at":
        points = _points(shifted(parse, split.rest, start), names, start)
        return at(points, *equations)
    return boundary_condition(split.rest, start, equations, names, domain)


def _stated(text: str, names: Names) -> list[sp.Basic]:
    """Equations, or an inequality."""
    return [formula(text, names).expression] if UNEQUAL.search(text) else list(equation(text, names))


def boundary_condition(
    rest: str, start: int, equations: list[sp.Basic], names: Names, domain: Domain, weight: float | None = None
) -> Condition:
    """The condition on a part that may be restricted: `left where y > 0`."""
    word = re.search(r"\bwhere\b", rest)
    part = (rest[: word.start()] if word else rest).strip()
    if len(part) > 1 and part[0] == part[-1] and part[0] in "\"'":
        part = part[1:-1]
    offset = start + len(rest) - len(rest.lstrip())
    if not part:
        raise FormulaError("Name a part of the boundary after 'on'; 'boundary' is all of it.", offset)
    try:
        domain.resolve(part)
    except TransnetError as error:
        raise FormulaError(str(error), offset) from None
    where = None
    if word:
        inside = shifted(formula, rest[word.end() :], start + word.end(), names)
        if not inside.is_condition:
            raise FormulaError("A condition such as x > 0 must follow 'where'.", start + word.end())
        where = inside.expression
    return on(part, *equations, where=where, weight=weight)


def _split(text: str) -> Split:
    """Split at commas, and at the first `on` or `at`, outside brackets."""
    depth, start = 0, 0
    cuts: list[tuple[str, int]] = []
    for token in tokens_of(text):
        if token.kind == "sign" and token.text in "()[]":
            depth += 1 if token.text in "([" else -1
        if depth == 0 and token.text == ",":
            cuts.append((text[start : token.offset], start))
            start = token.offset + 1
        if depth == 0 and token.kind == "name" and token.text in ("on", "at"):
            cuts.append((text[start : token.offset], start))
            return Split(tuple(cuts), token, text[token.offset + len(token.text) :])
    return Split((), None, "")


def shifted(function, text: str, offset: int, *arguments):  # type: ignore[no-untyped-def]
    """Read a piece of a text; an error points into the whole text."""
    try:
        return function(text, *arguments)
    except FormulaError as error:
        raise FormulaError(error.message, error.offset + offset) from None


def _mean(text: str, names: Names) -> Condition:
    left, right = parse_equation(text)
    if not isinstance(left, Call) or left.name != "mean" or len(left.arguments) != 1 or left.keywords:
        raise FormulaError(
            "A condition says where it holds: '... on boundary', '... on left where y > 0', '... at (0, 0)', "
            "'... at infinity'; or it is 'mean(p) = 0', 'periodic in x' or an obstacle, 'u >= 1 - x**2'.",
            len(text.rstrip()),
        )
    evaluator = Evaluator(names)
    return mean(evaluator.scalar(left.arguments[0]).expression, evaluator.scalar(right).expression)


def _points(tree: Node, names: Names, start: int) -> list[list[float]]:
    points = tree.items if isinstance(tree, Items) and all(isinstance(i, Items) for i in tree.items) else (tree,)
    found = []
    for point in points:
        if isinstance(point, Operation | Call) or (not isinstance(point, Items) and len(names.coordinates) > 1):
            raise FormulaError(
                f"A point such as ({', '.join('0' for _ in names.coordinates)}) must follow 'at'.", start
            )
        coordinates = point.items if isinstance(point, Items) else (point,)
        if len(coordinates) != len(names.coordinates):
            raise FormulaError(
                f"The point has {len(coordinates)} entries, but the coordinates are {', '.join(names.coordinates)}.",
                start + point.offset,
            )
        numbers = [Evaluator(names)(c).number for c in coordinates]
        if any(n is None for n in numbers):
            raise FormulaError("The entries of a point must be numbers.", start + point.offset)
        found.append([float(n) for n in numbers if n is not None])
    if not found:
        raise FormulaError("There is no point after 'at'.", start)
    return found
