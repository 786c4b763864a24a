"""A problem as plain data: texts of the formula language, and arrays beside them.

Nothing in it is ever run: what is read back goes through the same reader as a problem file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import TransnetError
from transnet.geometry import Domain, Mesh, Pieces
from transnet.language.domains import domain as read_domain
from transnet.language.formula import equation, formula
from transnet.language.names import Names
from transnet.language.printer import NotWritable, text_of_domain, text_of_equation, text_of_expression
from transnet.problem import (
    At,
    Condition,
    Data,
    Mean,
    On,
    Periodic,
    Problem,
    at,
    data,
    mean,
    on,
    periodic,
    residuals,
)
from transnet.problem.complex import is_component
from transnet.problem.elsewhere import Over

PLACES, DIGITS = 3, 25
"""Where expressions are compared, and the digits that this is done with: more than numbers in files have."""
STAND_INS = (AppliedUndef, sp.Derivative, sp.Subs, sp.Integral, Over)

Arrays = dict[str, np.ndarray]


def domain_to_data(domain: Domain, arrays: Arrays) -> dict[str, Any]:
    """A domain as a text, or a mesh as its corners and faces."""
    if isinstance(domain, Mesh):
        arrays["mesh_vertices"], arrays["mesh_faces"] = domain.vertices, domain.faces
        return {"mesh": domain.name}
    if isinstance(domain, Pieces):
        return {"pieces": [[name, {"text": text_of_domain(shape)}] for name, shape in domain.shapes]}
    return {"text": text_of_domain(domain)}


def domain_from_data(stored: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Domain:
    """The domain that `domain_to_data` stored."""
    if "mesh" in stored:
        return Mesh(arrays["mesh_vertices"], arrays["mesh_faces"], str(stored["mesh"]))
    if "pieces" in stored:
        return Pieces({str(name): domain_from_data(shape, arrays) for name, shape in stored["pieces"]})
    return read_domain(stored["text"])


def problem_to_data(problem: Problem, names: Names, arrays: Arrays) -> dict[str, Any]:
    """A problem as data; raises `NotWritable` with the reason if it has no text.

    The data is read back at once and compared, so what is stored is what was stated.
    """
    stored = {
        "domain": domain_to_data(problem.domain, arrays),
        "equations": [text for e in problem.equations for text in _texts_of(e)],
        "conditions": [_condition_to_data(c, k, arrays) for k, c in enumerate(problem.conditions)],
    }
    try:
        again = problem_from_data(stored, names, arrays)
    except (TransnetError, RecursionError, ValueError) as error:
        raise NotWritable(f"what the formula language refuses to read: {error}") from None
    for first, second in zip(_expressions(problem), _expressions(again), strict=True):
        if first != second and not alike(first, second):
            raise NotWritable(f"'{str(first)[:60]}', which does not read back as the same")
    return stored


def alike(first: sp.Expr, second: sp.Expr) -> bool:
    """Whether two expressions have the same values, as far as floats tell: compared at a few places.

    Symbolic work could take for ever. Numbers are read as floats, so that values agree to their rounding only.
    """
    first, second = (_with_letters(e) for e in (first, second))
    stand_ins = sorted(
        {*(first.atoms(*STAND_INS) | second.atoms(*STAND_INS)), *first.free_symbols, *second.free_symbols}, key=str
    )
    for place in range(PLACES):
        # Irrational numbers in no special position, others at each place.
        values = {s: sp.Float(np.modf(np.sqrt(2.0 + k + 31 * place))[0] + 0.1) for k, s in enumerate(stand_ins)}
        one, other = (e.xreplace(values).evalf(DIGITS) for e in (first, second))
        if not (one.is_number and other.is_number):
            return False
        size = max(abs(one), abs(other))
        if not bool(abs(one - other) <= 1e-10 * size):
            return False
    return True


def _with_letters(e: sp.Expr) -> sp.Expr:
    """The same with letters in integrals that are alike where their names are: the language knows real ones only."""
    return e.replace(
        lambda i: isinstance(i, sp.Integral | Over),
        lambda i: i.xreplace({s: sp.Symbol(s.name, real=True) for s in _letters(i)}),
    )


def _letters(e: Any) -> set[sp.Symbol]:
    return set(e.bound) if isinstance(e, Over) else set(e.variables)


def _texts_of(stated: Any) -> list[str]:
    """The texts of an equation; a complex one is stored as its real and its imaginary part."""
    parts = residuals(stated)
    unknowns = set().union(*(p.atoms(AppliedUndef) for p in parts))
    return [text_of_equation(p) for p in parts] if any(map(is_component, unknowns)) else [text_of_equation(stated)]


def _expressions(problem: Problem) -> list[sp.Expr]:
    found = [r for e in problem.equations for r in residuals(e)]
    return found + [e for c in problem.conditions for e in c.expressions()]


def _condition_to_data(condition: Condition, number: int, arrays: Arrays) -> dict[str, Any]:
    match condition:
        case On(part=part, equations=equations, where=where, weight=weight):
            text = None if where is None else text_of_expression(where)
            return {
                "on": part,
                "equations": [t for e in equations for t in _texts_of(e)],
                "where": text,
                "weight": weight,
            }
        case At(points=points, equations=equations, weight=weight):
            arrays[f"points_{number}"] = points
            return {"at": number, "equations": [t for e in equations for t in _texts_of(e)], "weight": weight}
        case Data(expression=expression, points=points, values=values, weight=weight, noise=noise):
            arrays[f"points_{number}"], arrays[f"values_{number}"] = points, values
            return {"data": text_of_expression(expression), "number": number, "weight": weight, "noise": noise}
        case Mean(expression=expression, value=value, weight=weight):
            right = text_of_expression(sp.sympify(value))
            return {"mean": text_of_expression(expression), "value": right, "weight": weight}
        case Periodic(coordinate=coordinate, unknowns=unknowns, weight=weight):
            which = [u.func.__name__ for u in unknowns]
            return {"periodic": coordinate.name, "unknowns": which, "weight": weight}
    raise NotWritable(f"a condition of the kind '{condition.kind}', which has no text")


def problem_from_data(stored: Mapping[str, Any], names: Names, arrays: Mapping[str, np.ndarray]) -> Problem:
    """The problem that `problem_to_data` stored."""
    domain = domain_from_data(stored["domain"], arrays)
    equations = [e for text in stored["equations"] for e in equation(text, names)]
    conditions = [_condition_from_data(c, names, arrays) for c in stored["conditions"]]
    return Problem(domain, equations, conditions, tuple(names.unknowns.values()))


def _condition_from_data(stored: Mapping[str, Any], names: Names, arrays: Mapping[str, np.ndarray]) -> Condition:
    weight = stored["weight"]
    equations = [e for text in stored.get("equations", ()) for e in equation(text, names)]
    if "on" in stored:
        where = None if stored["where"] is None else formula(stored["where"], names).expression
        return on(stored["on"], *equations, where=where, weight=weight)
    if "at" in stored:
        return at(arrays[f"points_{int(stored['at'])}"], *equations, weight=weight)
    if "data" in stored:
        k = int(stored["number"])
        measured = formula(stored["data"], names).expression
        return data(measured, arrays[f"points_{k}"], arrays[f"values_{k}"], weight, stored.get("noise"))
    if "mean" in stored:
        value = formula(stored["value"], names).expression
        return mean(formula(stored["mean"], names).expression, value, weight)
    which = [names.unknowns[name] for name in stored["unknowns"]]
    return periodic(names.coordinates[stored["periodic"]], *which, weight=weight)
