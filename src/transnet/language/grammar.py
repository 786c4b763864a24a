"""The grammar of formulas: text to a tree, by precedence climbing.

Nothing is evaluated here and Python's parser is not used, so a formula cannot execute anything. The length of the text,
the number of its tokens and the depth of its tree are bounded before any work is done on it.

    or < and < not < comparison < | < & < + - < * / < unary + - < ** ^ < call

`**` and `^` are the same and group from the right; `-x**2` is `-(x**2)`, as in Python.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from transnet.language.errors import FormulaError

LONGEST = 50_000
"""The most characters of one formula."""
MOST_TOKENS = 20_000
"""The most tokens of one formula; a polygon with a few thousand corners fits."""
DEEPEST = 60
"""The most levels of brackets, calls and unary signs."""

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<name>[^\W\d]\w*)
      | (?P<text>"[^"\n]*"|'[^'\n]*')
      | (?P<sign>\*\*|<=|>=|==|!=|[-+*/^()\[\],=<>|&])""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A word of a formula: its kind, its text and where it starts."""

    kind: str
    text: str
    offset: int


@dataclass(frozen=True)
class Numeral:
    """A number as it is written."""

    text: str
    offset: int


@dataclass(frozen=True)
class Name:
    """A name."""

    name: str
    offset: int


@dataclass(frozen=True)
class Text:
    """A quoted text."""

    text: str
    offset: int


@dataclass(frozen=True)
class Items:
    """A bracketed list, (a, b) or [a, b]."""

    items: tuple[Node, ...]
    offset: int


@dataclass(frozen=True)
class Call:
    """A function applied to arguments, some of them by keyword."""

    name: str
    arguments: tuple[Node, ...]
    keywords: tuple[tuple[str, Node], ...]
    offset: int


@dataclass(frozen=True)
class Operation:
    """An operator between two nodes, or before one (then `left` is None)."""

    sign: str
    left: Node | None
    right: Node
    offset: int


Node = Numeral | Name | Text | Items | Call | Operation

BINDING = {
    "or": (1, 2), "and": (3, 4), "<": (7, 8), "<=": (7, 8), ">": (7, 8), ">=": (7, 8), "|": (9, 10), "&": (11, 12),
    "+": (13, 14), "-": (13, 14), "*": (15, 16), "/": (15, 16), "**": (20, 19), "^": (20, 19),
}  # fmt: skip
PREFIX = {"-": 17, "+": 17, "not": 5}
COMPARISONS = ("<", "<=", ">", ">=")


def tokens_of(text: str) -> list[Token]:
    """The words of a formula."""
    if len(text) > LONGEST:
        raise FormulaError(f"The formula has {len(text)} characters; at most {LONGEST} are read.")
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise FormulaError(_strange(text[position]), position)
        if match.lastgroup != "space":
            found.append(Token(str(match.lastgroup), match.group(), position))
            if match.lastgroup == "text" and not match.group().isprintable():
                raise FormulaError(
                    "A quoted text has a character that cannot be shown. Write it with letters.", position
                )
            if len(found) > MOST_TOKENS:
                raise FormulaError(f"The formula is too long: more than {MOST_TOKENS} words and signs.", position)
        position = match.end()
    return found


def _strange(character: str) -> str:
    if character in "\"'":
        return "A quoted text is not closed."
    hint = {
        ".": "Attributes are not part of the language; write a function as sin(x).",
        ";": "Write one equation per string.",
        ":": "A range is written (a, b).",
        "{": "Write a list with [ and ].",
        "!": "There are no factorials.",
        "∂": "Write a derivative as diff(u, x) or u_x.",
        "∇": "Write grad(u), div(v) or laplacian(u).",
        "Δ": "Write laplacian(u).",
        "·": "Write a product with *.",
        "×": "Write a product with *.",
        "−": "Write a minus sign with -.",
    }.get(character, "")
    return f"The character {character!r} means nothing in a formula. {hint}".rstrip()


def parse(text: str) -> Node:
    """The tree of an expression."""
    reader = TokenReader(tokens_of(text), len(text))
    tree = reader.expression(0)
    reader.end()
    return tree


def parse_equation(text: str) -> tuple[Node, Node]:
    """The trees of the two sides of `left = right`."""
    reader = TokenReader(tokens_of(text), len(text))
    left = reader.expression(0)
    sign = reader.take("=") or reader.take("==")
    if sign is None:
        if reader.here is None:
            raise FormulaError("An equation needs a sign '=': write left = right, for example laplacian(u) = 0.")
        reader.end()
    right = reader.expression(0)
    again = reader.here
    if again is not None and again.text in ("=", "=="):
        raise FormulaError("An equation has one sign '='. Write two equations as two strings.", again.offset)
    reader.end()
    return left, right


class TokenReader:
    """Walks the tokens and builds the tree."""

    def __init__(self, tokens: list[Token], length: int) -> None:
        self.tokens, self.length = tokens, length
        self.position = 0
        self.depth = 0

    @property
    def here(self) -> Token | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self, text: str) -> Token | None:
        """The next token if it is this sign, which is then consumed."""
        token = self.here
        if token is None or token.text != text or token.kind == "text":
            return None
        self.position += 1
        return token

    def need(self, text: str, opened: Token) -> None:
        if self.take(text) is None:
            at = self.here.offset if self.here else self.length
            found = f"'{self.here.text}' stands there" if self.here else "the formula ends"
            raise FormulaError(
                f"Expected '{text}' for the '{opened.text}' opened at character {opened.offset + 1}, but {found}."
                f"{self.product()}",
                at,
            )

    def end(self) -> None:
        if self.here is not None:
            hint = self.product() or " Is an operator missing, or a bracket too many?"
            raise FormulaError(f"Did not expect '{self.here.text[:40]}' here.{hint}", self.here.offset)

    def product(self) -> str:
        """A hint if a product is written without its sign: 2u_xx, 2(x + 1), (x + 1)(y + 1), (x + 1)y."""
        before, here = self.tokens[self.position - 1] if self.position else None, self.here
        if before is None or here is None or not (before.kind == "number" or before.text in (")", "]")):
            return ""
        if here.kind not in ("name", "number") and here.text != "(":
            return ""
        return f" Write a product with *: {before.text[:40]}*{here.text[:40]}."

    def expression(self, least: int) -> Node:
        """The longest expression whose operators bind at least this strongly."""
        self.depth += 1
        token = self.here
        if self.depth > DEEPEST:
            raise FormulaError(
                f"The formula is nested more than {DEEPEST} levels deep. Name parts of it under [definitions].",
                token.offset if token else self.length,
            )
        left = self.operand()
        compared = False
        while (token := self.here) is not None and token.kind != "text" and token.text in BINDING:
            stronger, rest = BINDING[token.text]
            if stronger < least:
                break
            if token.text in COMPARISONS:
                if compared:
                    between = (
                        isinstance(left, Operation) and isinstance(left.right, Operation) and left.right.sign in "&|"
                    )
                    words = "Join inequalities with 'and' or 'or'" if between else "Write a double inequality as two"
                    raise FormulaError(f"{words}: a < x and x < b.", token.offset)
                compared = True
            self.position += 1
            left = Operation("**" if token.text == "^" else token.text, left, self.expression(rest), token.offset)
        self.depth -= 1
        return left

    def operand(self) -> Node:
        token = self.here
        if token is None:
            raise FormulaError("The formula ends where a number, a name or a bracket should follow.", self.length)
        self.position += 1
        if token.kind == "number":
            return Numeral(token.text, token.offset)
        if token.kind == "text":
            return Text(token.text[1:-1], token.offset)
        if token.text in PREFIX:
            return Operation(token.text, None, self.expression(PREFIX[token.text]), token.offset)
        if token.kind == "name":
            opening = self.take("(")
            return self.call(token, opening) if opening else Name(token.text, token.offset)
        if token.text in "([":
            return self.bracket(token)
        raise FormulaError(
            f"Did not expect '{token.text}' here: a number, a name or a bracket should stand.", token.offset
        )

    def bracket(self, opened: Token) -> Node:
        close = ")" if opened.text == "(" else "]"
        items: list[Node] = []
        comma = False
        while self.here is not None and self.here.text != close:
            items.append(self.expression(0))
            comma = self.take(",") is not None
            if not comma:
                break
        self.need(close, opened)
        if opened.text == "(" and len(items) == 1 and not comma:
            return items[0]
        return Items(tuple(items), opened.offset)

    def call(self, name: Token, opened: Token) -> Node:
        arguments: list[Node] = []
        keywords: list[tuple[str, Node]] = []
        while self.here is not None and self.here.text != ")":
            after = self.tokens[self.position + 1] if self.position + 1 < len(self.tokens) else None
            if self.here.kind == "name" and after is not None and after.text == "=":
                keyword = self.here
                if keyword.text in dict(keywords):
                    raise FormulaError(f"'{keyword.text}' is given twice.", keyword.offset)
                self.position += 2
                keywords.append((keyword.text, self.expression(0)))
            else:
                arguments.append(self.expression(0))
            if self.take(",") is None:
                break
        self.need(")", opened)
        return Call(name.text, tuple(arguments), tuple(keywords), name.offset)
