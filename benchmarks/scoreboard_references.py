"""Compute the references of the scoreboard that are no formulas, by methods other than ours, and keep them with how.

`python benchmarks/scoreboard_references.py` writes benchmarks/scoreboard_references.json; names select a few, and the
others stay. Needs NGSolve. Each reference is computed twice, the second time coarser: `uncertainty` is the relative
difference.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

KEPT = Path(__file__).with_name("scoreboard_references.json")
STATED = Path(__file__).parents[1] / "examples" / "scoreboard"
POINTS = 150
"""Points at which a reference is kept: enough for a relative L2 error to a few per cent."""
CONTOUR = 32
"""Points on the contours by which the coefficients of an exponential integrator are averaged (Kassam, Trefethen)."""
DIGITS = 12
"""Digits in the file: two more than the best reference has."""


def etdrk4(linear: np.ndarray, nonlinear: Callable, state: np.ndarray, steps: int, end: float, kept: int) -> list:
    """Fourier coefficients at `kept` equidistant times, by Cox' and Matthews' exponential Runge-Kutta method."""
    h = end / steps
    around = np.exp(1j * np.pi * (np.arange(1, CONTOUR + 1) - 0.5) / CONTOUR)
    z = h * linear[:, None] + around
    half = h * np.real(np.mean((np.exp(z / 2) - 1) / z, axis=1))
    f1 = h * np.real(np.mean((-4 - z + np.exp(z) * (4 - 3 * z + z**2)) / z**3, axis=1))
    f2 = h * np.real(np.mean((2 + z + np.exp(z) * (-2 + z)) / z**3, axis=1))
    f3 = h * np.real(np.mean((-4 - 3 * z - z**2 + np.exp(z) * (4 - z)) / z**3, axis=1))
    whole, part = np.exp(h * linear), np.exp(h * linear / 2)
    found = []
    for step in range(1, steps + 1):
        n = nonlinear(state)
        a = part * state + half * n
        na = nonlinear(a)
        b = part * state + half * na
        nb = nonlinear(b)
        nc = nonlinear(part * a + half * (2 * nb - n))
        state = whole * state + n * f1 + 2 * (na + nb) * f2 + nc * f3
        if step % (steps // kept) == 0:
            found.append(state)
    return found


def evolution(size: int, steps: int, low: float, high: float, start: Callable, linear: Callable, nonlinear: Callable):
    """A periodic evolution of one coordinate up to t = 1: points (n, 2) and values there."""
    place = low + (high - low) * np.arange(size) / size
    wave = 2 * np.pi / (high - low) * np.fft.rfftfreq(size, 1 / size)
    kept = etdrk4(linear(wave), nonlinear(wave, size), np.fft.rfft(start(place)), steps, 1.0, 4)
    thin = size // (POINTS // 3)
    points = [np.column_stack([place[::thin], np.full(len(place[::thin]), (k + 1) / 4)]) for k in range(4)]
    return np.concatenate(points), np.concatenate([np.fft.irfft(s, size)[::thin] for s in kept])


def allen_cahn(size: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    def cubic(wave: np.ndarray, n: int) -> Callable:
        return lambda s: np.fft.rfft(-5 * np.fft.irfft(s, n) ** 3)

    return evolution(size, steps, -1, 1, lambda x: x**2 * np.cos(np.pi * x), lambda k: 5 - 1e-4 * k**2, cubic)


def sivashinsky(factors: tuple, low: float, high: float, start: Callable, size: int, steps: int):
    """u_t + a u u_x + b u_xx + c u_xxxx = 0."""
    a, b, c = factors

    def transport(wave: np.ndarray, n: int) -> Callable:
        keep = wave < 2 / 3 * wave[-1]
        return lambda s: keep * (-0.5j * a * wave * np.fft.rfft(np.fft.irfft(s, n) ** 2))

    return evolution(size, steps, low, high, start, lambda k: b * k**2 - c * k**4, transport)


def of_pinnacle(size: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    factors = (100 / 16, 100 / 16**2, 100 / 16**4)
    return sivashinsky(factors, 0, 2 * np.pi, lambda x: np.cos(x) * (1 + np.sin(x)), size, steps)


def of_jaxpi(size: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    return sivashinsky((5, 0.5, 0.005), -1, 1, lambda x: -np.sin(np.pi * x), size, steps)


def holes(
    square: float, disks: list, outside: float, inside: float, shift: float, load: Any, degree: int, width: float
):
    """-lap(u) + shift u = load on a square with disks cut out, by finite elements on curved triangles."""
    import ngsolve as ng
    from netgen.occ import Circle, OCCGeometry, Rectangle

    face = Rectangle(2 * square, 2 * square).Face().Move((-square, -square, 0))
    face.edges.name = "square"
    for a, b, r in disks:
        disk = Circle((a, b), r).Face()
        disk.edges.name = "hole"
        face = face - disk
    mesh = ng.Mesh(OCCGeometry(face, dim=2).GenerateMesh(maxh=width)).Curve(degree)
    space = ng.H1(mesh, order=degree, dirichlet="square|hole")
    u, v = space.TnT()
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + shift * u * v * ng.dx).Assemble()
    right = ng.LinearForm(space)
    if load is not None:
        right += load(ng) * v * ng.dx(bonus_intorder=6)
    right.Assemble()
    found = ng.GridFunction(space)
    found.Set(mesh.BoundaryCF({"square": outside, "hole": inside}), ng.BND)
    found.vec.data += form.mat.Inverse(space.FreeDofs()) * (right.vec - form.mat * found.vec)
    drawn = square * np.random.default_rng(0).uniform(-1, 1, (3 * POINTS, 2))
    clear = [np.hypot(*(drawn - (a, b)).T) > 1.02 * r for a, b, r in disks]
    points = drawn[np.logical_and.reduce(clear)][:POINTS]
    return points, np.array([found(mesh(*p)) for p in points])


FOUR = [(a, b, 0.1) for a in (0.3, -0.3) for b in (0.3, -0.3)]
OTHERS = [(0.5, 0.5, 0.2), (0.4, -0.4, 0.4), (-0.2, -0.7, 0.1), (-0.6, 0.5, 0.3)]


def classic(degree: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    return holes(0.5, FOUR, 1, 0, 0, None, degree, width)


def boltzmann(degree: int, width: float) -> tuple[np.ndarray, np.ndarray]:
    def load(ng: Any) -> Any:
        return 10 * (17 + ng.x**2 + ng.y**2) * ng.sin(np.pi * ng.x) * ng.sin(4 * np.pi * ng.y)

    return holes(1, OTHERS, 0.2, 1, 64, load, degree, width)


def l_shape(degree: int, halvings: int) -> tuple[np.ndarray, np.ndarray]:
    """-lap(u) = 1 on the L-shape, u = 0 around it, on triangles halved again and again towards the corners."""
    import ngsolve as ng
    from netgen.occ import OCCGeometry, WorkPlane

    corners = [(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)]
    path = WorkPlane().MoveTo(*corners[0])
    for corner in corners[1:]:
        path = path.LineTo(*corner)
    mesh = ng.Mesh(OCCGeometry(path.Close().Face(), dim=2).GenerateMesh(maxh=0.5))
    for _ in range(halvings):
        for element in mesh.Elements(ng.VOL):
            mesh.SetRefinementFlag(element, any(mesh[v].point in corners for v in element.vertices))
        mesh.Refine()
    space = ng.H1(mesh, order=degree, dirichlet=".*")
    u, v = space.TnT()
    found = ng.GridFunction(space)
    form, right = (
        ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx).Assemble(),
        ng.LinearForm(v * ng.dx).Assemble(),
    )
    found.vec.data = form.mat.Inverse(space.FreeDofs(), "sparsecholesky") * right.vec
    drawn = np.random.default_rng(0).uniform(-1, 1, (2 * POINTS, 2))
    points = drawn[drawn.min(axis=1) < 0][:POINTS]
    return points, np.array([found(mesh(*p)) for p in points])


def areas(degree: int, cuts: int) -> tuple[np.ndarray, np.ndarray]:
    """lap(u) + f = 0, u_n + u = 0 on 5 x 5 squares with a source of each, by finite elements on squares that fit."""
    import ngsolve as ng
    from ngsolve.meshes import MakeStructured2DMesh

    stated = (STATED / "pinnacle_poisson_areas.py").read_text("utf-8")
    even, bump = (
        json.loads(re.search(rf"{name} = (\(.*?\n\))", stated, re.DOTALL)[1].translate({40: "[", 41: "]"}).replace(
            ",\n]", "\n]"
        ))
        for name in ("EVEN", "BUMP")
    )  # fmt: skip
    mesh = MakeStructured2DMesh(quads=True, nx=5 * cuts, ny=5 * cuts, mapping=lambda a, b: (20 * a - 10, 20 * b - 10))
    space = ng.H1(mesh, order=degree)
    u, v = space.TnT()
    form = ng.BilinearForm(ng.grad(u) * ng.grad(v) * ng.dx + u * v * ng.ds).Assemble()

    def inside(c: Any, k: int) -> Any:
        return ng.IfPos(c + 10 - 4 * k, 1, 0) * ng.IfPos(4 * k - 6 - c, 1, 0)

    def wave(c: Any, k: int) -> Any:
        return ng.sin(math.pi * (c + 10 - 4 * k) / 4)

    source = sum(
        inside(ng.x, i) * inside(ng.y, j) * (even[i][j] + bump[i][j] * wave(ng.x, i) * wave(ng.y, j))
        for i in range(5) for j in range(5)
    )  # fmt: skip
    right = ng.LinearForm(space)
    right += source * v * ng.dx(bonus_intorder=6)
    right.Assemble()
    found = ng.GridFunction(space)
    found.vec.data = form.mat.Inverse(space.FreeDofs(), "sparsecholesky") * right.vec
    points = np.random.default_rng(0).uniform(-10, 10, (POINTS, 2))
    return points, np.array([found(mesh(*p)) for p in points])


FOURIER = "Fourier series with {0} points and {1} steps of an exponential Runge-Kutta method of fourth order"
ELEMENTS = "finite elements of degree {0} on curved triangles of width {1} (NGSolve)"
GRADED = "finite elements of degree {0}, triangles halved {1} times towards the corners (NGSolve)"
SQUARES = "finite elements of degree {0}, {1} x {1} squares in each of the 25 (NGSolve)"
MADE = {
    "jaxpi_allen_cahn": (allen_cahn, (9600, 8000), (4800, 4000), FOURIER),
    "jaxpi_kuramoto_sivashinsky": (of_jaxpi, (600, 40000), (500, 20000), FOURIER),
    "pinnacle_kuramoto_sivashinsky": (of_pinnacle, (600, 40000), (500, 20000), FOURIER),
    "pinnacle_poisson_classic": (classic, (13, 0.05), (11, 0.07), ELEMENTS),
    "pinnacle_poisson_boltzmann": (boltzmann, (13, 0.08), (11, 0.12), ELEMENTS),
    "pinnacle_poisson_areas": (areas, (12, 4), (10, 3), SQUARES),
    "pdenneval_l_shape": (l_shape, (9, 44), (8, 40), GRADED),
}


def main() -> None:
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for name in [n for n in MADE if n in sys.argv] or MADE:
        make, fine, coarse, how = MADE[name]
        points, values = make(*fine)
        other = make(*coarse)[1]
        size = np.linalg.norm(values)
        away = float(np.linalg.norm(values - other) / size)
        print(f"{name}: {len(points)} points, {away:.1e}", flush=True)
        kept[name] = {
            "how": how.format(*fine), "uncertainty": float(f"{away:.1e}"),
            "points": [[float(f"{c:.{DIGITS}g}") for c in p] for p in points],
            "values": [float(f"{v:.{DIGITS}g}") for v in values],
        }  # fmt: skip
    KEPT.write_text(
        json.dumps(kept, indent=None, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
