"""The reference pages are short on phones, and a search or an address opens what it names.

The example of a format is copied in full.
"""

import pytest
from playwright.sync_api import Page, expect

from solver.formats import FORMATS

pytestmark = [pytest.mark.browser, pytest.mark.redis]

PHONE = {"width": 390, "height": 844}
MOST_SCREENS = 2  # of a phone, for a page whose groups are closed


def open_on_phone(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(address)
    expect(page.locator("html.arranged")).to_be_attached()


def test_groups_are_closed_on_phones(page: Page, site: str) -> None:
    open_on_phone(page, f"{site}/techniques")
    assert page.evaluate("document.body.scrollHeight") < MOST_SCREENS * PHONE["height"]
    page.get_by_role("heading", name="Hard", exact=True).click()
    expect(page.get_by_role("heading", name="Skyscraper")).to_be_visible()
    expect(page.get_by_role("img", name="A step with Skyscraper")).to_be_hidden()
    page.get_by_role("heading", name="Skyscraper").click()
    expect(page.get_by_role("img", name="A step with Skyscraper")).to_be_visible()


def test_search_opens_groups_on_phones(page: Page, site: str) -> None:
    open_on_phone(page, f"{site}/techniques")
    page.get_by_label("Search techniques").fill("swordfish")
    expect(page.get_by_role("heading", name="Finned Swordfish")).to_be_visible()
    expect(page.get_by_role("heading", name="Skyscraper")).to_be_hidden()
    group = page.locator("details.chapter", has=page.locator("#group-4"))
    shown = group.locator("details.entry:visible").count()
    expect(group.locator("small")).to_have_text(str(shown))


def test_address_of_an_entry_opens_it_on_phones(page: Page, site: str) -> None:
    open_on_phone(page, f"{site}/techniques#0300")
    expect(page.get_by_role("img", name="A step with X-Wing")).to_be_in_viewport()


def test_only_the_first_group_of_techniques_is_open_on_wide_screens(page: Page, site: str) -> None:
    page.goto(f"{site}/techniques")
    expect(page.get_by_role("img", name="A step with Full House")).to_be_visible()
    picture = page.get_by_role("img", name="A step with X-Wing")
    expect(picture).to_be_hidden()
    page.get_by_role("link", name="Medium").click()
    expect(picture).to_be_visible()
    page.get_by_role("heading", name="X-Wing", exact=True).click(force=True)
    expect(picture).to_be_visible()


def test_example_of_a_format_is_copied_in_full(page: Page, site: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_on_phone(page, f"{site}/formats")
    page.get_by_role("heading", name="Pencil marks").click()
    page.get_by_role("button", name="Copy the example of Pencil marks").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    (example,) = (format_.example for format_ in FORMATS if format_.name == "pencilmarks")
    assert page.evaluate("navigator.clipboard.readText()") == example
    expect(page.get_by_role("button", name="Copy the example of Pencil marks")).to_be_visible()
