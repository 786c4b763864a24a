"""(c) DeepXDE on C1: Adam, then L-BFGS, as its documentation advises for forward problems."""

import os

os.environ.setdefault("DDE_BACKEND", "pytorch")

import deepxde as dde
import numpy as np
import torch
from measure import case, now, ours
from report import Figure, Part


def run(quick: bool) -> Part:
    what = case("C1")
    dde.config.set_default_float("float64")
    dde.config.set_random_seed(0)

    def pde(x, u):
        wave = torch.sin(2 * np.pi * x[:, 0:1]) * torch.sin(2 * np.pi * x[:, 1:2])
        return dde.grad.hessian(u, x, i=0, j=0) + dde.grad.hessian(u, x, i=1, j=1) + 8 * np.pi**2 * wave

    square = dde.geometry.Rectangle([-1, -1], [1, 1])
    zero = dde.icbc.DirichletBC(square, lambda x: 0.0, lambda _, on: on)
    data = dde.data.PDE(square, pde, zero, num_domain=2500, num_boundary=200)
    network = dde.nn.FNN([2, 50, 50, 50, 1], "tanh", "Glorot normal")
    model = dde.Model(data, network)
    begun = now()
    model.compile("adam", lr=1e-3, loss_weights=[1, 100])
    model.train(iterations=5000, display_every=5000, verbose=0)
    model.compile("L-BFGS", loss_weights=[1, 100])
    model.train(display_every=20000, verbose=0)
    spent = now() - begun
    error = what.errors_of(model.predict(what.test_points)[:, 0])
    reached = ours(what, error.relative_l2)
    ratio = spent / reached.seconds
    header = ("case", "its MSE", "its seconds", "our neurons", "our seconds", "ratio")
    rows = [("C1", error.mse, spent, reached.size, reached.seconds, ratio)]
    notes = "Three layers of 50 tanh neurons in double precision, 5000 steps of Adam, L-BFGS to its own end."
    return Part(
        "(c) DeepXDE at its own error", header, rows, [Figure("(c) C1: faster than DeepXDE", ratio, 1000)], notes
    )
