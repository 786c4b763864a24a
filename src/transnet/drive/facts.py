"""What is known of a problem before it is solved: computed once, when a method first asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.checks.backward import backward
from transnet.choose.harmonic import Harmonic, harmonic_of
from transnet.facts.conditions import missing_conditions
from transnet.geometry import Box, Pieces, Slit
from transnet.problem import Problem, exterior_of, is_conserved, refuse_unsettled
from transnet.rows.jumps import may_be_rough, may_jump
from transnet.rows.points import inside_of
from transnet.rows.statements import Statement, statements_of
from transnet.rows.unseen import Spot, all_spots
from transnet.tolerances import SAME

if TYPE_CHECKING:
    from transnet.blocks.stated import BlockProblem
    from transnet.boxes.statement import Steady
    from transnet.drive.plan import Plan
    from transnet.pieces.laws import Laws
    from transnet.plane.statement import PlaneEvolution
    from transnet.slabs.evolution import Evolution
    from transnet.steps.statement import Rothe

MARCHED, WITHOUT_MATRIX = 2, 3
"""The most coordinates of space for slabs with a matrix, and without one: there would be too many polynomials."""
MISFIT = 1e-3
"""Initial values that violate a boundary condition by more, relative to its terms, produce a layer."""


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts of a problem with values for its parameters.

    Parameters
    ----------
    stated : Problem
        As the user states it. `problem` is the same on pieces between the lines where its equations jump.
    may_cut : bool
        Whether the options allow that.
    """

    stated: Problem
    values: dict[sp.Symbol, Any]
    may_cut: bool = True

    @staticmethod
    def of(plan: Plan) -> Facts:
        """The facts of a plan."""
        refuse_unsettled(plan.problem, "A method of solution")
        return Facts(plan.problem, plan.values, plan.may_cut)

    @cached_property
    def special(self) -> str:
        """What only methods that name it can solve: "unbounded" domains, "conserved" quantities; "" for the others."""
        if exterior_of(self.stated.domain) is not None:
            return "unbounded"
        return "conserved" if is_conserved(self.stated) else ""

    @cached_property
    def numbers(self) -> tuple[Any, ...]:
        """The values of the parameters, in order."""
        return tuple(self.values.values())

    @cached_property
    def problem(self) -> Problem:
        """The problem, on pieces between the lines across which coefficients or sources of its equations jump."""
        if may_jump(self.stated) and not self._jumps_in_steps:
            from transnet.cuts.piecewise import in_pieces_of_lines

            between_lines = in_pieces_of_lines(self.stated)
            if between_lines is not None:
                return between_lines
        steady = may_be_rough(self.stated) and self.may_cut and self._in_cells(self.stated, (1, 2, 3))
        if steady and isinstance(self.rothe, str) and isinstance(self._evolution_of(self.stated), str):
            from transnet.cuts.piecewise import in_pieces_of_sources

            return in_pieces_of_sources(self.stated) or self.stated
        return self.stated

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the problem, compiled."""
        return statements_of(self.problem)

    @cached_property
    def linear(self) -> bool:
        """Whether one least-squares solve gives the solution."""
        if self.materials:
            return self.laws.linear
        return all(s.equation.linear for s in self.statements)

    @cached_property
    def laws(self) -> Laws:
        """What holds in each material and across interfaces."""
        from transnet.pieces.laws import Laws

        return Laws(self.problem)

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return self.problem.domain.dimension

    @property
    def materials(self) -> bool:
        """Whether the domain consists of pieces."""
        return isinstance(self.problem.domain, Pieces)

    @cached_property
    def backward(self) -> bool:
        """Whether it is a heat equation against the direction of time."""
        return not self.materials and backward(self.problem, self.statements, self.numbers) is not None

    # -- time ------------------------------------------------------------------------------------------------------
    @cached_property
    def evolution(self) -> Evolution | str:
        """The problem as an evolution on an interval or a box, or why it is none."""
        return "The domain consists of pieces." if self.materials else self._evolution_of(self.problem)

    @staticmethod
    def _evolution_of(problem: Problem) -> Evolution | str:
        from transnet.slabs.evolution import evolution_of

        return evolution_of(problem)

    @cached_property
    def slabbed(self) -> Evolution | str:
        """The problem as an evolution for time slabs, or why it is none: too few conditions, too many polynomials."""
        found = self.evolution
        if isinstance(found, str):
            return found
        if missing_conditions(self.problem):
            return "There are too few conditions."
        space = len(found.bounds[0])
        if space <= MARCHED:
            return found
        if space > WITHOUT_MATRIX:
            return f"In {space} coordinates of space there would be too many polynomials."
        if self._free_of_matrix(found):
            return found
        return f"In {space} coordinates of space its matrix would be too large."

    def _free_of_matrix(self, evolution: Evolution) -> bool:
        from transnet.slabs.prepare import first_features
        from transnet.slabs.systems import free_of_matrix

        return free_of_matrix(evolution, first_features(evolution), self.numbers)

    @cached_property
    def rothe(self) -> Rothe | str:
        """The problem as an evolution of two coordinates of space on any domain, or why it is none."""
        if self.stated.domain.dimension != 3:
            return "It does not have two coordinates of space and one of time."
        from transnet.steps.statement import rothe_of

        return rothe_of(self.stated)

    @cached_property
    def stepped(self) -> Rothe | str:
        """The problem for steps in time, or why there are better ways."""
        if isinstance(self.rothe, str):
            return self.rothe
        one = not isinstance(self.stated.domain, Pieces)
        if one and missing_conditions(self.stated):
            return "There are too few conditions."
        # Pieces with coefficients of their own are neither a single statement nor a box.
        box = self._evolution_of(self.stated) if one else "Several materials are not a box."
        if isinstance(box, str) or (not box.periodic and box.pressures):
            return self.rothe
        # With a matrix there are too few polynomials for the layers of initial values that do not fit the walls.
        if set(self.rothe.orders) == {1} and not self._free_of_matrix(box) and not self.start_fits:
            return self.rothe
        return "On a box time slabs of polynomials do better."

    @cached_property
    def planar(self) -> PlaneEvolution | str:
        """The problem as an evolution for slabs in cells of a plane domain, or why it is none."""
        if isinstance(self.stepped, str):
            return self.stepped
        from transnet.plane.statement import plane_evolution

        return plane_evolution(self.stepped)

    @cached_property
    def regional(self) -> Evolution | str:
        """The problem as an evolution for slabs of polynomials on its domain of space, or why it is none."""
        if isinstance(self.stepped, str):
            return self.stepped
        if self.materials:
            return "There are several materials."
        if not self.start_fits and not self.stepped.waves:
            return "Its initial values do not fit the conditions on its sides."
        from transnet.slabs.evolution import evolution_of
        from transnet.slabs.region_rows import refused

        found = evolution_of(self.problem, self.stepped.elliptic.domain)
        return found if isinstance(found, str) else refused(found) or found

    @cached_property
    def start_fits(self) -> bool:
        """Whether initial values satisfy the boundary conditions: if not there is a layer, which one network smears."""
        from transnet.steps.fits import start_misfit

        assert not isinstance(self.rothe, str)
        return start_misfit(self.rothe, dict(self.values)) <= MISFIT

    @cached_property
    def breaks(self) -> tuple[float, ...]:
        """The times at which equations or conditions of a stepped problem jump."""
        from transnet.slabs.stops import stops_of
        from transnet.steps.statement import stated_in_time

        return () if isinstance(self.rothe, str) else stops_of(self.rothe, stated_in_time(self.rothe), self.numbers)

    @cached_property
    def marches(self) -> bool:
        """Whether it is an evolution that one network of space and time resolves badly."""
        if not isinstance(self.slabbed, str):
            return True
        if isinstance(self.stepped, str):
            return False
        if self.materials or bool(self.breaks) or not self.start_fits:
            return True
        corners = self.stepped.elliptic.domain.corners_and_holes[0]
        return not isinstance(self.planar, str) and any(c.opening() > np.pi * (1 + SAME) for c in corners)

    @cached_property
    def _jumps_in_steps(self) -> bool:
        """Whether all that jumps in the equations does so in time: steps end then."""
        if isinstance(self.stepped, str):
            return False
        from transnet.steps.statement import jumps_only_in_time

        return jumps_only_in_time(self.stepped)

    # -- space -----------------------------------------------------------------------------------------------------
    @cached_property
    def steady(self) -> Steady | None:
        """The problem as a steady one on a box."""
        from transnet.boxes.statement import steady_of

        return None if self.materials else steady_of(self.problem)

    @cached_property
    def spots(self) -> list[Spot]:
        """The small places where loads, coefficients or boundary data are concentrated."""
        return [] if self.materials else all_spots(self.problem, self.statements, self.numbers)

    @cached_property
    def harmonic(self) -> Harmonic | None:
        """The functions that solve the equation, and a particular solution."""
        return harmonic_of(self.stated, self.values, inside_of(self.stated.domain))

    @cached_property
    def in_cells(self) -> str:
        """Why the problem cannot be stated cell by cell; empty if it can."""
        return "" if self._in_cells(self.problem, (1, 2, 3)) else self._not_in_cells(self.problem, (1, 2, 3))

    def _in_cells(self, problem: Problem, dimensions: tuple[int, ...]) -> bool:
        return not self._not_in_cells(problem, dimensions)

    @staticmethod
    def _not_in_cells(problem: Problem, dimensions: tuple[int, ...]) -> str:
        d = problem.domain.dimension
        if not problem.domain.solid:
            return "a surface is not cut into cells"
        if isinstance(problem.domain, Slit):
            return "cells do not distinguish the sides of a slit"
        if d not in dimensions:
            return f"in {d} coordinates there would be too many"
        if isinstance(problem.domain, Pieces):
            return ""
        if any(len(u.args) != d for u in problem.unknowns):
            return "an unknown does not depend on all coordinates"
        equations = [s.equation for s in statements_of(problem) if s.kind == "equation"]
        if len(equations) < len(problem.unknowns):
            return "there are fewer equations than unknowns: what data determine, they determine everywhere at once"
        if not any(equation.order for equation in equations):
            return "without derivatives there is nothing to glue"
        whole = {(), tuple(problem.unknowns)}
        if any(c.unknowns not in whole or not c.in_cells for c in problem.conditions):
            return "a condition concerns several places, or some of the unknowns, at once"
        return ""

    @cached_property
    def blocks(self) -> BlockProblem | str:
        """The problem on a body made of boxes in weak form, or why it is none."""
        if self.dimension != 3 or self.in_cells:
            return self.in_cells or "it is for bodies in space"
        from transnet.blocks.body import body_of
        from transnet.blocks.stated import block_problem
        from transnet.cells.stated import CellProblem

        if any(c.boundary is None or c.period is not None for c in self.problem.conditions):
            return "a condition does not hold on the boundary"
        if any(isinstance(d, Box) and any(name == "t" for name in d.names) for d in [self.problem.domain]):
            return "it is for bodies in space"
        body = body_of(self.problem.domain)
        if body is None:
            return "the body does not consist of boxes along the axes"
        if self.materials:
            return block_problem(CellProblem.of_materials(self.laws, self.numbers), body)
        statements = statements_of(self.problem, lagged=False)
        if any(s.equation.places for s in statements):
            return "a condition does not hold on the boundary"
        return block_problem(CellProblem.of(self.problem, statements, self.numbers), body)

    @property
    def block_edges(self) -> bool:
        """Whether it is a body made of boxes with edges at which derivatives are unbounded."""
        return self.dimension == 3 and not isinstance(self.blocks, str) and bool(self.blocks.graded)

    @cached_property
    def edged(self) -> bool:
        """Whether a body has inner edges, or others at which derivatives are unbounded, and their functions are
        known."""
        if self.dimension != 3 or isinstance(self.problem.domain, Box) or self.materials or not self.linear:
            return False
        if self.in_cells:
            return False
        from transnet.pieces.edges import space_edges_of

        return any(edge.strong for edge in space_edges_of(self.laws, self.numbers))

    @cached_property
    def jumping(self) -> bool:
        """Whether boundary values of a system jump, or a flow turns around a corner whose functions are not known."""
        if len(self.problem.unknowns) < 2 or self.materials or self.dimension != 2:
            return False
        from transnet.choose.sectors import sectors_of
        from transnet.pieces.jumps import jumps_of

        found = jumps_of(self.problem, self.numbers)
        if found and not found.of_values and self.linear:
            return sectors_of(self.problem, self.statements, self.numbers) is None
        return bool(found)
