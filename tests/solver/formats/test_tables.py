"""Tables in the syntax of spreadsheets, data sets, and Markdown, with columns and headings."""

import json

import pytest

from solver import Invalid, parse
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records

FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FIRST_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SECOND = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SECOND_SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
PUZZLES = [FIRST, SECOND]
ROWS = [(FIRST, FIRST_SOLVED), (SECOND, SECOND_SOLVED)]


def read(data: bytes) -> Records:
    options = ReadOptions()
    recognized = recognize(data, final=True, options=options)
    assert isinstance(recognized, Recognized)
    assert recognized.format.name == "csv"
    block = Block(data, 0, 1)
    return read_block(block, format="csv", context=recognized.context, options=options)


def solutions(records: Records) -> list[str]:
    """Return the solution that the upload contains for each record, or ""."""
    found = {}
    for group in records.groups:
        if group.expected is not None:
            for row, values in zip(group.rows.tolist(), group.expected.tolist(), strict=True):
                found[row] = "".join(map(str, values))
    return [found.get(row, "") for row in range(len(ROWS))]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("nr,puzzle_string,solution_string\n", "7,{0},{1}\n"),
        ("No.;Start Grid;Solution Grid\n", "7;{0};{1}\n"),
        ("Nr;Rätsel;Lösung;Schwierigkeit\n", "7;{0};{1};leicht\n"),
        ("sep=;\nid;puzzle;solution\n", "7;{0};{1}\n"),
        ("SEP=,\nnr,start,end\n", "7,{0},{1}\n"),
        ("My puzzles\nid,start,end\n", "7,{0},{1}\n"),
        ("id|puzzle|solution\n", "7|{0}|{1}\n"),
        ("| id | puzzle | solution |\n|----|:---:|---|\n", "| 7 | {0} | {1} |\n"),
        ("| no | start | end |\n|---|---|---|\n", "| 7 | {0} | {1} |\n"),
        ("", "{1},{0}\n"),
        ("", '{1},="{0}"\n'),
        ("", '="{0}",="{1}"\n'),
        ("", "'{0}\t'{1}\n"),
        ("id,puzzle,solution\n", '7,"=""{0}""","=""{1}"""\n'),
        ("answer key,start\n", "{1},{0}\n"),
    ],
)
def test_column_is_found_below_any_header(head: str, row: str) -> None:
    text = head + "".join(row.format(*each) for each in ROWS)
    records = read(text.encode())
    assert [str(puzzle) for puzzle in parse(text)] == PUZZLES
    assert solutions(records) == [FIRST_SOLVED, SECOND_SOLVED]


def test_header_in_another_encoding_is_a_header() -> None:
    text = "Nr;Rätsel;Lösung\n" + "".join(f"7;{puzzle};{end}\n" for puzzle, end in ROWS)
    for written in (text.encode("cp1252"), text.replace("ä", "a\u0308").encode()):
        assert read(written).lines.tolist() == [2, 3]


@pytest.mark.parametrize("wrong", [FIRST[:-1], FIRST[:40], "ABCD..EF", "nothing."])
def test_bad_first_record_is_no_header(wrong: str) -> None:
    found = parse(f"7,{wrong},x\n7,{FIRST},x\n")
    assert isinstance(found[0], Invalid)
    assert str(found[1]) == FIRST


@pytest.mark.parametrize("blank", [" ", "0", "."])
def test_blanks_at_the_ends_of_a_field_are_cells(blank: str) -> None:
    written = SECOND.replace(".", blank)
    (found,) = parse(f'id,puzzle\n7,"{written}"\n')
    assert not isinstance(found, Invalid)
    assert str(found).replace("0", ".") == SECOND


@pytest.mark.parametrize("height", [9, 1])
def test_field_may_be_a_list(height: int) -> None:
    cells = list(map(int, FIRST.replace(".", "0")))
    value = [cells[start : start + 9] for start in range(0, 81, 9)] if height == 9 else cells
    (found,) = parse(f'id,puzzle\n7,"{value}"\n')
    assert str(found).replace("0", ".") == FIRST


def test_fences_of_markdown_are_no_records() -> None:
    text = "```text\n" + "\n".join(PUZZLES) + "\n```\n"
    assert [str(puzzle) for puzzle in parse(text)] == PUZZLES


@pytest.mark.parametrize("key", ["solution", "answer", "solved"])
@pytest.mark.parametrize(
    "solution",
    [
        FIRST_SOLVED,
        [FIRST_SOLVED[start : start + 9] for start in range(0, 81, 9)],
        [list(map(int, FIRST_SOLVED[start : start + 9])) for start in range(0, 81, 9)],
        list(map(int, FIRST_SOLVED)),
        list(FIRST_SOLVED),
    ],
)
def test_solution_of_an_object_may_be_rows(key: str, solution: object) -> None:
    data = json.dumps({"puzzle": FIRST, key: solution}).encode()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    block = Block(data, 0, 1)
    records = read_block(block, format="ndjson", context={}, options=ReadOptions())
    (group,) = records.groups
    assert group.expected is not None
    assert group.expected[0].tolist() == list(map(int, FIRST_SOLVED))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("blank", ["0", ".", "", "NaN"])
@pytest.mark.parametrize("ids", [("17", "18"), ("p17", "p18"), ("1", "2")])
@pytest.mark.parametrize("comes", ["first", "last"])
@pytest.mark.parametrize("header", ["", "c{}", "{}", "cell {}"])
def test_a_table_with_a_column_per_cell_can_have_an_id_column(
    delimiter: str, blank: str, ids: tuple[str, str], comes: str, header: str
) -> None:
    def line(id_: str, cells: list[str]) -> str:
        return delimiter.join([id_, *cells] if comes == "first" else [*cells, id_]) + "\n"

    text = line("id", [header.format(n) for n in range(81)]) if header else ""
    for id_, puzzle in zip(ids, (FIRST, SECOND), strict=True):
        text += line(id_, [blank if cell == "." else cell for cell in puzzle])
    found = parse(text)
    assert [getattr(each, "givens", each) for each in found] == [
        tuple(0 if cell == "." else int(cell) for cell in puzzle) for puzzle in (FIRST, SECOND)
    ]
    assert [each.name for each in found] == list(ids)


def test_a_header_above_columns_of_cells_alone_is_no_puzzle() -> None:
    for size, puzzle in ((9, FIRST), (4, "12.4...2....4..1")):
        header = ",".join(f"r{row}c{column}" for row in range(size) for column in range(size))
        assert [str(found) for found in parse(f"{header}\n{','.join(puzzle)}\n")] == [puzzle]


def test_several_columns_next_to_those_of_the_cells_are_kept() -> None:
    header = ",".join(["puzzle_id", "level", *(f"c{n}" for n in range(81)), "source"])
    data = f"{header}\na1,easy,{','.join(FIRST)},web\n"
    records = read(data.encode())
    assert records.own_names == ("puzzle_id", "level", "source")
    assert records.own == {0: ("a1", "easy", "web")}
