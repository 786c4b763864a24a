"""Pictures: the right panels, on the right points, with nothing clipped and nothing outside the domain."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import FileError, MissingExtraError, ProblemError
from transnet.solution.quantities import quantities_of

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

x, y, z, t = sp.symbols("x y z t")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def solved(domain, *coordinates, neurons=80, exact=None):
    u = tn.unknown("u", *coordinates)
    space = [c for c in coordinates if c != t]
    exact = sp.sin(x) + sum(c**2 for c in coordinates[1:]) if exact is None else exact
    equation = sp.Eq(tn.laplacian(u), tn.laplacian(exact, *space))
    return tn.solve(tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))]), neurons=neurons), u, exact


@pytest.fixture(scope="module")
def line():
    return solved(tn.Interval(x=(0, 2)), x, neurons=20)


@pytest.fixture(scope="module")
def ring():
    return solved(tn.Disk() - tn.Disk(radius=0.5), x, y)


@pytest.fixture(scope="module")
def rod():
    return solved(tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 2)), x, t)


@pytest.fixture(scope="module")
def plate():
    return solved(tn.Disk() * tn.Interval(t=(0, 2)), x, y, t, neurons=100)


@pytest.fixture(scope="module")
def ball():
    return solved(tn.Ball(), x, y, z, neurons=100)


def panels(figure):
    return [a for a in figure.axes if a.get_label() != "<colorbar>"]


def nothing_is_clipped(figure):
    """Every text lies within the figure once it is drawn."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    box = figure.bbox
    for text in figure.findobj(matplotlib.text.Text):
        if text.get_text() and text.get_visible() and text.axes is not None:
            extent = text.get_window_extent(renderer)
            if extent.width == 0 or not _shown(text):
                continue
            assert extent.x0 >= box.x0 - 1, text
            assert extent.x1 <= box.x1 + 1, text
            assert extent.y0 >= box.y0 - 1, text
            assert extent.y1 <= box.y1 + 1, text


def _shown(text):
    """Ticks outside the limits keep their labels but do not draw them."""
    axes = text.axes
    ticks = [*axes.xaxis.get_ticklabels(which="both"), *axes.yaxis.get_ticklabels(which="both")]
    if text not in ticks:
        return True
    low, high = sorted(axes.get_xlim() if text in axes.xaxis.get_ticklabels(which="both") else axes.get_ylim())
    position = text.get_position()[0 if text in axes.xaxis.get_ticklabels(which="both") else 1]
    return low <= position <= high


def test_a_line(line):
    solution, _, exact = line
    figure = solution.plot()
    (axes,) = panels(figure)
    data = axes.lines[0].get_xydata()
    np.testing.assert_allclose(data[:, 1], sp.lambdify(x, exact)(data[:, 0]), atol=1e-5)
    assert axes.get_xlabel() == "$x$"
    nothing_is_clipped(figure)


def test_a_map_has_the_shape_of_the_domain(ring):
    solution, _, exact = ring
    figure = solution.plot()
    (axes,) = panels(figure)
    mesh = axes.collections[0]
    points, values = mesh._triangulation, np.asarray(mesh.get_array())
    where = np.column_stack([points.x, points.y])
    assert solution.problem.domain.contains(where).all()
    centres = where[points.triangles].mean(axis=1)
    assert solution.problem.domain.contains(centres).all()
    np.testing.assert_allclose(values, sp.lambdify((x, y), exact)(*where.T), atol=1e-4)
    assert axes.get_aspect() == 1.0
    assert len(figure.axes) == 2
    nothing_is_clipped(figure)


def test_an_error_is_drawn_on_a_logarithmic_scale(ring):
    solution, u, exact = ring
    for given in (exact, {u: exact}, {"u": exact}, [exact], lambda x, y: np.sin(x) + y**2):
        figure = solution.plot(error_against=given)
        mesh = panels(figure)[0].collections[0]
        assert isinstance(mesh.norm, matplotlib.colors.LogNorm)
        assert np.max(mesh.get_array()) < 1e-4
    nothing_is_clipped(figure)


def test_an_expression(ring):
    solution, u, _ = ring
    figure = solution.plot([u, sp.diff(u, x) ** 2])
    assert len(panels(figure)) == 2
    nothing_is_clipped(figure)


def test_time_and_one_coordinate(rod):
    solution, _, _ = rod
    assert panels(solution.plot())[0].get_ylabel() == "$t$"
    (axes,) = panels(solution.plot(t=[0, 1, 2]))
    assert len(axes.lines) == 3
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["$t = 0$", "$t = 1$", "$t = 2$"]
    (axes,) = panels(solution.plot(x=0.5))
    assert axes.get_xlabel() == "$t$"


def test_snapshots_share_their_colours(plate):
    solution, _, _ = plate
    figure = solution.plot(resolution=30)
    shown = panels(figure)
    assert [a.get_title() for a in shown] == ["$t = 0$", "$t = 0.6667$", "$t = 1.333$", "$t = 2$"]
    assert len({id(a.collections[0].norm) for a in shown}) == 1
    nothing_is_clipped(figure)


def test_slices_of_a_body(ball):
    solution, _, _ = ball
    figure = solution.plot(resolution=30)
    assert [a.get_title() for a in panels(figure)] == ["$z = 0$", "$y = 0$", "$x = 0$"]
    assert panels(figure)[2].get_xlabel() == "$y$"
    nothing_is_clipped(figure)
    assert len(panels(solution.plot(z=[0.1, 0.5], resolution=20))) == 2
    assert len(panels(solution.plot(y=0, z=0))[0].lines) == 1


@pytest.fixture(scope="module")
def flow():
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    problem = tn.Problem(
        tn.Disk(),
        [tn.laplacian(u), tn.laplacian(v)],
        [tn.on("boundary", sp.Eq(u, -y), sp.Eq(v, x))],
    )
    return tn.solve(problem, neurons=60)


def test_arrows_stay_inside(flow):
    figure = flow.plot(vector=("u", "v"), resolution=40)
    quiver = next(c for c in panels(figure)[0].collections if isinstance(c, matplotlib.quiver.Quiver))
    where = np.column_stack([quiver.X, quiver.Y])
    assert flow.problem.domain.contains(where).all()
    # The field turns: u = -y, v = x.
    turn = where[:, 0] * quiver.V - where[:, 1] * quiver.U
    assert (turn > 0).all()
    nothing_is_clipped(figure)
    assert len(panels(flow.plot(resolution=20))) == 2


def test_residuals(ring, line, flow):
    for solution in (ring[0], line[0], flow):
        figure = solution.plot_residual(resolution=30)
        nothing_is_clipped(figure)
    assert [a.get_title() for a in panels(figure)] == [
        "$u_{x x} + u_{y y} = 0$",
        "$v_{x x} + v_{y y} = 0$",
        "conditions",
    ]


@pytest.mark.parametrize("activation", ["tanh", "sin"])
def test_neurons(activation, ring, line, ball):
    for solution, _, _ in (ring, line, ball):
        d = solution.problem.domain.dimension
        if activation == "sin":
            space = tn.FeatureSpace.spectral(d, 40, 3.0)
        else:
            space = tn.FeatureSpace.uniform(d, 40, 1.0, 1.5)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tn.errors.TransnetWarning)  # so small a network is for the picture only
            figure = tn.solve(solution.problem, space=space).plot_neurons()
        assert "40" in panels(figure)[0].get_title()
        nothing_is_clipped(figure)
    with pytest.raises(ProblemError, match="no unknown"):
        ring[0].plot_neurons("w")


def test_animations(rod, plate, tmp_path):
    for number, (solution, _, _) in enumerate((rod, plate)):
        moving = solution.animate(frames=3, resolution=20)
        path = tmp_path / f"{number}.gif"
        moving.save(path, writer="pillow", dpi=40)
        assert path.read_bytes().startswith(b"GIF8")
    with pytest.raises(ProblemError, match="two frames"):
        solution.animate(frames=1)


def test_drawing_into_axes(ring, line):
    figure, axes = plt.subplots()
    assert line[0].plot(ax=axes).figure is figure
    with pytest.raises(ProblemError, match="one panel"):
        ring[0].plot(["u", "u"], ax=axes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"w": 1}, "neither an option"),
        ({"what": "w"}, "no unknown"),
        ({"error_against": {"w": x}}, "exact solution"),
        ({"vector": ("u",)}, "two components"),
        ({"x": 0.6, "y": 0.6, "what": "u"}, "one or two coordinates"),
        ({"x": [0, 1], "y": [0, 1]}, "one coordinate only"),
        ({"what": sp.Matrix([x, y])}, "arrows"),
    ],
)
def test_wrong_requests(ring, options, words):
    with pytest.raises(ProblemError, match=words):
        ring[0].plot(**options)
    with pytest.raises(ProblemError, match="Nothing moves"):
        ring[0].animate()


def test_without_matplotlib_the_error_says_how_to_install_it(ring, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match="transnet-pde\\[plot\\]"):
        ring[0].plot()


def test_in_a_notebook(ring):
    solution, _, _ = ring
    page = solution._repr_html_()
    assert "data:image/png;base64," in page
    assert f"{solution.error:.1e}" in page
    text = solution.problem._repr_latex_()
    assert text.startswith("$$")
    assert "u_{x x} + u_{y y}" in text
    assert not plt.get_fignums()


def test_a_picture_says_how_to_save_it(ring, tmp_path):
    picture = ring[0].plot(contours=True)
    assert '.save("file.png")' in repr(picture)
    assert picture.save(tmp_path / "ring.png").read_bytes().startswith(b"\x89PNG")
    assert picture._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(FileError, match="not a kind of picture"):
        picture.save(tmp_path / "ring.docx")
    with pytest.raises(FileError, match="what kind"):
        picture.save(tmp_path / "ring")


def test_streamlines_and_arrows_of_a_gradient(ring):
    solution, u, _ = ring
    for options in ({"streamlines": True}, {"arrows": True}, {"vector": (u, -u), "streamlines": True}):
        figure = solution.plot(**options, resolution=20)
        assert len(panels(figure)) == 1
    with pytest.raises(ProblemError, match="Did you mean cmap"):
        ring[0].plot(colormap="jet")


def test_domains_and_problems_are_drawn_with_their_names(ring, line, ball):
    def legend(picture):
        return [text.get_text() for text in picture.axes[0].get_legend().texts]

    cut = tn.Disk() - tn.Box(x=(-0.2, 0.2), y=(-0.2, 0.2))
    assert legend(cut.plot(normals=True)) == ["circle", "x=-0.2", "x=0.2", "y=-0.2", "y=0.2"]
    u, stated = ring[1], legend(ring[0].problem.plot())
    assert all("u = " in text for text in stated)
    assert len(stated) == len(ring[0].problem.domain.parts)
    line[0].problem.domain.plot()
    ball[0].problem.domain.plot(normals=True)
    pieces = tn.Pieces(core=tn.Disk(radius=0.4), shell=tn.Disk(radius=1) - tn.Disk(radius=0.4)).plot()
    assert {t.get_text() for t in pieces.axes[0].texts} == {"core", "shell"}
    assert legend(pieces) == ["circle", "core|shell"]
    half = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [tn.laplacian(u)], [tn.on("left", sp.Eq(u, 0))])
    assert legend(half.plot()).count("x=1\n    nothing is stated") == 1


def test_an_animation_is_saved_by_its_name(rod, tmp_path):
    film = rod[0].animate(tmp_path / "heat.gif", frames=3, resolution=10)
    assert film.read_bytes().startswith(b"GIF")
    with pytest.raises(FileError, match="what kind of film"):
        rod[0].animate(path=tmp_path / "heat.xyz", frames=2)


def test_the_phase_of_a_wave_is_one_picture_in_cyclic_colours():
    psi = tn.unknown("psi", x, y, complex=True)
    domain = tn.Box(x=(0, 1), y=(0, 1))
    wave = [tn.on("boundary", sp.Eq(psi, sp.exp(sp.I * x)))]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(psi) + psi, 0)], wave), tol=1e-4)
    (phase,) = quantities_of(solution, sp.arg(psi))
    assert phase.cyclic
    assert len(quantities_of(solution, psi)) == 2
