"""The short film of the studio: a hole is dragged, another one is cut, a wave is played. Needs Chromium and pillow."""

from __future__ import annotations

import io
import math
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver

from transnet.studio.door import start

SIZE = (1000, 640)
SHOWN = (640, 410)


def main(target: Path) -> None:
    """Write the film."""
    studio = start(port=0)
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    size = f"--window-size={SIZE[0]},{SIZE[1] + 140}"
    for flag in ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--hide-scrollbars",
                 "--enable-unsafe-swiftshader", size, "--disable-dev-shm-usage"):  # fmt: skip
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    frames: list[Image.Image] = []

    def shot(times: int = 1) -> None:
        picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        frames.extend([picture.crop((0, 0, *SIZE)).resize(SHOWN, Image.Resampling.LANCZOS)] * times)

    def run(script: str, *arguments: Any) -> Any:
        return driver.execute_script(script, *arguments)

    def rested(state: str = "full") -> None:
        while not run("return document.body.dataset.solved === arguments[0] && !studio.link.busy.solve", state):
            time.sleep(0.1)

    try:
        driver.get(studio.address)
        run("document.documentElement.dataset.theme = 'light'")
        while run("return document.body.dataset.solved") != "full":
            time.sleep(0.1)
        shot(6)
        for k in range(1, 13):  # the hole goes round
            a = 2 * math.pi * k / 12
            x, y = 0.2 * math.cos(a) - 0.1 * math.sin(a) * 2.2, 0.1 * math.cos(a) + 0.2 * math.sin(a) * 1.8
            run("document.body.dataset.solved = ''; studio.stage.hooks.dragged(arguments[0], {})",
                f"Disk(radius=1) - Disk(center=({x:.2f}, {y:.2f}), radius=0.35, name='hole')")  # fmt: skip
            rested("quick")
            shot()
        run("document.body.dataset.solved = ''; studio.stage.hooks.dropped()")
        rested()
        shot(8)
        for k in range(1, 9):  # the equation gets another right-hand side, letter by letter
            text = "laplacian(u) = -40*x*y"[: 14 + k]
            run("document.body.dataset.solved = ''; const f = document.getElementById('equations');"
                "f.value = arguments[0]; f.dispatchEvent(new Event('input'))", text)  # fmt: skip
            while not run("return document.body.dataset.solved"):
                time.sleep(0.05)
            shot(2)
        rested()
        shot(8)
    finally:
        driver.quit()
        studio.close()
    # One palette for all, so that only what changes is stored.
    palette = frames[len(frames) // 2].quantize(56, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in frames]
    small[0].save(target, save_all=True, append_images=small[1:], duration=150, loop=0, optimize=True)
    print(f"{target}: {len(frames)} frames, {target.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("studio.gif"))
