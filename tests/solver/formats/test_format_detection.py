"""Whole uploads: format detection, the positions of records, and the effect of options.

Text that is rejected, ignored, or ambiguous gets a message or a note.
"""

import json
from itertools import product

import pytest

from solver import Invalid, Puzzle, parse
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records, Unreadable

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
GRID = "\n".join(ROWS)
BANDS = "\n\n".join("\n".join(ROWS[start : start + 3]) for start in (0, 3, 6))
SPACED = "\n".join(" ".join(row) for row in ROWS)
SMALL = "12.4...2....4..1"


def read(text: str, *, options: ReadOptions | None = None) -> tuple[Recognized, Records]:
    options = options or ReadOptions()
    recognized = recognize(text.encode(), final=True, options=options)
    assert isinstance(recognized, Recognized)
    block = Block(text.encode(), 0, 1)
    name, context = recognized.format.name, recognized.context
    return recognized, read_block(block, format=name, context=context, options=options)


def said(text: str) -> list[str]:
    """Return the givens or the error message of every record."""
    found = parse(text)
    return [entry.detail if isinstance(entry, Invalid) else str(entry) for entry in found]


@pytest.mark.parametrize(
    ("text", "name", "lines"),
    [
        (f"# c\n{PUZZLE}\n\n  # c\n{PUZZLE[:-1]}\n", "line", [2, 5]),
        (f"Grid 01\n{GRID}\nGrid 02\n{GRID}\n", "grid", [2, 12]),
        (f"{BANDS}\n\n{SPACED}\n", "grid", [1, 13]),
        ("a = [[1,2,0,4],\n[0,0,0,2],[0,0,0,0],\n[4,0,0,1]];\n\nb = [[1,\n2]];\n", "lists", [1, 5]),
        (f"id,puzzle\n\n1,{PUZZLE}\n2,\n", "csv", [3, 4]),
        (f'"{PUZZLE}"\n\nnope\n{{"puzzle": "{SMALL}"}}\n', "ndjson", [1, 3, 4]),
        (f'[\n "{PUZZLE}",\n\n {{"puzzle":\n "{SMALL}"}},\n 5]\n', "json", [2, 4, 6]),
        (f'{{\n"puzzle": "{SMALL}"\n}}\n', "json", [1]),
        (".Thermo~r1c1~r2c2\n.Thermo~R1C1~R2C2\n", "iss", [1, 2]),
        (
            "RJJDEPGD<H```````^F````D```D``````9`L````HE``L`L`SJ```C```I````A``B`````^<```````\n",
            "killer",
            [1],
        ),
    ],
)
def test_format_and_lines_are_recognized(text: str, name: str, lines: list[int]) -> None:
    for upload in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        recognized, records = read(upload)
        assert recognized.format.name == name
        assert records.lines.tolist() == lines


BAD_GRIDS = {
    "\n".join(ROWS[:8]): "the grid has 8 rows of 9 cells, expected 9 rows",
    "\n".join(ROWS[:6]): "the grid has 6 rows of 9 cells, expected 9 rows",
    "\n".join(ROWS[:3]): "the grid has 3 rows of 9 cells, expected 9 rows",
    "\n".join([ROWS[0][:8], *ROWS[1:]]): "row 1 has 8 cells, expected 9",
    "\n".join([ROWS[0] + "1", *ROWS[1:]]): "row 1 has 10 cells, expected 9",
    "\n".join([*ROWS[:8], ROWS[8][:3]]): "row 9 has 3 cells, expected 9",
    GRID.replace("9", "é", 1): "'é' in row 2, column 5 isn't a symbol of a 9×9 puzzle; "
    "expected 1-9 or an empty cell",
}


@pytest.mark.parametrize(("bad", "between"), [*product(BAD_GRIDS, ["\n\n", "\nGrid 7\n"])])
@pytest.mark.parametrize("good", [GRID, SPACED])
def test_bad_grid_costs_its_neighbors_nothing(bad: str, between: str, good: str) -> None:
    found = said(f"Grid 1\n{good}{between}{bad}{between}{good}\n")
    assert found == [PUZZLE, BAD_GRIDS[bad], PUZZLE]


@pytest.mark.parametrize(
    "between", ["\n", "\n\n", "\n\n\n", "\nGrid 2\n", "\n#2\n", "\n2\n", "\nHard\n"]
)
@pytest.mark.parametrize("grid", [GRID, SPACED, BANDS, GRID.replace("\n", "\r\n")])
def test_grids_are_separated(grid: str, between: str) -> None:
    assert said(grid + between + grid + between + grid) == [PUZZLE] * 3


def test_rows_of_dashes_are_rows_where_dashes_are_blanks() -> None:
    grid = "---------\n" * 3 + GRID[30:].replace(".", "-") + "\n"
    assert said(grid * 2) == ["-" * 27 + PUZZLE[27:].replace(".", "-")] * 2
    ruled = "---------\n1.3..6...\n" + "\n".join(ROWS[1:])
    assert said(ruled) == ["1.3..6..." + PUZZLE[9:]]


def test_whole_lines_and_lines_with_remarks_are_read_alike_fast_and_slow() -> None:
    remarks = ["", " # note", "\tED=1", ",9", ";x", " 17 clues", "|", "x", "1", " " + PUZZLE]
    for remark, blank in product(remarks, "0.*_-xX?"):
        line = PUZZLE.replace(".", blank) + remark
        fast = parse(line, format="line")
        slow = parse(line, format="line", symbols="123456789")
        assert fast == slow


SIXTEEN = {
    "0123456789ABCDEF": ".",
    "123456789ABCDEFG": "0",
    "ABCDEFGHIJKLMNOP": "*",
    "abcdefghijklmnop": "-",
    "123456789abcdefg": ".",
}


@pytest.mark.parametrize(("symbols", "blank"), SIXTEEN.items())
def test_sixteen_symbols_are_found_without_an_option(symbols: str, blank: str) -> None:
    line = symbols + blank * 240
    (puzzle,) = parse(line)
    assert isinstance(puzzle, Puzzle)
    assert ("".join(puzzle.symbols.values), puzzle.symbols.blank) == (symbols, blank)
    assert puzzle.givens[:16] == tuple(range(1, 17))
    assert read(line)[1].notes == {}


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("12AB" + "." * 252, "read with the symbols 1-9, A-G"),
        ("ABCD" + "." * 252, "read with the symbols A-P"),
        ("AB.." * 4, "read with the symbols ABCD"),
        ("123456" + "." * 30, "read with boxes of 2x3"),
        ("A" + "." * 99, "read with the symbols A-J; read with boxes of 2x5"),
    ],
)
def test_reading_taken_where_there_are_two_is_noted(line: str, note: str) -> None:
    assert read(line)[1].notes == {0: note}


def test_options_supplement_the_text() -> None:
    (puzzle,) = parse("1" + "." * 35, box="3x2")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.layout.box == (3, 2)
    (puzzle,) = parse("1" + "." * 48, box=(1, 7))
    assert isinstance(puzzle, Puzzle)
    (puzzle,) = parse("0123" + "x" * 12, symbols="0123")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.givens[:4] == (1, 2, 3, 4)
    (puzzle,) = parse("10 11 12 13" + " ." * 12, symbols="10 11 12 13")
    assert isinstance(puzzle, Puzzle)
    assert str(puzzle) == "10 11 12 13" + " ." * 12
    (puzzle,) = parse("A️B️" + "." * 14, symbols=("A️", "B️", "C", "D"))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.givens[:3] == (1, 2, 0)
    (puzzle,) = parse("12~~~~~~~~~~~~~~", blank="~")
    assert isinstance(puzzle, Puzzle)
    assert (
        said_of("123.............", blank="3")
        == "'.' in row 1, column 4 isn't a symbol of a 4×4 puzzle; expected 1-4 or an empty cell"
    )
    assert said_of(SMALL, box="1x16") == "a box of 1x16 cells doesn't fit a 4×4 grid"
    assert said_of(SMALL, box="wide").startswith("'box' must be rows x columns")
    assert said_of(SMALL, symbols="1123") == (
        "the option 'symbols' has 3 different symbols, but a 4×4 grid needs 4"
    )


def said_of(text: str, **options: str) -> str:
    (found,) = parse(text, **options)
    assert isinstance(found, Invalid)
    return found.detail


def test_unknown_parts_of_an_upload_are_never_dropped_silently() -> None:
    document = f'{{"puzzles": ["{SMALL}", 7, null], "options": {{"limit": 3}}}}'
    assert said(document) == [
        SMALL,
        "a puzzle must be a string, a list, or an object, not 7",
        "a puzzle must be a string, a list, or an object, not null",
        "unexpected text after the end of the list of puzzles",
    ]
    lists = (
        "[[1,2,0,4],[0,0,0,2],[0,0,0,0],[4,0,0,1]];\n[1,2,0,4,0,0,0,2,0,0,0,0,4,0,0,1];\n[1,2];\n"
    )
    assert said(lists) == ["1204000200004001"] * 2 + [
        "2 cells, expected 81 or another square number"
    ]


@pytest.mark.parametrize(
    ("head", "place"),
    [
        (b"12.4...2....4..1\r....4..112.4...2\r", (1, 17)),
        (b"\xfe\xff\x001", (1, 1)),
        (b"abc\n\x01\x02\x03", (2, 1)),
        (b"\n\n  <html>\n", (3, 3)),
        (b"<!DOCTYPE html>\n<p>", (1, 1)),
        (b"\xef\xbb\xbf\n <!doctype HTML>", (2, 2)),
        (b"%PDF-1.7\n1 0 obj\n", (1, 1)),
        (b"{\\rtf1 12.4...2....4..1}", (1, 1)),
        (b'\xef\xbb\xbf"puzzle"', None),
    ],
)
def test_rejection_names_the_place(head: bytes, place: tuple[int, int] | None) -> None:
    found = recognize(head, final=True)
    if place is None:
        assert isinstance(found, Recognized)
    else:
        assert isinstance(found, Unreadable)
        assert (found.line, found.column) == place


@pytest.mark.parametrize("unseen", ["\u200b", "\u200e", "\u202a", "\u2060", "\xad", "\ufeff"])
def test_unseen_characters_of_pages_are_no_cells(unseen: str) -> None:
    texts = [
        f"{unseen}{PUZZLE}\n{PUZZLE}{unseen}\n",
        GRID.replace("\n", f"{unseen}\n") + "\n" + GRID,
    ]
    assert [said(text) for text in texts] == [[PUZZLE] * 2] * 2


def test_control_character_alone_is_no_puzzle() -> None:
    assert said(f"{PUZZLE}\n\x1a") == [
        PUZZLE,
        "a single cell isn't a puzzle; to read it as a 1×1 grid, set the option 'box' to 1x1",
    ]


def test_bytes_that_are_no_text_are_nobodys_symbol() -> None:
    lines = {b'"\xff"\n': "isn't in UTF-8", b'"12.4...2....4..\xff"\n': "isn't a symbol of a"}
    for line, detail in lines.items():
        (found,) = parse(line, format="ndjson")
        assert isinstance(found, Invalid)
        assert detail in found.detail


def test_text_of_an_invalid_record_is_short_and_printable() -> None:
    (found,) = parse("1\x07" + "2" * 999, format="line")
    assert isinstance(found, Invalid)
    assert len(found.text) == 200
    assert found.text.isprintable()


def test_lines_longer_than_the_examined_text_are_read_if_their_format_is_named() -> None:
    line = json.dumps({"puzzle": SMALL, "comment": "long " * 40_000})
    found = parse(f"{line}\n{line}\n", format="ndjson")
    assert [str(each) for each in found] == [SMALL] * 2
    (refused,) = parse(f"no {line}", format="ndjson")
    assert isinstance(refused, Invalid)
    assert refused.detail.startswith("this isn't in the format 'ndjson'")


@pytest.mark.parametrize(
    "name", ["puzzles.txt", "C:\\my puzzles\\all.csv", "data/top.sdm", "x.jsonl\n"]
)
def test_the_error_for_a_text_like_a_file_name_explains_how_to_pass_a_file(name: str) -> None:
    (found,) = parse(name)
    assert isinstance(found, Invalid)
    assert found.detail.endswith(f"in Python, pass pathlib.Path({name.strip()!r}).")


def test_the_error_for_joined_lines_explains_how_to_keep_line_breaks() -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    hint = "are missing: curl keeps them with --data-binary or -T instead of -d"
    for number in (2, 3, 5, 101):
        (found,) = parse(puzzle * number, format="line")
        assert isinstance(found, Invalid)
        assert f". If these are {number} puzzles" in found.detail
        assert found.detail.endswith(hint)
    (found,) = parse(puzzle * 3 + "1", format="line")
    assert isinstance(found, Invalid)
    assert found.detail == "244 characters, expected 81 (or another square number)"
