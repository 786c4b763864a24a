"""A problem file as a program in Python."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from transnet.files.problem_file import ProblemFile
from transnet.files.unknowns import functions_of
from transnet.files.writing import unknowns_by_name
from transnet.language.printer import text_of_domain
from transnet.problem import Problem
from transnet.problem.unknowns import Lagged, NormalComponent

SHAPE = re.compile(r"\b(Interval|Box|Disk|Ball|Annulus|Shell|Polygon|Region|Curve|LevelSet|Mesh|Pieces)\(")


class _Python(StrPrinter):
    """SymPy's own printer with names as a Python program has them."""

    def _print_Derivative(self, e: Any) -> str:
        orders = ", ".join(v.name if n == 1 else f"{v.name}, {n}" for v, n in e.variable_count)
        return f"sp.diff({self._print(e.expr)}, {orders})"

    def _print_Function(self, e: Any) -> str:
        if isinstance(e, Lagged):
            return f"tn.lagged({self._print(e.args[0])})"
        if isinstance(e, AppliedUndef) and all(isinstance(a, sp.Symbol) for a in e.args):
            return str(e.func.__name__)
        if isinstance(e, AppliedUndef):
            return f"{e.func.__name__}.func({', '.join(map(self._print, e.args))})"
        return f"sp.{super()._print_Function(e)}"

    def _print_Symbol(self, e: Any) -> str:
        return f"tn.normal({e.name[2:]})" if isinstance(e, NormalComponent) else str(e.name)

    def _print_Rational(self, e: Any) -> str:
        return f"sp.Rational({e.p}, {e.q})"

    def _print_Piecewise(self, e: Any) -> str:
        return f"sp.Piecewise({', '.join(f'({self._print(a)}, {self._print(c)})' for a, c in e.args)})"

    def _print_Pi(self, e: Any) -> str:
        return "sp.pi"

    def _print_ImaginaryUnit(self, e: Any) -> str:
        return "sp.I"

    def _print_Subs(self, e: Any) -> str:
        there = ", ".join(f"({self._print(s)}, {self._print(a)})" for s, a in zip(e.variables, e.point, strict=True))
        return f"({self._print(e.expr)}).subs([{there}])"

    def _print_Integral(self, e: Any) -> str:
        over = ", ".join(map(self._print, e.limits[0]))
        letter = e.limits[0][0].name
        inside = self._print(e.function)
        return f'(lambda {letter}: tn.integral({inside}, over=({over})))(sp.Symbol("{letter}", real=True))'

    def _print_Over(self, e: Any) -> str:
        over = ", ".join(map(self._print, e.bound))
        place = f", over=({over},)" if e.bound else f", over={e.place!r}" if e.place else ""
        return f"tn.integral({self._print(e.args[0])}{place})"

    def _print_Exp1(self, e: Any) -> str:
        return "sp.E"


def text_of(expression: Any) -> str:
    """An expression as Python."""
    if isinstance(expression, sp.MatrixBase):
        return f"sp.Matrix([{', '.join(map(text_of, expression))}])"
    if isinstance(expression, sp.Equality):
        return f"sp.Eq({text_of(expression.lhs)}, {text_of(expression.rhs)})"
    printed = _Python().doprint(sp.sympify(expression))
    return re.sub(r"\bsqrt\(", "sp.sqrt(", printed).replace("sp.sp.", "sp.")


def python_of(file: ProblemFile) -> str:
    """The program; it needs only the library."""
    problem = file.problem
    coordinates = [c.name for c in problem.coordinates]
    symbols = [*coordinates, *(p.name for p in problem.parameters)]
    several = len(symbols) > 1
    lines = [f'"""{_quoted(file.title)}."""', "", "import sympy as sp", "import transnet as tn", ""]
    lines.append(f'{", ".join(symbols)} = sp.symbols("{" ".join(symbols)}", real=True)'
                 if several else f'{symbols[0]} = sp.Symbol("{symbols[0]}", real=True)')  # fmt: skip
    lines += _unknowns(problem)
    lines += ["", "problem = tn.Problem("]
    domain = SHAPE.sub(r"tn.\1(", text_of_domain(problem.domain))
    lines.append(f"    domain={domain},")
    lines += ["    equations=[", *(f"        {text_of(e)}," for e in problem.equations), "    ],"]
    lines += ["    conditions=[", *(f"        {c.call(text_of)}," for c in problem.conditions), "    ],", ")"]
    keywords = [f"{k}={v!r}" for k, v in file.settings.items() if k in ("tol", "neurons", "seed")]
    if file.parameters:
        keywords.append("parameters={" + ", ".join(f"{s.name}: {v!r}" for s, v in file.parameters.items()) + "}")
    if file.eigen is not None:
        asked = [f"count={file.eigen.count}", *([] if file.eigen.near is None else [f"near={file.eigen.near!r}"])]
        lines += [f"pairs = tn.eigenpairs({', '.join(['problem', file.eigen.lam.name, *asked, *keywords])})"]
        return "\n".join([*lines, "print(pairs.report())", ""])
    lines += [f"solution = tn.solve({', '.join(['problem', *keywords])})", "print(solution.report())", ""]
    return "\n".join(lines)


def _unknowns(problem: Problem) -> list[str]:
    """A line for each unknown, one for each real function of a complex one or a vector."""
    lines = []
    for name, stated in unknowns_by_name(problem).items():
        if isinstance(stated, sp.MatrixBase):
            lines.append(f"{name} = sp.Matrix([{', '.join(f.func.__name__ for f in functions_of([stated]))}])")
            continue
        functions = functions_of([stated])
        own = ", ".join([f'"{name}"', *(c.name for c in functions[0].args)])
        whole = len(functions) > 1
        lines.append(f"{name} = tn.unknown({own}{', complex=True' if whole else ''})")
        if whole:
            lines.append(f"{', '.join(f.func.__name__ for f in functions)} = {name}.as_real_imag()")
    return sorted(lines, key=lambda line: "sp.Matrix" in line)


def _quoted(title: str) -> str:
    return "".join(c for c in title if c.isprintable() and c not in '"\\').rstrip(". ") or "A problem"
