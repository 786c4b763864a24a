"""Equations by the names that engineers know them by: what holds in the body, the quantities, the usual conditions.

Each function returns a small value of plain SymPy: `equations` for a `tn.Problem`, quantities such as `von_mises` for
results and pictures, and methods such as `fixed(part)` for conditions.
"""

from .elastic import Elasticity, elasticity
from .electric import EPSILON_0, MU_0, Electrostatics, Magnetostatics, electrostatics, magnetostatics
from .flow import Flow, flow
from .heat import Heat, heat
from .waves import Waves, waves

__all__ = [
    "EPSILON_0", "MU_0", "Elasticity", "Electrostatics", "Flow", "Heat", "Magnetostatics", "Waves", "elasticity",
    "electrostatics", "flow", "heat", "magnetostatics", "waves",
]  # fmt: skip
