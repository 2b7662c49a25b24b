"""The published JSON Schema accepts and rejects the same puzzles as the parser."""

import json
from typing import Any

import jsonschema
import pytest
from paths import DATA

from solver import Invalid, Puzzle, parse
from solver.formats.objects.object_keys import KEYS
from solver.formats.schema import puzzle_schema
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS

VALIDATOR = jsonschema.Draft202012Validator(puzzle_schema())
FROM_ZERO = {"shape": "9x9", "size": 10, "lowest": 0}


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(puzzle_schema())


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_is_in_the_schema(name: str) -> None:
    example = json.loads(RULES[name].example)
    board: dict[str, object] = {"givens": "." * 81}
    if name == "chaosconstruction":  # its cells are variables, one per cell of the grid
        board = {"shape": "2x2", "variables": example["cells"]}
    puzzle = {**board, "constraints": [example]}
    assert VALIDATOR.is_valid(puzzle)
    assert isinstance(parse(json.dumps(puzzle))[0], Puzzle)
    for broken in (example | {"nonsense": 1}, example | {"cells": ["r0c1"]}):
        assert not VALIDATOR.is_valid({"givens": "." * 81, "constraints": [broken]})


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_variant_is_in_the_schema(name: str) -> None:
    board = {"givens": "." * 81} if name != "doppelganger" else FROM_ZERO
    puzzle = {**board, "constraints": [{"type": name}]}
    assert VALIDATOR.is_valid(puzzle)
    assert isinstance(parse(json.dumps(puzzle))[0], Puzzle)


def test_example_puzzles_follow_the_schema() -> None:
    for line in (DATA / "uploads" / "variants.ndjson").read_text().splitlines():
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize("board", [{"givens": "." * 81}, {"shape": "6x8"}, {"grids": ["r1c1"]}])
def test_wrong_types_are_refused_by_schema_and_reader(board: dict[str, object]) -> None:
    assert VALIDATOR.is_valid(board)
    assert isinstance(parse(json.dumps(board))[0], Puzzle)
    wrong: list[dict[str, object]]
    wrong = [{"candidates": []}, {"lowest": True}]
    for more in wrong:
        (refused,) = parse(json.dumps(board | more))
        assert isinstance(refused, Invalid)
        assert next(iter(more)) in refused.detail
        assert not VALIDATOR.is_valid(board | more)


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_may_be_null(key: str) -> None:
    puzzle = {"givens": "." * 81} | ({} if key == "givens" else {key: None})
    assert VALIDATOR.is_valid(puzzle)
    assert isinstance(parse(json.dumps(puzzle))[0], Puzzle)


def test_schema_is_published(http: Any) -> None:
    answer = http.get("/api/v1/schema")
    assert answer.status_code == 200
    assert answer.json == puzzle_schema()


def test_unknown_members_pass_the_schema_and_the_reader() -> None:
    puzzle = {"givens": "." * 81, "custom_id": "a", "metadata": {"b": 1}}
    assert VALIDATOR.is_valid(puzzle)
    assert isinstance(parse(json.dumps(puzzle))[0], Puzzle)
