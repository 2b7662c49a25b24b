"""Pencil marks that only repeat information from the givens are ignored.

Imported puzzles with such marks are rated.
"""

import json
from itertools import product

import numpy as np
import pytest

from solver import Layout, Puzzle, explain, parse, solve
from solver.board.pencil_marks import restrict
from solver.board.symbols import Symbols

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GIVENS = tuple(int(symbol) for symbol in EASY.replace(".", "0"))
CLASSIC = Layout.boxed(3, 3)


def implied_by_givens(cell: int) -> list[int]:
    """Return the candidates of a cell that the givens leave, by brute force.

    For a given, this is its value. For other cells, these are the values that no given in the row,
    column, or box has.
    """
    if GIVENS[cell]:
        return [GIVENS[cell]]
    row, column = divmod(cell, 9)
    peers = {
        GIVENS[9 * r + c]
        for r, c in product(range(9), range(9))
        if r == row or c == column or (r // 3, c // 3) == (row // 3, column // 3)
    }
    return [value for value in range(1, 10) if value not in peers]


def masks(values_of: list[list[int]]) -> tuple[int, ...]:
    return tuple(sum(1 << (value - 1) for value in values) for values in values_of)


ALL = masks([list(range(1, 10))] * 81)
IMPLIED = masks([implied_by_givens(cell) for cell in range(81)])


@pytest.mark.parametrize("marks", [ALL, IMPLIED], ids=["full", "implied"])
def test_marks_without_information_are_dropped_when_a_puzzle_is_made(
    marks: tuple[int, ...],
) -> None:
    assert Puzzle(CLASSIC, GIVENS, Symbols.usual(9), marks) == parse(EASY)[0]


def test_one_missing_implied_candidate_is_information() -> None:
    for cell in range(81):
        lowest = IMPLIED[cell] & -IMPLIED[cell]
        marks = tuple(
            mask & ~lowest if place == cell else mask for place, mask in enumerate(IMPLIED)
        )
        assert Puzzle(CLASSIC, GIVENS, Symbols.usual(9), marks).candidates == marks


def test_links_between_cells_count_as_peers() -> None:
    (puzzle,) = parse("1...............", variant="antiknight")
    assert isinstance(puzzle, Puzzle)
    no_one_a_knights_move_away = np.full((1, 16), 0b1111, np.uint64)
    no_one_a_knights_move_away[0, 6] = 0b1110
    givens = np.array([puzzle.givens], np.uint8)
    assert not restrict(puzzle.layout, givens, no_one_a_knights_move_away)[0]
    assert restrict(Layout.boxed(2, 2), givens, no_one_a_knights_move_away)[0]


def _fpuzzles(marks: list[list[int]]) -> str:
    cells = [
        {"value": value, "given": True} if value else {"centerPencilMarks": marks[cell]}
        for cell, value in enumerate(GIVENS)
    ]
    grid = [cells[start : start + 9] for start in range(0, 81, 9)]
    return json.dumps({"size": 9, "grid": grid})


def _library_line(deleted: str) -> str:
    return f":0000:1:{EASY}:{deleted}:::"


@pytest.mark.parametrize(
    "text",
    [
        _fpuzzles([list(range(1, 10))] * 81),
        _fpuzzles([implied_by_givens(cell) for cell in range(81)]),
        _library_line(""),
        _library_line("513"),
    ],
    ids=["f-puzzles, full", "f-puzzles, implied", "HoDoKu", "HoDoKu, an implied deletion"],
)
def test_imported_puzzles_with_such_marks_are_rated_in_both_orders(text: str) -> None:
    (puzzle,) = parse(text)
    assert puzzle == parse(EASY)[0]
    assert isinstance(puzzle, Puzzle)
    for order in ("hodoku", "explainer"):
        assert explain(puzzle, order=order).se_rating == explain(EASY).se_rating


def test_a_block_with_and_without_information_keeps_the_order() -> None:
    texts = [_library_line(""), _library_line("113 114"), _library_line("")]
    puzzles = parse("\n".join(texts))
    assert [isinstance(p, Puzzle) and p.candidates is not None for p in puzzles] == [
        False,
        True,
        False,
    ]


def test_puzzles_may_have_pencil_marks_and_variables_that_differ_from_cells() -> None:
    text = ".Shape~4x4.Var~A~~1.Var~B~~1.AllDifferent~VA~VB~R1C1.~R1C1_1_2.~R2C2_3"
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.candidates is not None
    assert puzzle.candidates[:2] == (0b11, 0b1111)
    assert solve(puzzle, limit=1).solutions == 1
