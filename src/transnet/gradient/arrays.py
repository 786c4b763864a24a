"""`tn.to_torch` and `tn.to_jax`: results as functions of arrays of parameters, with their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import explained
from transnet.errors import ProblemError, missing_extra
from transnet.gradient.response import TOL, Response
from transnet.prepared.prepared import Prepared
from transnet.problem import Problem


@dataclass(frozen=True, eq=False)
class Mapped:
    """Results as a function of parameters: from values (n, p) to results (n, m) and their derivatives (n, m, p)."""

    response: Response
    over: tuple[sp.Symbol, ...]
    fixed: Mapping[Any, float]
    tol: float

    @property
    def count(self) -> int:
        """How many results."""
        return len(self.response.results)

    def __call__(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n, p, m = len(values), len(self.over), self.count
        found, slopes = np.zeros((n, m)), np.zeros((n, m, p))
        for i, row in enumerate(np.asarray(values, float)):
            named = {**self.fixed, **dict(zip(self.over, row.tolist(), strict=True))}
            solution = self.response.solved(named, self.tol)
            for j, number in enumerate(self.response.numbers(solution)):
                found[i, j], slopes[i, j] = float(number), self.response.slopes(solution, number, self.over)
        return found, slopes


def mapped(
    problem: Problem | Prepared, results: Any, over: Any, parameters: Mapping[Any, float] | None, tol: float
) -> Mapped:
    """The results of a problem as a function; an error if a parameter has no place."""
    response = Response.of(problem, results)
    problem = response.problem
    fixed = {str(k): float(v) for k, v in (parameters or {}).items()}
    by_name = {p.name: p for p in problem.parameters}
    there = ", ".join(by_name) or "none"
    names = [str(p) for p in over] if over is not None else [n for n in by_name if n not in fixed]
    strange = [n for n in (*names, *fixed) if n not in by_name]
    missing = [n for n in by_name if n not in names and n not in fixed]
    if strange or missing or not names:
        raise ProblemError(
            f"The parameters of the problem are {there}: each is an argument, named by over=, or "
            f"has a value in parameters=. {', '.join((*strange, *missing)) or 'Nothing'} is not, or is left to vary."
        )
    return Mapped(response, tuple(by_name[n] for n in names), {by_name[n]: v for n, v in fixed.items()}, tol)


@explained
def to_torch(
    problem: Problem | Prepared,
    results: Any,
    *,
    over: Sequence[Any] | None = None,
    parameters: Mapping[Any, float] | None = None,
    tol: float = TOL,
) -> Callable[..., Any]:
    """Results of a problem as a function of torch tensors, with a backward pass.

    Parameters
    ----------
    problem : Problem or Prepared
        What is solved; a prepared problem keeps its factorisation.
    results : callable, or sequence of them
        From a solution to a result: `[lambda s: s.integral(u), lambda s: s.flux("rim")]`.
    over : sequence of symbols, optional
        The parameters that are the arguments, in this order; by default all without a value.
    parameters : mapping, optional
        The values of the others.

    Returns
    -------
    callable
        `f(k, r)` of tensors, numbers or batches (n,), in double precision: a tensor (results,), or (n, results).
    """
    try:
        import torch
    except ImportError as error:
        raise missing_extra("PyTorch", "torch", "tn.to_torch") from error
    function = mapped(problem, results, over, parameters, tol)

    class Solved(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, values: Any) -> Any:
            found, slopes = function(values.detach().cpu().numpy())
            context.save_for_backward(torch.as_tensor(slopes))
            return torch.as_tensor(found).to(values.device)

        @staticmethod
        def backward(context: Any, *gradients: Any) -> Any:
            (slopes,) = context.saved_tensors
            return torch.einsum("nm,nmp->np", gradients[0].cpu(), slopes).to(gradients[0].device)

    def call(*arguments: Any) -> Any:
        refuse_other_counts(function, arguments)
        tensors = [torch.as_tensor(a, dtype=torch.float64) for a in arguments]
        batch = torch.broadcast_tensors(*tensors)
        found = Solved.apply(torch.stack([b.reshape(-1) for b in batch], dim=1))
        return found.reshape(*batch[0].shape, function.count)

    return call


@explained
def to_jax(
    problem: Problem | Prepared,
    results: Any,
    *,
    over: Sequence[Any] | None = None,
    parameters: Mapping[Any, float] | None = None,
    tol: float = TOL,
) -> Callable[..., Any]:
    """Results of a problem as a function of JAX arrays, with a derivative; the arguments are those of `to_torch`.

    It works under `jax.grad`, `jax.jit` and `jax.vmap`. Double precision is needed:
    `jax.config.update("jax_enable_x64", True)`.
    """
    try:
        import jax
        import jax.numpy as jnp
    except ImportError as error:
        raise missing_extra("JAX", "jax", "tn.to_jax") from error
    function = mapped(problem, results, over, parameters, tol)
    m, p = function.count, len(function.over)

    def outside(values: Any) -> Any:
        n = values.shape[0]
        shapes = (jax.ShapeDtypeStruct((n, m), values.dtype), jax.ShapeDtypeStruct((n, m, p), values.dtype))

        def solved(array: Any) -> Any:
            return tuple(part.astype(values.dtype) for part in function(np.asarray(array)))

        return jax.pure_callback(solved, shapes, values, vmap_method="sequential")

    @jax.custom_vjp
    def found(values: Any) -> Any:
        return outside(values)[0]

    def forward(values: Any) -> Any:
        return outside(values)

    def backward(slopes: Any, gradients: Any) -> Any:
        return (jnp.einsum("nm,nmp->np", gradients, slopes),)

    found.defvjp(forward, backward)

    def call(*arguments: Any) -> Any:
        refuse_other_counts(function, arguments)
        if not jax.config.read("jax_enable_x64"):
            raise ProblemError(
                'JAX computes in single precision: call jax.config.update("jax_enable_x64", True) first.'
            )
        batch = jnp.broadcast_arrays(*(jnp.asarray(a, dtype=jnp.float64) for a in arguments))
        values = found(jnp.stack([b.reshape(-1) for b in batch], axis=1))
        return values.reshape(*batch[0].shape, m)

    return call


def refuse_other_counts(function: Mapped, arguments: Sequence[Any]) -> None:
    """Raise if there are not as many arguments as parameters."""
    if len(arguments) != len(function.over):
        names = ", ".join(p.name for p in function.over)
        raise ProblemError(f"The function takes {names}, in this order, and got {len(arguments)} arguments.")
