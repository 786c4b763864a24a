"""A basis of another kind, made outside the library, stands in a solution: everything works on it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.expansion import floats, from_data, register, to_data
from transnet.errors import FileError, ProblemError

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
HALF = 0.5


@dataclass(frozen=True, eq=False)
class Halves:
    """Two bases, one for t below a half and one for the rest."""

    kind = "halves-of-a-test"

    early: object
    late: object

    columns = property(lambda self: self.early.columns + self.late.columns)
    unknowns = property(lambda self: self.early.unknowns)
    neurons = property(lambda self: self.early.neurons)

    def slice_of(self, unknown):
        whole = np.arange(self.columns)
        cut = self.early.columns
        return np.concatenate([whole[:cut][self.early.slice_of(unknown)], whole[cut:][self.late.slice_of(unknown)]])

    def derivatives(self, coefficients, points, slots):
        late = points[:, -1] > HALF
        first, second = np.split(coefficients, [self.early.columns])
        found = self.early.derivatives(first, points, slots)
        for value, other in zip(found, self.late.derivatives(second, points, slots), strict=True):
            value[late] = other[late]
        return found

    def summary(self):
        return f"twice {self.early.summary()}"

    def stored(self, arrays, prefix=""):
        return {name: to_data(getattr(self, name), arrays, f"{prefix}{name}_") for name in ("early", "late")}


def read(data, arrays, prefix):
    return Halves(*(from_data(data[name], arrays, f"{prefix}{name}_") for name in ("early", "late")))


@pytest.fixture(scope="module")
def halved():
    exact = sp.exp(-t) * sp.sin(x)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)),
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))],
        [tn.on("t=0", sp.Eq(u, exact)), tn.on("x=0", sp.Eq(u, exact)), tn.on("x=1", sp.Eq(u, exact))],
    )
    plain = tn.solve(problem, neurons=60)
    basis = Halves(plain.basis, plain.basis)
    return plain, replace(plain, basis=basis, coefficients=np.tile(plain.coefficients, 2))


def test_values_pictures_and_exports(halved, tmp_path):
    plain, solution = halved
    points = plain.problem.domain.interior(50)
    np.testing.assert_array_equal(solution(points), plain(points))
    flux = sp.diff(u, x) ** 2
    np.testing.assert_array_equal(solution.evaluate(flux, points), plain.evaluate(flux, points))
    assert all(np.abs(value).max() < 1e-4 for value in solution.residual_values().values())
    assert "twice FeatureSpace" in solution.report()
    assert repr(solution) == repr(plain)
    assert len(solution["u"].coefficients) == solution.basis.columns
    pytest.importorskip("matplotlib")
    solution.plot(resolution=8)
    solution.plot_residual(resolution=8)
    solution.animate(frames=2, resolution=8).save(tmp_path / "u.gif")
    with pytest.raises(ProblemError, match="several"):
        solution.plot_neurons()
    for name in ("u.csv", "u.vtu", "u.npz"):
        assert solution.export(tmp_path / name, resolution=8).exists()


def test_saved_and_read_by_its_kind(halved, tmp_path):
    plain, solution = halved
    path = solution.save(tmp_path / "halves.npz")
    with pytest.raises(FileError, match="kind 'halves-of-a-test'"):
        tn.load(path)
    register(Halves.kind, read)
    again = tn.load(path)
    assert isinstance(again.basis, Halves)
    points = plain.problem.domain.interior(50)
    np.testing.assert_array_equal(again(points), solution(points))


def test_arrays_of_a_file_must_be_finite_numbers():
    with pytest.raises(ValueError, match="'a'"):
        floats({"a": np.array([1.0, np.nan])}, "a")
