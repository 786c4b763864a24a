"""The same five problems with DeepXDE: networks that are trained."""

import deepxde as dde
import numpy as np

ITERATIONS = 20000


def trained(data, inputs: int, **more) -> dde.Model:
    model = dde.Model(data, dde.nn.FNN([inputs, 40, 40, 40, 1], "tanh", "Glorot uniform"))
    model.compile("adam", lr=1e-3, **more)
    model.train(iterations=ITERATIONS)
    model.compile("L-BFGS", **more)
    model.train()
    return model


def ring() -> float:
    shape = dde.geometry.CSGDifference(dde.geometry.Disk([0, 0], 1), dde.geometry.Disk([0, 0], 0.5))

    def equation(p, u):
        lap = dde.grad.hessian(u, p, i=0, j=0) + dde.grad.hessian(u, p, i=1, j=1)
        return lap + dde.backend.exp(p[:, :1]) * p[:, 1:]

    edge = dde.icbc.DirichletBC(shape, lambda p: np.cos(3 * p[:, :1]), lambda _, on: on)
    return float(trained(dde.data.PDE(shape, equation, edge, 2000, 400), 2).predict(np.array([[0.6, 0.3]])))


def layer() -> float:
    line = dde.geometry.Interval(0, 1)

    def equation(s, u):
        return -dde.grad.hessian(u, s) / 1000 + dde.grad.jacobian(u, s) - 1

    ends = dde.icbc.DirichletBC(line, lambda s: 0, lambda _, on: on)
    return float(trained(dde.data.PDE(line, equation, ends, 1000, 2), 1).predict(np.array([[0.999]])))


def phases() -> float:
    line = dde.geometry.Interval(0, 2 * np.pi)
    domain = dde.geometry.GeometryXTime(line, dde.geometry.TimeDomain(0, 5))

    def equation(p, c):
        return dde.grad.jacobian(c, p, j=1) - dde.grad.hessian(c, p, i=0, j=0) / 20 - c + c**3

    start = dde.icbc.IC(domain, lambda p: np.sin(p[:, :1]) / 2, lambda _, on: on)
    round_ = [dde.icbc.PeriodicBC(domain, 0, lambda _, on: on, derivative_order=k) for k in (0, 1)]
    data = dde.data.TimePDE(domain, equation, [start, *round_], 4000, 200, 200)
    return float(trained(data, 2).predict(np.array([[1.0, 5.0]])))


def l_shape() -> float:
    shape = dde.geometry.Polygon([[0, 0], [0, 1], [-1, 1], [-1, -1], [1, -1], [1, 0]])

    def equation(p, u):
        return dde.grad.hessian(u, p, i=0, j=0) + dde.grad.hessian(u, p, i=1, j=1) + 1

    edge = dde.icbc.DirichletBC(shape, lambda p: 0, lambda _, on: on)
    return float(trained(dde.data.PDE(shape, equation, edge, 2000, 400), 2).predict(np.array([[-0.5, 0.5]])))


def number() -> float:
    k = dde.Variable(1.0)
    places = np.linspace(0.05, 0.95, 19)[:, None]
    line = dde.geometry.Interval(0, 1)
    ends = dde.icbc.DirichletBC(line, lambda s: s, lambda _, on: on)
    known = dde.icbc.PointSetBC(places, np.sinh(3 * places) / np.sinh(3))
    data = dde.data.PDE(line, lambda s, z: dde.grad.hessian(z, s) - k * z, [ends, known], 50, 2, anchors=places)
    trained(data, 1, external_trainable_variables=k)
    return float(k)
