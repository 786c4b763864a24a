"""Messages of the library in the words of problem files and options: who writes no Python is told no Python."""

from __future__ import annotations

import re
from collections.abc import Callable

Change = str | Callable[[re.Match[str]], str]

WORDS: tuple[tuple[str, Change], ...] = (
    # What to do about it, as an option or as a line of the file.
    (r"tn\.solve\(problem, neurons=(\d+)\)", r"--neurons \1"),
    (r"tn\.solve\(problem, tol=\.\.\.\)", "--tol with the error to reach"),
    (r"Pass neurons=(\d+), or a feature space", r"Pass --neurons \1, or --space"),
    (r"Pass neurons=(\d+)", r"Pass --neurons \1"),
    (r"add tn\.mean\(\.\.\.\) or a value at a point", 'add a condition such as "mean(u) = 0" or "u = 0 at (0, 0)"'),
    (r"tn\.on\('([^']*)', sympy\.Eq\(sympy\.diff\((\w+), t\), 0\)\)", r'the condition "\2_t = 0 on \1"'),
    (
        r"sympy\.Eq\(tn\.grad\(u\), q / k\) and sympy\.Eq\(tn\.div\(q\), f\)",
        '"u_x = p/k", "u_y = q/k" and "div([p, q]) = f"',
    ),
    (r"Try another guess=, continuation=\{[^}]*\}, or more steps", "Try another guess, or a continuation, in [solve]"),
    (r"such as guess=(\S+?)\.(?=\s|$)", r"such as guess = \1 in [solve]."),
    (
        r"Pass parameters=\{[^}]*\}, or make (it|them) a coordinate",
        r"Give \1 a value in [parameters], or make \1 a coordinate",
    ),
    (r"with where= or other parts", "with 'where', or to other parts"),
    (r"with where=", "with 'where'"),
    (r"where=(\S)", r"where \1"),
    (r"or use tn\.Newton\(\)", 'or use strategy = "newton" in [solve]'),
    (
        r"pass it with tn\.given\(name, callable, coordinates\) and let it return an array",
        "such functions need a program",
    ),
    (r"A function that is not a formula can be passed with tn\.given\(name, callable, coordinates\)\.", ""),
    # What was written.
    (r"Derivative\((\w+)(\([^()]*\)), ((?:\(\w+, \d+\)|\w+)(?:, (?:\(\w+, \d+\)|\w+))*)\)", lambda m: _derivative(m)),
    (r"sympy\.Eq\((\w+), (\w+)\)", r'"\1 = \2"'),
    (r"\b(?:tn|sympy|sp)\.(?=\w)", ""),
)
"""Regular expressions and what stands in their place, one after the other."""


def worded(message: str) -> str:
    """A message of the library as a user of the command line needs it."""
    for pattern, words in WORDS:
        message = re.sub(pattern, words, message)
    return message


def worded_report(report: str) -> str:
    """A report whose warnings are in these words; its table stays as it is."""
    return "\n".join(worded(line) if line.startswith("  warning: ") else line for line in report.split("\n"))


def _derivative(match: re.Match[str]) -> str:
    """u_xx, as files have it, of Derivative(u(x, t), (x, 2))."""
    counted = re.findall(r"\((\w+), (\d+)\)|(\w+)", match[3])
    coordinates = [c or one for c, n, one in counted for _ in range(int(n or 1))]
    if any(len(c) > 1 for c in coordinates):
        return f"diff({match[1]}, {', '.join(coordinates)})"
    return f"{match[1]}_{''.join(coordinates)}"
