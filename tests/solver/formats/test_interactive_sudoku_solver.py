"""Interactive Sudoku Solver constraints, checked against its help on all 4×4 grids.

Also tested are the syntax of its strings, and errors, which name the unreadable part.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from itertools import pairwise, product

import pytest
from fours import FOURS, Grid, grids_of

from solver import Invalid, Puzzle, parse, solve
from solver.formats.objects.iss_codes import automaton_in
from solver.formats.objects.iss_rules import READERS


def kept_grids(text: str, *, limit: int = 400) -> list[Grid]:
    (puzzle,) = parse(".Shape~4x4" + text, format="iss")
    return grids_of(puzzle, limit=limit)


def columns(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def lines(grid: Grid) -> Grid:
    both = [*grid, *columns(grid)]
    return [*both, *(line[::-1] for line in both)]


def rank(grid: Grid, line: list[int]) -> int:
    return 1 + sum(other < line for other in lines(grid))


def connected(grid: Grid, values: set[int]) -> bool:
    """Return whether the cells with these values form one connected region."""
    region = {
        (row, column)
        for row in range(len(grid))
        for column in range(4)
        if grid[row][column] in values
    }
    reached = {min(region)}
    for _ in region:
        reached |= {(r, c) for r, c in region for x, y in reached if abs(r - x) + abs(c - y) == 1}
    return reached == region


def circled(numbers: list[int]) -> bool:
    return all(numbers.count(number) == number for number in numbers)


def between_extremes(line: tuple[int, ...]) -> int:
    ends = sorted((line.index(min(line)), line.index(max(line))))
    return sum(line[ends[0] + 1 : ends[1]])


# On 2×3 grids: (shape suffix, numbers, constraint, predicate).
SMALL: list[tuple[str, range, str, Callable[[tuple[int, ...]], bool]]] = [
    ("~3~Raw", range(1, 4), "", lambda _: True),
    ("~~Raw", range(1, 4), ".Thermo~R1C1~R1C2", lambda g: g[0] < g[1]),
    ("~3~Raw", range(1, 4), ".CountingCircles~R1C1~R2C3~R2C1",
     lambda g: circled([g[0], g[5], g[3]])),
    ("~0-2~Raw", range(3), ".SumLine~2~R1C1~R1C2~R2C3~LOOP",
     lambda g: sorted((g[0], g[1], g[5])) in ([0, 0, 2], [0, 1, 1], [0, 2, 2], [1, 1, 2], [2] * 3)),
    ("~0-2~Raw", range(3), ".XSum~R1~0~", lambda g: g[0] == 0),
    ("~4", range(1, 5), ".Sandwich~2~R1", lambda g: between_extremes(g[:3]) == 2),
    ("~4", range(1, 5), ".Sandwich~0~R2", lambda g: between_extremes(g[3:]) == 0),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "numbers", "rule", "kept"), SMALL)
def test_grids_of_other_shapes_have_the_solutions_that_the_rules_leave(
    shape: str, numbers: range, rule: str, kept: Callable[[tuple[int, ...]], bool]
) -> None:
    (puzzle,) = parse(f".Shape~2x3{shape}{rule}")
    assert isinstance(puzzle, Puzzle), puzzle
    houses = [(0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5)] if "Raw" not in shape else []
    expected = {
        grid
        for grid in product(numbers, repeat=6)
        if all(len({grid[cell] for cell in house}) == len(house) for house in houses) and kept(grid)
    }
    listed = solve(puzzle, limit=1000).listed
    assert {tuple(value + numbers[0] - 1 for value in grid) for grid in listed} == expected
    assert len(listed) == len(expected)


ALL_NINES = "~".join(f"R{row}C{column}" for row in range(1, 10) for column in range(1, 10))

CASES: list[tuple[str, Callable[[Grid], bool]]] = [
    (".Or.~R1C1_1.~R1C2_1_2.End", lambda g: g[0][0] == 1 or g[0][1] in (1, 2)),
    (".Or.And.~R1C1_1.X~R1C2~R1C3.End.V~R1C1~R1C2.End", lambda g: g[0][0] + g[0][1] == 5),
    (".And.~R1C1_1.Thermo~R2C2~R2C3.End", lambda g: g[0][0] == 1 and g[1][1] < g[1][2]),
    (".Or.Or.~R1C1_1.~R1C1_2.End.~R4C4_3.End", lambda g: g[0][0] in (1, 2) or g[3][3] == 3),
    (".Or.Cage~6~R1C1~R1C2~R2C1.Renban~R3C3~R3C4~R4C4.End",
     lambda g: g[0][0] + g[0][1] + g[1][0] == 6
     or (len({g[2][2], g[2][3], g[3][3]}) == 3
     and max(g[2][2], g[2][3], g[3][3]) - min(g[2][2], g[2][3], g[3][3]) == 2)),
    # The mask has bits 0 and 5: copies start at r1c1 and r2c2.
    (".Replicate~h.Thermo~R1C1~R1C2.End", lambda g: g[0][0] < g[0][1] and g[1][1] < g[1][2]),
    # the pattern [12].*
    (".Regex~" + "WzEyXS4q" + "~R1C1~R1C2~R1C3~R1C4", lambda g: g[0][0] in (1, 2)),
    (".Regex~4%2E%2A~R1C1~R1C2~~R2C3~R2C4", lambda g: g[0][0] == 4 == g[1][2]),
    (".ContainAtLeast~1_1~R1C1~R2C3~R3C2", lambda g: [g[0][0], g[1][2], g[2][1]].count(1) >= 2),
    (".ContainExact~1_1_2~R1C1~R2C3~R3C2",
     lambda g: sorted([g[0][0], g[1][2], g[2][1]]) == [1, 1, 2]),
    (".LookAndSay~2103~R1C1~R2C3~R3C2",
     lambda g: [g[0][0], g[1][2], g[2][1]].count(1) == 2 and 3 not in (g[0][0], g[1][2], g[2][1])),
    (".SameValues~2~R1C1~R1C2~R3C3~R3C4", lambda g: {*g[0][:2]} == {*g[2][2:]}),
    (".EqualSum~R1C1~R1C2~-~R2C3~-~R3C3~R4C4",
     lambda g: g[0][0] + g[0][1] == g[1][2] == g[2][2] + g[3][3]),
    (".Windoku", lambda g: len({*g[1][1:3], *g[2][1:3]}) == 4),
    (".DisjointSets",
     lambda g: all(len({g[r][c], g[r][c + 2], g[r + 2][c], g[r + 2][c + 2]}) == 4
                   for r in (0, 1) for c in (0, 1))),
    (".ConnectedValues~~1_2", lambda g: connected(g, {1, 2})),
    (".Var~S~~2x4.ConnectedValues~VS~1_2" + "".join(
        f".Palindrome~VS{4 * row + column - 4}~R{row}C{column}"
        for row in (1, 2) for column in (1, 2, 3, 4)), lambda g: connected(g[:2], {1, 2})),
    (".ConnectedValues~~3~4.~R1C1_3", lambda _: False),  # equal values are never adjacent
    (".ConnectedValues~~1_2~8", lambda g: connected(g, {1, 2})),
    (".ConnectedValues~~1_2~7", lambda _: False),
    (".CountDistinct~R1C1~R2C2~R3C3~R4C4", lambda g: g[0][0] == len({g[1][1], g[2][2], g[3][3]})),
    (".CountDistinct~R1C1~R2C2~R3C3~R2C2", lambda g: g[0][0] == len({g[1][1], g[2][2]})),
    (".CountDistinct~R2C2~R2C2~R3C3~R4C4", lambda g: g[1][1] == len({g[1][1], g[2][2], g[3][3]})),
    (".CountDistinct~R3C3~R2C2~R3C3", lambda g: g[2][2] == len({g[1][1], g[2][2]})),
    (".CountDistinct~R1C1~R1C1~R1C1", lambda g: g[0][0] == 1),
    (".Cage~0~R1C1~R1C1~R3C3", lambda g: g[0][0] != g[2][2]),
    (".Cage~7~R1C1~R1C1~R3C3", lambda g: g[0][0] != g[2][2] and 2 * g[0][0] + g[2][2] == 7),
    (".EqualSum~R1C1", lambda _: True),
    (".GreaterThan~R1C1~R1C2~R1C1", lambda g: g[0][0] > g[0][1]),
    # If a line has two clues in the same place, the last one counts.
    (".Sandwich~9~R1.Sandwich~2~R1",
     lambda g: between_extremes(tuple(g[0])) == 2),
    (".Skyscraper~R1~1~.Skyscraper~R1~4~", lambda g: g[0] == [1, 2, 3, 4]),
    (".LittleKiller~9~R1C2.LittleKiller~4~R1C2", lambda g: g[0][1] + g[1][0] == 4),
    (".Quad~R1C2~1~1~1.Quad~R1C2~3", lambda g: 3 in (*g[0][1:3], *g[1][1:3])),
    (".Or.Skyscraper~R1~1~.Skyscraper~R1~4~.End", lambda g: g[0][0] == 4 or g[0] == [1, 2, 3, 4]),
    (".Or.~R1C1_1.~R2C3_4.End", lambda g: g[0][0] == 1 or g[1][2] == 4),
    (".Or.~R1C1_1_2.~R1C1_4.End", lambda g: g[0][0] != 3),
    (".Or.~R1C1_1.~R1C1_2.~R1C2_1.End", lambda g: g[0][0] in (1, 2) or g[0][1] == 1),
    (".Lunchbox~2~R1C1~R1C2~R1C3",
     lambda g: g[0][1] == 2 and min(g[0][:3]) < 2 < max(g[0][:3])),
    (".Sum~0_=_1_1_-2~R1C1~R2C2~R3C3", lambda g: g[0][0] + g[1][1] == 2 * g[2][2]),
    (".FullRank~R1~5~", lambda g: rank(g, g[0]) == 5 and lines(g).count(g[0]) == 1),
    (".FullRankTies~any.FullRank~C2~~3",
     lambda g: rank(g, columns(g)[1][::-1]) == 3),
    (".FullRankTies~none", lambda g: len({*map(tuple, lines(g))}) == 16),
    (".RegionSameValues", lambda _: True),
    (".Var~A~letter.Arrow~VA~R1C1~R1C2", lambda g: g[0][0] + g[0][1] <= 4),
    (".Var~A~~2.Sum~0_=_1_1_1_-1~VA1~R1C1~R1C2~VA2.~VA2_4", lambda g: g[0][0] + g[0][1] <= 3),
    (".Modular~1~R1C1~R1C2", lambda _: True),
    (".SearchPriority~2~R1C1", lambda _: True),
    (".Whisper~2~R1C1~R1C2~R2C2", lambda g: all(
        abs(a - b) >= 2 for a, b in pairwise([g[0][0], g[0][1], g[1][1]]))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "keeps"), CASES, ids=[text[:50] for text, _ in CASES])
def test_a_constraint_leaves_the_grids_that_its_help_says(
    text: str, keeps: Callable[[Grid], bool]
) -> None:
    assert kept_grids(text) == sorted(filter(keeps, FOURS))


@pytest.mark.parametrize(
    ("heights", "seen"), [("012345678", 8), ("102345678", 8), ("820134567", 1), ("071234568", 2)]
)
def test_a_skyscraper_of_no_height_is_not_seen(heights: str, seen: int) -> None:
    """The help says: 0-valued cells do not count as skyscrapers."""
    row = "".join(f"~R1C{column}_{height}" for column, height in enumerate(heights, 1))
    for clue, outcome in ((seen, "multiple"), (seen + 1, "unsolvable")):
        (puzzle,) = parse(f".Shape~9x9~0-8.NoBoxes.Skyscraper~R1~{clue}~.{row}", format="iss")
        assert isinstance(puzzle, Puzzle)
        assert solve(puzzle).outcome.label == outcome


def test_variables_that_are_free_make_several_solutions_of_one_grid() -> None:
    (puzzle,) = parse(".Shape~4x4.Var~A~.~VA_1_2_3", format="iss")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.layout.variables == ("VA",)
    assert solve(puzzle, limit=1000).solutions == 3 * len(FOURS)


def packed(bits: str) -> str:
    """Return a bit string as URL-safe base64."""
    data = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    return urlsafe_b64encode(data).decode().rstrip("=")


# Transitions (state, symbol, next state). States have two bits. The symbols are the numbers 1 to 4,
# and 5 for a separator. State 0 continues with a 1, state 1 with a separator, and state 2 accepts.
AUTOMATON = [(0, 1, 1), (1, 5, 2), (2, 1, 2), (2, 2, 2), (2, 3, 2), (2, 4, 2)]
HEAD = (
    "0001" + "0100" + "01" + "00" + "0"
)  # state bits, number of symbols, one initial state, no further accepting states


def test_an_automaton_is_unpacked_in_both_ways_and_reads_pieces() -> None:
    moves = [[move for move in AUTOMATON if move[0] == state] for state in range(3)]
    listed = "".join(
        f"{len(some):03b}" + "".join(f"{number - 1:03b}{to:02b}" for _, number, to in some)
        for some in moves
    )
    masks = "".join(
        "".join("1" if 5 - place in [n for _, n, _ in some] else "0" for place in range(5))
        + "".join(f"{to:02b}" for _, _, to in some)
        for some in moves
    )
    for text in (packed("00" + HEAD + "0011" + listed), packed("01" + HEAD + masks)):
        head, written = automaton_in(text, size=4, lowest=1)
        assert head == "0>"
        assert written.split()[:2] == ["0-1-1", "1-|-2"]
        assert len(written.split()) == len(AUTOMATON)


@pytest.mark.parametrize(
    ("cells", "keeps"),
    [
        ("R1C1~-~R1C2", lambda g: g[0][0] == 1),
        ("-~R1C1", lambda _: False),  # state 0 only continues with a 1
        ("R1C1~-", lambda g: g[0][0] == 1),
        ("R1C1~-~-~R1C2", lambda _: False),  # state 2 has no transition for a second separator
        ("R1C1~R1C2~-~~R2C2~-~R2C3~R2C4~~R3C1~-", lambda _: False),
        ("R2C2~-~R2C3~R2C4~~R3C1~-", lambda g: g[1][1] == 1 == g[2][0]),
    ],
)
def test_pieces_that_an_automaton_reads_may_be_empty(
    cells: str, keeps: Callable[[Grid], bool]
) -> None:
    # One initial and one accepting state. For each state: a mask of its symbols, highest first, and
    # their next states.
    head = "0001" + "0100" + "01" + "01" + "0"
    masks = packed("01" + head + "00001" + "10" + "01111" + 4 * "01" + "10000" + "01")
    assert kept_grids(f".NFA~{masks}~_x~{cells}") == sorted(filter(keeps, FOURS))


def test_doppelganger_misses_a_number_in_each_house() -> None:
    (puzzle,) = parse(".Shape~4x4~0-4.Doppelganger.~R1C1_1.~DGC1_4", format="iss")
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle, limit=1).solution
    assert solution is not None
    rows = [set(solution[row : row + 4]) for row in range(0, 16, 4)]
    missing = [({1, 2, 3, 4, 5} - row).pop() for row in rows]
    assert missing[0] == 5  # written as 4 in the text
    assert sorted(missing) == [2, 3, 4, 5]


def test_missing_values_of_boxes_are_arranged_like_the_boxes() -> None:
    (puzzle,) = parse(".Shape~4x4~0-4.Doppelganger.GreaterThan~DGB1~DGB2~DGB3~DGB4", format="iss")
    assert isinstance(puzzle, Puzzle)
    layout = puzzle.layout
    pairs = [
        "".join(map(layout.cell_name, constraint.cells))
        for constraint in layout.constraints
        if constraint.name == "greater"
    ]
    assert pairs == ["DGB1DGB2", "DGB1DGB3", "DGB2DGB4", "DGB3DGB4"]


def test_doppelganger_without_boxes_is_about_rows_and_columns() -> None:
    top = "~R1C1_0~R1C2_1~R2C1_1~R2C2_0"  # each number twice in a box
    (puzzle,) = parse(f".Shape~4x4~0-4.Doppelganger.NoBoxes.{top}", format="iss")
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle).outcome.label == "multiple"


def test_doppelganger_is_not_about_the_cells_of_other_rules() -> None:
    renban = ".Renban~R1C4~R1C3~R2C3~R3C2~R2C2"  # as many cells as values, so none is missing
    (puzzle,) = parse(f".Shape~4x4~0-4.Doppelganger{renban}.~DGR1_3", format="iss")
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle, limit=100).solutions == 12


def test_houses_smaller_than_the_values_hold_the_same_ones() -> None:
    (puzzle,) = parse(".Shape~4x4~1-5.RegionSameValues.~R1C1_5", format="iss")
    assert isinstance(puzzle, Puzzle)
    listed = solve(puzzle, limit=1000).listed
    assert len(listed) == 4 * 288 // 4
    assert all(len(set(grid)) == 4 for grid in listed)


def test_dutch_flatmates_are_above_or_below() -> None:
    (puzzle,) = parse(".Shape~9x9.DutchFlatmates.~R1C1_1_2_3_4_6_7_8_9", format="iss")
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle, limit=1).solution
    assert solution is not None
    for cell in (cell for cell in range(81) if solution[cell] == 5):
        above = solution[cell - 9] if cell >= 9 else None
        below = solution[cell + 9] if cell < 72 else None
        assert above == 1 or below == 9


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        (".Nonsense~R1C1", "Unknown constraint 'Nonsense'"),
        (".Or.Nonsense.End", "Unknown constraint 'Nonsense'"),
        (".End", ".End without a matching .Or, .And, or .Replicate"),
        (".Or.AntiKnight.End", "Or: 'antiknight' is a rule for the whole grid and can't be "
                               "inside .Or or .Replicate"),
        (".Replicate~P.Thermo~R4C3~R4C4.End",
         "Replicate: a copy of one of its cells is outside the grid"),
        (f".Shape~9x9~60.Or.Sum~900~{ALL_NINES}.Sum~9~R1C1~R1C2.End",
         "Together, the constraints of this puzzle need at least 23,245,080 table entries, "
         "but the limit is 10,000,000. Use fewer or shorter constraints."),
        (".Regex~KA~R1C1", "the constraint 'regex' at r1c1 has an invalid pattern: a group "
                           "isn't closed with ')'"),
        (".Regex~OQ~R1C1",
         "the constraint 'regex' at r1c1 has an invalid pattern: '9' isn't a value of this "
         "board (1 to 4)"),
        (".NFA~A~_x~R1C1", "NFA: the pattern or automaton isn't in base64"),
        (".NFA~AA~_x~R1C1", "NFA: the automaton ends too early"),
        (".Thermo~R1C1~R5C2", "'r5c2' in the constraint 'thermo' isn't a cell of the grid"),
        (".X~R4C4~R5C4", "'r5c4' in the constraint 'x' isn't a cell of the grid"),
        (".Skyscraper~R7~2~", "'r7c1' in the constraint 'skyscraper' isn't a cell of the grid"),
        (".Var~A~~2.Thermo~VA3~R1C1", "'VA3' in the constraint 'thermo' isn't a cell of the grid"),
        (".Renban~R1C1~R1C2~r1c1", "the constraint 'renban' at r1c1 lists r1c1 more than once"),
        (".X~R1C1~R1C2.And.Shape~6x6.End",
         "And: must come before givens and constraints"),
        (".Var~A~~2.~VA1_1.And.Var~A~~3.End",
         "And: the cells 'VA' already have another size, and earlier constraints may use them"),
        (".Thermo~VA1~R1C1", "Thermo: 'VA1' isn't a cell; expected one such as R1C1"),
        (".ConnectedValues~~1_2~17",
         "ConnectedValues: the region size (17) is larger than the group (16 cells)"),
        (".RegionSize~9999999", "RegionSize: '9999999' isn't between -1,000,000 and "
                                "1,000,000"),
        (".CountDistinct", "CountDistinct: expected the cell with the count, and then the "
                           "counted cells"),
        (".WhiteDot~R1C1~R2C2", "WhiteDot: none of its cells are adjacent to each other"),
        (".Var~a~~2",
         "Var: expected capital letters, a label, and a number of cells, such as A~~4"),
        (".ConnectedValues~VA~1",
         "ConnectedValues: 'VA' isn't a group of cells with 4 columns"),
        (".FullRankTies~some",
         "FullRankTies: Unknown option 'some'. Expected one of: none, only-unclued, any"),
        (".FullRank~R1~17~", "the constraint 'fullrank' at r1c1 needs a 'rank' from 1 to 16, "
                             "not 17"),
        (".SameValues~2~R1C1~R1C2~R1C3", "the constraint 'samevalues' at r1c1 can't divide "
                                         "its 3 cells into 2 equal parts; change 'sets'"),
        (".Sum~0_=_1~R1C1~R1C2", "Sum: expected a sum and a factor for each cell, such as "
                                 "12_=_1_-1"),
        (".Doppelganger",
         "the variant 'doppelganger' needs a square grid and one more value than rows, "
         'starting at 0, such as "shape": "9x9", "size": 10, "lowest": 0'),
    ],
)  # fmt: skip
def test_the_error_names_the_unreadable_part(text: str, detail: str) -> None:
    (puzzle,) = parse(".Shape~4x4" + text, format="iss")
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail


def test_a_puzzle_can_take_several_lines() -> None:
    texts = [".Shape~4x4\n  .Thermo~R1C1~R1C2\n~R1C3~R1C4\n\t.~R2C1_3", ".Shape~6x6.~R1C1_2"]
    whole = parse("".join(texts[0].split()) + "\n" + texts[1])
    for text in ("\n".join(texts), "\n\n  ".join(texts), "\n\n".join(texts) + "\n"):
        assert [shown(each) for each in parse(text)] == [shown(each) for each in whole]
    assert len(parse("  " + texts[0])) == 1


def test_lines_of_one_constraint_are_one_puzzle_up_to_a_blank_line() -> None:
    lines = [".Shape~4x4", ".Thermo~R1C1~R1C2", "# a remark", ".Or", ".X~R1C3~R1C4", ".End"]
    whole = parse("".join(line for line in lines if line[0] != "#"))
    (puzzle,) = parse("\n".join(lines))
    assert shown(puzzle) == shown(whole[0])
    assert len(parse("\n".join([*lines, "", *lines, " ", *lines]))) == 3
    # Boards or givens alone are puzzles, too.
    assert len(parse(".Shape~4x4\n.Shape~6x6\n.Shape~9x9\n")) == 3
    assert len(parse(".~R1C1_5\n.~R1C1_6\n")) == 2


def shown(puzzle: Puzzle | Invalid) -> tuple[str, object]:
    return str(puzzle), isinstance(puzzle, Puzzle) and puzzle.layout.constraints


def test_every_new_constraint_has_a_case() -> None:
    asked = "".join(text for text, _ in CASES)
    new = {"ContainAtLeast", "ContainExact", "ConnectedValues", "CountDistinct", "EqualSum",
           "FullRank", "LookAndSay", "Lunchbox", "Regex", "SameValues", "Var"}  # fmt: skip
    assert all(name in READERS and f".{name}~" in asked for name in new)


@pytest.mark.parametrize(
    "text",
    [
        ".~R1C1_5",
        "  .Shape~4x4.Thermo~R1C1~R2C2~R3C3.WhiteDot~R4C3~R4C4.~R2C3_3 ",
        ".Cage~10~R1C1~R1C2.~R1C1_1_2_3.Sandwich~17~R5",
        ".Sandwich~17~R5.Nonsense~R1C1",
        ".Cage~10~R1C1~R1C22",
        ".Shape~4x4",
        ".Shape~4x4\n  .Thermo~R1C1~R2C2~R3C3\n .~R2C3_3",
        ".Shape~4x4\n  .Thermo~R1C1~R2C2~R3C3\n\n .~R2C3_3",
        ".Shape~4x4\n  # two points\n  .Diagonal~1 .Diagonal~-1",
        ".AntiKing .AntiKnight",
        "..Shape~4x4.X~R1C1~R1C2",
        ".X~R1C1~R1C2",
    ],
)
def test_a_string_alone_is_read_as_it_is_in_an_upload(text: str) -> None:
    assert parse(text) == parse(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        ".",
        "..",
        ".X",
        ".X~R1C1~R1C2",
        ".~R1C1_5",
        ".~r1C1_5",
        ".~R1C1_5_6~R9C9_1",
        ".~R1C1_+5",
        ".~VA_5.Var~A",
        ".~",
        ".~R1C1",
        "..~R1C1_5",
        ".AntiKnight",
        ".AntiKnight.Foo",
        ".End",
        ".Or.AntiKnight.End",
        ".Sum~3~R1C1~R1C2 .Sum~4~R2C1~R2C2",
        ".X ~R1C1~R1C2",
        ".Sum~3~R1C1~R1C2\n .Sum~4~R2C1~R2C2\n",
        ".Sum~3~R1C1~R1C2\n.Sum~4~R2C1~R2C2",
        ".Sum~3~R1C1~R1C2\n\n .Sum~4~R2C1~R2C2",
        ".Sum~3~R1C1~R1C2\n# .Sum~4~R2C1~R2C2",
        ".Var~A~#.Sum~3~VA~R1C2",
        ".Var~A~\x01.Sum~3~VA~R1C2",
        ".Var~A~ä.Sum~3~VA~R1C2",
    ],
)
def test_a_string_alone_is_read_as_in_an_upload(text: str) -> None:
    assert parse(text) == parse(text.encode())
