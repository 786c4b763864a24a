"""`tn.eigenpairs`: the numbers for which a homogeneous problem has nonzero solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Complex, Integral, Real
from time import perf_counter
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.calls import explained, shown
from transnet.choose.effort import ACCEPTABLE
from transnet.choose.enrich import Enrichment, enrichment_of
from transnet.cuts.piecewise import in_pieces_of_lines, in_pieces_of_sources
from transnet.eigen.grow import basis_of, grown
from transnet.eigen.in_pieces import PiecesSpectrum, grown_in_pieces
from transnet.eigen.pairs import Eigenpairs
from transnet.eigen.pencil import refuse_what_has_no_eigenvalues
from transnet.eigen.products import PRODUCT_DEGREES, edges_at, in_products, narrow_places, products_of, too_narrow
from transnet.eigen.search import Question
from transnet.eigen.spectrum import Spectrum
from transnet.errors import AccuracyWarning, Message, ProblemError, warn
from transnet.facts.conditions import missing_conditions
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces, Slit
from transnet.geometry.symbolic import Sized
from transnet.method.bands import LatticeSpectrum, bands_of
from transnet.method.lattice import lattice_of
from transnet.pieces.laws import Laws
from transnet.problem import Problem, refuse_unbounded, refuse_unsettled
from transnet.problem.origin import Origin
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import collocate
from transnet.rows.jumps import may_jump
from transnet.rows.statements import statements_of
from transnet.sections.windows import open_parts

SIZES = {1: (60, 120, 240, 480), 2: (200, 400, 700, 1_100, 1_600), 3: (300, 800, 1_600, 2_400), 4: (400, 1_200)}
"""Numbers of neurons to try, by dimension."""
FILLS = {1: (0.1, 0.3, 0.6), 2: (0.06, 0.12, 0.25), 3: (0.02, 0.06, 0.2), 4: (0.01, 0.04, 0.15)}
"""Bandwidths of the waves that are compared, by dimension. In the plane half of these give the same eigenvalues of a
square and a disk in 1.5 times the time, twice as large ones five times the error (benchmarks/constants.py spectra)."""
DIGITS = 1e-10
"""The default relative error."""
MOST = 200
"""The most eigenvalues at a time: the largest networks resolve no more."""
LOOKED_AT = 50
"""The size of the network, for each unknown, whose points determine the singular functions of the corners."""


@explained
def eigenpairs(
    problem: Problem,
    lam: sp.Symbol,
    count: int = 6,
    near: complex | None = None,
    *,
    tol: float = DIGITS,
    neurons: int | None = None,
    space: FeatureSpace | None = None,
    parameters: Mapping[Any, Any] | None = None,
    seed: int = 0,
) -> Eigenpairs:
    """Eigenvalues and eigenfunctions of a linear homogeneous problem.

    Parameters
    ----------
    problem : Problem
        Linear and homogeneous; the eigenvalue may appear in equations and conditions, to any whole power:
        `sp.Eq(-tn.laplacian(u), lam * u)`.
    lam : sympy.Symbol
        The symbol that is the eigenvalue.
    count : int
        How many; a double eigenvalue counts twice.
    near : number, optional
        Find those nearest to it. By default the lowest, or those nearest to zero if there is no lowest.
    tol : float
        The relative error of the values at which the network stops growing.
    neurons, space : optional
        A network of that size, or with those features, instead of one that grows.
    parameters : mapping, optional
        Values of the other symbols.

    Returns
    -------
    Eigenpairs
        `pairs.values`, `pairs.errors`, and `pairs[k]`, a `Solution` of norm one.
    """
    pairs = found_pairs(EigenPlan(problem, lam, count, near, tol, neurons, space, parameters, seed))
    warn(pairs.messages)
    return pairs


@dataclass(frozen=True, eq=False)
class EigenPlan:
    """The checked arguments of `tn.eigenpairs`."""

    problem: Problem
    lam: sp.Symbol
    count: int = 6
    near: complex | None = None
    tol: float = DIGITS
    neurons: int | None = None
    space: FeatureSpace | None = None
    parameters: Mapping[Any, Any] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise ProblemError(f"tn.eigenpairs takes a tn.Problem, not {type(self.problem).__name__}.")
        refuse_unbounded(self.problem.domain, "tn.eigenpairs", ends=False)
        refuse_unsettled(self.problem, "tn.eigenpairs")
        if not isinstance(self.lam, sp.Symbol):
            raise ProblemError(
                f"The second argument is the eigenvalue's symbol, sympy.Symbol('lam'), not {shown(self.lam)}."
            )
        if isinstance(self.problem.domain, Sized):
            given = {str(k): v for k, v in (self.parameters or {}).items()}
            origin = Origin.of(self.problem, {**given, self.lam.name: 0.0})
            problem, values = origin.solved_for()
            values.pop(self.lam, None)
            for name, value in (("problem", problem), ("parameters", values), ("_origin", origin)):
                object.__setattr__(self, name, value)
        if isinstance(self.count, bool) or not isinstance(self.count, Integral) or not 1 <= self.count <= MOST:
            raise ProblemError(
                f"count is how many eigenvalues are wanted, a whole number from 1 to {MOST}, not {shown(self.count)}."
            )
        if self.near is not None and not (isinstance(self.near, Complex) and np.isfinite(self.near)):
            raise ProblemError(f"near is the number near which eigenvalues are wanted, not {shown(self.near)}.")
        if not (isinstance(self.tol, Real) and 0 < self.tol < 1):
            raise ProblemError(f"tol is the relative error to reach, a number between 0 and 1, not {shown(self.tol)}.")


def found_pairs(plan: EigenPlan) -> Eigenpairs:
    """The pairs without warnings, for front ends that print messages themselves."""
    begun = perf_counter()
    if open_parts(plan.problem.domain):
        from transnet.reach.eigen import pairs_in_window

        return pairs_in_window(plan, found_pairs)
    problem, lam, space, count, tol, seed = plan.problem, plan.lam, plan.space, plan.count, plan.tol, plan.seed
    if _free(plan) and may_jump(problem):
        problem = in_pieces_of_lines(problem) or in_pieces_of_sources(problem) or problem
    pieces = isinstance(problem.domain, Pieces)
    if pieces and (space is not None or plan.neurons is not None):
        raise ProblemError(
            "neurons= and space= apply to a single network, but each piece of this domain has its own. Leave them out."
        )
    stated = Laws(problem).statements if pieces else [statements_of(problem)]
    refuse_what_has_no_eigenvalues(problem, lam, [s for of in stated for s in of])
    values = parameter_values(problem, {**{str(k): v for k, v in (plan.parameters or {}).items()}, lam.name: 0.0})
    question = Question(problem, lam, values, int(count), plan.near, seed)
    lattice = lattice_of(problem, lam, values) if pieces else None
    narrow = [] if pieces else narrow_places(problem, values, lam)
    edges = edges_at(problem, narrow) if _free(plan) and not pieces and in_products(problem) else ()
    hidden = None if edges else too_narrow(problem, narrow)
    found: Spectrum | PiecesSpectrum | LatticeSpectrum
    if lattice is not None:
        found = bands_of(lattice, question, tol)
    else:
        found = grown_in_pieces(question, tol) if pieces else _grown(plan, question, edges)
    limit = ACCEPTABLE if tol == DIGITS else tol  # nobody asked for ten digits
    if isinstance(found, Spectrum) and not found.counted and not found.relative.max(initial=0.0) <= limit:
        found = _against_another(found, plan, question)
    messages = [m for m in (missing_conditions(problem), hidden) if m is not None]
    if hidden is not None:
        found = replace(found, errors=np.full(len(found.values), np.nan))
    if len(found.values) < count:
        messages.append(
            Message(
                AccuracyWarning,
                f"Only {len(found.values)} of {count} eigenvalues could be verified: the others changed with the size "
                f"of the network, or their functions do not satisfy the equations."
                f"{' In pieces only real eigenvalues are found.' if pieces else ''}",
            )
        )
    worst = found.relative.max(initial=0.0)
    if worst > limit:
        text = f"The largest relative error of an eigenvalue is {worst:.1e}, above the tolerance {limit:.1e}."
        messages.append(Message(AccuracyWarning, text))
    seconds, origin = perf_counter() - begun, getattr(plan, "_origin", None)
    return Eigenpairs(
        problem, lam, values, found.values, found.errors, found.changes, found, seconds, tuple(messages), origin
    )


def _grown(plan: EigenPlan, question: Question, edges: Sequence[float]) -> Spectrum:
    """The spectrum of products of polynomials on an interval or a rectangle, otherwise of one network: of the given
    size or features, or one that grows."""
    problem, space = question.problem, plan.space
    d, found = problem.domain.dimension, None
    if _free(plan) and in_products(problem):
        found = grown(question, [partial(products_of, problem, edges)], PRODUCT_DEGREES[d], plan.tol)
        if len(found.values) == question.count and found.relative.max() <= ACCEPTABLE:
            return found
    laws = [_given(space)] if space is not None else laws_of(problem, question.parameters, plan.seed)
    sizes = (space.neurons,) if space is not None else (plan.neurons,) if plan.neurons is not None else SIZES[d]
    network = grown(question, [partial(_network, problem, law) for law in laws], sizes, plan.tol)
    return network if found is None or question.better(network, found) else found


def _free(plan: EigenPlan) -> bool:
    """Whether the features are not given."""
    return plan.space is None and plan.neurons is None


def _network(problem: Problem, law: Callable[[int], FeatureSpace], neurons: int) -> Basis:
    return basis_of(problem, law(neurons))


def _against_another(found: Spectrum, plan: EigenPlan, question: Question) -> Spectrum:
    """The spectrum with the differences from the values with other points and features: those of an operator that is
    far from normal, whose values follow the slightest errors, agree for parts of one network and differ for two."""
    seed = plan.seed + 1
    other = _grown(replace(plan, seed=seed), replace(question, seed=seed), ()).values
    if not len(other):
        return found.with_errors(np.full(len(found.values), np.nan))
    apart = np.abs(found.values[:, None] - other[None, :]).min(axis=1)
    return found.with_errors(np.maximum(found.errors, apart))


def _given(space: FeatureSpace) -> Callable[[int], FeatureSpace]:
    return lambda _: space


def laws_of(problem: Problem, values: Mapping[sp.Symbol, Any], seed: int) -> list[Callable[[int], FeatureSpace]]:
    """Waves of several bandwidths, preceded by those with singular functions if the domain has any."""
    d = problem.domain.dimension
    plain: list[Callable[[int], FeatureSpace]] = [partial(_waves, d, fill, seed) for fill in FILLS[d]]
    if d != 2:
        return plain
    statements = statements_of(problem)
    blocks = collocate(problem, statements, LOOKED_AT * len(problem.unknowns), None, seed)
    numbers = tuple(values.values())
    singular = enrichment_of(problem, blocks, [b.linearise(numbers) for b in blocks], numbers)
    if singular is None:
        return plain
    rich: list[Callable[[int], FeatureSpace]] = [partial(_enriched, law, singular) for law in plain[:2]]
    # Waves alone have no functions that jump across a slit: they find half of its eigenvalues, and these very
    # accurately.
    return rich if isinstance(problem.domain, Slit) else [*rich, *plain]


def _enriched(law: Callable[[int], FeatureSpace], singular: Enrichment, neurons: int) -> FeatureSpace:
    return law(neurons).with_singular(singular.features(neurons))


def _waves(dimension: int, fill: float, seed: int, neurons: int) -> FeatureSpace:
    return FeatureSpace.waves(dimension, neurons, fill, seed=seed)
