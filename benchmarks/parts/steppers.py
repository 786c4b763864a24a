"""(c) Steppers for evolutions: SciPy's DOP853 and Radau on Chebyshev or Fourier points, and ETDRK4, at equal error."""

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

import transnet as tn
from evolved import PROBLEMS, chebyshev, etdrk4, fourier_values, interpolated, sizes_of
from measure import fairly, now
from report import Figure, Part

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
WANTED = 1e-6


# -- peers: each gives the values at the last moment for a setting ---------------------------------------------------
def ode(function: Callable, start: list[float], end: float, method: str, jac: Any = None) -> Callable:
    def run(tol: float) -> np.ndarray:
        more = {} if jac is None else {"jac": jac}
        return solve_ivp(function, (0, end), start, method, rtol=tol, atol=tol * 1e-3, **more).y[:, -1]

    return run


def lorenz(s: float, z: np.ndarray) -> list[float]:
    return [10 * (z[1] - z[0]), z[0] * (28 - z[2]) - z[1], z[0] * z[1] - 8 / 3 * z[2]]


def wave(places: np.ndarray) -> Callable:
    def run(tol: float) -> np.ndarray:
        x, d = chebyshev(28, 0, 1)
        second = (d @ d)[1:-1, 1:-1]
        n = len(second)
        start = np.concatenate([np.sin(np.pi * x[1:-1]), 0.75 * np.pi * np.sin(3 * np.pi * x[1:-1])])
        slope = lambda s, z: np.concatenate([z[n:], second @ z[:n]])  # noqa: E731
        end = solve_ivp(slope, (0, 100), start, "DOP853", rtol=tol, atol=tol).y[:n, -1]
        return interpolated(x, np.concatenate([[0], end, [0]]), places)

    return run


def burgers(places: np.ndarray) -> Callable:
    nu = 0.01 / np.pi

    def run(tol: float) -> np.ndarray:
        n = 1024
        k = np.pi * np.arange(n // 2 + 1)
        grid = -1 + 2 * np.arange(n) / n

        def slope(s: float, z: np.ndarray) -> np.ndarray:
            h = np.fft.rfft(z)
            return np.fft.irfft(-nu * k**2 * h) - z * np.fft.irfft(1j * k * h)

        end = solve_ivp(slope, (0, 1), -np.sin(np.pi * grid), "DOP853", rtol=tol, atol=tol).y[:, -1]
        return fourier_values(np.fft.rfft(end), 2.0, -1.0, places)

    return run


def exponential(low: float, high: float, n: int, start: Any, rate: Any, rest: Any, end: float) -> Callable:
    def run(places: np.ndarray) -> Callable:
        grid = low + (high - low) * np.arange(n) / n
        k = 2 * np.pi / (high - low) * np.arange(n // 2 + 1)

        def with_steps(steps: int) -> np.ndarray:
            spectrum = etdrk4(np.fft.rfft(start(grid)), rate(k), lambda s: rest(s, k), end, steps)
            return fourier_values(spectrum, high - low, low, places)

        return with_steps

    return run


def product(factor: float) -> Callable:
    return lambda s, k: -factor * 0.5j * k * np.fft.rfft(np.fft.irfft(s) ** 2)


def peers() -> dict[str, tuple[str, Callable, tuple]]:
    """For each problem the name of what one would take, how it is run, and its settings from coarse to fine."""
    x = sp.Symbol("x")
    kdv, ks = PROBLEMS["KdV"](), PROBLEMS["KS 22"]()
    first = sp.lambdify(x, kdv.problem.conditions[0].equations[0].rhs)
    mu = 1000.0
    stiff = ode(
        lambda s, z: [z[1], mu * (1 - z[0] ** 2) * z[1] - z[0]], [2.0, 0.0], 2000, "Radau",
        lambda s, z: [[0, 1], [-2 * mu * z[0] * z[1] - 1, mu * (1 - z[0] ** 2)]],
    )  # fmt: skip
    solitons = exponential(-25, 30, 512, first, lambda k: 1j * k**3, product(6.0), 4)
    begun = lambda s: np.cos(2 * np.pi * s / 22) + np.sin(4 * np.pi * s / 22) / 2  # noqa: E731
    chaos = exponential(0, 22, 64, begun, lambda k: k**2 - k**4, product(1.0), 100)
    steps = (100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600)
    return {
        "van der Pol 1000": ("Radau", stiff, TOLERANCES),
        "Lorenz": ("DOP853", ode(lorenz, [1.0, 1.0, 1.0], 20, "DOP853"), (*TOLERANCES, 1e-11, 1e-12, 1e-13)),
        "wave": ("Chebyshev, DOP853", wave(PROBLEMS["wave"]().points[:, 0]), TOLERANCES),
        "Burgers": ("Fourier, DOP853", burgers(PROBLEMS["Burgers"]().points[:, 0]), TOLERANCES),
        "KdV": ("ETDRK4", solitons(kdv.points[:, 0]), steps),
        "KS 22": ("ETDRK4", chaos(ks.points[:, 0]), steps),
    }


def relative(values: np.ndarray, truth: np.ndarray, sizes: np.ndarray) -> float:
    """The largest relative error of the unknowns, whose sizes are those over all times."""
    gap = np.asarray(values).reshape(truth.shape) - truth
    return float((np.sqrt(np.mean(gap**2, axis=0)) / sizes).max())


def finished(solution: tn.Solution) -> tn.Solution:
    """The solution, if its march came to the end: one that a signal has ended is fast and means nothing."""
    if solution.status not in ("solved", "converged"):
        raise RuntimeError(f"a march was ended early: {solution.status}")
    return solution


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name, (peer, solve, settings) in peers().items():
        what = PROBLEMS[name]()
        truth = what.truth.reshape(len(what.points), -1)
        mine = theirs = None
        for tol in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
            begun = now()
            solution = tn.solve(what.problem, tol=tol)
            spent, sizes = now() - begun, sizes_of(finished(solution), what.points)
            error = relative(solution(what.points), truth, sizes)
            if error <= WANTED:
                again, last = fairly(lambda problem=what.problem, tol=tol: tn.solve(problem, tol=tol))
                finished(last)
                mine = (tol, error, solution.slabs.estimates[-1], min(spent, again))
                break
        for setting in settings:
            begun = now()
            found = solve(setting)
            spent, error = now() - begun, relative(found, truth, sizes)
            if error <= WANTED:
                again, _ = fairly(lambda solve=solve, setting=setting: solve(setting))
                theirs = (setting, error, min(spent, again))
                break
        ratio = theirs[2] / mine[3] if mine and theirs else 0.0
        rows.append((name, *(mine or ("-",) * 4), peer, *(theirs or ("-",) * 3), ratio))
        figures.append(Figure(f"(c) {name}: faster than {peer}", ratio, 1))
        print(f"   {name}: ours {mine}, {peer} {theirs}, ratio {ratio:.2g}", flush=True)
    header = (
        "problem", "our tolerance", "our error", "our estimate", "our seconds", "peer", "its setting", "its error",
        "its seconds", "ratio",
    )  # fmt: skip
    notes = (
        f"Relative errors at the final time below {WANTED:g}, by the loosest tolerance or the longest step that "
        "reaches it. Ours is the whole call, estimate included; the peers' points and modes are picked by "
        "hand. On smooth periodic problems use an exponential stepper."
    )
    return Part("(c) Steppers for evolutions", header, rows, figures, notes)
