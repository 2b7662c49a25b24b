"""Sentences name houses, sums, and rules as the puzzle's setter would."""

import json
from typing import Any

import pytest

from solver import parse
from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.sentences.links import seen_through
from solver.logic.sentences.places import house_name
from solver.logic.sentences.rule_names import demand_of, place_of, reminder_of
from solver.logic.sentences.sentence import sentence
from solver.logic.sentences.wording import Wording
from solver.logic.step_groups import StepGroup
from solver.rules.variants import with_variants

CLASSIC = Layout.boxed(3, 3)
WORDS = Wording(CLASSIC, Symbols.usual(9))


def candidates(*pairs: tuple[int, int]) -> tuple[Candidate, ...]:
    return tuple(Candidate(cell, value) for cell, value in pairs)


def test_houses_have_the_names_of_the_layout() -> None:
    assert WORDS.houses((0, 18)) == "row 1 and box 1"
    assert WORDS.houses((0, 1, 9)) == "rows 1 and 2 and column 1"
    assert WORDS.houses((0, 1, 2, 4, 18, 20)) == "rows 1–3 and 5 and boxes 1 and 3"


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        ("diagonal", "the diagonal from r1c9"),
        ("windoku", "the window at r6c6"),
        ("disjointgroups", "disjoint group 9"),
        ("asterisk", "the asterisk"),
        ("centerdot", "the center dots"),
        ("argyle", "the diagonal from r5c9"),
    ],
)
def test_additional_houses_are_named_after_their_rule(variant: str, name: str) -> None:
    layout = with_variants(CLASSIC, (variant,))
    assert isinstance(layout, Layout)
    assert house_name(layout, layout.houses[-1]) == name


def test_houses_of_constraints_and_overlapping_grids_are_named_after_their_place() -> None:
    diagonal = tuple(range(8, 73, 8))
    names = {
        House("group at r1c9", 0, diagonal): "the diagonal from r1c9",
        House("group at r1c1", 0, (0, 4, 8)): "the extra region at r1c1",
        House("cage at r1c1", 0, (0, 1, 2)): "the cage at r1c1",
        House("house", 2, (0, 4, 8)): "the extra region at r1c1",
        House("grid 2, row", 3, (0, 1, 2)): "row 3 of grid 2",
    }
    assert {house: house_name(CLASSIC, house) for house in names} == names


@pytest.mark.parametrize(
    ("constraint", "terms", "total", "beginning"),
    [
        (
            {"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 6},
            ((0, 1), (1, 1), (9, 1)), 6,
            "The cage (r1c1, r1c2, r2c1) sums to 6: only 1+2+3.",
        ),
        (
            {"type": "littlekiller", "cells": ["r1c1", "r2c2", "r3c3", "r4c4"], "sum": 7},
            ((0, 1), (10, 1), (20, 1), (30, 1)), 7,
            "The little killer diagonal r1c1–r4c4 sums to 7: only 1+1+2+3.",
        ),
        (
            {"type": "arrow", "cells": ["r1c1", "r1c2", "r1c3"]},
            ((0, -1), (1, 1), (2, 1)), 0,
            "On the arrow r1c1–r1c3, r1c1 = r1c2+r1c3.",
        ),
    ],
)  # fmt: skip
def test_sums_are_named_after_their_rule(
    constraint: dict[str, Any], terms: tuple[tuple[int, int], ...], total: int, beginning: str
) -> None:
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols, (511,) * 81)
    deduction = Deduction("3000", eliminations=candidates((0, 9)), terms=terms, total=total)
    assert sentence(deduction, words).startswith(beginning)


def test_sums_count_with_the_cells_whose_value_is_known() -> None:
    domains = (0b100, *[511] * 80)
    deduction = Deduction(
        "3000", eliminations=candidates((1, 9)), terms=((0, 1), (1, 1), (2, 1)), total=7
    )
    assert sentence(deduction, Wording(CLASSIC, Symbols.usual(9), domains)) == (
        "r1c1–r1c3 sum to 7, so r1c2 and r1c3 sum to 4 (7−3): only 1+3. Remove 9 from r1c2."
    )


def test_innies_name_the_cages_of_their_house() -> None:
    cages = [
        {"type": "killer", "cells": [f"r1c{column}" for column in columns], "sum": total}
        for columns, total in (((1, 2, 3, 4), 20), ((5, 6, 7, 8), 18))
    ]
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": cages}))
    assert isinstance(puzzle, Puzzle)
    deduction = Deduction(
        "3001", placements=candidates((8, 7)), terms=((8, 1),), total=7, base=(0,)
    )
    assert sentence(deduction, Wording(puzzle.layout, puzzle.symbols)) == (
        "Row 1 sums to 45. The cages at r1c1 and r1c5 in it sum to 38, so r1c9 must be 7. "
        "Place 7 in r1c9."
    )


def test_rules_that_cause_eliminations_are_named() -> None:
    layout = with_variants(CLASSIC, ("antiknight", "diagonal"))
    assert isinstance(layout, Layout)
    words = Wording(layout, Symbols.usual(9))
    nodes = (Node(7, (21,)), Node(7, (3,), "strong"))
    deduction = Deduction("0701", eliminations=candidates((2, 7)), chains=(nodes,))
    assert words.outcome(deduction) == ("r1c3 is a knight's move from r3c4. Remove 7 from r1c3.")
    fish = Deduction("0310", eliminations=candidates((8, 3)), base=(1,), fins=candidates((40, 3)))
    assert words.outcome(fish) == (
        "r1c9 and r5c5 are on the diagonal from r1c9. Remove 3 from r1c9."
    )


def test_cells_are_on_a_diagonal_but_in_other_houses() -> None:
    layout = with_variants(CLASSIC, ("diagonal",))
    assert isinstance(layout, Layout)
    words = Wording(layout, Symbols.usual(9))
    names = [words.house(house) for house in range(len(layout.houses))]
    diagonal = names.index("the diagonal from r1c1")
    single = Deduction("0002", placements=candidates((40, 5)), base=(diagonal,))
    assert sentence(single, words) == "On the diagonal from r1c1, only r5c5 can be 5."
    pair = Deduction("0200", eliminations=candidates((80, 1)), values=(1, 6), cells=(0, 10),
                     base=(diagonal, names.index("box 1")))  # fmt: skip
    assert sentence(pair, words).startswith(
        "r1c1 and r2c2 are in both the diagonal from r1c1 and box 1 and can only be 1 or 6. They "
        "use up these digits in both. "
    )


def test_one_sentence_names_the_line_that_makes_several_pairs_differ() -> None:
    line = {"type": "renban", "cells": ["r1c1", "r2c2", "r3c3", "r4c4", "r5c5"]}
    (puzzle,) = parse(json.dumps({"size": 9, "grid": "." * 81, "constraints": [line]}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, puzzle.symbols)
    fins = candidates((30, 3), (40, 3))
    fish = Deduction("0310", eliminations=candidates((0, 3), (10, 3)), base=(1,), fins=fins)
    assert words.outcome(fish) == (
        "r1c1, r2c2, r4c4, and r5c5 are on the renban line r1c1–r5c5. Remove 3 from r1c1 and r2c2."
    )


def test_singles_are_on_a_diagonal() -> None:
    layout = with_variants(CLASSIC, ("diagonal",))
    assert isinstance(layout, Layout)
    diagonal = len(layout.houses) - 2
    singles = tuple(
        Deduction(code, placements=candidates((cell, 5)), base=(diagonal,))
        for code, cell in (("0002", 0), ("0000", 10))
    )
    text = StepGroup("Singles", 1, singles).singles_text(Wording(layout, Symbols.usual(9)))
    assert "r1c1 = 5 (only place on the diagonal from r1c1)" in text
    assert "r2c2 = 5 (last cell on the diagonal from r1c1)" in text


def test_only_the_first_comparison_explains_its_sign() -> None:
    constraints = [{"type": "greater", "cells": ["r1c1", "r1c2"]}]
    (puzzle,) = parse(json.dumps({"givens": "." * 81, "constraints": constraints}))
    assert isinstance(puzzle, Puzzle)
    words = Wording(puzzle.layout, Symbols.usual(9))
    first = "the sign between r1c1 and r1c2 means: r1c1 is greater than r1c2"
    assert demand_of(0, words) == first
    assert reminder_of(0, words) == "r1c1 is greater than r1c2"


def test_a_value_of_several_cells_is_in_one_of_them() -> None:
    assert WORDS.assertion(Node(6, (1, 10)), is_true=True) == "6 is in r1c2 or r2c2"
    assert WORDS.assertion(Node(6, (1, 10)), is_true=False) == "neither r1c2 nor r2c2 is 6"


@pytest.mark.parametrize(
    ("rule", "cells", "name"),
    [
        ("skyscraper", range(9), "the skyscraper clue at the left of row 1"),
        ("skyscraper", range(8, -1, -1), "the skyscraper clue at the right of row 1"),
        ("xsum", range(1, 81, 9), "the X-sum clue at the top of column 2"),
        ("xsum", range(73, 0, -9), "the X-sum clue at the bottom of column 2"),
        ("sandwich", range(9), "the sandwich clue for row 1"),
    ],
)
def test_clues_outside_the_grid_are_named_after_their_side(
    rule: str, cells: range, name: str
) -> None:
    value = {"value": 3} if rule == "skyscraper" else {"sum": 10}
    constraint = {"type": rule, "cells": [*map(CLASSIC.cell_name, cells)], **value}
    (puzzle,) = parse(json.dumps({"givens": "." * 81, "constraints": [constraint]}))
    assert isinstance(puzzle, Puzzle)
    assert place_of(0, Wording(puzzle.layout, Symbols.usual(9))) == name


def test_a_cage_with_a_filled_0_names_its_other_cells() -> None:
    (puzzle,) = parse(".Shape~9x9~0-8.Cage~10~R1C1~R1C2~R2C1")
    assert isinstance(puzzle, Puzzle)
    domains = (1, *80 * [0b111111111])  # r1c1 is 0
    step = Deduction(
        "3000", eliminations=candidates((1, 1)), cells=(0, 1, 9),
        terms=((0, 1), (1, 1), (9, 1)), total=10,
    )  # fmt: skip
    text = sentence(step, Wording(puzzle.layout, puzzle.symbols, domains))
    assert text.startswith("In the cage at r1c1, r1c2 and r2c1 sum to 10: only ")


def test_a_house_through_which_cells_see_each_other_comes_before_a_rule() -> None:
    layout = with_variants(CLASSIC, ("antiknight",))
    assert isinstance(layout, Layout)
    # r4c2 is a knight's move from r2c1, and in the column of r9c2.
    assert seen_through(layout, [9, 73], [28]) == "column 2 and a knight's move apart"
