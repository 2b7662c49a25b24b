"""The puzzle text that a page offers for copying can be uploaded again as the same puzzle."""

import json
import re
from collections.abc import Iterator
from html import unescape

import pytest
from browsing import CLASSIC
from flask.testing import FlaskClient
from http_jobs import finished
from paths import DATA

from solver import Puzzle, parse
from solver.formats.write import write_puzzle
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from worker.service import Service

KILLER = (
    '{"puzzle": "12.4...2....4..1", "constraints": '
    '[{"type": "killer", "cells": ["r2c1", "r2c2"], "sum": 7}]}'
)


def puzzles() -> Iterator[tuple[str, Puzzle]]:
    """Yield puzzles with every rule and variant, and from example files, as (name, puzzle).

    The name is that of the rule, the variant, or the file.
    """
    for rule in RULES.values():
        text = json.dumps({"puzzle": "." * 81, "constraints": [json.loads(rule.example)]})
        yield from ((rule.name, each) for each in parse(text) if isinstance(each, Puzzle))
    for name in VARIANTS:
        read = parse("." * 80 + "1", variant=(name,))
        yield from ((name, each) for each in read if isinstance(each, Puzzle))
    for file in ("jigsaw.txt", "killer.txt", "candidates.txt", "letters.16.txt", "pictures.txt",
                 "constraints.iss", "links.txt", "variants.ndjson"):  # fmt: skip
        read = parse((DATA / "uploads" / file).read_text())
        yield from ((file, each) for each in read[:20] if isinstance(each, Puzzle))


def test_text_of_a_puzzle_has_all_its_rules() -> None:
    for name, puzzle in puzzles():
        text = write_puzzle(puzzle)
        assert text is not None, name
        (other,) = parse(text)
        assert isinstance(other, Puzzle), name
        assert (other.givens, other.candidates) == (puzzle.givens, puzzle.candidates), name
        assert {*other.layout.constraints} == {*puzzle.layout.constraints}, name


def copied_from(page: str) -> str:
    found = re.search(r'<textarea id="puzzle-text"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        (CLASSIC, {}, "Puzzle"),
        (KILLER, {}, "Puzzle with its rules"),
        (CLASSIC, {"variant": "diagonal"}, "Puzzle with its rules"),
    ],
)
def test_copied_puzzle_has_the_same_results(
    http: FlaskClient, service: Service, text: str, options: dict[str, str], label: str
) -> None:
    pages = []
    for _ in range(2):
        path = finished(http, service, text, **options)
        pages.append(http.get(f"{path}/puzzles/1").text)
        text, options = copied_from(pages[0]), {}
    facts = [re.findall(r"<dd>(.*?)</dd>|<title>(.*?)</title>", page) for page in pages]
    assert facts[0] == facts[1]
    assert f'<label for="puzzle-text">{label}</label>' in pages[0]


def test_solutions_of_a_puzzle_with_rules_are_listed_with_them(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, KILLER.replace("12.4...2....4..1", "." * 16))
    page = http.get(f"{path}/puzzles/1").text
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    again = finished(http, service, **{name: unescape(value) for name, value in sent.items()})
    page = http.get(f"{again}/puzzles/1").text
    assert "<title>Killer cage</title>" in page
    assert ">Differences</label>" in page


def test_rules_that_cannot_be_written_are_not_silently_dropped(
    http: FlaskClient, service: Service
) -> None:
    rules = [{"type": "odd", "cells": ["r1c1"]}] * 501  # too many to be written
    text = json.dumps({"puzzle": "1" + "." * 15, "constraints": rules})
    page = http.get(f"{finished(http, service, text)}/puzzles/1").text
    assert "Givens without the rules" in page
    assert "Copy givens" in page
    assert "Copy puzzle" not in page


def test_link_to_the_page_of_a_puzzle_can_be_copied(http: FlaskClient, service: Service) -> None:
    path = f"{finished(http, service, CLASSIC)}/puzzles/1"
    assert f'data-copy="http://localhost{path}">Copy link</button>' in http.get(path).text


def test_author_and_rules_in_words_of_a_single_puzzle_are_on_its_page(
    http: FlaskClient, service: Service
) -> None:
    words = {"metadata[author]": "Ann <A>", "metadata[rules]": "Normal rules\r\napply."}
    path = finished(http, service, CLASSIC, name="First", **words)
    page = http.get(f"{path}/puzzles/1").text
    assert "<h1>First <small>by Ann &lt;A&gt;</small></h1>" in page
    assert '<p class="own-words">Normal rules\napply.</p>' in page
    edited = unescape(http.get(f"/?edit={path.rpartition('/')[2]}/1").text)
    assert '"author": "Ann <A>", "rules": "Normal rules\\napply."' in edited
    several = finished(http, service, f"{CLASSIC}\n{CLASSIC}", **words)
    assert "by Ann" not in http.get(f"{several}/puzzles/1").text
