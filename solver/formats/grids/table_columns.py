"""Find a table's columns with puzzles, solutions, and names, and split records into fields."""

import csv
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from solver.formats.grids.cell_columns import find_cell_columns
from solver.formats.grids.jigsaw import is_filled_grid
from solver.formats.reading.cells import is_square
from solver.formats.reading.own_columns import OwnColumns, own_columns

_PUZZLE_NAMES = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "sudoku", "grid", "givens", "board", "question",
     "problem", "clue", "clues", "unsolved"}
)  # fmt: skip
_SOLUTION_NAMES = frozenset({"solution", "solutions", "solved", "answer", "answers"})
_NAME_NAMES = ("custom_id", "name", "title", "id", "puzzle_id", "uuid", "comment")
_PUZZLE = re.compile(r"[0-9A-Za-z.*_?-]+")
_SOLUTION = re.compile(r"[1-9A-Za-z]+")
# A heading is a word with few digits and no runs of empty cells, unlike an invalid puzzle.
_HEADING = re.compile(r"[^\W\d_](?!.*(__|\.\.|\*\*|--|\d\d\d))[\w\ufffd ()/%#:&'.-]{0,40}")
_RULE_FIELD = re.compile(r"\s*:?-+:?\s*")  # The rule below the header of a Markdown table.
_SHORTEST = 16  # cells: a 4×4 puzzle
# Prefixes that prevent spreadsheets from reading a field as a number or a formula.
_PROTECTED = re.compile(r"=\s*\"(.*)\"|'(.*)")


@dataclass(frozen=True, slots=True)
class Table:
    """The delimiter and the columns of a table. Columns are indices from 0.

    column    the puzzle column, or the first of `cells` columns with one cell each
    solution  the column with the solution, or None
    name      the column with the puzzle's name, or None
    above     number of lines above the first puzzle
    own       all other columns, including that of the name. They are copied to the results.
    cells     number of columns that make up the puzzle: 1 unless each cell has its own column
    """

    delimiter: str
    column: int
    solution: int | None
    name: int | None
    above: int
    own: OwnColumns
    cells: int = 1


def find_columns(lines: Sequence[str], delimiter: str) -> Table | None:
    """Find the columns of a table by the names in its header, or else by the fields.

    `lines` are the first lines of the upload, and `delimiter` separates their fields. Returns None
    if they aren't a table with puzzles in a column or in one column per cell.
    """
    if not lines:
        return None
    rows = [split_fields(line, delimiter) for line in lines]
    names = [name.strip().lower() for name in rows[0]]
    column = _find(names, _PUZZLE_NAMES)
    named = delimiter != " " or _find(names, _SOLUTION_NAMES) is not None
    if column is not None and max(len(names), len(lines)) > 1 and named:
        above = 2 if len(rows) > 1 and _is_rule(rows[1]) else 1
        solution = _find(names, _SOLUTION_NAMES - {names[column]})
        own = own_columns(rows[0], is_header=True, used=(column, solution), delimiter=delimiter)
        return Table(delimiter, column, solution, _find_name(names), above, own)
    for above, fields in enumerate(rows):
        places = [i for i, field in enumerate(fields) if _is_puzzle(bare_puzzle(field))]
        # After a puzzle at the beginning of a line, a space begins a comment.
        solved = places[:2] == [0, 1] and is_filled_grid(fields[1])
        if len(fields) > 1 and places and (delimiter != " " or places == [1] or solved):
            # Of two columns with grids, the one without empty cells is the solution.
            whole = [place for place in places if _is_solution(bare_puzzle(fields[place]))]
            column = next((place for place in places if place not in whole), places[0])
            solution = next((place for place in whole if place != column), None)
            name = _find_name(names) if above else _name_column(fields, places)
            # A header is the first line with the same number of fields.
            header = next((row for row in rows[:above] if len(row) == len(fields)), None)
            own = own_columns(
                header or fields,
                is_header=header is not None,
                used=(column, solution),
                delimiter=delimiter,
            )
            return Table(delimiter, column, solution, name, above, own)
        if delimiter == " " or not (_is_heading(fields) or (above and _is_rule(fields))):
            break
    return _table_of_cells(rows, names, delimiter)


def _table_of_cells(
    rows: Sequence[list[str]], names: Sequence[str], delimiter: str
) -> Table | None:
    """Find the columns of a table that has one column per cell. Return None for any other table.

    `rows` are the fields of the first lines, and `names` those of the first one in lower case.
    """
    identifying = [column for column, name in enumerate(names) if name in _NAME_NAMES]
    above = int(bool(identifying) or _is_heading(rows[0]))
    if len(rows) <= above or len(rows[above]) != len(names):
        return None
    found = find_cell_columns(rows[above:], named=identifying if above else None)
    if found is None:
        return None
    column, cells = found
    used = range(column, column + cells)
    name = _find_name(names) if above else _name_column(rows[0], list(used))
    own = own_columns(rows[0], is_header=bool(above), used=tuple(used), delimiter=delimiter)
    return Table(delimiter, column, None, name, above, own, cells)


def _find(names: Sequence[str], wanted: Collection[str]) -> int | None:
    return next((column for column, name in enumerate(names) if name in wanted), None)


def _find_name(names: Sequence[str]) -> int | None:
    return next((names.index(name) for name in _NAME_NAMES if name in names), None)


def _is_heading(fields: Sequence[str]) -> bool:
    """Return whether all fields of a line are words or empty, and at least one is a word.

    A word begins with a letter, has at most 41 characters, and contains neither three adjacent
    digits nor two adjacent dots, underscores, or hyphens. Only some other signs are allowed.
    """
    words = [field.strip() for field in fields if field.strip()]
    return bool(words) and all(map(_HEADING.fullmatch, words))


def _is_rule(fields: Sequence[str]) -> bool:
    return len(fields) > 2 and all(not each or _RULE_FIELD.fullmatch(each) for each in fields)


def bare_puzzle(field: str) -> str:
    """Return a field without surrounding spaces. Spaces that are empty cells are kept.

    Signs that protect a puzzle in spreadsheets, as in ="53..7…", are removed, too.
    """
    bare = field.strip()
    if len(bare) < len(field) and _is_spaced(field):
        return field
    protected = _PROTECTED.fullmatch(bare)
    if protected is None:
        return bare
    inner = protected[1] or protected[2] or ""
    return inner if _is_puzzle(inner) else bare


def _is_spaced(field: str) -> bool:
    """Return whether the spaces around a field are empty cells of the puzzle.

    The field then has N² characters, which are digits and spaces only.
    """
    return len(field) >= _SHORTEST and is_square(len(field)) and not field.strip("0123456789 ")


def _is_solution(field: str) -> bool:
    return _SOLUTION.fullmatch(without_line_breaks(field)) is not None


def _name_column(fields: list[str], puzzles: list[int]) -> int | None:
    """Return the index of the column with names in a table without a header, or None.

    `fields` are those of the first record, and `puzzles` has the indices of the columns with
    puzzles and solutions. Of the other columns, it is the first one with two adjacent letters in
    its field, or else the only one.
    """
    others = [i for i in range(len(fields)) if i not in puzzles]
    words = (i for i in others if re.search("[A-Za-z]{2}", fields[i]))
    return next(words, others[0] if len(others) == 1 else None)


def split_fields(line: str, delimiter: str) -> list[str]:
    """Return the fields of a record without their quotes, or [] if the quotes are malformed."""
    try:
        return next(iter(csv.reader([line], delimiter=delimiter)), [])
    except csv.Error:
        return []


def without_line_breaks(field: str) -> str:
    """Return a field of several lines without white space, and any other field unchanged."""
    return "".join(field.split()) if "\n" in field else field


def _is_puzzle(field: str) -> bool:
    field = without_line_breaks(field)
    return (
        len(field) >= _SHORTEST and is_square(len(field)) and _PUZZLE.fullmatch(field) is not None
    )
