"""Results use the symbols of the puzzle: letters, images, words, and symbols of empty cells."""

import json

import pytest

from solver import Outcome, Puzzle, parse, solve
from solver.board.graphemes import split_graphemes
from solver.board.symbols import Symbols
from solver.formats.reading.options import read_symbols
from worker.job import JobOptions
from worker.options import read_options

DIGITS = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FAMILY, THUMB, FLAG, SIGN = "👨‍👩‍👧", "👍🏽", "🇩🇪", "é"


def written(digits: str, symbols: list[str], *, blank: str = ".", separator: str = "") -> str:
    return separator.join(blank if c == "." else symbols[int(c) - 1] for c in digits)


@pytest.mark.parametrize(
    ("symbols", "blank", "separator"),
    [
        (list("ABCDEFGHI"), ".", ""),
        (list("adlopyswr"), "-", ""),
        (list("абвгдежзи"), ".", ""),
        (list("αβγδεζηθι"), "0", ""),
        (list("一二三四五六七八九"), "・", ""),
        (list("①②③④⑤⑥⑦⑧⑨"), "□", ""),
        (list("٠١٢٣٤٥٦٧٨"), ".", ""),
        (list("🐸🐱🐶🐼🦊🐻🐨🐯🦁"), "⬜", ""),
        ([FAMILY, THUMB, FLAG, SIGN, "👍", "👍🏿", "🇫🇷", "e", "❤️"], ".", ""),
        (["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], ".", " "),
        (["rød", "grøn", "blå", "gul", "sort", "hvid", "brun", "grå", "lilla"], "-", ","),
    ],
)
def test_solution_is_written_with_the_symbols_of_the_puzzle(
    symbols: list[str], blank: str, separator: str
) -> None:
    (puzzle,) = parse(written(DIGITS, symbols, blank=blank, separator=separator))
    assert isinstance(puzzle, Puzzle)
    assert set(puzzle.symbols.values) == set(symbols)
    result = solve(puzzle)
    assert result.outcome is Outcome.SOLVED
    assert result.solution is not None
    cells = [puzzle.symbols.values[value - 1] for value in result.solution]
    assert cells == [symbols[int(c) - 1] for c in SOLVED]


def test_written_puzzle_can_be_parsed() -> None:
    symbols = [FAMILY, THUMB, FLAG, SIGN, "👍", "👍🏿", "🇫🇷", "e", "❤️"]
    (puzzle,) = parse(written(DIGITS, symbols))
    assert parse(str(puzzle)) == [puzzle]


def test_composed_and_decomposed_accents_are_the_same_symbol() -> None:
    composed = written(DIGITS, list("áéíóúàèìò"))
    taken_apart = written(DIGITS, ["a\u0301", *"éíóúàèìò"])
    assert parse(composed) == parse(taken_apart)


def test_missing_symbols_are_invented_with_a_remark() -> None:
    (puzzle,) = parse(written(DIGITS.replace("9", "."), list("αβγδεζηθι")))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.symbols.values == (*"αβγδεζηθ", "1")


def test_symbols_option_sets_their_order() -> None:
    text = written(DIGITS, ["🐸", "🐱", "🐶", "🐼", "🦊", "🐻", "🐨", "🐯", "🦁"])
    (puzzle,) = parse(text, symbols="🐸🐱🐶🐼🦊🐻🐨🐯🦁")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.givens == tuple(0 if c == "." else int(c) for c in DIGITS)


def test_blank_option_sets_the_symbol_of_empty_cells() -> None:
    letters = written(DIGITS, list("ABCDEFGHI"), blank="X")
    assert [str(puzzle) for puzzle in parse(letters, blank="X")] == [letters]
    pictures = written(DIGITS, ["🐸", "🐱", "🐶", "🐼", "🦊", "🐻", "🐨", "🐯", "🦁"], blank="🍂")
    assert [str(puzzle) for puzzle in parse(pictures, blank="🍂")] == [pictures]


@pytest.mark.parametrize("text", ["", "abc", "é" * 3, FAMILY + THUMB + FLAG, "e\u0301\u0302x"])
def test_joined_graphemes_are_the_text(text: str) -> None:
    assert "".join(split_graphemes(text)) == text


@pytest.mark.parametrize("symbols", ["abcd", "a,b,c,d", "a b c d", "a, b, c, d", " a,b,c,d "])
def test_symbols_have_the_same_form_in_python_and_in_jobs(symbols: str) -> None:
    assert read_symbols(symbols) == ("a", "b", "c", "d")
    (puzzle,) = parse("ab.c...b....c..a", symbols=symbols)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.symbols.values == ("a", "b", "c", "d")
    options = read_options(JobOptions(symbols=symbols))
    assert options.symbols == puzzle.symbols.values


@pytest.mark.parametrize("board", [{}, {"shape": "4x4"}, {"grids": ["r1c1"], "box": "2x2"}])
@pytest.mark.parametrize("symbols", ["abcd", "a,b,c,d", "a b c d", ["a", "b", "c", "d"]])
def test_symbols_of_a_json_object_do_not_depend_on_the_board(
    board: object, symbols: object
) -> None:
    assert isinstance(board, dict)
    said = {"givens": "ab**" + "*" * 12, "symbols": symbols, "blank": "*"}
    (puzzle,) = parse(json.dumps(board | said))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.symbols == Symbols(tuple("abcd"), "*")
    assert puzzle.givens[:3] == (1, 2, 0)
