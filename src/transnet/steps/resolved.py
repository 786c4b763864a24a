"""Whether the cells of a march still resolve its solution, and finer ones where they do not."""

from __future__ import annotations

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cuts.boxes import Boxes
from transnet.cuts.cut import cut_domain
from transnet.cuts.plan import density_of
from transnet.linalg.sizes import rms
from transnet.pieces.estimate import SEEN, mean_of
from transnet.pieces.factored import sides_of
from transnet.pieces.indicate import CURVED, SIZED, Indicated, curvatures, judged_at, steepness_of
from transnet.pieces.refine import refined_boxes
from transnet.steps.level import Moment, StepLevel, Taken
from transnet.tolerances import BESIDE


def indicated(level: StepLevel, taken: Taken) -> Indicated:
    """The indicator of each cell at the last stage of a step: its equations where not fitted, and its faces."""
    cells, system, units = level.cells.cells, taken.operator.system, level.unknowns
    zero, curved = (0,) * level.space.dimension, curvatures(level.space.dimension, units)
    eta, steepness, sizes = np.zeros(level.count), np.zeros((level.count, level.space.dimension)), []
    across: dict[int, np.ndarray] = {}  # the rows of faces, by block
    numbers = taken.operator.numbers(taken.t)
    for k, cell in enumerate(cells):
        frame, scale, equations = system.frames[k], system.scales[k], level.tables.equations[cell.material]
        points, sides = judged_at(cell), [block for _, _, block in sides_of(system, k)]
        # The stage, then what it knew from before: all at the same places, in one evaluation.
        every = np.stack([part[:, level.own(k)].ravel() for part in (taken.stage, *taken.history)], axis=1)
        places = [[_place(level, slot) for slot in e.slots] for e in equations]
        known = iter(
            frame.asked(
                every,
                [
                    *((points, [slot for slot, _ in mine]) for mine in places),
                    *((block.points, block.slots) for block in sides),
                    (cell.inside[:SIZED], [(u, zero) for u in range(units)]),
                    (cell.inside[:CURVED], curved),
                ],
            )
        )
        for i, (equation, mine) in enumerate(zip(equations, places, strict=True)):
            values = [v[:, of] for v, (_, of) in zip(next(known), mine, strict=True)]
            eta[k] = max(eta[k], scale.rows[i] * rms(equation.residual(points, None, numbers, values)))
        for block in sides:
            terms = (np.asarray(c) * v[:, 0] for c, v in zip(block.coefficients, next(known), strict=True))
            across[id(block)] = sum(terms, np.zeros(len(block.points)))
        sizes.append([rms(v[:, 0]) / unit for v, unit in zip(next(known), frame.units, strict=True)])
        steepness[k] = steepness_of(frame, curved, [v[:, 0] for v in next(known)])
    for face, rows in zip(level.cells.faces, system.faces, strict=True):
        energy = (system.scales[face.first].stiffness * system.scales[face.second].stiffness) ** 0.25
        for row in rows:
            gap = across[id(row.first)] + across[id(row.second)] - row.first.right
            worst = float(np.linalg.norm(row.first.honest * gap)) / energy
            eta[[face.first, face.second]] = np.maximum(eta[[face.first, face.second]], worst)
    size = float(np.sqrt(np.mean(np.square(sizes), axis=0)).max()) or 1.0
    return Indicated(eta / size, size, {}, steepness)


def _place(level: StepLevel, slot: Slot) -> tuple[Slot, int]:
    """Where a term of an equation is found: the derivative of an unknown, of the stage (0) or of h_k (k)."""
    u, index = slot
    if u < level.unknowns:
        return slot, 0
    u, k = level.tables.past[u - level.unknowns]
    return (u, index), k + 1


def unresolved(level: StepLevel, taken: Taken, share: float, limit: float) -> Boxes | None:
    """Boxes that are cut where the solution is no longer resolved; None where it is.

    `share` is how large the solution is beside what it has been, `limit` the relative error that may be left.
    """
    found = indicated(level, taken)
    eta = share * found.cells
    if SEEN * mean_of(level.cells, eta) <= limit:
        return None
    return refined_boxes(level.cells, Indicated(eta, found.size, {}, found.steepness), limit)


def on_boxes(level: StepLevel, boxes: Boxes) -> StepLevel:
    """The same evolution with the same features on other cells."""
    cells = cut_domain(level.rothe.elliptic.domain, boxes, density_of(level.space))
    return StepLevel(level.rothe, level.laws, level.values, cells, level.space, level.tol)


def carried(old: StepLevel, new: StepLevel, moment: Moment) -> Moment:
    """A moment in the features of other cells."""
    parts = [*moment.state, *(moment.slopes or ())]
    zero = (0,) * new.space.dimension

    def there(u: int, k: int, points: np.ndarray) -> np.ndarray:
        inner = old.basis.locate(points + BESIDE * (points.mean(axis=0) - points))  # not those beyond a face
        return old.basis.derivatives(parts[k][u], points, [(0, zero)], inner)[0]

    every = [(u, k) for k in range(len(parts)) for u in range(new.unknowns)]
    fitted, depth = new.fitted(there, every, len(parts)), len(moment.state)
    return Moment(moment.t, tuple(fitted[:depth]), None if moment.slopes is None else tuple(fitted[depth:]))
