"""`tn.load`: a solution from its file, whatever kind of basis it has."""

from __future__ import annotations

# Each of these says how its kind of basis is read.
import transnet.cross.basis
import transnet.pieces.basis
import transnet.slabs.expansion  # noqa: F401
from transnet.solution.files import load

__all__ = ["load"]
