"""Puzzles in the notations of other programs are read again as the same puzzles.

Puzzles and rules that a program doesn't support aren't written.
"""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from solver import Invalid, Puzzle, parse
from solver.board.layout import Layout, place_name
from solver.formats.objects.fpuzzles_writer import write_fpuzzles
from solver.formats.objects.iss_rules import CELLS, DOTS, NUMBERED, VARIANTS
from solver.formats.objects.iss_writer import write_iss
from solver.formats.objects.lzstring import compress, decompress
from solver.rules.registry import RULES
from solver.rules.relations import side_by_side
from solver.rules.rule import Constraint

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR = "12.4...2....4..1"
PUZZLES = {
    "classic": CLASSIC,
    "small": FOUR,
    "sixteen": " ".join(["16", "."] * 128),
    "killer": f'{{"puzzle": "{FOUR}", "constraints": [{{"type": "killer", "cells": '
    '["r2c1", "r2c2"], "sum": 7}, {"type": "killer", "cells": ["r3c1", "r3c2"]}]}',
    "lines": f'{{"puzzle": "{FOUR}", "constraints": [{{"type": "thermo", "cells": '
    '["r2c1", "r2c2"]}, {"type": "white", "cells": ["r3c1", "r3c2"]}]}',
    "variants": f'{{"puzzle": "{CLASSIC}", "variant": "diagonal,antiknight,nonconsecutive"}}',
    "f-puzzles": '{"size": 4, "grid": [[{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], '
    '[{}, {}, {}, {}]], "nonconsecutive": true, "diagonal+": true}',
    "jigsaw": '{"puzzle": "1...2...........", "regions": "1112122233343444"}',
    "high boxes": '{"shape": "6x6", "box": "3x2", "constraints": [{"type": "regionsum", '
    '"cells": ["r1c1", "r1c2", "r1c3"]}]}',
    "a region that is a column": '{"shape": "4x4", "regions": "1223122314431443"}',
    "marks": '{"shape": "4x4", "givens": "12..............", '
    '"candidates": {"r1c3": [3, 4], "r3c1": [2, 3], "r1c1": [1, 2]}}',
}


WHOLE_GRID = [*VARIANTS.values(), "diagonal", "windoku", "disjointgroups", "differencenegative"]


def named(cell: int) -> str:
    return place_name(*divmod(cell, 9))


def read(text: str, **options: str) -> Puzzle:
    (puzzle,) = parse(text, **options)
    assert not isinstance(puzzle, Invalid), puzzle
    return puzzle


def facts(puzzle: Puzzle) -> object:
    layout = puzzle.layout
    houses = {frozenset(house.cells) for house in layout.houses}
    links = {frozenset(pair) for links in layout.links for pair in links.pairs}
    constraints = [c for c in layout.constraints if isinstance(c, Constraint)]
    houses |= {frozenset(c.cells) for c in constraints if c.rule.name == "different"}
    names = {"differencenegative": "nonconsecutive"}  # equivalent if there are no dots
    rules = {
        (names.get(c.rule.name, c.rule.name), c.cells, c.value)
        for c in constraints
        if c.rule.name != "different"
    }
    marks = puzzle.candidates or (2**layout.size - 1,) * layout.cells
    left = [mask for mask, given in zip(marks, puzzle.givens, strict=True) if not given]
    return puzzle.givens, left, houses, links, rules


def fpuzzles_text(puzzle: Puzzle) -> str | None:
    written = write_fpuzzles(puzzle)
    return None if written is None else json.dumps(written)


FORMATS: dict[str, Callable[[Puzzle], str | None]] = {"f-puzzles": fpuzzles_text, "iss": write_iss}


def formats_of(puzzle: Puzzle) -> list[str]:
    return [name for name, write in FORMATS.items() if write(puzzle) is not None]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", PUZZLES.values(), ids=PUZZLES)
def test_written_puzzle_is_read_again(text: str, name: str) -> None:
    puzzle = read(text)
    written = FORMATS[name](puzzle)
    assert written is not None
    assert facts(read(written)) == facts(puzzle)


JIGSAW = "112222333111222333111122333444555666444555666444555666777888999777888999777888999"


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Draw 9×9 puzzles with the rules that Interactive Sudoku Solver can express."""
    constraints = []
    for name in draw(st.lists(st.sampled_from(sorted(CELLS | NUMBERED)), max_size=4)):
        rule = RULES[(CELLS | NUMBERED)[name]]
        count = draw(st.integers(rule.least, 6))
        cells = draw(st.permutations(range(81)))[:count]
        value = {rule.value: draw(st.integers(2, 6))} if rule.value else {}
        constraints.append({"type": rule.name, "cells": [*map(named, cells)], **value})
    pairs = st.sampled_from(side_by_side(Layout.boxed(3, 3)))
    constraints += [
        {"type": kind, "cells": [*map(named, draw(pairs))]}
        for kind in draw(st.lists(st.sampled_from(sorted(DOTS.values())), max_size=3))
    ]
    marks = draw(
        st.dictionaries(st.integers(0, 80), st.sets(st.integers(1, 9), min_size=2), max_size=3)
    )
    board = {
        "shape": "9x9",
        "givens": draw(st.sampled_from(["." * 81, CLASSIC])),
        **({"regions": JIGSAW} if draw(st.booleans()) else {}),
        "constraints": constraints,
        "variant": draw(st.lists(st.sampled_from(WHOLE_GRID), max_size=3, unique=True)),
        "candidates": {named(cell): sorted(values) for cell, values in marks.items()},
    }
    (puzzle,) = parse(json.dumps(board))
    assume(isinstance(puzzle, Puzzle))
    assert isinstance(puzzle, Puzzle)
    return puzzle


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzles())
def test_everything_that_is_written_can_be_read(puzzle: Puzzle) -> None:
    for name, write in FORMATS.items():
        written = write(puzzle)
        assert written is None or facts(read(written)) == facts(puzzle), name


@pytest.mark.parametrize("kind", [*CELLS.values(), *DOTS.values(), *NUMBERED.values()])
def test_every_constraint_in_a_table_can_be_written(kind: str) -> None:
    example = json.loads(RULES[kind].example)
    puzzle = read(json.dumps({"shape": "9x9", "constraints": [example]}))
    assert "iss" in formats_of(puzzle)


@pytest.mark.parametrize("variant", WHOLE_GRID)
def test_every_variant_in_a_table_can_be_written(variant: str) -> None:
    assert "iss" in formats_of(read(CLASSIC, variant=variant))


@pytest.mark.parametrize(
    "text",
    [
        f'{{"puzzle": "{FOUR}", "constraints": [{{"type": "nabner", "cells": ["r1c1", "r1c2"]}}]}}',
        '{"shape": "2x4", "size": 4, "box": "none", "givens": "1......."}',
        " ".join(["1"] + ["."] * 624),
        '{"shape": "4x4", "box": "none"}',
        '{"shape": "4x4", "lines": "free", "regions": "1111222233334444"}',
        '{"shape": "4x4", "regions": "111.122233343444"}',
        '{"shape": "4x4", "candidates": {"r1c1": []}}',
        '{"shape": "4x4", "givens": "1...............", "candidates": {"r1c1": [2]}}',
        '{"shape": "4x4", "constraints": [{"type": "killer", "cells": ["r1c1"], "sum": 0}]}',
        '{"shape": "4x4", "constraints": [{"type": "white", "cells": ["r1c1", "r4c4"]}]}',
    ],
)
def test_puzzles_that_the_programs_do_not_support_are_not_written(text: str) -> None:
    assert formats_of(read(text)) == []


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        # f-puzzles exempts pairs with a dot.
        (
            '{"shape": "4x4", "constraints": [{"type": "nonconsecutive"}, '
            '{"type": "black", "cells": ["r1c1", "r1c2"]}]}',
            ["iss"],
        ),
        # Interactive Sudoku Solver doesn't exempt them.
        (
            '{"size": 4, "grid": [[{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], '
            '[{}, {}, {}, {}]], "nonconsecutive": true, "diagonal-": true, "diagonal+": true, '
            '"ratio": [{"cells": ["R1C1", "R1C2"]}]}',
            ["f-puzzles"],
        ),
        # Interactive Sudoku Solver supports disjoint groups only for the default boxes.
        ('{"shape": "6x6", "box": "3x2", "variant": "disjointgroups"}', ["f-puzzles"]),
    ],
)
def test_rules_that_mean_something_else_in_a_format_are_not_written(
    text: str, formats: list[str]
) -> None:
    assert formats_of(read(text)) == formats


@pytest.mark.parametrize("name", ["Ten Thermos", None])
def test_title_of_an_f_puzzles_object_is_the_name_of_the_puzzle(name: str | None) -> None:
    written = write_fpuzzles(read(json.dumps({"puzzle": FOUR, "name": name} if name else [FOUR])))
    assert written is not None
    assert written.get("title") == name
    assert read(json.dumps(written)).name == name


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab{}🐸")))
def test_compressed_text_is_decompressed_unchanged(text: str) -> None:
    assert decompress(compress(text), most=10_000) == text


def test_half_of_a_surrogate_pair_becomes_the_replacement_character() -> None:
    assert decompress("IaAA2EZA", most=10) == "a\ufffdb"
