"""Rows of cells in the syntax of many programming languages, with and without outer brackets.

Arrays of R, MATLAB, Julia, and Fortran are filled by columns.
"""

import json

import pytest

from solver import Invalid, parse
from solver.formats import Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Recognized

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.mark.parametrize("quote", ['"', "'", "`"])
@pytest.mark.parametrize("piece", [7, 1 << 18])
def test_line_above_quoted_rows_is_the_name_of_the_puzzle(quote: str, piece: int) -> None:
    rows = "\n".join(f"{quote}{row}{quote}" for row in ("12.4", "...2", "....", "4..1"))
    text = f"Easy one\n{rows}\n\n# 2: hard\n{rows}\n"
    found = recognize(text.encode(), final=True)
    assert isinstance(found, Recognized)
    splitter = Splitter(found, max_records=1, piece_bytes=piece)
    names = []
    for block in (*splitter.feed(text.encode()), *splitter.close()):
        records = read_block(block, format="lists", context=found.context, options=ReadOptions())
        names.append(records.names)
    assert names == [{0: "Easy one"}, {0: "2: hard"}]


def written(puzzle: str, row: str, cell: str = "{}", *, between: str, blank: str = "0") -> str:
    """Write a 9×9 puzzle row by row, with `between` between the rows.

    `row` is the template of a row. It contains {cells} (with commas), {spaced}, or {text}. `cell`
    is the template of a cell, and `blank` is written for an empty cell.
    """
    parts = []
    for start in range(0, 81, 9):
        row_of = puzzle[start : start + 9]
        cells = [cell.format(blank if each == "." else each) for each in row_of]
        parts.append(
            row.format(cells=", ".join(cells), spaced=" ".join(cells), text="".join(cells))
        )
    return between.join(parts)


# Outer template, row template, separator of rows, cell template, and symbol of an empty cell.
LANGUAGES = {
    "rows in brackets": ("", "[{cells}]", ",\n", ",\n", "{}", "0"),
    "rows in braces": ("", "{{{cells}}}", ",\n", "\n", "{}", "0"),
    "rows in parentheses": ("", "({cells})", "\n", "\n", "{}", "0"),
    "rows of quoted cells": ("", "{cells}", "\n", "\n", "'{}'", "."),
    "rows in brackets of quoted cells": ("", "[{cells}]", ",\n", "\n", "'{}'", "."),
    "quoted rows": ("", '"{text}"', ",\n", ",\n", "{}", "."),
    "quoted rows with single quotes": ("", "  '{spaced}'", ",\n", "\n", "{}", "0"),
    "c strings": ("const char *grid =\n", '  "{text}\\n"', "\n", ";\n", "{}", "."),
    "python strings": ("grid = (\n", '    "{text}"', "\n", "\n)\n", "{}", "."),
    "java strings": ("String grid =\n", '    "{text}"', " +\n", ";\n", "{}", "."),
    "yaml": ("", "- [{cells}]", "\n", "\n", "{}", "0"),
    "yaml with a name": ("grid:\n", "  - [{cells}]", "\n", "\n", "{}", "0"),
    "yaml of text": ("grid:\n", "  - '{spaced}'", "\n", "\n", "{}", "."),
    "minizinc": ("array[1..9,1..9] of int: a = array2d(1..9, 1..9, [\n", "{cells}", ",\n", "]);\n",
                 "{}", "0"),
    "go": ("package main\n\nvar board = [9][9]int{\n", "\t{{{cells}}},", "\n", "\n}\n", "{}", "0"),
    "go with types": ("b := [][]int{\n", "\t[]int{{{cells}}},", "\n", "\n}\n", "{}", "0"),
    "rust": ("let b: [[u8; 9]; 9] = [\n", "    [{cells}],", "\n", "\n];\n", "{}", "0"),
    "rust vectors": ("let b = vec![\n", "    vec![{cells}],", "\n", "\n];\n", "{}", "0"),
    "c++": ("std::vector<std::vector<int>> b = {\n", "  {{{cells}}}", ",\n", "};\n", "{}", "0"),
    "c++ arrays": ("std::array<std::array<int, 9>, 9> b = {{\n", "  {{{{{cells}}}}}", ",\n",
                   "}};\n", "{}", "0"),
    "c": ("#define N 9\nint grid[N][N] = {\n", "  {{{cells}}}", ",\n", "};\n", "{}", "0"),
    "swift": ("let board: [[Int?]] = [\n", "  [{cells}]", ",\n", "\n]\n", "{}", "nil"),
    "kotlin": ("val b = arrayOf(\n", "  intArrayOf({cells})", ",\n", "\n)\n", "{}", "0"),
    "r": ("x <- rbind(\n", "  c({cells})", ",\n", ")\n", "{}", "0"),
    "r matrix": ("x <- matrix(c(\n", "{cells}", ",\n", "), nrow = 9, byrow = TRUE)\n", "{}", "0"),
    "lisp": ("(defparameter *b* #2A(\n", "  ({spaced})", "\n", "))\n", "{}", "0"),
    "clojure": ("(def board [\n", "  [{spaced}]", "\n", "])\n", "{}", "0"),
    "php": ("<?php\n$board = array(\n", "  array({cells})", ",\n", "\n);\n", "{}", "0"),
    "php brackets": ("$board = [\n", "  [{cells}]", ",\n", "\n];\n", "{}", "0"),
    "python tuples": ("board = (\n", "  ({cells})", ",\n", ",\n)\n", "{}", "0"),
    "python list of tuples": ("board = [", "({cells})", ",\n", "]\n", "{}", "None"),
    "scala": ("val b = Array(\n", "  Array({cells})", ",\n", "\n)\n", "{}", "0"),
    "c#": ("int[,] board = new int[9, 9] {\n", "  {{{cells}}}", ",\n", "\n};\n", "{}", "0"),
}  # fmt: skip


def text_of(language: str, *puzzles: str) -> str:
    before, row, between, after, cell, blank = LANGUAGES[language]
    return "\n".join(
        before + written(puzzle, row, cell, between=between, blank=blank) + after
        for puzzle in puzzles
    )


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_of_any_language_are_one_puzzle(language: str, line_break: str) -> None:
    text = text_of(language, PUZZLE).replace("\n", line_break)
    assert [str(found).replace("0", ".") for found in parse(text)] == [PUZZLE]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("piece", [7, 200, 1 << 18])
def test_several_puzzles_are_found_wherever_the_stream_is_cut(language: str, piece: int) -> None:
    data = text_of(language, PUZZLE, OTHER, PUZZLE).encode()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    splitter = Splitter(recognized, max_records=1, piece_bytes=piece)
    found = []
    for block in (*splitter.feed(data), *splitter.close()):
        name, context = recognized.format.name, recognized.context
        records = read_block(block, format=name, context=context, options=ReadOptions())
        assert len(records) == block.records == 1
        assert not records.invalid
        found += [group.givens for group in records.groups]
    expected = [PUZZLE, OTHER, PUZZLE]
    assert ["".join(map(str, each[0])).replace("0", ".") for each in found] == expected


@pytest.mark.parametrize("language", ["rows in brackets", "kotlin", "yaml", "python tuples"])
def test_a_row_that_is_too_short_is_named(language: str) -> None:
    text = text_of(language, PUZZLE).replace("6, 0, 0, 1, 9", "6, 0, 0, 1")
    (found,) = parse(text)
    assert isinstance(found, Invalid)
    assert found.detail == "row 2 has 8 cells, expected 9"


@pytest.mark.parametrize("puzzle", [PUZZLE, "12.4...2....4..1", "AB.D...B....D..A"])
def test_quoted_puzzles_are_no_rows_of_one_large_board(puzzle: str) -> None:
    for count in (1, 2, 16):
        assert [str(found) for found in parse(f'"{puzzle}",\n' * count)] == [puzzle] * count


def test_a_missing_row_costs_the_next_puzzle_nothing() -> None:
    rows = written(PUZZLE, "[{cells}]", between=",\n").split("\n")
    text = "\n".join(rows[:-1]) + "\n\n" + "\n".join(rows) + "\n"
    first, second = parse(text)
    assert isinstance(first, Invalid)
    assert first.detail == "the grid has 8 rows of 9 cells, expected 9 rows"
    assert not isinstance(second, Invalid)


def test_rows_of_16_are_a_large_board_and_16_cells_up_to_4_are_a_small_one() -> None:
    large = [[(4 * (r % 4) + r // 4 + c) % 16 + 1 for c in range(16)] for r in range(16)]
    text = ",\n".join(map(json.dumps, large)) + "\n"
    (found,) = parse(text)
    assert not isinstance(found, Invalid)
    assert found.layout.size == 16
    small = json.dumps([1, 2, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 1])
    sizes = [each.layout.size for each in parse(f"{small}\n" * 5) if not isinstance(each, Invalid)]
    assert sizes == [4] * 5


def test_a_table_of_ampl_is_a_grid() -> None:
    lines = [f"  {n + 1}  {' '.join(PUZZLE[9 * n : 9 * n + 9])}" for n in range(9)]
    text = "param given: 1 2 3 4 5 6 7 8 9 :=\n" + "\n".join(lines) + "\n;\n"
    assert [str(found) for found in parse(text)] == [PUZZLE]


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\nhere (a, b, c, d) are puzzles that (1, 2, 3, 4) people made.\n" * 4,
        "int main(int a, int b) {\n  return f(1, 2, 3, 4) + g(a, b, c, d);\n}\n" * 4,
    ],
)
def test_prose_and_programs_with_a_few_brackets_are_no_puzzles(text: str) -> None:
    assert all(isinstance(found, Invalid) for found in parse(text))


def test_lines_with_comments_in_brackets_stay_lines() -> None:
    text = f"{PUZZLE} (1, 2, 3, 4)\n{OTHER} (4, 3, 2, 1)\n" * 4
    assert [str(found) for found in parse(text)] == [PUZZLE, OTHER] * 4


def r_vector(puzzle: str, blank: str) -> str:
    return "c(" + ", ".join(blank if cell == "." else cell for cell in puzzle) + ")"


COLUMNS = "".join(PUZZLE[column::9] for column in range(9))


@pytest.mark.parametrize("blank", ["0", "NA"])
@pytest.mark.parametrize(
    ("call", "cells"),
    [
        ("matrix({}, nrow = 9, ncol = 9)", COLUMNS),
        ("m <- matrix(data = {}, 9)", COLUMNS),
        ("array({}, dim = c(9, 9))", COLUMNS),
        ("matrix({}, nrow = 9, byrow = FALSE)", COLUMNS),
        ("matrix({}, nrow=9, byrow=TRUE)", PUZZLE),
        ("m = matrix(\n  {},\n  9, 9, byrow = T\n)", PUZZLE),
    ],
)
@pytest.mark.parametrize("piece", [5, 1 << 18])
def test_r_fills_a_matrix_by_columns_unless_byrow_is_set(
    call: str, cells: str, blank: str, piece: int
) -> None:
    text = f"{call.format(r_vector(cells, blank))}\n\n".encode() * 2
    recognized = recognize(text, final=True)
    assert isinstance(recognized, Recognized)
    splitter = Splitter(recognized, max_records=1, piece_bytes=piece)
    found = []
    for block in (*splitter.feed(text), *splitter.close()):
        name, context = recognized.format.name, recognized.context
        records = read_block(block, format=name, context=context, options=ReadOptions())
        found += [grid for group in records.groups for grid in group.givens.tolist()]
    assert found == [[0 if cell == "." else int(cell) for cell in PUZZLE]] * 2


def listed(puzzle: str, between: str = ", ") -> str:
    return between.join(puzzle.replace(".", "0"))


@pytest.mark.parametrize(
    "text",
    [
        f"A = reshape([{listed(COLUMNS, ' ')}], 9, 9);\n",
        f"A = reshape([{listed(PUZZLE)}], [9 9])';\n",
        f"A = reshape([{listed(COLUMNS[:40])}, ...\n  {listed(COLUMNS[40:])}], [9, 9]);\n",
        f"reshape([{listed(COLUMNS)}], 9, 9)\n",
        f"g = permutedims(reshape([{listed(PUZZLE)}], (9, 9)))\n",
        f"grid = reshape((/ {listed(COLUMNS)} /), (/ 9, 9 /))\n",
        f"grid = reshape([ &\n {listed(COLUMNS[:9])}, &\n {listed(COLUMNS[9:])} &\n], [9, 9])\n",
        f"grid = RESHAPE((/{listed(PUZZLE)}/), (/9, 9/), ORDER=(/2, 1/))\n",
        f"g = np.array([{listed(PUZZLE)}]).reshape(9, 9)\n",
        f"g = np.reshape([{listed(PUZZLE)}], (9, 9))\n",
    ],
)
def test_reshape_fills_by_columns_in_matlab_julia_and_fortran_but_not_in_numpy(text: str) -> None:
    assert [str(found).replace("0", ".") for found in parse(text * 2)] == [PUZZLE] * 2


def test_r_binds_vectors_to_columns_or_rows() -> None:
    for call, cells in (("cbind", COLUMNS), ("rbind", PUZZLE)):
        rows = ",\n".join(r_vector(cells[start : start + 9], "NA") for start in range(0, 81, 9))
        assert [str(found) for found in parse(f"m <- {call}({rows})\n")] == [PUZZLE]


@pytest.mark.parametrize("head", ["", "---\n", "puzzle:\n", "---\ngrid:\n"])
@pytest.mark.parametrize("item", ["- {}", "  - {}", "- '{}'", '- "{}"', "- {}  # given"])
@pytest.mark.parametrize("blank", ["0", ".", "null", "~", "_", ""])
def test_a_list_in_yaml_has_a_cell_in_each_item(head: str, item: str, blank: str) -> None:
    cells = [item.format(blank if cell == "." else cell) for cell in PUZZLE]
    (found,) = parse(head + "\n".join(cells) + "\n")
    assert not isinstance(found, Invalid)
    assert "".join(str(value or ".") for value in found.givens) == PUZZLE
