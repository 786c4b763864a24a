"""Read-only arrays, nearest points, and sizes that are safe to divide by."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.errors import TransnetError

FLOAT = 8
"""Bytes of a number."""
LARGEST = 2**31
"""Bytes that one request may take, whatever the machine has: what is asked for beyond it is a slip, or an attack."""
KEPT = 31 * 2**20
"""Bytes that are taken and given back once: glibc then keeps what smaller arrays leave for the next ones, instead of
returning it to the system after each solve, whose page faults took a fifth of the time of small ones."""
NEGLIGIBLE = 1e-6
"""An unknown smaller than this part of the largest is negligible: it is not resolved relative to itself."""

np.empty(KEPT, dtype=np.uint8)


def constant(values: Any, dtype: Any = float) -> np.ndarray:
    """A read-only copy of values: later changes of the original do not affect it.

    Memory-mapped arrays stay in their file.
    """
    if isinstance(values, np.memmap) and values.dtype == dtype and not values.flags.writeable:
        return values
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def check_room(count: float, each: int, what: str) -> None:
    """Refuse what would take too much memory, before it is taken: a number of things of some bytes each."""
    if count * each > LARGEST:
        raise TransnetError(
            f"{what} would take {count * each / 1e9:.3g} GB of memory; at most {LARGEST / 1e9:.2g} GB are taken at "
            f"once. Ask for less."
        )


def detached(values: Any) -> Any:
    """What a tensor holds, as an array, whether or not gradients are wanted of it; anything else as it is."""
    if not (hasattr(values, "detach") and hasattr(values, "cpu")):
        return values
    try:
        return values.detach().cpu().numpy()
    except (TypeError, RuntimeError) as error:  # without data, sparse, or of a type that NumPy does not have
        raise TransnetError(
            f"The values of a tensor cannot be read: {error} Pass tensor.double() on the CPU."
        ) from None


def unwritable(values: Any) -> np.ndarray:
    """A read-only view of an array: a function that is given it cannot change what others read."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view


def nearest(points: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each point the distance to the nearest of a few others, and its number.

    Meant for at most a few thousand of them: SciPy's trees are then faster only if they are already imported.
    """
    number = np.argmin(np.sum(others**2, axis=1) - 2.0 * (points @ others.T), axis=1)
    return np.linalg.norm(points - others[number], axis=1), number


def floored(sizes: np.ndarray, part: float = NEGLIGIBLE) -> np.ndarray:
    """The sizes of unknowns (u, ...) to divide by: one that is zero, or nearly, is replaced by the largest."""
    largest = sizes.max(axis=0, initial=0.0)
    return np.maximum(sizes, np.where(largest > 0, part * largest, 1.0))
