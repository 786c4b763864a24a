"""Eigenvalue problems in pieces: cells and networks that grow until the values of smaller networks agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.cuts.cut import cut_domain
from transnet.cuts.first_boxes import first_boxes
from transnet.cuts.plan import Cut, density_of, space_for
from transnet.eigen.iteration import Iteration
from transnet.eigen.pencil import powers_of
from transnet.eigen.refine import matched
from transnet.eigen.search import Question
from transnet.eigen.spectrum import VERIFIED, ZERO, relative_errors
from transnet.errors import ProblemError
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.enrich import cell_enrichment, enrich
from transnet.pieces.laws import Laws
from transnet.problem.complex import complex_pairs
from transnet.solution.diagnostics import Residual

LADDER = {1: ((0, 30), (0, 60), (1, 60), (2, 60)), 2: ((0, 160), (0, 320), (1, 240)), 3: ((0, 300), (1, 400))}
"""How often the first boxes are halved, and the neurons of a cell for each unknown, in the order in which they are
tried, by dimension: a disk of two materials had errors of 2e-6 with 160, 4e-8 with 240 and 1e-11 with 320."""
PART = 0.85
"""Neurons of the smaller networks, from whose values the error is estimated: with 0.7 it was a hundred times too
large."""
CELLS = {1: 2_000, 2: 400, 3: 60}
"""The most cells, by dimension."""


@dataclass(frozen=True, eq=False)
class PiecesSpectrum:
    """Eigenvalues in pieces with their errors, and the coefficients of their functions."""

    values: np.ndarray
    errors: np.ndarray
    changes: np.ndarray
    coefficients: np.ndarray
    basis: PiecewiseBasis
    rows: int
    blocks: tuple[()] = ()

    @property
    def relative(self) -> np.ndarray:
        return relative_errors(self.values, self.errors)

    def residuals(self, k: int) -> tuple[Residual, ...]:
        """None: the iteration keeps no rows, and the error comes from the change to smaller networks."""
        return ()


def grown_in_pieces(question: Question, tol: float) -> PiecesSpectrum:
    """The spectrum on the coarsest cells whose errors are below the tolerance, or the best of all."""
    problem = question.problem
    laws, d, unknowns = Laws(problem), problem.domain.dimension, len(problem.unknowns)
    _refuse(question, laws)
    singular = cell_enrichment(laws, tuple(question.parameters.values()))
    coarsest = first_boxes(problem.domain, Cut())
    best: PiecesSpectrum | None = None
    for halvings, neurons in LADDER[d]:
        boxes = coarsest
        for _ in range(halvings):
            boxes = boxes.cut({k: tuple(range(d)) for k in range(len(boxes))})
        space, smaller = space_for(d, neurons), space_for(d, int(PART * neurons))
        cells = cut_domain(problem.domain, boxes, density_of(space, singular.vertices), laws.periodic)
        if best is not None and len(cells.cells) * unknowns > CELLS[d]:
            break
        enrich(cells, singular)
        whole, less = (Iteration(question, laws, cells, s) for s in (space, smaller))
        found = _verified(whole, less)
        if best is None or _better(found, best):
            best = found
        if len(best.values) == question.count and best.relative.max(initial=0.0) <= tol:
            break
    assert best is not None
    return best


def _better(one: PiecesSpectrum, other: PiecesSpectrum) -> bool:
    more = len(one.values) - len(other.values)
    return more > 0 or (more == 0 and one.relative.max(initial=0.0) < other.relative.max(initial=0.0))


def _refuse(question: Question, laws: Laws) -> None:
    """Raise for eigenvalue problems that pieces do not support: complex, in four coordinates, or not linear in the
    eigenvalue."""
    if complex_pairs(question.problem):
        raise ProblemError(
            "Complex eigenvalue problems with materials are solved in the plane, on a cell of a lattice: a box from "
            "which the other pieces are cut out, tn.periodic(x, phase=p) and tn.periodic(y, phase=q), one field, and "
            "an equation whose coefficients are numbers in each piece. State others on one domain."
        )
    if question.near is not None and np.imag(question.near) != 0:
        raise ProblemError(f"Eigenvalues in pieces are real, and near={question.near} is not. Give a real number.")
    if question.problem.domain.dimension not in LADDER:
        raise ProblemError("Eigenvalues in pieces need a problem with one to three coordinates.")
    for group in laws.statements:
        for statement in group:
            degree = max(map(len, powers_of(statement.equation, question.lam)), default=1) - 1
            across = statement.source is not None and "|" in getattr(statement.source, "part", "")
            if degree > 1 or (degree and across):
                raise ProblemError(
                    f"In pieces the eigenvalue {question.lam} may appear in equations and in conditions on the "
                    f"boundary, to the first power, but '{statement.equation.text}' has it "
                    f"{'on an interface' if across else 'in a higher power'}."
                )


def _verified(whole: Iteration, less: Iteration) -> PiecesSpectrum:
    """The values that smaller networks have too: the distance is their error, and that of the functions the change."""
    question, found = whole.question, whole.wanted()
    values, functions, smaller = found.values, found.functions, less.around(found.shift)
    few = smaller.values
    key = values if question.near is None else np.abs(values - np.real(question.near))
    order = np.argsort(key, kind="stable")
    values, functions = values[order], functions[:, order]
    errors = np.abs(few[matched(few, values)] - values) if len(few) >= len(values) else np.full(len(values), np.inf)
    scale = np.maximum(np.abs(values), ZERO * np.abs(values).max(initial=0.0))
    good = np.flatnonzero(errors <= VERIFIED * scale)[: question.count]
    good = good[np.argsort(values[good], kind="stable")]
    seen, q = whole.seen(functions[:, good]), np.linalg.qr(less.seen(smaller.functions))[0]
    changes = np.linalg.norm(seen - q @ (q.T @ seen), axis=0)
    rows = sum(len(c.inside) for c in whole.cells.cells)
    return PiecesSpectrum(values[good], errors[good], changes, functions[:, good], whole.basis, rows)
