"""Each rule's check accepts and rejects the values that its sentence describes.

Rules of whole grids, holes, disjunctions, and variables have tests of their own.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from paths import DATA

from solver import Layout
from solver.board.primitive_constraints import House
from solver.checks.constraints import are_kept, keeping_constraints
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES
from solver.rules.rule import Constraint


def cases() -> list[list[str]]:
    """Return the test cases: name, values of the cells, parameter, and "yes" or "no"."""
    lines = (DATA / "constraints.txt").read_text().splitlines()
    fields = [line.split("|") for line in lines if not line.startswith("#")]
    return [[name, values, "|".join(number), kept] for name, values, *number, kept in fields]


def constraint_of(name: str, cells: tuple[int, ...], written: str) -> Constraint:
    rule = RULES[name]
    if rule.text:
        return Constraint(rule, cells, written)
    numbers = tuple(map(int, written.split()))
    return Constraint(
        rule, cells, numbers if rule.many else numbers[0] if numbers else rule.usual or 0
    )


def row_of(length: int, *, boxes: bool = False) -> Layout:
    """Return a row of cells with values 1 to 9.

    With `boxes`, its first two cells are a box, the next two another one, and so on.
    """
    pairs = [House("box", n, (n, n + 1)) for n in range(0, length - 1, 2)]
    return Layout(9, (1, 2), tuple(pairs) if boxes else (), shape=(1, length))


@pytest.mark.parametrize(("name", "values", "number", "kept"), cases())
def test_check_agrees_with_the_sentence_of_the_rule(
    name: str, values: str, number: str, kept: str
) -> None:
    found = [int(value) for value in values.split()]
    layout = row_of(len(found), boxes=name == "regionsum")
    constraint = constraint_of(name, tuple(range(len(found))), number)
    assert are_kept([constraint], found, layout) == (kept == "yes")


SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
GRID = [int(digit) for digit in SOLVED]
BOARD = Layout.boxed(3, 3)
FOUR = Layout.boxed(2, 2)


def holds(
    name: str,
    grid: list[int],
    layout: Layout = BOARD,
    cells: tuple[int, ...] | None = None,
    value: Any = 0,
) -> bool:
    """Return whether the check of a rule accepts a grid, with all cells by default."""
    rule = {**RULES, **{rule.name: rule for rule in EVERYWHERE_RULES}}[name]
    own = tuple(range(len(grid))) if cells is None else cells
    return are_kept([Constraint(rule, own, value)], grid, layout)


def marked(name: str, *cells: int, value: int = 0) -> Layout:
    """Return a 4×4 board with a dot or a sign between cells, which the negative rules look up."""
    return replace(FOUR, constraints=(Constraint(RULES[name], cells, value),))


@pytest.mark.parametrize(
    ("name", "grid", "kept"),
    [
        ("nonconsecutive", "1313 3131 1313 3131", True),
        ("nonconsecutive", "1313 3131 1313 3121", False),
        ("nonconsecutive", "1313 3131 1313 4131", True),
        ("nonconsecutive", "1313 3131 1313 2131", False),
        ("nonconsecutive", "1311 3133 3131 1313", True),  # the ends of two rows aren't adjacent
        ("kropkinegative", "1414 4141 1414 4141", True),
        ("kropkinegative", "1414 4141 1424 4141", False),
        ("kropkinegative", "1414 4141 1434 4141", False),
        ("differencenegative", "1414 4141 1434 4141", False),
        ("differencenegative", "1414 4141 1414 4142", True),
        ("differencenegative", "1313 3131 1313 3131", True),
        ("rationegative", "1313 3131 1313 3131", True),
        ("rationegative", "1313 3131 1313 3121", False),
        ("xvnegative", "1212 2121 1212 2121", True),
        ("xvnegative", "1212 2121 1242 2121", True),
        ("xvnegative", "1232 2121 1212 2121", False),
        ("xvnegative", "1212 2131 1212 2121", True),
        ("xvnegative", "5555 5555 5555 5555", False),
        ("xvnegative", "3333 3333 3333 3333", True),
        ("xvnegative", "1212 2121 1212 2141", False),
        # 1 next to 1, 2 two steps from 2 in a row and around a corner, and 4 four steps from 4
        ("antitaxicab", "1414 4343 1414 3434", False),
        ("antitaxicab", "3232 2323 3232 2323", False),
        ("antitaxicab", "3333 3333 3333 3333", False),
        ("antitaxicab", "3434 4343 3434 4343", False),
        ("antitaxicab", "1133 3311 1133 3311", False),
        ("globalmodular", "1231 3123 2312 1231", True),
        ("globalmodular", "1234 3412 2143 4321", False),
        ("globalmodular", "1212 3333 1212 3333", True),
        ("globalmodular", "1212 3333 1212 3313", True),
        ("globalmodular", "1212 3333 1212 3233", True),
        ("globalmodular", "1212 3333 1312 3333", False),
        ("globalentropy", "1212 4343 1212 4343", True),
        ("globalentropy", "1212 4343 1212 4342", True),
        ("globalentropy", "1212 4343 1222 4343", False),
        ("globalentropy", "2212 4343 1212 4343", False),
        ("dutchflatmates", "1111 2222 3333 4444", True),
        ("dutchflatmates", "1111 2222 4444 3333", True),
        ("dutchflatmates", "3333 2222 4444 3333", True),
        ("dutchflatmates", "3333 2222 3333 4444", False),
        ("dutchflatmates", "2111 3333 3333 4444", False),
        ("dutchflatmates", "3333 3333 4444 2222", False),
        ("dutchflatmates", "1111 3333 4444 1112", False),
        ("dutchflatmates", "1111 3333 1112 2222", False),
        ("regionsamevalues", "1234 3412 2143 4321", True),
        ("regionsamevalues", "1234 3412 2143 4322", False),
        ("noties", "1234 3412 2143 4321", False),
        ("noties", "1123 2344 1212 1324", True),
        ("noties", "1123 2344 1212 1123", False),
    ],
)
def test_checks_of_whole_grids(name: str, grid: str, *, kept: bool) -> None:
    values = [int(digit) for digit in grid.replace(" ", "")]
    assert holds(name, values, FOUR) == kept


def test_marks_are_exempt_from_the_negative_rules() -> None:
    """A dot or a sign allows its own pair of cells, not others."""
    grid = [int(digit) for digit in "1313313113133132"]  # 3 and 2 in the last two cells
    for name, mark in [
        ("kropkinegative", "white"), ("kropkinegative", "black"),
        ("differencenegative", "white"), ("differencenegative", "black"),
        ("differencenegative", "difference"), ("differencenegative", "ratio"),
        ("xvnegative", "v"), ("xvnegative", "x"),
    ]:  # fmt: skip
        assert not holds(name, grid, FOUR)
        assert not holds(name, grid, marked(mark, 13, 14))
        # r4c4 = 2 has another neighbor, r3c4 = 3, which isn't marked.
        assert not holds(name, grid, marked(mark, 14, 15))
        both = replace(FOUR, constraints=tuple(
            Constraint(RULES[mark], cells) for cells in ((15, 14), (11, 15))))  # fmt: skip
        assert holds(name, grid, both)
    assert not holds("xvnegative", grid, marked("white", 14, 15))
    assert not holds("kropkinegative", grid, marked("difference", 14, 15))


def test_negative_ratios_are_those_of_the_dots() -> None:
    grid = [int(digit) for digit in "1212212112122121"]
    thirds = [int(digit) for digit in "1313313113133131"]
    dot = marked("ratio", 0, 1, value=3)
    assert holds("rationegative", grid, dot)
    assert not holds("rationegative", thirds, dot)
    assert not holds("rationegative", grid, marked("black", 0, 1))
    assert holds("rationegative", thirds, marked("black", 0, 1))
    assert not holds("rationegative", grid, FOUR)


def test_negative_rules_skip_holes() -> None:
    ringed = replace(FOUR, holes=frozenset({5}))
    grid = [int(digit) for digit in "1313303113133131"]
    assert holds("nonconsecutive", grid, ringed)
    assert holds("globalmodular", [1, 2, 1, 2, 3, 0, 3, 3, 1, 2, 1, 2, 3, 3, 3, 3], ringed)


def test_ranks_count_the_smaller_lines_in_both_directions() -> None:
    grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    lines = sorted(
        [grid[4 * n : 4 * n + 4] for n in range(4)]
        + [grid[4 * n : 4 * n + 4][::-1] for n in range(4)]
        + [grid[n::4] for n in range(4)]
        + [grid[n::4][::-1] for n in range(4)]
    )
    for row in range(4):
        cells = tuple(range(4 * row, 4 * row + 4))
        for own in (cells, cells[::-1]):
            word = [grid[cell] for cell in own]
            rank, ties = lines.index(word) + 1, lines.count(word)
            for value in range(17):
                assert holds("fullrank", grid, FOUR, own, value) == (value == rank and ties == 1)
                assert holds("fullranktied", grid, FOUR, own, value) == (value == rank)


def test_doppelganger_houses_lack_different_numbers() -> None:
    three = replace(Layout.grid(3, 3, size=4, box=None), lowest=0)
    four = replace(Layout.grid(4, 4, size=5, box=None), lowest=0)
    # The rows lack 1, 2, 3, 4, and the columns 4, 3, 1, 2.
    assert are_kept_in(four, [0, 2, 3, 4, 1, 0, 4, 3, 2, 4, 0, 1, 3, 1, 2, 0])
    # The rows and the columns lack 3, 2, 1, so the row and the column of the first 0 lack the same.
    assert not are_kept_in(three, [0, 1, 2, 1, 0, 3, 2, 3, 0])
    assert not are_kept_in(three, [0, 1, 2, 2, 0, 1, 1, 2, 0])  # all houses lack 3
    assert not are_kept_in(three, [1, 2, 3, 2, 3, 1, 3, 1, 2])  # all houses lack 0
    assert not are_kept_in(three, [0, 0, 1, 1, 0, 0, 0, 1, 0])  # all houses lack 2 and 3


def are_kept_in(layout: Layout, numbers: list[int]) -> bool:
    """Return whether a grid meets the doppelganger rule. `numbers` are its values minus 1."""
    return holds("doppelganger", [number + 1 for number in numbers], layout)


def test_regions_found_while_solving_are_connected_and_have_one_size() -> None:
    names = tuple(f"R{n}" for n in range(1, 17))
    layout = replace(Layout.grid(4, 4, size=4, box=None), variables=names)
    grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    boxes = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
    columns = [1, 2, 3, 4] * 4
    wrapped = [1, 2, 2, 1, 1, 2, 2, 1, 3, 3, 4, 4, 3, 3, 4, 4]  # region 1 is in two pieces
    uneven = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 4, 4, 4]
    zigzag = [1, 1, 1, 2, 3, 1, 2, 2, 3, 3, 2, 4, 3, 4, 4, 4]
    leftward = [2, 2, 2, 1, 3, 2, 1, 1, 3, 3, 4, 1, 3, 4, 4, 4]  # r2c3 is left of r2c4
    cells = tuple(range(16, 32))
    for labels, size, expected in [
        (boxes, 4, True), (columns, 4, True), (wrapped, 4, False), (uneven, 4, False),
        (boxes, 3, False), (boxes, 5, False), (zigzag, 4, False), (leftward, 4, True),
    ]:  # fmt: skip
        assert holds("chaosconstruction", grid + labels, layout, cells, size) == expected
    torn = [2, 2, 1, 1, 1, 2, 2, 3, 1, 4, 3, 3, 4, 4, 4, 3]  # the end of row 1 and column 1
    numbered = [1, 2, 1, 2, 3, 3, 4, 1, 4, 1, 2, 3, 2, 3, 4, 4]
    assert not holds("chaosconstruction", numbered + torn, layout, cells, 4)
    twice = [1, 2, 3, 4, 3, 1, 4, 2, 2, 4, 1, 3, 4, 3, 2, 1]  # r1c1 and r2c2 are both 1
    assert not holds("chaosconstruction", twice + boxes, layout, cells, 4)
    assert holds("chaosconstruction", twice + columns, layout, cells, 4)


def test_connected_values_touch_along_edges() -> None:
    cells = tuple(range(16))
    for grid, kept in [
        ("1112 2211 3331 4444", True),
        ("1112 2212 3331 4444", False),
        ("1222 2122 2212 2221", False),
        ("2221 1222 2222 2222", False),  # the ends of two rows aren't adjacent
        ("2222 2222 2222 2222", False),
        ("2222 2222 2222 2221", True),
        ("2122 2122 2122 2222", True),
        ("1333 1222 1112 2222", True),
    ]:
        values = [int(digit) for digit in grid.replace(" ", "")]
        assert holds("connected", values, FOUR, cells, (1,)) == kept
    path = [1, 3, 2, 2, 2, 3, 2, 2, 2, 3, 1, 2, 2, 2, 2, 2]
    assert holds("connected", path, FOUR, cells, (1, 3))
    assert holds("connected", path, FOUR, cells, (3,))
    assert not holds("connected", path, FOUR, cells, (1,))


def test_connected_variables_are_in_rows_below_the_grid() -> None:
    layout = replace(FOUR, variables=tuple(f"C{n}" for n in range(8)))
    below = tuple(range(16, 24))
    for variables, kept in [
        ([1, 1, 2, 2, 2, 1, 2, 2], True),
        ([2, 2, 2, 1, 1, 2, 2, 2], False),
        ([1, 2, 2, 2, 1, 1, 1, 1], True),
        ([1, 2, 1, 2, 1, 1, 1, 2], True),
        ([1, 2, 1, 2, 1, 2, 1, 2], False),
    ]:
        assert holds("connected", [1] * 16 + variables, layout, below, (1,)) == kept


def test_segments_of_a_region_sum_line_end_at_borders() -> None:
    # r1c2 to r1c5 in boxes 1 and 2: 3 and 4, then 6 and 7
    assert not holds("regionsum", GRID, BOARD, (1, 2, 3, 4))
    # 3 + 4 in box 1, 7 in box 2
    assert holds("regionsum", GRID, BOARD, (1, 2, 4))
    # 7 in box 1, 7 in box 5, and 7 or 6 in box 1 again
    assert holds("regionsum", GRID, BOARD, (10, 30, 10))
    assert not holds("regionsum", GRID, BOARD, (10, 30, 9))
    boxless = Layout.grid(4, 4, size=4, box=None)
    assert holds("regionsum", [1, 2, 3, 4] * 4, boxless, (0, 1, 2))


@pytest.mark.parametrize("lowest", [0, 1])
def test_numbers_begin_with_the_lowest_of_the_board(lowest: int) -> None:
    layout = replace(FOUR, lowest=lowest)
    values = [3, 4] + [1] * 14
    assert holds("sum", values, layout, (0, 1), 7 - 2 * (1 - lowest))
    assert not holds("sum", values, layout, (0, 1), 8 - 2 * (1 - lowest))
    assert holds("countingcircles", values, layout, (2,)) == (lowest == 1)


@pytest.mark.parametrize(
    ("name", "numbers", "value", "kept"),
    [
        ("xsum", "0 3 4", 0, True),  # the sum of no numbers
        ("xsum", "0 3 4", 4, False),
        ("numberedroom", "0 3 4", 4, False),  # There is no cell 0.
        ("indexline", "4 0 3 4", 0, False),
        ("index", "0 3 1", 1, False),
        ("sumloop", "0 0 0", 5, False),
        ("skyscraper", "0 1 2", 2, True),  # A building of height 0 is never visible.
        ("skyscraper", "0 1 2", 3, False),
    ],
)
def test_zero_is_a_number_of_boards_that_count_from_zero(
    name: str, numbers: str, value: int, *, kept: bool
) -> None:
    values = [int(number) + 1 for number in numbers.split()]
    layout = replace(row_of(len(values)), lowest=0)
    assert holds(name, values, layout, value=value) == kept


def test_only_the_largest_houses_must_have_the_same_values() -> None:
    houses = (House("region", 0, (0, 1, 2)), House("region", 1, (3, 4, 5)), House("cage", 0, (6,)))
    layout = Layout(9, (1, 9), houses, shape=(1, 7))
    assert holds("regionsamevalues", [1, 2, 3, 3, 1, 2, 9], layout)
    assert not holds("regionsamevalues", [1, 2, 3, 3, 1, 4, 1], layout)


def test_one_option_with_all_of_its_constraints_is_enough() -> None:
    def option(*rules: str) -> tuple[Constraint, ...]:
        return tuple(Constraint(RULES[name], (0,)) for name in rules)

    def either(*options: tuple[Constraint, ...]) -> bool:
        constraint = Constraint(RULES["or"], (0,), 0, options)
        return are_kept([constraint], GRID, BOARD)

    assert either(option("odd"), option("even"))
    assert either(option("even"), option("odd"))
    assert not either(option("even"), option("even", "odd"))
    assert not either(option("even"))


def test_every_constraint_has_to_hold() -> None:
    odd, even = (Constraint(RULES[name], (0,)) for name in ("odd", "even"))
    assert are_kept([odd, odd], GRID, BOARD)
    assert not are_kept([odd, even], GRID, BOARD)
    assert not are_kept([even, odd], GRID, BOARD)
    assert are_kept([], GRID, BOARD)


@pytest.mark.parametrize(
    ("variables", "kept"),
    [((1, 4), True), ((4, 1), True), ((0, 1), False), ((1, 0), False), ((1, 5), False)],
)
def test_variables_must_have_values_of_the_board(variables: tuple[int, int], *, kept: bool) -> None:
    layout = replace(FOUR, variables=("A", "B"))
    grid = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1, *variables]], np.uint8)
    assert keeping_constraints(layout, grid, np.array([True])).tolist() == [kept]
    assert keeping_constraints(layout, grid, np.array([False])).tolist() == [False]


@pytest.mark.parametrize("cells", [(16,), (0, 16)])
def test_constraints_on_variables_need_their_values(cells: tuple[int, ...]) -> None:
    odd = Constraint(RULES["odd"], cells)
    layout = replace(FOUR, variables=("A",), constraints=(odd,))
    grid = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1, 2]], np.uint8)
    accepted = np.array([True])
    assert not keeping_constraints(layout, grid, accepted).any()
    assert keeping_constraints(layout, grid[:, :16], accepted).all()  # The variable is unknown.


def test_constraint_on_the_last_cell_is_checked_without_variables() -> None:
    layout = replace(FOUR, variables=("A",), constraints=(Constraint(RULES["even"], (15,)),))
    grid = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    assert not keeping_constraints(layout, grid, np.array([True])).any()
