"""JSON as web sites deliver it, with the puzzle nested in other objects.

Several puzzles in one object, and cells that are objects, are reported. Saved games of GNOME Sudoku
are read without the player's entries.
"""

import json
from typing import Any

import pytest

from solver import Invalid, parse
from solver.formats.format import ReadOptions
from solver.formats.objects.json_values import read_value

ZEROS = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CELLS = [int(cell) for cell in ZEROS]
ROWS = [CELLS[start : start + 9] for start in range(0, 81, 9)]
NYT = {"puzzle_data": {"puzzle": CELLS, "solution": [int(cell) for cell in SOLVED]}}


@pytest.mark.parametrize(
    "document",
    [
        {"mission": ZEROS, "solution": SOLVED, "win_rate": 44.2, "id": 7},
        {"newboard": {"grids": [{"value": ROWS, "solution": ROWS, "difficulty": "Easy"}],
                      "results": 1, "message": "All Ok"}},
        {"value": ROWS, "solution": ROWS, "difficulty": "Easy"},
        {"day_of_week": "Monday", "difficulty": "hard"} | NYT,
    ],
)  # fmt: skip
def test_puzzle_inside_another_object_is_read(document: dict[str, Any]) -> None:
    assert [str(found).replace(".", "0") for found in parse(json.dumps(document))] == [ZEROS]


def test_name_and_solution_of_a_nested_puzzle_are_kept() -> None:
    nested = {
        "data": {"puzzle": "1...............", "name": "Alpha", "solution": "1234341221434321"}
    }
    reading = read_value(nested, text="", options=ReadOptions())
    assert reading.name == "Alpha"
    assert reading.expected == (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    assert read_value({**nested, "name": "Beta"}, text="", options=ReadOptions()).name == "Beta"


def details(document: dict[str, Any]) -> list[str]:
    return [each.detail for each in parse(json.dumps(document)) if isinstance(each, Invalid)]


def test_several_puzzles_in_one_object_are_reported() -> None:
    assert details({"easy": NYT, "hard": NYT}) == [
        "this object contains several puzzles; send them as a list"
    ]


def test_cells_that_are_objects_are_reported() -> None:
    for cells in ([[{"value": cell} for cell in row] for row in ROWS], [{"value": 1}] * 81):
        (detail,) = details({"puzzle": cells})
        assert detail.startswith('a cell must be a number, a string, or null, not {"value": ')


@pytest.mark.parametrize("indent", [None, 2])
def test_a_saved_game_of_gnome_sudoku_is_read_without_entries(indent: int | None) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    cells = [
        {"position": [*divmod(place, 9)], "value": int(cell), "fixed": True, "earmarks": []}
        for place, cell in enumerate(puzzle)
        if cell != "."
    ]
    cells.append({"position": [0, 2], "value": 4, "fixed": False, "earmarks": [1]})
    game = {"difficulty_category": "EASY", "time_elapsed": 1.5, "cells": cells}
    (found,) = parse(json.dumps(game, indent=indent))
    assert str(found) == puzzle
