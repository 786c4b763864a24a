"""The nine cases C1 to C9 of the paper's section 4.2, a file for each equation; `case("C1")` returns one of them."""

from __future__ import annotations

from importlib import import_module

from transnet.errors import ProblemError
from transnet.paper.case import Case

FILES = {
    **dict.fromkeys(("C1", "C2", "C3", "C4", "C5"), "poisson"),
    "C6": "kovasznay",
    **dict.fromkeys(("C7", "C8"), "fokker_planck"),
    "C9": "wave",
}
NAMES = tuple(FILES)


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
    cases: tuple[Case, ...] = import_module(f"{__name__}.{FILES[wanted]}").CASES
    return next(c for c in cases if c.name == wanted)
