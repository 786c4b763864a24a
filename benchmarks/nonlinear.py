"""Kovasznay flow (the paper's case C6): Newton and Picard here against the authors' recipe, in one run.

    python benchmarks/nonlinear.py [neurons ...]

Prints, for each number of neurons per unknown, the mean square error over v1, v2 and p, the processor seconds and the
ratio to the authors' 20 Picard steps with the same number of neurons and the same points.
"""

import sys
from pathlib import Path
from time import process_time

import transnet as tn

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import kovasznay

POINTS = tn.Points(interior=(50, 50), boundary=dict.fromkeys(kovasznay.domain.parts, 50), sampling="grid")


def measure(neurons: int, seed: int = 0) -> list[tuple[str, float, float, int]]:
    """Name, mean square error, seconds and steps of each method."""
    newton, picard = kovasznay.problem(), kovasznay.problem(lagged=True)
    rows = []
    for name, method, problem in (
        ("authors' 20 Picard steps", tn.Published(neurons, POINTS, seed=seed), picard),
        ("Picard", tn.TransNet(neurons, points=POINTS, seed=seed), picard),
        ("Newton", tn.TransNet(neurons, points=POINTS, seed=seed), newton),
    ):
        start = process_time()
        solution = method.solve(problem)
        seconds = process_time() - start
        rows.append((name, kovasznay.mean_square_error(solution), seconds, len(solution.diagnostics.steps)))
    return rows


def main(sizes: list[int]) -> None:
    measure(60)  # Imports and symbolic work are not what is compared.
    print(f"{'neurons':>8}  {'method':<26} {'mse':>8} {'seconds':>8} {'steps':>6} {'times faster':>13}")
    for neurons in sizes:
        rows = measure(neurons)
        for name, error, seconds, steps in rows:
            faster = rows[0][2] / seconds
            print(f"{neurons:>8}  {name:<26} {error:8.1e} {seconds:8.2f} {steps:>6} {faster:13.1f}", flush=True)


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [200, 300])
