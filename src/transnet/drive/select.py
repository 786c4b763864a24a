"""Which methods fit a problem, at which predicted cost, and why the others do not: one function that can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.calls import shown
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Method, Refusal
from transnet.drive.plan import Plan
from transnet.errors import ProblemError, TransnetError

if TYPE_CHECKING:
    from transnet.drive.driver import Run

COMMON = frozenset({"problem", "tol", "parameters", "progress", "watch", "seed", "seconds", "method"})
"""The keywords of `tn.solve` that every method understands."""
NOT_SPECIAL = {"unbounded": "it needs a bounded domain", "conserved": "its functions are smooth, and shocks jump"}
"""Why a method that is not made for it does not fit, by what is special about a problem."""


def fit_of(method: Method, facts: Facts, plan: Plan) -> Fit | Refusal:
    """Whether a method fits a problem with the options of a plan."""
    if facts.special and getattr(method, "special", "") != facts.special:
        return Refusal(NOT_SPECIAL[facts.special])
    foreign = [name for name in plan.given if name not in COMMON | method.options]
    if foreign:
        return Refusal(f"{foreign[0]}= is not for it", option=foreign[0])
    try:
        return method.fits(facts, plan)
    except (TransnetError, np.linalg.LinAlgError, ArithmeticError, MemoryError) as reason:
        return Refusal(first_sentence(reason), reason if isinstance(reason, ProblemError) else None)


def fit_reason(method: Method, facts: Facts, plan: Plan) -> str:
    """Why a method does not fit."""
    answer = fit_of(method, facts, plan)
    return answer.reason if isinstance(answer, Refusal) else "it fits"


def first_sentence(reason: Exception) -> str:
    """What an error says first, for the table and the trail."""
    return str(reason).split(". ")[0].rstrip(".") or type(reason).__name__


@dataclass(frozen=True)
class Choices:
    """What `tn.methods(problem)` shows: the methods that fit, cheapest first, and the others with their reasons."""

    found: tuple[tuple[str, Fit | Refusal], ...]

    @property
    def fitting(self) -> tuple[str, ...]:
        """The names of those that fit, in the order in which they are tried."""
        return tuple(name for name, answer in self.found if isinstance(answer, Fit))

    def __getitem__(self, name: str) -> Fit | Refusal:
        return dict(self.found)[name]

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.found)
        lines = [f"{'method':<{width}}  predicted  how, or why not"]
        for name, answer in self.found:
            told = f"{answer.seconds:7.2g} s" if isinstance(answer, Fit) else "        -"
            lines.append(f"{name:<{width}}  {told}  {answer.why if isinstance(answer, Fit) else answer.reason}")
        return "\n".join(lines)

    __repr__ = __str__


def choices(methods: Sequence[Method], facts: Facts, plan: Plan) -> Choices:
    """All methods, those that fit first."""
    found: list[tuple[str, Any]] = [(m.name, fit_of(m, facts, plan)) for m in methods]
    return Choices(tuple(sorted(found, key=lambda f: f[1].seconds if isinstance(f[1], Fit) else float("inf"))))


def asked_for(wanted: Any, methods: Sequence[Method]) -> tuple[Method, ...]:
    """The methods that the user allows: all of them, or the one of that name, or one of their own."""
    if wanted is None:
        return tuple(methods)
    if isinstance(wanted, str):
        found = tuple(m for m in methods if m.name == wanted)
        if not found:
            raise ProblemError(
                f"There is no method {shown(wanted)}. The methods are {', '.join(repr(m.name) for m in methods)}; "
                f"print(tn.methods(problem)) shows which of them fit."
            )
        return found
    if isinstance(wanted, Method):
        return (wanted,)
    raise ProblemError(f"method is the name of a method, such as 'pieces', or a method itself, not {shown(wanted)}.")


@dataclass(eq=False)
class Ranking:
    """The methods that have not been asked yet; they are asked only if they might be cheaper than those that run."""

    methods: Sequence[Method]
    facts: Facts
    plan: Plan
    refused: dict[str, Refusal] = field(default_factory=dict)
    waiting: list[tuple[Method, Fit]] = field(default_factory=list)
    done: list[Run] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.unasked = sorted(self.methods, key=lambda m: m.floor)

    def next_below(self, seconds: float) -> tuple[Method, Fit] | None:
        """A method that fits with a prediction below a time, the cheapest first; None if there is none."""
        while self.unasked and (self.unasked[0].floor < min([seconds, *(f.seconds for _, f in self.waiting)])):
            method = self.unasked.pop(0)
            answer = fit_of(method, self.facts, self.plan)
            if isinstance(answer, Fit):
                self.waiting.append((method, answer))
            else:
                self.refused[method.name] = answer
        if not self.waiting:
            return None
        first = min(self.waiting, key=lambda w: w[1].seconds)
        if first[1].seconds >= seconds:
            return None
        self.waiting.remove(first)
        return first

    def others(self, run: Run) -> bool:
        """Whether another method may still be tried after one has failed; not after the most general one."""
        return not getattr(run.method, "universal", False) and bool(self.waiting or self.unasked)

    def ended(self, run: Run) -> None:
        """A method has no more levels; its best solution stays."""
        self.done.append(run)

    def nothing(self) -> ProblemError:
        """Why no method fits: what is wrong with the problem, an option that rules out others, or all the reasons."""
        wanted = ("special", self.facts.special) if self.facts.special else ("universal", True)
        alone = len(self.methods) == 1
        general = [m.name for m in self.methods if alone or getattr(m, wanted[0], None) == wanted[1]]
        known = next((r.error for n, r in self.refused.items() if n in general and r.error is not None), None)
        if known is not None:
            return known
        for method in (m for m in self.methods if m.name in self.refused):
            option = self.refused[method.name].option
            without = replace(self.plan, **{option: None}) if option else self.plan  # type: ignore[arg-type]
            if option and isinstance(fit_of(method, self.facts, without), Fit):
                takers = [m for m in self.methods if option in m.options]
                why = "; ".join(f"'{m.name}', for which {fit_reason(m, self.facts, self.plan)}" for m in takers)
                text = (
                    f"'{option}' applies to {why}. This problem is solved by '{method.name}', which does not take it."
                )
                return ProblemError(text, {"cut": True} if method.name in ("cells", "pieces") else {})
        reasons = "; ".join(f"{name}: {answer.reason}" for name, answer in self.refused.items())
        return ProblemError(f"No method fits this problem ({reasons}).")
