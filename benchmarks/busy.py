"""What a busy second core does to a small solve with the threads of BLAS as they are by default.

    python benchmarks/busy.py

Three fresh processes solve C1 with 200 neurons: on one thread alone, and with the default threads while a loop keeps a
core busy. Wall time, as that is what waits for a thread that is not scheduled.
"""

from __future__ import annotations

import os
import subprocess
import sys

SOLVE = """
import statistics, time, warnings
import transnet as tn
from transnet.paper.cases import case
warnings.simplefilter("ignore")
problem = case("C1").problem
times = []
for k in range(42):
    fresh = tn.Problem(problem.domain, problem.equations, problem.conditions)
    start = time.perf_counter()
    tn.solve(fresh, neurons=200)
    times.append(1e3 * (time.perf_counter() - start))
times = sorted(times[2:])
print(f"{statistics.median(times):.1f} {times[-1]:.1f}")
"""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def measured(threads: int | None, busy: bool) -> tuple[float, float]:
    """The median and the longest time of a solve, in milliseconds."""
    environment = {k: v for k, v in os.environ.items() if k not in THREADS}
    environment |= {} if threads is None else dict.fromkeys(THREADS, str(threads))
    loop = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if busy else None
    try:
        told = subprocess.run(
            [sys.executable, "-c", SOLVE],
            env=environment, capture_output=True, text=True, check=True, cwd=os.path.dirname(__file__) or ".",
        ).stdout  # fmt: skip
    finally:
        if loop is not None:
            loop.kill()
            loop.wait()
    median, longest = map(float, told.split())
    return median, longest


def main() -> None:
    """Print the three, and by how much the busy core slows the default down."""
    for busy in (False, True):
        one, default = measured(1, busy), measured(None, busy)
        print(
            f"{'a busy core' if busy else 'alone'}: one thread {one[0]:.1f} ms (longest {one[1]:.1f}), default threads "
            f"{default[0]:.1f} ms (longest {default[1]:.1f}), {default[0] / one[0]:.2f} times"
        )


if __name__ == "__main__":
    main()
