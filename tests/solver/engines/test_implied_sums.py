"""Sums that follow from others: innies and outies, and merged sums."""

from dataclasses import replace
from itertools import accumulate, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions

from solver import Layout, Outcome, Puzzle, parse, solve
from solver.board.primitive_constraints import Sum
from solver.engines.general.all_different import as_bits, cells_of
from solver.engines.general.implied_sums import implied_sums
from solver.engines.general.merged_sums import merge_sums

GRIDS = list(solutions([0] * 16, (2, 2)))
BOARD = Layout.boxed(2, 2)


def implied(layout: Layout) -> tuple[Sum, ...]:
    return tuple(implied_sums(layout))


@given(st.sampled_from(GRIDS), st.lists(st.integers(0, 5), min_size=16, max_size=16))
@settings(max_examples=300, deadline=None)
def test_implied_sums_hold_wherever_the_cages_do(grid: list[int], labels: list[int]) -> None:
    cages = [[cell for cell in range(16) if labels[cell] == label] for label in range(1, 6)]
    sums = [Sum(tuple(c), (1,) * len(c), sum(grid[cell] for cell in c)) for c in cages if c]
    for one in implied(replace(BOARD, sums=tuple(sums))):
        found = sum(f * grid[cell] for cell, f in zip(one.cells, one.factors, strict=True))
        assert found == one.target


@given(
    st.sampled_from(GRIDS),
    st.lists(st.lists(st.integers(0, 15), min_size=2, unique=True), min_size=2, max_size=12),
)
@settings(max_examples=300, deadline=None)
def test_implied_sums_hold_wherever_sums_of_any_cells_do(
    grid: list[int], lines: list[list[int]]
) -> None:
    sums = [Sum(tuple(c), (1,) * len(c), sum(grid[cell] for cell in c)) for c in lines]
    for one in implied(replace(BOARD, sums=tuple(sums))):
        found = sum(f * grid[cell] for cell, f in zip(one.cells, one.factors, strict=True))
        assert found == one.target


def test_little_killers_across_a_box_imply_the_sum_outside() -> None:
    clues = [(47, "R3C1"), (49, "R2C1"), (30, "R8C9"), (45, "R7C9")]
    lines = "".join(f".LittleKiller~{target}~{cell}" for target, cell in clues)
    (puzzle,) = parse(f".Diagonal~-1{lines}")
    assert isinstance(puzzle, Puzzle)
    # Together with the main diagonal, the clues' diagonals cover boxes 1, 5, and 9.
    beyond = (12, 21, 22, 28, 29, 38, 42, 51, 52, 58, 59, 68)
    target = 47 + 49 + 30 + 45 + 45 - 3 * 45
    assert implied(puzzle.layout) == (Sum(beyond, (1,) * 12, target),)


@given(
    st.permutations(range(81)),
    st.lists(st.integers(6, 20), min_size=2, max_size=8),
    st.sampled_from([0, 1]),
)
@settings(deadline=None)
def test_merged_sums_hold_wherever_each_of_them_does(
    order: list[int], lengths: list[int], lowest: int
) -> None:
    layout = replace(Layout.boxed(3, 3), lowest=lowest)
    grid = [(3 * (cell // 9) + cell // 27 + cell) % 9 + lowest for cell in range(81)]
    ends = [min(end, 81) for end in accumulate(lengths, initial=0)]
    lines = [order[start:end] for start, end in pairwise(ends)]
    sums = [(as_bits(line), sum(grid[cell] for cell in line)) for line in lines]
    houses = [as_bits(house.cells) for house in layout.houses]
    kinds = [houses[:9], houses[9:18], houses[18:]]
    for cells, target in merge_sums(sums, kinds, layout, near=0).items():
        assert sum(grid[cell] for cell in cells_of(cells)) == target
        assert len([line for line, _ in sums if line & ~cells == 0]) > 1


def test_sums_are_not_merged_without_full_houses() -> None:
    assert merge_sums([(0b111111, 6), (0b111111000000, 6)], [], BOARD, near=0) == {}


def test_merged_little_killers_prove_a_contradiction() -> None:
    cells = ["R1C9", "R1C8", "R9C2", "R9C3", "R7C9", "R1C1", "R2C1", "R3C1"]
    (puzzle,) = parse("".join(f".LittleKiller~49~{cell}" for cell in cells))
    assert isinstance(puzzle, Puzzle)
    together = [total for total in implied(puzzle.layout) if total.target == 4 * 49]
    assert sorted(len(total.cells) for total in together) == [31, 32]
    assert solve(puzzle, step_limit=1000).outcome is Outcome.UNSOLVABLE
