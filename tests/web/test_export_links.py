from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Invalid, Puzzle, parse
from solver.formats.objects.lzstring import compress, decompress
from solver.rules.rule import Constraint
from web.pages.export_links import addresses

PROGRAMS = ["SudokuPad", "f-puzzles", "Interactive Sudoku Solver"]
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


@pytest.mark.parametrize("text", PUZZLES.values(), ids=PUZZLES)
def test_other_programs_get_the_same_puzzle(text: str) -> None:
    puzzle = read(text)
    there = addresses(puzzle.layout, puzzle.givens, puzzle.candidates)
    assert [address.program for address in there] == PROGRAMS
    for address in there:
        url = address.url
        query = unquote(url.split("?q=")[1]) if "?q=" in url else url
        assert facts(read(query)) == facts(puzzle), address.program


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
def test_what_others_do_not_know_is_not_offered(text: str) -> None:
    puzzle = read(text)
    assert addresses(puzzle.layout, puzzle.givens, puzzle.candidates) == []


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        # f-puzzles exempts pairs with a dot.
        (
            '{"shape": "4x4", "constraints": [{"type": "nonconsecutive"}, '
            '{"type": "black", "cells": ["r1c1", "r1c2"]}]}',
            PROGRAMS[2:],
        ),
        # Interactive Sudoku Solver doesn't exempt them.
        (
            '{"size": 4, "grid": [[{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], '
            '[{}, {}, {}, {}]], "nonconsecutive": true, "diagonal-": true, "diagonal+": true, '
            '"ratio": [{"cells": ["R1C1", "R1C2"]}]}',
            PROGRAMS[:2],
        ),
        # Interactive Sudoku Solver supports disjoint groups only for the default boxes.
        ('{"shape": "6x6", "box": "3x2", "variant": "disjointgroups"}', PROGRAMS[:2]),
    ],
)
def test_programs_that_mean_something_else_are_not_offered(text: str, programs: list[str]) -> None:
    puzzle = read(text)
    assert [each.program for each in addresses(puzzle.layout, puzzle.givens)] == programs


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab{}🐸")))
def test_what_is_packed_is_unpacked(text: str) -> None:
    assert decompress(compress(text), most=10_000) == text


def test_half_of_a_surrogate_pair_is_unpacked_as_what_is_no_character() -> None:
    assert decompress("IaAA2EZA", most=10) == "a\ufffdb"
