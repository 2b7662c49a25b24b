"""Regions that the solver has to find, compared with all partitions of small grids.

Invalid constraints on them are reported.
"""

from collections.abc import Callable, Iterator
from itertools import takewhile
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions

from solver import Invalid, Outcome, Puzzle, parse, solve
from solver.engines.general.backtracking import connected_regions
from solver.solving import engine_for

Cut = tuple[frozenset[int], ...]  # regions as sets of cells, ordered by first cell
Kept = Callable[[list[int], list[int]], bool]  # arguments: value and region number by cell


def cuts(rows: int, columns: int, size: int) -> Iterator[Cut]:
    """Yield all partitions of a grid into connected regions of `size` cells.

    Each region grows from the first cell that has no region yet.
    """

    def near(cell: int) -> set[int]:
        row, column = divmod(cell, columns)
        places = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        return {r * columns + c for r, c in places if 0 <= r < rows and 0 <= c < columns}

    def grown(region: frozenset[int], left: frozenset[int]) -> set[frozenset[int]]:
        if len(region) == size:
            return {region}
        beside = {other for cell in region for other in near(cell)} & left - region
        return {whole for cell in beside for whole in grown(region | {cell}, left)}

    def cut(left: frozenset[int]) -> Iterator[Cut]:
        if not left:
            yield ()
        else:
            for region in sorted(map(sorted, grown(frozenset({min(left)}), left))):
                yield from ((frozenset(region), *rest) for rest in cut(left.difference(region)))

    return cut(frozenset(range(rows * columns)))


FOURS = list(cuts(4, 4, 4))
LATIN = [grid for grid in solutions([0] * 16, (1, 4)) if grid[:5] == [1, 2, 3, 4, 2]]
BEGIN = ".Shape~4x4.NoBoxes.ChaosConstruction.~R1C1_1~R1C2_2~R1C3_3~R1C4_4~R2C1_2"


def labels_of(cut: Cut) -> list[int]:
    return [next(n for n, region in enumerate(cut) if cell in region) for cell in range(16)]


def expected(kept: Kept) -> list[list[int]]:
    """Return the 4×4 Latin squares that satisfy a rule when they are divided into regions.

    `kept` returns whether a square and the labels of its regions satisfy the rule. No region may
    repeat a value. A square occurs once for each partition that fits.
    """
    return sorted(
        grid
        for cut in FOURS
        for grid in LATIN
        if all(len({grid[cell] for cell in region}) == 4 for region in cut)
        and kept(grid, labels_of(cut))
    )


def run(labels: list[int], cells: list[int]) -> int:
    """Count the consecutive cells after the first that are in the first one's region."""
    return len(list(takewhile(lambda cell: labels[cell] == labels[cells[0]], cells[1:])))


CASES: list[tuple[str, Kept]] = [
    ("", lambda _, __: True),
    (".ChaosCount~R2C2~~CC6~CC1~CC2~CC3~CC5~CC7",
     lambda g, r: g[5] == [r[c] for c in (5, 0, 1, 2, 4, 6)].count(r[5])),
    (".ChaosCount~R1C3", lambda g, r: g[2] == [r[c] for c in (1, 2, 3, 5, 6, 7)].count(r[2])),
    (".ChaosCount~R2C1~1~R4C4~R4C3~R3C4~R3C3",
     lambda g, r: g[4] == [r[c] for c in (10, 11, 14)].count(r[15])),
    (".ChaosArrow~R3C1~~CC9~CC5~CC1~-~CC9~CC10~CC11~CC12",
     lambda g, r: g[8] == 1 + run(r, [8, 4, 0]) + run(r, [8, 9, 10, 11])),
    (".ChaosArrow~R2C4~1~CC8~CC7~CC6~CC5", lambda g, r: g[7] == run(r, [7, 6, 5, 4])),
    (".ChaosArrow~R2C3", lambda g, r: g[6] == 1 + run(r, [6, 2]) + run(r, [6, 5, 4])
     + run(r, [6, 7]) + run(r, [6, 10, 14])),
    (".ChaosCount~R2C4~1~CC1~CC6~CC5~CC2",
     lambda g, r: g[7] == [r[c] for c in (5, 4, 1)].count(r[0])),
    (".ChaosCount~R2C4~~CC1~CC5~CC5~CC2~CC1",
     lambda g, r: g[7] == [r[c] for c in (0, 4, 4, 1, 0)].count(r[0])),
    (".ChaosArrow~R4C4~1", lambda g, r: g[15] == run(r, [15, 14, 13, 12]) + run(r, [15, 11, 7, 3])),
    (".ChaosArrow~R2C3~1~CC1~CC2~CC5~-~CC1~CC5",
     lambda g, r: g[6] == run(r, [0, 1, 4]) + run(r, [0, 4])),
    (".SameValues~3~CC1~CC2~CC6.AllDifferent~CC4~CC16",
     lambda _, r: r[0] == r[1] == r[5] and r[3] != r[15]),
    (".CountDistinct~R3C3~CC1~CC2~CC3~CC4", lambda g, r: g[10] == len(set(r[:4]))),
    (".Cage~9~R2C2~R2C3~R3C2.ChaosArrow~R4C1~~CC13~CC9~CC5~CC1.ChaosCount~R4C4",
     lambda g, r: g[5] + g[6] + g[9] == 9 and len({g[5], g[6], g[9]}) == 3
     and g[12] == 1 + run(r, [12, 8, 4, 0])
     and g[15] == [r[c] for c in (15, 10, 11, 14)].count(r[15])),
    (".ChaosCount~R1C3.Or.ChaosCount~R2C2~~CC6~CC1~CC2.~R3C1_4.End",
     lambda g, r: g[2] == [r[c] for c in (1, 2, 3, 5, 6, 7)].count(r[2])
     and (g[5] == [r[c] for c in (5, 0, 1)].count(r[5]) or g[8] == 4)),
    # Constraints on region numbers don't fix the numbering, so some numbering has to satisfy the
    # rule.
    (".~CC1_3.Palindrome~CC1~CC2", lambda _, r: r[0] == r[1]),
    (".~CC1_3.AllDifferent~CC1~CC2", lambda _, r: r[0] != r[1]),
    (".Sum~8~CC1~CC4", lambda _, r: r[0] == r[3]),
    (".~CC1_3.SameValues~3~CC2~CC1~CC5", lambda _, r: r[0] == r[1] == r[4]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), CASES)
def test_all_divisions_of_small_grids_that_satisfy_the_rules_are_found(
    text: str, kept: Kept
) -> None:
    (puzzle,) = parse(BEGIN + text)
    assert isinstance(puzzle, Puzzle), puzzle
    result = solve(puzzle, limit=3000)
    assert sorted(map(list, result.listed)) == expected(kept)
    solution = [*(result.solution or ())]
    ways = [labels for labels in map(labels_of, FOURS) if solution and kept(solution, labels)]
    assert [number - 1 for number in result.regions or ()] in (ways or [[]])


@pytest.mark.parametrize(
    "text",
    [
        ".~R4C4_1.ChaosCount~R4C4",  # each cell has a neighbor in its region
        ".~R4C4_1.ChaosArrow~R4C4",
        ".SameValues~3~CC1~CC2~CC5.~R4C4_1.ChaosCount~R4C4~~CC1~CC5",
        ".AllDifferent~CC11~CC16.~R4C4_2.ChaosCount~R4C4~~CC16~CC11",
    ],
)
def test_contradictions_between_clues_and_regions_need_no_guess(text: str) -> None:
    result = solve(BEGIN + text)
    assert (result.outcome, result.steps) == (Outcome.UNSOLVABLE, 0)


def test_regions_of_one_cell_have_no_neighbors() -> None:
    result = solve(
        ".Shape~2x2~4.NoBoxes.ChaosConstruction.RegionSize~1.ChaosCount~R1C1~~CC1~CC2~CC3"
    )
    assert (result.solution or "0000")[0] == 1


CELLS = st.lists(st.integers(0, 15), min_size=1, max_size=5, unique=True)


@settings(deadline=None, max_examples=10)
@given(st.dictionaries(st.integers(5, 15), CELLS, min_size=1, max_size=3))
def test_cell_counts_hold_for_any_cells(counted: dict[int, list[int]]) -> None:
    text = "".join(
        f".ChaosCount~R{control // 4 + 1}C{control % 4 + 1}~~"
        + "~".join(f"CC{cell + 1}" for cell in cells)
        for control, cells in counted.items()
    )
    (puzzle,) = parse(BEGIN + text)
    assert isinstance(puzzle, Puzzle), puzzle

    def kept(grid: list[int], labels: list[int]) -> bool:
        return all(
            grid[control] == [labels[cell] for cell in cells].count(labels[cells[0]])
            for control, cells in counted.items()
        )

    assert sorted(map(list, solve(puzzle, limit=3000).listed)) == expected(kept)


def test_regions_smaller_than_the_number_of_values_may_omit_values() -> None:
    (puzzle,) = parse(".Shape~2x3~5.NoBoxes.ChaosConstruction.RegionSize~2.~R1C1_1~R1C2_2~R1C3_3")
    assert isinstance(puzzle, Puzzle)
    grids = [
        [1, 2, 3, a, b, c]
        for cut in cuts(2, 3, 2)
        for a in range(2, 6)
        for b in {1, 3, 4, 5} - {a}
        for c in {1, 2, 4, 5} - {a, b}
        if all(len({[1, 2, 3, a, b, c][cell] for cell in region}) == 2 for region in cut)
    ]
    assert sorted(map(list, solve(puzzle, limit=999).listed)) == sorted(grids)


def test_all_divisions_of_a_full_grid_are_found() -> None:
    rows = ["12345", "23451", "34512", "45123"]
    grid = [int(value) for row in rows for value in row]
    givens = "".join(f"~R{cell // 5 + 1}C{cell % 5 + 1}_{v}" for cell, v in enumerate(grid))
    (puzzle,) = parse(".Shape~4x5.NoBoxes.ChaosConstruction." + givens)
    assert isinstance(puzzle, Puzzle)
    ways = sum(
        all(len({grid[cell] for cell in region}) == 5 for region in cut) for cut in cuts(4, 5, 5)
    )
    assert solve(puzzle, limit=9999).solutions == ways > 1


def test_constraints_on_region_numbers_are_solved_by_the_sat_engine() -> None:
    texts = ["", ".AllDifferent~CC1~CC2", ".CountDistinct~R1C1~CC1~CC2", ".EqualityCage~CC1~CC2"]
    puzzles = [parse(BEGIN + text)[0] for text in texts]
    names = [engine_for(each.layout).name for each in puzzles if isinstance(each, Puzzle)]
    assert names == ["general", "general", "general", "sat"]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        (".Shape~4x4.ChaosCount~R1C1",
         "ChaosCount: needs a .ChaosConstruction in the same puzzle"),
        (".Shape~4x4.ChaosConstruction.ChaosArrow~R1C1~~CC1~CC2~-~CC2~CC3",
         "ChaosArrow: all arms must begin with the same cell"),
        (".Shape~4x4.ChaosConstruction.RegionSize~3",
         "the constraint 'chaosconstruction' at CC1 needs a 'size' from 1 to 4 that divides "
         "the number of cells (16), not 3"),
        (".Shape~4x4.RegionSize~2.ChaosConstruction",
         "the constraint 'chaosconstruction' at CC1 would have 8 regions; the limit is 4; "
         "use a larger 'size'"),
        (".Shape~4x4.ChaosConstruction.ChaosCount~R1C1~7~CC1~CC2",
         "the constraint 'chaoscount' at r1c1 needs 1 (count the second cell) or 0 (don't "
         "count it) as 'first', not -6"),
    ],
)  # fmt: skip
def test_invalid_region_constraints_are_reported(text: str, detail: str) -> None:
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Invalid)
    assert puzzle.detail == detail


def test_a_chaos_construction_has_one_solution() -> None:
    text = (
        ".Shape~6x6.ChaosConstruction.NoBoxes.~R1C2_6~R1C4_4~R1C6_3~R2C1_3~R6C1_4~R6C3_2~R6C5_6"
        "~R5C6_5.ChaosCount~R1C2.ChaosCount~R1C4.ChaosCount~R1C6.ChaosCount~R2C6.ChaosCount~R5C1"
        ".ChaosCount~R6C1.ChaosCount~R6C3.ChaosCount~R6C5"
    )
    result = solve(text)
    assert (result.outcome, result.unique) == (Outcome.SOLVED, True)
    assert "".join(map(str, result.solution or ())) == "265413314652543126126534631245452361"


def test_next_number_goes_to_the_component_whose_root_has_the_highest_conflict_weight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four cells of two regions without a number, as variables 0 to 3, with labels 4 to 7."""
    found = []
    monkeypatch.setattr(connected_regions, "at_most_one_bit", lambda word: word & (word - 1) == 0)
    monkeypatch.setattr(connected_regions, "lowest_bit", lambda word: word & ~(word - 1))
    monkeypatch.setattr(connected_regions, "set_domain", lambda *change: found.append(change[:2]))
    regions = SimpleNamespace(labels=np.arange(4, 8), total=2)
    components = SimpleNamespace(roots=np.arange(4), roots_by_number=np.array([-1, -1]))
    work = SimpleNamespace(grid=np.full(8, 3, np.uint64))
    weights = np.array([1, 1, 4, 1, 1, 8, 1, 1], np.float64)
    connected_regions._number.py_func(regions, components, weights, None, work)
    assert found == [(6, 1)]
