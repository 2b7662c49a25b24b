"""The names that `from solver import …` offers to Python callers.

Also the forms of puzzles that they accept, and boards in notebooks.
"""

from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solver
from solver import (
    Invalid,
    Outcome,
    Puzzle,
    explain,
    minimality,
    minlex,
    parse,
    rate_many,
    solve,
    solve_many,
    true_candidates,
)

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CELLS = np.array([int(symbol) for symbol in EASY.replace(".", "0")])


@pytest.mark.parametrize(
    "source",
    [
        EASY,
        EASY.encode(),
        CELLS,
        CELLS.reshape(9, 9),
        CELLS.astype(np.uint8),
        CELLS.tolist(),
        CELLS.reshape(9, 9).tolist(),
        [[value or None for value in row] for row in CELLS.reshape(9, 9).tolist()],
        tuple(map(tuple, CELLS.reshape(9, 9).tolist())),
        parse(EASY)[0],
    ],
    ids=lambda source: type(source).__name__,
)
def test_all_python_forms_of_a_puzzle_are_accepted(source: Any) -> None:
    assert solve(source) == solve(EASY)
    assert explain(source).solved
    assert true_candidates(source).solvable
    assert minimality(source).minimal is False


def test_path_is_read_as_a_file_with_one_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(EASY)
    assert solve(file) == solve(EASY)
    with pytest.raises(FileNotFoundError):
        solve(tmp_path / "missing.txt")


@pytest.mark.parametrize(
    ("cells", "detail"),
    [
        ([[1, 2], [3]], "row 2 has 1 cell, expected 2"),
        (np.zeros((3, 4), int), "an array of the shape (3, 4) isn't a square board"),
        (np.zeros(80, int), "an array of the shape (80,) isn't a square board"),
        (np.zeros((2, 9, 9), int), "an array of the shape (2, 9, 9) isn't a square board"),
        ([], "an array of the shape (0,) isn't a square board"),
        ([[0, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 0], [0, 0, 0, 0]], "5 in r2c3 isn't a value"),
        ([[-1, 0], [0, 0]], "-1 in r1c1 isn't a value"),
        (f"{EASY}\n{EASY}", "expected a single puzzle, found 2"),
    ],
)
def test_cells_that_do_not_form_a_board_are_invalid_with_the_reason(
    cells: Any, detail: str
) -> None:
    result = solve(cells)
    assert result.outcome is Outcome.INVALID
    assert result.detail is not None
    assert result.detail.startswith(detail)


@pytest.mark.parametrize("wrong", [None, 7, {1: 2}, [0.5] * 81, [True] * 81, np.zeros(81)])
def test_other_types_raise_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"integer|Puzzle"):
        solve(wrong)


def test_boards_without_boxes_are_accepted_as_lists() -> None:
    result = solve([[1, 0, 0], [0, 0, 0], [0, 0, 1]])
    assert result.solution is not None
    assert [result.solution[0], result.solution[8]] == [1, 1]


def test_solve_many_accepts_grids_in_rows_and_columns() -> None:
    flat = solve_many(CELLS.reshape(1, 81))
    assert (solve_many(CELLS.reshape(1, 9, 9)).solutions == flat.solutions).all()
    with pytest.raises(ValueError, match=r"\(n, 81\) or \(n, 9, 9\), not \(1, 9, 8\)"):
        solve_many(np.zeros((1, 9, 8), np.uint8))


def test_rate_many_returns_none_for_puzzles_that_are_not_unique() -> None:
    empty = np.zeros(81, np.int64)
    easy, none = rate_many(np.array([CELLS, empty]))
    assert none is None
    assert easy is not None
    assert easy.rating == explain(EASY).se_rating
    assert easy.score == explain(EASY).hodoku_score


def test_minlex_is_the_same_for_equivalent_grids() -> None:
    swapped = CELLS.reshape(9, 9)[[1, 0, 2, 3, 4, 5, 6, 7, 8]].T.reshape(1, 81)
    one, other = minlex(CELLS.reshape(1, 81).astype(np.uint8)), minlex(swapped.astype(np.uint8))
    assert (one == other).all()


def test_outcome_prints_as_its_name() -> None:
    assert str(Outcome.STEP_LIMIT) == f"{Outcome.STEP_LIMIT}" == "step_limit"
    assert f"{Outcome.SOLVED:>8}" == "  solved"
    assert int(Outcome.INVALID) == 4


def test_puzzles_and_invalid_records_carry_their_names() -> None:
    first, second = parse(f"id,puzzle\nfoo,{EASY}\nbar,{EASY[:-1]}\n")
    assert isinstance(first, Puzzle)
    assert first.name == "foo"
    assert first == parse(EASY)[0]
    assert isinstance(second, Invalid)
    assert second.name == "bar"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        self.counts[tag] = self.counts.get(tag, 0) + 1


@pytest.mark.parametrize(
    "show", [lambda: parse(EASY)[0], lambda: solve(EASY), lambda: explain(EASY)]
)
def test_notebooks_show_a_board(show: Any) -> None:
    tags = _Tags()
    tags.feed(show()._repr_html_())
    assert (tags.counts["tr"], tags.counts["td"]) == (9, 81)


def test_symbols_are_escaped_in_notebooks() -> None:
    (puzzle,) = parse("<...\n.&..\n...3\n...4", symbols="<&34")
    assert isinstance(puzzle, Puzzle)
    assert "&lt;" in puzzle._repr_html_()
    assert "><<" not in puzzle._repr_html_()


def test_version_is_that_of_the_installation() -> None:
    assert solver.__version__ == version("sudokuq")
