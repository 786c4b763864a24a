"""(a) A solve against the bare factorisation of its own matrix."""

from scipy.linalg import lapack

import transnet as tn
from measure import relative_error, seconds
from report import Figure, Part
from transnet.paper.cases import case
from transnet.rows.assembly import assemble


def run(quick: bool) -> Part:
    rows, figures = [], []
    for name in ("C1", "C7", "C9"):
        what = case(name)
        chosen = tn.TransNet(neurons=1000).solve(what.problem)
        space = chosen.basis.spaces[0]
        method = tn.TransNet(space=space)
        total, solution = seconds(lambda m=method, p=what.problem: m.solve(p), 7)
        automatic, _ = seconds(lambda p=what.problem: tn.solve(p, neurons=1000), 5)
        blocks, basis = solution.blocks, solution.basis

        def write(blocks=blocks, basis=basis):
            return assemble(blocks, basis, [b.linearise() for b in blocks]).matrix

        written, matrix = seconds(write, 7)
        work = int(lapack.dgeqrf_lwork(*matrix.shape)[0])
        copies = [matrix.copy(order="F") for _ in range(7)]
        bare, _ = seconds(lambda copies=copies, w=work: lapack.dgeqrf(copies.pop(), lwork=w, overwrite_a=1), 7)
        figures += [
            Figure(f"(a) {name}: solve / dgeqrf", total / bare, 1.5, at_most=True),
            Figure(f"(a) {name}: assembly / dgeqrf", written / bare, 0.25, at_most=True),
        ]
        size = f"{matrix.shape[0]} x {matrix.shape[1]}"
        rows.append((name, size, bare, written, total, automatic, relative_error(what, solution)))
    header = ("case", "matrix", "dgeqrf s", "assembly s", "solve s", "with the choice of features s", "relative error")
    notes = (
        "1000 neurons in a given feature space with compiled equations: points, rows, factorisation, held-out"
        " residuals, stability and estimate. The last time includes the choice of the features."
    )
    return Part("(a) The limit: bare `dgeqrf` of the same matrix", header, rows, figures, notes)
