"""A problem file as a program in Python.

The file may come from anybody, so nothing of it becomes code: texts and numbers are written by `repr`, names become
variables that are Python's own kind of name, and the finished program is read again and may name nothing else.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, NoReturn

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from transnet.files.problem_file import ProblemFile
from transnet.files.unknowns import functions_of
from transnet.files.writing import unknowns_by_name
from transnet.geometry import Domain, Pieces
from transnet.language.printer import NotWritable
from transnet.language.vocabulary import FUNCTIONS
from transnet.problem import Problem
from transnet.problem.unknowns import Curvature, Lagged, NormalComponent, SurfaceLaplacian

OWN = ("sp", "tn", "problem", "solution", "pairs")
"""The names that the program uses itself."""
CLASSES = {known.symbolic for known in FUNCTIONS.values() if isinstance(known.symbolic, type)}
"""The functions that a formula of a file can have."""


class Python(StrPrinter):
    """SymPy's own printer with names as a program has them; also the pen with which shapes write themselves."""

    printmethod = "_python_text"  # nothing has it: what an expression says of itself is not Python
    prefix = "tn."

    def __init__(self) -> None:
        super().__init__()
        self.variables: dict[str, str] = {}
        self.letters: dict[str, str] = {}

    def variable(self, name: str) -> str:
        """The variable for a name of the file: the name itself, unless it means something to Python."""
        if name not in self.variables:
            plain = unicodedata.normalize("NFKC", name)
            plain = plain if plain.isidentifier() else "a"
            taken = {*OWN, *dir(builtins), *self.variables.values()}
            while plain in taken or keyword.iskeyword(plain) or plain.startswith("__"):
                plain = f"{plain.lstrip('_') or 'a'}_"
            self.variables[name] = plain
        return self.variables[name]

    # -- shapes ------------------------------------------------------------------------------------------------------
    def number(self, value: float) -> str:
        return repr(float(value))

    def numbers(self, values: Iterable[float]) -> str:
        return repr(tuple(map(float, values)))

    def ranges(self, sides: Iterable[tuple[str, float, float]]) -> str:
        given = {name: (float(low), float(high)) for name, low, high in sides}
        plain = all(
            n.isidentifier() and not keyword.iskeyword(n) and n == unicodedata.normalize("NFKC", n) for n in given
        )
        text = ", ".join(f"{n}={span!r}" for n, span in given.items()) if plain else f"**{given!r}"
        return re.sub(r"\binf\b", "sp.oo", text)

    def quoted(self, name: str) -> str:
        return repr(name)

    def formula(self, expression: Any) -> str:
        for s in sp.sympify(expression).free_symbols:
            self.letters.setdefault(s.name, self.variable(s.name))
        return self.text(expression)

    def refuse(self, what: str) -> NoReturn:
        raise NotWritable(what)

    def domain(self, domain: Domain) -> str:
        """A domain; pieces by their names."""
        if isinstance(domain, Pieces):
            shapes = ", ".join(f"{name!r}: {self.domain(shape)}" for name, shape in domain.shapes)
            return f"tn.Pieces({{{shapes}}})"
        return domain.text(self)

    # -- expressions -------------------------------------------------------------------------------------------------
    def text(self, expression: Any) -> str:
        """An expression or an equation."""
        if isinstance(expression, sp.MatrixBase):
            return f"sp.Matrix([{', '.join(map(self.text, expression))}])"
        if isinstance(expression, sp.Equality):
            return f"sp.Eq({self.text(expression.lhs)}, {self.text(expression.rhs)})"
        return str(self.doprint(sp.sympify(expression)))

    def _several(self, expressions: Iterable[Any]) -> str:
        return ", ".join(map(self._print, expressions))

    def _print_Derivative(self, e: Any) -> str:
        orders = (self._print(v) if n == 1 else f"{self._print(v)}, {int(n)}" for v, n in e.variable_count)
        return f"sp.diff({self._print(e.expr)}, {', '.join(orders)})"

    def _print_Function(self, e: Any) -> str:
        if isinstance(e, Lagged):
            return f"tn.lagged({self._print(e.args[0])})"
        if isinstance(e, AppliedUndef) and all(isinstance(a, sp.Symbol) for a in e.args):
            return self.variable(e.func.__name__)
        if isinstance(e, SurfaceLaplacian):
            return f"tn.surface_laplacian({self._several(e.args)})"
        if isinstance(e, AppliedUndef):
            return f"{self.variable(e.func.__name__)}.func({self._several(e.args)})"
        if type(e) not in CLASSES:
            self.refuse(f"{type(e).__name__} as Python")
        return f"sp.{type(e).__name__}({self._several(e.args)})"

    def _print_Basic(self, e: Any) -> str:
        self.refuse(f"{type(e).__name__} as Python")

    emptyPrinter = _print_Basic

    def _print_Symbol(self, e: Any) -> str:
        if isinstance(e, Curvature):
            return "tn.curvature()"
        return f"tn.normal({self.variable(e.name[2:])})[0]" if isinstance(e, NormalComponent) else self.variable(e.name)

    def _print_Rational(self, e: Any) -> str:
        return f"sp.Rational({int(e.p)}, {int(e.q)})"

    def _print_Float(self, e: Any) -> str:
        return repr(float(e))

    def _print_Pow(self, e: Any, rational: bool = False) -> str:
        base, exponent = (self.parenthesize(part, PRECEDENCE["Pow"]) for part in (e.base, e.exp))
        return f"{base}**{exponent}"

    def _print_Piecewise(self, e: Any) -> str:
        return f"sp.Piecewise({', '.join(f'({self._print(a)}, {self._print(c)})' for a, c in e.args)})"

    def _print_LatticeOp(self, e: Any) -> str:
        return f"sp.{type(e).__name__}({self._several(e.args)})"

    _print_And = _print_Or = _print_Not = _print_Heaviside = _print_Max = _print_Min = _print_LatticeOp
    _print_conjugate = _print_Abs = _print_re = _print_im = _print_sign = _print_LatticeOp

    def _print_BooleanTrue(self, e: Any) -> str:
        return "sp.true"

    def _print_BooleanFalse(self, e: Any) -> str:
        return "sp.false"

    def _print_Pi(self, e: Any) -> str:
        return "sp.pi"

    def _print_ImaginaryUnit(self, e: Any) -> str:
        return "sp.I"

    def _print_Exp1(self, e: Any) -> str:
        return "sp.E"

    def _print_Subs(self, e: Any) -> str:
        there = (f"({self._print(s)}, {self._print(a)})" for s, a in zip(e.variables, e.point, strict=True))
        return f"({self._print(e.expr)}).subs([{', '.join(there)}])"

    def _print_Integral(self, e: Any) -> str:
        letter, *limits = e.limits[0]
        own = self.variable(letter.name)
        called = f"tn.integral({self._print(e.function)}, over=({own}, {self._several(limits)}))"
        return f"(lambda {own}: {called})(sp.Symbol({letter.name!r}, real=True))"

    def _print_Over(self, e: Any) -> str:
        place = f", over=({self._several(e.bound)},)" if e.bound else f", over={e.place!r}" if e.place else ""
        return f"tn.integral({self._print(e.args[0])}{place})"

    def _print_ByPiece(self, e: Any) -> str:
        values = ", ".join(f"{name!r}: {self._print(v)}" for name, v in e.values.items())
        return f"tn.by_piece({{{values}}})"

    def _print_Slope(self, e: Any) -> str:
        return f"sp.diff({self._several(e.args)})"

    def _print_Jump(self, e: Any) -> str:
        return f"tn.jump({self._print(e.args[0])})"


def python_of(file: ProblemFile) -> str:
    """The program; it needs only the library."""
    problem, pen = file.problem, Python()
    symbols = {s.name: pen.variable(s.name) for s in (*problem.coordinates, *problem.parameters)}
    unknowns = _unknowns(problem, pen)
    domain = pen.domain(problem.domain)
    equations = [f"        {pen.text(e)}," for e in problem.equations]
    conditions = [f"        {c.call(pen.text)}," for c in problem.conditions]
    lines = [repr(f"{file.title.rstrip('. ') or 'A problem'}."), "", "import sympy as sp", "import transnet as tn", ""]
    lines += [*_symbols(symbols | pen.letters), *unknowns, "", "problem = tn.Problem(", f"    domain={domain},"]
    lines += ["    equations=[", *equations, "    ],", "    conditions=[", *conditions, "    ],", ")"]
    keywords = [f"{k}={v!r}" for k, v in file.settings.items() if k in ("tol", "neurons", "seed")]
    if file.parameters:
        values = ", ".join(f"{pen.variable(s.name)}: {v!r}" for s, v in file.parameters.items())
        keywords.append(f"parameters={{{values}}}")
    if file.eigen is not None:
        asked = [f"count={file.eigen.count!r}", *([] if file.eigen.near is None else [f"near={file.eigen.near!r}"])]
        lam = pen.variable(file.eigen.lam.name)
        lines += [f"pairs = tn.eigenpairs({', '.join(['problem', lam, *asked, *keywords])})", "print(pairs.report())"]
    else:
        lines += [f"solution = tn.solve({', '.join(['problem', *keywords])})", "print(solution.report())"]
    return _checked("\n".join([*lines, ""]), {*OWN, "print", *pen.variables.values()})


def _symbols(variables: dict[str, str]) -> list[str]:
    """All symbols in one line, if the variables are called like them."""
    if len(variables) > 1 and all(name == v for name, v in variables.items()):
        return [f"{', '.join(variables)} = sp.symbols({' '.join(variables)!r}, real=True)"]
    return [f"{v} = sp.Symbol({name!r}, real=True)" for name, v in variables.items()]


def _unknowns(problem: Problem, pen: Python) -> list[str]:
    """A line for each unknown, one for each real function of a complex one or a vector."""
    lines = []
    for name, stated in unknowns_by_name(problem).items():
        functions = functions_of([stated])
        parts = ", ".join(pen.variable(f.func.__name__) for f in functions)
        if isinstance(stated, sp.MatrixBase):
            lines.append(f"{pen.variable(name)} = sp.Matrix([{parts}])")
            continue
        own = ", ".join([repr(name), *(pen.variable(c.name) for c in functions[0].args)])
        whole = len(functions) > 1
        lines.append(f"{pen.variable(name)} = tn.unknown({own}{', complex=True' if whole else ''})")
        if whole:
            lines.append(f"{parts} = {pen.variable(name)}.as_real_imag()")
    return sorted(lines, key=lambda line: "sp.Matrix" in line)


def _checked(program: str, known: set[str]) -> str:
    """The program, if its tree names nothing but what it should."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotWritable("the problem as Python") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and unicodedata.normalize("NFKC", node.id) not in known:
            raise NotWritable(f"the name '{node.id}' as Python")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise NotWritable(f"the attribute '{node.attr}' as Python")
    return program
