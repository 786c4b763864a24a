"""Domains as text: `Disk(radius=1) - Disk(radius=0.5)`, spelt as in Python, read by the grammar of formulas."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from transnet import geometry
from transnet.calls import there
from transnet.errors import TransnetError
from transnet.geometry import Domain
from transnet.geometry.chain import meets
from transnet.geometry.csg import FEW_SHAPES, joined_all
from transnet.geometry.curved import AXES
from transnet.language.errors import FormulaError
from transnet.language.formula import evaluated
from transnet.language.grammar import Call, Items, Name, Node, Operation, Text, parse
from transnet.language.names import Names
from transnet.measure.shapes import SHAPES
from transnet.other_words import meant

MOST_SHAPES, MOST_MEETINGS = 400, 40_000
"""The most shapes of one domain, and pairs of them that meet, each counted twice: 200 disks that all do took 1.6 s."""

Arguments = tuple[list[Any], dict[str, Any]]


def domain(text: str, names: Names | None = None, folder: Path | None = None) -> Domain:
    """The domain that a text stands for.

    Parameters
    ----------
    names : Names
        Parameters and definitions that its numbers may use; they must be numbers.
    folder : Path, optional
        Where mesh files are searched for; without it none are read.
    """
    tree = parse(text)
    shapes, pending = 0, [tree]
    while pending:  # not by recursion, which a long chain would exhaust
        node = pending.pop()
        if isinstance(node, Operation):
            pending += [node.right] if node.left is None else [node.left, node.right]
        shapes += isinstance(node, Call)
    if shapes > MOST_SHAPES:
        raise FormulaError(f"The domain has {shapes} shapes; more than {MOST_SHAPES} are not read.", tree.offset)
    return DomainReader(names or Names(), folder)(tree)


class DomainReader:
    """Walks the tree of a domain."""

    def __init__(self, names: Names, folder: Path | None = None) -> None:
        self.names, self.folder = names, folder

    def __call__(self, node: Node) -> Domain:
        if isinstance(node, Operation) and node.left is not None and node.sign in "-|&*+":
            return self.combined(node)
        if isinstance(node, Call):
            return self.shape(node)
        raise FormulaError(
            f"A domain is a shape such as Box(x=(0, 1), y=(0, 1)), or shapes joined by - | & *. Shapes: "
            f"{', '.join(_known())}.",
            node.offset,
        )

    def combined(self, node: Operation) -> Domain:
        spine = [node]  # a loop along the left spine, where long chains are
        while isinstance(spine[-1].left, Operation) and spine[-1].left.left is not None:
            spine.append(spine[-1].left)
        whole = self(spine[-1].left)  # type: ignore[arg-type]
        for sign, run in groupby(reversed(spine), lambda part: part.sign):
            parts = list(run)
            shapes = [self(part.right) for part in parts]
            if sign in "|&":
                whole = self.joined_all(sign, parts[0], [whole, *shapes])
                continue
            if sign == "-" and len(shapes) > FEW_SHAPES:  # a - b - c is a - (b | c)
                parts, shapes = parts[:1], [self.joined_all("|", parts[0], shapes)]
            for part, shape in zip(parts, shapes, strict=True):
                whole = self.joined(part, whole, shape)
        return whole

    def joined_all(self, sign: str, node: Operation, shapes: list[Domain]) -> Domain:
        try:
            boxes = np.array([shape.bounds for shape in shapes if shape.dimension == shapes[0].dimension])
            if (count := sum(int(meets(boxes, box).sum()) for box in boxes)) > MOST_MEETINGS:
                raise FormulaError(
                    f"The {len(shapes)} shapes meet in {count // 2} pairs, too many to join.", node.offset
                )
            return joined_all(sign, shapes)
        except TransnetError as error:
            raise FormulaError(str(error), node.offset) from None

    def joined(self, node: Operation, left: Domain, right: Domain) -> Domain:
        if node.sign not in "-|&*+":
            self(Name("", node.offset))
        if node.sign == "+":
            raise FormulaError("The union of two domains is written with |.", node.offset)
        try:
            return left - right if node.sign == "-" else left * right
        except TransnetError as error:
            raise FormulaError(str(error), node.offset) from None

    def shape(self, node: Call) -> Domain:
        known = _known()
        if node.name not in known:
            close = meant(node.name, known)
            hint = f" Did you mean '{close}'?" if close else ""
            raise FormulaError(f"There is no shape '{node.name[:40]}'.{hint} Shapes: {', '.join(known)}.", node.offset)
        if node.name in SHAPES:
            make, arguments = SHAPES[node.name]
            positional, keywords = self.simple(node, {key: getattr(self, kind) for key, kind in arguments.items()})
        else:
            make = getattr(geometry, node.name)
            positional, keywords = READERS[node.name](self, node)
        try:
            return make(*positional, **keywords)
        except TransnetError as error:
            raise FormulaError(str(error), node.offset) from None

    # -- arguments ---------------------------------------------------------------------------------------------------
    def number(self, node: Node) -> Any:
        """A number; a formula where sizes may vary, with time or as parameters."""
        found = evaluated(node, self.names)
        varies = self.names.coordinates or self.names.parameters
        if found.number is None and isinstance(found.expression, sp.Expr) and varies:
            return found.expression
        if found.number is None:
            raise FormulaError("A number is needed here: the sizes of a domain are fixed.", node.offset)
        return found.number

    def scalar(self, node: Node, names: Names) -> sp.Expr:
        expression = evaluated(node, names).expression
        if not isinstance(expression, sp.Expr):
            raise FormulaError("A formula for a number is needed here, not a vector or a condition.", node.offset)
        return expression

    def numbers(self, node: Node) -> tuple[float | sp.Expr, ...]:
        return tuple(self.number(item) for item in self.items(node, "numbers such as (0, 1)"))

    def items(self, node: Node, what: str) -> tuple[Node, ...]:
        if not isinstance(node, Items):
            raise FormulaError(f"A list of {what} is needed here.", node.offset)
        return node.items

    def text(self, node: Node) -> str:
        if not isinstance(node, Text):
            raise FormulaError("A name in quotes is needed here.", node.offset)
        return node.text

    def body(self, node: Node) -> Domain:
        return self(node)

    def inequality(self, node: Node) -> Any:
        axes = {name: sp.Symbol(name, real=True) for name in AXES}
        return evaluated(node, Names(axes, {}, self.names.parameters, self.names.definitions)).expression

    def coordinate_ranges(self, node: Call) -> Arguments:
        _positional(node, 0)
        read: dict[str, Callable[[Node], Any]] = {"reach": self.reach}
        read |= {"name": self.text} if node.name == "Box" else {}
        return [], {key: read.get(key, self.ends)(value) for key, value in node.keywords}

    def reach(self, node: Node) -> Any:
        return self.numbers(node) if isinstance(node, Items) else self.number(node)

    def ends(self, node: Node) -> tuple[float | sp.Expr, ...]:
        """The two ends of a coordinate, which may be oo or -oo."""
        return tuple(self.end(item) for item in self.items(node, "numbers such as (0, 1)"))

    def end(self, node: Node) -> Any:
        negative = isinstance(node, Operation) and node.left is None and node.sign == "-"
        name = node.right if negative else node  # type: ignore[union-attr]
        if isinstance(name, Name) and name.name == "oo":
            return -math.inf if negative else math.inf
        return self.number(node)

    def simple(self, node: Call, readers: dict[str, Callable[[Node], Any]]) -> Arguments:
        """Arguments by position or by keyword, each read by its own reader."""
        order = list(readers)
        _positional(node, len(order))
        keywords = {order[i]: readers[order[i]](a) for i, a in enumerate(node.arguments)}
        for name, value in node.keywords:
            if name not in readers or name in keywords:
                state = "given twice" if name in readers else f"not an argument of {node.name}: {', '.join(order)}"
                near = difflib.get_close_matches(name[:40], order, n=1)
                hint = f" Did you mean '{near[0]}'?" if near and name not in readers else ""
                raise FormulaError(f"'{name}' is {state}.{hint}", value.offset)
            keywords[name] = readers[name](value)
        return [], keywords

    def ring(self, node: Node) -> list[tuple[float | sp.Expr, ...]]:
        return [self.numbers(corner) for corner in self.items(node, "corners [(0, 0), (1, 0), (0, 1)]")]

    def polygon(self, node: Call) -> Arguments:
        def names(value: Node) -> list[str | None]:
            return [self.text(item) or None for item in self.items(value, "names")]

        def holes(value: Node) -> list[list[tuple[float | sp.Expr, ...]]]:
            return [self.ring(hole) for hole in self.items(value, "holes")]

        _, keywords = self.simple(node, {"vertices": self.ring, "holes": holes, "names": names})
        if "vertices" not in keywords:
            raise FormulaError("A Polygon needs its corners: Polygon([(0, 0), (1, 0), (0, 1)]).", node.offset)
        return [], keywords

    def region(self, node: Call) -> Arguments:
        if node.keywords or not node.arguments:
            raise FormulaError(
                "A Region is bounded by curves: Region(Curve((cos(s), sin(s)), (s, 0, 2*pi))).", node.offset
            )
        return [self.curve(a) for a in node.arguments], {}

    def curve(self, node: Node) -> geometry.Curve:
        if not isinstance(node, Call) or node.name != "Curve" or len(node.arguments) != 2:
            raise FormulaError("A curve is needed here: Curve((cos(s), sin(s)), (s, 0, 2*pi)).", node.offset)
        place, span = (self.items(a, "entries") for a in node.arguments)
        if len(place) != 2 or len(span) != 3 or not isinstance(span[0], Name):
            raise FormulaError("A Curve is (x(s), y(s)) and the range (s, a, b) of its parameter.", node.offset)
        s = sp.Symbol(span[0].name, real=True)
        names = Names({s.name: s}, {}, self.names.parameters, self.names.definitions)
        point = [self.scalar(p, names) for p in place]
        extra = dict(node.keywords)
        if set(extra) - {"name"}:
            raise FormulaError("A Curve takes a name= and nothing else by keyword.", node.offset)
        name = self.text(extra["name"]) if extra else None
        try:
            return geometry.Curve(point, (s, self.number(span[1]), self.number(span[2])), name)
        except TransnetError as error:
            raise FormulaError(str(error), node.offset) from None

    def level_set(self, node: Call) -> Arguments:
        if len(node.arguments) != 1:
            raise FormulaError("Write LevelSet(x**2 + y**2 - 1, x=(-2, 2), y=(-2, 2)).", node.offset)
        keywords: dict[str, Any] = {}
        for name, value in node.keywords:
            keywords[name] = self.text(value) if name == "name" else self.numbers(value)
        axes = {name: sp.Symbol(name, real=True) for name in keywords if name != "name"}
        if not 2 <= len(axes) <= 4:
            raise FormulaError(
                "A LevelSet needs the ranges of two to four coordinates: x=(-2, 2), y=(-2, 2).", node.offset
            )
        names = Names(axes, {}, self.names.parameters, self.names.definitions)
        return [self.scalar(node.arguments[0], names)], keywords

    def exterior(self, node: Call) -> Arguments:
        _, keywords = self.simple(node, {"body": self, "margin": self.number})
        if "body" not in keywords:
            raise FormulaError("An Exterior needs the body that is left out: Exterior(Disk(radius=1)).", node.offset)
        return [], keywords

    def mesh(self, node: Call) -> Arguments:
        _, keywords = self.simple(node, {"source": self.text, "name": self.text})
        name = keywords.get("source", "")
        if self.folder is None:
            raise FormulaError("A mesh cannot be read from a file here.", node.offset)
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()) or path.suffix.lower() not in (".stl", ".obj", ".ply"):
            raise FormulaError(
                "A mesh is an .stl, .obj or .ply file in the folder of the problem file or below it.", node.offset
            )
        if not there(path.is_file):
            raise FormulaError(f"There is no file '{name}' beside the problem file.", node.offset)
        return [str(path)], {k: v for k, v in keywords.items() if k != "source"}


def _positional(node: Call, most: int) -> None:
    if len(node.arguments) > most:
        how = f"at most {most} arguments by position" if most else "its coordinates by name: Box(x=(0, 1), y=(0, 1))"
        raise FormulaError(f"{node.name} takes {how}.", node.arguments[most].offset)


READERS: dict[str, Callable[[DomainReader, Call], Arguments]] = {
    "Interval": DomainReader.coordinate_ranges,
    "Box": DomainReader.coordinate_ranges,
    "Polygon": DomainReader.polygon,
    "Region": DomainReader.region,
    "LevelSet": DomainReader.level_set,
    "Mesh": DomainReader.mesh,
    "Exterior": DomainReader.exterior,
}
"""Shapes whose arguments are more than numbers and names."""


def _known() -> list[str]:
    return [*READERS, *SHAPES]
