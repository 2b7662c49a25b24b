"""The reference pages list every rule and technique, and every page links to them.

They have pictures, sentences, and a search that works without scripts.
"""

import re

from flask.testing import FlaskClient
from markupsafe import escape

from solver.logic.examples import EXAMPLES
from solver.logic.rating.difficulty import WORDS, word_for
from solver.logic.technique_table import GUESS, RULE_TECHNIQUES, TECHNIQUES
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from web.api.techniques_json import techniques_json
from web.pages.technique_sentences import technique_sentence


def test_page_of_rules_shows_every_rule_with_a_picture(http: FlaskClient) -> None:
    page = http.get("/rules").text
    shown = [
        entry[: entry.index('"')]
        for entry in page.split('<details class="entry" id="')[1:]
        if entry.partition("<p>")[0].count('<svg class="board') == 1
    ]
    assert sorted(shown) == sorted({*RULES, *VARIANTS})


def test_rules_are_found_by_any_of_their_names_without_scripts(http: FlaskClient) -> None:
    page = http.get("/rules?q=HYPER+sudoku").text
    assert re.findall(r'<details class="entry" id="(\w+)"', page) == ["windoku"]
    assert "Show all rules" in http.get("/rules?q=nothing+like+that").text


def test_page_of_techniques_shows_every_one_but_guessing(http: FlaskClient) -> None:
    shown = re.findall(r'<details class="entry" id="(\w+)"', http.get("/techniques").text)
    assert {*TECHNIQUES, *RULE_TECHNIQUES} - {*shown} == {GUESS}
    assert len(shown) == len({*shown})


def test_techniques_are_grouped_by_the_difficulty_words_of_puzzles(http: FlaskClient) -> None:
    page = http.get("/techniques").text
    titles = re.findall(r'<h2 id="group-\d">([^<]*)</h2>', page)
    assert titles == [*(word.capitalize() for word in WORDS), "Steps from rules"]
    for group, word in zip(page.split("<h2 id=")[1:-1], WORDS, strict=True):
        ratings = [float(rating) for rating in re.findall(r"<span>SE ([\d.]+)", group)]
        assert {word_for(rating) for rating in ratings} <= {word}


def test_every_technique_with_an_example_has_a_picture_of_a_step(http: FlaskClient) -> None:
    page = http.get("/techniques").text
    for code, text in EXAMPLES.items():
        entry = page.partition(f'<details class="entry" id="{code}"')[2].partition("</details>")[0]
        assert entry.count('<svg class="board') == 1
        assert f'name="text" value="{escape(text)}"' in entry
        assert re.search(r'class="(candidate[^"]* removed|placed)"', entry)


def test_techniques_without_a_picture_are_the_last_of_their_group(http: FlaskClient) -> None:
    for group in http.get("/techniques").text.split('<details class="chapter"')[1:]:
        drawn = ['class="picture"' in entry for entry in group.split('<details class="entry"')[1:]]
        assert drawn == sorted(drawn, reverse=True)


def test_every_technique_is_described_in_a_sentence() -> None:
    found = techniques_json()
    names = {each.code: each.name for each in (*found.hodoku, *found.explainer)}
    names |= {code: entry.name for code, entry in RULE_TECHNIQUES.items()}
    for code, name in names.items():
        assert code == GUESS or re.fullmatch(r"[A-Z].*\.", technique_sentence(code, name)), name


def test_techniques_are_found_by_any_of_their_names_without_scripts(http: FlaskClient) -> None:
    page = http.get("/techniques?q=pointing+pairs").text
    assert re.findall(r'<details class="entry" id="(\w+)"', page) == ["0100"]
    assert "Show all techniques" in http.get("/techniques?q=nothing+like+that").text


def test_every_page_links_to_reference_and_privacy_and_marks_itself(http: FlaskClient) -> None:
    for path in ("/rules", "/techniques", "/formats", "/privacy", "/workers", "/my-jobs", "/make"):
        page = http.get(path).text
        assert f'<a href="{path}" aria-current="page">' in page
        assert page.count('aria-current="page"') == 1
        for other in ("/rules", "/techniques", "/formats", "/privacy"):
            assert f'<a href="{other}"' in page
