"""The start page and the editor on phones: everything that can be tapped is 40 pixels high."""

import pytest
from browsing import CLASSIC, PATIENCE
from editing import add_cage
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]

# Returns the targets that are lower than 40 pixels.
LOW_TARGETS = """() => {
    const fields = "input:not([type=radio], [type=checkbox], [type=hidden])";
    const targets = `a, button, select, summary, textarea, label:has(input), ${fields}`;
    return [...document.querySelectorAll(targets)]
        .filter(each => each.checkVisibility({ visibilityProperty: true }))
        .filter(each => !each.closest("p, #cell, .skip"))
        .map(each => [each.getBoundingClientRect(), each.outerHTML.slice(0, 90)])
        .filter(([box]) => box.right > 0 && box.width > 1 && box.height < 39.9)
        .map(([{ height }, html]) => `${height}: ${html}`);
}"""


@pytest.fixture
def phone(site: str, browser: Browser) -> Page:
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    return context.new_page()


def test_targets_of_the_start_page_are_high_enough(phone: Page) -> None:
    phone.goto("/")
    for summary in phone.locator("main summary:visible").all():
        summary.press("Enter")
    assert phone.evaluate(LOW_TARGETS) == []
    phone.get_by_label("Paste puzzles").fill(CLASSIC)
    expect(phone.locator("#pasted-verdict")).to_contain_text("easy", timeout=PATIENCE)
    assert phone.evaluate(LOW_TARGETS) == []


@pytest.mark.parametrize("mode", ["Digits", "Rules", "Regions", "Title"])
def test_targets_of_the_editor_are_high_enough(phone: Page, mode: str) -> None:
    phone.goto("/#editor")
    expect(phone.locator("#rule-list fieldset").first).to_be_attached(timeout=PATIENCE)
    add_cage(phone)
    phone.locator(".modes").get_by_text(mode).click()
    expect(phone.locator("#add-givens:not([hidden])")).to_be_attached(timeout=PATIENCE)
    assert phone.evaluate(LOW_TARGETS) == []
