"""Calls of everything public with odd arguments, in order and by their names."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y", real=True)
u = sp.Function("u")(x, y)


class Tensor:
    """Like a tensor of torch that requires gradients, on a device or without data."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray:
        if self.values is None:
            raise NotImplementedError("Cannot copy out of meta tensor; no data!")
        return np.asarray(self.values)


ODD: tuple[Any, ...] = (
    Tensor([[0.1, 0.2]]), Tensor(0.5), Tensor(None), sp.O(x), sp.AccumBounds(0, 1), sp.MatrixSymbol("A", 2, 2),
    None, True, 0, -1, 3, 10**400, 10**5000, 1e300, 1e-300, 0.5, float("nan"), float("inf"), "u", "", "x" * 500,
    "boundary", b"a", {}, {"a": 1}, {u: 1}, {x: [1, 2]}, {1}, [], [1, 2], (0, 1), [(0, 0), (1, 0), (0, 1)],
    [[0.5, 0.5]], lambda *a: a[0], np.ones(2), np.ones((3, 2)), np.array([None]), np.array([1j]),
    np.ma.masked_array([1.0, 2.0], [True, False]), sp.oo, sp.nan, sp.I, x, x > y, u, sp.diff(u, x), sp.diff(u, x, 9),
    sp.Matrix([x, y]), sp.Interval(0, 1), object(), int, tn.Disk(), tn.Interval(x=(0, 1)), 1j, sp.zoo, u**u,
    sp.Eq(u, 0, evaluate=False), tn.on("boundary", u), sp.Symbol("q"),
)  # fmt: skip
WEIGHTY = (
    "Distributed", "Engine", "Activation", "Message", "PINN", "Published", "RandomFeatures", "random_fields", "studio",
    "landscape", "tune", "density", "Tuned", "Solution", "Solutions", "Prepared", "Eigenpairs", "Domain", "Strategy",
    "Condition", "Solver", "Method",
)  # fmt: skip
"""Not called: they open pages or clusters, train, are made by others, or hold what they are given."""


INNER = (
    "compiled", "value_of", "with_history", "arcs", "dilated_measure", "nearly_contains", "text", "ends", "resolve",
    "quadrature", "measure", "at_once", "index", "count", "each", "table",
    "nearest", "neighbours", "beyond", "interface", "which", "sides", "inside_named",
    "unwarned", "operator", "activation", "with_singular", "density",
)  # fmt: skip
"""Methods that the library alone calls."""


@lru_cache(maxsize=1)
def made() -> dict[str, Any]:
    """One object of each kind whose methods are called."""
    v = tn.unknown("u", x, y)
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [sp.Eq(tn.laplacian(v), x)], [tn.on("boundary", sp.Eq(v, 0))])
    polygon = tn.Polygon([(0, 0), (1, 0), (0, 1)])
    k = sp.Symbol("k", real=True)
    scaled = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(v), k * x)], [tn.on("boundary", sp.Eq(v, 0))])
    around = tn.Exterior(tn.Disk(radius=1))
    w, t = tn.unknown("w", x, sp.Symbol("t", real=True)), sp.Symbol("t", real=True)
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    ends = [tn.on("sides", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))]
    heat = tn.Problem(rod, [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))], ends)
    outside = tn.Problem(around, [tn.laplacian(v)], [tn.on("circle", sp.Eq(v, x)), tn.at_infinity(v)])
    return {
        "solution": tn.solve(problem, neurons=20), "problem": problem, "square": square, "polygon": polygon,
        "prepared": tn.prepare(problem, neurons=20), "holed": tn.Disk() - tn.Disk(radius=0.3),
        "space": tn.FeatureSpace.waves(2, 20), "outside": tn.solve(outside), "around": around,
        "parametric": tn.solve(scaled, neurons=20, parameters={k: 2}),
        "pieces": tn.Pieces(a=square, b=tn.Box(x=(1, 2), y=(0, 1))),
        "body": tn.elasticity(tn.vector("w", x, y), E=2.0, nu=0.3, plane="stress"),
        "many": tn.prepare(scaled, neurons=20).solve_many([{k: 1}, {k: 2}]),
        "prepared of k": tn.prepare(scaled, neurons=20), "marched": tn.solve(heat, slabs=2),
    }  # fmt: skip


def doors() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Everything that is called, with its name."""
    for name in tn.__all__:
        if name not in WEIGHTY:
            yield name, getattr(tn, name)
    objects = made()
    for owner, value in objects.items():
        for name in dir(value):
            method = getattr(type(value), name, None)
            if not name.startswith("_") and name not in INNER and callable(method):
                yield f"{owner}.{name}", getattr(value, name)
    problem = objects["problem"]
    for name in inspect.signature(tn.solve).parameters:
        if name not in ("problem", "engine", "neurons"):
            yield f"solve {name}=", partial(_solve_with, name)
    yield "equation", lambda value: tn.Problem(problem.domain, [value], [tn.on("boundary", u)])
    yield "condition", lambda value: tn.Problem(problem.domain, [tn.laplacian(u)], [value])
    yield "minus", lambda value: problem.domain - value
    yield "product", lambda value: problem.domain * value
    yield "level set", lambda value: tn.LevelSet(value, x=(-2, 2), y=(-2, 2))
    yield "box", lambda value: tn.Box(x=value, y=(0, 1))


def _solve_with(name: str, value: Any) -> Any:
    if name in ("watch", "progress") and callable(value):
        return None  # what a user's own function raises is the user's
    return tn.solve(made()["problem"], **{"neurons": 20, name: value})


def odd_call(rng: random.Random) -> tuple[str, Callable[[], object]]:
    """A public function with odd arguments, as many as it takes."""
    name, door = rng.choice(_doors())
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(door).parameters.values():
        if parameter.kind == parameter.VAR_POSITIONAL:
            arguments += [rng.choice(ODD) for _ in range(rng.randint(1, 3))]
        elif parameter.kind == parameter.VAR_KEYWORD:
            named |= {n: rng.choice(ODD) for n in ("x", "y", "core") if rng.random() < 0.4}
        elif parameter.default is parameter.empty or rng.random() < 0.3:
            named[parameter.name] = rng.choice(ODD)
    if arguments:  # what stands before them is given in order
        order = [n for n in inspect.signature(door).parameters if n in named]
        before = [n for n in order if inspect.signature(door).parameters[n].kind != inspect.Parameter.KEYWORD_ONLY]
        arguments = [named.pop(n) for n in before] + arguments
    texts = [_text(a) for a in arguments] + [f"{n}={_text(a)}" for n, a in named.items()]
    return f"{name}({', '.join(texts)})", lambda: door(*arguments, **named)


@lru_cache(maxsize=1)
def _doors() -> list[tuple[str, Callable[..., Any]]]:
    return list(doors())


def _text(value: Any) -> str:
    return type(value).__name__ if isinstance(value, int) and abs(value) > 10**9 else repr(value)[:60]
