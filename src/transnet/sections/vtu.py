"""VTU files, the unstructured grids of VTK that ParaView and meshio read: XML with the arrays in base64."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from transnet.sections.simplices import Simplices
from transnet.writing import replacing

CELL_TYPES = {2: 3, 3: 5, 4: 10}
"""VTK's cell types for the line, the triangle and the tetrahedron, by their number of corners."""


def write_vtu(path: Path, cells: Simplices, fields: Mapping[str, np.ndarray]) -> None:
    """Write cells with values at their points.

    VTK's points have three coordinates: missing ones are zero.
    """
    points = np.zeros((len(cells.points), 3))
    points[:, : cells.points.shape[1]] = cells.points
    count, corners = cells.corners.shape
    arrays = [
        "<PointData>",
        *(_array(name, values) for name, values in fields.items()),
        "</PointData>",
        "<Points>",
        _array("Points", points),
        "</Points>",
        "<Cells>",
        _array("connectivity", cells.corners.astype(np.int64).ravel()),
        _array("offsets", corners * np.arange(1, count + 1, dtype=np.int64)),
        _array("types", np.full(count, CELL_TYPES[corners], dtype=np.uint8)),
        "</Cells>",
    ]
    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
        "<UnstructuredGrid>",
        f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{count}">',
        *arrays,
        "</Piece>",
        "</UnstructuredGrid>",
        "</VTKFile>",
    ]
    with replacing(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _array(name: str, values: np.ndarray) -> str:
    kinds = {"f": ("Float64", "<f8"), "i": ("Int64", "<i8"), "u": ("UInt8", "u1")}
    kind, basis = kinds[values.dtype.kind]
    raw = np.ascontiguousarray(values, dtype=basis).tobytes()
    # Each array starts with the number of its bytes.
    text = base64.b64encode(np.array(len(raw), dtype="<u8").tobytes() + raw).decode()
    components = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    return f'<DataArray type="{kind}" Name={quoteattr(name)}{components} format="binary">{text}</DataArray>'


def write_pvd(path: Path, listed: Sequence[tuple[float, str]]) -> None:
    """Write the list of the files of a time series."""
    entries = [f'<DataSet timestep="{moment!r}" part="0" file={quoteattr(name)}/>' for moment, name in listed]
    lines = ['<?xml version="1.0"?>', '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">']
    lines += ["<Collection>", *entries, "</Collection>", "</VTKFile>"]
    with replacing(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
