"""Each member of lisudoku's JSON allows the same grids as lisudoku's checker.

Errors name the part that can't be read.
"""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from fours import FOURS, Grid, grids_of

from solver import Invalid, parse, solve
from solver.formats.objects.lzstring import compress


def at(*names: str) -> list[dict[str, int]]:
    """Return cells from names such as "12" (row and column, both from 1)."""
    return [{"row": int(name[0]) - 1, "col": int(name[1]) - 1} for name in names]


def kept_grids(text: str) -> list[Grid]:
    (puzzle,) = parse(text)
    return grids_of(puzzle)


def neighbors(grid: Grid) -> list[tuple[int, int]]:
    return [
        pair
        for lines in (grid, zip(*grid, strict=True))
        for line in lines
        for pair in pairwise(line)
    ]


def leads(grid: Grid) -> bool:
    """Return whether the numbers 1, 2, … of successive rows are at most one column apart."""
    columns = [row.index(number) for number, row in enumerate(grid, 1)]
    return all(abs(here - there) <= 1 for here, there in pairwise(columns))


CASES: list[tuple[dict[str, Any], Callable[[Grid], bool]]] = [
    ({}, lambda _: True),
    ({"fixedNumbers": [{"position": at("12")[0], "value": 3}]}, lambda g: g[0][1] == 3),
    ({"extraRegions": [at("11", "23", "32")]}, lambda g: len({g[0][0], g[1][2], g[2][1]}) == 3),
    ({"killerCages": [{"sum": 7, "region": at("12", "13", "22")}]},
     lambda g: len({g[0][1], g[0][2], g[1][1]}) == 3 and g[0][1] + g[0][2] + g[1][1] == 7),
    ({"killerCages": [{"region": at("11", "23"), "sum": None}]}, lambda g: g[0][0] != g[1][2]),
    ({"thermos": [at("11", "22"), at("44")]}, lambda g: g[0][0] < g[1][1]),
    ({"arrows": [{"circleCells": at("11"), "arrowCells": at("12", "23")}]},
     lambda g: g[0][0] == g[0][1] + g[1][2]),
    ({"arrows": [{"circle_cells": at("12", "11"),
                  "arrow_cells": at("13", "23", "33", "43", "44")}]},
     lambda g: 10 * g[0][0] + g[0][1] == 10 + g[3][3]),
    ({"primaryDiagonal": True}, lambda g: len({g[n][n] for n in range(4)}) == 4),
    ({"secondary_diagonal": True}, lambda g: len({g[n][3 - n] for n in range(4)}) == 4),
    ({"antiKing": True},
     lambda g: all(g[r][c] != g[r + 1][c + s] for r in range(3) for c in range(4)
                   for s in (1, -1) if 0 <= c + s < 4)),
    ({"antiKnight": True},
     lambda g: all(g[r][c] != g[r + d][c + s] for r in range(4) for c in range(4)
                   for d, s in ((1, 2), (2, 1), (1, -2), (2, -1))
                   if r + d < 4 and 0 <= c + s < 4)),
    ({"kropkiDots": [{"dotType": "Consecutive", "cell1": at("11")[0], "cell2": at("12")[0]},
                     {"dot_type": "Double", "cell_1": at("44")[0], "cell_2": at("34")[0]}]},
     lambda g: abs(g[0][0] - g[0][1]) == 1
     and (g[3][3], g[2][3]) in {(1, 2), (2, 1), (2, 4), (4, 2)}),
    ({"kropkiNegative": True},
     lambda g: all(abs(a - b) != 1 and a != 2 * b and b != 2 * a for a, b in neighbors(g))),
    ({"oddCells": at("11")}, lambda g: g[0][0] % 2 == 1),
    ({"evenCells": at("11"), "topBottom": False}, lambda g: g[0][0] % 2 == 0),
    ({"renbans": [at("11", "22")]}, lambda g: abs(g[0][0] - g[1][1]) == 1),
    ({"palindromes": [at("11", "22", "33")]}, lambda g: g[0][0] == g[2][2]),
    ({"topBottom": True}, lambda g: leads(g) and leads(g[::-1])),
]  # fmt: skip


@pytest.mark.parametrize(
    ("members", "keeps"), CASES, ids=[str(members)[:60] for members, _ in CASES]
)
def test_a_member_leaves_the_grids_that_lisudoku_leaves(
    members: dict[str, Any], keeps: Callable[[Grid], bool]
) -> None:
    document = json.dumps({"gridSize": 4, **members})
    expected = sorted(filter(keeps, FOURS))
    assert kept_grids(document) == expected
    assert kept_grids(f"https://lisudoku.xyz/solver?import={compress(document)}") == expected


def test_regions_replace_boxes() -> None:
    rows = [at(*(f"{row}{column}" for column in range(1, 5))) for row in range(1, 5)]
    (puzzle,) = parse(json.dumps({"grid_size": 4, "regions": rows}))
    assert not isinstance(puzzle, Invalid)
    assert solve(puzzle, limit=1000).solutions == 576  # number of 4×4 Latin squares


@pytest.mark.parametrize(
    ("members", "detail"),
    [
        ({"gridSize": 0}, "'gridSize' must be a whole number from 1 to 100, not 0"),
        ({"gridSize": "4"}, "'gridSize' must be a whole number from 1 to 100, not '4'"),
        ({"gridSize": 16, "topBottom": True}, "'topBottom' needs a grid of at most 9 rows, "
                                              "not 16"),
        ({"chess": True}, "Unknown constraint 'chess'. Expected one of: anti_king, "
                          "anti_knight, arrows, even_cells, extra_regions, fixed_numbers, "
                          "grid_size, killer_cages, kropki_dots, kropki_negative, odd_cells, "
                          "palindromes, primary_diagonal, regions, renbans, "
                          "secondary_diagonal, thermos, top_bottom"),
        ({"thermos": [3]}, "this puzzle isn't in lisudoku's format"),
        ({"kropkiDots": [{"dotType": "Grey", "cell1": at("11")[0], "cell2": at("12")[0]}]},
         "this puzzle isn't in lisudoku's format"),
        ({"fixedNumbers": [{"position": at("15")[0], "value": 1}]},
         "r1c5 isn't a cell of the grid"),
        ({"extraRegions": [at("11", "51")]}, "r5c1 isn't a cell of the grid"),
        ({"oddCells": at("55")}, "'r5c5' in the constraint 'odd' isn't a cell of the grid"),
    ],
)  # fmt: skip
def test_the_error_names_the_unreadable_part(members: dict[str, Any], detail: str) -> None:
    (puzzle,) = parse(json.dumps({"gridSize": 4, **members}))
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail
