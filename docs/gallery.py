"""Run the examples and write the gallery: a page and a picture for each, and the page of tiles.

    python docs/gallery.py [--again]

An example is run again when its file or the library is newer than its picture, or with --again. An example may have a
function `picture(solution)`; otherwise its solution is drawn by `solution.plot()`.
"""

from __future__ import annotations

import html
import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[1]
EXAMPLES, PAGES, TILES = ROOT / "examples", ROOT / "docs" / "gallery", ROOT / "docs" / "_static" / "tiles"

GROUPS = {
    "First steps": [
        "poisson_annulus",
        "fin",
        "sturm_liouville",
        "wave",
        "problem_file",
        "transfer",
        "thousand_poissons",
    ],
    "Elliptic problems": [
        "l_shape",
        "helmholtz",
        "scattering",
        "glass_rods",
        "beside_a_wall",
        "sound_behind_a_ball",
        "lifting_flow",
        "obstacle",
        "american_option",
        "plastic_torsion",
        "stefan",
        "freezing",
        "free_boundary",
        "hele_shaw",
        "buckley_leverett",
        "shock_tube",
        "advection_diffusion",
        "pure_neumann",
        "torus",
        "darcy",
        "measured_data",
    ],
    "Solids and fluids": [
        "plate",
        "crack",
        "plate_with_hole",
        "stokes_bearing",
        "stokes_drag",
        "cylinder",
        "kovasznay",
        "cavity",
    ],
    "Spectra": ["eigenmodes", "quantum_well", "optical_lattice", "photonic_crystal", "grating", "orr_sommerfeld"],
    "Design, control, uncertainty": [
        "best_section",
        "best_drum",
        "best_fin",
        "least_drag",
        "tracking",
        "heated_end",
        "wave_to_rest",
        "uncertain_drum",
        "learnt_closure",
        "fitted_with_jax",
    ],
    "Inverse problems": [
        "rod_sensors",
        "reynolds_number",
        "wave_source",
        "diffusion_field",
        "diffusion_plate",
        "initial_state",
    ],
    "Integrals, delays, many coordinates": ["fredholm", "delay", "six_coordinates"],
    "Materials and pieces": [
        "composite",
        "core_and_shell",
        "chip_on_a_board",
        "solid_bracket",
        "chess_board",
        "perforated_plate",
        "boundary_layer",
        "cylinder_flow",
        "natural_convection",
    ],
    "Time": [
        "heat_flower",
        "drum",
        "burgers_front",
        "vortices",
        "cold_disk",
        "struck_drum",
        "periodic",
        "fokker_planck",
        "linear_kdv",
        "two_solitons",
        "schroedinger",
    ],
    "Three dimensions": ["ball_with_cavity", "stl_body"],
    "Nonlinear": ["bratu", "burgers", "allen_cahn", "klein_gordon", "minimal_surface", "radiation", "gray_scott"],
}
"""What is not named here is appended to the last group, so a new example needs no other change."""
FRAMES = 24
"""Of a film of what moves in the plane; an example that is no film says `STILL = True`."""


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def title_of(module: ModuleType) -> str:
    """The first line of the docstring, up to a colon."""
    title = sentence_of(module).partition(": ")[0].rstrip(".")
    return title.partition(", ")[0] if len(title) > 60 else title


def sentence_of(module: ModuleType) -> str:
    return (module.__doc__ or module.__name__).partition("\n")[0]


def draw(module: ModuleType, solution: Any, name: str) -> list[str]:
    """The pictures of an example, by file name."""
    several = solution if isinstance(solution, dict) else {"": solution}
    files = []
    for label, one in several.items():
        figure = module.picture(one) if hasattr(module, "picture") else one.plot()
        file = f"{name}_{label}.png".replace(" ", "_") if label else f"{name}.png"
        figure.savefig(PAGES / file, dpi=110, bbox_inches="tight")
        if not files:
            tile(figure, TILES / f"{name}.png")
        plt.close(figure.figure)
        files.append(file)
    return files


def tile(figure: Any, path: Path) -> None:
    """The first panel alone, without axes that nobody could read at the size of a tile."""
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    for axes in figure.axes:
        if axes is not panels[0]:
            axes.remove()
    if panels[0].lines:  # a curve keeps the lines of its axes: without them it says nothing
        panels[0].set(xticks=[], yticks=[], xlabel="", ylabel="")
        if panels[0].get_legend():
            panels[0].get_legend().remove()
        for line in panels[0].lines:
            line.set_linewidth(2.5 * line.get_linewidth())
    else:
        panels[0].set_axis_off()
    panels[0].set_title("")
    figure.savefig(path, dpi=80, bbox_inches="tight")


def film(module: ModuleType, solution: Any, name: str) -> list[str]:
    """What moves in the plane as a film, and as a small one that is its tile."""
    coordinates = [c.name for c in getattr(getattr(solution, "problem", None), "coordinates", ())]
    if getattr(module, "STILL", False) or len(coordinates) != 3 or "t" not in coordinates:
        return []
    file = f"{name}.webp"
    moving = solution.animate(getattr(module, "u", None), frames=FRAMES, resolution=50)
    moving.save(PAGES / file, writer="pillow", fps=16, dpi=90)
    figure = moving._fig
    for axes in figure.axes[1:]:
        axes.remove()
    figure.axes[0].set_axis_off()
    figure.axes[0].title.set_visible(False)
    moving.save(TILES / file, writer="pillow", fps=16, dpi=50)
    plt.close(figure)
    return [file]


def mathematics(module: ModuleType) -> str:
    """The problem as the library itself prints it, where that is of a size to read."""
    formula = getattr(getattr(module, "problem", None), "_repr_latex_", lambda: "")()
    formula = formula.strip("$").replace("\\displaystyle ", "")
    return f"$$\n{formula}\n$$\n" if 0 < len(formula) < 900 else ""


def page(name: str, module: ModuleType) -> str:
    """Run an example; gives its page."""
    begun = time.process_time()
    solution, error = module.main()
    seconds = time.process_time() - begun
    files = [*draw(module, solution, name), *film(module, solution, name)]
    # Indented lines of the docstring are formulas in plain text; Markdown shows them as they are.
    body = (module.__doc__ or "").partition("\n")[2].strip("\n")
    one = next(iter(solution.values())) if isinstance(solution, dict) else solution
    one = one if hasattr(one, "report") else one[0]
    (PAGES / f"{name}.number").write_text(f"{error:.1e}")
    pictures = "\n\n".join(f"![{title_of(module)}]({file})" for file in files)
    stated = mathematics(module)
    seen = f"As the library understands it:\n\n{stated}" if stated else ""
    return f"""# {title_of(module)}

{sentence_of(module)}

{body}

{pictures}

**Error {error:.1e}** in {seconds:.1f} s of processor time; the tests hold it below {module.ACCURACY:g}.

{seen}
## The program

`examples/{name}.py`

```{{literalinclude}} ../../examples/{name}.py
:language: python
:start-at: import
```

## What it reports

```text
{one.report()}
```
"""


def main() -> None:
    PAGES.mkdir(exist_ok=True)
    TILES.mkdir(exist_ok=True)
    names = sorted(file.stem for file in EXAMPLES.glob("*.py"))
    groups = {g: [n for n in members if n in names] for g, members in GROUPS.items()}
    groups["Nonlinear"] += [n for n in names if not any(n in members for members in GROUPS.values())]
    library = max(file.stat().st_mtime for file in [*(ROOT / "src").rglob("*.py"), Path(__file__)])
    text = [
        "# Gallery\n\nEvery example is a file of `examples/` that runs as it is; the tests run all and hold each "
        "to its accuracy. The numbers are errors against exact solutions or independent references, not estimates.\n"
    ]
    for group, members in groups.items():
        text.append(f"## {group}\n\n```{{raw}} html\n<div class='tiles'>")
        for name in members:
            module, file = load(name), PAGES / f"{name}.md"
            newest = max(library, (EXAMPLES / f"{name}.py").stat().st_mtime)
            if (
                "--again" in sys.argv
                or not file.exists()
                or not (TILES / f"{name}.png").exists()
                or file.stat().st_mtime < newest
            ):
                print(f"   {name}", flush=True)
                file.write_text(page(name, module))
            error = (PAGES / f"{name}.number").read_text()
            moves = (TILES / f"{name}.webp").exists()
            text.append(
                f"<div class='tile'><a href='{name}.html'>"
                f"<img alt='' src='../_static/tiles/{name}.{'webp' if moves else 'png'}'/>"
                f"<p>{html.escape(title_of(module))} <span class='number'>error&nbsp;{error}</span></p></a></div>"
            )
        text.append("</div>\n```\n")
    listed = "\n".join(n for members in groups.values() for n in members)
    text.append(f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n")
    (PAGES / "index.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
