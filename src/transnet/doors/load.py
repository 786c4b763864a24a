"""`tn.load`: a solution from its file, whatever its basis."""

from __future__ import annotations

# Each of these registers the reader of its basis.
import transnet.basis.basis
import transnet.basis.outside
import transnet.basis.penetrable
import transnet.basis.slow
import transnet.blocks.basis
import transnet.boxes.basis
import transnet.cells.basis
import transnet.contact.basis
import transnet.cross.basis
import transnet.fronts.times
import transnet.motion.basis
import transnet.motion.phases
import transnet.pieces.basis
import transnet.plane.space
import transnet.reach.basis
import transnet.shocks.basis
import transnet.shocks.system
import transnet.slabs.expansion  # noqa: F401
from transnet.solution.files import load

__all__ = ["load"]
