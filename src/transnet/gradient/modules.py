"""`solution.to_torch()`, `solution.to_jax()` and `solution.to_onnx()`: a solution as a network of other libraries.

A solution that is a plain network is taken along as it is. One of other functions (those that solve the equation,
products of polynomials, pieces, slabs) is fitted by a network first, which has an error of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import EstimateWarning, Message, ProblemError, missing_extra, warn
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.problem import Problem, given
from transnet.remember import Remembered
from transnet.solution.solution import Solution
from transnet.writing import replacing, target

TOL, SECONDS = 1e-8, 20.0
"""The relative error that a fitted network is asked for, and the time that it may take for each unknown."""
TOLD = 1e-5
"""A fit that misses more of the solution is told."""
KNOWN = ("tanh", "sin", "gauss")
"""Activations that other libraries have, or that are made of what they have."""
OPSET = 17
"""The version of ONNX's operations: sines have been there for long."""


@dataclass(frozen=True, eq=False)
class Plain:
    """Networks x -> alpha.s(... W (x - centre) / scale + b ...) + alpha_0, one for each unknown.

    Parameters
    ----------
    nets : tuple
        For each unknown its hidden layers (weights, biases, activation), its output weights and its constant.
    missed : float
        What a fitted network misses of the solution, relative.
    """

    centre: np.ndarray
    scale: np.ndarray
    nets: tuple[tuple[tuple[tuple[np.ndarray, np.ndarray, str], ...], np.ndarray, float], ...]
    missed: float = 0.0


_plain: Remembered[Solution, Plain] = Remembered()


def plain_network(solution: Solution) -> Plain:
    """The solution as plain networks; a warning says if a fit misses much."""
    made = _plain.get(solution, "plain", lambda: _made(solution))
    if not made.missed <= TOLD:
        text = (
            f"The network fitted to the solution misses {made.missed:.1e} of it: its functions at corners, fronts or "
            f"interfaces are not those of one network. solution(points) itself takes torch and JAX arrays, too."
        )
        warn([Message(EstimateWarning, text)])
    return made


def _made(solution: Solution) -> Plain:
    basis = solution.basis
    if isinstance(basis, Basis) and basis.known is None and all(map(_is_plain, basis.spaces)):
        return _of_basis(basis, solution.coefficients)
    problem = solution.problem
    if isinstance(problem.domain, Pieces):
        raise ProblemError(
            "A solution on a domain of pieces is not one network: its derivatives jump at interfaces. "
            "solution(points) itself takes torch and JAX arrays."
        )
    if any(len(u.args) < len(problem.coordinates) for u in problem.unknowns):
        raise ProblemError("A solution with unknowns of fewer coordinates than the domain is not one network.")
    parts, missed = [], 0.0
    for k, unknown in enumerate(problem.unknowns):
        fitted = carried_out(
            Plan(
                Problem(problem.domain, [sp.Eq(unknown, _values_of(solution, k))], []),
                tol=max(TOL, min(solution.error, TOLD)), method="network", seconds=SECONDS,
            )
        )  # fmt: skip
        assert isinstance(fitted.basis, Basis)
        parts.append(_of_basis(fitted.basis, fitted.coefficients))
        missed = max(missed, fitted.error)
    return Plain(parts[0].centre, parts[0].scale, tuple(p.nets[0] for p in parts), missed)


def _values_of(solution: Solution, unknown: int) -> sp.Expr:
    coordinates = solution.problem.coordinates
    slot = (unknown, (0,) * len(coordinates))

    def values(*arrays: np.ndarray) -> np.ndarray:
        points = np.stack([np.ravel(a) for a in np.broadcast_arrays(*arrays)], axis=1).astype(float)
        found = solution.basis.derivatives(solution.coefficients, points, [slot])[0]
        return np.asarray(found).reshape(np.broadcast_shapes(*(np.shape(a) for a in arrays)))

    return given("solved", values, *coordinates)


def _is_plain(space: FeatureSpace) -> bool:
    names = [space.activation.name, *(layer.activation.name for layer in space.inner)]
    return bool(space.neurons) and not len(space.singular) and all(n in KNOWN for n in names)


def _of_basis(basis: Basis, coefficients: np.ndarray) -> Plain:
    nets = []
    for k, space in enumerate(basis.spaces):
        own = coefficients[basis.slice_of(k)]
        hidden = [(layer.weights, layer.biases, layer.activation.name) for layer in space.inner]
        hidden.append((space.weights, space.biases, space.activation.name))
        nets.append((tuple(hidden), np.array(own[space.neuron_columns]), float(own[0])))
    return Plain(basis.placement.centre, basis.placement.scale, tuple(nets))


# -- torch and JAX -----------------------------------------------------------------------------------------------------
def torch_module(solution: Solution) -> Any:
    """The solution as a `torch.nn.Module` in double precision: (n, d) -> (n,), or (n, unknowns)."""
    try:
        import torch
    except ImportError as error:
        raise missing_extra("PyTorch", "torch", "solution.to_torch()") from error
    plain = plain_network(solution)
    functions = {"tanh": torch.tanh, "sin": torch.sin, "gauss": lambda z: torch.exp(-(z**2) / 2)}

    def held(array: Any) -> Any:
        return torch.nn.Parameter(torch.as_tensor(np.array(array, float)), requires_grad=False)

    class Network(torch.nn.Module):
        """The hidden neurons were placed, not trained; the output weights can be trained further."""

        def __init__(self) -> None:
            super().__init__()
            self.centre, self.scale = held(plain.centre), held(plain.scale)
            self.hidden = torch.nn.ParameterList()
            self.output = torch.nn.ParameterList()
            for layers, weights, constant in plain.nets:
                self.hidden.extend([held(array) for w, b, _ in layers for array in (w, b)])
                self.output.append(torch.nn.Parameter(torch.as_tensor(np.append(weights, constant))))

        def forward(self, points: Any) -> Any:
            placed = (points - self.centre) / self.scale
            values, arrays = [], iter(self.hidden)
            for (layers, _, _), output in zip(plain.nets, self.output, strict=True):
                at = placed
                for _, _, name in layers:
                    weights, biases = next(arrays), next(arrays)
                    at = functions[name](at @ weights.T + biases)
                values.append(at @ output[:-1] + output[-1])
            return values[0] if len(values) == 1 else torch.stack(values, dim=-1)

    return Network()


def jax_function(solution: Solution) -> Callable[[Any], Any]:
    """The solution as a pure function of JAX arrays, (n, d) or (d,), for `jax.jit`, `jax.grad` and `jax.vmap`."""
    try:
        import jax.numpy as jnp
    except ImportError as error:
        raise missing_extra("JAX", "jax", "solution.to_jax()") from error
    plain = plain_network(solution)
    functions = {"tanh": jnp.tanh, "sin": jnp.sin, "gauss": lambda z: jnp.exp(-(z**2) / 2)}

    def network(points: Any) -> Any:
        placed = (jnp.asarray(points) - plain.centre) / plain.scale
        values = []
        for layers, output, constant in plain.nets:
            at = placed
            for weights, biases, name in layers:
                at = functions[name](at @ weights.T + biases)
            values.append(at @ output + constant)
        return values[0] if len(values) == 1 else jnp.stack(values, axis=-1)

    return network


# -- ONNX --------------------------------------------------------------------------------------------------------------
def write_onnx(solution: Solution, path: str | Path) -> Path:
    """Write the solution as an ONNX model in double precision: `points` (n, d) -> `values` (n, unknowns)."""
    try:
        from onnx import TensorProto, checker, helper, numpy_helper, save
    except ImportError as error:
        raise missing_extra("onnx", "onnx", "solution.to_onnx()") from error
    file, plain = target(path), plain_network(solution)
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(array: Any) -> str:
        name = f"c{len(constants)}"
        constants.append(numpy_helper.from_array(np.ascontiguousarray(array, dtype=float), name))
        return name

    def node(kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    placed = node("Div", node("Sub", "points", constant(plain.centre)), constant(plain.scale))
    columns = []
    for layers, output, shift in plain.nets:
        at = placed
        for weights, biases, name in layers:
            at = node("Add", node("MatMul", at, constant(weights.T)), constant(biases))
            if name == "gauss":
                at = node("Exp", node("Mul", node("Mul", at, at), constant(-0.5)))
            else:
                at = node({"tanh": "Tanh", "sin": "Sin"}[name], at)
        columns.append(node("Add", node("MatMul", at, constant(output[:, None])), constant(shift)))
    last = node("Concat", *columns, axis=1)
    nodes[-1].output[0], last = "values", "values"
    d = len(plain.centre)
    graph = helper.make_graph(
        nodes,
        "transnet",
        [helper.make_tensor_value_info("points", TensorProto.DOUBLE, ["n", d])],
        [helper.make_tensor_value_info(last, TensorProto.DOUBLE, ["n", len(columns)])],
        constants,
        doc_string=f"u = {', '.join(map(str, solution.problem.unknowns))}",
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="transnet")
    checker.check_model(model)
    with replacing(file) as partial:
        save(model, str(partial))
    return file
