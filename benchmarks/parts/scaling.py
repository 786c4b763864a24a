"""(e) Time and memory against neurons, rows and workers; each run is a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable

from report import Figure, Part

PROGRAM = """
import json, os, resource, sys, time
import sympy as sp
import transnet as tn

neurons, rows, engine = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
exact = sp.sin(2 * sp.pi * x) * sp.sin(2 * sp.pi * y)
problem = tn.Problem(
    tn.Box(x=(-1, 1), y=(-1, 1)),
    [sp.Eq(tn.laplacian(u), -8 * sp.pi**2 * exact)],
    [tn.on("boundary", sp.Eq(u, exact))],
)
space = tn.FeatureSpace.waves(2, neurons, 0.12)
points = tn.Points(interior=rows) if rows else None


def peak():
    # The largest resident set of this program in MiB. That of getrusage counts the parent's as well, from before exec.
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 2**10 for line in file if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def run(where, others=lambda: {}):
    begun = time.perf_counter()
    solution = tn.solve(problem, space=space, points=points, engine=where)
    spent = time.perf_counter() - begun
    found = {"rows": solution.diagnostics.rows, "seconds": spent, "peak": peak(), "error": solution.error}
    print(json.dumps({**found, "worker": max(others().values(), default=None)}))


if __name__ == "__main__":
    tn.solve(problem, neurons=40)
    if engine.isdigit():
        from distributed import Client, LocalCluster

        workers = {"n_workers": int(engine), "threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(**workers) as cluster, Client(cluster) as client:
            client.wait_for_workers(int(engine))
            tn.solve(problem, neurons=40, engine=client)
            run(client, lambda: client.run(peak))
    else:
        run(tn.Streamed() if engine == "streamed" else None)
"""
LARGE = (2000, 2_000_000, "streamed")
Run = tuple[int, int, str]


def measured(neurons: int, rows: int, engine: str, threads: int) -> dict:
    """One solve: its rows, seconds, peak MiB of the process and of the largest worker, and the estimated error."""
    limits = {f"{library}_NUM_THREADS": str(threads) for library in ("OPENBLAS", "OMP", "MKL")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(neurons), str(rows), engine],
        capture_output=True, text=True, env={**os.environ, **limits},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{neurons} neurons, {rows} rows, {engine}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def runs(large: bool) -> dict[str, list[Run]]:
    """What is varied, and the runs: neurons, interior points (0: the library's own choice) and engine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "neurons": [(n, 0, "memory") for n in (250, 500, 1000, 2000, 4000)],
        "rows, in memory": [(500, r, "memory") for r in (10_000, 30_000, 100_000)],
        "rows, streamed": [(500, r, "streamed") for r in (10_000, 100_000, 400_000)],
        "workers": [(1000, 100_000, w) for w in ("memory", *map(str, sorted({1, 2, cores})))],
        **({"size": [LARGE]} if large else {}),
    }


def table(varied: dict[str, Iterable[Run]], threads: int) -> tuple[list[tuple], list[Figure]]:
    rows, figures = [], []
    for what, group in varied.items():
        for neurons, wanted, engine in group:
            found = measured(neurons, wanted, engine, threads)
            where = f"{engine} worker(s)" if engine.isdigit() else engine
            rate = 2 * found["rows"] * (neurons + 2) ** 2 / found["seconds"] / 1e9
            worker = f"{found['worker']:.0f}" if found["worker"] else "-"
            rows.append(
                (what, neurons, f"{found['rows']:,}", where, found["seconds"], rate, f"{found['peak']:.0f}", worker,
                 found["error"])
            )  # fmt: skip
            print("   " + ", ".join(map(str, rows[-1])), flush=True)
            if (neurons, wanted, engine) == LARGE:
                name = "(e) 2,000,000 rows x 2000 neurons: GiB at the peak"
                figures.append(Figure(name, found["peak"] / 1024, 2.0, at_most=True))
    return rows, figures


def run(quick: bool, large: bool = False) -> Part:
    rows, figures = table(runs(large), int(os.environ.get("OPENBLAS_NUM_THREADS", "1")))
    header = (
        "varied", "neurons", "rows", "engine", "seconds", "Gflop/s", "peak MiB", "peak MiB of a worker",
        "estimated error",
    )  # fmt: skip
    notes = (
        "Poisson's equation on a square, each run a process of its own. Peaks are resident memory, 110 MiB of which "
        "are Python and its libraries; with workers that of the client."
    )
    return Part("(e) Neurons, rows and workers", header, rows, figures, notes, keys=4)
