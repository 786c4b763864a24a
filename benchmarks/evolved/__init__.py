"""Evolutions with references: what slabs of time are measured on.

Each problem is a function that gives the statement, places of space at the last moment and the true values there. The
references are closed forms, Taylor series of forty digits, or Fourier and an exponential integrator whose step was
halved until it changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from .boxes import heat_2d, maxwell, shear_layer, spots, taylor_green, wave_2d
from .domains import plate
from .errors import error_of, sizes_of
from .lines import (
    allen_cahn,
    breather,
    burgers,
    cahn_hilliard,
    call_option,
    heat_slope_jump,
    heat_value_jump,
    ks_22,
    ks_32pi,
    packet,
    solitons,
    wave,
)
from .odes import arenstorf, lorenz, robertson, stiff
from .references import chebyshev, etdrk4, fourier_values, interpolated
from .stated import Evolved

__all__ = [
    "ODES",
    "PROBLEMS",
    "TOLERANCES",
    "Evolved",
    "chebyshev",
    "error_of",
    "etdrk4",
    "fourier_values",
    "interpolated",
    "sizes_of",
]

PROBLEMS: dict[str, Callable[[], Evolved]] = {
    "van der Pol 5": stiff(5, 20),
    "van der Pol 50": stiff(50, 100),
    "van der Pol 1000": stiff(1000, 2000),
    "Lorenz": lorenz,
    "Robertson": robertson,
    "Arenstorf": arenstorf,
    "wave": wave,
    "packet": packet,
    "Burgers": burgers,
    "KdV": solitons,
    "sine-Gordon": breather,
    "Allen-Cahn": allen_cahn,
    "Cahn-Hilliard": cahn_hilliard,
    "KS 22": ks_22,
    "KS 32 pi": ks_32pi,
    "heat, value jump": heat_value_jump,
    "heat, slope jump": heat_slope_jump,
    "call option": call_option,
    "wave 2D": wave_2d,
    "heat 2D": heat_2d,
    "Maxwell 2D": maxwell,
    "Taylor-Green": taylor_green,
    "double shear layer": shear_layer,
    "Gray-Scott": spots,
    "plate, 17 holes": plate,
}
ODES = tuple(PROBLEMS)[:6]
TOLERANCES: dict[str, tuple[float | None, ...]] = {
    **dict.fromkeys(ODES, (1e-3, 1e-6, 1e-9)),
    "KdV": (1e-8,),
    "double shear layer": (1e-3,),
    "Gray-Scott": (1e-2,),
    "plate, 17 holes": (1e-4,),
}
"""Tolerances that are asked for; where there are none, the defaults."""
