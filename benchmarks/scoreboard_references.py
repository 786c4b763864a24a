"""Compute the references of the scoreboard that are no formulas, by methods other than ours, and keep them with how.

`python benchmarks/scoreboard_references.py` writes benchmarks/scoreboard_references.json; names select a few, and the
others stay. Needs NGSolve. Each reference is computed twice, the second time coarser: `uncertainty` is the relative
difference.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from references import chebyshev, elements, flows, fourier, solids

KEPT = Path(__file__).with_name("scoreboard_references.json")
DIGITS = 12
"""Digits in the file: two more than the best reference has."""

FOURIER = "Fourier series with {0} points and {1} steps of an exponential Runge-Kutta method of fourth order"
TORUS = "Fourier series with {0} x {0} points and {1} steps of an exponential Runge-Kutta method of fourth order"
TAYLOR_HOOD = "Taylor and Hood's finite elements of degree {0} on curved triangles of width {1} (NGSolve)"
CAVITY = "Taylor and Hood's elements of degree {0} on {1} x {1} graded squares (NGSolve)"
CHEBYSHEV = "Chebyshev collocation with {0} x {0} points, exact in time"
ELEMENTS = "finite elements of degree {0} on curved triangles of width {1} (NGSolve)"
GRADED = "finite elements of degree {0}, triangles halved {1} times towards the corners (NGSolve)"
SQUARES = "finite elements of degree {0}, {1} x {1} squares in each of the 25 (NGSolve)"
WARMED = "finite elements of degree {0} on curved triangles of width {1} (NGSolve), 18 times {2} implicit steps"
CURVED = "finite elements of degree {0} on curved tetrahedra of width {1} (NGSolve)"
HALVED = "Taylor and Hood's elements of degree {0}, triangles of width {1} halved {2} times towards the step (NGSolve)"
BRICKS = "finite elements of degree {0} on bricks, {1} layers that shrink to the edges by 0.15 (NGSolve)"
MADE = {
    "jaxpi_allen_cahn": (fourier.allen_cahn, (9600, 8000), (4800, 4000), FOURIER),
    "jaxpi_kuramoto_sivashinsky": (fourier.sivashinsky_of_jaxpi, (600, 40000), (500, 20000), FOURIER),
    "pinnacle_kuramoto_sivashinsky": (fourier.sivashinsky_of_pinnacle, (600, 40000), (500, 20000), FOURIER),
    "jaxpi_ginzburg_landau": (fourier.ginzburg_landau, (192, 2400), (160, 1600), TORUS),
    "jaxpi_gray_scott": (fourier.gray_scott_of_jaxpi, (192, 8000), (160, 6000), TORUS),
    "pinnacle_gray_scott": (fourier.gray_scott_of_pinnacle, (480, 2000), (384, 1600), TORUS),
    "pinnacle_heat_varying": (chebyshev.heat_varying, (34,), (30,), CHEBYSHEV),
    "pinnacle_wave_medium": (chebyshev.wave_medium, (60,), (52,), CHEBYSHEV.replace("exact", "Dormand and Prince")),
    "jaxpi_navier_stokes_torus": (flows.torus, (128, 4000), (96, 3000), TORUS),
    "jaxpi_stokes": (flows.stokes_cylinder, (9, 0.08), (7, 0.1), TAYLOR_HOOD),
    "pinnacle_lid": (flows.lid, (9, 16), (8, 12), CAVITY),
    "pinnacle_poisson_classic": (elements.classic, (13, 0.05), (11, 0.07), ELEMENTS),
    "pinnacle_poisson_boltzmann": (elements.boltzmann, (13, 0.08), (11, 0.12), ELEMENTS),
    "pinnacle_poisson_areas": (elements.areas, (12, 4), (10, 3), SQUARES),
    "pinnacle_heat_long": (fourier.heat_long, (192, 6000), (160, 4800), TORUS),
    "pinnacle_heat_holes": (solids.heat_holes, (6, 1.2, 24), (5, 1.5, 16), WARMED),
    "pinnacle_poisson_balls": (solids.cube_with_balls, (5, 0.14), (4, 0.14), CURVED),
    "pinnacle_step": (flows.step, (6, 0.35, 14), (5, 0.35, 14), HALVED),
    "jaxpi_cavity": (flows.cavity, (8, 14), (7, 14), CAVITY),
    "fem_fichera": (solids.fichera, (6, 3), (5, 3), BRICKS),
    "pdenneval_l_shape": (elements.l_shape, (9, 44), (8, 40), GRADED),
}


def main() -> None:
    for name in [n for n in MADE if n in sys.argv] or MADE:
        make, fine, coarse, how = MADE[name]
        points, values = make(*fine)
        other = make(*coarse)[1]
        away = float(np.linalg.norm(values - other) / np.linalg.norm(values))
        print(f"{name}: {len(points)} points, {away:.1e}", flush=True)
        made = {
            "how": how.format(*fine), "uncertainty": float(f"{away:.1e}"),
            "points": [[float(f"{c:.{DIGITS}g}") for c in p] for p in points],
            "values": [float(f"{v:.{DIGITS}g}") for v in values],
        }  # fmt: skip
        kept = {**(json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}), name: made}
        text = json.dumps(kept, indent=None, separators=(",", ":")).replace('},"', '},\n"')
        KEPT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
