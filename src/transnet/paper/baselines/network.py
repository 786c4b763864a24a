"""The loss of a network of one hidden layer in PyTorch, for any problem, with derivatives in closed form.

For a tanh neuron D^k s(w.y + b) = w^k s^(|k|)(w.y + b), and s^(n) is a polynomial in tanh. So a residual needs one
evaluation of tanh and a matrix product for each order of derivatives, and a training step needs only first-order
automatic differentiation; a network differentiated by autograd would need it nested once for each order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from transnet.basis.expansion import Slot
from transnet.features.activation import tanh_polynomial
from transnet.features.placement import Placement
from transnet.rows.blocks import Block
from transnet.rows.equation import Equation

Tensor = torch.Tensor


@dataclass(frozen=True, eq=False)
class Weights:
    """All parameters of the network: hidden weights (M, d) and biases (M,), output weights (u, M) and biases (u,)."""

    hidden: Tensor
    biases: Tensor
    output: Tensor
    constants: Tensor

    def all(self) -> list[Tensor]:
        return [self.hidden, self.biases, self.output, self.constants]


def tanh_derivative(order: int, t: Tensor, square: Tensor) -> Tensor:
    """tanh^(n) as the polynomial P_n in t = tanh, by Horner's rule in t^2."""
    coefficients = tanh_polynomial(order)
    odd = (len(coefficients) - 1) % 2
    half = coefficients[odd::2]
    if len(half) == 1:
        return half[0] * t if odd else torch.full_like(t, half[0])
    value = half[-1] * square + half[-2]
    for c in reversed(half[:-2]):
        value = value * square + c
    return value * t if odd else value


class ResidualOf(torch.autograd.Function):
    """F(y, s) of a compiled equation as a function of its slots; its gradient is the compiled dF/ds_j."""

    @staticmethod
    def forward(
        ctx: Any, equation: Equation, points: np.ndarray, normals: Any, parameters: Any, *slots: Tensor
    ) -> Tensor:
        values = [s.detach().numpy() for s in slots]
        ctx.jacobian = equation.jacobian(points, normals, parameters, values)
        return torch.from_numpy(np.array(equation.residual(points, normals, parameters, values)))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        return (None, None, None, None, *(gradients[0] * torch.as_tensor(j) for j in ctx.jacobian))


class LayerProducts(torch.autograd.Function):
    """P_n(tanh(y W' + b)) C_n for several orders n, in slices of points that stay in the cache, forwards and backwards.

    With dL/d(product) = G_n the gradients are dL/dC_n = P_n' G_n and, as P_n differentiates to P_(n+1),
    dL/dz = sum_n (G_n C_n') P_(n+1).
    """

    @staticmethod
    def forward(
        ctx: Any, placed: Tensor, orders: tuple[int, ...], hidden: Tensor, biases: Tensor, *columns: Tensor
    ) -> tuple[Tensor, ...]:
        products = tuple(placed.new_empty((len(placed), c.shape[1])) for c in columns)
        kept = placed.new_empty((len(placed), len(hidden)))
        for here in slices(len(placed), len(hidden)):
            t = torch.tanh(torch.addmm(biases, placed[here], hidden.T), out=kept[here])
            derivatives = tanh_derivatives(t, orders)
            for order, c, product in zip(orders, columns, products, strict=True):
                torch.mm(derivatives[order], c, out=product[here])
        ctx.save_for_backward(placed, kept, *columns)
        ctx.orders = orders
        return products

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        placed, kept, *columns = ctx.saved_tensors
        orders = ctx.orders
        hidden, biases = kept.new_zeros((kept.shape[1], placed.shape[1])), kept.new_zeros(kept.shape[1])
        outer = [torch.zeros_like(c) for c in columns]
        for here in slices(*kept.shape):
            t = kept[here]
            derivatives = tanh_derivatives(t, {n + k for n in orders for k in (0, 1)})
            z = torch.zeros_like(t)
            for order, c, gradient, mine in zip(orders, columns, gradients, outer, strict=True):
                g = gradient[here]
                z.addcmul_(g @ c.T, derivatives[order + 1])
                mine.addmm_(derivatives[order].T, g)
            hidden.addmm_(z.T, placed[here])
            biases += z.sum(dim=0)
        return (None, None, hidden, biases, *outer)


CACHED = 1 << 16
"""Elements of an array of points times width that are processed at a time: with all at once, or an eighth as many, a
step takes 1.5 to 2 times as long."""


def slices(points: int, width: int) -> list[slice]:
    """The points in slices of about `CACHED` elements."""
    step = max(1, CACHED // width)
    return [slice(start, min(start + step, points)) for start in range(0, points, step)]


def tanh_derivatives(t: Tensor, orders: Iterable[int]) -> dict[int, Tensor]:
    """The derivatives of tanh of several orders, from its values."""
    square = t * t
    return {n: tanh_derivative(n, t, square) if n else t for n in orders}


@dataclass(frozen=True, eq=False)
class PointSet:
    """One set of points and the slots that are needed there."""

    placed: Tensor
    slots: tuple[Slot, ...]

    def values(self, weights: Weights, scale: np.ndarray) -> dict[Slot, Tensor]:
        """D^k u_i at the points for every slot (i, k)."""
        orders = tuple(sorted({sum(index) for _, index in self.slots}))
        mine = [[slot for slot in self.slots if sum(slot[1]) == order] for order in orders]
        columns = [torch.stack([self._column(weights, scale, s) for s in slots], dim=1) for slots in mine]
        products = LayerProducts.apply(self.placed, orders, weights.hidden, weights.biases, *columns)
        found = {}
        for order, slots, product in zip(orders, mine, products, strict=True):
            for j, slot in enumerate(slots):
                found[slot] = product[:, j] + weights.constants[slot[0]] if order == 0 else product[:, j]
        return found

    def _column(self, weights: Weights, scale: np.ndarray, slot: Slot) -> Tensor:
        unknown, index = slot
        column = weights.output[unknown] / float(np.prod(scale ** np.array(index)))
        for axis, n in enumerate(index):
            if n:
                column = column * weights.hidden[:, axis] ** n
        return column


class Loss:
    """The sum over the statements of the mean square of their residuals, each with its weight (paper, Eq. ls)."""

    def __init__(
        self, blocks: Sequence[Block], weights: Sequence[float], placement: Placement, parameters: Sequence[Any]
    ) -> None:
        self.blocks, self.weights, self.scale, self.parameters = blocks, weights, placement.scale, parameters
        needed: dict[int, set[Slot]] = {}
        arrays: dict[int, np.ndarray] = {}
        for block in blocks:
            # Statements on the same points share the evaluation of the network.
            for points in block.nodes.places:
                arrays[id(points)] = points
                needed.setdefault(id(points), set()).update(block.slots)
        self.sheets = {
            key: PointSet(torch.from_numpy(np.ascontiguousarray(placement(arrays[key]))), tuple(sorted(slots)))
            for key, slots in needed.items()
        }
        self.fixed = [self._linear_parts(b) for b in blocks]

    def _linear_parts(self, block: Block) -> tuple[list[Tensor], Tensor] | None:
        equation = block.statement.equation
        if not equation.linear:
            return None
        coefficients = equation.jacobian(block.points, block.normals, self.parameters)
        level = equation.residual(block.points, block.normals, self.parameters)
        return [torch.as_tensor(np.array(c)) for c in coefficients], torch.from_numpy(np.array(level))

    def __call__(self, weights: Weights) -> Tensor:
        values = {key: sheet.values(weights, self.scale) for key, sheet in self.sheets.items()}
        total = torch.zeros((), dtype=torch.float64)
        for number, (block, weight) in enumerate(zip(self.blocks, self.weights, strict=True)):
            residual = self._residual(number, self._state(block, values))
            if block.values is not None:
                residual = residual - torch.from_numpy(np.asarray(block.values, dtype=float))
            if block.nodes.fold is not None:
                fold = torch.from_numpy(np.asarray(block.nodes.fold))
                residual = (fold * residual.reshape(fold.shape)).sum(dim=1)
            total = total + weight**2 * torch.mean(residual**2)
        return total

    def _state(self, block: Block, values: dict[int, dict[Slot, Tensor]]) -> list[Tensor]:
        slots = [values[id(block.points)][slot] for slot in block.slots]
        for away in block.nodes.away:
            weights = torch.from_numpy(away.weights)
            there = [values[id(away.points)][slot].reshape(weights.shape) for slot in block.slots]
            slots = [a + (weights * b).sum(dim=1) for a, b in zip(slots, there, strict=True)]
        return slots

    def _residual(self, number: int, slots: list[Tensor]) -> Tensor:
        block, fixed = self.blocks[number], self.fixed[number]
        equation = block.statement.equation
        if fixed is None:
            residual: Tensor = ResidualOf.apply(equation, block.points, block.normals, self.parameters, *slots)
            return residual
        coefficients, level = fixed
        return sum((c * s for c, s in zip(coefficients, slots, strict=True)), level)
