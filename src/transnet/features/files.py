"""Feature spaces in files: plain NumPy archives (npz), without pickle, so that a file from elsewhere runs no code."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np

from transnet.calls import file_path
from transnet.errors import FileError
from transnet.features.activation import ACTIVATIONS, activation
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace

FORMAT = "transnet.FeatureSpace"
VERSION = 1


def save_space(space: FeatureSpace, path: str | Path) -> Path:
    """Write a space to a file, and give its path, which ends in `.npz`.

    The file is written beside its place and moved there when it is complete, so that an interruption leaves no half.
    """
    if space.activation.name not in ACTIVATIONS:
        raise FileError(
            f"A space with the activation '{space.activation.name}' cannot be saved: a file holds no code. Those that "
            f"can are: {', '.join(ACTIVATIONS)}."
        )
    path = file_path(path)
    path = path if path.suffix == ".npz" else path.with_name(path.name + ".npz")
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        np.savez(
            file,
            format=np.array(FORMAT),
            version=np.array(VERSION),
            weights=space.weights,
            biases=space.biases,
            activation=np.array(space.activation.name),
            radius=np.array(float(space.radius)),
            singular=space.singular.table,
        )
    partial.replace(path)
    return path


def load_space(path: str | Path) -> FeatureSpace:
    """Read a space that `save_space` wrote; refused with a clear text if the file is not one."""
    path = file_path(path)
    if not path.exists():
        raise FileError(f"There is no file '{path}'. Spaces are written by space.save(path), which adds '.npz'.")
    try:
        archive = np.load(path, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            return _space_of({}, path)
        with archive:
            stored = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error) as reason:
        raise FileError(
            f"'{path}' cannot be read as a feature space: {reason}. It is damaged or not an npz file; save it again."
        ) from reason
    return _space_of(stored, path)


def _space_of(stored: dict[str, np.ndarray], path: Path) -> FeatureSpace:
    if "format" not in stored or str(stored["format"]) != FORMAT:
        raise FileError(f"'{path}' does not hold a feature space. FeatureSpace.load reads what space.save(path) wrote.")
    version = _number(stored, "version", path)
    if version > VERSION:
        raise FileError(
            f"'{path}' was written by a newer version of transnet (format {version:g}; this one reads up to "
            f"{VERSION}). Update transnet: pip install -U transnet-pde"
        )
    missing = [k for k in ("weights", "biases", "activation", "radius") if k not in stored]
    if missing:
        raise FileError(f"'{path}' is damaged: it lacks {', '.join(missing)}. Save the space again.")
    try:
        which = activation(str(stored["activation"]))
        singular = Singular(stored["singular"]) if "singular" in stored else Singular()
        return FeatureSpace(stored["weights"], stored["biases"], which, _number(stored, "radius", path), singular)
    except (ValueError, TypeError) as reason:
        raise FileError(f"'{path}' is damaged: {reason}") from reason


def _number(stored: dict[str, np.ndarray], name: str, path: Path) -> float:
    value = stored.get(name)
    if value is None or value.shape != () or value.dtype.kind not in "iuf":
        raise FileError(f"'{path}' is damaged: its {name} is not a number. Save the space again.")
    return float(value)
