"""Bad input: each with its own error that says what is wrong and how to put it right."""

import numpy as np
import pytest
import sympy as sp

from transnet.errors import GeometryError
from transnet.geometry import Annulus, Ball, Box, Curve, Disk, Interval, LevelSet, Mesh, Polygon, Region, Shell

s, x, y, z = sp.symbols("s x y z")
TETRA = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]

BAD = {
    "empty interval": (lambda: Interval(x=(1, 1)), "empty"),
    "reversed interval": (lambda: Interval(x=(1, 0)), "reversed"),
    "two coordinates": (lambda: Interval(x=(0, 1), y=(0, 1)), "one coordinate"),
    "an interval at infinity": (lambda: Interval(x=(np.inf, np.inf)), "must be finite"),
    "not a range": (lambda: Box(x=3), "two ends"),
    "not a number": (lambda: Box(x=(0, "a")), "not a number"),
    "reversed box": (lambda: Box(x=(0, 1), y=(2, 1)), "'y'.*reversed"),
    "nan box": (lambda: Box(x=(0, float("nan"))), "finite"),
    "no coordinates": (lambda: Box(), "without coordinates"),
    "radius": (lambda: Disk(radius=0), "positive"),
    "negative radius": (lambda: Ball(radius=-1), "positive"),
    "nan center": (lambda: Ball(center=(0, np.nan)), "finite"),
    "ball in 1D": (lambda: Ball(center=(0,)), "Interval"),
    "disk in 3D": (lambda: Disk(center=(0, 0, 0)), "Ball"),
    "shell in 2D": (lambda: Shell(center=(0, 0)), "Annulus"),
    "inner above outer": (lambda: Annulus((0, 0), 1, 0.5), "inner radius 1 is not below"),
    "open polygon": (lambda: Polygon([(0, 0), (1, 1)]), "open"),
    "closed segment": (lambda: Polygon([(0, 0), (1, 1), (0, 0)]), "open"),
    "crossing polygon": (lambda: Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), r"crosses.*\(0.5, 0.5\)"),
    "flat polygon": (lambda: Polygon([(0, 0), (1, 1), (2, 2)]), "no area"),
    "repeated corner": (lambda: Polygon([(0, 0), (0, 0), (1, 0), (1, 1)]), "repeated"),
    "hole outside": (lambda: Polygon(SQUARE, holes=[[(5, 5), (6, 5), (6, 6)]]), r"outside.*\(5, 5\)"),
    "hole across": (lambda: Polygon(SQUARE, holes=[[(0.5, 0.5), (2, 0.4), (2, 0.6)]]), "crosses"),
    "3D corner": (lambda: Polygon([(0, 0, 0), (1, 0, 0), (1, 1, 0)]), "3 coordinates"),
    "names of edges": (lambda: Polygon(SQUARE, names=["a"]), "1 names.*4 edges"),
    "open curve": (lambda: Curve((sp.cos(s), sp.sin(s)), (s, 0, 3)), "not closed"),
    "crossing curve": (lambda: Region(Curve((sp.sin(s), sp.sin(2 * s)), (s, 0, 2 * sp.pi))), "crosses"),
    "reversed parameter": (lambda: Curve((sp.cos(s), sp.sin(s)), (s, 1, 0)), "reversed"),
    "curve with a pole": (lambda: Curve((1 / s, sp.sin(s)), (s, -1, 1)), "not finite"),
    "not a curve": (lambda: Region(3), "Curves"),
    "curves of one name": (
        lambda: Region(*(Curve((r * sp.cos(s), r * sp.sin(s)), (s, 0, 2 * sp.pi), name="a") for r in (2, 1))),
        "different names",
    ),
    "empty level set": (lambda: LevelSet(x**2 + y**2 + 1, x=(-1, 1), y=(-1, 1)), "empty domain"),
    "cut level set": (lambda: LevelSet(x**2 + y**2 - 1, x=(-2, 2), y=(-0.5, 2)), "reaches the side y=-0.5"),
    "missing range": (lambda: LevelSet(x**2 + y**2 - 1, x=(-2, 2)), "y lacks it"),
    "leaky mesh": (lambda: Mesh(TETRA, FACES[1:]), "not watertight"),
    "twisted mesh": (lambda: Mesh(TETRA, [[0, 1, 2], *FACES[1:]]), "same way"),
    "mesh corners": (lambda: Mesh(TETRA, FACES + 3), "refers to corner"),
    "mesh shape": (lambda: Mesh(TETRA[:, :2], FACES), "not a surface"),
    "mesh nan": (lambda: Mesh(TETRA * np.nan, FACES), "finite"),
    "mesh without faces": (lambda: Mesh(TETRA), "triangles too"),
    "no such file": (lambda: Mesh("nowhere.stl"), "no file"),
    "unknown part": (lambda: Box(x=(0, 1), y=(0, 1)).boundary("lefd"), "mean 'left'.*'x=0', 'x=1', 'y=0', 'y=1'"),
    "no points": (lambda: Disk().interior(0), "at least 1"),
    "half a point": (lambda: Disk().boundary(n=2.5), "whole number"),
    "unknown kind": (lambda: Disk().interior(5, "sobol"), "'quasi', 'random', 'grid'"),
    "grid shape": (lambda: Disk().grid((3, 3, 3)), "2 coordinate"),
    "points of a line": (lambda: Disk().contains([0.0, 0.0]), r"\(n, 2\)"),
    "points of space": (lambda: Disk().contains(np.zeros((4, 3))), r"\(4, 3\)"),
    "same coordinate": (lambda: Interval(x=(0, 1)) * Box(x=(0, 1), t=(0, 1)), "'x'"),
    "nothing left": (lambda: Disk() - Disk(radius=2), "empty domain"),
    "itself": (lambda: Disk() - Disk(), "empty domain"),
    "apart": (lambda: Disk() & Disk((5, 0)), "empty domain"),
    "apart in space": (lambda: Ball() & Ball((1.5, 1.5, 0)), "empty domain"),
    "no intervals": (lambda: Interval(x=(0, 1)) - Interval(x=(-1, 2)), "empty domain"),
    "dimensions": (lambda: Disk() - Ball(), "same number of coordinates"),
    "coordinates": (lambda: Box(x=(0, 1), y=(0, 1)) - Box(x=(0, 1), z=(0, 1)), "same coordinates"),
    "not a domain": (lambda: Disk() - 3, "not a domain"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    make, text = BAD[name]
    with pytest.raises(GeometryError, match=text):
        make()


def test_files_need_trimesh(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    file = tmp_path / "body.stl"
    file.write_text("solid body\nendsolid body\n")
    with pytest.raises(ImportError, match=r"transnet-pde\[mesh\]"):
        Mesh(file)
