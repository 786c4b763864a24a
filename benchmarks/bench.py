"""All benchmarks by one command: `python benchmarks/bench.py`, or with `--quick` what fits into two minutes.

Figures are ratios of times measured in the same run, so they carry over between machines better than seconds do. They
go to benchmarks/results.json and, with their tables and the name of the machine, to docs/benchmarks.md. A part that is
not run keeps what it had. Everybody runs on the same number of threads, one unless `--threads` says otherwise: that is
what most of the peers use, and small problems gain nothing from more.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

PARTS = {
    "limit": "(a) the limit: bare dgeqrf",
    "lstsq": "(b) other least-squares routines",
    "published": "(c) the published recipe",
    "fastlsq": "(c) FastLSQ",
    "highorder": "(c) NGSolve",
    "fem": "(c) scikit-fem",
    "deepxde": "(c) DeepXDE",
    "steppers": "(c) steppers for evolutions",
    "second": "(d) the second solve",
    "scaling": "(e) neurons, rows, workers",
}
QUICK = ("limit", "highorder", "second")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="what fits into two minutes")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="some parts only")
    parser.add_argument("--threads", type=int, default=1, help="of BLAS and PyTorch, for everybody (default: 1)")
    parser.add_argument("--small", action="store_true", help="leave out 2,000,000 rows x 2000 neurons (ten minutes)")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall time, on one thread")
    return parser.parse_args()


def use_threads(number: int) -> None:
    """The same number of threads for NumPy, SciPy and PyTorch; BLAS reads it when it is loaded, so this comes first."""
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = str(number)
    try:
        import torch

        torch.set_num_threads(number)
    except ImportError:
        pass


def main() -> None:
    chosen = arguments()
    use_threads(1 if chosen.cpu else chosen.threads)
    measure, report = importlib.import_module("measure"), importlib.import_module("report")
    if chosen.cpu:
        # What other programs do on the machine hardly changes processor times.
        measure.clock, report.CLOCK = time.process_time, "processor time"
    warnings.simplefilter("ignore")
    failed = []
    for name in chosen.only or (QUICK if chosen.quick else tuple(PARTS)):
        begun = time.perf_counter()
        print(f"== {PARTS[name]}", flush=True)
        try:
            module = importlib.import_module(f"parts.{name}")
        except ImportError as error:
            print(f"   skipped: {error}. Install the peers with: pip install 'transnet-pde[bench,bench-deepxde]'")
            continue
        try:
            part = module.run(quick=chosen.quick, **({"large": not chosen.small} if name == "scaling" else {}))
        except Exception:
            # The other parts take half an hour and do not depend on this one.
            traceback.print_exc()
            failed.append(name)
            continue
        report.save(name, part, merge=chosen.quick)
        print(part.text(), flush=True)
        print(f"   {time.perf_counter() - begun:.0f} s", flush=True)
    if failed:
        sys.exit(f"Failed, and left as they were: {', '.join(failed)}")


if __name__ == "__main__":
    main()
