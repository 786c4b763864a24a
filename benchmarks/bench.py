"""All benchmarks by one command: `python benchmarks/bench.py`, or with `--quick` what fits into two minutes.

Figures are ratios of times measured in the same run, so they carry over between machines better than seconds do. They
go to benchmarks/results.json and, with their tables and the name of the machine, to docs/benchmarks.md. A part that is
not run keeps what it had.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import measure
import report
from report import Part, save

PARTS = {
    "limit": "(a) the limit: bare dgeqrf",
    "lstsq": "(b) other least-squares routines",
    "published": "(c) the published recipe",
    "fastlsq": "(c) FastLSQ",
    "fem": "(c) scikit-fem",
    "deepxde": "(c) DeepXDE",
    "second": "(d) the second solve",
    "scaling": "(e) neurons, rows, workers",
}
QUICK = ("limit", "lstsq", "published", "fastlsq", "fem", "second")


def use_processor_time() -> None:
    """Compare processor times: what other programs do on the machine hardly changes them. One thread for everybody."""
    measure.clock = time.process_time
    report.CLOCK = "processor time"
    try:
        import torch

        torch.set_num_threads(1)
    except ImportError:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="what fits into two minutes")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="some parts only")
    parser.add_argument("--large", action="store_true", help="also 2,000,000 rows x 2000 neurons (about ten minutes)")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall time, on one thread")
    chosen = parser.parse_args()
    if chosen.cpu:
        use_processor_time()
    warnings.simplefilter("ignore")
    names = chosen.only or (QUICK if chosen.quick else tuple(PARTS))
    for name in names:
        begun = time.perf_counter()
        print(f"== {PARTS[name]}", flush=True)
        try:
            module = importlib.import_module(f"parts.{name}")
            options = {"large": True} if chosen.large and name == "scaling" else {}
            part: Part = module.run(quick=chosen.quick, **options)
        except ImportError as error:
            print(f"   skipped: {error}. Install the peers with: pip install 'transnet-pde[bench,bench-deepxde]'")
            continue
        save(name, part)
        print(part.text(), flush=True)
        print(f"   {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
