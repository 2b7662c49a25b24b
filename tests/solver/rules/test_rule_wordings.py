"""Every rule has a display name and a sentence that a setter would print under the puzzle.

Sentences contain the puzzle's own numbers. Variants are found by all of their names.
"""

import re
from collections import Counter

import pytest
from paths import DATA

from solver.board.symbols import Symbols
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant, known_variant
from solver.rules.wording import Parameter

EVERY_RULE: dict[str, Rule | Variant] = {**RULES, **VARIANTS}
CASES = [
    line.split("|", 3)
    for line in (DATA / "rule_sentences.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
ODD = [
    re.compile(line, re.IGNORECASE)
    for line in (DATA / "odd_english.txt").read_text("utf-8").splitlines()[1:]
]
# Parts of names and sentences that aren't words of a setter.
_NOT_PROSE = re.compile(r"[`_{}\[\]]|\br\d+c\d+\b")
_LONGEST = 30  # words of a sentence
# Skyscrapers are hidden behind taller ones.
_NORMAL_ENGLISH = {("skyscraper", "behind")}


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


NAMES = Counter(each.title for each in EVERY_RULE.values())
# Identifiers such as xvnegative that aren't also ordinary words of a display name.
IDENTIFIERS = set(EVERY_RULE).difference(
    word
    for each in EVERY_RULE.values()
    for name in (each.title, *each.wording.other_names)
    for word in words(name)
)


def test_display_names_are_unique() -> None:
    assert [name for name, count in NAMES.items() if count > 1] == []
    assert "xvnegative" in IDENTIFIERS


@pytest.mark.parametrize("name", EVERY_RULE)
def test_rule_has_a_display_name_and_a_sentence(name: str) -> None:
    rule = EVERY_RULE[name]
    texts = [rule.title, rule.description, rule.wording.note, *rule.wording.other_names]
    assert rule.title[:1].isupper()
    assert re.fullmatch(r"[A-Z].*[^.]\.", rule.description)
    assert len(rule.description.split()) <= _LONGEST
    assert rule.wording.note == "" or re.fullmatch(r"[A-Z].*\.", rule.wording.note)
    for text in texts:
        assert not _NOT_PROSE.search(text)
        assert IDENTIFIERS.isdisjoint(words(text))


@pytest.mark.parametrize("name", EVERY_RULE)
def test_sentences_are_plain_english(name: str) -> None:
    text = EVERY_RULE[name].wording.with_note
    odd = {found[0] for pattern in ODD if (found := pattern.search(text))}
    assert {(name, each) for each in odd} <= _NORMAL_ENGLISH


@pytest.mark.parametrize("name", RULES)
def test_sentence_or_json_key_has_the_default(name: str) -> None:
    rule = RULES[name]
    if "unless stated" in rule.description:
        assert f"({rule.usual} unless stated)" in rule.description
    uses = re.findall(r"\{(value|digits|pairs|number)\}", rule.wording.sentence)
    assert not uses or (rule.value is not None and rule.wording.parameter)


@pytest.mark.parametrize(("name", "board", "written", "sentence"), CASES)
def test_sentence_contains_the_digits_and_parameters_of_the_puzzle(
    name: str, board: str, written: str, sentence: str
) -> None:
    symbols = Symbols.usual(int(board)).values if board.isdigit() else tuple(board)
    rule = EVERY_RULE[name]
    parameters = {parameter(rule, each) for each in written.split("/") if each}
    numbers = range(1, len(symbols) + 1)
    assert rule.wording.on_board(numbers, symbols, parameters) == sentence
    if board == "9" and not written:
        assert rule.description == sentence


def parameter(rule: Rule | Variant, text: str) -> Parameter:
    assert isinstance(rule, Rule)
    if rule.text:
        return text
    return tuple(map(int, text.split(","))) if rule.many else int(text)


def test_variants_are_found_by_all_of_their_names() -> None:
    for variant in VARIANTS.values():
        for name in (variant.name, variant.title, *variant.wording.other_names):
            assert known_variant(name) is variant


def test_variants_share_the_wording_of_their_rule() -> None:
    assert all(VARIANTS[rule.name].wording is rule.wording for rule in EVERYWHERE_RULES)
