"""What a problem file may contain, checked key by key before anything is built from it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from transnet.files.positions import Locator, Path
from transnet.language.errors import ProblemFileError
from transnet.language.names import MOST_COORDINATES

Check = Callable[[Any], bool]


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def is_number(value: Any) -> bool:
    """Whether a value is a number but not a Boolean, which Python counts among the integers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _points(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(p, list) and p and all(map(is_number, p)) for p in value)


@dataclass(frozen=True)
class Kind:
    """A type of value: what it is called, how it is recognised, and an example."""

    words: str
    check: Check
    example: str


TEXT = Kind("a text", lambda v: isinstance(v, str), '"..."')
TEXTS = Kind("a list of texts", _texts, '["...", "..."]')
TEXT_OR_TEXTS = Kind("a text or a list of texts", lambda v: isinstance(v, str) or _texts(v), '["..."]')
NUMBER = Kind("a number", is_number, "0.5")
NUMBER_OR_TEXT = Kind("a number or a formula", lambda v: is_number(v) or isinstance(v, str), '0.5 or "sqrt(2)"')
TRUTH = Kind("true or false", lambda v: isinstance(v, bool), "true")
TEXTS_AND_TABLES = Kind(
    "a list of texts and tables",
    lambda v: isinstance(v, list) and all(isinstance(c, str | dict) for c in v),
    '["u", { name = "psi", complex = true }]',
)
NUMBERS = Kind("a list of numbers", lambda v: isinstance(v, list) and all(map(is_number, v)), "[0, 1]")
WHOLE = Kind("a whole number", _whole, "500")
TEXT_OR_TABLE = Kind("a text or a table", lambda v: isinstance(v, str | dict), '"Disk(radius=1)"')
TABLE = Kind("a table", lambda v: isinstance(v, dict), "[name] with key = value below")
CONDITIONS = Kind(
    "a list of texts and tables",
    lambda v: isinstance(v, list) and all(isinstance(c, str | dict) for c in v),
    '["u = 0 on boundary"]',
)
POINTS = Kind("a list of points", _points, "[[0, 0], [1, 0]]")
COUNTS = Kind(
    "a whole number or a list of them",
    lambda v: _whole(v) or (isinstance(v, list) and bool(v) and all(map(_whole, v))),
    "2500 or [50, 50]",
)
COUNTS_OR_TIMES = Kind(
    "a whole number or a list of times",
    lambda v: _whole(v) or (isinstance(v, list) and bool(v) and all(map(is_number, v))),
    "50 or [0.1, 1, 10]",
)
NUMBER_OR_TEXT_OR_TABLE = Kind(
    "a number, a formula or a table", lambda v: is_number(v) or isinstance(v, str | dict), '"x*(1 - x)"'
)
WHOLE_OR_TABLE = Kind("a whole number or a table", lambda v: _whole(v) or isinstance(v, dict), "200")


@dataclass(frozen=True)
class Key:
    """One key: its kind of value, whether it must be there, what it means, and between which numbers it is, or has
    entries."""

    kind: Kind
    required: bool
    meaning: str
    least: int = 0
    most: int = 2**53


FORMULAS = 200
"""The most formulas of one list."""
PROBLEM: dict[str, Key] = {
    "title": Key(TEXT, False, "What the problem is called in reports."),
    "coordinates": Key(TEXTS, True, "The names of the coordinates; `t` is time.", 1, MOST_COORDINATES),
    "unknowns": Key(
        TEXTS_AND_TABLES,
        True,
        "The names of the unknowns: `u` of all coordinates, `a(x)` of some, `c()` a number; tables for more.",
        1,
        12,
    ),
    "domain": Key(TEXT_OR_TABLE, True, "Where the equations hold; or `pieces`."),
    "pieces": Key(TABLE, False, "The pieces of a domain of several materials, by name, instead of `domain`.", most=400),
    "equations": Key(
        TEXT_OR_TEXTS, True, "What holds in the domain, at least one for each unknown; or `physics`.", 0, FORMULAS
    ),
    "conditions": Key(
        CONDITIONS, False, "What holds besides: on the boundary, at points, on average, periodically.", 0, FORMULAS
    ),
    "parameters": Key(TABLE, False, "Constants of the equations, numbers or formulas of numbers.", 0, FORMULAS),
    "definitions": Key(TABLE, False, "Abbreviations: formulas that later ones and the equations may use.", 0, FORMULAS),
    "physics": Key(TABLE, False, "Equations and quantities by name, instead of `equations` or besides."),
    "eigen": Key(TABLE, False, "Which eigenvalues are wanted, for an eigenvalue problem."),
    "exact": Key(TABLE, False, "The exact solution, if it is known: the true error is then reported."),
    "solve": Key(TABLE, False, "How to solve it."),
    "results": Key(TABLE, False, "Numbers, cuts, probes and pictures to make of the solution, by name.", most=100),
    "optimise": Key(TABLE, False, "Which result is to be smallest or largest, and over which parameters."),
    "uncertain": Key(TABLE, False, 'Distributions of parameters, `k = "normal(2, 0.1)"`, for `transnet propagate`.'),
}
OPTIMISE: dict[str, Key] = {
    "minimise": Key(TEXT, False, "The name of the result that is to be smallest."),
    "maximise": Key(TEXT, False, "The name of the result that is to be largest, instead."),
    "over": Key(TEXTS, True, "The parameters that are sought; they may stand in the domain."),
    "bounds": Key(TABLE, False, "Ranges of parameters: `{ r = [0.1, 0.5] }`."),
    "subject_to": Key(TEXT_OR_TEXTS, False, "Equations and inequalities between parameters: `a*b = 1`."),
    "method": Key(TEXT, False, "SciPy's optimiser: `L-BFGS-B`, `SLSQP` or `trust-constr`."),
    "steps": Key(WHOLE, False, "The most iterations (100)."),
}
DOMAIN_FILE: dict[str, Key] = {
    "file": Key(TEXT, True, "A drawing or mesh beside the problem file: svg, dxf, geojson, msh, stl."),
    "scale": Key(NUMBER, False, "A factor for all of its lengths."),
    "times": Key(TEXT, False, "Another domain to take the product with, such as `Interval(t=(0, 1))`."),
}
UNKNOWN: dict[str, Key] = {
    "name": Key(TEXT, True, "Its name, with its coordinates unless it has all of them: `a(x)`."),
    "complex": Key(TRUTH, False, "Whether its values are complex."),
    "vector": Key(TRUTH, False, "Whether it has a component for each coordinate of space: `v_x`, `v_y`."),
}
EIGEN: dict[str, Key] = {
    "lam": Key(TEXT, True, "The name of the eigenvalue in the formulas."),
    "count": Key(WHOLE, False, "How many (6).", 1, 200),
    "near": Key(NUMBER_OR_TEXT, False, "Those nearest to a number, which may be complex; the lowest by default."),
}
SOLVE: dict[str, Key] = {
    "tol": Key(NUMBER, False, "The relative error to reach; the network grows until its estimate is below."),
    "neurons": Key(WHOLE, False, "A fixed number of neurons for each unknown instead: one solve.", 1, 100_000),
    "method": Key(TEXT, False, 'Solve by this method alone: "network", "pieces", ...; `transnet check` lists them.'),
    "seconds": Key(NUMBER, False, "The time after which the best solution so far is taken."),
    "seed": Key(WHOLE, False, "Random seed (0)."),
    "strategy": Key(TEXT, False, 'How a nonlinear problem is iterated: "newton", "picard" or "descent".'),
    "guess": Key(NUMBER_OR_TEXT_OR_TABLE, False, "Where the iteration starts: a number, a formula or a table of them."),
    "continuation": Key(TABLE, False, "Values of a parameter to step through: `Re = [10, 40, 100]`."),
    "slabs": Key(COUNTS_OR_TIMES, False, "Time slabs for an evolution: how many, or when they end."),
    "until": Key(TEXT, False, "A formula of the unknowns that ends an evolution when it changes sign."),
    "points": Key(TABLE, False, "How many collocation points: `interior`, `boundary`, `sampling`."),
}
POINTS_TABLE: dict[str, Key] = {
    "interior": Key(COUNTS, False, "Their number, or the shape of a grid."),
    "boundary": Key(WHOLE_OR_TABLE, False, "Their number, or a number for each part by name."),
    "sampling": Key(TEXT, False, '"quasi", "random" or "grid".'),
}
_EQUATIONS = Key(TEXT_OR_TEXTS, True, "What holds there.")
_WEIGHT = Key(NUMBER, False, "Replaces the automatic weight of these rows.")
CONDITION: dict[str, dict[str, Key]] = {
    "on": {
        "on": Key(TEXT, True, "A part of the boundary."),
        "equations": _EQUATIONS,
        "where": Key(TEXT, False, "A condition on the coordinates that restricts the part, such as `x > 0`."),
        "weight": _WEIGHT,
    },
    "at": {"at": Key(POINTS, True, "Points."), "equations": _EQUATIONS, "weight": _WEIGHT},
    "data": {
        "data": Key(TEXT, True, "What was measured: an unknown or a formula of unknowns."),
        "points": Key(POINTS, False, "Where."),
        "values": Key(NUMBERS, False, "The measured values, one number per point."),
        "file": Key(TEXT, False, "A .csv or .parquet file with both instead: columns named like the coordinates."),
        "column": Key(TEXT, False, "The column of the file that has the values; named like the unknown by default."),
        "noise": Key(NUMBER, False, "The standard deviation of the values."),
        "weight": _WEIGHT,
    },
    "mean": {
        "mean": Key(TEXT, True, "A formula whose mean over the domain is given."),
        "value": Key(NUMBER_OR_TEXT, False, "The mean (0)."),
        "weight": _WEIGHT,
    },
    "periodic": {
        "periodic": Key(TEXT, True, "A coordinate."),
        "unknowns": Key(TEXTS, False, "Which unknowns; all of them by default."),
        "phase": Key(NUMBER_OR_TEXT, False, "The angle by which complex unknowns turn across the domain."),
        "weight": _WEIGHT,
    },
    "at_infinity": {"at_infinity": Key(TEXT, True, "What tends to zero at infinity: `u - x`.")},
    "outgoing": {
        "outgoing": Key(TEXT, True, "What consists of outgoing waves far away: `u - exp(I*k*x)`."),
        "k": Key(NUMBER_OR_TEXT, True, "The wave number."),
    },
    "obstacle": {"obstacle": Key(TEXT, True, "What the unknown does not pass in the domain: `u >= 1 - x**2`.")},
    "front": {
        "front": Key(TEXT, True, "A closed part of the boundary whose shape is unknown."),
        "equations": Key(TEXTS, True, "What holds on it: one more than on a wall, or as many and a speed."),
        "speed": Key(TEXT, False, "Its speed along the outward normal: `-dn(p)`."),
    },
    "unilateral": {
        "unilateral": Key(TEXT, True, "What is not passed on a part of the boundary: `u >= 0`."),
        "and": Key(TEXT, False, "The force in contact, if it is not the natural flux: `sigma <= 0`."),
        "part": Key(TEXT, True, "The part of the boundary."),
        "where": Key(TEXT, False, "A condition on the coordinates that restricts the part."),
    },
}
"""The tables among the conditions, by the key that identifies each."""
_OVER = Key(TEXT, False, "A part of the boundary; the whole domain by default.")
_HELD = Key(TABLE, False, "Fixed coordinates: `{ t = 0.5 }`.")
_OF = Key(TEXT, False, "An unknown or a formula; needed if there are several unknowns.")
_FILE = Key(TEXT, False, "Where to write it: .csv for numbers, .png, .svg or .pdf for a picture.")
_UNIT = Key(TEXT, False, "Its unit, as a label: `MPa`.")
_LOOK = {
    "title": Key(TEXT, False, "Above the picture."),
    "label": Key(TEXT, False, "What is drawn."),
    "limits": Key(NUMBERS, False, "The range of the values."),
}


def _result(kind: str, meaning: str, value: Kind = TEXT, **more: Key) -> dict[str, dict[str, Key]]:
    return {kind: {kind: Key(value, True, meaning), **more, "unit": _UNIT}}


RESULT: dict[str, dict[str, Key]] = {
    **_result("integral", "A formula of the unknowns, integrated.", over=_OVER, at=_HELD),
    **_result("mean", "A formula of the unknowns, averaged.", over=_OVER, at=_HELD),
    **_result("norm", "A formula of the unknowns, the root of the integral of its square.", over=_OVER, at=_HELD),
    **_result("maximum", "A formula of the unknowns: its largest value, and where.", over=_OVER, at=_HELD),
    **_result("minimum", "A formula of the unknowns: its smallest value, and where.", over=_OVER, at=_HELD),
    **_result("value", "A formula of the unknowns at points.", at=Key(POINTS, True, "Points.")),
    **_result("flux", "The flux of the stated operator through a part of the boundary.", of=_OF, at=_HELD),
    **_result("force", "The force on a part of the boundary.", at=_HELD),
    **_result(
        "along",
        "The two ends of a cut.",
        POINTS,
        of=_OF,
        at=_HELD,
        file=_FILE,
        points=Key(WHOLE, False, "How many."),
        **_LOOK,
    ),
    **_result(
        "probe",
        "Places in space, over time.",
        POINTS,
        of=_OF,
        file=_FILE,
        times=Key(WHOLE, False, "How many."),
        **_LOOK,
    ),
    **_result(
        "plot",
        "A formula of the unknowns, drawn.",
        TEXT,
        at=_HELD,
        file=_FILE,
        deformed=Key(TEXT, False, "A vector unknown: the body is drawn moved by it."),
        scale=Key(NUMBER, False, "The factor of that displacement; chosen automatically."),
        **_LOOK,
    ),
}
"""The entries of [results], by the key that identifies each."""


def fail(locator: Locator, path: Path, message: str, offset: int | None = None) -> NoReturn:
    """Raise an error that points to a key, or to a character of a text value."""
    place = locator.key(path) if offset is None else locator.inside(path, offset)
    raise ProblemFileError(message, place, locator.line(place)) from None


def check_values(value: Any, locator: Locator, path: Path = ()) -> None:
    """Refuse whole numbers that exceed 64 bits, the limit of TOML, and names with characters that cannot be shown."""
    if isinstance(value, Mapping | list):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in items:
            if isinstance(key, str) and not key.isprintable():
                fail(
                    locator, path, f"A name has a character that cannot be shown: {key[:40]!r}. Use letters and digits."
                )
            check_values(item, locator, (*path, key))
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        fail(locator, path, "A whole number has more than 64 bits. Write it as a decimal, such as 1e30.")


def check(table: Mapping[str, Any], keys: Mapping[str, Key], locator: Locator, path: Path = (), what: str = "") -> None:
    """Check a table against its keys: none unknown, none missing, each of its kind."""
    where = what or (f"[{'.'.join(map(str, path))}]" if path else "the file")
    for name, value in table.items():
        if name not in keys:
            close = [k for k in keys if name.startswith(k)] or difflib.get_close_matches(name[:40], keys, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            fail(locator, (*path, name), f"'{name[:40]}' is not a key of {where}.{hint} Keys: {', '.join(keys)}.")
        kind = keys[name].kind
        if not kind.check(value):
            fail(locator, (*path, name), f"'{name}' must be {kind.words}, such as {kind.example}.")
        key, size = keys[name], len(value) if isinstance(value, list | dict) else value if kind is WHOLE else None
        if size is not None and not key.least <= size <= key.most:
            what = "be" if kind is WHOLE else "have"
            rest = "" if kind is WHOLE else " entries"
            fail(locator, (*path, name), f"'{name}' must {what} at least {key.least} and at most {key.most}{rest}.")
    missing = [name for name, key in keys.items() if key.required and name not in table]
    if missing:
        key = keys[missing[0]]
        subject = where[0].upper() + where[1:]
        fail(locator, path, f"{subject} has no '{missing[0]}'. {key.meaning} Write {missing[0]} = {key.kind.example}.")
