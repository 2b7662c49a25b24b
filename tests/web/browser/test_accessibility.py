"""Accessibility of every page, checked with axe in light and dark mode and at phone width.

Enlarged text fits on phones. The pages load only the service's files.
"""

import gzip
from collections.abc import Iterator

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import CLASSIC, TWICE
from playwright.sync_api import Browser, Page, Response

pytestmark = [pytest.mark.browser, pytest.mark.redis]

KILLER = (
    '{"puzzle": "12.4...2....4..1", "constraints": '
    '[{"type": "killer", "cells": ["r2c1", "r2c2"], "sum": 7}]}'
)
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
MAX_BYTES = 104_000  # on the first load of a page, compressed


def finished(site: str, text: str, **options: str) -> str:
    """Create a finished job whose first puzzle has an explanation, and return its path."""
    with httpx.Client(base_url=site, timeout=60) as http:
        job_id = http.post("/api/v1/jobs", params=options, content=text.encode()).json()["id"]
        while http.get(f"/api/v1/jobs/{job_id}?wait=20").json()["state"] != "finished":
            pass
        http.get(f"/api/v1/jobs/{job_id}/puzzles/1?wait=30")
    return f"/jobs/{job_id}"


@pytest.fixture(scope="module")
def job(site: str) -> str:
    """Return the path of a finished job with multiple solutions and invalid records."""
    text = f"{CLASSIC}\n{TWICE}\nxx\n1{'.' * 80}\n"
    return finished(site, text, limit="3", format="line")


@pytest.fixture(scope="module")
def rated(site: str) -> str:
    """Return the path of a finished job with ratings and all charts."""
    return finished(site, f"{CLASSIC}\n" * 3, rate="true")


@pytest.fixture(scope="module")
def killer(site: str) -> str:
    """Return the path of a finished job with a killer cage."""
    return finished(site, KILLER)


@pytest.fixture(params=["light", "dark", "phone"])
def styled(request: pytest.FixtureRequest, site: str, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        base_url=site,
        color_scheme="dark" if request.param == "dark" else "light",
        viewport={"width": 390 if request.param == "phone" else 1280, "height": 900},
    )
    yield context.new_page()
    context.close()


def test_enlarged_text_on_a_phone_needs_no_scrolling_sideways(
    site: str, browser: Browser, job: str, rated: str, killer: str
) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 360, "height": 740})
    page, wide = context.new_page(), []
    for path in ("/", "/#editor", "/make", "/formats", "/my-jobs", "/workers", "/api/docs", job,
                 rated, f"{rated}/report", f"{rated}/book",
                 f"{killer}/puzzles/1", f"{job}/puzzles/1", f"{job}/puzzles/2"):  # fmt: skip
        page.goto(path)
        for summary in page.locator("summary:visible").all():
            summary.press("Enter")
        for size in ("100%", "200%"):
            page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
            width = page.evaluate("document.documentElement.scrollWidth")
            wide += [(path, size, width)] if width > 360 else []
    context.close()
    assert wide == []


def test_no_page_has_an_obstacle(styled: Page, job: str, rated: str, killer: str) -> None:
    told = []
    for path in (
        "/", "/make", "/formats", "/my-jobs", "/workers", "/api/docs", "/sign-in", "/jobs/nothing",
        f"{rated}/report", f"{rated}/book",
        job, f"{job}?outcome=failed", f"{rated}?sort=-rating",
        f"{killer}/puzzles/1", *(f"{job}/puzzles/{number}" for number in range(1, 5)),
    ):  # fmt: skip
        styled.goto(path)
        for summary in styled.locator("summary:visible").all()[:3]:
            summary.press("Enter")
        violations = Axe().run(styled, options=WCAG).response["violations"]
        told += [
            (path, each["id"], node["html"][:200], node["failureSummary"])
            for each in violations
            for node in each["nodes"][:2]
        ]
    assert told == []


@pytest.mark.parametrize("path", ["/", "/formats", "{job}", "{job}/puzzles/1"])
def test_pages_are_light(site: str, job: str, path: str, browser: Browser) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    sizes: dict[str, int] = {}

    def weigh(response: Response) -> None:
        sizes[response.url] = len(gzip.compress(response.body(), 6))

    page.on("response", weigh)
    page.goto(path.format(job=job), wait_until="networkidle")
    context.close()
    assert sum(sizes.values()) < MAX_BYTES, sizes
