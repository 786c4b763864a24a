"""The nine cases C1 to C9 of the paper's section 4.2, one file each; `case("C1")` gives one of them."""

from __future__ import annotations

from importlib import import_module

from transnet.errors import ProblemError
from transnet.paper.case import Case

NAMES = tuple(f"C{number}" for number in range(1, 10))


def case(name: str) -> Case:
    """The case of that name, upper or lower case.

    Raises
    ------
    ProblemError
        If there is no such case; the text lists them.
    """
    wanted = name.strip().upper()
    if wanted not in NAMES:
        raise ProblemError(f"There is no case '{name}'. The paper's cases are {', '.join(NAMES)}.")
    found: Case = import_module(f"{__name__}.{wanted.lower()}").case
    return found
