"""Touching in the plane: closed curves of Fourier coefficients, and the domains without contact that they bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.geometry import Curve, Domain, Region
from transnet.measure.contour import trace

PER_MODE = 4
"""Nodes of a curve for each pair of its modes."""
FIRST, MOST = 16, 64
"""Modes of a first curve, and of the finest."""
CAP = 0.25
"""The most that an edge moves in one step, as a part of its mean radius."""
BESIDE = 2.0
"""Cells of the grid within which a curve touches the boundary."""
LAYER = 0.05
"""Curves that lie closer to the boundary than this, in units of the domain, are the layer of a spring that is held
there."""
PER_CELL = 20
"""Points of the boundary for each cell along a side."""
DENSER, CONTRACTIONS = 8, 8
"""How many times denser speeds are sampled, and steps of the contraction to equal lengths: a smooth parameter is all
that is needed."""
WITHIN = 0.1
"""How far inside a curve it is asked whether there is contact, in units of its radius."""


@dataclass(frozen=True, eq=False)
class FourierCurve:
    """The closed curve z(s) = sum_k c_k exp(i k s), anticlockwise, with contact inside or outside of it."""

    coefficients: np.ndarray
    barrier: int
    within: bool
    name: str = "edge"

    @property
    def modes(self) -> int:
        return (len(self.coefficients) - 1) // 2

    @cached_property
    def orders(self) -> np.ndarray:
        return np.arange(-self.modes, self.modes + 1)

    @cached_property
    def nodes(self) -> np.ndarray:
        """The parameters of its nodes."""
        return 2 * np.pi * np.arange(PER_MODE * self.modes) / (PER_MODE * self.modes)

    def z(self, s: np.ndarray, order: int = 0) -> np.ndarray:
        """Its points, or their derivatives, as complex numbers."""
        turn = np.exp(1j * s)  # powers of it are several times cheaper than as many exponentials
        sums = np.polyval((self.coefficients * (1j * self.orders) ** order)[::-1], turn)
        return np.asarray(sums * turn**-self.modes)

    def normals(self, s: np.ndarray) -> np.ndarray:
        """Unit normals that point away from the contact."""
        velocity = self.z(s, 1)
        return (-1j if self.within else 1j) * velocity / np.abs(velocity)

    @property
    def radius(self) -> float:
        return float(np.abs(self.coefficients[self.modes + 1]))

    @cached_property
    def curve(self) -> Curve:
        """It as a curve of the geometry."""
        return Curve(
            (lambda s: self.z(s).real, lambda s: self.z(s).imag),
            (0.0, 2 * np.pi),
            self.name,
            (lambda s: self.z(s, 1).real, lambda s: self.z(s, 1).imag),
        )

    @cached_property
    def region(self) -> Region:
        """What it encloses."""
        return Region(self.curve)

    @property
    def start(self) -> np.ndarray:
        """A point of it, (2,)."""
        z = self.coefficients.sum()
        return np.array([z.real, z.imag])

    def through(self, z: np.ndarray, modes: int) -> FourierCurve:
        """The curve with this many modes through points at equally spaced parameters, evenly parametrised."""
        found = replace(self, coefficients=_transformed(z, modes))
        dense = 2 * np.pi * np.arange(DENSER * len(z)) / (DENSER * len(z))
        speed = np.fft.fft(np.abs(found.z(dense, 1))) / len(dense)
        k = np.fft.fftfreq(len(dense), 1 / len(dense))
        mean = speed[0].real
        wave = np.where(k == 0, 0, speed / np.where(k == 0, 1, 1j * k) / mean)
        few = np.abs(k) <= 2 * modes
        s = wanted = 2 * np.pi * np.arange(PER_MODE * modes) / (PER_MODE * modes)
        for _ in range(CONTRACTIONS):  # the parameters at equal lengths, by a contraction
            waves = np.exp(1j * np.multiply.outer(s, k[few]))
            s = wanted - (waves @ wave[few]).real + wave.sum().real
        return replace(found, coefficients=_transformed(found.z(s), modes))


def _plane(z: np.ndarray) -> np.ndarray:
    """Complex numbers as points of the plane."""
    return np.stack([z.real, z.imag], axis=-1)


def _transformed(z: np.ndarray, modes: int) -> np.ndarray:
    found = np.fft.fft(z) / len(z)
    return np.concatenate([found[-modes:], found[: modes + 1]])


@dataclass(frozen=True, eq=False)
class ClosedEdges:
    """The edges of a contact set in the plane; beside the boundary there is contact or not."""

    loops: tuple[FourierCurve, ...]
    free_outside: bool

    @staticmethod
    def of(domain: Domain, gaps: Any, cells: int) -> ClosedEdges | None:
        """The curves around the places where the smallest of some gaps is negative; None if there are none."""
        low, high = domain.bounds
        margin = (high - low) / cells
        rim = domain.boundary(n=PER_CELL * cells).points

        def f(points: np.ndarray) -> np.ndarray:
            inside = domain.contains(points)
            found = np.full(len(points), 1.0)
            found[inside] = gaps(points[inside]).min(axis=1)
            return found

        chains = []
        for chain in trace(f, np.stack([low - margin, high + margin]), cells):
            away = np.abs((chain[:, None] - rim[None]) / (high - low)).max(axis=2).min(axis=1)
            if away.max() > LAYER:
                chains.append(chain)
            if away.max() > LAYER and away.min() < BESIDE / cells:
                raise ProblemError(
                    "The contact set reaches the boundary, and its edge ends there. Only edges that are closed curves "
                    "inside the domain are found. If it ends on a line of symmetry, solve on the whole domain; "
                    "otherwise an estimate by a stiff spring is left, equation - sympy.Max(psi - u, 0)/eps = 0."
                )
        if not chains:
            return None
        loops = [replace(_fitted(c, gaps), name=f"contact {k + 1}") for k, c in enumerate(chains)]
        plain = ClosedEdges(tuple(loops), True)
        first = int(plain._around.sum(axis=0).argmin())
        return replace(plain, free_outside=loops[first].within)

    @cached_property
    def _around(self) -> np.ndarray:
        """Which loops are around which others: [i, j] whether i is around j."""
        if len(self.loops) == 1:
            return np.zeros((1, 1), dtype=bool)
        found = np.array([l.region.contains(np.array([o.start for o in self.loops])) for l in self.loops])
        np.fill_diagonal(found, False)
        return found

    @property
    def edges(self) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """For each edge its obstacle, its points and the normals there, which point away from the contact."""
        return [(l.barrier, _plane(l.z(l.nodes)), _plane(l.normals(l.nodes))) for l in self.loops]

    def moved(self, steps: list[np.ndarray], domain: Domain) -> ClosedEdges:
        """The edges moved along their normals."""

        def one(loop: FourierCurve, step: np.ndarray) -> FourierCurve:
            most = CAP * loop.radius
            return loop.through(loop.z(loop.nodes) + loop.normals(loop.nodes) * np.clip(step, -most, most), loop.modes)

        return replace(self, loops=tuple(map(one, self.loops, steps)))

    def finer(self) -> ClosedEdges | None:
        """The same edges with twice as many modes; None if they have all."""
        if max(l.modes for l in self.loops) >= MOST:
            return None

        def one(loop: FourierCurve) -> FourierCurve:
            more = min(loop.modes, MOST - loop.modes)
            return replace(loop, coefficients=np.pad(loop.coefficients, more))

        return replace(self, loops=tuple(map(one, self.loops)))

    def domains(self, domain: Domain) -> list[tuple[Domain, list[tuple[str, int]], bool]]:
        """The domains without contact: each with the names of its edges and their obstacles, and whether it touches the
        boundary."""
        around, depth = self._around, self._around.sum(axis=0)
        found: list[tuple[Domain, list[tuple[str, int]], bool]] = []
        if self.free_outside:
            left, outer = domain, [l for l, d in zip(self.loops, depth, strict=True) if d == 0]
            for loop in outer:
                left = left - loop.region
            found.append((left, [(l.name, l.barrier) for l in outer], True))
        for k in (k for k, l in enumerate(self.loops) if not l.within):
            mine = [l for j, l in enumerate(self.loops) if j == k or (around[k, j] and depth[j] == depth[k] + 1)]
            mine.sort(key=lambda l: -l.radius)
            found.append((Region(*(l.curve for l in mine)), [(l.name, l.barrier) for l in mine], False))
        return found

    def which(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The number of the domain in which each point is, -1 in contact; and the obstacle there."""
        inside = np.array([l.region.contains(points) for l in self.loops])
        order = np.argsort([l.radius for l in self.loops])  # the smallest around a point is the one it is in
        smallest = np.full(len(points), -1)
        for k in order[::-1]:
            smallest[inside[k]] = k
        free = [k for k, l in enumerate(self.loops) if not l.within]
        number = np.full(len(points), 0 if self.free_outside else -1)
        for n, k in enumerate(free):
            number[smallest == k] = n + int(self.free_outside)
        for k, loop in enumerate(self.loops):
            if loop.within:
                number[smallest == k] = -1
        barriers = np.array([l.barrier for l in self.loops])
        return number, np.where(smallest < 0, barriers[order[-1]], barriers[smallest])

    def contains(self, points: np.ndarray) -> np.ndarray:
        """Which points (n, d) are in contact."""
        return self.which(np.asarray(points, dtype=float))[0] < 0

    @property
    def curves(self) -> list[np.ndarray]:
        """Points on each edge."""
        return [points for _, points, _ in self.edges]

    def sizes(self) -> np.ndarray:
        """The size of each edge, to compare a step with."""
        return np.array([l.radius for l in self.loops])

    def stored(self, arrays: dict[str, np.ndarray], prefix: str) -> dict[str, Any]:
        for k, loop in enumerate(self.loops):
            arrays[f"{prefix}loop_{k}"] = np.stack([loop.coefficients.real, loop.coefficients.imag])
        return {"loops": [[l.barrier, l.within] for l in self.loops], "free_outside": self.free_outside}


def _fitted(chain: np.ndarray, gaps: Any) -> FourierCurve:
    """A smooth curve through a chain of points."""
    z = chain[:, 0] + 1j * chain[:, 1]
    closed = np.append(z, z[0])
    length = np.concatenate([[0], np.cumsum(np.abs(np.diff(closed)))])
    if np.sum((np.conj(closed[:-1]) * closed[1:]).imag) < 0:
        closed, length = closed[::-1], length[-1] - length[::-1]
    at = np.linspace(0, length[-1], PER_MODE * FIRST, endpoint=False)
    even = np.interp(at, length, closed.real) + 1j * np.interp(at, length, closed.imag)
    blank = FourierCurve(np.zeros(2 * FIRST + 1, dtype=complex), int(gaps(chain[:1]).argmin()), True)
    found = blank.through(even, FIRST)
    inwards = found.z(found.nodes) - WITHIN * found.radius * found.normals(found.nodes)
    signs = gaps(_plane(inwards)).min(axis=1)
    return replace(found, within=bool(np.median(signs) < 0))
