"""The first mention of a line, cage, or group names all of its cells."""

import json
from dataclasses import replace

import pytest
from sentence_checker.checking import check
from sentence_checker.step import steps_of

from solver import Puzzle, explain, parse
from solver.logic.sentences.introductions import Introductions
from solver.logic.sentences.wording import Wording

LINE = {"type": "renban", "cells": ["r1c1", "r2c2", "r2c3", "r3c3"]}
GROUP = {"type": "rellik", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 9}


def words_of(*constraints: object) -> Wording:
    (puzzle,) = parse(json.dumps({"puzzle": "." * 81, "constraints": constraints}))
    assert isinstance(puzzle, Puzzle)
    return Wording(puzzle.layout, puzzle.symbols)


@pytest.mark.parametrize(
    ("constraint", "text", "expected"),
    [
        (LINE, "Use the renban line r1c1–r3c3.", "Use the renban line r1c1–r2c2–r2c3–r3c3."),
        (
            GROUP,
            "Use the rellik cage at r1c1.",
            "Use the rellik cage at r1c1 (r1c1, r1c2, and r2c1).",
        ),
        (
            {"type": "renban", "cells": [f"r{1 + n % 2}c{1 + n // 2}" for n in range(18)]},
            "Use the renban line r1c1–r2c9.",
            "Use the renban line r1c1–r2c9 (a line of 18 cells).",
        ),
        (
            {"type": "thermo", "cells": ["r1c1", "r1c2", "r1c3"]},
            "Use the thermometer r1c1–r1c3.",
            "Use the thermometer r1c1–r1c3.",
        ),
        (
            {"type": "killer", "cells": ["r1c1", "r1c2", "r2c2", "r2c3"], "sum": 20},
            "The cage at r1c1 sums to 20.",
            "The cage at r1c1 (r1c1, r1c2, r2c2, and r2c3) sums to 20.",
        ),
    ],
    ids=[
        "a line with turns",
        "a group",
        "a line with many turns",
        "a straight line",
        "the beginning of a sentence",
    ],
)
def test_a_shape_that_is_mentioned_first_shows_its_cells(
    constraint: dict[str, object], text: str, expected: str
) -> None:
    introductions = Introductions(words_of(constraint))
    assert introductions.applied(text) == expected
    assert introductions.applied(text) == text


def test_two_shapes_with_the_same_name_show_no_cells() -> None:
    other = GROUP | {"cells": ["r1c1", "r3c1"]}
    text = "Use the rellik cage at r1c1."
    assert Introductions(words_of(GROUP, other)).applied(text) == text


def test_wrong_cells_of_a_shape_are_reported() -> None:
    thermometer = {"type": "thermo", "cells": ["r1c2", "r1c3", "r2c2"]}
    puzzle = {"size": 4, "grid": "1..4........4..1", "constraints": [thermometer]}
    steps = [step for step in steps_of(explain(json.dumps(puzzle))) if "–r1c3–" in step.text]
    assert steps
    for step in steps:
        assert not check(step).false
        assert check(replace(step, text=step.text.replace("–r1c3–", "–r2c3–"))).false
