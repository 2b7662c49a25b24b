"""Killer puzzles from short forms, constraint strings, JSON, and public collections."""

import json
from pathlib import Path

import pytest

from solver import Invalid, Outcome, Puzzle, parse, solve
from solver.formats import recognize
from solver.formats.format import Recognized


def test_killer_with_one_row_is_solved_from_json() -> None:
    cages = [
        {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 3},
        {"type": "killer", "cells": ["r1c3", "r1c4", "r1c5"], "sum": 24},
        {"type": "greater", "cells": ["r1c1", "r1c2"]},
        {"type": "antiknight"},
    ]
    found = parse(json.dumps({"givens": "." * 81, "constraints": cages}), format="ndjson")[0]
    assert isinstance(found, Puzzle)
    result = solve(found)
    assert result.solution is not None
    assert result.solution[:2] == (2, 1)
    assert set(result.solution[2:5]) == {7, 8, 9}


KILLER = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"


def test_killer_in_short_form_is_recognized_and_solved() -> None:
    found = recognize(KILLER.encode() + b"\n", final=True)
    assert isinstance(found, Recognized)
    assert found.format.name == "killer"
    result = solve(KILLER)
    assert result.unique
    solution = "".join(map(str, result.solution or ()))
    assert solution == (
        "432851769786239415159467823263974581971583642548612397397148256614725938825396174"
    )


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        (KILLER[:-1], "80 characters, expected 81"),
        (KILLER + "^", "82 characters, expected 81"),
        ("!" + KILLER[1:], "r1c1: expected a cage sum or an arrow, got '!'"),
        ("^" + KILLER[1:], "r1c1: the arrow doesn't lead to a cage sum"),
        ("><" + KILLER[2:], "r1c1: the arrow doesn't lead to a cage sum"),
    ],
)
def test_broken_killers_are_invalid_with_the_cell(text: str, detail: str) -> None:
    found = parse(text, format="killer")[0]
    assert isinstance(found, Invalid)
    assert found.detail == detail


def test_public_killers_have_one_solution_each(public_data: Path) -> None:
    found = parse((public_data / "variants" / "killer-short-form.txt").read_bytes())
    assert len(found) == 21
    for puzzle in found:
        assert isinstance(puzzle, Puzzle)
        result = solve(puzzle)
        assert (result.outcome, result.unique) == (Outcome.SOLVED, True)


def test_cage_without_a_sum_in_a_short_killer_has_no_repeats() -> None:
    (puzzle,) = parse("0<" + KILLER[2:], format="killer")
    assert isinstance(puzzle, Puzzle)
    cages = {constraint.cells: constraint.value for constraint in puzzle.layout.constraints}
    assert cages[0, 1, 2, 9] == -1
