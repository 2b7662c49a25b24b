"""Webhooks on the pages, in a real browser and with a real receiver."""

import re

import pytest
from browsing import CLASSIC, PATIENCE, paste, solve
from playwright.sync_api import Locator, Page, expect
from receiver import SECRET, receiver

from worker.webhooks.signing import read_secret

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def open_settings(page: Page) -> None:
    page.locator("summary", has_text="Options").click()
    page.locator("summary", has_text="More settings").click()


def error_of(field: Locator) -> Locator:
    return field.locator("xpath=ancestor::*[@class='field']").locator(".fault")


def test_receiver_gets_the_job_that_was_created_with_the_form(page: Page) -> None:
    with receiver() as hooks:
        open_settings(page)
        page.get_by_label("Webhook URL").fill(hooks.url)
        page.get_by_role("textbox", name="Webhook secret").fill(SECRET)
        paste(page, CLASSIC)
        expect(page.locator("#webhook")).to_contain_text(
            f"The notification was delivered to {hooks.url}.", timeout=PATIENCE
        )
        job_id = page.url.rpartition("/")[2]
        assert hooks.jobs() == [f"{job_id} finished"]


def test_rejected_webhook_has_its_error_next_to_the_field_until_it_changes(page: Page) -> None:
    open_settings(page)
    url = page.get_by_label("Webhook URL")
    secret = page.get_by_role("textbox", name="Webhook secret")
    url.fill("https://elsewhere.example/hook")
    paste(page, CLASSIC)
    expect(error_of(url)).to_contain_text("doesn't allow webhooks to elsewhere.example")
    expect(url).to_be_focused()
    expect(url).to_have_accessible_description(re.compile("to elsewhere.example"))
    url.fill("http://127.0.0.1:1/hook")
    expect(error_of(url)).to_have_count(0)
    solve(page)
    expect(error_of(secret)).to_contain_text("needs a “Webhook secret”")
    url.fill("")
    solve(page)
    expect(page.locator("#state, .puzzle").first).to_be_visible(timeout=PATIENCE)


def test_invalid_url_in_closed_options_is_revealed(page: Page) -> None:
    options = page.locator("summary", has_text="Options")
    open_settings(page)
    page.get_by_label("Webhook URL").fill("nowhere")
    options.click()
    paste(page, CLASSIC)
    expect(page.get_by_label("Webhook URL")).to_be_focused()
    expect(page.locator("#state")).to_have_count(0)


def test_generated_secret_is_valid_and_not_kept_in_the_draft(page: Page) -> None:
    open_settings(page)
    page.get_by_label("Paste puzzles").fill(CLASSIC)
    page.get_by_label("Webhook URL").fill("http://127.0.0.1:1/hook")
    page.get_by_role("button", name="Generate a secret").click()
    secret = page.get_by_role("textbox", name="Webhook secret")
    key = read_secret(secret.input_value())
    assert key is not None
    assert len(key) == 32
    page.reload()
    expect(page.get_by_label("Webhook URL")).to_have_value("http://127.0.0.1:1/hook")
    expect(secret).to_have_value("")
