"""Killer puzzles of Simon Tatham's Solo: cages as blocks, with the sum in one cell of each."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions

from solver import Puzzle, parse, solve

FOURS = list(solutions([0] * 16, (2, 2)))


def blocks_of(labels: Sequence[int]) -> str:
    """Encode the borders of the blocks of a 4×4 grid, first within rows, then within columns.

    `labels` contains the block of each cell.
    """
    across = [labels[4 * r + c] != labels[4 * r + c + 1] for r in range(4) for c in range(3)]
    down = [labels[4 * r + c] != labels[4 * r + c + 4] for c in range(4) for r in range(3)]
    written, run = "", 0
    for edge in (*across, *down, True):
        if edge:
            written, run = written + ("_" if run == 0 else chr(ord("a") + run - 1)), 0
        else:
            run += 1
    return written


def numbers_of(cells: Sequence[int]) -> str:
    """Encode cells, with a letter for each run of empty cells (0)."""
    written, run = "", 0
    for cell in cells:
        if cell == 0:
            run += 1
            continue
        written += chr(ord("a") + run - 1) if run else "_" if written else ""
        written, run = written + str(cell), 0
    return written + (chr(ord("a") + run - 1) if run else "")


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(FOURS), st.lists(st.integers(0, 3), min_size=16, max_size=16))
def test_cages_have_the_sums_of_the_grid_they_were_made_of(
    grid: list[int], steps: list[int]
) -> None:
    # Each cell joins the cage of its left or upper neighbor, unless that already has its value.
    labels = list(range(16))
    for cell, step in enumerate(steps):
        other = {1: cell - 1 if cell % 4 else -1, 2: cell - 4}.get(step, -1)
        if other >= 0:
            cage = [place for place in range(16) if labels[place] == labels[other]]
            if grid[cell] not in [grid[place] for place in cage]:
                labels[cell] = labels[other]
    cages = [[cell for cell in range(16) if labels[cell] == label] for label in set(labels)]
    sums = [0] * 16
    for cage in cages:
        sums[cage[-1]] = sum(grid[cell] for cell in cage)
    (puzzle,) = parse(f"2x2k:p,{blocks_of(labels)},{numbers_of(sums)}")
    assert isinstance(puzzle, Puzzle), puzzle
    expected = {
        tuple(other)
        for other in FOURS
        if all(
            sum(other[cell] for cell in cage) == sums[cage[-1]]
            and len({other[cell] for cell in cage}) == len(cage)
            for cage in cages
        )
    }
    assert set(solve(puzzle, limit=300).listed) == expected
    assert tuple(grid) in expected


def test_letter_of_a_difficulty_is_no_flag() -> None:
    (plain,), (difficult,) = parse("2x2:1e3b2e4"), parse("2x2dx:1e3b2e4")
    assert difficult == plain
