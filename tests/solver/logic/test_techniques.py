"""Each technique on grids where it applies, and on one where it must not.

The solving order is that of the table of techniques.
"""

import pytest
from paths import DATA

from solver.board.layout import Layout
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction import Candidate, read
from solver.logic.deduction_buffer import new_buffer, written
from solver.logic.grid import empty_grid, grid_of
from solver.logic.registry import SOLVING_ORDER
from solver.logic.technique import Technique
from solver.logic.technique_table import TECHNIQUES

LAYOUT = Layout.boxed(3, 3)
LINES = [
    line
    for line in (DATA / "techniques.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def candidates(text: str) -> list[Candidate]:
    """Return candidates written as value, row, column: 512 is a 5 in r1c2."""
    words = [] if text == "-" else text.split(",")
    return [Candidate(9 * int(word[1]) + int(word[2]) - 10, int(word[0])) for word in words]


def technique_of(code: str) -> Technique:
    return next(technique for technique in SOLVING_ORDER if code in technique.codes)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:4])
def test_a_technique_finds_exactly_the_expected_step(line: str) -> None:
    code, text, gone, eliminations, placements = line.split()
    board = board_of(LAYOUT)
    assert not isinstance(board, Unexplained)
    symbols = text.replace("+", "")
    possible = [511] * 81
    for cell, value in candidates(gone):
        possible[cell] &= ~(1 << (value - 1))
    values = [0 if symbol == "." else int(symbol) for symbol in symbols]
    grid = grid_of(board, values, candidates=possible)
    for place in (place for place, symbol in enumerate(text) if symbol == "+"):
        grid.given[place - text[:place].count("+")] = 0
    buffer = new_buffer()
    found = technique_of(code).first_step(board, grid, buffer)
    nothing = eliminations == placements == "-"
    deduction = next(read(written(buffer)), None)
    if nothing:
        assert not found or deduction is None or deduction.code != code
        return
    assert deduction is not None
    assert deduction.code == code
    assert sorted(deduction.eliminations) == sorted(candidates(eliminations))
    assert sorted(deduction.placements) == sorted(candidates(placements))


@pytest.mark.parametrize("technique", SOLVING_ORDER, ids=lambda technique: technique.codes[0])
def test_techniques_find_nothing_in_an_empty_grid(technique: Technique) -> None:
    board = board_of(LAYOUT)
    assert not isinstance(board, Unexplained)
    assert not technique.first_step(board, empty_grid(board), new_buffer())


def test_the_solving_order_follows_the_table() -> None:
    codes = [code for technique in SOLVING_ORDER for code in technique.codes]
    assert set(codes) <= set(TECHNIQUES)
    assert len(codes) == len(set(codes))
    positions = [list(TECHNIQUES).index(technique.codes[0]) for technique in SOLVING_ORDER]
    assert positions == sorted(positions)
