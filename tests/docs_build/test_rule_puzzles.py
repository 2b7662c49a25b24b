"""Rules have a puzzle with one solution, and with several without the rule."""

import json

import pytest

from docs_build.rule_puzzles import needs_rule
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from solver.solving import solve
from web.pages.rule_puzzles import rule_puzzles

# Rules without a puzzle: the generator can't make boards whose cells have other values or regions,
# and finds no grid for the example of "look and say".
WITHOUT = {"chaosconstruction", "doppelganger", "lookandsay"}
SELDOM_NEEDED = {"different", "noties", "regionsamevalues"}


def test_rules_have_a_puzzle() -> None:
    assert rule_puzzles().keys() == {*RULES, *VARIANTS} - WITHOUT


@pytest.mark.parametrize(("name", "text"), rule_puzzles().items())
def test_puzzle_has_one_solution_only_with_its_rule(name: str, text: str) -> None:
    members = json.loads(text)
    types = {each["type"] for each in members.get("constraints", ())}
    assert {*types, *members.get("variant", ())} == {name}
    result = solve(text, limit=2)
    assert (result.solutions, result.unique) == (1, True)
    assert needs_rule(text) == (name not in SELDOM_NEEDED)
