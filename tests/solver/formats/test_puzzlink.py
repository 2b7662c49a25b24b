"""puzz.link URLs with numbers and runs of empty cells, encoded here as its sites do."""

from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Puzzle, parse

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def packed(cells: list[int]) -> str:
    """Encode cells, with letters from g (1) to z (20) for runs of empty cells (0)."""
    written, run = "", 0
    for cell in [*cells, -1]:
        if cell == 0:
            run += 1
            continue
        while run:
            written += DIGITS[min(run, 20) + 15]
            run -= min(run, 20)
        if cell > 0:
            written += f"{cell:x}" if cell < 16 else f"-{cell:x}"
    return written


@given(st.sampled_from([4, 6, 9, 16, 25]).flatmap(
    lambda size: st.lists(st.sampled_from([0, 0, 0, 1, 2, size - 1, size]),
                          min_size=size**2, max_size=size**2)),
    st.sampled_from(["https://puzz.link/p?", "http://pzv.jp/p.html?", "https://puzz.link/p?v:/"]),
)  # fmt: skip
@settings(deadline=None, max_examples=50)
def test_numbers_and_runs_of_blanks_are_unpacked(cells: list[int], site: str) -> None:
    size = round(len(cells) ** 0.5)
    version, site = ("v:/" if site.endswith("v:/") else "", site.removesuffix("v:/"))
    (puzzle,) = parse(f"{site}sudoku/{version}{size}/{size}/{packed(cells)}")
    assert isinstance(puzzle, Puzzle), puzzle
    assert list(puzzle.givens) == cells
    assert len(puzzle.layout.boxes) == size
