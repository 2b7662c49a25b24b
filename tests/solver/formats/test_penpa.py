"""Penpa+ URLs: givens, thick lines, and some rules are parsed, and the rest gets a note."""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from fours import FOURS, Grid, grids_of

from solver import Invalid, Puzzle, parse, solve
from solver.board.layout import Layout
from solver.formats.format import ReadOptions
from solver.formats.objects.sudokupad import read_sudokupad
from solver.formats.reading.cells import Reading

SHORT = {'"number"': "zN", '"lineE"': "zE", '"symbol"': "zY", "null": "zO"}
GIVENS = "12.4...2....4..1"


def thick(size: int, high: int, wide: int, space: int = 0) -> dict[str, int]:
    """Return the thick lines between boxes in the form of Penpa+: pairs of corners as "12,13".

    Boxes have `high` rows and `wide` columns. `space` is the number of rows above the grid and of
    columns on its left.
    """
    across = size + 4 + space
    corners = across * across
    first = 2 + space
    lines: dict[str, int] = {}
    for row in range(size):
        for column in range(size):
            corner = corners + across * (row + first) + column + first
            if column + 1 < size and (column + 1) % wide == 0:
                lines[f"{corner - across},{corner}"] = 2
            if row + 1 < size and (row + 1) % high == 0:
                lines[f"{corner - 1},{corner}"] = 2
    return lines


def address(
    givens: str = GIVENS, *, kind: str = "square", space: int = 0, lines: Any = None, **drawn: Any
) -> str:
    size = 4
    across = size + 4 + space
    numbers = {
        str(across * (n // size + 2 + space) + n % size + 2 + space): [given, 1, "1"]
        for n, given in enumerate(givens)
        if given != "."
    }
    lines = thick(size, 2, 2, space) if lines is None else lines
    question = {"number": numbers, "lineE": lines, "symbol": {}, **drawn}
    text = "\n".join(
        [f"{kind},{size + space},{size + space},38,Title: zZebra",
         json.dumps([space, 0, space, 0]), "{}", json.dumps(question), "{}"]
    )  # fmt: skip
    for word, short in SHORT.items():
        text = text.replace(word, short)
    packer = zlib.compressobj(wbits=-15)
    packed = b64encode(packer.compress(text.encode()) + packer.flush()).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={quote(packed)}"


READ = "read drawings of Penpa+'s own tools as rules"


def caged(*cells: int) -> dict[str, Any]:
    """Return the lines of a cage, which connect points inside the cells."""
    ends = [4 * (64 + cell) for cell in cells]
    return {"cage": {f"{end},{end + 1}": 10 for end in ends}}


# Cell numbers in Penpa+: r1c1 is 18, r1c2 is 19, r2c1 is 26, r2c2 is 27.
DRAWN: list[tuple[dict[str, Any], str, Callable[[Grid], bool]]] = [
    ({"thermo": [[18, 27, 28], []]}, "thermo", lambda g: g[0][0] < g[1][1] < g[1][2]),
    ({"arrows": [[18, 19, 28]], "symbol": {"18": [1, "sudokumore", 1]}}, "arrow",
     lambda g: g[0][0] == g[0][1] + g[1][2]),
    ({"killercages": [[18, 19, 27]], **caged(18, 19, 27), "numberS": {"328": ["9", 1, "1"]}},
     "killer", lambda g: g[0][0] + g[0][1] + g[1][1] == 9 and g[0][0] != g[1][1]),
    ({"killercages": [[18, 19, 27]], **caged(18, 19, 27), "numberS": {"328": [" 9", 1, "1"]}},
     "killer", lambda g: g[0][0] + g[0][1] + g[1][1] == 9 and g[0][0] != g[1][1]),
    ({"killercages": [[19, 26]], **caged(19, 26)}, "killer", lambda g: g[0][1] != g[1][0]),
    ({"symbol": {"210": [1, "circle_SS", 2], "147": [2, "circle_SS", 2]}}, "white, black",
     lambda g: abs(g[0][0] - g[0][1]) == 1 and sorted((g[0][1], g[1][1])) in ([1, 2], [2, 4])),
]  # fmt: skip


@pytest.mark.parametrize(("drawn", "rules", "keeps"), DRAWN)
def test_constraints_with_penpa_tools_are_read(
    drawn: dict[str, Any], rules: str, keeps: Callable[[Grid], bool]
) -> None:
    reading = read(address("." * 16, **drawn))
    assert reading.note == f"{READ} ({rules})"
    assert grids_of(reading.puzzle) == sorted(filter(keeps, FOURS))


def read(text: str) -> Reading:
    return read_sudokupad(text, options=ReadOptions())


@pytest.mark.parametrize(("kind", "space"), [("square", 0), ("sudoku", 0), ("sudoku", 1)])
def test_givens_and_boxes_are_read(kind: str, space: int) -> None:
    (puzzle,) = parse(address(kind=kind, space=space))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.layout is Layout.boxed(2, 2)
    assert puzzle.givens == tuple(int(c) if c != "." else 0 for c in GIVENS)


def test_lines_elsewhere_make_other_regions() -> None:
    puzzle = read(address("." * 16, lines=thick(4, 1, 4))).puzzle
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle, limit=1000).solutions == 576  # number of 4×4 Latin squares


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({}, None),
        ({"symbol": {"18": [1, "circle_L", 1]}, "surface": {"18": 1}, "thermo": []},
         "ignored drawings (symbol, surface)"),
        ({"thermo": [[17, 18]], "arrows": [[18, 19]], "nobulbthermo": [[18, 19]]},
         "ignored drawings (thermo, arrows, nobulbthermo)"),
        ({"killercages": [[18, 19]], "cage": {}}, None),  # a cage without lines
        ({"killercages": [[18, 19]], **caged(18, 20)},
         f"{READ} (killer); ignored drawings (cage)"),
        ({"killercages": [[18, 19]], **caged(18, 19), "numberS": {"328": ["?", 1, "1"]}},
         f"{READ} (killer); ignored drawings (numberS)"),
        ({"number": {"18": ["1", 1, "1"], "3": ["7", 1, "1"], "19": ["12", 1, "7"]}},
         "ignored drawings (numbers)"),
        ({"kind": "sudoku", "lines": {}}, "the puzzle has no regions or boxes"),
    ],
)  # fmt: skip
def test_ignored_drawings_are_remarked_on(more: dict[str, Any], note: str | None) -> None:
    reading = read(address(**more))
    assert isinstance(reading.puzzle, Puzzle)
    assert reading.note == note


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        (address(lines={}),
         "this Penpa+ drawing doesn't have 4 regions of 4 cells, as a Sudoku has"),
        (address(kind="hex"), "this Penpa+ drawing isn't a square grid"),
        (address("x" + "." * 15), "'x' in r1c1 isn't a symbol of this puzzle; expected 1-4 or "
                                  "an empty cell"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZNj9s2EL37Vxi6loc7q4",
         "this URL isn't in Penpa+'s notation"),
        ("https://a.example/penpa-edit/?p=AAAA", "this URL isn't in Penpa+'s notation"),
    ],
)  # fmt: skip
def test_the_error_names_the_unreadable_part(text: str, detail: str) -> None:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail
