"""Parts of SciPy and other libraries that are slow to import and needed by only some programs."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

from transnet.interrupts import undisturbed


class Later:
    """A module that is imported on first use.

    Parameters
    ----------
    name : str
        Its name, such as "scipy.spatial".
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(undisturbed(partial(importlib.import_module, self._name)), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import scipy.sparse.linalg as sparse_linalg
    import shapely
    from scipy import linalg, optimize, sparse, spatial, special, stats
else:
    linalg = Later("scipy.linalg")
    optimize = Later("scipy.optimize")
    shapely = Later("shapely")
    sparse = Later("scipy.sparse")
    sparse_linalg = Later("scipy.sparse.linalg")
    spatial = Later("scipy.spatial")
    special = Later("scipy.special")
    stats = Later("scipy.stats")

__all__ = ["linalg", "optimize", "shapely", "sparse", "sparse_linalg", "spatial", "special", "stats"]
