"""One door for additions from outside: an activation, a shape, a kind of condition, a strategy, a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from transnet import method
from transnet.calls import shown
from transnet.drive.method import Method
from transnet.errors import TransnetError
from transnet.features import activation
from transnet.geometry import Domain
from transnet.iterate import strategy
from transnet.measure import shapes
from transnet.problem import condition

T = TypeVar("T")


def register(made: T) -> T:
    """Register a definition of your own by name, so that files can contain it; also a decorator.

    Parameters
    ----------
    made : Activation, Method, or a class
        An `Activation`; a `Method` of solution; a subclass of `Domain` with `arguments`; a subclass of `Condition`; a
        `Strategy`.

    A `Solver` needs no name: it is passed to `tn.solve`. A program that reads a file with such an addition must import,
    and so register, it first.
    """
    known: list[tuple[bool, Callable[[Any], Any]]] = [
        (isinstance(made, activation.Activation), activation.register),
        (not isinstance(made, type) and isinstance(made, Method), method.register),
        (isinstance(made, type) and issubclass(made, Domain), shapes.register),
        (isinstance(made, type) and issubclass(made, condition.Condition), condition.register),
        (isinstance(made, type) and all(hasattr(made, n) for n in ("name", "lagged", "iterate")), strategy.register),
    ]
    for fits, door in known:
        if fits:
            return door(made)
    raise TransnetError(
        f"tn.register takes an Activation, a Method, or a class: a Domain, a Condition or a Strategy. It got "
        f"{shown(made)}. A Solver needs no registration: pass it as solver=."
    )
