"""Boards are drawn with their rules. To look at the drawings, see ``boards.sheet``.

Rules that can't be drawn, or that look like others, are described in words.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from boards import boards, filled, sheet
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT

from solver import Puzzle, parse
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint, Rule
from solver.rules.variants import VARIANTS, with_variants
from solver.rules.wording import Wording
from web.boards.canvas import Canvas, Label
from web.boards.drawing import draw
from web.boards.geometry import CELL, outline
from web.boards.renderers.registry import RENDERERS, describe_rules, render_board
from web.boards.renderers.renderer import draw_nothing
from web.boards.svg import make_picture
from worker.records.boards import pack_board, unpack_board

BOARDS = boards()
CLASSIC = Layout.boxed(3, 3)
FROM_ZERO = replace(Layout.grid(9, 9, size=10, box=(3, 3)), lowest=0)
STYLE = (ROOT / "web" / "static" / "style.css").read_text()
_SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)

# Rules that concern no particular cells, or too many to show in a drawing.
_SAID = {"or", "chaosconstruction"}

# Variants without lines or shading: their rule applies to the whole grid.
_IN_WORDS_ONLY = {
    "disjointgroups", "antiknight", "antiking", "toroidalantiknight", "toroidalantiking",
    *(rule.name for rule in EVERYWHERE_RULES),
}  # fmt: skip


def sketch(layout: Layout) -> Canvas:
    return render_board(layout, Symbols.usual(layout.size))


def sketch_of(*constraints: str, layout: Layout = CLASSIC) -> Canvas:
    """Return the canvas with drawn constraints, each written as "rule [number] cells"."""
    made = []
    for text in constraints:
        name, *rest = text.split()
        value = 0 if rest[0].startswith("r") else int(rest.pop(0))
        cells = [layout.cell_named(cell) for cell in rest]
        made.append(Constraint(RULES[name], tuple(c for c in cells if c is not None), value))
    ruled = with_constraints(layout, tuple(made))
    assert isinstance(ruled, Layout), ruled
    return sketch(ruled)


def with_variants_of(layout: Layout, *names: str) -> Layout:
    ruled = with_variants(layout, names)
    assert isinstance(ruled, Layout), ruled
    return ruled


def names_of_rules(layout: Layout) -> list[str]:
    return [rule.name for rule in describe_rules(layout, Symbols.usual(layout.size))]


def paths(sketch: Canvas) -> dict[str, str]:
    return {shape.kind: shape.path for shape in sketch.shapes}


def clues(sketch: Canvas) -> dict[tuple[int, int], str]:
    """Return the texts of the outside clues by row and column."""
    labels = [label for label in sketch.labels if label.kind == "clue"]
    return {(int(label.y // CELL), int(label.x // CELL)): label.text for label in labels}


# A drawing for every rule


def test_every_rule_has_a_drawer() -> None:
    assert set(RENDERERS) == {*RULES, *(rule.name for rule in EVERYWHERE_RULES)}


def test_rules_on_variables_and_disjunctions_are_described() -> None:
    board = {
        "variables": ["A", "B"],
        "constraints": [
            {"type": "arrow", "cells": ["A", "r1c1", "r1c2"]},
            {"type": "or", "options": [[{"type": "x", "cells": ["A", "B"]}]]},
        ],
    }
    (puzzle,) = parse(json.dumps(board))
    assert isinstance(puzzle, Puzzle)
    assert names_of_rules(puzzle.layout) == ["arrow", "or", "x"]
    assert paths(sketch(puzzle.layout)).keys() == paths(sketch(CLASSIC)).keys()


def test_rules_are_described_with_the_numbers_and_symbols_of_the_puzzle() -> None:
    board = {
        "puzzle": "FEDCBA" + "." * 30,
        "symbols": "ABCDEF",
        "variant": ["dutchflatmates"],
        "constraints": [
            {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 11},
            {"type": "whisper", "cells": ["r3c1", "r3c2"], "value": 2},
            {"type": "whisper", "cells": ["r4c1", "r4c2"], "value": 2},
            {"type": "or", "options": [[{"type": "oneof", "cells": ["r6c6"], "values": [1, 3]}]]},
        ],
    }
    (puzzle,) = parse(json.dumps(board))
    assert isinstance(puzzle, Puzzle)
    texts = {rule.title: rule.sentence for rule in describe_rules(puzzle.layout, puzzle.symbols)}
    assert texts == {
        "Dutch flatmates": "Each C has a A directly above it or a F directly below it.",
        "Killer cage": "Digits in the cage don't repeat and sum to 11.",
        "German whispers": "Adjacent digits on the line differ by at least 2.",
        "Alternatives": "At least one of the alternatives holds, with all of its rules.",
        "Allowed digits": "Each marked cell contains A or C.",
    }


@pytest.mark.parametrize(
    ("clues", "which"),
    [(".Diagonal~1.Diagonal~-1", "either main"), (".Diagonal~1", "the marked")],
)
def test_groups_of_different_digits_on_main_diagonals_are_called_diagonals(
    clues: str, which: str
) -> None:
    (puzzle,) = parse(f"{clues}.AllDifferent~R1C1~R1C2~R4C4")
    assert isinstance(puzzle, Puzzle)
    texts = {rule.title: rule.sentence for rule in describe_rules(puzzle.layout, puzzle.symbols)}
    assert texts == {
        "Diagonals": f"Digits don't repeat on {which} diagonal.",
        "All different": "Digits in the group don't repeat.",
    }


def test_grids_whose_rows_may_repeat_values_are_described() -> None:
    (puzzle,) = parse('{"shape": "4x4", "lines": "free"}')
    assert isinstance(puzzle, Puzzle)
    assert names_of_rules(puzzle.layout) == ["free lines"]


def test_only_rules_that_hold_everywhere_are_left_to_words() -> None:
    left = {name for name, drawer in RENDERERS.items() if drawer is draw_nothing}
    assert left == {*_SAID, *(rule.name for rule in EVERYWHERE_RULES)}


def test_pictures_to_look_at_have_every_rule() -> None:
    constraints = [c for board in BOARDS.values() for c in board.constraints]
    shown = {c.rule.name for c in constraints if isinstance(c, Constraint)}
    assert set(RULES) - _SAID <= shown


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_is_drawn_or_described(name: str) -> None:
    board = FROM_ZERO if name == "doppelganger" else CLASSIC
    layout = with_variants(board, (name,))
    assert isinstance(layout, Layout)
    assert names_of_rules(layout) == [name]
    assert (paths(sketch(layout)) == paths(sketch(board))) == (name in _IN_WORDS_ONLY)


@pytest.mark.parametrize("name", sorted(set(RULES) - _SAID))
def test_every_rule_is_drawn_and_described(name: str) -> None:
    rule = RULES[name]
    shown = next(
        c
        for board in BOARDS.values()
        for c in board.constraints
        if isinstance(c, Constraint) and c.rule is rule
    )
    layout = next(board for board in BOARDS.values() if shown in board.constraints)
    alone, plain = Canvas(layout, Symbols.usual(layout.size)), Canvas(layout, Symbols(()))
    RENDERERS[name](shown, alone)
    assert (alone.shapes, alone.labels) != (plain.shapes, plain.labels)
    assert name in names_of_rules(layout)


def test_unknown_rule_is_drawn_by_its_title() -> None:
    rule = Rule("riddle", Wording("Riddle", "It is secret."), "", lambda *_: (), value="sum")
    layout = with_constraints(CLASSIC, (Constraint(rule, (0, 1), 7),))
    assert isinstance(layout, Layout)
    assert [label.text for label in sketch(layout).labels] == ["Riddle 7"]


@pytest.mark.parametrize("name", BOARDS)
def test_picture_is_plain_svg(name: str) -> None:
    svg = _SVG.findall(sheet([name]))[0]
    elements = list(ElementTree.fromstring(svg).iter())
    layout = BOARDS[name]
    assert not any("style" in element.attrib for element in elements)
    symbols = [
        symbol
        for element in elements
        if element.get("class") in ("given", "found", "wrong")
        for symbol in (element.attrib["x"].split() if layout.size < 36 else [element.text])
    ]
    assert len(symbols) == filled(layout).count("given", "found", "wrong")
    for element in elements:
        for kind in element.get("class", "").split():
            if element.tag == "path":
                assert f".{kind}" in STYLE, kind


@pytest.mark.parametrize("name", BOARDS)
def test_board_that_a_result_keeps_is_drawn_as_it_was(name: str) -> None:
    layout = BOARDS[name]
    packed = pack_board(layout, Symbols.usual(layout.size))
    assert packed is not None
    kept = unpack_board(packed)
    assert kept is not None
    assert sketch(kept.layout).shapes == sketch(layout).shapes
    assert sketch(kept.layout).labels == sketch(layout).labels
    assert describe_rules(kept.layout, kept.symbols) == describe_rules(layout, kept.symbols)


def test_picture_of_the_largest_board_stays_small() -> None:
    assert sum(len(shape.path) for shape in sketch(Layout.boxed(8, 8)).shapes) < 4000


# The grid


def pieces(path: str) -> Iterator[tuple[int, int, str]]:
    """Yield the cell edges along a path as (column, row, "h" or "v")."""
    for x, y, way, length in re.findall(r"M(\d+) (\d+)([hv])(\d+)", path):
        for step in range(int(length) // CELL):
            column, row = int(x) // CELL, int(y) // CELL
            yield (column + step, row, way) if way == "h" else (column, row + step, way)


@pytest.mark.parametrize("name", ["box-8", "rectangle-6x8", "samurai", "butterfly", "jigsaw"])
def test_lines_run_where_regions_and_grids_end(name: str) -> None:
    layout = BOARDS[name]
    houses = [set(h.cells) for h in layout.houses if h.kind.endswith(("box", "region"))]
    expected: dict[str, set[tuple[int, int, str]]] = {"thin": set(), "thick": set(), "frame": set()}
    for row in range(layout.rows + 1):
        for column in range(layout.columns + 1):
            for way, other in (("h", (row - 1, column)), ("v", (row, column - 1))):
                ends = {layout.cell_at(row, column), layout.cell_at(*other)}
                if None in ends and len(ends) == 2:
                    expected["frame"].add((column, row, way))
                elif None not in ends:
                    parted = any(len(house & ends) == 1 for house in houses)
                    expected["thick" if parted else "thin"].add((column, row, way))
    drawn = paths(sketch(layout))
    for kind, edges in expected.items():
        assert Counter(pieces(drawn[kind])) == Counter(edges)


def test_boxes_that_are_rows_are_not_drawn() -> None:
    assert "thick" not in paths(sketch(Layout.boxed(1, 7)))
    assert names_of_rules(Layout.boxed(1, 7)) == ["no boxes"]


def test_each_house_of_a_map_has_its_colour() -> None:
    kinds = [shape.kind for shape in sketch(BOARDS["colours"]).shapes]
    assert len([kind for kind in kinds if kind.startswith("colour ")]) == 9
    assert names_of_rules(BOARDS["colours"]) == ["colours"]


def test_holes_are_left_empty() -> None:
    layout = BOARDS["samurai"]
    drawing = draw(layout, Symbols.usual(9), [1] * layout.cells)
    assert drawing.shape == "21×21"
    assert drawing.count("hole") == len(layout.holes) == 72
    assert drawing.count("given") == layout.cells - 72
    symbols = [symbol for text in make_picture(drawing).texts for symbol in text.symbols]
    assert len(symbols) == layout.cells - 72


def test_diagonals_of_a_grid_with_holes_go_from_corner_to_corner() -> None:
    (puzzle,) = parse('{"shape": "4x4", "holes": ["r2c2"], "variant": "diagonal"}')
    assert isinstance(puzzle, Puzzle)
    whole = sketch(with_variants_of(Layout.boxed(2, 2), "diagonal"))
    assert paths(sketch(puzzle.layout))["diagonal"] == paths(whole)["diagonal"]
    assert "diagonal" in names_of_rules(puzzle.layout)


def test_rules_that_look_alike_are_named_in_words() -> None:
    both = with_variants_of(CLASSIC, "diagonal", "argyle")
    assert names_of_rules(both) == ["diagonal", "argyle"]
    around = with_variants_of(Layout.boxed(1, 3), "toroidalantiking")
    assert "toroidalantiking" in names_of_rules(around)


# Cages


def corners(loop: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in loop.split()]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def area(loop: Sequence[tuple[float, float]]) -> float:
    """Return the area inside a clockwise loop. It is negative for a hole's loop."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*loop, loop[0]])) / 2


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_outline_goes_around_all_cells_and_nothing_else(places: set[tuple[int, int]]) -> None:
    loops = [corners(loop) for loop in outline(places).strip("Mz").split("zM")]
    assert sum(map(area, loops)) == len(places) * CELL**2
    inner = [corners(loop) for loop in outline(places, 2).strip("Mz").split("zM")]
    for loop in inner:
        for (x1, y1), (x2, y2) in pairwise([*loop, loop[0]]):
            spot = ((x1 + x2) / 2, (y1 + y2) / 2)
            assert (int(spot[1] // CELL), int(spot[0] // CELL)) in places
            assert (x1 == x2) != (y1 == y2)


def test_outline_keeps_inside_its_cells() -> None:
    assert outline([(0, 0), (0, 1), (1, 0)], 2) == "M38 2 38 18 18 18 18 38 2 38 2 2z"


def test_outline_leaves_a_corner_free_for_a_text() -> None:
    assert outline([(0, 0), (0, 1)], 2, (5, 6)) == "M5 2 38 2 38 18 2 18 2 6"
    assert outline([(0, 0)], 2, (50, 50)) == "M18 2 18 2 18 18 2 18 2 18"


def test_cells_that_touch_at_a_corner_have_separate_outlines() -> None:
    assert outline([(0, 0), (1, 1)]).count("z") == 2


def test_cage_shows_its_sum_if_any_in_its_first_cell() -> None:
    drawn = sketch_of("killer 15 r2c3 r2c2", "killer -1 r5c5 r5c6")
    assert [label.text for label in drawn.labels] == ["15"]
    label = drawn.labels[0]
    assert (label.y // CELL, label.x // CELL) == (1, 1)


def test_outline_of_a_cage_is_open_only_where_its_sum_is() -> None:
    assert paths(sketch_of("killer -1 r1c1 r1c2"))["cage killer"].endswith("z")
    (start, *_, end) = corners(paths(sketch_of("killer 15 r1c1 r1c2"))["cage killer"].strip("M"))
    (label,) = sketch_of("killer 15 r1c1 r1c2").labels
    assert start[0] > label.x + 3
    assert end[1] > label.y


def test_cages_around_the_same_cell_keep_apart() -> None:
    drawn = sketch_of("killer 9 r1c1 r1c2", "killer 12 r1c1 r2c1")
    first, second = paths(drawn)["cage killer"].strip("Mz").split("M")
    assert set(corners(first)).isdisjoint(corners(second))
    assert drawn.labels[0].x < drawn.labels[1].x


def test_parts_of_a_cage_are_joined() -> None:
    assert paths(sketch_of("sum 9 r1c1 r1c2 r5c5"))["thread"] == "M30 10 90 90"
    assert "thread" not in paths(sketch_of("sum 9 r1c1 r1c2 r2c1"))


def test_different_cells_of_a_diagonal_are_a_line() -> None:
    drawn = sketch_of("different r1c9 r2c8 r3c7", "different r5c5 r5c6 r6c6")
    assert paths(drawn)["diagonal"] == "M180 0 120 60"
    assert paths(drawn)["cage different"].count("M") == 1


# Marks, lines and clues


def test_two_dots_on_one_edge_are_side_by_side() -> None:
    white, black = (
        paths(sketch_of("white r3c3 r3c4", "black r3c4 r3c3"))[kind]
        for kind in ("dot white", "dot black")
    )
    assert white.split("a")[0] != black.split("a")[0]


@pytest.mark.parametrize(
    ("cells", "tip"), [("r1c1 r1c2", 0), ("r1c2 r1c1", 1), ("r2c1 r1c1", 2), ("r1c1 r2c1", 3)]
)
def test_inequality_points_to_the_lesser_cell(cells: str, tip: int) -> None:
    (before, point, after) = corners(paths(sketch_of(f"greater {cells}"))["inequality"].strip("M"))
    ways = [point[0] > before[0], point[0] < before[0], point[1] < before[1], point[1] > before[1]]
    assert ways[tip]
    middles = [(before[0] + after[0]) / 2, (before[1] + after[1]) / 2]
    assert sum(one == other for one, other in zip(middles, point, strict=True)) == 1


@pytest.mark.parametrize(
    ("constraint", "place"),
    [
        ("sandwich 5 r3c1 r3c2 r3c3 r3c4 r3c5 r3c6 r3c7 r3c8 r3c9", (2, -1)),
        ("skyscraper 2 r3c9 r3c8 r3c7 r3c6 r3c5 r3c4 r3c3 r3c2 r3c1", (2, 9)),
        ("xsum 5 r1c4 r2c4 r3c4", (-1, 3)),
        ("numberedroom 5 r9c4 r8c4 r7c4", (9, 3)),
        ("littlekiller 12 r1c3 r2c4 r3c5", (-1, 1)),
        ("littlekiller 12 r9c6 r8c7 r7c8 r6c9", (9, 4)),
        ("littlekiller 12 r5c1 r4c2 r3c3 r2c4 r1c5", (5, -1)),
        ("littlekiller 7 r1c9", (-1, 7)),
    ],
)
def test_clue_is_drawn_at_the_end_of_its_cells(constraint: str, place: tuple[int, int]) -> None:
    assert list(clues(sketch_of(constraint))) == [place]


def test_two_clues_of_one_row_are_drawn_in_a_row() -> None:
    row = "r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9"
    drawn = sketch_of(f"sandwich 17 {row}", f"skyscraper 5 {row}")
    assert clues(drawn) == {(0, -1): "17", (0, -2): "5"}
    assert drawn.extent == (0, -2, 9, 9)


def test_clue_inside_the_grid_is_written_into_its_cells() -> None:
    drawn = sketch_of("sandwich 9 r3c3 r3c4 r3c5")
    assert [label.text for label in drawn.labels] == ["Sandwich 9"]
    assert drawn.extent == (0, 0, 9, 9)


def test_values_in_clues_are_written_as_the_puzzle_does() -> None:
    layout = BOARDS["quadruple-16"]
    texts = [label.text for label in sketch(layout).labels if "quadruple" in label.kind]
    assert texts[:2] == ["A B", "C G"]


def test_number_of_a_line_is_drawn_unless_it_is_the_default() -> None:
    drawn = sketch_of("whisper 5 r1c1 r1c2", "whisper 3 r3c1 r3c2")
    assert drawn.labels == [Label("corner line-value", drawn.labels[0].x, 44.7, "≥3")]
