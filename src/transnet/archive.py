"""Arrays in a NumPy archive (npz) with a list of its contents: sizes are known before anything is read, and a file that
was changed after it was written is refused.

Members are not compressed, so a small file cannot fill the memory, and nothing in them is ever executed.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from transnet.calls import there
from transnet.errors import FileError
from transnet.remember import Guard
from transnet.writing import replacing

LIST = "contents"
"""The member with the list: for every other member its type, its shape and its SHA-256."""
LONGEST_LIST = 4_000_000
"""The most bytes of the list; that of a solution with a hundred pieces has some 100 kB."""
MOST_MEMBERS = 20_000
_parsing = Guard()
"""NumPy reads headers with `ast`, whose depth of recursion CPython 3.11 counts for all threads together."""
KINDS = "biufU"
"""The kinds of arrays that are read: numbers and strings."""
SHORT = 1_000
"""The most bytes of a member that holds one word or number."""


def write(path: Path, kind: str, version: int, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays, the kind of the file and its version, replacing any existing file."""
    members = {"format": np.array(kind), "version": np.array(version)}
    members |= {name: np.asarray(array, order="C") for name, array in arrays.items()}
    listed = {name: _entry(array) for name, array in members.items()}
    content = np.frombuffer(json.dumps(listed).encode(), dtype=np.uint8)
    with replacing(path) as partial, partial.open("wb") as file:
        np.savez(file, **{LIST: content}, **members)  # type: ignore[arg-type]


def _entry(array: np.ndarray) -> list[Any]:
    return [array.dtype.str, list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()]


def read(path: Path, kind: str, version: int, what: str, writer: str) -> dict[str, np.ndarray]:
    """The arrays of a file written by `write`; any other file is refused with the reason.

    Parameters
    ----------
    kind, version
        What the file must declare; newer versions are refused.
    what, writer : str
        Words for errors: "a solution", "solution.save(path)".
    """
    if not there(path.is_file):
        folder = path.parent.glob("*.npz") if there(path.parent.is_dir) else ()
        near = difflib.get_close_matches(path.name, [p.name for p in folder], n=1)
        hint = f" Did you mean '{path.with_name(near[0])}'?" if near else ""
        raise FileError(
            f"There is no file '{path}'.{hint} {what.capitalize()} is written by {writer}, which adds '.npz'."
        )
    if path.suffix.lower() == ".toml":
        raise FileError(f"'{path}' is a problem file, not {what}. Solve it first: transnet solve {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            return _members(archive, path, kind, version, what, writer)
    except FileError:
        raise
    except Exception as reason:  # any error that a foreign file causes in the readers of zip and npy
        raise FileError(
            f"'{path}' cannot be read as {what}: {reason or type(reason).__name__}. It is damaged or not an npz file; "
            f"save it again."
        ) from reason


def _members(
    archive: zipfile.ZipFile, path: Path, kind: str, version: int, what: str, writer: str
) -> dict[str, np.ndarray]:
    infos = archive.infolist()
    size = path.stat().st_size
    if len(infos) > MOST_MEMBERS or sum(info.file_size for info in infos) > size:
        raise FileError(f"'{path}' cannot be read as {what}: its members are larger than the file. Save it again.")
    by_name = {info.filename.removesuffix(".npy"): info for info in infos}
    changed = FileError(
        f"'{path}' is damaged: it was changed after it was written, or not written by transnet. Save it again."
    )
    if len(by_name) != len(infos):
        raise changed
    if "format" not in by_name or str(_array(archive, by_name["format"], SHORT)) != kind:
        raise FileError(f"'{path}' does not hold {what}. Only files written by {writer} can be read.")
    stated = _array(archive, by_name["version"], SHORT) if "version" in by_name else np.zeros(0)
    if stated.shape != () or stated.dtype.kind not in "iu":
        raise FileError(f"'{path}' is damaged: its version is not a number. Save it again.")
    if int(stated) > version:
        raise FileError(
            f"'{path}' was written by a newer version of transnet (format {int(stated)}; this one reads up to "
            f"{version}). Update transnet: pip install -U transnet-pde"
        )
    if LIST not in by_name:
        raise changed
    listed = json.loads(_array(archive, by_name[LIST], LONGEST_LIST).tobytes())
    if set(listed) != set(by_name) - {LIST}:
        raise changed
    found = {}
    for name, entry in listed.items():
        # Read as much of a member as the list says, and no more.
        length = int(np.prod(entry[1], dtype=object)) * np.dtype(entry[0]).itemsize
        found[name] = _array(archive, by_name[name], length)
        if _entry(found[name]) != entry:
            raise changed
    return found


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> np.ndarray:
    """Read a member; its header is checked before memory is allocated for it."""
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"'{info.filename}' is compressed, but transnet writes arrays uncompressed")
    with archive.open(info) as stream:
        shape, fortran, dtype = _header(stream)
        length = int(np.prod(shape, dtype=object)) * dtype.itemsize
        if dtype.hasobject or dtype.kind not in KINDS or length > most or length > info.file_size:
            raise ValueError(f"'{info.filename}' is not an array of numbers of the size it should have")
        raw = stream.read()  # to the end, where zipfile compares the checksum
    if len(raw) != length:
        raise ValueError(f"'{info.filename}' is not as long as its header says")
    return np.frombuffer(raw, dtype=dtype).reshape(shape, order="F" if fortran else "C")


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    version = npy.read_magic(stream)
    with _parsing:
        return npy.read_array_header_1_0(stream) if version == (1, 0) else npy.read_array_header_2_0(stream)
