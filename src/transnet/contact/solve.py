"""Problems with obstacles: contact is found coarsely by a stiff spring, then its edge by Newton's method.

On the edge u = psi is imposed; what is left is g = d_n (u - psi), which vanishes where the edge is right. Moving the
edge by V along the normal changes g by V d_nn (u - psi) and by something of second order, so V = -g / d_nn (u - psi) is
Newton's step; and d_nn (u - psi) follows from the equation. An error of V in the edge is one of V^2 in the solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import sympy as sp

from transnet.choose.effort import ACCEPTABLE
from transnet.contact.basis import InContact
from transnet.contact.ends import Ends
from transnet.contact.in_time import solve_in_time
from transnet.contact.loops import ClosedEdges
from transnet.contact.part import solve_parts
from transnet.contact.statement import Touching, contact_of, formula_with_derivatives, seconds_left
from transnet.counts import MANY, STEPS
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, EstimateWarning, Message, ProblemError
from transnet.geometry import Domain, Interval
from transnet.problem import Condition, Problem, on, written
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE

Solve = Callable[[Plan], Solution]
STIFF = (1e-3, 1e-4)
"""Compliances of the spring, in units of L^2 / a: its layer is the root of it, 0.03 of a half side. The second is for
contact sets that the first does not see."""
SPRING = {1: 200, 2: 300}
"""Neurons for it: 200 find the edge of a ball under a membrane to 0.04, in 0.06 s."""
CELLS = {1: 2000, 2: 100}
"""Cells along a side of the grid on which its edge is looked for."""
FIRST = 1e-4
"""The tolerance of the solves until the errors of the edge make less than this of the solution."""
SLOW = 0.5
"""A step that is more than this part of the last shows that the edge lacks modes."""
GOAL = 1e-9
"""The error of the solution that the edge may cause if no tolerance is given."""
SHARE = 0.1
"""The part of the tolerance that the edge may take."""
PRESSED = 1e-3
"""Where the force is below this part of the largest, the edge retreats as far as it may."""
BELOW = 3.0
"""How many estimated errors a gap may be negative without a doubt about the contact set."""
ROUNDING, LIFTED = 1e-12, 1e-9
"""Relative errors below the first are rounding; a force that pulls by less than the second part is none."""


@dataclass(frozen=True, eq=False)
class Settled:
    """Solutions on the domains without contact, and how far their edges should move."""

    edges: Ends | ClosedEdges
    solutions: list[Solution]
    steps: list[np.ndarray]
    openings: list[np.ndarray]

    @property
    def size(self) -> float:
        """The largest step, as a part of the size of its edge."""
        return max(float(np.abs(s).max()) / size for s, size in zip(self.steps, self.edges.sizes(), strict=True))

    @property
    def lift(self) -> float:
        """The largest error of the solution that the errors of the edges make."""
        return max(float(np.max(np.abs(d) * s**2)) for s, d in zip(self.steps, self.openings, strict=True)) / 2


def solve_with_inequalities(plan: Plan, solve: Solve) -> Solution:
    """Solve a problem with obstacles, or with inequalities on its boundary."""
    begun = perf_counter()
    contact = contact_of(plan)
    domain = contact.free.domain
    if contact.parts:
        if contact.barriers:
            raise ProblemError("State either obstacles in the domain or inequalities on its boundary, not both.")
        return solve_parts(plan, contact, solve)
    if contact.time is not None:
        return solve_in_time(plan, contact, solve)
    if not isinstance(domain, Interval) and domain.dimension != 2:
        raise ProblemError(
            f"The contact with an obstacle is found on an interval and in plane domains, not on {domain}. Where the "
            f"solution is symmetric about an axis, state the equation in r and z."
        )
    if not all(c.boundary for c in contact.free.conditions):
        raise ProblemError("Beside an obstacle only conditions on the boundary can be stated.")
    plain = replace(plan, watch=None, parameters=None)
    edges = _coarse(contact, plain, solve)
    if edges is None:
        alone = solve(replace(plan, problem=contact.free, parameters=None, watch=None))
        return _with_doubt(contact, replace(alone, problem=plan.problem, parameters=plan.values, blocks=()))
    goal = GOAL if plan.tol is None else SHARE * plan.tol
    best: Settled | None = None
    last, rough = np.inf, True
    for _ in range(STEPS):
        ask = replace(plain, tol=FIRST if rough else plan.tol, seconds=seconds_left(plan))
        found = _solved(contact, edges, ask, solve)
        if not rough and (best is None or found.lift < best.lift):
            best = found
        if any(s.status == "interrupted" for s in found.solutions) or plan.effort.left() <= 0:
            best = best or found
            break
        close = found.lift <= (FIRST if rough else 1.0) * (1.0 if rough else goal) * _height(found)
        slow = found.size > SLOW * last
        if close and not rough:
            break
        if slow and not close:  # the edge needs more freedom
            finer = edges.finer()
            if finer is None and not rough:
                break
            edges, rough, last = finer or edges, rough and finer is not None, np.inf
            continue
        rough, last = rough and not close, found.size
        edges = edges.moved(found.steps, domain)
    if best is None:
        raise ProblemError(
            "The edge of the contact set did not settle. It may touch the boundary or another edge; state the problem "
            "with another size of the obstacle, or take a stiff spring, equation - sympy.Max(psi - u, 0)/eps = 0."
        )
    return _joined(plan, contact, best, perf_counter() - begun)


def _height(found: Settled) -> float:
    return max(float(np.abs(s.value_of(s.problem.unknowns[0], s.points)).max()) for s in found.solutions)


def _coarse(contact: Touching, plan: Plan, solve: Solve) -> Ends | ClosedEdges | None:
    """The contact with a stiff spring instead of the obstacle: E(u) = max(psi - u, 0) / eps."""
    problem, u = contact.free, contact.unknown
    domain, d = problem.domain, problem.domain.dimension
    length = 0.5 * float(np.ptp(domain.bounds, axis=0).max())
    for compliance in STIFF:
        eps = compliance * length**2 / contact.scale
        springs = [b.side * sp.Max(b.side * (b.psi - u), 0) / sp.Float(eps) for b in contact.barriers]
        soft = Problem(domain, [contact.equation - sum(springs)], problem.conditions, problem.unknowns)
        found = solve(replace(plan, problem=soft, neurons=SPRING[d], tol=None))
        # In the middle of contact the spring is pressed by eps E(psi): halfway is nearest to the edge.
        forces = [contact.force(b) for b in contact.barriers]

        def gaps(points: np.ndarray, found: Solution = found, forces: list = forces, eps: float = eps) -> np.ndarray:
            made = []
            for b, force in zip(contact.barriers, forces, strict=True):
                gap, pressed = b.side * found.value_of(u - b.psi, points), 0.5 * eps * force(points)
                made.append(np.where(pressed > 0, gap + pressed, np.abs(gap)))  # no contact where it would pull
            return np.stack(made, axis=-1)

        kind = Ends if d == 1 else ClosedEdges
        edges = kind.of(domain, gaps, CELLS[d])
        if edges is not None:
            return edges
    return None


def _solved(contact: Touching, edges: Ends | ClosedEdges, plan: Plan, solve: Solve) -> Settled:
    """The solutions without contact for given edges, and Newton's steps of these."""
    problem, u = contact.free, contact.unknown
    solutions = []
    for domain, names, outer in edges.domains(problem.domain):
        mine = _conditions(problem, domain) if outer else []
        on_edges = [on(name, sp.Eq(u, contact.barriers[k].psi)) for name, k in names]
        solutions.append(solve(replace(plan, problem=Problem(domain, problem.equations, [*mine, *on_edges]))))
    steps, openings = [], []
    d = problem.domain.dimension
    for (barrier, points, normals), solution in zip(edges.edges, _owners(edges, solutions), strict=True):
        b = contact.barriers[barrier]
        psi = formula_with_derivatives(b.psi, problem.coordinates)
        first = [tuple(int(i == j) for j in range(d)) for i in range(d)]
        slopes = solution.basis.derivatives(solution.coefficients, points, [(0, index) for index in first])
        g = b.side * sum(
            n * (s - psi.derivative(points, i).real) for n, s, i in zip(normals.T, slopes, first, strict=True)
        )
        opening = contact.opening(b)(points, normals)
        least = PRESSED * np.abs(opening).max()  # where nothing presses the edge retreats as far as it may
        steps.append(np.where(opening > least, -g / np.maximum(opening, least), -np.inf))
        openings.append(np.maximum(opening, least))
    return Settled(edges, solutions, steps, openings)


def _owners(edges: Ends | ClosedEdges, solutions: list[Solution]) -> list[Solution]:
    """The solution beside each edge."""
    found = []
    for _, points, normals in edges.edges:
        beside = points[:1] + BESIDE * normals[:1] * np.max(edges.sizes())
        found.append(solutions[int(edges.which(beside)[0][0])])
    return found


def _conditions(problem: Problem, domain: Domain) -> list[Condition]:
    """The conditions of the boundary that are left on a part of the domain."""
    left = [(c, name) for c in problem.conditions for name in c.parts(problem) if name in domain.parts]
    return [c.on_part(name) for c, name in left]


def _joined(plan: Plan, contact: Touching, found: Settled, seconds: float) -> Solution:
    """One function: the obstacle in contact, the solutions elsewhere."""
    coordinates = contact.free.coordinates
    obstacles = tuple(formula_with_derivatives(b.psi, coordinates) for b in contact.barriers)
    basis = InContact(tuple(s.basis for s in found.solutions), found.edges, obstacles)
    worst = max(found.solutions, key=lambda s: s.error)
    known = worst.diagnostics
    height = _height(found)
    error = known.error + found.lift / height
    messages = tuple(m for s in found.solutions for m in s.diagnostics.messages)
    coefficients = np.concatenate([s.coefficients for s in found.solutions])
    note = f"the edge of the contact set is known to {_edge_error(found):.1e}"
    made = replace(known, error=error, messages=messages, notes=(*known.notes, note), seconds={"contact": seconds})
    made = replace(made, triangle=None, stated_rank=known.rank)
    limit = ACCEPTABLE if plan.tol is None else plan.tol
    if error > limit and not messages:
        text = (
            f"The solution with its contact has an estimated relative error of {error:.1e}; the edge of the contact "
            f"set is known to {_edge_error(found):.1e}."
        )
        made = replace(made, messages=(Message(EstimateWarning, text),))
    return _with_doubt(contact, Solution(plan.problem, basis, coefficients, plan.values, made))


def _edge_error(found: Settled) -> float:
    return max(float(np.abs(s).max()) for s in found.steps)


def _with_doubt(contact: Touching, solution: Solution) -> Solution:
    """The solution, with a message if it passes the obstacle somewhere or is held back: contact was overlooked."""
    points = contact.free.domain.interior(MANY, "quasi", 1)
    values = solution.value_of(contact.unknown, points)
    error = BELOW * max(solution.error, ROUNDING) * float(np.abs(values).max())
    edges = getattr(solution.basis, "edges", None)
    number, barrier = (np.zeros(len(points)), None) if edges is None else edges.which(points)
    for k, b in enumerate(contact.barriers):
        gap = b.side * solution.value_of(contact.unknown - b.psi, points)
        wrong = (number >= 0) & (gap < -error)
        if barrier is not None:
            force = contact.force(b)(points)
            wrong |= (number < 0) & (barrier == k) & (force < -LIFTED * np.abs(force).max())
        if wrong.any():
            place = ", ".join(f"{c:.3g}" for c in points[wrong][0])
            text = (
                f"The contact with {written(b.psi)} is not right everywhere: at ({place}) the solution passes the "
                f"obstacle or is held where it would leave it. A small place of contact may have been overlooked; "
                f"solve on a smaller domain around it to see it."
            )
            known = solution.diagnostics
            message = Message(AccuracyWarning, text)
            return replace(solution, diagnostics=replace(known, messages=(*known.messages, message)))
    return solution
