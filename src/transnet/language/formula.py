"""From a formula's tree to SymPy, with the names it may use and no others."""

from __future__ import annotations

import difflib
from dataclasses import replace

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.language import guarded
from transnet.language.errors import FormulaError
from transnet.language.grammar import Call, Items, Name, Node, Numeral, Operation, Text, parse, parse_equation
from transnet.language.guarded import Value, applied, made
from transnet.language.names import MOST_COORDINATES, Names
from transnet.language.operations import OPERATIONS, as_condition, check_count
from transnet.language.vocabulary import FUNCTIONS, OPERATORS, OTHER_NAMES

RELATIONS = {"<": sp.StrictLessThan, "<=": sp.LessThan, ">": sp.StrictGreaterThan, ">=": sp.GreaterThan}
NOT_FINITE = (sp.oo, -sp.oo, sp.zoo, sp.nan)
MOST_DIGITS = 40
HIGHEST = 50
"""The highest order of a Bessel function: SymPy is slow for higher ones."""


class Evaluator:
    """Walks the tree of one formula."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def __call__(self, node: Node) -> Value:
        match node:
            case Numeral(text=text, offset=offset):
                return _number(text, offset)
            case Name(name=name, offset=offset):
                return self.names.find(name, offset)
            case Text(offset=offset):
                raise FormulaError("A quoted text has no meaning in a formula.", offset)
            case Items(items=items, offset=offset):
                return self.vector(items, offset)
            case Call():
                return self.call(node)
            case Operation(left=None, sign=sign, right=right, offset=offset):
                value = self(right)
                if sign == "not":
                    return made(sp.Not(as_condition(value, offset).expression), (value,), None, offset)
                _scalar_or_vector(value, offset)
                return value if sign == "+" else guarded.total([(-1, value)], offset)
        return self.chain(node)

    def chain(self, node: Operation) -> Value:
        """A chain of operators of one precedence: a loop along the left spine, with sums and products evaluated at
        once."""
        spine: list[Operation] = []
        first: Node = node
        while isinstance(first, Operation) and first.left is not None and _family(first.sign) == _family(node.sign):
            spine.append(first)
            first = first.left
        left = self(first)
        spine.reverse()
        operands = [self(op.right) for op in spine]
        family = _family(node.sign)
        if family in "+*":
            for value, at in zip([left, *operands], [spine[0], *spine], strict=True):
                _scalar_or_vector(value, at.offset)
        if family == "+":
            terms = [(1, left), *((1 if op.sign == "+" else -1, v) for op, v in zip(spine, operands, strict=True))]
            return guarded.total(terms, node.offset)
        if family == "*":
            factors = [(False, left, node.offset)]
            factors += [(op.sign == "/", v, op.offset) for op, v in zip(spine, operands, strict=True)]
            return guarded.product(factors, node.offset)
        for op, right in zip(spine, operands, strict=True):
            left = self.pair(op, left, right)
        return left

    def pair(self, op: Operation, left: Value, right: Value) -> Value:
        if op.sign == "**":
            _scalar_or_vector(left, op.offset)
            _scalar_or_vector(right, op.offset)
            return guarded.power(left, right, op.offset)
        if op.sign in RELATIONS:
            for side in (left, right):
                if side.is_vector or side.is_condition:
                    raise FormulaError("Only numbers can be compared.", op.offset)
                if side.expression.has(sp.I):
                    raise FormulaError(
                        "Complex values have no order, so they stand in no inequality. Compare re(...), im(...) or "
                        "abs(...).",
                        op.offset,
                    )
            return made(RELATIONS[op.sign](left.expression, right.expression), (left, right), None, op.offset)
        sides = [as_condition(side, op.offset).expression for side in (left, right)]
        return made(sp.And(*sides) if op.sign in ("and", "&") else sp.Or(*sides), (left, right), None, op.offset)

    def vector(self, items: tuple[Node, ...], offset: int) -> Value:
        values = [self(item) for item in items]
        if not values or len(values) > MOST_COORDINATES or any(not isinstance(v.expression, sp.Expr) for v in values):
            raise FormulaError(f"A vector in a formula is one to {MOST_COORDINATES} numbers: [a, b].", offset)
        return made(sp.Matrix([v.expression for v in values]), values, None, offset)

    # -- calls -------------------------------------------------------------------------------------------------------
    def call(self, node: Call) -> Value:
        name = OTHER_NAMES.get(node.name, node.name)
        if node.keywords and name != "by_piece":
            raise FormulaError(f"{node.name} takes no argument by keyword.", node.offset)
        if name in FUNCTIONS:
            known = FUNCTIONS[name]
            check_count(node, known.least, known.most)
            arguments = [self(a) for a in node.arguments]
            if name.startswith("bessel") and (arguments[0].number is None or abs(arguments[0].number) > HIGHEST):
                raise FormulaError(f"The order of {name} must be a number of at most {HIGHEST}.", node.offset)
            return applied(known.symbolic, known.numeric, arguments, node.name, node.offset)
        if name in OPERATIONS:
            return OPERATIONS[name](self, node)
        if name in self.names.unknowns:
            return self.own_arguments(node, self.names.unknowns[name])
        if name in self.names.coordinates or name in self.names.parameters or name in self.names.definitions:
            raise FormulaError(f"'{name}' is not a function. Is an operator such as * missing?", node.offset)
        close = difflib.get_close_matches(name[:40], [*FUNCTIONS, *OPERATORS], n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise FormulaError(f"There is no function '{name[:40]}'.{hint}", node.offset)

    def own_arguments(self, node: Call, unknown: sp.Expr) -> Value:
        """u(x, y) for the unknown itself, u(x/2, y) for its value elsewhere."""
        arguments = [self.scalar(a) for a in node.arguments]
        parts = sorted(unknown.atoms(AppliedUndef), key=str)
        own = parts[0].args
        if len(arguments) != len(own):
            shown = f"{node.name}({', '.join(map(str, own))})"
            raise FormulaError(f"{node.name} is used with its own coordinates or without any: {shown}.", node.offset)
        there = tuple(a.expression for a in arguments)
        if there == own:
            return Value(unknown)
        return made(unknown.xreplace({p: p.func(*there) for p in parts}), tuple(arguments), None, node.offset)

    def binding(self, letters: dict[str, sp.Symbol]) -> Evaluator:
        """The reader for the inside of an integral, in which the bound letters have a meaning."""
        return Evaluator(replace(self.names, letters={**self.names.letters, **letters}))

    def scalar(self, node: Node) -> Value:
        value = self(node)
        if not isinstance(value.expression, sp.Expr):
            raise FormulaError("A number is needed here, not a vector or a condition.", node.offset)
        return value

    def coordinate(self, node: Node) -> sp.Symbol:
        if isinstance(node, Name) and node.name in self.names.letters:
            return self.names.letters[node.name]
        if not isinstance(node, Name) or node.name not in self.names.coordinates:
            there = ", ".join(self.names.coordinates)
            raise FormulaError(f"A coordinate is needed here: {there}.", node.offset)
        return self.names.coordinates[node.name]


def _family(sign: str) -> str:
    return {"-": "+", "/": "*"}.get(sign, sign)


def _number(text: str, offset: int) -> Value:
    digits = text.replace("_", "")
    if len(digits) > MOST_DIGITS:
        raise FormulaError(f"The number has {len(digits)} characters; at most {MOST_DIGITS} are read.", offset)
    value = float(digits)
    if value in (float("inf"),) or (value == 0 and any(c in "123456789" for c in digits.lower().split("e")[0])):
        raise FormulaError(f"The number {text} is beyond the range of floating point.", offset)
    return Value(sp.Integer(int(digits)) if digits.isdigit() else sp.Float(value), value)


def _scalar_or_vector(value: Value, offset: int) -> None:
    if not isinstance(value.expression, sp.Expr | sp.MatrixBase):
        raise FormulaError("A condition cannot be used as a number. Write where(x > 0, a, b).", offset)


def evaluated(tree: Node, names: Names) -> Value:
    """The value of a tree; whatever SymPy cannot do becomes an error of the formula."""
    try:
        value = Evaluator(names)(tree)
        expression = value.expression
        infinite = isinstance(expression, sp.Basic | sp.MatrixBase) and expression.has(*NOT_FINITE)
    except (ProblemError, MemoryError):
        raise
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise FormulaError(
            f"SymPy cannot work this out: {reason[:200]}. Write it in another way.", tree.offset
        ) from None
    if infinite:
        raise FormulaError("The formula contains something infinite or not defined.", tree.offset)
    return value


def formula(text: str, names: Names) -> Value:
    """The expression that a text stands for."""
    return evaluated(parse(text), names)


def equation(text: str, names: Names) -> list[sp.Equality]:
    """The scalar equations of `left = right`; between vectors there is one for each entry."""
    left_tree, right_tree = parse_equation(text)
    left, right = evaluated(left_tree, names), evaluated(right_tree, names)
    for side, tree in ((left, left_tree), (right, right_tree)):
        if not isinstance(side.expression, sp.Expr | sp.MatrixBase):
            raise FormulaError("An equation is between numbers or vectors, not conditions.", tree.offset)
    if not left.is_vector and not right.is_vector:
        return [sp.Eq(left.expression, right.expression, evaluate=False)]
    n = len(left.expression) if left.is_vector else len(right.expression)
    sides = [list(s.expression) if s.is_vector else [s.expression] * n for s in (left, right)]
    if len(sides[0]) != len(sides[1]):
        raise FormulaError(f"The sides have {len(sides[0])} and {len(sides[1])} entries.", right_tree.offset)
    return [sp.Eq(a, b, evaluate=False) for a, b in zip(*sides, strict=True)]
