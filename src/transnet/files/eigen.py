"""The table [eigen] of a problem file: which symbol is the eigenvalue, how many are wanted, and where."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from transnet.eigen.pencil import refuse_what_has_no_eigenvalues
from transnet.errors import ProblemError
from transnet.files import schema
from transnet.files.builder import Builder
from transnet.files.own_names import check_name
from transnet.files.words import told
from transnet.language.formula import formula
from transnet.language.guarded import complex_number_of
from transnet.language.names import Names
from transnet.problem import Problem
from transnet.rows.statements import statements_of

COUNT = 6
"""The number of eigenvalues by default."""
SETTINGS = ("tol", "neurons", "space", "seed")
"""The keys of [solve] that apply to eigenvalues."""


@dataclass(frozen=True)
class Eigen:
    """What a file asks for: keywords of `tn.eigenpairs`."""

    lam: sp.Symbol
    count: int = COUNT
    near: complex | None = None


def eigenvalue_of(builder: Builder, taken: set[str]) -> sp.Symbol | None:
    """The symbol of the eigenvalue, if the file has the table."""
    if "eigen" not in builder.table:
        return None
    table = builder.table["eigen"]
    schema.check(table, schema.EIGEN, builder.locator, ("eigen",))
    check_name(builder, ("eigen", "lam"), table["lam"], taken)
    return sp.Symbol(table["lam"], real=True)


def eigen_of(builder: Builder, problem: Problem, lam: sp.Symbol, names: Names) -> Eigen:
    """The table, checked against the problem: one without eigenvalues is refused before any work."""
    table = builder.table["eigen"]
    for key in builder.table.get("solve", {}):
        if key not in SETTINGS:
            known = ", ".join(s for s in SETTINGS if s in schema.SOLVE)
            builder.fail(("solve", key), f"'{key}' has no meaning where eigenvalues are asked for: {known}.")
    for key in ("exact", "results"):
        if key in builder.table:
            builder.fail((key,), f"[{key}] is about one solution; with [eigen] there are several.")
    try:
        refuse_what_has_no_eigenvalues(problem, lam, statements_of(problem))
    except ProblemError as error:
        builder.fail(("eigen", "lam"), told(error))
    return Eigen(lam, table.get("count", COUNT), _near(builder, table.get("near"), names))


def _near(builder: Builder, stated: float | str | None, names: Names) -> complex | None:
    if not isinstance(stated, str):
        return None if stated is None else float(stated)
    value = builder.read(("eigen", "near"), formula, stated, Names(definitions=names.definitions))
    if not isinstance(value.expression, sp.Expr) or not value.expression.is_number:
        builder.fail(("eigen", "near"), "near is a number, such as 0.24 or '0.24 + 0.004*I'.")
    if value.number is not None:
        return float(value.number)
    return complex_number_of(value.expression)
