"""Feature spaces in files: plain NumPy archives (npz), without pickle, so that a file from elsewhere runs no code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from transnet import archive
from transnet.calls import file_path
from transnet.errors import FileError
from transnet.features.activation import ACTIVATIONS, activation
from transnet.features.layers import Layer
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.writing import target

FORMAT = "transnet.FeatureSpace"
VERSION = 1
"""The version of the format: increased when older readers would misread a file."""


def save_space(space: FeatureSpace, path: str | Path) -> Path:
    """Write a space to a file and return its path, which ends in `.npz`.

    The file is written under a temporary name and renamed when it is complete, so that an interruption leaves no
    half-written file.
    """
    if space.activation.name not in ACTIVATIONS:
        raise FileError(
            f"A space with the activation '{space.activation.name}' cannot be saved: a file holds no code. Those that "
            f"can are: {', '.join(ACTIVATIONS)}."
        )
    path = target(path, ".npz")
    arrays = {
        "weights": space.weights,
        "biases": space.biases,
        "activation": np.array(space.activation.name),
        "radius": np.array(float(space.radius)),
        "singular": space.singular.table,
    }
    arrays |= stored_layers(space.inner)
    archive.write(path, FORMAT, VERSION, arrays)
    return path


def load_space(path: str | Path) -> FeatureSpace:
    """Read a space that `save_space` wrote; any other file is refused with a clear message."""
    path = file_path(path)
    stored = archive.read(path, FORMAT, VERSION, "a feature space", "space.save(path)")
    missing = [k for k in ("weights", "biases", "activation", "radius") if k not in stored]
    if missing:
        raise FileError(f"'{path}' is damaged: it lacks {', '.join(missing)}. Save the space again.")
    try:
        which = activation(str(stored["activation"]))
        singular = Singular(stored["singular"]) if "singular" in stored else Singular()
        radius = _number(stored, "radius", path)
        return FeatureSpace(stored["weights"], stored["biases"], which, radius, singular, read_layers(stored))
    except Exception as reason:  # any error that inconsistent contents lead to
        raise FileError(f"'{path}' is damaged: {reason}") from reason


def stored_layers(layers: Sequence[Layer], prefix: str = "") -> dict[str, np.ndarray]:
    """The arrays of hidden layers, by name."""
    found = {}
    for k, layer in enumerate(layers):
        found[f"{prefix}layer_{k}_weights"], found[f"{prefix}layer_{k}_biases"] = layer.weights, layer.biases
        found[f"{prefix}layer_{k}_activation"] = np.array(layer.activation.name)
    return found


def read_layers(stored: Mapping[str, np.ndarray], prefix: str = "") -> tuple[Layer, ...]:
    """The hidden layers that `stored_layers` wrote."""
    found: list[Layer] = []
    while f"{prefix}layer_{len(found)}_weights" in stored:
        name = f"{prefix}layer_{len(found)}"
        weights, biases = stored[f"{name}_weights"], stored[f"{name}_biases"]
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            raise ValueError("the weights of a hidden layer are not finite")
        found.append(Layer(weights, biases, activation(str(stored[f"{name}_activation"]))))
    return tuple(found)


def _number(stored: dict[str, np.ndarray], name: str, path: Path) -> float:
    value = stored.get(name)
    if value is None or value.shape != () or value.dtype.kind not in "iuf":
        raise FileError(f"'{path}' is damaged: its {name} is not a number. Save the space again.")
    return float(value)
