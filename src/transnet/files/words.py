"""Remedies in the words of problem files and of the command's options."""

from __future__ import annotations

from transnet.errors import Message, TransnetError
from transnet.remedies import Words, it, said

FILES: Words = {
    "neurons": lambda n: f"Use more neurons: --neurons {n}.",
    "seconds": lambda s: f"Allow more time: --seconds {s:g}.",
    "onward": lambda _: "Allow more time, or solve up to then.",
    "tol": lambda tol: f"Use more neurons, or let the network grow: --tol {tol:g}.",
    "digits": lambda tol: f"--tol {tol:g} continues",
    "shorter": lambda tol: f"A smaller tolerance takes shorter steps and more pieces: --tol {tol:g}.",
    "level": lambda u: f'Add a condition such as "mean({u}) = 0", or a value of {u} at a point.',
    "rest": lambda v: f'A start at rest is the condition "{v["unknown"]}_t = 0 on {v["part"]}".',
    "bare": lambda v: (
        f'State a value, "{v["unknown"]} = 0 on {v["part"]}", or what flows through it, '
        f'"dn({v["unknown"]}) = 0 on {v["part"]}" for an insulated wall.'
    ),
    "inflow": lambda v: f'State what flows in: "{v["unknown"]} = 0 on {v["part"]}".',
    "flux": lambda _: (
        "Make the domain of [pieces], and the coefficient a definition with a value for each, k = {a = 1, b = 2}: "
        "values and the flux are then continuous from one to the other."
    ),
    "cut": lambda _: "Leave it out: their sizes follow from the tolerance, --tol.",
    "restrict": lambda _: "Check the values, or restrict a part with 'where'.",
    "separate": lambda _: "Remove one of them, or restrict them to different points with 'where', or to other parts.",
    "iterate": lambda _: "Try another guess, or a continuation, in [solve].",
    "guess": lambda g: f"Give a guess at which every equation is finite, such as guess = {g} in [solve].",
    "newton": lambda _: (
        'Mark a factor of each nonlinear term, as in "lagged(u)*u_x", or use strategy = "newton" in [solve].'
    ),
    "parameters": lambda names: f"Give {it(names)} a value in [parameters], or make {it(names)} a coordinate.",
    "given": lambda _: "A function that is not a formula needs a program in Python.",
    "time": lambda _: "Make both agree; time is one more factor: domain * Interval(t=(0, 1)).",
    "normal": lambda _: 'Move it to a condition "... on part".',
    "condition": lambda _: 'State what holds at a place as a condition: "... on part" or "... at (x, y)".',
}
"""Like `transnet.remedies.PYTHON`, for users of problem files."""


def told(what: Message | TransnetError) -> str:
    """A message or an error in the words of problem files."""
    return said(what.text, what.remedy, FILES)
