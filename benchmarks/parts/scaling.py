"""(e) Time and memory against neurons, rows and workers; each run is a process of its own."""

import json
import subprocess
import sys

from report import Figure, Part

PROGRAM = """
import json, resource, sys, time
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


def run(where):
    begun = time.perf_counter()
    solution = tn.solve(problem, space=space, points=points, engine=where)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps([solution.diagnostics.rows, time.perf_counter() - begun, peak, solution.error]))


if __name__ == "__main__":
    tn.solve(problem, neurons=40)
    if engine.isdigit():
        from distributed import Client, LocalCluster

        workers = {"n_workers": int(engine), "threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(**workers) as cluster, Client(cluster) as client:
            client.wait_for_workers(int(engine))
            tn.solve(problem, neurons=40, engine=client)
            run(client)
    else:
        run(tn.Streamed() if engine == "streamed" else None)
"""


def measured(neurons: int, rows: int, engine: str) -> tuple:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(neurons), str(rows), engine],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return tuple(json.loads(done.stdout.strip().splitlines()[-1]))


def run(quick: bool, large: bool = False) -> Part:
    runs = [(n, 0, "memory") for n in (250, 500, 1000, 2000)]
    runs += [(500, r, "memory") for r in (10_000, 100_000)]
    runs += [(500, r, "streamed") for r in (10_000, 100_000, 400_000)]
    runs += [(1000, 50_000, w) for w in ("1", "2")]
    runs += [(2000, 2_000_000, "streamed")] if large else []
    rows, figures = [], []
    for neurons, wanted, engine in runs:
        made, spent, peak, error = measured(neurons, wanted, engine)
        where = f"{engine} worker(s)" if engine.isdigit() else engine
        rows.append((neurons, made, where, spent, f"{peak:.0f}", error))
        if (neurons, engine) == (2000, "streamed"):
            figures.append(Figure("(e) 2,000,000 rows x 2000 neurons: GiB at the peak", peak / 1024, 2.0, at_most=True))
    header = ("neurons", "rows", "engine", "seconds", "peak MiB of the process", "estimated error")
    notes = (
        "Poisson's equation on a square. About 150 MiB are Python with its libraries. With workers the peak is that of "
        "the client; a worker holds one block and a few triangles."
    )
    return Part("(e) Neurons, rows and workers", header, rows, figures, notes)
