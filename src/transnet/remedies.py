"""Remedies as data, such as `{"neurons": 800}`. Each front end has its own sentence for each kind of remedy.

The sentences here are those of Python programs; those of problem files and of the command are in `files/words.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Remedy = Mapping[str, Any]
"""Kinds of remedies with their values: numbers, strings, or lists and dictionaries of them."""
Words = Mapping[str, Callable[[Any], str]]
"""A sentence for each kind of remedy, made of its value."""


def it(names: list[str]) -> str:
    """The pronoun for one name or for several."""
    return "them" if len(names) > 1 else "it"


PYTHON: Words = {
    "neurons": lambda n: f"Use more neurons: tn.solve(problem, neurons={n}).",
    "seconds": lambda s: f"Allow more time: seconds={s:g}.",
    "onward": lambda _: "tn.solve(problem, start=solution) goes on from there.",
    "tol": lambda tol: f"Use more neurons, or let the network grow: tn.solve(problem, tol={tol:g}).",
    "digits": lambda tol: f"tn.solve(problem, tol={tol:g}) continues",
    "shorter": lambda tol: f"A smaller tolerance takes shorter steps and more pieces: tn.solve(problem, tol={tol:g}).",
    "level": lambda u: f"Add tn.mean({u}) or a value at a point.",
    "rest": lambda v: f"A start at rest is tn.on('{v['part']}', sympy.Eq(sympy.diff({v['unknown']}, t), 0)).",
    "bare": lambda v: (
        f"State a value, tn.on('{v['part']}', sympy.Eq({v['unknown']}, 0)), or what flows through it, "
        f"tn.on('{v['part']}', sympy.Eq(tn.normal_derivative({v['unknown']}), 0)) for an insulated wall."
    ),
    "inflow": lambda v: f"State what flows in: tn.on('{v['part']}', sympy.Eq({v['unknown']}, 0)).",
    "flux": lambda _: (
        "Make the domain of pieces, tn.Pieces(a=..., b=...), and the coefficient tn.by_piece(a=1, b=2): values and the "
        "flux are then continuous from one to the other."
    ),
    "cut": lambda _: (
        "Leave it out; pieces=tn.Cut(8, 8, neurons=160) says how the domain is cut and how large each network is."
    ),
    "restrict": lambda _: "Check the values, or restrict a part with where=.",
    "separate": lambda _: "Remove one of them, or restrict them to different points with where= or other parts.",
    "iterate": lambda _: "Try another guess=, continuation={parameter: [easier, ..., wanted]}, or more steps.",
    "guess": lambda g: f"Pass a guess at which every equation is finite, such as guess={g}.",
    "newton": lambda _: (
        "Mark a factor of each nonlinear term, as in tn.lagged(u) * sympy.diff(u, x), or use tn.Newton()."
    ),
    "parameters": lambda names: (
        f"Pass parameters={{{', '.join(f'{n}: ...' for n in names)}}}, or make {it(names)} a coordinate of the unknown."
    ),
    "given": lambda _: (
        "A function that is not a formula can be passed with tn.given(name, callable, coordinates); it "
        "must return an array."
    ),
    "time": lambda _: "Make both agree; time is one more factor: domain * tn.Interval(t=(0, 1)).",
    "normal": lambda _: "Move it to tn.on(part, ...).",
    "condition": lambda _: "State what holds at a place as a condition: tn.on(part, ...) or tn.at(points, ...).",
}


def said(text: str, remedy: Remedy, words: Words = PYTHON) -> str:
    """A text and its remedy, in the words of a front end."""
    return " ".join([text, *(words[kind](value) for kind, value in remedy.items())])
