"""The rows of a slab in cells: the weak form of the equations, tested with the functions of each cell.

With A the coefficients of the second derivatives of an equation F, the jump of A du/dn over an edge is tested with the
mean of both sides, and so is the jump of u with A dv/dn; a penalty that is just large enough makes the sum coercive.
This is the symmetric interior penalty method. What is given on the boundary enters weakly: values as a jump, fluxes in
place of A du/dn. So fluxes through edges cancel and every cell has its balance; the operator of waves or diffusion is
symmetric, and slabs do not grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.lazy import sparse
from transnet.plane.nodes import BY_X, BY_Y, VALUE, Blocks, CellNodes, Key, from_blocks, steepness
from transnet.plane.rules import Edges
from transnet.plane.space import CellSpace, UnresolvedCellsError
from transnet.plane.statement import PlaneEvolution
from transnet.rows.equation import Equation
from transnet.rows.points import where_mask
from transnet.slabs.factors import Factors, inverse
from transnet.slabs.stages import radau
from transnet.slabs.system import SlabSystem
from transnet.tolerances import ROUNDED, SAME

PENALTY = 1.5
"""The penalty of jumps, in units of the least that is stable."""
STEP = 1e-4
"""Coefficients are differentiated over this part of the size of the domain."""
SECOND: dict[tuple[int, ...], tuple[float, ...]] = {
    (2, 0): (1.0, 0.0, 0.0),
    (1, 1): (0.0, 0.5, 0.0),
    (0, 2): (0.0, 0.0, 1.0),
}
"""What a second derivative adds to the matrix A: its entries xx, xy and yy."""


@dataclass(frozen=True, eq=False)
class TestedPart:
    """A statement at nodes, tested: sum_k left_k^T (weight_k F).

    Parameters
    ----------
    slots : list of (unknown, order in time, key)
        What its slots are.
    tests : list of (row, key, weights)
        By the number of an equation.
    """

    equation: Equation
    nodes: CellNodes
    normals: np.ndarray | None
    slots: list[tuple[int, int, Key]]
    tests: list[tuple[int, Key, np.ndarray]]


@dataclass(frozen=True, eq=False)
class WeakEntry:
    """left^T (weight (right u)) of the derivative of an order in time of an unknown, in the equation of a row."""

    row: int
    unknown: int
    order: int
    nodes: CellNodes
    left: Key
    weight: np.ndarray
    right: Key


class WeakSystem(SlabSystem):
    """The rows of slabs in cells; see `SlabSystem`.

    Rows are those of each equation, with as many as there are functions.
    """

    evolution: PlaneEvolution  # type: ignore[assignment]
    space: CellSpace  # type: ignore[assignment]

    def __init__(self, evolution: PlaneEvolution, space: CellSpace, stages: int, values: Sequence[Any]) -> None:
        self.evolution, self.space, self.stages, self.values = evolution, space, radau(stages), tuple(values)
        self.unknowns, self.columns = len(evolution.orders), space.columns
        self.highest = max(evolution.split(index)[1] for s in evolution.every for u, index in s.equation.slots
                           if len(index) == len(evolution.problem.coordinates))  # fmt: skip
        self.counts = [self.unknowns * self.columns]
        self.joints = np.zeros((0, self.unknowns * self.columns))
        self.sparse = True
        self.still = evolution.steady

    # -- geometry ----------------------------------------------------------------------------------------------------
    @cached_property
    def material(self) -> np.ndarray:
        """The material of each cell."""
        tiles = self.space.tiles
        assert tiles is not None
        return tiles.material if len(tiles.material) else np.zeros(len(tiles), dtype=int)

    @cached_property
    def steep(self) -> np.ndarray:
        """How steep functions may be at the edges of their cells."""
        around = [*self.lines, *(nodes for _, nodes in self.joins), self._outer]
        tiles = self.space.tiles
        assert tiles is not None
        whole = CellNodes.of(self.space.functions, self._all_inside, (BY_X, BY_Y))
        return steepness(whole, self._all_inside.weights, around, len(tiles))

    @cached_property
    def _all_inside(self) -> Edges:
        rule = self.space.rule
        assert rule is not None
        nothing = np.full(len(rule.cells), -1)
        return Edges(rule.points, np.zeros_like(rule.points), rule.weights, rule.cells, nothing, nothing)

    @cached_property
    def inside(self) -> list[CellNodes]:
        """The nodes of each material, with the derivatives that its equations have."""
        found = []
        for m, some in enumerate(self.evolution.equations):
            mine = np.flatnonzero(self.material[self._all_inside.first] == m)
            wanted: set[Any] = {self.evolution.split(i)[0] for s in some for _, i in s.equation.slots} | {VALUE}
            found.append(CellNodes.of(self.space.functions, self._all_inside.take(mine), sorted(wanted)))
        return found

    @property
    def _edges(self) -> Edges:
        rule = self.space.rule
        assert rule is not None
        return rule.edges

    @cached_property
    def lines(self) -> list[CellNodes]:
        """The edges between cells of each material."""
        edges = self._edges
        between = (edges.arc < 0) & (edges.second >= 0)
        which = [np.flatnonzero(between & (self.material[edges.first] == m)) for m in range(len(self.inside))]
        return [CellNodes.of(self.space.functions, edges.take(w)) for w in which]

    @cached_property
    def _outer(self) -> CellNodes:
        edges = self._edges
        return CellNodes.of(self.space.functions, edges.take(np.flatnonzero(edges.second < 0)))

    @cached_property
    def rims(self) -> list[tuple[int, int, CellNodes]]:
        """The walls in each material: the number of a wall, of a material, and the edges."""
        space, evolution, edges = self.space, self.evolution, self._edges
        assert space.tiles is not None
        assert space.stated is not None
        names = np.array([part for part, _ in space.tiles.outline.arcs], dtype=object)
        outer = (edges.arc >= 0) & (edges.second < 0)
        found = []
        for number, wall in enumerate(evolution.walls):
            parts = [name for part in wall.parts for name in space.stated.problem.domain.resolve(part)]
            there = outer.copy()
            there[outer] = np.isin(names[edges.arc[outer]].astype(str), parts)
            if wall.where is not None:
                at = np.flatnonzero(there)
                places = evolution.joined(edges.points[at], np.array([evolution.start]))
                there[at] = where_mask(wall.where, evolution.problem.coordinates, places)
            for m in range(len(self.inside)):
                mine = np.flatnonzero(there & (self.material[edges.first] == m))
                if len(mine):
                    found.append((number, m, CellNodes.of(space.functions, edges.take(mine))))
        return found

    @cached_property
    def joins(self) -> list[tuple[tuple[int, int], CellNodes]]:
        """The edges on each interface."""
        edges, found = self._edges, []
        for pair in self.evolution.across:
            on = (edges.arc >= 0) & (edges.second >= 0)
            on[on] = (self.material[edges.first[on]] == pair[0]) & (self.material[edges.second[on]] == pair[1])
            if on.any():
                found.append((pair, CellNodes.of(self.space.functions, edges.take(np.flatnonzero(on)))))
        return found

    # -- coefficients ------------------------------------------------------------------------------------------------
    def _slots(self, equation: Equation) -> list[tuple[int, tuple[int, ...], int]]:
        """Unknown, space index and order in time of each slot."""
        return [(u, *self.evolution.split(index)) for u, index in equation.slots]

    def _jacobian(
        self, equation: Equation, points: np.ndarray, normals: np.ndarray | None, times: np.ndarray, slots: Any
    ) -> list[np.ndarray]:
        """The coefficients of slots at points and times: (points, times) each."""
        where, across = self._where(points, normals, times)
        made = equation.jacobian(where, across, self.values, slots)
        return [np.broadcast_to(c, len(where)).reshape(len(points), len(times)) for c in made]

    def _where(
        self, points: np.ndarray, normals: np.ndarray | None, times: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        where = self.evolution.joined(points, times)
        if normals is None:
            return where, None
        across = np.repeat(np.insert(normals, self.evolution.axis, 0.0, axis=1), len(times), axis=0)
        return where, across

    def _leading(
        self, material: int, points: np.ndarray, times: np.ndarray, now: Any
    ) -> list[tuple[dict[int, np.ndarray], dict[int, np.ndarray], np.ndarray]]:
        """For each equation A (3, points, times) and b (2, ..) by unknown, b without the slope of A, and the sign with
        which its own time derivative stands in it. `now` has the values of slots, for what is not linear."""
        reach = STEP * float(np.ptp(self.space.rule.points, axis=0).max())  # type: ignore[union-attr]
        found = []
        for s in self.evolution.equations[material]:
            e, mine = s.equation, self._slots(s.equation)
            slots = None if e.linear or now is None else [now(u, k, order) for u, k, order in mine]
            varying = any(c.free_symbols & set(self.evolution.problem.coordinates) for c in e.coefficients_symbolic)
            factors = self._jacobian(e, points, None, times, slots)
            a: dict[int, Any] = {}
            b: dict[int, Any] = {}
            sign = np.zeros((len(points), len(times)))
            for (u, k, order), c in zip(mine, factors, strict=True):
                if order:
                    sign = sign + np.sign(c)
                elif sum(k) == 2:
                    a[u] = a.get(u, 0.0) + np.multiply.outer(np.array(SECOND[k]), c)
                elif sum(k) == 1:
                    b[u] = b.get(u, 0.0) + np.multiply.outer(np.array(k, dtype=float), c)
            if varying and a and b:
                for axis in (0, 1):
                    shift = reach * np.eye(2)[axis]
                    both = [self._jacobian(e, points + d, None, times, slots) for d in (shift, -shift)]
                    for (u, k, order), high, low in zip(mine, *both, strict=True):
                        if not order and sum(k) == 2:
                            slope = (high - low) / (2 * reach)
                            along = np.array(SECOND[k])[[axis, axis + 1]]
                            b[u] = b.get(u, np.zeros((2, *slope.shape))) - np.multiply.outer(along, slope)
            found.append((a, b, np.sign(sign)))
        return found

    def _now(self, s: Any, nodes: CellNodes, side: str) -> Any:
        """The values of slots at nodes; None without an iterate."""
        if s is None or self.evolution.linear:
            return None

        def values(u: int, k: tuple[int, int], order: int) -> Any:
            if k not in nodes.made:
                return np.zeros(len(nodes) * self.stages.count)
            return (nodes.matrix((k, side)) @ s[order][:, u].T).ravel()

        return values

    # -- parts -------------------------------------------------------------------------------------------------------
    def _parts(self, s: Any, times: np.ndarray) -> tuple[list[TestedPart], list[WeakEntry]]:
        parts: list[TestedPart] = []
        entries: list[WeakEntry] = []
        for m, nodes in enumerate(self.inside):
            for row, statement in enumerate(self.evolution.equations[m]):
                slots = [(u, order, (k, "first")) for u, k, order in self._slots(statement.equation)]
                tests: list[tuple[int, Key, np.ndarray]] = [(row, (VALUE, "first"), nodes.edges.weights[:, None])]
                parts.append(TestedPart(statement.equation, nodes, None, slots, tests))
        for m, nodes in enumerate(self.lines):
            entries += self._between(m, nodes, s, times)
        for number, m, nodes in self.rims:
            statement = self.evolution.walls[number].statements[m]
            parts.append(self._on_wall(statement.equation, m, nodes, s, times))
        for pair, nodes in self.joins:
            parts += self._across(pair, nodes, times)
        return parts, entries

    def _between(self, m: int, nodes: CellNodes, s: Any, times: np.ndarray) -> list[WeakEntry]:
        """Jumps within a material."""
        edges = nodes.edges
        if not len(nodes):
            return []
        n, w = edges.normals.T[:, :, None], edges.weights[:, None]
        steep = 0.5 * PENALTY * (self.steep[edges.first] + self.steep[edges.second])[:, None]
        found = []
        for row, (a, b, sign) in enumerate(self._leading(m, edges.points, times, self._now(s, nodes, "mean"))):
            for u in sorted({*a, *b}):
                penalty = np.zeros_like(sign)
                if u in a:
                    flux = a[u][:2] * n[0] + a[u][1:] * n[1]
                    penalty = -w * steep * np.sum(flux * n, axis=0)
                    for axis, k in enumerate((BY_X, BY_Y)):
                        found.append(WeakEntry(row, u, 0, nodes, (VALUE, "mean"), -w * flux[axis], (k, "jump")))
                        found.append(WeakEntry(row, u, 0, nodes, (k, "mean"), w * flux[axis], (VALUE, "jump")))
                if u in b:
                    carried = np.sum(b[u] * n, axis=0)
                    found.append(WeakEntry(row, u, 0, nodes, (VALUE, "mean"), -w * carried, (VALUE, "jump")))
                    if self._moves(m, row, u):
                        penalty = penalty + 0.5 * w * sign * np.abs(carried)
                found.append(WeakEntry(row, u, 0, nodes, (VALUE, "jump"), penalty, (VALUE, "jump")))
        return found

    def _moves(self, m: int, row: int, unknown: int) -> bool:
        """Whether an equation has a time derivative of an unknown."""
        slots = self._slots(self.evolution.equations[m][row].equation)
        return any(u == unknown and order for u, _, order in slots)

    def _on_wall(self, equation: Equation, m: int, nodes: CellNodes, s: Any, times: np.ndarray) -> TestedPart:
        """A condition on the boundary: a flux in place of the one that the equation has, or values."""
        edges = nodes.edges
        n, w = edges.normals.T[:, :, None], edges.weights[:, None]
        mine = self._slots(equation)
        now = self._now(s, nodes, "first")
        slots = None if equation.linear or now is None else [now(*slot) for slot in mine]
        factors = self._jacobian(equation, edges.points, edges.normals, times, slots)
        owner = max(mine, key=lambda slot: (sum(slot[1]), -slot[2]))[0]
        beta, gamma = (np.zeros((len(w), len(times))) for _ in range(2))
        for (u, k, order), c in zip(mine, factors, strict=True):
            if u == owner and sum(k) == 1 and not order:
                beta += c * n[k[1]]
            elif u == owner and not any(k) and not order:
                gamma += c
        natural = any(sum(k) == 1 for _, k, _ in mine)
        if np.abs(beta if natural else gamma).min() <= SAME:
            raise UnresolvedCellsError(f"The condition '{equation.text}' has no flux through its wall, and no value.")
        tests: list[tuple[int, Key, np.ndarray]] = []
        steep = 2.0 * PENALTY * self.steep[edges.first][:, None]
        for row, (a, b, sign) in enumerate(self._leading(m, edges.points, times, now)):
            value = np.zeros_like(beta)
            if owner in a:
                flux = a[owner][:2] * n[0] + a[owner][1:] * n[1]
                normal = np.sum(flux * n, axis=0)
                value = -w * normal / beta if natural else -w * steep * normal / gamma
                if not natural:
                    for axis, k in enumerate((BY_X, BY_Y)):
                        tests.append((row, (k, "first"), w * flux[axis] / gamma))
            if owner in b and not natural:
                carried = np.sum(b[owner] * n, axis=0)
                if self._moves(m, row, owner):
                    carried = np.where(sign * carried < 0, carried, 0.0)
                value = value - w * carried / gamma
            tests.append((row, (VALUE, "first"), value))
        kept = [(u, order, (k, "first")) for u, k, order in mine]
        return TestedPart(equation, nodes, edges.normals, kept, [t for t in tests if np.any(t[2])])

    def _across(self, pair: tuple[int, int], nodes: CellNodes, times: np.ndarray) -> list[TestedPart]:
        """What holds across an interface, for each unknown: two fluxes, or a jump of values and one of fluxes."""
        edges, sides = nodes.edges, ("first", "second")
        n, w, count = edges.normals.T[:, :, None], edges.weights[:, None], self.unknowns
        known = [self._leading(m, edges.points, times, None) for m in pair]
        found = []
        for u in range(count):
            some = [s.equation for s in self.evolution.across[pair] if {v % count for v, _ in s.equation.slots} == {u}]
            row = next(r for r, (a, _, _) in enumerate(known[0]) if u in a)
            flux = [a[row][0][u][:2] * n[0] + a[row][0][u][1:] * n[1] for a in known]
            kappa = [np.sum(f * n, axis=0) for f in flux]
            steep = [self.steep[c][:, None] for c in (edges.first, edges.second)]
            beta = np.zeros((2, 2, len(w), len(times)))
            gamma = np.zeros((2, 2, len(w), len(times)))
            for r, equation in enumerate(some):
                factors = self._jacobian(equation, edges.points, edges.normals, times, None)
                for (v, k, _), c in zip(self._slots(equation), factors, strict=True):
                    if sum(k) == 1:
                        beta[r, v // count] += c * n[k[1]]
                    elif not any(k):
                        gamma[r, v // count] += c
            slots = [
                [(v % count, order, (k, sides[v // count])) for v, k, order in self._slots(equation)]
                for equation in some
            ]
            tests: list[list[tuple[int, Key, np.ndarray]]] = [[], []]
            plain = [not np.any(beta[r]) for r in (0, 1)]
            if any(plain):
                v, f = (0, 1) if plain[0] else (1, 0)
                # The second equation times theta has the flux that balances that of the first.
                theta = -kappa[0] * beta[f, 1] / (beta[f, 0] * kappa[1])
                total = kappa[0] + theta * kappa[1]
                share = [theta * kappa[1] / total, kappa[0] / total]
                jump, balance = 1.0 / gamma[v, 0], kappa[0] / beta[f, 0]
                penalty = 2.0 * PENALTY * (share[0] ** 2 * kappa[0] * steep[0]
                                           + share[1] ** 2 * theta * kappa[1] * steep[1])  # fmt: skip
                for side, sign in ((0, 1.0), (1, -1.0)):
                    own = 1.0 if side == 0 else 1.0 / theta
                    tests[f].append((row, (VALUE, sides[side]), -w * own * share[1 - side] * balance))
                    tests[v].append((row, (VALUE, sides[side]), -w * own * sign * penalty * jump))
                    for axis, k in enumerate((BY_X, BY_Y)):
                        tests[v].append((row, (k, sides[side]), w * share[side] * flux[side][axis] * jump))
            else:
                determinant = beta[0, 0] * beta[1, 1] - beta[0, 1] * beta[1, 0]
                tests[0].append((row, (VALUE, sides[0]), -w * kappa[0] * beta[1, 1] / determinant))
                tests[1].append((row, (VALUE, sides[0]), w * kappa[0] * beta[0, 1] / determinant))
                tests[0].append((row, (VALUE, sides[1]), -w * kappa[1] * beta[1, 0] / determinant))
                tests[1].append((row, (VALUE, sides[1]), w * kappa[1] * beta[0, 0] / determinant))
            found += [TestedPart(e, nodes, edges.normals, s, t) for e, s, t in zip(some, slots, tests, strict=True)]
        return found

    # -- rows --------------------------------------------------------------------------------------------------------
    def _entries(self, s: Any, times: np.ndarray) -> tuple[list[TestedPart], list[WeakEntry]]:
        """All parts, and all that is linear or linearised in them."""
        parts, entries = self._parts(s, times)
        for part in parts:
            now = None if part.equation.linear else self._values(part, s)
            factors = self._jacobian(part.equation, part.nodes.edges.points, part.normals, times, now)
            for (u, order, right), c in zip(part.slots, factors, strict=True):
                if np.any(c):
                    entries += [
                        WeakEntry(row, u, order, part.nodes, left, weight * c, right)
                        for row, left, weight in part.tests
                    ]
        return parts, entries

    @staticmethod
    def _values(part: TestedPart, s: Any) -> list[np.ndarray] | None:
        if s is None:
            return None
        return [(part.nodes.matrix(key) @ s[order][:, u].T).ravel() for u, order, key in part.slots]

    def _summed(self, entries: Sequence[WeakEntry]) -> list[Any]:
        """B_0, B_1, ..., with coefficients that are the mean of those at all stages."""
        kept: dict[Any, list[WeakEntry]] = {}
        for e in entries:
            kept.setdefault((e.order, e.row, e.unknown, id(e.nodes), e.left), []).append(e)
        blocks: dict[tuple[int, int, int], Blocks] = {}
        for (order, row, unknown, _, left), some in kept.items():
            rights = [(e.weight.mean(axis=1), e.right) for e in some]
            some[0].nodes.add_product(left, rights, blocks.setdefault((order, row, unknown), {}))
        return [
            sparse.block_array([
                [from_blocks(blocks.get((k, i, j), {}), self.space.functions) for j in range(self.unknowns)]
                for i in range(self.unknowns)
            ]).tocsc()
            for k in range(self.highest + 1)
        ]  # fmt: skip

    @cached_property
    def _steady(self) -> tuple[list[TestedPart], list[Any]]:
        parts, entries = self._entries(None, np.array([self.evolution.start]))
        return parts, self._summed(entries)

    def _loads(self, parts: Sequence[TestedPart], s: Any, times: np.ndarray) -> np.ndarray:
        """Statements at an iterate, or without one, tested: (stages, unknowns, columns)."""
        found = np.zeros((len(times), self.unknowns, self.columns))
        for part in parts:
            where, across = self._where(part.nodes.edges.points, part.normals, times)
            value = part.equation.residual(where, across, self.values, self._values(part, s))
            value = value.reshape(len(part.nodes), len(times))
            if np.any(value):
                for row, left, weight in part.tests:
                    found[:, row] += (part.nodes.matrix(left).T @ (weight * value)).T
        return found

    @cached_property
    def _load(self) -> np.ndarray:
        return self._loads(self._steady[0], None, np.array([self.evolution.start]))

    def residual(self, s: list[np.ndarray], times: np.ndarray) -> np.ndarray:
        flat = [u.reshape(len(u), -1) for u in s]
        if self.still:
            parts, matrices = self._steady
            load = self._loads(parts, None, times) if self.evolution.driven else self._load
            total = sum((m @ u.T).T for m, u in zip(matrices, flat, strict=False))
            return np.asarray(total + load.reshape(len(load), -1))
        parts, entries = self._parts(s, times)
        found = self._loads(parts, s, times)
        self._apply(entries, s, found)
        return found.reshape(len(times), -1)

    @staticmethod
    def _apply(entries: Sequence[WeakEntry], s: list[np.ndarray], out: np.ndarray) -> None:
        for e in entries:
            value = e.weight * (e.nodes.matrix(e.right) @ s[e.order][:, e.unknown].T)
            out[:, e.row] += (e.nodes.matrix(e.left).T @ value).T

    def coefficients(self, s: list[np.ndarray], times: np.ndarray) -> Any:
        return None if self.still else self._entries(s, times)[1]

    def linear(self, coefficients: Any, s: list[np.ndarray]) -> np.ndarray:
        if self.still:
            flat = [u.reshape(len(u), -1) for u in s]
            return np.asarray(sum((m @ u.T).T for m, u in zip(self._steady[1], flat, strict=False)))
        out = np.zeros((len(s[0]), self.unknowns, self.columns))
        self._apply(coefficients, s, out)
        return out.reshape(len(out), -1)

    renewed = coupled = False

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Factors:
        matrices = self._steady[1] if self.still else self._summed(self._entries(s, times)[1])
        upper = np.flatnonzero(self.stages.values.imag >= 0)
        parts = []
        for i in upper:
            z = self.stages.values[i] / tau
            z = z.real if abs(z.imag) < ROUNDED * abs(z) else z
            parts.append(inverse(sum(z**k * m for k, m in enumerate(matrices))))
        return Factors(self.stages, parts, upper, self.still)
