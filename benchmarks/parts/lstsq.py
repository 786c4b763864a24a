"""(b) The kernel against other least-squares routines on the same matrix."""

import numpy as np
import scipy.linalg

import transnet as tn
from measure import fairly
from report import Figure, Part
from transnet.linalg.least_squares import QR
from transnet.linalg.triangle import Triangle
from transnet.paper.cases import case
from transnet.rows.assembly import assemble


def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    whole = np.array(np.column_stack([a, b]), order="F")
    return Triangle.of(whole).solve(QR(), a.shape[1]).values[:, 0]


def routines() -> dict:
    found = {
        "numpy.linalg.lstsq": lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0],
        "scipy gelsd": lambda a, b: scipy.linalg.lstsq(a, b, lapack_driver="gelsd")[0],
        "scipy gelsy": lambda a, b: scipy.linalg.lstsq(a, b, lapack_driver="gelsy")[0],
    }
    try:
        import torch

        def torch_lstsq(a, b):
            solved = torch.linalg.lstsq(torch.from_numpy(a), torch.from_numpy(b)[:, None])
            return solved.solution.numpy()[:, 0]

        found["torch.linalg.lstsq"] = torch_lstsq
    except ImportError:
        pass
    return found


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name in ("C1", "C7"):
        what = case(name)
        solution = tn.solve(what.problem, neurons=1000)
        matrix = assemble(solution.blocks, solution.basis, [b.linearise() for b in solution.blocks]).matrix
        a, b = np.ascontiguousarray(matrix[:, :-1]), matrix[:, -1].copy()
        features = solution.basis.spaces[0](solution.basis.placement(what.test_points))

        def error(x, what=what, features=features):
            return what.errors_of(features @ x).relative_l2

        mine, x = fairly(lambda a=a, b=b: kernel(a, b))
        rows.append((name, "transnet", mine, 1.0, error(x)))
        for label, routine in routines().items():
            spent, y = fairly(lambda a=a, b=b, r=routine: r(a, b))
            rows.append((name, label, spent, spent / mine, error(y)))
            figures.append(Figure(f"(b) {name}: faster than {label}", spent / mine, 1.0))
    header = ("case", "routine", "seconds", "ratio", "relative error of the solution")
    notes = (
        "The same weighted matrix of 1000 neurons for all; each routine with its default cut of small singular values."
    )
    return Part("(b) Other least-squares routines", header, rows, figures, notes, keys=2)
