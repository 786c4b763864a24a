"""Reduced cells carried over from an earlier linearisation, which are as good as new ones.

The rows J u = J u_0 - F(u_0) of Newton's iteration converge to the same solution whatever the J: with that of an
earlier iterate every step is a little worse and costs next to nothing. On a finer cut, cells that were not cut, and
whose neighbours were not, keep their rows and reductions as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from transnet.pieces.cells import Cells
from transnet.pieces.factored import Factored
from transnet.pieces.local import Reduced, RowBlock
from transnet.pieces.sheet import State
from transnet.pieces.system import CellSystem


def with_earlier_rows(
    kept: CellSystem, system: CellSystem, state: State, members: Sequence[int] | None = None
) -> CellSystem:
    """The rows of an earlier system for some cells (or all), with right-hand sides J u_0 - F(u_0) at a state."""
    local = list(system.local)
    for k in range(len(local)) if members is None else members:
        blocks = []
        for (label, a), (_, b) in zip(kept.local[k], system.local[k], strict=True):
            moved = [(slot, p - q) for slot, p, q in zip(a.slots, a.coefficients, b.coefficients, strict=True)]
            moved = [(slot, c) for slot, c in moved if np.any(c)]
            slots = [slot for slot, _ in moved]
            values = state.values(k, system.cells.cells[k], a.points, slots) if moved else []
            right = b.right + sum((c * v for (_, c), v in zip(moved, values, strict=True)), np.zeros(len(b.right)))
            blocks.append((label, replace(a, right=right)))
        local[k] = blocks
    return replace(system, local=local, frames=kept.frames, scales=kept.scales, faces=kept.faces)


def carried_over(earlier: Factored, system: CellSystem, state: State) -> tuple[CellSystem, dict[int, Reduced]]:
    """A system that takes rows and reductions from an earlier one where both have the same cell."""
    before = {_outline(earlier.system.cells, k): k for k in range(len(earlier.system.cells.cells))}
    same = {k: before[key] for k in range(len(system.local)) if (key := _outline(system.cells, k)) in before}
    same = {k: old for k, old in same.items() if _fits(earlier.system.local[old], system.local[k])}
    if not same:
        return system, {}
    kept = replace(
        system,
        local=list(system.local),
        frames=list(system.frames),
        scales=list(system.scales),
        faces=list(system.faces),
    )
    for k, old in same.items():
        kept.local[k], kept.frames[k], kept.scales[k] = (
            earlier.system.local[old],
            earlier.system.frames[old],
            earlier.system.scales[old],
        )
        for new_face, old_face in zip(_faces(system.cells, k), _faces(earlier.system.cells, old), strict=True):
            kept.faces[new_face] = earlier.system.faces[old_face]
    reduced = {k: earlier.reduced[old] for k, old in same.items()}
    return with_earlier_rows(kept, system, state, list(same)), reduced


def _faces(cells: Cells, cell: int) -> list[int]:
    return list(dict.fromkeys(cells.cells[cell].faces))


def _outline(cells: Cells, cell: int) -> bytes:
    """Equal for cells with the same points inside, on the boundary and on faces."""
    digest = hashlib.blake2b()
    mine = cells.cells[cell]
    digest.update(np.concatenate([mine.centre, mine.half, [mine.material, len(mine.singular)]]).tobytes())
    digest.update(mine.inside.tobytes())
    for stretch in mine.rims:
        digest.update(str(stretch.owner).encode() + stretch.points.tobytes())
    for k in _faces(cells, cell):
        face = cells.faces[k]
        digest.update(f"{face.axis}{face.first == cell}{face.second == cell}{face.share:.6g}".encode())
        digest.update(face.points.tobytes())
    return digest.digest()


def _fits(old: Sequence[tuple[str, RowBlock]], new: Sequence[tuple[str, RowBlock]]) -> bool:
    """Whether the blocks of a cell have the same rows."""
    if len(old) != len(new):
        return False
    pairs = zip(old, new, strict=True)
    return all(a == b and p.slots == q.slots and len(p.points) == len(q.points) for (a, p), (b, q) in pairs)
