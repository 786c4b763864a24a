"""What holds: unknowns, operators, conditions and the problem that they state."""

from transnet.problem.by_piece import ByPiece, Inside, Jump, Slope, by_piece, in_piece, inside, jump
from transnet.problem.condition import Condition
from transnet.problem.conditions import at, data, mean, on, periodic
from transnet.problem.conserved import Conserved, conserved, is_conserved
from transnet.problem.elsewhere import integral
from transnet.problem.equations import expressions_of, piece_of, shortened, text_of, written
from transnet.problem.far import AtInfinity, Far, Outgoing, at_infinity, exterior_of, outgoing, refuse_unbounded
from transnet.problem.front import Front, curvature, front
from transnet.problem.inequality import Inequality, Obstacle, Unilateral, obstacle, refuse_unsettled
from transnet.problem.kinds import At, Data, On
from transnet.problem.numpy_functions import accept_numpy_functions
from transnet.problem.operators import (
    biharmonic,
    curl,
    div,
    grad,
    laplacian,
    normal,
    normal_derivative,
    surface_divergence,
    surface_gradient,
    surface_laplacian,
)
from transnet.problem.problem import Problem
from transnet.problem.unknowns import Given, Lagged, NormalComponent, given, has_any, lagged, unknown, vector
from transnet.problem.whole import Mean, Periodic

accept_numpy_functions()

__all__ = [
    "At", "AtInfinity", "ByPiece", "Condition", "Conserved", "Data", "Far", "Front", "Given", "Inequality",
    "Inside", "Jump", "Lagged", "Mean", "NormalComponent", "Obstacle", "On", "Outgoing", "Periodic", "Problem",
    "Slope", "Unilateral", "at", "at_infinity", "biharmonic", "by_piece", "conserved", "curl", "curvature", "data",
    "div", "expressions_of", "exterior_of", "front", "given", "grad", "has_any", "in_piece", "inside", "integral",
    "is_conserved", "jump", "lagged", "laplacian", "mean", "normal", "normal_derivative", "obstacle", "on",
    "outgoing", "periodic", "piece_of", "refuse_unbounded", "refuse_unsettled", "shortened", "surface_divergence",
    "surface_gradient", "surface_laplacian", "text_of", "unknown", "vector", "written",
]  # fmt: skip
