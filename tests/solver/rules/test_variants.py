import json
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions
from numpy_checks import are_solutions, have_conflicts

from solver import Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many
from solver.board.symbols import Symbols
from solver.checks.givens import candidates, find_conflict
from solver.rules.variants import VARIANTS, known_variant, with_variants

Grid = list[int]
Rule = Callable[[Grid, int], bool]


def differ(grid: Grid, cells: list[int]) -> bool:
    return len({grid[cell] for cell in cells}) == len(cells)


def apart(grid: Grid, size: int, down: int, right: int) -> bool:
    """Return whether no equal values are `down` rows and `right` columns apart, or the reverse."""
    places = {(cell // size, cell % size): value for cell, value in enumerate(grid)}
    return not any(
        abs(a[0] - b[0]) == down and abs(a[1] - b[1]) == right and places[a] == places[b]
        for a, b in combinations(places, 2)
    )


# Straightforward definitions of the rules, to compare with.
def neighbors(grid: Grid, n: int) -> list[tuple[int, int]]:
    across = [(grid[cell], grid[cell + 1]) for cell in range(n * n) if cell % n < n - 1]
    return across + [(grid[cell], grid[cell + n]) for cell in range(n * n - n)]


def squares(grid: Grid, n: int) -> list[list[int]]:
    corners = [r * n + c for r in range(n - 1) for c in range(n - 1)]
    return [[grid[k], grid[k + 1], grid[k + n], grid[k + n + 1]] for k in corners]


def around(grid: Grid, n: int, down: int, right: int) -> bool:
    """Return whether no cells at this distance have equal values if the grid wraps around."""
    return all(
        grid[r * n + c] != grid[(r + down) % n * n + (c + step) % n]
        for r in range(n)
        for c in range(n)
        for step in (right, -right)
        if ((r + down) % n, (c + step) % n) != (r, c)
    )


def all_lines(n: int) -> list[list[int]]:
    rows = [list(range(row * n, row * n + n)) for row in range(n)]
    return [*rows, *map(list, zip(*rows, strict=True))]


RULES: dict[str, Rule] = {
    "diagonal": lambda g, n: (
        differ(g, [r * n + r for r in range(n)])
        and differ(g, [r * n + n - 1 - r for r in range(n)])
    ),
    "windoku": lambda g, n: (
        differ(g, [5, 6, 9, 10])
        if n == 4
        else all(
            differ(g, [9 * (top + r) + left + c for r in range(3) for c in range(3)])
            for top in (1, 5)
            for left in (1, 5)
        )
    ),
    "disjointgroups": lambda g, n: all(
        differ(g, [(side * r + i) * n + side * c + j for r in range(side) for c in range(side)])
        for side in (2 if n == 4 else 3,)
        for i in range(side)
        for j in range(side)
    ),
    "asterisk": lambda g, _: differ(g, [13, 20, 24, 37, 40, 43, 56, 60, 67]),
    "centerdot": lambda g, _: differ(g, [10, 13, 16, 37, 40, 43, 64, 67, 70]),
    "girandola": lambda g, _: differ(g, [0, 8, 13, 37, 40, 43, 67, 72, 80]),
    "argyle": lambda g, _: all(
        differ(g, [int(place) for place in line.split()])
        for line in (
            "1 11 21 31 41 51 61 71",
            "9 19 29 39 49 59 69 79",
            "7 15 23 31 39 47 55 63",
            "17 25 33 41 49 57 65 73",
            "4 12 20 28 36",
            "4 14 24 34 44",
            "36 46 56 66 76",
            "44 52 60 68 76",
        )
    ),
    "antiknight": lambda g, n: apart(g, n, 1, 2) and apart(g, n, 2, 1),
    "antiking": lambda g, n: apart(g, n, 1, 1),
    "nonconsecutive": lambda g, n: all(abs(a - b) != 1 for a, b in neighbors(g, n)),
    "kropkinegative": lambda g, n: all(
        abs(a - b) != 1 and max(a, b) != 2 * min(a, b) for a, b in neighbors(g, n)
    ),
    "differencenegative": lambda g, n: all(abs(a - b) != 1 for a, b in neighbors(g, n)),
    "rationegative": lambda g, n: all(max(a, b) != 2 * min(a, b) for a, b in neighbors(g, n)),
    "xvnegative": lambda g, n: all(a + b not in (5, 10) for a, b in neighbors(g, n)),
    "antitaxicab": lambda g, n: all(
        g[a] != g[b] or abs(a // n - b // n) + abs(a % n - b % n) != g[a]
        for a, b in combinations(range(n * n), 2)
    ),
    "globalentropy": lambda g, n: all(
        {(v > (n + 1) // 3) + (v > n - (n + 1) // 3) for v in square} == {0, 1, 2}
        for square in squares(g, n)
    ),
    "globalmodular": lambda g, n: all(
        {value % 3 for value in square} == {0, 1, 2} for square in squares(g, n)
    ),
    "dutchflatmates": lambda g, n: all(
        g[cell] != (n + 1) // 2
        or (cell >= n and g[cell - n] == 1)
        or (cell + n < n * n and g[cell + n] == n)
        for cell in range(n * n)
    ),
    "regionsamevalues": lambda *_: True,  # each region has all values
    "doppelganger": lambda *_: False,  # never holds on these boards; tested in test_iss
    "noties": lambda g, n: (
        len({tuple(g[a] for a in line[::way]) for line in all_lines(n) for way in (1, -1)}) == 4 * n
    ),
    "toroidalantiknight": lambda g, n: around(g, n, 1, 2) and around(g, n, 2, 1),
    "toroidalantiking": lambda g, n: around(g, n, 1, 1),
}
ANY_SIZE = sorted(set(VARIANTS) - {"asterisk", "centerdot", "girandola", "argyle", "doppelganger"})
FOURS = list(solutions([0] * 16, (2, 2)))


def layout_with(*names: str, box: tuple[int, int] = (3, 3)) -> Layout:
    layout = with_variants(Layout.boxed(*box), names)
    assert isinstance(layout, Layout)
    return layout


def test_every_variant_has_a_naive_check() -> None:
    assert set(RULES) == set(VARIANTS)


@given(
    st.sets(st.sampled_from(ANY_SIZE), min_size=1, max_size=3),
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16),
)
@settings(max_examples=80, deadline=None)
def test_small_grids_have_exactly_the_solutions_that_the_rules_allow(
    names: set[str], cells: Grid
) -> None:
    layout = layout_with(*sorted(names), box=(2, 2))
    expected = {
        tuple(grid)
        for grid in FOURS
        if all(RULES[name](grid, 4) for name in names)
        and all(cell in (0, value) for cell, value in zip(cells, grid, strict=True))
    }
    givens = np.array([cells], np.uint8)
    batch = solve_many(givens, layout=layout, limit=300)
    if have_conflicts(layout, givens)[0]:
        assert not expected
        assert find_conflict(layout, givens[0], Symbols.usual(4)) is not None
        return
    assert find_conflict(layout, givens[0], Symbols.usual(4)) is None
    assert batch.listed is not None
    assert {tuple(grid) for grid in batch.listed[0].tolist()} == expected


def test_noties_includes_lines_that_are_not_houses() -> None:
    (puzzle,) = parse('{"shape": "2x2", "size": 4, "lines": "free", "variant": "noties"}')
    assert isinstance(puzzle, Puzzle)
    expected = {grid for grid in product(range(1, 5), repeat=4) if RULES["noties"](list(grid), 2)}
    assert set(solve(puzzle, limit=300).listed) == expected


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - {"doppelganger"}))
def test_full_size_grids_follow_the_rule(name: str) -> None:
    layout = layout_with(name)
    givens = np.zeros((1, 81), np.uint8)
    batch = solve_many(givens, layout=layout, limit=10)
    assert batch.listed is not None
    assert len(batch.listed[0]) == 10
    assert all(RULES[name](grid, 9) for grid in batch.listed[0].tolist())
    plain = solve_many(np.zeros((1, 81), np.uint8), limit=200).listed
    assert plain is not None
    blank = np.zeros_like(plain[0])
    right = are_solutions(layout, blank, plain[0]).tolist()
    assert right == [RULES[name](grid, 9) for grid in plain[0].tolist()]


def test_equal_givens_of_a_pair_are_invalid_with_their_cells() -> None:
    found = parse("5" + "." * 10 + ".5" + "." * 68, variant=("antiking",))[0]
    assert isinstance(found, Puzzle)
    assert solve(found).outcome is not Outcome.INVALID
    found = parse("5" + "." * 10 + "5" + "." * 69, variant=("antiknight",))[0]
    assert isinstance(found, Puzzle)
    assert solve(found).outcome is Outcome.INVALID
    assert solve(found).detail == "5 twice in box 1: r1c1, r2c3"
    found = parse("." * 11 + "5" + "." * 16 + "5" + "." * 52, variant=("knight",))[0]
    assert isinstance(found, Puzzle)
    assert solve(found).detail == "5 twice, a knight's move apart: r2c3, r4c2"
    assert 5 not in candidates(found.layout, np.array(found.givens, np.uint8))[9 * 4 + 3]


def test_king_knight_and_nonconsecutive_leave_72_grids() -> None:
    layout = layout_with("antiking", "antiknight", "nonconsecutive")
    batch = solve_many(np.zeros((1, 81), np.uint8), layout=layout, limit=100)
    assert batch.outcomes[0] == Outcome.MULTIPLE
    assert batch.counts[0] == 72


def test_layouts_are_cached_and_spelling_of_names_is_free() -> None:
    assert layout_with("diagonal") is layout_with("diagonal")
    assert layout_with() is Layout.boxed(3, 3)
    assert known_variant("Anti-Knight") is VARIANTS["antiknight"]
    assert known_variant("X") is VARIANTS["diagonal"]
    assert known_variant("thermo") is None


def test_variant_that_does_not_fit_the_board_is_invalid() -> None:
    found = parse("." * 36, variant=("windoku",))[0]
    assert isinstance(found, Invalid)
    assert found.detail == (
        "the variant 'windoku' needs square boxes of 2x2 cells or more, not 2x3"
    )
    found = parse("." * 16, variant=("asterisk",))[0]
    assert isinstance(found, Invalid)
    assert found.detail == "the variant 'asterisk' needs a 9×9 grid"


@pytest.mark.parametrize(
    ("more", "detail"),
    [
        ({"variant": "diagonal"}, None),
        ({"variant": ["X", "windoku"]}, None),
        ({"constraints": [{"type": "diagonal"}]}, None),
        ({"variant": "thermo"}, "Unknown variant 'thermo'. Expected one of: diagonal, "
                                "windoku, disjointgroups, asterisk, centerdot, girandola, "
                                "argyle, antiknight, antiking, toroidalantiknight, "
                                "toroidalantiking, antitaxicab, globalentropy, globalmodular, "
                                "nonconsecutive, kropkinegative, differencenegative, "
                                "rationegative, xvnegative, dutchflatmates, regionsamevalues, "
                                "doppelganger, noties"),
        ({"variant": 7}, "'variant' must be a name or a list of names, not 7"),
        ({"constraints": [{"type": "chaos", "cells": []}]},
         "Unknown constraint 'chaos'"),
        ({"constraints": [{"type": "diagonal", "cells": []}]},
         "'diagonal' is a rule for the whole grid. It takes no cells and can't be inside 'or'."),
    ],
)  # fmt: skip
def test_records_can_have_their_own_variants(more: dict[str, object], detail: str | None) -> None:
    text = json.dumps({"puzzle": "." * 81, **more})
    found = parse(text, format="ndjson")[0]
    if detail is None:
        assert isinstance(found, Puzzle)
        assert len(found.layout.houses) > 27
    else:
        assert isinstance(found, Invalid)
        assert found.detail == detail
