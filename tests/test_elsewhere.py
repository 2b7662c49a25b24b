from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Invalid, Puzzle, parse
from solver.formats.objects.lzstring import compress, decompress
from solver.rules.rule import Constraint
from web.elsewhere import addresses

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
    "jigsaw": '{"puzzle": "1...2...........", "regions": "1112122233343444"}',
}


def read(text: str, **options: str) -> Puzzle:
    (puzzle,) = parse(text, **options)  # type: ignore[arg-type]
    assert not isinstance(puzzle, Invalid), puzzle
    return puzzle


def facts(puzzle: Puzzle) -> object:
    layout = puzzle.layout
    houses = {frozenset(house.cells) for house in layout.houses}
    links = {frozenset(pair) for links in layout.links for pair in links.pairs}
    constraints = [c for c in layout.constraints if isinstance(c, Constraint)]
    houses |= {frozenset(c.cells) for c in constraints if c.rule.name == "different"}
    names = {"differencenegative": "nonconsecutive"}  # the same where there are no dots
    rules = {
        (names.get(c.rule.name, c.rule.name), c.cells, c.value)
        for c in constraints
        if c.rule.name != "different"
    }
    return puzzle.givens, houses, links, rules


@pytest.mark.parametrize("text", PUZZLES.values(), ids=PUZZLES)
def test_other_programs_get_the_same_puzzle(text: str) -> None:
    puzzle = read(text)
    there = addresses(puzzle.layout, puzzle.givens)
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
    ],
)
def test_what_others_do_not_know_is_not_offered(text: str) -> None:
    puzzle = read(text)
    assert addresses(puzzle.layout, puzzle.givens) == []


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab{}🐸")))
def test_what_is_packed_is_unpacked(text: str) -> None:
    assert decompress(compress(text), most=10_000) == text


def test_half_of_a_surrogate_pair_is_unpacked_as_what_is_no_character() -> None:
    assert decompress("IaAA2EZA", most=10) == "a\ufffdb"
