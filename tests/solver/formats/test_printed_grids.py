"""Grids as programs print them and spreadsheets export them: frames, empty rows, images."""

import pytest

from solver import Invalid, Puzzle, parse
from solver.formats import Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Recognized

# The last rows of the second puzzle are empty, which spreadsheets export as blank lines.
PUZZLES = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "..9748...7.........2.1.9.....7...24..64.1.59..98...3.............................",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
)


def rows(puzzle: str) -> list[str]:
    return [puzzle[start : start + 9] for start in range(0, 81, 9)]


def ruled(puzzle: str, row: str, rule: str, *, every: int) -> str:
    """Write a grid with the line `rule` at the top and after each `every` rows.

    `row` is the template of a row, with a pair of braces for each cell.
    """
    lines = [rule]
    for number, cells in enumerate(rows(puzzle), 1):
        lines.append(row.format(*cells.replace(".", " ")))
        lines += [rule] if number % every == 0 else []
    return "\n".join(lines) + "\n"


FRAMES = {
    "boxes": ("| {} {} {} | {} {} {} | {} {} {} |", "+-------+-------+-------+", 3),
    "close": ("|{} {} {}|{} {} {}|{} {} {}|", "+-----+-----+-----+", 3),
    "wide": ("| {}  {}  {} | {}  {}  {} | {}  {}  {} |", "+-----------------------------+", 3),
    "tight": ("|{}{}{}|{}{}{}|{}{}{}|", "|---+---+---|", 3),
    "cells": ("|" + " {} |" * 9, "+" + "---+" * 9, 1),
    "lines": ("│" + " {} │" * 9, "├" + "───┼" * 8 + "───┤", 1),
    "double": ("║ {} {} {} │ {} {} {} │ {} {} {} ║", "╟───────┼───────┼───────╢", 3),
}


@pytest.mark.parametrize("between", ["", "\n", "Puzzle\n"])
@pytest.mark.parametrize("frame", FRAMES)
def test_spaces_in_a_frame_are_blanks(frame: str, between: str) -> None:
    row, rule, every = FRAMES[frame]
    text = between.join(ruled(puzzle, row, rule, every=every) for puzzle in PUZZLES)
    assert [str(found) for found in parse(text)] == list(PUZZLES)


def test_frames_that_touch_are_separate_grids() -> None:
    rule, thin = "+===+===+===+===+", "+---+---+---+---+"
    rows = ["|| . | 2 || . | . ||", "|| 4 | . || . | . ||", "|| . | . || . | 3 ||"]
    lines = [rule, rows[0], thin, rows[1], rule, rows[2], thin, rows[0], rule]
    found = parse("\n".join(lines * 3) + "\n")
    assert [str(puzzle) for puzzle in found] == [".2..4......3.2.."] * 3


def test_wider_gap_than_between_the_bands_separates_two_grids() -> None:
    first, second = (rows(puzzle) for puzzle in (PUZZLES[0], PUZZLES[2]))
    two_bands = "\n".join(["\n".join(first[:3]), "", "\n".join(first[3:6])])
    broken, whole = parse(two_bands + "\n\n\n\n" + "\n".join(second) + "\n", format="grid")
    assert isinstance(broken, Invalid)
    assert broken.detail == "the grid has 6 rows of 9 cells, expected 9 rows"
    assert str(whole) == PUZZLES[2]


def test_date_above_a_grid_is_its_title() -> None:
    row = "- - - - 1 | - - 2 - -\n"
    (found,) = parse("2024-05-01\n" + row + "- - - - - | 3 - - - -\n" * 9)
    assert isinstance(found, Puzzle)
    assert found.name == "2024-05-01"


@pytest.mark.parametrize("indent", ["", " ", "  ", "   "])
def test_tabs_between_boxes_show_them_in_any_column(indent: str) -> None:
    band = ["1 2\t. .\t. .", ". .\t. 3\t. ."]
    lines = [*band, band[1], "", ". .\t5 .\t. .", *band]
    (found,) = parse("".join(f"{indent}{line}\n" if line else "\n" for line in lines))
    assert isinstance(found, Puzzle)
    assert found.layout.box == (3, 2)


def spreadsheet(delimiter: str, gap: str) -> str:
    grids = [[delimiter.join(row.replace(".", " ")) for row in rows(puzzle)] for puzzle in PUZZLES]
    lines = (gap + "\n").join("\n".join(grid).replace(" ", "") + "\n" for grid in grids)
    return lines.removesuffix("\n")


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("gap", ["row", "row and end", "blank line"])
@pytest.mark.parametrize("feed", [1, 50, 10_000])
def test_empty_rows_between_grids_are_no_cells(
    delimiter: str, gap: str, line_break: str, feed: int
) -> None:
    empty = delimiter * 8
    text = spreadsheet(delimiter, empty if "row" in gap else "")
    text += f"\n{empty}\n" if gap == "row and end" else ""
    data = text.replace("\n", line_break).encode()
    options = ReadOptions()
    recognized = recognize(data, final=True, options=options)
    assert isinstance(recognized, Recognized)
    splitter = Splitter(recognized, max_records=1)
    blocks = [
        block
        for start in range(0, len(data), feed)
        for block in splitter.feed(data[start : start + feed])
    ]
    found = []
    for block in (*blocks, *splitter.close()):
        records = read_block(block, format="grid", context=recognized.context, options=options)
        assert not records.invalid
        givens = [grid for group in records.groups for grid in group.givens.tolist()]
        found += ["".join(map(str, grid)).replace("0", ".") for grid in givens]
    assert found == list(PUZZLES)


def test_empty_row_is_a_row_where_no_gap_is_kept_to() -> None:
    lines = [",".join(row.replace(".", " ")) for row in rows(PUZZLES[1])]
    written = "\n".join([*lines[-3:], *lines[:6]]).replace(" ", "")
    turned = PUZZLES[1][54:] + PUZZLES[1][:54]
    assert [str(found) for found in parse(f"{written}\n{written}\n")] == [turned] * 2


def test_rows_of_pictures_are_no_small_puzzles() -> None:
    pictures = [chr(0x1F400 + value) for value in range(16)]
    grid = [pictures[4 * (row % 4) + row // 4 :] + pictures for row in range(16)]
    (found,) = parse("\n".join("".join(row[:16]) for row in grid) + "\n")
    assert not isinstance(found, Invalid)
    assert found.layout.size == 16
    small = parse("\n".join(["🐸🐱🐶🐼............"] * 16) + "\n")
    assert [str(puzzle) for puzzle in small] == ["🐸🐱🐶🐼............"] * 16


@pytest.mark.parametrize("text", ["1 2 3\n", "7 5 3 4 3 68 17\n", "5, of nine\n", ". x\n"])
def test_single_character_before_others_is_no_puzzle(text: str) -> None:
    assert all(isinstance(found, Invalid) for found in parse(text, format="line"))


@pytest.mark.parametrize("delimiter", [",", " ", ";"])
def test_cells_between_delimiters_are_no_name(delimiter: str) -> None:
    data = delimiter.join(PUZZLES[0].replace(".", "0")).encode() + b"\n"
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    (block,) = [*(splitter := Splitter(recognized)).feed(data), *splitter.close()]
    name, context = recognized.format.name, recognized.context
    assert read_block(block, format=name, context=context, options=ReadOptions()).names == {}
