"""The list of jobs in a real browser: pictures, names, and local times."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from browsing import CLASSIC, expect_finished, paste
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]


@pytest.fixture
def abroad(site: str, browser: Browser) -> Iterator[Page]:
    """Open a page in a time zone that never agrees with UTC."""
    context = browser.new_context(base_url=site, timezone_id="Asia/Kathmandu")
    yield context.new_page()
    context.close()


def test_jobs_show_their_first_puzzle_and_can_be_renamed(page: Page) -> None:
    paste(page, f"{CLASSIC}\n" * 2)
    expect_finished(page)
    page.goto("/my-jobs")
    row = page.locator("table.jobs tbody tr:not(.day)").first
    expect(row.locator("svg.board .spot")).to_be_visible()
    expect(row.locator(".raw")).to_contain_text(CLASSIC[:20])
    row.get_by_label("Rename or delete 2 puzzles").click()
    row.get_by_label("New name").fill("My book")
    row.get_by_label("New name").press("Enter")
    expect(row.get_by_role("link", name="My book")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("my bo")
    expect(page.locator("table.jobs tbody tr:not(.day)")).to_have_count(1)
    page.get_by_role("link", name="My book").click()
    expect(page.get_by_role("heading", name="My book")).to_be_visible()
    page.get_by_text("Rename", exact=True).first.click()
    page.get_by_label("New name").fill("My other book")
    page.get_by_label("New name").press("Enter")
    expect(page.get_by_role("heading", name="My other book")).to_be_visible()


def test_list_is_searched_while_the_user_types_and_its_address_is_kept(page: Page) -> None:
    for name in ("First book", "Second book"):
        page.request.post(f"/api/v1/jobs?name={name}", data=f"{CLASSIC}\n" * 2)
    page.goto("/my-jobs")
    names = page.locator("table.jobs a.name")
    field = page.get_by_label("Name", exact=True)
    field.press_sequentially("second bo")
    expect(names).to_have_text(["Second book"])
    expect(field).to_be_focused()
    expect(page.locator("table.jobs .day")).to_have_text(["Today"])
    page.reload()
    expect(names).to_have_text(["Second book"])
    page.get_by_label("State").select_option("cancelled")
    expect(page.get_by_text("No jobs match.")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_jobs_are_deleted_in_the_list_after_a_question(
    site: str, browser: Browser, *, scripts: bool
) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=scripts)
    page = context.new_page()
    page.goto("/")
    paste(page, f"{CLASSIC}\n" * 3)
    expect_finished(page)
    job = page.url
    page.goto("/my-jobs")
    row = page.locator("table.jobs tbody tr:not(.day)").first
    row.get_by_label("Rename or delete 3 puzzles").click()
    expect(row.get_by_role("button", name="Delete this job")).to_be_hidden()
    row.get_by_text("Delete …").click()
    row.get_by_role("button", name="Delete this job").click()
    expect(page.get_by_role("status")).to_contain_text("were deleted")
    assert page.url.startswith(f"{site}/my-jobs")
    response = page.goto(job)
    assert response is not None
    assert response.status == 404
    context.close()


def test_states_are_explained(page: Page) -> None:
    paste(page, f"{CLASSIC}\n" * 2)
    expect_finished(page)
    page.goto("/my-jobs")
    page.get_by_text("What the states mean").click()
    expect(page.get_by_text("Every puzzle has a result.")).to_be_visible()


def test_times_are_local_with_utc_as_the_tooltip(abroad: Page) -> None:
    abroad.goto("/")
    paste(abroad, f"{CLASSIC}\n" * 2)
    expect_finished(abroad)
    abroad.goto("/my-jobs")
    time = abroad.locator("table.jobs time").first
    expect(time).not_to_have_text(re.compile("UTC"))
    expect(time).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$"))
    local = time.evaluate("time => new Date(time.dateTime).getMinutes()")
    expect(time).to_have_text(re.compile(rf"^\d\d:{local:02}$"))
    day = time.evaluate("time => new Date(time.dateTime).toDateString()")
    today = abroad.evaluate("new Date().toDateString()")
    heading = abroad.locator("table.jobs .day").first
    expect(heading).to_have_text("Today" if day == today else "Yesterday")


def test_jobs_are_grouped_by_the_day_of_the_user(abroad: Page) -> None:
    abroad.goto("/")
    paste(abroad, f"{CLASSIC}\n" * 2)
    expect_finished(abroad)
    abroad.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=3))
    abroad.goto("/my-jobs")
    expect(abroad.locator("table.jobs .day").first).to_have_text(re.compile(r"^\w+day, \w+ \d+"))


def test_times_are_in_utc_without_javascript(plain_page: Page) -> None:
    paste(plain_page, f"{CLASSIC}\n" * 2)
    expect_finished(plain_page)
    plain_page.get_by_text("About this job").click()
    expect(plain_page.locator("#more time").first).to_have_text(re.compile("UTC$"))
