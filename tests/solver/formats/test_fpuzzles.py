"""Each member of an f-puzzles document has the meaning that the f-puzzles tools give it.

Ignored drawings get a note, and errors name the part that can't be read.
"""

import json
from collections.abc import Callable
from itertools import pairwise, permutations, product
from typing import Any

import pytest
from fours import FOURS, Grid, grids_of

from solver import Invalid, Puzzle, parse, solve
from solver.board.display import shown
from solver.formats.format import ReadOptions
from solver.formats.objects.fpuzzles import read_fpuzzles
from solver.formats.objects.fpuzzles_rules import READERS, SWITCHES

Keeps = Callable[[Grid], bool]


def document(size: int = 4, **members: Any) -> dict[str, Any]:
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **members}


def read(document: dict[str, Any]) -> Puzzle | Invalid:
    (puzzle,) = parse(json.dumps(document))
    return puzzle


def kept_grids(document: dict[str, Any]) -> list[Grid]:
    return grids_of(read(document))


def neighbors(grid: Grid) -> list[tuple[str, int, int]]:
    """Return each pair of orthogonally adjacent cells: the position and the two values."""
    pairs = []
    for row in range(4):
        for column in range(4):
            name = f"R{row + 1}C{column + 1}"
            if column < 3:
                pairs.append((name + "-", grid[row][column], grid[row][column + 1]))
            if row < 3:
                pairs.append((name + "|", grid[row][column], grid[row + 1][column]))
    return pairs


def twice(a: int, b: int) -> bool:
    return a == 2 * b or b == 2 * a


def line(kind: str, *cells: str, **more: Any) -> dict[str, Any]:
    return {kind: [{"lines": [list(cells)], **more}]}


TOP = ["R1C1", "R1C2"]
# If a member allows too many grids, the case also has a clue that reduces their number.
CASES: list[tuple[dict[str, Any], Keeps]] = [
    ({"nonconsecutive": True, "difference": [{"cells": TOP}]},
     lambda g: all((abs(a - b) == 1) == (at == "R1C1-") for at, a, b in neighbors(g))),
    ({"nonconsecutive": True, "ratio": [{"cells": TOP}]},
     lambda g: twice(*g[0][:2])
     and all(abs(a - b) != 1 or at == "R1C1-" for at, a, b in neighbors(g))),
    ({"negative": ["ratio"]}, lambda g: not any(twice(a, b) for _, a, b in neighbors(g))),
    ({"negative": ["ratio"], "ratio": [{"cells": TOP, "value": "3"}]},
     lambda g: all(({a, b} == {1, 3}) == (at == "R1C1-") for at, a, b in neighbors(g))),
    ({"negative": ["ratio"], "ratio": [{"cells": TOP, "value": ""}]},
     lambda g: all(twice(a, b) == (at == "R1C1-") for at, a, b in neighbors(g))),
    ({"negative": ["ratio"], "difference": [{"cells": TOP}]},
     lambda g: abs(g[0][0] - g[0][1]) == 1
     and all(not twice(a, b) or at == "R1C1-" for at, a, b in neighbors(g))),
    ({"negative": ["xv"], "xv": [{"cells": TOP, "value": "v"}, {"cells": ["R4C3", "R4C4"]}]},
     lambda g: all((a + b == 5) == (at == "R1C1-") for at, a, b in neighbors(g))),
    ({"difference": [{"cells": TOP, "value": 2}]}, lambda g: abs(g[0][0] - g[0][1]) == 2),
    ({"xv": [{"cells": TOP, "value": "X"}]}, lambda g: g[0][0] + g[0][1] == 10),
    ({"minimum": [{"cell": "R1C1"}, {"cell": "R1C2"}, {"cell": ""}]},
     lambda g: g[0][0] < g[1][0] and g[0][1] < min(g[0][2], g[1][1])),
    ({"maximum": [{"cell": "R1C1"}], "minimum": [{"cell": "R1C2"}]},
     lambda g: g[0][0] > max(g[1][0], g[0][1]) and g[0][1] < min(g[0][2], g[1][1], g[0][0])),
    ({"killercage": [{"cells": ["R1C2", "R1C3", "R2C2"], "value": "7"}]},
     lambda g: len({g[0][1], g[0][2], g[1][1]}) == 3 and g[0][1] + g[0][2] + g[1][1] == 7),
    ({"killercage": [{"cells": ["R1C2", "R1C3", "R2C2"], "value": "0"}]},
     lambda g: len({g[0][1], g[0][2], g[1][1]}) == 3),
    ({"killercage": [{"cells": ["R2C2", "R3C3"]}]}, lambda g: g[1][1] != g[2][2]),
    ({"cage": [{"cells": ["R1C2", "R1C3", "R2C2"], "value": "DR9"}]},
     lambda g: len({g[0][1], g[0][2], g[1][1]}) == 3 and g[0][1] + g[0][2] + g[1][1] == 9),
    ({"cage": [{"cells": TOP, "value": "DR9"}]}, lambda _: False),
    ({"cage": [{"cells": TOP, "value": "12"}], "text": [{"cells": TOP, "value": "?"}]},
     lambda _: True),
    ({"littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": "6"}]},
     lambda g: g[0][1] + g[1][2] + g[2][3] == 6),
    ({"littlekillersum": [{"cell": "R1C2", "direction": "DR", "value": "6"}]},
     lambda g: g[0][1] + g[1][2] + g[2][3] == 6),
    ({"littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": ""}]}, lambda _: True),
    ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2", "R2C3"]]}]},
     lambda g: g[0][0] == g[0][1] + g[1][2]),
    ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C1"], []]}, {"cells": [], "lines": [TOP]}]},
     lambda _: True),
    ({"arrow": [{"cells": ["R1C2", "R1C1"],
                 "lines": [["R1C2", "R1C3", "R2C3", "R3C3", "R4C3", "R4C2", "R4C1"]]}]},
     lambda g: 10 * g[0][0] + g[0][1] == 10 + g[3][1] + g[3][0]),
    ({"odd": [{"cell": "R1C1"}, {}]}, lambda g: g[0][0] % 2 == 1),
    ({"even": [{"cell": "R1C1"}]}, lambda g: g[0][0] % 2 == 0),
    ({"rowindexer": [{"cells": ["R2C3"]}]}, lambda g: g[g[1][2] - 1][2] == 2),
    ({"columnindexer": [{"cells": ["R2C3"]}]}, lambda g: g[1][g[1][2] - 1] == 3),
    ({"boxindexer": [{"cells": ["R2C3"]}]},
     lambda g: [g[0][2], g[0][3], g[1][2], g[1][3]][g[1][2] - 1] == 3),
    ({"extraregion": [{"cells": ["R1C1", "R2C3", "R3C2"]}, {"cells": []}]},
     lambda g: len({g[0][0], g[1][2], g[2][1]}) == 3),
    ({"disjointgroups": True},
     lambda g: all(len({g[r][c], g[r + 2][c], g[r][c + 2], g[r + 2][c + 2]}) == 4
                   for r in (0, 1) for c in (0, 1))),
    ({"antiknight": True},
     lambda g: all(g[r][c] != g[r + d][c + s] for r in range(4) for c in range(4)
                   for d, s in ((1, 2), (2, 1), (1, -2), (2, -1))
                   if r + d < 4 and 0 <= c + s < 4)),
    ({"antiking": True},
     lambda g: all(g[r][c] != g[r + 1][c + s] for r in range(3) for c in range(4)
                   for s in (1, -1) if 0 <= c + s < 4)),
    ({"diagonal+": True}, lambda g: len({g[3][0], g[2][1], g[1][2], g[0][3]}) == 4),
    ({"diagonal-": True}, lambda g: len({g[n][n] for n in range(4)}) == 4),
    (line("thermometer", "R1C1", "R2C2", "R2C3"), lambda g: g[0][0] < g[1][1] < g[1][2]),
    (line("thermometer", "R1C1"), lambda _: True),
    (line("slowthermometer", "R1C1", "R2C2", "R3C3"), lambda g: g[0][0] <= g[1][1] <= g[2][2]),
    (line("palindrome", "R1C1", "R2C2", "R3C3"), lambda g: g[0][0] == g[2][2]),
    (line("palindrome", "R1C1", "R2C2", "R3C3", "R2C2", "R1C1"), lambda _: True),
    (line("renban", "R1C1", "R2C1", "R2C2", "R1C1"),
     lambda g: sorted(n - min(g[0][0], g[1][0], g[1][1]) for n in (g[0][0], g[1][0], g[1][1]))
     == [0, 1, 2]),
    (line("whispers", "R1C1", "R2C2", "R3C3"),
     lambda g: abs(g[0][0] - g[1][1]) >= 2 and abs(g[1][1] - g[2][2]) >= 2),
    (line("germanwhispers", "R1C1", "R2C2"), lambda g: abs(g[0][0] - g[1][1]) >= 2),
    (line("dutchwhispers", "R1C1", "R2C2"), lambda g: abs(g[0][0] - g[1][1]) >= 1),
    (line("whispers", "R1C1", "R2C2", value="3"), lambda g: abs(g[0][0] - g[1][1]) >= 3),
    (line("whispers", "R1C1", "R1C2", "R2C2", "R2C1", "R1C1"),
     lambda g: all(abs(a - b) >= 2 for a, b in pairwise(
         [g[0][0], g[0][1], g[1][1], g[1][0], g[0][0]]))),
    (line("regionsumline", "R1C1", "R1C2", "R1C3"), lambda g: g[0][0] + g[0][1] == g[0][2]),
    (line("betweenline", "R1C1", "R2C2", "R3C3"),
     lambda g: min(g[0][0], g[2][2]) < g[1][1] < max(g[0][0], g[2][2])),
    (line("betweenline", "R1C1", "R2C2"), lambda _: True),
    (line("lockout", "R1C1", "R2C2", "R3C3", value="2"),
     lambda g: abs(g[0][0] - g[2][2]) >= 2
     and not min(g[0][0], g[2][2]) <= g[1][1] <= max(g[0][0], g[2][2])),
    (line("entropicline", "R1C1", "R1C2", "R1C3", "R1C4"),
     lambda g: {g[0][0], g[0][3]} == {2, 3}),
    (line("modularline", "R1C1", "R1C2", "R1C3", "R1C4"), lambda g: {g[0][0], g[0][3]} == {1, 4}),
    (line("nabner", "R1C1", "R2C2"), lambda g: abs(g[0][0] - g[1][1]) >= 2),
    (line("doublearrow", "R1C1", "R2C2", "R2C3", "R4C4"),
     lambda g: g[0][0] + g[3][3] == g[1][1] + g[1][2]),
    (line("doublearrow", "R1C1", "R2C2"), lambda _: True),
    (line("zipperline", "R1C1", "R2C2", "R3C3"), lambda g: g[0][0] + g[2][2] == g[1][1]),
    (line("zipperline", "R1C1", "R2C2"), lambda _: True),
    ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C2", "R1C2"]}]},
     lambda g: g[0][0] == g[2][1]),
    ({"quadruple": [{"cells": ["R2C2", "R2C3", "R3C2", "R3C3"], "values": [1, 1]}]},
     lambda g: [g[1][1], g[1][2], g[2][1], g[2][2]].count(1) == 2),
    ({"quadruple": [{"cells": ["R2C2", "R2C3", "R3C2", "R3C3"], "values": []}]}, lambda _: True),
    ({"sandwichsum": [{"cell": "R1C0", "value": "5"}, {"cell": "R2C0", "value": ""}]},
     lambda g: abs(g[0].index(1) - g[0].index(4)) == 3),
    ({"xsum": [{"cell": "R1C5", "value": "3"}]}, lambda g: sum(g[0][4 - g[0][3] :]) == 3),
    ({"skyscraper": [{"cell": "R5C1", "value": "1"}]}, lambda g: g[3][0] == 4),
    ({"numberedrooms": [{"cell": "R0C1", "value": "3"}]}, lambda g: g[g[0][0] - 1][0] == 3),
]  # fmt: skip


@pytest.mark.parametrize(
    ("members", "keeps"), CASES, ids=[str(members)[:60] for members, _ in CASES]
)
def test_a_member_leaves_the_grids_that_its_tools_leave(
    members: dict[str, Any], keeps: Keeps
) -> None:
    assert kept_grids(document(**members)) == sorted(filter(keeps, FOURS))


def test_every_member_has_a_case() -> None:
    assert {key for members, _ in CASES for key in members} >= {*READERS, *SWITCHES}


def test_progress_is_no_given_and_pencil_marks_of_the_setter_are_candidates() -> None:
    marked = document()
    marked["grid"][0][0] = {"value": 3, "given": False, "centerPencilMarks": [3]}
    marked["grid"][0][1] = {"givenPencilMarks": [1, 2]}
    assert kept_grids(marked) == sorted(grid for grid in FOURS if grid[0][1] in (1, 2))


def test_a_given_has_no_pencil_marks() -> None:
    marked = document()
    marked["grid"][0][0] = {"value": 3, "given": True, "givenPencilMarks": [1, 2]}
    assert kept_grids(marked) == sorted(grid for grid in FOURS if grid[0][0] == 3)


def test_members_that_sudokupad_adds_are_read() -> None:
    knights = document(metadata={"antiknight": "true", "solution": "1234341221434321"})
    assert kept_grids(knights) == kept_grids(document(antiknight=True))
    reading = read_fpuzzles(knights, text="", options=ReadOptions())
    assert reading.expected == (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    puzzle = read(document(metadata={"norowcol": True}))
    assert isinstance(puzzle, Puzzle)
    assert {house.kind for house in puzzle.layout.houses} == {"region"}


def test_list_of_the_tools_in_use_is_ignored() -> None:
    caged = document(killercage=[{"cells": TOP, "value": "7"}])
    assert kept_grids({**caged, "activeConstraints": ["Killer Cage"]}) == kept_grids(caged)


def test_cells_whose_region_is_null_are_in_no_region() -> None:
    cells = document()
    for row in cells["grid"]:
        for cell in row:
            cell["region"] = None
    puzzle = read(cells)
    assert isinstance(puzzle, Puzzle)
    assert {house.kind for house in puzzle.layout.houses} == {"row", "column"}
    assert solve(puzzle, limit=1000).solutions == 576  # number of 4×4 Latin squares


def test_cells_without_a_region_belong_to_no_box_either() -> None:
    cells = document(**line("regionsumline", "R1C1", "R3C3", "R1C2", "R2C2"))
    for row in range(4):
        for column in range(4):
            box = row // 2 * 2 + column // 2
            cells["grid"][row][column]["region"] = None if box == 3 else box
    assert kept_grids(cells) == FOURS


LATIN = sorted(
    [*a, *b, *c]
    for a, b, c in product(permutations((1, 2, 3)), repeat=3)
    if all(len(set(column)) == 3 for column in zip(a, b, c, strict=True))
)


@pytest.mark.parametrize(
    ("members", "keeps"),
    [
        (line("regionsumline", "R1C1", "R2C2"), lambda g: g[0] == g[4]),
        (line("regionsumline", "R1C1", "R1C2", "R2C1"), lambda g: g[0] + g[1] == g[3]),
        ({"disjointgroups": True}, lambda _: True),
        ({"boxindexer": [{"cells": ["R2C3"]}]}, lambda g: g[2 + g[5]] == 3),
    ],
)
def test_rows_are_the_regions_of_a_size_that_has_no_boxes(
    members: dict[str, Any], keeps: Callable[[list[int]], bool]
) -> None:
    puzzle = read(document(3, **members))
    assert isinstance(puzzle, Puzzle), puzzle
    assert sorted(map(list, solve(puzzle, limit=20).listed)) == list(filter(keeps, LATIN))


def test_drawings_without_a_constraint_are_remarked_on() -> None:
    copies = [{"lines": [TOP], "fromConstraint": "German Whispers"}]
    lines = [{"lines": [TOP], "fromConstraint": "Renban"}]  # the document has no such constraint
    drawn = document(
        line=lines, text=[{"cells": TOP[:1]}], circle=copies, **line("whispers", *TOP, value="2")
    )
    readings = [read_fpuzzles(each, text="", options=ReadOptions()) for each in (document(), drawn)]
    remark = "ignored drawings (line, text); rules in them aren't applied"
    assert [reading.note for reading in readings] == [None, remark]


WORDS = "the puzzle has written rules, which aren't applied"


@pytest.mark.parametrize(
    ("ruleset", "remark"),
    [
        ("Digits along an arrow multiply to the circle.", WORDS),
        ("Normal sudoku rules apply. Arrows point to larger sums.", WORDS),
        ("Normal sudoku rules apply.", None),
        ("  ", None),
        (None, None),
    ],
)
def test_rules_in_words_are_remarked_on(ruleset: str | None, remark: str | None) -> None:
    arrow = line("arrow", *TOP)
    for members in ({}, arrow):
        note = read_fpuzzles(
            document(ruleset=ruleset, **members), text="", options=ReadOptions()
        ).note
        assert note == remark


def test_drawings_that_are_no_list_are_remarked_on() -> None:
    reading = read_fpuzzles(document(line=True, text=[]), text="", options=ReadOptions())
    assert reading.note == "ignored drawings (line); rules in them aren't applied"


@pytest.mark.parametrize(
    ("members", "detail"),
    [
        ({"killercage": [{"cells": TOP, "value": "x"}]},
         "killercage: the value 'x' isn't a whole number"),
        ({"killercage": [{"cells": TOP, "value": 12.5}]},
         "killercage: the value 12.5 isn't a whole number"),
        ({"killercage": [{"cells": TOP, "value": True}]},
         "killercage: the value true isn't a whole number"),
        ({"xsum": [{"cell": "R1C0", "value": float("inf")}]},
         "xsum: the value Infinity isn't a whole number"),
        ({"odd": [{"cell": "here"}]}, "'here' in the constraint 'odd' isn't a cell of the grid"),
        ({"sandwichsum": [{"cell": "R2C2", "value": "5"}]},
         "sandwichsum: R2C2 isn't next to the grid"),
        ({"minimum": [{"cell": "R1"}]}, "minimum: 'R1' isn't a cell; expected one such as R1C1"),
        ({"negative": ["sums"]},
         "negative: not in f-puzzles' format"),
        ({"xv": [{"cells": TOP, "value": "L"}]},
         "xv: not in f-puzzles' format"),
        ({"chess": True}, "Unknown constraint 'chess'"),
    ],
)  # fmt: skip
def test_the_error_names_the_unreadable_part(members: dict[str, Any], detail: str) -> None:
    puzzle = read(document(**members))
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail


@pytest.mark.parametrize(
    "written", ["7_0", "+7", "\u0667", "\uff17", "1e1", "0x7", "--7", "7" * 5_000]
)
def test_number_is_written_in_plain_digits(written: str) -> None:
    cage = {"cells": ["R1C1", "R1C2"], "value": written}
    refused = read(document(killercage=[cage]))
    assert isinstance(refused, Invalid)
    assert refused.detail == (f"killercage: the value {shown(written)} isn't a whole number")


def test_number_may_have_spaces_around_it() -> None:
    assert isinstance(read(document(killercage=[{"cells": ["R1C1"], "value": " 3 "}])), Puzzle)
