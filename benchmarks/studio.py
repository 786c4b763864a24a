"""How many frames a second the studio shows while something is dragged, and where the time of a frame goes.

    python benchmarks/studio.py [seconds]

A headless Chromium drags the hole of the first program, and then a slider of a problem whose factorisation is kept. A
frame is one answer that was drawn. Its time is shared between the process (reading the problem, solving, values on the
grid), drawing on the page (by software where there is no graphics card), and what remains: transport and waiting.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any

from selenium import webdriver

from transnet.studio.door import start

FIRST = """title = "first program"
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Disk(radius=1) - Disk(center=(0, 0), radius=0.5)"
equations = ["laplacian(u) = -exp(x)*y"]
conditions = ["u = cos(3*x) on boundary"]
"""
SLIDER = """title = "slider"
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Disk(radius=1) - Disk(center=(0.2, 0), radius=0.3)"
equations = ["laplacian(u) = -a*exp(x)*y"]
conditions = ["u = cos(3*x) on boundary"]

[parameters]
a = 1.0
"""
DRAG = """
const [seconds, what, done] = arguments, from = performance.now();
studio.timing.length = 0;
let sent = 0;
const turn = () => {
  const t = (performance.now() - from) / 1000;
  if (t > seconds) { done(studio.timing.filter((f) => f.quick)); return; }
  const a = 0.3 * Math.cos(2 * t), b = 0.3 * Math.sin(2 * t);
  if (what === "hole") studio.stage.hooks.dragged(`Disk(radius=1) - Disk(center=(${a.toFixed(4)}, ${b.toFixed(4)}), radius=0.5)`, {});
  else { const s = document.querySelector("#parameters input[type=range]"); s.value = 1 + a; s.dispatchEvent(new Event("input")); }
  requestAnimationFrame(turn);
};
turn();
"""  # noqa: E501


def browser() -> Any:
    """A headless Chromium, drawing as it does by itself on this machine."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--window-size=1200,820", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def opened(driver: Any, toml: str) -> None:
    """Open a problem and wait until it is solved."""
    driver.execute_script("document.body.dataset.solved = ''; studio.link.send('open', { toml: arguments[0] })", toml)
    rested = "return document.body.dataset.solved === 'full' && !studio.link.busy.open && !studio.link.busy.solve"
    while not driver.execute_script(rested):
        time.sleep(0.2)


def main(seconds: float) -> None:
    """Print a row for each drag."""
    studio, driver = start(port=0), browser()
    driver.set_script_timeout(10 * seconds + 60)
    try:
        driver.get(studio.address)
        while not driver.execute_script("return document.body.dataset.solved"):
            time.sleep(0.2)
        titles = ("drag", "frames/s", "ms", "read", "solve", "values", "drawing", "rest", "kB")
        print(" ".join(f"{title:>9}" for title in titles))
        for what, toml in (("hole", FIRST), ("slider", SLIDER)):
            opened(driver, toml)
            frames = driver.execute_async_script(DRAG, seconds, what)[2:]  # the first ones choose features, or factor
            n = len(frames)
            mean = {k: 1000 * sum(f["seconds"][k] for f in frames) / n for k in ("read", "solve", "values")}
            whole, drawing = (sum(f[k] for f in frames) / n for k in ("whole", "drawing"))
            gaps = (frames[-1]["at"] - frames[0]["at"]) / 1000
            rest = whole - drawing - sum(mean.values())
            size = sum(f["bytes"] for f in frames) / n / 1000
            numbers = ((n - 1) / gaps, whole, *mean.values(), drawing, rest, size)
            print(f"{what:>9} " + " ".join(f"{number:9.1f}" for number in numbers))
    finally:
        driver.quit()
        studio.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 6.0)
