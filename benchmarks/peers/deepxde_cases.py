"""The nine cases stated as DeepXDE's documentation states such problems: geometry, residual, conditions, network.

Coordinates are columns of `x`, unknowns columns of `u`; time is the last coordinate of a GeometryXTime. Points and
networks are of the size of its own examples.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("DDE_BACKEND", "pytorch")

import deepxde as dde
import numpy as np
import torch

from transnet.paper.cases import case

hessian, jacobian = dde.grad.hessian, dde.grad.jacobian


@dataclass(frozen=True)
class Statement:
    """A problem of DeepXDE, its network's layers, the weights of its losses, and steps of Adam and L-BFGS."""

    data: Any
    layers: tuple[int, ...]
    weights: tuple[float, ...]
    adam: int = 1000
    lbfgs: int = 3000


def laplacian(u: Any, x: Any, dimension: int, component: int = 0) -> Any:
    return sum(hessian(u, x, component=component, i=i, j=i) for i in range(dimension))


def everywhere(_: Any, on: bool) -> bool:
    return on


def values(name: str, component: int = 0) -> Callable[[np.ndarray], np.ndarray]:
    """The exact solution as the function of points that DeepXDE's conditions want: (n, d) -> (n, 1)."""
    return lambda x: case(name).exact_values(x)[:, component : component + 1]


def poisson(name: str) -> Statement:
    """C1 to C5: Delta u = f with the values of the exact solution on the boundary."""
    box = dde.geometry.Rectangle([-1, -1], [1, 1])
    geometry = {
        "C1": lambda: box,
        "C2": lambda: dde.geometry.Disk([0, 0], 1),
        "C3": lambda: dde.geometry.Polygon([[-1, -1], [1, -1], [1, 0], [0, 0], [0, 1], [-1, 1]]),
        "C4": lambda: dde.geometry.CSGDifference(dde.geometry.Disk([0, 0], 1), dde.geometry.Disk([0, 0], 0.5)),
        "C5": lambda: dde.geometry.Cuboid([-1, -1, -1], [1, 1, 1]),
    }[name]()
    d = 3 if name == "C5" else 2

    def residual(x: Any, u: Any) -> Any:
        wave = torch.prod(torch.sin(2 * np.pi * x), dim=1, keepdim=True)
        return laplacian(u, x, d) + 4 * d * np.pi**2 * wave

    condition = dde.icbc.DirichletBC(geometry, values(name), everywhere)
    inside, boundary = (2500, 600) if d == 3 else (1200, 120)
    data = dde.data.PDE(geometry, residual, condition, num_domain=inside, num_boundary=boundary)
    return Statement(data, (d, 50, 50, 50, 1), (1, 100), lbfgs=2000 if d == 3 else 3000)


def kovasznay(name: str) -> Statement:
    """C6: the velocity is given on the boundary and the pressure on the right side, as in DeepXDE's own example.

    The outputs are p, v1 and v2, the order of the case's unknowns.
    """
    box = dde.geometry.Rectangle([-0.5, -0.5], [1, 1.5])

    def residual(x: Any, u: Any) -> list[Any]:
        v1, v2 = u[:, 1:2], u[:, 2:3]
        p, *v = ([jacobian(u, x, i=i, j=j) for j in range(2)] for i in range(3))
        momentum = [v1 * v[i][0] + v2 * v[i][1] + p[i] - laplacian(u, x, 2, component=1 + i) / 40 for i in range(2)]
        return [*momentum, v[0][0] + v[1][1]]

    conditions = [
        dde.icbc.DirichletBC(box, values(name, 0), lambda x, on: on and np.isclose(x[0], 1), component=0),
        dde.icbc.DirichletBC(box, values(name, 1), everywhere, component=1),
        dde.icbc.DirichletBC(box, values(name, 2), everywhere, component=2),
    ]
    data = dde.data.PDE(box, residual, conditions, num_domain=1000, num_boundary=160)
    return Statement(data, (2, 50, 50, 50, 50, 3), (1,) * 6, lbfgs=2000)


def fokker_planck(name: str) -> Statement:
    """C7 and C8: u_t + b.grad u = sigma^2/2 Delta u with the exact values at t = 0 and on the sides."""
    plane = name == "C8"
    d = 2 if plane else 1
    space = dde.geometry.Rectangle([-2, -2], [2, 2]) if plane else dde.geometry.Interval(-2, 2)
    domain = dde.geometry.GeometryXTime(space, dde.geometry.TimeDomain(0, 1))

    def residual(x: Any, u: Any) -> Any:
        t = x[:, d : d + 1]
        drift = [torch.sin(2 * np.pi * t), torch.cos(2 * np.pi * t)] if plane else [2 * torch.cos(3 * t)]
        carried = sum(drift[i] * jacobian(u, x, i=0, j=i) for i in range(d))
        return jacobian(u, x, i=0, j=d) + carried - 0.3**2 / 2 * laplacian(u, x, d)

    conditions = [dde.icbc.DirichletBC(domain, values(name), everywhere), dde.icbc.IC(domain, values(name), everywhere)]
    numbers = (1800, 300, 400) if plane else (1500, 150, 150)
    inside, boundary, initial = numbers
    data = dde.data.TimePDE(domain, residual, conditions, num_domain=inside, num_boundary=boundary, num_initial=initial)
    return Statement(data, (d + 1, 50, 50, 50, 1), (1, 10, 10), lbfgs=2000 if plane else 3000)


def wave(name: str) -> Statement:
    """C9: u_tt = u_xx / (16 pi^2), u and u_t at t = 0, u = 0 at both ends."""
    domain = dde.geometry.GeometryXTime(dde.geometry.Interval(0, 1), dde.geometry.TimeDomain(0, 2))

    def residual(x: Any, u: Any) -> Any:
        return hessian(u, x, i=1, j=1) - hessian(u, x, i=0, j=0) / (16 * np.pi**2)

    conditions = [
        dde.icbc.DirichletBC(domain, values(name), everywhere),
        dde.icbc.IC(domain, values(name), everywhere),
        dde.icbc.OperatorBC(domain, lambda x, u, _: jacobian(u, x, i=0, j=1), lambda x, _: bool(np.isclose(x[1], 0))),
    ]
    data = dde.data.TimePDE(domain, residual, conditions, num_domain=1200, num_boundary=120, num_initial=120)
    return Statement(data, (2, 50, 50, 50, 1), (1, 10, 10, 10))


CASES: dict[str, Callable[[str], Statement]] = {
    **dict.fromkeys(("C1", "C2", "C3", "C4", "C5"), poisson),
    "C6": kovasznay,
    **dict.fromkeys(("C7", "C8"), fokker_planck),
    "C9": wave,
}


def statement(name: str, precision: str = "float64") -> Statement:
    dde.config.set_default_float(precision)
    dde.config.set_random_seed(0)
    return CASES[name](name)
