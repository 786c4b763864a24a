"""The same five problems with FEniCSx (dolfinx): weak forms, on any number of cores."""

import gmsh
import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem.petsc import LinearProblem
from dolfinx.io import gmsh as reader
from mpi4py import MPI
from scipy.optimize import least_squares

DIRECT = {"ksp_type": "preonly", "pc_type": "lu"}


def at(found, *place) -> float:
    """The value at a point: its cell has to be searched for."""
    from dolfinx import geometry

    grid, point = found.function_space.mesh, np.array([[*place, 0, 0][:3]], dtype=float)
    near = geometry.compute_collisions_points(geometry.bb_tree(grid, grid.topology.dim), point)
    cell = geometry.compute_colliding_cells(grid, near, point).links(0)[:1]
    return float(found.eval(point, cell)[0])


def solved(a, right, conditions):
    return LinearProblem(a, right, bcs=conditions, petsc_options=DIRECT, petsc_options_prefix="five").solve()


def around(space, values):
    grid = space.mesh
    grid.topology.create_connectivity(grid.topology.dim - 1, grid.topology.dim)
    edge = mesh.exterior_facet_indices(grid.topology)
    given = fem.Function(space)
    given.interpolate(values)
    return fem.dirichletbc(given, fem.locate_dofs_topological(space, grid.topology.dim - 1, edge))


def ring() -> float:
    gmsh.initialize()
    disk, hole = (gmsh.model.occ.addDisk(0, 0, 0, r, r) for r in (1, 0.5))
    (shape, *_), _ = gmsh.model.occ.cut([(2, disk)], [(2, hole)])
    gmsh.model.occ.synchronize()
    gmsh.model.addPhysicalGroup(2, [shape[1]])
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.1)
    gmsh.model.mesh.generate(2)
    gmsh.model.mesh.setOrder(3)
    grid = reader.model_to_mesh(gmsh.model, MPI.COMM_SELF, 0, gdim=2).mesh
    gmsh.finalize()
    space = fem.functionspace(grid, ("Lagrange", 3))
    u, v, p = ufl.TrialFunction(space), ufl.TestFunction(space), ufl.SpatialCoordinate(grid)
    right = ufl.exp(p[0]) * p[1] * v * ufl.dx
    a = ufl.dot(ufl.grad(u), ufl.grad(v)) * ufl.dx
    return at(solved(a, right, [around(space, lambda q: np.cos(3 * q[0]))]), 0.6, 0.3)


def layer() -> float:
    grid = mesh.create_unit_interval(MPI.COMM_SELF, 400)
    grid.geometry.x[:, 0] = 1 - (1 - grid.geometry.x[:, 0]) ** 4
    space = fem.functionspace(grid, ("Lagrange", 4))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    a = (u.dx(0) * v.dx(0) / 1000 + u.dx(0) * v) * ufl.dx
    return at(solved(a, v * ufl.dx, [around(space, lambda q: 0 * q[0])]), 0.999)


def l_shape() -> float:
    square = mesh.create_rectangle(MPI.COMM_SELF, [(-1, -1), (1, 1)], (64, 64))
    part = mesh.locate_entities(square, 2, lambda q: (q[0] <= 1e-12) | (q[1] <= 1e-12))
    space = fem.functionspace(mesh.create_submesh(square, 2, part)[0], ("Lagrange", 3))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    a = ufl.dot(ufl.grad(u), ufl.grad(v)) * ufl.dx
    return at(solved(a, v * ufl.dx, [around(space, lambda q: 0 * q[0])]), -0.5, 0.5)


def number() -> float:
    grid = mesh.create_unit_interval(MPI.COMM_SELF, 20)
    space = fem.functionspace(grid, ("Lagrange", 5))
    u, v, k = ufl.TrialFunction(space), ufl.TestFunction(space), fem.Constant(grid, 1.0)
    places = np.linspace(0.05, 0.95, 19)
    edge = around(space, lambda q: q[0])

    def misfit(value):
        k.value = value[0]
        found = solved((u.dx(0) * v.dx(0) + k * u * v) * ufl.dx, fem.Constant(grid, 0.0) * v * ufl.dx, [edge])
        return [at(found, s) - np.sinh(3 * s) / np.sinh(3) for s in places]

    return float(least_squares(misfit, [1.0], xtol=1e-12, ftol=1e-14, gtol=1e-14).x[0])
