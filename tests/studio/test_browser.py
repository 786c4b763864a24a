"""The page in a real Chromium: what a person does with it, and what is to be seen then."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transnet as tn

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
pytest.importorskip("starlette", reason="the extra 'studio' is not installed")
DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(not (DRIVER and CHROMIUM), reason="there is no Chromium with its driver")

from selenium.webdriver import ActionChains, Keys  # noqa: E402

from transnet.studio.door import start  # noqa: E402

FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,820")
SMALL = """title = "A small one"
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])"
equations = ["laplacian(u) = c"]
conditions = ["u = x*y on boundary"]

[parameters]
c = 1.0

[solve]
neurons = 60
"""
PREFERENCES = {"profile.default_content_setting_values.automatic_downloads": 1}
PATIENCE = 60.0
"""Seconds to wait for something to be seen: a busy machine is slow, and nothing is said about times here."""


class Page:
    """A browser that shows the studio."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def __call__(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self(f"return {condition}"):
            told = "return [document.body.dataset.link, document.body.dataset.solved, document.body.innerText]"
            assert time.monotonic() < end, f"{condition}: {self(told)}"
            time.sleep(0.1)

    def after(self, action: Callable[[], Any], state: str = "full") -> None:
        """Do something, and wait until it is solved."""
        self("document.body.dataset.solved = ''")
        action()
        states = ["quick", "full"] if state == "quick" else [state]
        done = f"{states}.includes(document.body.dataset.solved) && !studio.link.busy.open"
        self.until(f"window.studio && {done} && !studio.link.busy.solve")

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def typed(self, field: str, text: str) -> None:
        self("const f = document.getElementById(arguments[0]); f.value = arguments[1];"
             "f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change'))", field, text)  # fmt: skip

    def open(self, toml: str) -> None:
        self("studio.link.send('open', { toml: arguments[0] })", toml)

    def value(self, x: float, y: float) -> float:
        return float(self(f"return studio.stage.grid.at({x}, {y})"))

    def drag(self, selector: str, dx: int, dy: int) -> None:
        chain = ActionChains(self.driver, duration=40).click_and_hold(self.find(selector))
        chain.move_by_offset(dx // 2, dy // 2).move_by_offset(dx - dx // 2, dy - dy // 2).release().perform()

    def taken(self, name: str) -> Path:
        file, end = self.folder / name, time.monotonic() + PATIENCE
        while not file.exists() or not file.stat().st_size:
            assert time.monotonic() < end, name
            time.sleep(0.03)
        return file


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("taken")
    studio = start(port=0)
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_experimental_option("prefs", PREFERENCES | {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    except Exception as error:
        studio.close()
        pytest.skip(f"Chromium does not start here: {error}")
    try:
        driver.get(studio.address)
        found = Page(driver, folder)
        found.until("document.body.dataset.solved")
        found.after(lambda: found.open(SMALL))
        yield found
        complaints = [e["message"] for e in driver.get_log("browser") if e["level"] == "SEVERE"]
        assert not complaints, complaints
    finally:
        driver.quit()
        studio.close()


@pytest.fixture
def small(page: Page) -> Page:
    stated = "return studio.state.title + studio.state.equations + studio.state.conditions"
    if page(stated) != "A small onelaplacian(u) = cu = x*y on boundary":  # a test that failed left another behind
        page.after(lambda: page.open(SMALL))
    return page


PAINTED = """
    const [how, done] = arguments, s = studio.stage;
    import("/field.js").then(({ Painter }) => {
      const canvas = document.createElement("canvas"), copy = document.createElement("canvas"), at = [];
      for (const c of [canvas, copy]) Object.assign(c, { width: s.field.width, height: s.field.height });
      const painter = new Painter(canvas, how), scale = s.scale.map((v) => v * s.ratio);
      painter.setMap("sea");
      painter.setField(s.grid, s.lines);
      painter.draw({ centre: s.centre, scale, limits: s.limits, spacing: 0.2, line: [1, 1, 1, 0.34] });
      const ink = copy.getContext("2d");
      ink.drawImage(canvas, 0, 0);
      const across = [...Array(23).keys()].map((k) => 0.03 + 0.043 * k).concat(1.3);
      for (const x of across) for (const y of [0.07, 0.5, 0.93]) {
        const [a, b] = s.place(x, y);
        at.push([...ink.getImageData(a * s.ratio, b * s.ratio, 1, 1).data]);
      }
      done([Boolean(painter.gl), at]);
    });
"""


def test_the_field_is_drawn_in_colours_and_cut_at_its_edge_with_and_without_webgl(small: Page) -> None:
    (card, shaded), (without, plain) = (small.driver.execute_async_script(PAINTED, how) for how in ("webgl", "plain"))
    assert card
    assert not without
    shaded, plain = np.array(shaded), np.array(plain)
    assert np.all(shaded[-3:, 3] == 0)
    assert np.all(plain[-3:, 3] == 0)
    assert np.all(shaded[:-3, 3] == 255)
    assert np.all(plain[:-3, 3] == 255)
    assert np.median(np.abs(shaded - plain)) <= 2
    assert np.abs(shaded - plain).mean() < 8
    assert np.ptp(plain[:-3, :3].sum(axis=1)) > 200
    assert "digits" in small.find("#estimate").text


def test_an_equation_is_typeset_and_solved_as_it_is_typed(small: Page) -> None:
    before = small.value(0.5, 0.5)
    small.after(lambda: small.typed("equations", "laplacian(u) = 8*c*x**2"))
    assert small("return document.querySelectorAll('.set[data-of=equations] msup').length") == 1
    assert small.value(0.5, 0.5) != pytest.approx(before, abs=1e-3)
    small.after(lambda: small.find("#undo").click())
    assert small.find("#equations").get_attribute("value") == "laplacian(u) = c"
    assert small.value(0.5, 0.5) == pytest.approx(before, abs=1e-4)


def test_a_mistake_is_marked_at_its_place_and_explained(small: Page) -> None:
    small.after(lambda: small.typed("conditions", "u = x*z on boundary"), "wrong")
    assert small("return document.querySelector('.code.wrong mark').textContent") == "z"
    assert "'z'" in small.find(".explain").text
    small.after(lambda: small.typed("conditions", "u = <b>x</b> on boundary"), "wrong")
    assert small("return document.querySelectorAll('aside :not(#shelf button) > b, #warnings b').length") == 0
    small.after(lambda: small.typed("conditions", "u = x*y on boundary"))
    assert small("return document.querySelectorAll('.explain, mark').length") == 0


def test_dragging_a_vertex_moves_the_domain_the_field_and_the_estimate(small: Page) -> None:
    before = small.find("#estimate").text
    small.after(lambda: small.drag("circle.corner[data-handle='3']", 60, -40))
    corner = small("return studio.stage.shapes[0].corners[2]")
    assert corner[0] > 1.05
    assert corner[1] > 1.02
    assert small("return studio.frame.all.x[1]") == pytest.approx(corner[0], abs=1e-6)
    assert small.find("#estimate").text != before
    small.after(lambda: small.find("#undo").click())
    assert "(1, 1)" in small.find("#domain").get_attribute("value")
    small.after(lambda: small.find("#redo").click())
    assert "(1, 1)" not in small.find("#domain").get_attribute("value")
    small.after(lambda: small.find("#undo").click())


def test_a_disk_is_cut_out_by_drawing_it_and_removed_by_a_key(small: Page) -> None:
    small.find("[data-tool=disk]").click()
    stage = small.find("#stage")
    draw = ActionChains(small.driver, duration=40).move_to_element(stage).click_and_hold()
    small.after(lambda: draw.move_by_offset(30, 10).move_by_offset(30, 0).release().perform())
    assert "- Disk(" in small.find("#domain").get_attribute("value")
    assert "hole1" in small.find("#parts").text
    ActionChains(small.driver).click(small.find("circle.move.minus")).perform()
    small.after(lambda: ActionChains(small.driver).send_keys(Keys.DELETE).perform())
    assert "Disk(" not in small.find("#domain").get_attribute("value")


def test_a_curve_is_drawn_freely_closed_and_moved(small: Page) -> None:
    small.find("[data-tool=free]").click()
    chain = ActionChains(small.driver, duration=10).move_to_element_with_offset(small.find("#stage"), 60, 0)
    chain.click_and_hold()
    for k in range(1, 24):  # an oval, not quite closed
        a, b = 2 * np.pi * (k - 1) / 24, 2 * np.pi * k / 24
        steps = 60 * (np.cos(b) - np.cos(a)), 40 * (np.sin(b) - np.sin(a))
        chain.move_by_offset(round(float(steps[0])), round(float(steps[1])))
    small.after(lambda: chain.release().perform())
    text = small.find("#domain").get_attribute("value")
    assert "- Region(Curve((" in text
    assert "hole1" in small.find("#parts").text
    before = small("return studio.stage.shapes[1].center")
    small.after(lambda: small.drag("circle.move.minus", 20, 0))
    after = small("return studio.stage.shapes[1].center")
    assert after[0] > before[0]
    ActionChains(small.driver).click(small.find("circle.move.minus")).perform()
    small.after(lambda: ActionChains(small.driver).send_keys(Keys.DELETE).perform())
    assert "Curve(" not in small.find("#domain").get_attribute("value")


def test_a_slider_moves_a_parameter(small: Page) -> None:
    before = small.value(0.5, 0.5)
    slide = "const s = document.querySelector('#parameters input[type=range]'); s.value = arguments[0];"
    small.after(lambda: small(slide + "s.dispatchEvent(new Event('input'))", 2.0))
    assert small("return studio.state.parameters.c") == 2.0
    assert small.value(0.5, 0.5) - before == pytest.approx(-0.0737, abs=1e-3)  # -c times the torsion function's middle
    small.after(lambda: small(slide + "s.dispatchEvent(new Event('input'))", 1.0))


OVAL = """title = "An oval bar"
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Region(Curve((a*cos(s), b*sin(s)), (s, 0, 2*pi)))"
equations = ["-laplacian(u) = 2"]
conditions = ["u = 0 on boundary"]

[parameters]
a = 1.3
b = 0.8

[results]
rigidity = "integral(2*u)"
"""


def test_a_result_shows_its_slopes_and_arrows_and_is_improved_step_by_step(page: Page) -> None:
    def rigidity() -> float:
        return float(page.find("#result-value").text.split("=")[1].split("±")[0])

    a, b = 1.3, 0.8
    page.after(lambda: page.open(OVAL))
    page.until("document.querySelectorAll('#draw .arrow').length > 20 && !studio.link.busy.slope")
    first = rigidity()
    assert first == pytest.approx(np.pi * a**3 * b**3 / (a**2 + b**2), rel=1e-6)
    slope = page("return document.querySelector('.parameter[data-name=a]').dataset.slope")
    assert float(slope.split()[1]) == pytest.approx(
        np.pi * b**3 * (a**4 + 3 * a**2 * b**2) / (a**2 + b**2) ** 2, rel=1e-2
    )
    page.find("#improve").click()
    page.until(f"parseFloat(document.getElementById('result-value').textContent.split('=')[1]) > {1.5 * first}")
    page.find("#improve").click()
    assert page("return studio.state.parameters.b") > b
    page.after(lambda: page.open(SMALL))


def test_what_is_taken_away_has_the_same_digits_on_the_command_line(small: Page) -> None:
    for kind in ("toml", "npz", "svg", "png", "csv", "vtu"):
        small("document.querySelector(`[data-take=${arguments[0]}]`).click()", kind)
        small.taken(f"a-small-one.{kind}")
    folder = small.folder
    code = "import sys; from transnet.cli import main; sys.argv[0] = 'transnet'; main()"
    command = [sys.executable, "-c", code, "solve", "a-small-one.toml", "--out", "again.npz", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    here, there = tn.load(folder / "a-small-one.npz"), tn.load(folder / "again.npz")
    points = here.problem.domain.interior(40)
    assert np.abs(here(points) - there(points)).max() < 1e-13
    assert (folder / "a-small-one.svg").read_text().startswith("<svg")


def test_a_reload_keeps_the_problem_and_the_link_holds_it(small: Page) -> None:
    before = small("return JSON.stringify(studio.state)")
    assert "token" not in small.driver.current_url
    small.after(lambda: small.driver.refresh(), "full")
    assert small("return JSON.stringify(studio.state)") == before


def test_time_plays(page: Page) -> None:
    page.after(lambda: page("[...document.querySelectorAll('#shelf button')].find(b => b.textContent.includes('string')).click()"), "quick")  # fmt: skip  # noqa: E501
    page.until("document.getElementById('play')")
    page.find("#play").click()
    page.until("+document.querySelector('.slider input').value > 0.2")
    page.until("studio.stage.cutValues && studio.stage.cutLine[0][1] > 0.2")
    page.find("#play").click()


def test_eigenvalues_are_looked_at_one_by_one(page: Page) -> None:
    page.after(lambda: page("[...document.querySelectorAll('#shelf button')].find(b => b.textContent.includes('drum')).click()"), "quick")  # fmt: skip  # noqa: E501
    assert page("return document.querySelectorAll('#mode option').length") == 6
    lowest = page.find("#estimate").text
    assert lowest.startswith("lam = 10.42")
    drawn = page.value(-0.4, -0.4)
    page("const m = document.getElementById('mode'); m.value = 1; m.dispatchEvent(new Event('change'))")
    page.until("!studio.link.busy.look")
    assert page.find("#estimate").text.startswith("lam = 17.24")
    page.until(f"Math.abs(studio.stage.grid.at(-0.4, -0.4) - {drawn}) > 1e-3")


def test_eigenvalues_are_asked_for_in_fields(small: Page) -> None:
    small.typed("equations", "-laplacian(u) = k*u")
    small.typed("conditions", "u = 0 on boundary")
    small.find("[data-eigen=lam]").send_keys("k")
    small.find("[data-eigen=count]").send_keys("3")
    small.until("document.querySelectorAll('#mode option').length === 3 && document.body.dataset.solved === 'full'")
    assert small.find("#estimate").text.startswith("k = 19.739")
    small.find("[data-eigen=count]").send_keys("x")
    small.until("document.querySelector('#eigen ~ .explain')?.textContent.includes('count')")
    small.find("[data-eigen=count]").send_keys(Keys.BACKSPACE)
    small.find("[data-eigen=near]").send_keys("50")
    small.until("document.getElementById('estimate').textContent.includes('49.34')")


def test_every_ready_problem_opens(page: Page) -> None:
    for k in range(page("return document.querySelectorAll('#shelf button').length")):
        page.after(lambda k=k: page(f"document.querySelectorAll('#shelf button')[{k}].click()"), "quick")  # type: ignore[misc]
        assert page("return document.querySelectorAll('.set math').length") > 1
        assert page("return document.querySelectorAll('.explain, #warnings .bad').length") == 0


def test_a_narrow_page_has_everything_within_its_width(small: Page) -> None:
    small.driver.set_window_size(500, 860)  # headless Chromium is not narrower
    small("document.body.style.width = '400px'")
    try:
        assert small("return document.body.scrollWidth") <= 400
        assert small("return document.getElementById('stage').clientHeight") > 250
    finally:
        small("document.body.style.width = ''")
        small.driver.set_window_size(1200, 820)
