"""OpenSudoku's saved games, in all five versions of its board format."""

import pytest

from solver import Invalid, parse

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
PLAYED = "534" + PUZZLE[3:]
# The fields, such as marks, between a cell's value and its editable flag, by format version.
BETWEEN = {1: ["-", "1,2,9,"], 2: ["0|", "259"], 3: ["0"], 4: ["0|17"], 5: ["511|0|3"]}


def state(version: int, values: str, fixed: str) -> str:
    between = BETWEEN[version]
    cells = (
        f"{value}|{between[cell % len(between)]}|{int(given == '0')}|"
        for cell, (value, given) in enumerate(zip(values, fixed, strict=True))
    )
    return f"version: {version}\n" + "".join(cells)


@pytest.mark.parametrize("line_break", ["\n", "&#10;", "&#xA;"])
@pytest.mark.parametrize("version", BETWEEN)
def test_givens_of_a_game_that_was_begun_are_the_puzzle(version: int, line_break: str) -> None:
    begun = state(version, PLAYED, PUZZLE).replace("\n", line_break)
    # While a puzzle is being composed, every cell is editable.
    being_set = state(version, PUZZLE, "0" * 81).replace("\n", line_break)
    text = f'<opensudoku><game data="{begun}"/>\n<game time="5" data="{being_set}"/></opensudoku>'
    assert [str(found) for found in parse(text)] == [PUZZLE] * 2


def test_state_with_too_few_cells_is_invalid() -> None:
    text = f'<opensudoku><game data="{state(3, PUZZLE[1:], PUZZLE[1:])}"/></opensudoku>'
    (found,) = parse(text)
    assert isinstance(found, Invalid)
    assert found.detail == "the game has 80 cells, expected 81"
