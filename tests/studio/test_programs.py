"""Programs that are written from problem files: they state the same problem, and nothing of a file becomes code."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from transnet.errors import TransnetError
from transnet.files.problem_file import ProblemFile, problem_of_text
from transnet.language.stored_problem import alike
from transnet.studio.python_text import python_of
from transnet.studio.shelf import ready_problems

HERE = Path("problem.toml")
HOSTILE = (
    "\\", "'+boom()+'", '"+boom()+"', "'", '"', "\\'+boom()+\\'", "a\\", "');boom();('", '");boom();("', "{boom()}",
    "\\N{BULLET}", "%s", "a'\"b", "tn.Disk(", "Disk(boom(", "#", "'''", '"""', "1.0", "(2.0)", ",)",
)  # fmt: skip


def stated(program: str) -> dict[str, Any]:
    """What a program states, without solving it."""
    scope: dict[str, Any] = {}
    exec("\n".join(line for line in program.split("\n") if not line.startswith(("solution", "pairs", "print("))), scope)
    return scope


def same(program: str, file: ProblemFile) -> None:
    again = stated(program)["problem"]
    assert [u.func.__name__ for u in again.unknowns] == [u.func.__name__ for u in file.problem.unknowns]
    assert again.domain.parts == file.problem.domain.parts
    assert np.allclose(again.domain.bounds, file.problem.domain.bounds)
    for one, other in zip(again.equations, file.problem.equations, strict=True):
        for side, stated_side in ((one.lhs, other.lhs), (one.rhs, other.rhs)):
            assert side == stated_side or str(side) == str(stated_side) or alike(side, stated_side)
    assert len(again.conditions) == len(file.problem.conditions)


@pytest.mark.parametrize("ready", ready_problems(), ids=lambda p: p.get("name", "ready"))
def test_a_program_states_the_same_problem(ready: dict[str, Any]) -> None:
    file = problem_of_text(ready["toml"], HERE)
    same(python_of(file), file)


MATERIALS = """title = %(title)s
coordinates = ["x", "y"]
unknowns = ["u"]
equations = ["div(k*grad(u)) = a*sin(x)"]
conditions = [{on = "boundary", equations = "u = 0"}, {on = %(rim)s, equations = "u = a"}]
[pieces]
%(name)s = '''Polygon([(0, 0), (1, 0), (1, 1), (0, 1)], names=[%(edge)s, "b", "c", "d"])'''
shell = "Box(x=(1, 2), y=(0, 1))"
[parameters]
a = 1.5
[definitions]
k = {%(name)s = 2, shell = 1}
"""
LAMBDA = """coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Box(x=(0, 1), y=(0, 1))"
equations = ["laplacian(u) + LAM*u + where(x > y, LAM, max(x, y)) + integral(u*s, s, 0, x) = heaviside(x - y)*E*I**2"]
conditions = ["u = re(1 + 0*I) on boundary"]
[parameters]
LAM = 2
"""


def shape_of(program: str) -> str:
    """The tree of a program without its constants."""
    tree = ast.parse(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_name_of_a_file_becomes_code(hostile: str) -> None:
    def program(text: str) -> str:
        quote = "'" if '"' in text else '"'
        edge = f"{quote}{text}{quote}" if quote not in text and "'''" not in text else '"a"'
        rim = "d" if edge == '"a"' else edge[1:-1].strip("\"'") or "d"
        rim = rim if rim == edge[1:-1] else "d"
        written = MATERIALS % {
            "title": json.dumps(text),
            "rim": json.dumps(rim),
            "name": json.dumps(text),
            "edge": edge,
        }
        file = problem_of_text(written, HERE)
        made = python_of(file)
        same(made, file)
        return made

    assert shape_of(program(hostile)) == shape_of(program("plain"))


@pytest.mark.parametrize(
    "name", ["lambda", "print", "sp", "tn", "problem", "class", "None", "__builtins__", "_", "µ", "𝐱", "ﬁ"]
)
def test_names_that_mean_something_to_python_are_renamed(name: str) -> None:
    text = LAMBDA.replace("LAM =", f"{json.dumps(name, ensure_ascii=False)} =").replace("LAM", name)
    file = problem_of_text(text, HERE)
    same(python_of(file), file)
    assert stated(python_of(file))["problem"].parameters[0].name == name


@pytest.mark.parametrize("name", ["lambda", "class", "sp"])
def test_coordinates_too(name: str) -> None:
    text = LAMBDA.replace("LAM", "b").replace("x", name).replace(f"ma{name}", "max")
    try:
        file = problem_of_text(text.replace("Bo" + name, "Box"), HERE)
    except TransnetError as error:
        pytest.fail(str(error))
    same(python_of(file), file)
