"""A physics-informed neural network: hidden and output layer trained together on the residual, as in the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.calls import explained
from transnet.clock import Clock
from transnet.engines.shortage import refuse_if_too_large
from transnet.errors import ProblemError, missing_extra
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.judge.diagnose import held_out_residuals
from transnet.judge.expanded import expanded_solution
from transnet.paper.baselines.random_features import torch_linear
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

INNER = 20
"""Iterations of L-BFGS within one step: PyTorch's default, which matches the paper's computing times."""
SAVED = 14
"""Arrays of the size of points times neurons that a training step holds at once (measured)."""


@explained
@dataclass(frozen=True)
class PINN:
    """A network of one hidden layer of tanh neurons, trained by Adam and then by L-BFGS.

    Several unknowns share the hidden layer and have one output each. It uses double precision, so that rounding is not
    a limit. The loss is the sum over the statements of the mean square of their residuals.

    Parameters
    ----------
    neurons : int
        The number of hidden neurons.
    adam_steps, lbfgs_steps : int
        Steps of Adam on all points, then calls of `torch.optim.LBFGS.step`, each of at most 20 iterations.
    learning_rate, decay, decay_every : float, float, int
        Adam's learning rate is multiplied by `decay` after every `decay_every` steps.
    points : Points, optional
        The collocation points; by default chosen from their number.
    condition_weight : float
        The factor of the residuals of conditions.
    seed : int
        Random seed: PyTorch's default initialisation, drawn with NumPy.
    progress : callable, optional
        Called as progress(step, steps, loss) after every step.
    """

    neurons: int
    adam_steps: int = 5000
    lbfgs_steps: int = 200
    learning_rate: float = 1e-3
    decay: float = 0.7
    decay_every: int = 1000
    points: Points | None = None
    condition_weight: float = 1.0
    seed: int = 0
    progress: Callable[[int, int, float], None] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.neurons < 1:
            raise ProblemError(f"A network needs at least one neuron, not {self.neurons}.")
        if self.adam_steps < 0 or self.lbfgs_steps < 0:
            raise ProblemError(f"Steps cannot be negative: {self.adam_steps} of Adam, {self.lbfgs_steps} of L-BFGS.")

    def solve(self, problem: Problem, parameters: Mapping[Any, Any] | None = None) -> Solution:
        """Train on a problem, linear or not."""
        return list(self.stages(problem, parameters))[-1]

    def stages(self, problem: Problem, parameters: Mapping[Any, Any] | None = None) -> Iterator[Solution]:
        """The solutions after Adam and, if there are such steps, after L-BFGS."""
        try:
            import torch

            from transnet.paper.baselines.network import Loss, Weights
        except ImportError as error:
            raise missing_extra("torch", "pinn", "Training a PINN") from error
        clock = Clock()
        values = parameter_values(problem, parameters)
        numbers = tuple(values.values())
        placement = Placement.of(problem.domain)
        dimension, unknowns = problem.domain.dimension, len(problem.unknowns)
        # A descent differentiates every factor, including those marked as lagged.
        statements = statements_of(problem, lagged=False)
        blocks = collocate(problem, statements, unknowns * (self.neurons + 1), self.points, self.seed)
        rows = sum(len(p) for p in {id(b.points): b.points for b in blocks}.values())
        refuse_if_too_large(
            8.0 * SAVED * rows * self.neurons,
            f"Training {self.neurons} neurons on {rows} points",
            "Use fewer neurons or fewer points.",
        )
        factors = [1.0 if b.statement.kind == "equation" else self.condition_weight for b in blocks]
        loss = Loss(blocks, factors, placement, numbers)
        rng = np.random.default_rng(self.seed)
        arrays = [*torch_linear(dimension, self.neurons, rng), *torch_linear(self.neurons, unknowns, rng)]
        weights = Weights(*(torch.from_numpy(a).requires_grad_() for a in arrays))
        clock.lap("assemble")

        def solution() -> Solution:
            hidden, biases, output, constants = (w.detach().numpy().copy() for w in weights.all())
            basis = Basis((FeatureSpace(hidden, biases),) * unknowns, placement)
            coefficients = np.empty(basis.columns)
            for k in range(unknowns):
                coefficients[basis.slice_of(k)] = [constants[k], *output[k]]
            residuals = held_out_residuals(problem, basis, coefficients, numbers, factors, blocks)
            solver = "Adam" if "lbfgs" not in clock.laps else "Adam + L-BFGS"
            return expanded_solution(
                problem, basis, coefficients, values, solver=solver, residuals=residuals, blocks=blocks,
                shape=(sum(b.rows for b in blocks), basis.columns), seconds=dict(clock.laps), stated_rank=None,
            )  # fmt: skip

        total = self.adam_steps + self.lbfgs_steps
        adam = torch.optim.Adam(weights.all(), lr=self.learning_rate)
        schedule = torch.optim.lr_scheduler.StepLR(adam, self.decay_every, self.decay)
        for step in range(self.adam_steps):
            adam.zero_grad()
            value = loss(weights)
            value.backward()
            adam.step()
            schedule.step()
            self._tell(step + 1, total, value)
        clock.lap("adam")
        yield solution()
        if not self.lbfgs_steps:
            return
        lbfgs = torch.optim.LBFGS(
            weights.all(), max_iter=INNER, history_size=100, tolerance_grad=0.0, tolerance_change=0.0,
            line_search_fn="strong_wolfe",
        )  # fmt: skip

        def closure() -> Any:
            lbfgs.zero_grad()
            now = loss(weights)
            now.backward()
            return now

        for step in range(self.lbfgs_steps):
            value = lbfgs.step(closure)
            self._tell(self.adam_steps + step + 1, total, value)
        clock.lap("lbfgs")
        yield solution()

    def _tell(self, step: int, steps: int, loss: Any) -> None:
        if self.progress is not None:
            self.progress(step, steps, float(loss.detach()))
