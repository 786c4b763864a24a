"""What a user says of a picture is in it; materials end at their interfaces; bodies can be turned and deformed."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import FileError, ProblemError
from transnet.pictures.labels import Labels
from transnet.pictures.panels import norm_of
from transnet.sections.section import section
from transnet.views import animate

pytest.importorskip("matplotlib")
x, y, z, t = sp.symbols("x y z t")
u = tn.vector("u", x, y)
BODY = tn.elasticity(u, E=100, nu=0.25, plane="stress")


@pytest.fixture(scope="module")
def stretched() -> tn.Solution:
    """Pulled along x by 1: u = (x, -y/4) / 100."""
    conditions = [BODY.sliding("left"), BODY.load("right", 1, 0), BODY.free("top"), BODY.sliding("bottom")]
    return tn.solve(tn.Problem(tn.Box(x=(0, 2), y=(0, 1)), BODY.equations, conditions), neurons=60)


def bar_of(picture: tn.pictures.picture.Picture) -> object:
    return next(axes for axes in picture.axes if axes.get_label() == "<colorbar>")


def test_title_label_unit_limits_and_size(stretched: tn.Solution) -> None:
    picture = stretched.plot(BODY.von_mises, title="A strip", label="stress", unit="MPa", limits=(0, 3), size=(7, 4))
    assert picture.axes[0].get_title() == "A strip"
    assert bar_of(picture).get_ylabel() == "stress [MPa]"
    assert tuple(bar_of(picture).get_ylim()) == (0, 3)
    assert tuple(picture.figure.get_size_inches()) == (7, 4)
    two = stretched.plot(list(u), label=["across", "up"], unit="mm", title="Both")
    assert two.figure.get_suptitle() == "Both"


def test_long_formulas_are_not_labels(stretched: tn.Solution) -> None:
    texts = [text.get_text() for text in bar_of(stretched.plot(BODY.von_mises)).texts]
    label = bar_of(stretched.plot(BODY.von_mises)).get_ylabel()
    assert label == "a formula of u_x, u_y"
    assert not any(len(text) > 60 for text in texts)
    assert "$" in bar_of(stretched.plot(sp.diff(u[0], x))).get_title()


def test_lines_have_them_too(stretched: tn.Solution) -> None:
    picture = stretched.along((0, 0.5), (2, 0.5), u[0]).plot(title="Cut", label="shift", unit="mm", limits=(0, 1))
    (axes,) = picture.axes
    assert (axes.get_title(), axes.get_ylabel(), axes.get_ylim()) == ("Cut", "shift [mm]", (0, 1))


def test_a_deformed_body_is_moved_by_the_displacement(stretched: tn.Solution) -> None:
    picture = stretched.plot(BODY.stress[0, 0], deformed=u, scale=50)
    edge = picture.axes[0].collections[-1].get_segments()
    low, high = np.concatenate(edge).min(axis=0), np.concatenate(edge).max(axis=0)
    assert (*low, *high) == pytest.approx((0, 0, 2 * 1.5, 1 - 50 * 0.0025), abs=1e-6)
    assert "× 50" in picture.axes[0].get_title()
    assert "× 10" in stretched.plot(deformed="u").axes[0].get_title()  # 0.02 times 10 is a tenth of 2
    with pytest.raises(ProblemError, match="a vector such as u"):
        stretched.plot(deformed=3)


def test_each_material_has_its_own_values_up_to_the_interface() -> None:
    V = tn.unknown("V", x, y)
    domain = tn.Pieces(left=tn.Box(x=(0, 1), y=(0, 1)), right=tn.Box(x=(1, 2), y=(0, 1)))
    field = tn.electrostatics(V, tn.by_piece(left=1, right=4))
    conditions = [field.electrode("x=0", 0), field.electrode("x=2", 5), field.insulated("y=0"), field.insulated("y=1")]
    solution = tn.solve(tn.Problem(domain, field.equations, conditions), tol=1e-6)
    cut = section(domain, {}, 20)
    values = solution.value_of(field.field[0], cut.points)
    cells = cut.cells.points[cut.cells.corners].mean(axis=1)[:, 0]
    expected = np.where(cells < 1, -4, -1)
    assert np.abs(values[cut.cells.corners] - expected[:, None]).max() < 1e-4
    drawn = np.concatenate(cut.lines)
    assert np.any(np.isclose(drawn[:, 0], 1))  # the interface is outlined
    assert cut.cells.measures.sum() == pytest.approx(2)


def test_a_few_spikes_do_not_take_the_colours_of_all_the_rest() -> None:
    smooth = np.linspace(0, 1, 1000)
    assert norm_of([smooth], False).extend == "neither"
    norm = norm_of([np.append(smooth, 1e3)], False)
    assert norm.extend == "max"
    assert norm.vmax < 1.01


def test_phases_have_colours_that_come_back() -> None:
    psi = tn.unknown("psi", x, y, complex=True)
    wave = tn.waves(psi, wavenumber=4)
    exact = sp.exp(4 * sp.I * x)
    solution = tn.solve(tn.Problem(tn.Disk(), wave.equations, [wave.held("boundary", exact)]), neurons=100)
    maps = [axes.collections[0] for axes in solution.plot().axes if axes.get_label() != "<colorbar>"]
    assert [m.get_cmap().name for m in maps] == ["viridis", "twilight"]
    assert maps[1].get_clim() == pytest.approx((-np.pi, np.pi))


def test_a_body_that_can_be_turned(tmp_path) -> None:
    w = tn.unknown("w", x, y, z)
    problem = tn.Problem(tn.Box(x=(0, 2), y=(0, 1), z=(0, 1)), [tn.laplacian(w)], [tn.on("boundary", sp.Eq(w, x))])
    solution = tn.solve(problem, neurons=60)
    turned = solution.view(title="<b>", label="height", unit="m", resolution=8)
    page = turned.save(tmp_path / "body").read_text()
    assert "&lt;b&gt;" in page
    assert "height [m]" in page
    packed = dict(re.findall(r'(\w+) = read\("([^"]*)"', page))
    points = np.frombuffer(base64.b64decode(packed["points"]), np.float32).reshape(-1, 3)
    corners = np.frombuffer(base64.b64decode(packed["corners"]), np.uint32).reshape(-1, 3)
    a, b, c = (points[corners[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    assert area == pytest.approx(10, rel=1e-5)  # the surface of a block of 2 x 1 x 1 in a cube of side 2
    assert "<iframe" in turned._repr_html_()
    with pytest.raises(ProblemError, match="two or three coordinates"):
        solution.view(x=1, y=0.5)


def test_an_mp4_without_ffmpeg_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    from matplotlib.animation import writers

    monkeypatch.setattr(writers, "is_available", lambda _: False)
    monkeypatch.setattr(animate, "find_spec", lambda _: None)
    with pytest.raises(FileError, match=r"imageio-ffmpeg.*\.gif"):
        animate._ffmpeg(tmp_path / "film.mp4")


WRONG = ({"limits": (3, 1)}, {"limits": "wide"}, {"size": (0, 4)}, {"size": 5}, {"limits": (0, float("nan"))})


@pytest.mark.parametrize("given", WRONG, ids=str)
def test_pairs_are_checked(given: dict) -> None:
    with pytest.raises(ProblemError, match="is a pair of numbers"):
        Labels(**given)
