"""Take the README's screenshots of a running service, which this replaces in docs/pictures.

Usage, with ``PYTHONPATH=tests/support:benchmarks``:
``python tests/support/screenshots.py http://127.0.0.1:8000``
"""

import shutil
import sys
from pathlib import Path

import httpx
from browsing import FLAGS
from paths import ROOT
from PIL import Image
from playwright.sync_api import Page, sync_playwright

PICTURES = ROOT / "docs" / "pictures"
SAMPLE = ROOT / "solver" / "samples" / "sample.txt"
VIEWPORT = {"width": 1100, "height": 1200}
WIDE_VIEWPORT = {"width": 1280, "height": 860}  # for the grid editor
LOW_VIEWPORT = {"width": 1100, "height": 850}  # for pages with long lists
COLORS = 256  # A palette makes the files a third as large.
# Step 31 of this puzzle is an XY-Chain.
STEPPED_THROUGH = (
    "7....48.....61.....1.9...........4..4......7119....3.....2.793.8..35..4..36..9..."
)
STEP = 31


def finished_job(http: httpx.Client, puzzles: str, **options: str) -> str:
    """Create a job and return the path of its page once it has finished.

    `options` are its options.
    """
    job_id = http.post("/api/v1/jobs", params=options, content=puzzles.encode()).json()["id"]
    while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
        pass
    return f"/jobs/{job_id}"


def open_thermometers(page: Page) -> None:
    """Open a puzzle with thermometers in the grid editor, with the list of rules."""
    page.set_viewport_size(WIDE_VIEWPORT)  # type: ignore[arg-type]
    page.goto("/?rule=thermo#editor")
    page.locator("#verdict", has_text="One solution").wait_for()
    page.locator(".modes").get_by_text("Rules").click()
    page.get_by_label("Search rules").fill("thermo")
    page.evaluate("scrollTo(0, 0)")


def take_screenshots(url: str) -> None:
    """Take all screenshots of the service at a URL, and store them in PICTURES."""
    with httpx.Client(base_url=url, timeout=60) as http, sync_playwright() as playwright:
        rated = finished_job(http, SAMPLE.read_text(), name=SAMPLE.name, rate="true")
        single = finished_job(http, STEPPED_THROUGH)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(base_url=url, viewport=VIEWPORT)  # type: ignore[arg-type]
        open_thermometers(page)
        page.screenshot(path=PICTURES / "new.png")
        page.set_viewport_size(LOW_VIEWPORT)  # type: ignore[arg-type]
        page.goto(rated)
        page.screenshot(path=PICTURES / "job.png")
        page.goto(f"{single}/puzzles/1")
        page.get_by_role("radio", name="Steps").check(timeout=120_000)
        page.locator("#place").fill(str(STEP))
        page.locator("#place").blur()
        page.locator(".puzzle").screenshot(path=PICTURES / "player.png")
        browser.close()
    for name in ("new", "job", "player"):
        reduce_colors(PICTURES / f"{name}.png")


def reduce_colors(path: Path) -> None:
    """Replace the picture in a file by one with a palette of `COLORS` (256) colors."""
    with Image.open(path) as picture:
        reduced = picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


if __name__ == "__main__":
    take_screenshots(sys.argv[1])
