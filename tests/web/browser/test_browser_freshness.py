"""Live updates of pages in a real browser while the server fails and after it recovers."""

import re
from collections.abc import Iterator

import httpx
import pytest
from browsing import CLASSIC, PATIENCE, SLOWEST, expect_finished
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

# An EventSource that delivers one update and then stays silent.
SILENT_EVENTS = """window.EventSource = class {
    static CLOSED = 2;
    readyState = 1;
    constructor(events) {
        fetch(events.replace("/events", "")).then(answer => answer.text()).then(
            data => this.onmessage({ data }));
    }
    close() { this.readyState = 2; }
}"""
# A blocked EventSource, so that the page polls instead.
BLOCKED_EVENTS = """window.EventSource = class {
    static CLOSED = 2;
    readyState = 2;
    constructor() { setTimeout(() => this.onerror()); }
    close() {}
}"""
SINCE = re.compile(r"^Not updated since \d\d:\d\d:\d\d: (.*)\. Trying again\.$")


@pytest.fixture
def page(site: str, browser: Browser) -> Iterator[Page]:
    """Return an empty browser page, whose requests may fail."""
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.fixture
def long_job(site: str) -> Iterator[str]:
    """Yield the path of the page of a job that takes very long.

    The job is running then, and is deleted after the test.
    """
    with httpx.Client(base_url=f"{site}/api/v1", timeout=60) as http:
        job_id = http.post("/jobs", content=f"{CLASSIC}\n" + f"{SLOWEST}\n" * 2_000).json()["id"]
        while http.get(f"/jobs/{job_id}").json()["state"] != "running":
            pass
        yield f"/jobs/{job_id}"
        http.delete(f"/jobs/{job_id}")


def fail(route: Route) -> None:
    route.fulfill(status=500, body="broken")


def expect_stale(page: Page, reason: str) -> None:
    notice = page.locator(".stale")
    expect(notice).to_have_text(SINCE, timeout=PATIENCE)
    expect(notice).to_contain_text(reason)
    expect(notice).to_be_in_viewport()


def expect_fresh(page: Page) -> None:
    expect(page.locator(".stale")).to_have_text("", timeout=PATIENCE)


@pytest.mark.usefixtures("long_job")
def test_workers_page_shows_busy_workers_and_when_it_is_stale(page: Page) -> None:
    page.goto("/workers")
    expect(page.locator("article .now").first).to_contain_text("Works on", timeout=PATIENCE)
    page.get_by_text("Technical details").first.click()
    task = page.locator("dd", has_text="chunk").first
    expect(task).to_have_text(re.compile(r"^Job .*, chunk \d+, for"), timeout=PATIENCE)
    page.route("**/workers", fail)
    expect_stale(page, "the server responded with status 500")
    page.unroute("**/workers")
    expect_fresh(page)
    page.route("**/workers", lambda route: route.abort())
    expect_stale(page, "the server can’t be reached")


@pytest.mark.parametrize("events", [SILENT_EVENTS, BLOCKED_EVENTS], ids=["silent", "blocked"])
def test_job_page_shows_when_it_is_stale(page: Page, long_job: str, events: str) -> None:
    page.add_init_script(events)
    page.goto(long_job)
    expect(page.locator("#state")).to_have_text("running")
    requests = f"**/api/v1{long_job}*"
    page.route(requests, lambda route: route.fulfill(status=503))
    expect_stale(page, "status 503")
    page.unroute(requests)
    expect_fresh(page)


def test_results_that_cannot_be_drawn_at_the_end_are_drawn_later(page: Page, long_job: str) -> None:
    page.goto(long_job)
    expect(page.locator("#state")).to_have_text("running")
    page.route(f"**{long_job}", fail)
    httpx.post(f"{page.url.replace('/jobs/', '/api/v1/jobs/')}/cancel").raise_for_status()
    expect_stale(page, "status 500")
    expect(page.locator("#state")).to_have_text("running")
    page.unroute(f"**{long_job}")
    expect(page.locator("#state")).to_have_text("cancelled", timeout=PATIENCE)
    expect_fresh(page)


def test_page_that_waits_for_its_steps_shows_when_it_is_stale(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.locator("#upload .primary").click()
    expect_finished(page)
    address = f"{page.url}/puzzles/1"
    whole = httpx.get(address, timeout=60).text
    waiting = (
        '<section data-reload="2000"></section>'
        '<script type="module" src="/static/retry.js"></script></main>'
    )
    page.route(
        address,
        lambda route: route.fulfill(
            body=whole.replace("</main>", waiting), content_type="text/html"
        ),
    )
    page.goto(address)
    page.route(address, fail)
    expect_stale(page, "status 500")
    page.unroute(address)
    expect(page.locator("[data-reload]")).to_have_count(0, timeout=PATIENCE)


def test_deleted_job_is_shown_as_such(page: Page, long_job: str) -> None:
    page.goto(long_job)
    expect(page.locator("#state")).to_have_text("running")
    httpx.delete(page.url.replace("/jobs/", "/api/v1/jobs/")).raise_for_status()
    expect(page.get_by_role("heading", name="This job isn’t here")).to_be_visible(timeout=PATIENCE)
