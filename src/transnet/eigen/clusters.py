"""Values that lie together, and values of similar size."""

from __future__ import annotations

import numpy as np


def clusters_of(values: np.ndarray, distance: float) -> list[np.ndarray]:
    """The indices of values that are within a distance of the first of each cluster."""
    left, found = list(range(len(values))), []
    while left:
        here = [k for k in left if abs(values[k] - values[left[0]]) <= distance]
        found.append(np.array(here))
        left = [k for k in left if k not in here]
    return found


def shift_groups(values: np.ndarray, together: float, spread: float, least: float) -> list[np.ndarray]:
    """The indices of values in groups that share a shift; clusters are never split.

    Parameters
    ----------
    together : float
        The distance of values of one cluster.
    spread : float
        How far the values of a group may be apart, in units of the smallest of their moduli.
    least : float
        The modulus used for values nearer to zero.
    """
    groups: list[np.ndarray] = []
    for cluster in sorted(clusters_of(values, together), key=lambda c: abs(values[c].mean())):
        joined = np.concatenate([groups[-1], cluster]) if groups else cluster
        mine = values[joined]
        wide = float(np.abs(mine[:, None] - mine).max())
        if groups and wide <= spread * max(float(np.abs(mine).min()), least):
            groups[-1] = joined
        else:
            groups.append(cluster)
    return groups
