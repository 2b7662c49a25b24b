"""Take the README's screenshots of a running service.

Usage, with ``PYTHONPATH=tests/support:benchmarks``:
``python tests/support/screenshots.py http://127.0.0.1:8000``
"""

import shutil
import sys

import httpx
from browsing import FLAGS
from paths import DATA, ROOT
from playwright.sync_api import Page, sync_playwright

PICTURES = ROOT / "docs" / "pictures"
RATED = DATA / "explainer" / "ratings.txt"
VIEWPORT = {"width": 1100, "height": 1140}
# The job has every third puzzle of a file that covers all ratings. One of them is stepped through.
EACH = 3
STEPPED_THROUGH = 15
KEYS = ("5", "ArrowRight", "3", "ArrowRight", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown")


def rated_job(http: httpx.Client) -> str:
    """Create a job with ratings and return the path of its page once it has finished."""
    lines = [line for line in RATED.read_text().splitlines() if not line.startswith("#")]
    puzzles = "\n".join(line.split()[0] for line in lines[::EACH])
    query = {"name": "ratings.txt", "rate": "true"}
    job_id = http.post("/api/v1/jobs", params=query, content=puzzles.encode()).json()["id"]
    while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
        pass
    return f"/jobs/{job_id}"


def type_a_killer(page: Page) -> None:
    """Enter a few digits and a killer cage into the grid editor on the start page."""
    page.locator("#editor summary").click()
    page.locator("#grid").focus()
    for key in KEYS:
        page.keyboard.press(key)
    page.get_by_label("sum", exact=True).fill("15")
    page.keyboard.press("Enter")
    page.locator("#under .cage").wait_for(state="attached")


def take_screenshots(url: str) -> None:
    """Take all screenshots."""
    with httpx.Client(base_url=url, timeout=60) as http, sync_playwright() as playwright:
        job = rated_job(http)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(base_url=url, viewport=VIEWPORT)  # type: ignore[arg-type]
        page.goto("/")
        type_a_killer(page)
        page.screenshot(path=PICTURES / "new.png", full_page=True)
        page.goto(job)
        page.screenshot(path=PICTURES / "job.png")
        page.goto(f"{job}/puzzles/{STEPPED_THROUGH}")
        page.locator("#stage").wait_for(timeout=120_000)
        page.locator("#place").fill("31")
        page.locator("#player").screenshot(path=PICTURES / "player.png")
        browser.close()


if __name__ == "__main__":
    take_screenshots(sys.argv[1])
