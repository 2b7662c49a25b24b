"""Puzzles that are written and parsed again are unchanged."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Puzzle, parse, solve
from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.board.text_lines import Lines
from web.results.writers import WRITERS, select
from worker.job import JobOptions
from worker.records.boards import pack_board
from worker.records.chunk_result import ChunkResult

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SIX, SIX_SOLVED = "123456......231564......312645......", "123456456123231564564231312645645312"
SIGNS = "WORDPLAYS"
PICTURES = "🐸🐱🐶🐼🦊🐻🐨🐯🦁"
FLAGS = ["🇩🇪", "🇫🇷", "🇮🇹", "🇪🇸", "🇵🇱", "🇨🇿", "🇦🇹", "🇨🇭", "🇩🇰"]
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
WRITTEN = [
    (CLASSIC, SOLVED, list("123456789")),
    (CLASSIC, SOLVED, list(SIGNS)),
    (CLASSIC, SOLVED, list(PICTURES)),
    (CLASSIC, SOLVED, FLAGS),
    (CLASSIC, SOLVED, WORDS),
    (SIX, SIX_SOLVED, list("123456")),
]


def result(puzzles: Sequence[str], solutions: Sequence[str], symbols: Sequence[str]) -> ChunkResult:
    count = len(puzzles)
    layout = Layout.boxed(2, 3) if len(symbols) == 6 else Layout.boxed(3, 3)
    board = pack_board(layout, Symbols(tuple(symbols)))
    assert board is not None
    return ChunkResult(
        lines=np.arange(1, count + 1, dtype="<i8").tobytes(),
        outcomes=bytes([Outcome.SOLVED]) * count,
        counts=np.ones(count, "<i8").tobytes(),
        steps=np.zeros(count, "<i8").tobytes(),
        puzzles=Lines("\n".join(puzzles)),
        solutions=Lines("\n".join(solutions)),
        kinds=(board,),
        kind_of=np.zeros(count, "<i4").tobytes(),
        names={0: "the first, or 1st"},
    )


def write(
    name: str, puzzles: Sequence[str], solutions: Sequence[str], symbols: Sequence[str]
) -> str:
    part = (1, result(puzzles, solutions, symbols))
    return b"".join(WRITERS[name].write(select([part], limit=2), JobOptions())).decode()


def in_symbols(digits: str, symbols: Sequence[str]) -> str:
    table = Symbols(tuple(symbols))
    return table.write([0 if c == "." else int(c) for c in digits])


@pytest.mark.parametrize("name", ["jsonl", "json", "csv"])
@pytest.mark.parametrize(("puzzle", "solution", "symbols"), WRITTEN)
@pytest.mark.parametrize("count", [1, 5])
def test_puzzles_in_results_are_read_again(
    name: str, puzzle: str, solution: str, symbols: Sequence[str], count: int
) -> None:
    puzzles = [in_symbols(puzzle, symbols)] * count
    found = parse(write(name, puzzles, [in_symbols(solution, symbols)] * count, symbols))
    assert [str(entry) for entry in found] == puzzles
    assert all(isinstance(entry, Puzzle) for entry in found)


@pytest.mark.parametrize("name", ["txt", "grid"])
@pytest.mark.parametrize(("puzzle", "solution", "symbols"), WRITTEN)
@pytest.mark.parametrize("count", [1, 5])
def test_solutions_are_read_again(
    name: str, puzzle: str, solution: str, symbols: Sequence[str], count: int
) -> None:
    solutions = [in_symbols(solution, symbols)] * count
    text = write(name, [in_symbols(puzzle, symbols)] * count, solutions, symbols)
    found = parse(text)
    assert [str(entry) for entry in found] == solutions
    for entry in found:
        assert isinstance(entry, Puzzle)
        assert solve(entry).outcome is Outcome.SOLVED


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=81, max_size=81), min_size=1, max_size=4),
    st.sampled_from([".", "0", "*", "_", "-", "x"]),
    st.sampled_from(["jsonl", "json", "csv"]),
)
@settings(max_examples=60, deadline=None)
def test_any_givens_are_read_again(grids: list[list[int]], blank: str, name: str) -> None:
    symbols = Symbols.usual(9, blank=blank)
    puzzles = [symbols.write(grid) for grid in grids]
    found = parse(write(name, puzzles, [SOLVED] * len(puzzles), symbols.values))
    assert [entry.givens for entry in found if isinstance(entry, Puzzle)] == [
        tuple(grid) for grid in grids
    ]
