"""SudokuPad's JSON: parsed rules, decorations that only get a note, and rejected documents."""

import json
from itertools import pairwise
from typing import Any

import pytest
from fours import FOURS, Grid, grids_of
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Invalid, Puzzle, parse, solve
from solver.board.layout import Layout
from solver.formats.format import ReadOptions
from solver.formats.objects.lzstring import compress
from solver.formats.objects.scl import read_scl
from solver.formats.objects.sudokupad import read_sudokupad
from solver.formats.reading.cells import Reading

Document = dict[str, Any]
BOXES = [[[r // 2 * 2 + n // 2, r % 2 * 2 + n % 2] for n in range(4)] for r in range(4)]
ROWS = [[[r, c] for c in range(4)] for r in range(4)]
COLUMNS = [[[r, c] for r in range(4)] for c in range(4)]
LINES = [{"cells": line, "unique": "true", "type": "rowcol"} for line in (*ROWS, *COLUMNS)]
SOLVED = "1234341221434321"


def document(rows: int = 4, columns: int = 4, **members: Any) -> Document:
    """Return an empty board with further `members`, and with the usual boxes if it is 4×4."""
    cells: list[Any] = [[{} for _ in range(columns)] for _ in range(rows)]
    return {"cells": cells, "regions": BOXES if rows == columns == 4 else [], **members}


def read(document: Document) -> Reading:
    return read_scl(document, text="", options=ReadOptions())


def kept_grids(document: Document) -> list[Grid]:
    return grids_of(read(document).puzzle)


def cage(*cells: list[int], **more: Any) -> Document:
    return {"cages": [{"cells": list(cells), **more}]}


TWO, APART = ([0, 0], [0, 1]), ([0, 0], [1, 2])
CASES: list[tuple[Document, Any]] = [
    ({}, lambda _: True),
    (cage(*TWO, unique=True, value="5"), lambda g: g[0][0] + g[0][1] == 5),
    (cage(*TWO, unique=True, value="x", sum=5), lambda g: g[0][0] + g[0][1] == 5),
    (cage(*TWO, value=5), lambda g: g[0][0] + g[0][1] == 5),
    (cage(*APART, unique=True), lambda g: g[0][0] != g[1][2]),
    (cage(*APART, unique="true", value="0"), lambda g: g[0][0] != g[1][2]),
    (cage(*APART), lambda g: g[0][0] != g[1][2]),
    (cage(*APART, type="rowcol"), lambda g: g[0][0] != g[1][2]),
    (cage(*APART, unique=False), lambda _: True),
    (cage(*APART, unique="false", type="rowcol"), lambda _: True),
    (cage(*APART, unique=False, value="4"), lambda g: g[0][0] + g[1][2] == 4),
    (cage(*APART, value="<4"), lambda _: True),
    (cage(*APART, unique=True, value="<4"), lambda g: g[0][0] != g[1][2]),
    (cage(*APART, value="", outlineC="#f00"), lambda _: True),
    (cage(value="title: none"), lambda _: True),
    (cage(*APART, unique=True, sum=3, style="extraregion"), lambda g: g[0][0] != g[1][2]),
    ({"global": ["antixv"]},
     lambda g: not any(a + b == 5 for lines in (g, zip(*g, strict=True)) for line in lines
                       for a, b in pairwise(line))),
    ({"global": ["antixv", "nonconsecutive"], "overlays": [{"center": [1, 0.5]}]}, lambda _: True),
    (cage(*APART) | {"metadata": {"rules": "In a cage, digits do not repeat."}},
     lambda g: g[0][0] != g[1][2]),
    (cage(*APART, value="5") | {"metadata": {"rules": ["Dashes are walls.", "No sums."]}},
     lambda _: True),
    (cage(*APART, unique=True, value=9) | {"metadata": {"solution": SOLVED}}, lambda _: True),
    (cage([0, 0], [1, 3], unique=True, value=9) | {"metadata": {"solution": SOLVED}},
     lambda g: g[0][0] != g[1][3]),
    (cage([0, 0], [1, 3], [2, 0], unique=True) | {"metadata": {"solution": "1234341.2" + "." * 7}},
     lambda g: len({g[0][0], g[1][3], g[2][0]}) == 3),
    (cage([0, 0], [1, 2], unique=True) | {"metadata": {"solution": "1...341" + "." * 9}},
     lambda _: True),
    ({"lines": [{"color": "#34BBE6", "thickness": 2, "wayPoints": [[0, 0], [4, 4]]},
                {"color": "#34BBE6", "thickness": 9, "wayPoints": [[0, 4], [4, 0]]}]},
     lambda g: len({g[n][n] for n in range(4)}) == 4),
    ({"lines": [{"color": "34bbe6", "thickness": 1, "wayPoints": [[4, 0], [0, 4]]}]},
     lambda g: len({g[3 - n][n] for n in range(4)}) == 4),
    ({"metadata": {"antiking": True}},
     lambda g: all(g[r][c] != g[r + 1][c + s] for r in range(3) for c in range(4)
                   for s in (1, -1) if 0 <= c + s < 4)),
    ({"global": ["antiknight"]},
     lambda g: all(g[r][c] != g[r + d][c + s] for r in range(4) for c in range(4)
                   for d, s in ((1, 2), (2, 1), (1, -2), (2, -1))
                   if r + d < 4 and 0 <= c + s < 4)),
    ({"global": ["nonconsecutive"], "cages": [{"value": "antiking: false"}]},
     lambda g: all(abs(a - b) != 1 for lines in (g, zip(*g, strict=True)) for line in lines
                   for a, b in pairwise(line))),
    ({"global": ["disjoint"]},
     lambda g: all(len({g[r][c], g[r + 2][c], g[r][c + 2], g[r + 2][c + 2]}) == 4
                   for r in (0, 1) for c in (0, 1))),
    ({"diagonal+": True}, lambda g: len({g[3][0], g[2][1], g[1][2], g[0][3]}) == 4),
    ({"diagonal-": "t", "global": ["diagonal+"]},
     lambda g: len({g[n][n] for n in range(4)}) == len({g[n][3 - n] for n in range(4)}) == 4),
    ({"metadata": {"norowcol": True}, "cages": LINES}, lambda _: True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("members", "keeps"), CASES, ids=[str(members)[:60] for members, _ in CASES]
)
def test_a_member_leaves_the_grids_that_sudokupad_leaves(members: Document, keeps: Any) -> None:
    assert kept_grids(document(**members)) == sorted(filter(keeps, FOURS))


def count(document: Document, limit: int = 2000) -> int:
    puzzle = read(document).puzzle
    assert not isinstance(puzzle, Invalid), puzzle
    return solve(puzzle, limit=limit).solutions


def test_document_without_regions_has_no_boxes() -> None:
    assert count(document(regions=[])) == 576  # number of 4×4 Latin squares
    assert read(document(regions=[])).note == "the puzzle has no regions or boxes"


def test_rows_and_columns_can_repeat_values_if_they_are_not_houses() -> None:
    assert count(document(2, 2, metadata={"norowcol": "true"})) == 2**4
    assert count(document(metadata={"norowcol": True}), limit=2 * 24**3) > 24**3


def test_requirements_that_the_solution_violates_are_ignored() -> None:
    twice = document(metadata={"solution": "1111" + "." * 12})
    ignored = "ignored regions that the solution violates"
    repeated = "allowed repeated values in rows and columns, as in the solution"
    assert read(twice).note == f"{ignored}; {repeated}"
    assert count(document(2, 2, metadata={"solution": "1122"})) == 2**4


def test_four_grey_squares_are_a_windoku() -> None:
    centres = [[r, c] for r in (2.5, 6.5) for c in (2.5, 6.5)]
    squares = [
        {"center": centre, "width": 3, "height": 3, "backgroundColor": "#CFCFCF"}
        for centre in centres
    ]
    board = document(9, 9, underlays=squares)
    board["regions"] = [
        [[r // 3 * 3 + n // 3, r % 3 * 3 + n % 3] for n in range(9)] for r in range(9)
    ]
    windows = [
        (read(each).puzzle, len(each["underlays"]))
        for each in (board, board | {"underlays": squares[1:]})
    ]
    assert [len(p.layout.houses) - 27 for p, _ in windows if isinstance(p, Puzzle)] == [4, 0]


def test_regions_that_share_cells_are_all_houses() -> None:
    ring = [[0, 0], [0, 3], [3, 0], [3, 3]]
    kept = [g for g in FOURS if len({g[r][c] for r, c in ring}) == 4]
    assert kept_grids(document(regions=[*BOXES, ring])) == sorted(kept)


def inside(cells: Any, by: int = 1) -> list[Any]:
    return [[row + by, column + by] for row, column in cells]


RIM = "......" + "".join(f".{SOLVED[row : row + 4]}." for row in range(0, 16, 4)) + "......"


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"metadata": {"solution": RIM}},
        {"metadata": {"norowcol": True, "solution": RIM.replace(".", "?")},
         "cages": [{**line, "cells": inside(line["cells"])} for line in LINES]},
    ],
)  # fmt: skip
def test_cells_around_the_grid_are_holes(members: Document) -> None:
    board = document(6, 6, **members, regions=[inside(box) for box in BOXES])
    reading = read(board)
    assert not isinstance(reading.puzzle, Invalid)
    assert len(reading.puzzle.layout.holes) == 36 - 16
    assert solve(reading.puzzle, limit=300).solutions == 288
    assert (reading.expected is None) == ("metadata" not in members)


def test_grids_that_share_cells_are_read() -> None:
    boxes = [*(inside(box, 0) for box in BOXES), *(inside(box, 2) for box in BOXES[1:])]
    lines = [{**line, "cells": inside(line["cells"], by)} for line in LINES for by in (0, 2)]
    board = document(6, 6, regions=boxes, cages=lines, metadata={"norowcol": True})
    # Both grids have the shared box. With one box fixed, the rest has 12 solutions.
    assert count(board, limit=4000) == 24 * 12 * 12


@pytest.mark.parametrize(
    ("solution", "expected", "lowest", "size"),
    [
        (SOLVED, True, 1, 4),
        (",".join(SOLVED), True, 1, 4),
        (list(map(int, SOLVED)), True, 1, 4),
        (SOLVED.replace("4", "0"), True, 0, 4),
        (SOLVED.replace("4", "6"), True, 1, 6),
        (SOLVED.replace("1", "0"), False, 1, 4),  # the values are 1 to 4, so 0 is an unknown cell
        (SOLVED.replace("1", "?"), False, 1, 4),
        ("0" * 16, False, 1, 4),
        ("." * 16, False, 1, 4),
        ("", False, 1, 4),
        (SOLVED[1:], False, 1, 4),
        (17, False, 1, 4),
    ],
)
def test_a_solution_is_compared_and_determines_the_values(
    solution: object, *, expected: bool, lowest: int, size: int
) -> None:
    reading = read(document(metadata={"solution": solution}))
    assert not isinstance(reading.puzzle, Invalid)
    assert (reading.expected is not None) is expected
    layout = reading.puzzle.layout
    assert (layout.lowest, layout.size) == (lowest, size)
    assert not layout.holes


def test_usual_boxes_make_a_plain_board() -> None:
    reading = read(document(cells=[[{"value": int(c)} for c in SOLVED[:4]], [], [None], [{}]]))
    assert not isinstance(reading.puzzle, Invalid)
    assert reading.puzzle.layout is Layout.boxed(2, 2)
    assert reading.puzzle.givens == (1, 2, 3, 4, *[0] * 12)


@pytest.mark.parametrize(
    ("members", "note"),
    [
        ({"lines": [{"wayPoints": []}], "overlays": [{}], "arrows": []},
         "ignored text and drawings (lines, overlays); rules in them aren't applied"),
        ({"metadata": {"rules": "Normal rules."}, "foglight": [[0, 0]], "id": "x"},
         "ignored text and drawings (words); rules in them aren't applied"),
        ({"cages": [{"cells": [[0, 0]], "value": "?"}]},
         "ignored text in cages, and cages without a rule"),
        ({"cages": [{"cells": [[0, 0]]}]}, "assumed that values don't repeat in cages"),
        ({"regions": [*BOXES, [[0, 0], [1, 1], [2, 2], [3, 3], [0, 1]]]},
         "ignored regions of more than 4 cells"),
        ({"cells": [[{"value": 5}, {"centremarks": [1]}, {}, {}], [], [], []]},
         "ignored pencil marks; read with the values 1-5"),
        ({"surprise": 1}, "ignored the unknown key 'surprise'"),
    ],
)  # fmt: skip
def test_ignored_members_are_remarked_on(members: Document, note: str) -> None:
    assert read(document(**members)).note == note


@pytest.mark.parametrize(
    ("members", "detail"),
    [
        ({"cages": [{"cells": [[-1, 0]]}]}, "a cage has a cell outside the grid of 4x4"),
        ({"regions": [[[0, 4]]]}, "a region has a cell outside the grid of 4x4"),
        ({"cages": [{"cells": [[0.5, 0]]}]}, "this puzzle isn't in SudokuPad's format"),
        ({"cages": [3]}, "this puzzle isn't in SudokuPad's format"),
        ({"cells": [[3]]}, "this puzzle isn't in SudokuPad's format"),
        ({"cells": [[], []]}, "the grid must have 1 to 100 rows and columns"),
        ({"cells": [[{} for _ in range(101)]]}, "the grid must have 1 to 100 rows and columns"),
        ({"cells": [[{"value": "A"}, {}], []], "regions": []},
         "'A' in r1c1 isn't a symbol of this puzzle; expected 1-2 or an empty cell"),
        ({"global": ["chess"]}, "Unknown rule 'chess'. Expected one of: antiknight, antiking, "
                                "nonconsecutive, antinonconsecutive, disjoint, entropy, "
                                "modulo3, windoku, antixv, antiratio, antidifference, "
                                "diagonal+, diagonal-"),
        ({"cages": [{"cells": [*ROWS[0], [1, 0]], "unique": True}]},
         "the cage at r1c1 has 5 cells that must all differ, but there are only 4 values"),
    ],
)  # fmt: skip
def test_the_error_names_the_unreadable_part(members: Document, detail: str) -> None:
    puzzle = read(document(**members)).puzzle
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail


def test_addresses_and_json_are_read_alike() -> None:
    board = document(metadata={"title": 'It\'s, a: "t" x', "solution": SOLVED}, cages=LINES[:1])
    short = (
        "{cells:[[,,,],[,,,],[,,,],[,,,]],re:" + json.dumps(BOXES, separators=(",", ":"))
        + ",metadata:{t:'It\\'s, a: \\'t\\' x',solution:'" + SOLVED + "',x:f},ca:[{ce:[[0,0],[0,1],"
        "[0,2],[0,3]],type:'rowcol',unique:t,c1:#0,c2:a1b2c3}],arrows:[]}"
    )  # fmt: skip
    packed = [compress(json.dumps(board)), compress(short)]
    texts = [*(f"https://sudokupad.app/scl{text}" for text in packed), "ctc" + packed[1]]
    readings = [read(board), *(read_sudokupad(text, options=ReadOptions()) for text in texts)]
    names = [reading.name for reading in readings]
    assert names == ['It\'s, a: "t" x'] * 2 + ["It's, a: 't' x"] * 2
    assert len({reading.expected for reading in readings}) == 1
    assert not any(isinstance(reading.puzzle, Invalid) for reading in readings)
    (puzzle,) = parse(json.dumps(board))
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle).solutions == 2


@pytest.mark.parametrize(
    ("address", "first", "givens"),
    [
        ("https://sudokupad.app/scf" + "o" * 13 + "K", (0, 0), 0),
        ("scf5" + "o" * 13 + "A", (5, 0), 1),
        ("classic1234567890" + "o" * 11 + "e", (1, 2), 9),
        ("classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B", (0, 6), 23),
        ("classic1B2B3B4=G", (1, 0), 4),
    ],
)
def test_givens_packed_in_letters_are_read(
    address: str, first: tuple[int, int], givens: int
) -> None:
    puzzle = read_sudokupad(address, options=ReadOptions()).puzzle
    assert not isinstance(puzzle, Invalid), puzzle
    assert (len(puzzle.givens), puzzle.givens[:2]) == (81, first)
    assert sum(map(bool, puzzle.givens)) == givens


@pytest.mark.parametrize(
    ("letters", "houses", "name"),
    [("", 27, None), ("x", 29, None), ("*w", 31, None), ("*xwtA title*aAnn", 33, "A title")],
)
def test_letters_after_the_givens_are_rules(letters: str, houses: int, name: str | None) -> None:
    reading = read_sudokupad("scf" + "o" * 13 + "K" + letters, options=ReadOptions())
    assert isinstance(reading.puzzle, Puzzle)
    assert (len(reading.puzzle.layout.houses), reading.name) == (houses, name)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            "https://sudokumaker.app/?puzzle=N4IgZg9gTgtghgFzgY",
            "SudokuMaker's URLs aren't supported",
        ),
        ("https://tinyurl.com/abc", "this is a short URL"),
        (
            "https://sudokupad.app/ddGfd499G7",
            "This URL doesn't contain the puzzle. If it is a short URL",
        ),
    ],
)
def test_addresses_without_a_puzzle_say_what_to_send(address: str, said: str) -> None:
    (puzzle,) = parse(address)
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail.startswith(said)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(0, 3) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["cells", "value", "unique", "sum"]), inner, max_size=3)
    ),
    max_leaves=6,
)
cells = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).map(list), max_size=5)
drawings = st.dictionaries(
    st.sampled_from(["cells", "regions", "cages", "metadata", "global", "lines", "diagonal+"]),
    anything | st.lists(cells, max_size=4)
    | st.lists(st.fixed_dictionaries({"cells": cells, "value": anything}), max_size=2),
    max_size=4,
)  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(members=drawings)
def test_any_document_is_read_or_rejected(members: Document) -> None:
    reading = read(document() | members) if "cells" not in members else None
    if reading is None:
        (puzzle,) = parse(json.dumps(members), format="json")
    else:
        puzzle = reading.puzzle
    assert isinstance(puzzle, Invalid) or len(puzzle.givens) == puzzle.layout.cells
