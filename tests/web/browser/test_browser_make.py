"""The page on which people make puzzles, in a real browser."""

import pytest
from browsing import expect_finished
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.redis]


def test_puzzles_are_made_and_drawn(page: Page) -> None:
    page.get_by_role("link", name="Make puzzles").first.click()
    page.get_by_label("Number of puzzles").fill("3")
    page.get_by_text("More options").click()
    page.get_by_label("Symmetry of the givens").select_option("half turn (180°)")
    page.get_by_label("Rating from").fill("1.5")
    page.get_by_label("Rating to").fill("3.0")
    page.get_by_label("Rate the puzzles").check()
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Make puzzles").click()
    expect_finished(page)
    expect(page.locator("#results svg.board")).to_have_count(3)


def test_killers_with_random_regions_are_made_and_drawn(page: Page) -> None:
    page.goto("/make")
    page.get_by_label("Number of puzzles").fill("2")
    page.get_by_label("Board", exact=True).select_option("6×6")
    page.get_by_text("More options").click()
    page.get_by_label("Regions", exact=True).select_option("jigsaw")
    page.get_by_label("Random constraints").select_option("Killer cage")
    page.get_by_label("Number of constraints").fill("10..14")
    page.get_by_role("button", name="Make puzzles").click()
    expect_finished(page)
    expect(page.locator("#results svg.board")).to_have_count(2)


def test_help_about_a_choice_is_shown_only_after_it(plain_page: Page) -> None:
    plain_page.goto("/make")
    plain_page.get_by_text("More options").click()
    for label, choice, text in (
        ("Board", "25×25", "Each 25×25 puzzle takes seconds"),
        ("Board", "6×6", "Only for classic 9×9 puzzles"),
        ("Symmetry of the givens", "full", "With symmetry, puzzles have"),
        ("Sampling", "slow, for statistics (controlled bias)", "The slow method takes seconds"),
        ("Regions", "jigsaw", "In a jigsaw, each puzzle"),
        ("Regions", "jigsaw", "Not available with extra rules"),
        ("Random constraints", "Killer cage", "Puzzles with killer cages"),
        ("Random constraints", "Thermometer", "How many cages, lines, or dots"),
    ):
        help_text, field = plain_page.get_by_text(text), plain_page.get_by_label(label, exact=True)
        expect(help_text).to_be_hidden()
        field.select_option(choice)
        expect(help_text).to_be_visible()
        field.select_option(index=0)
        expect(help_text).to_be_hidden()
    plain_page.get_by_text("Extra rules").first.click()
    plain_page.locator("[name=variant]").first.check()
    expect(plain_page.get_by_text("Not available with extra rules")).to_be_visible()


def test_an_invalid_field_is_explained_next_to_it(page: Page) -> None:
    page.goto("/make")
    page.get_by_text("More options").click()
    page.get_by_label("Needs the technique").fill("X-Win")
    page.get_by_label("Number of puzzles").fill("2")
    page.get_by_role("button", name="Make puzzles").click()
    expect(page.get_by_role("alert")).to_contain_text("Did you mean 'X-Wing'?")
    expect(page.locator("#require-fault")).to_be_visible()
    expect(page.get_by_label("Number of puzzles")).to_have_value("2")
