"""Whether the cells of a march still resolve its solution, and finer ones where they do not."""

from __future__ import annotations

import numpy as np

from transnet.basis.expansion import Slot
from transnet.linalg.sizes import rms
from transnet.pieces.boxes import Boxes
from transnet.pieces.cut import cut_domain
from transnet.pieces.estimate import SEEN, mean_of
from transnet.pieces.indicate import CURVED, FEW, SIZED, Indicated, curvatures, steepness_of
from transnet.pieces.plan import density_of, refined_boxes
from transnet.steps.level import Moment, StepLevel, Taken
from transnet.tolerances import BESIDE


def indicated(level: StepLevel, taken: Taken) -> Indicated:
    """The indicator of each cell at the last stage of a step: its equations where not fitted, and its faces."""
    cells, system, units = level.cells.cells, taken.operator.system, level.unknowns
    zero, curved = (0,) * level.space.dimension, curvatures(level.space.dimension, units)
    eta, steepness, sizes = np.zeros(level.count), np.zeros((level.count, level.space.dimension)), []
    for k, cell in enumerate(cells):
        frame, scale, own = system.frames[k], system.scales[k], taken.stage[:, level.own(k)].ravel()
        points = cell.fresh if len(cell.fresh) >= FEW else cell.inside
        for i, values in enumerate(_residuals(level, taken, k, points)):
            eta[k] = max(eta[k], scale.rows[i] * rms(values))
        found = frame.values(own, cell.inside[:SIZED], [(u, zero) for u in range(units)])
        sizes.append([rms(v) / unit for v, unit in zip(found, frame.units, strict=True)])
        steepness[k] = steepness_of(frame, curved, frame.values(own, cell.inside[:CURVED], curved))
    for face, rows in zip(level.cells.faces, system.faces, strict=True):
        energy = (system.scales[face.first].stiffness * system.scales[face.second].stiffness) ** 0.25
        for row in rows:
            gap = -row.first.right
            for number, block in ((face.first, row.first), (face.second, row.second)):
                own = taken.stage[:, level.own(number)].ravel()
                gap = gap + system.frames[number].applied(own, [block])[0]
            worst = float(np.linalg.norm(row.first.honest * gap)) / energy
            eta[[face.first, face.second]] = np.maximum(eta[[face.first, face.second]], worst)
    size = float(np.sqrt(np.mean(np.square(sizes), axis=0)).max()) or 1.0
    return Indicated(eta / size, size, {}, steepness)


def _residuals(level: StepLevel, taken: Taken, number: int, points: np.ndarray) -> list[np.ndarray]:
    """The equations of a cell with their past at points."""
    tables, frame, own = level.tables, taken.operator.system.frames[number], level.own(number)
    numbers, found = taken.operator.numbers(taken.t), []
    for equation in tables.equations[level.cells.cells[number].material]:
        values: dict[Slot, np.ndarray] = {}
        for slot in equation.slots:
            u, source = slot[0], taken.stage
            if u >= level.unknowns:
                u, k = tables.past[u - level.unknowns]
                source = taken.history[k]
            values[slot] = frame.values(source[:, own].ravel(), points, [(u, slot[1])])[0]
        found.append(np.asarray(equation.residual(points, None, numbers, [values[s] for s in equation.slots])))
    return found


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
