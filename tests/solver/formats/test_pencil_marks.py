import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import solutions

from solver import Invalid, Puzzle, parse, solve
from solver.board.layout import usual_box
from solver.formats import Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Recognized
from solver.formats.grids.pencilmarks import PencilmarksFormat

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# About twelve solutions. Candidates reduce their number.
OPEN = "..4..8.1.6..1..34.19.342.6...97..423426.537.1.1.....5.9.15...84287...6.534..8...9"


def write(cells: list[set[int]], blank: str = ".") -> str:
    return "".join(str(v) if v in cell else blank for cell in cells for v in range(1, 10))


def test_cells_with_one_candidate_are_givens() -> None:
    found = parse(PencilmarksFormat.example)[0]
    assert isinstance(found, Puzzle)
    assert str(found) == EASY
    assert solve(found).solution == solve(EASY).solution


@given(
    st.sets(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=12), st.sampled_from(".0-")
)
@settings(max_examples=40, deadline=None)
def test_solutions_have_no_value_that_is_not_marked(
    removed: set[tuple[int, int]], blank: str
) -> None:
    cells = [{int(c)} if c != "." else set(range(1, 10)) for c in OPEN]
    for cell, value in removed:
        if len(cells[cell]) > 1:
            cells[cell].discard(value)
    found = parse(write(cells, blank))[0]
    assert isinstance(found, Puzzle)
    every = list(solutions([int(c) if c != "." else 0 for c in OPEN], (3, 3)))
    right = [grid for grid in every if all(v in cells[i] for i, v in enumerate(grid))]
    assert {tuple(grid) for grid in right} == set(solve(found, limit=100).listed)


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("1" * 728, "728 characters, expected 729"),
        (".........123456789" + "123456789" * 79, "r1c1 has no candidates"),
        ("213456789" * 81, "r1c1: expected its candidates in order, got '2'"),
        ("12345678x" + "123456789" * 80, "r1c1: expected its candidates in order, got 'x'"),
    ],
)
def test_broken_marks_are_invalid_with_the_place(text: str, detail: str) -> None:
    found = parse(text, format="pencilmarks")[0]
    assert isinstance(found, Invalid)
    assert found.detail == detail


def line_of(size: int, blank: str = ".") -> tuple[str, list[int]]:
    """Return a line with the candidates of a puzzle's cells, and the solution.

    The candidates of a cell are 1 and its value in the solution.
    """
    wide = 1 if size < 10 else 2
    high, across = usual_box(size) or (1, size)
    cells = [(r * across + r // high + c) % size for r in range(size) for c in range(size)]
    line = "".join(
        str(value + 1).rjust(wide, "0") if value in (cell, 0) else blank * wide
        for cell in cells
        for value in range(size)
    )
    return line, [cell + 1 for cell in cells]


@pytest.mark.parametrize("size", [4, 6, 8, 10, 16])
@pytest.mark.parametrize("blank", [".", "0"])
def test_boards_of_other_sizes_are_read(size: int, blank: str) -> None:
    line, cells = line_of(size, blank)
    (puzzle,) = parse(f"{line}\n", variant=("antiking",) if size == 6 else ())
    assert isinstance(puzzle, Puzzle)
    assert puzzle.layout.size == size
    assert puzzle.candidates == tuple(1 | 1 << cell - 1 for cell in cells)
    assert sum(map(bool, puzzle.givens)) == size  # the cells whose only candidate is 1


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("12345." * 36, None),
        ("12345." * 35, "210 characters, expected 729"),
        ("21" + "." * 214, "r1c1: expected its candidates in order, got '2'"),
        ("123456" + "." * 210, "r1c2 has no candidates"),
    ],
)
def test_broken_marks_of_other_sizes_are_invalid(text: str, detail: str | None) -> None:
    (puzzle,) = parse(text[:216], format="pencilmarks")
    assert (puzzle.detail if isinstance(puzzle, Invalid) else None) == detail


@pytest.mark.parametrize(("size", "cell"), [(8, "1"), (16, "01")])
def test_lines_of_givens_stay_such(size: int, cell: str) -> None:
    (puzzle,) = parse(cell + "." * (size * size * len(cell) - len(cell)))
    assert isinstance(puzzle, Puzzle)
    assert (puzzle.layout.size, puzzle.candidates) == (size, None)


FRAMES = {
    "dots": (".---------.---------.---------.", ":---------+---------+---------:",
             "'---------'---------'---------'", "|"),
    "lines": ("┌─────────┬─────────┬─────────┐", "├─────────┼─────────┼─────────┤",
              "└─────────┴─────────┴─────────┘", "│"),
    "double": ("╔═════════╤═════════╤═════════╗", "╟─────────┼─────────┼─────────╢",
               "╚═════════╧═════════╧═════════╝", "║"),
}  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_around_candidates_are_no_titles(frame: str) -> None:
    top, middle, bottom, bar = FRAMES[frame]
    cells = [given if given != "." else "123456789" for given in OPEN]
    lines = [top]
    for row in range(9):
        parts = (" ".join(cells[9 * row + 3 * n : 9 * row + 3 * n + 3]) for n in range(3))
        lines.append(bar + bar.join(f" {part} " for part in parts) + bar)
        lines += [middle] if row in (2, 5) else []
    text = "\n".join([*lines, bottom]) + "\n"
    data = f"{text}{text}\nThe third\n{text}".encode()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    splitter = Splitter(recognized)
    (block,) = [*splitter.feed(data), *splitter.close()]
    records = read_block(
        block, format="pencilmarks", context=recognized.context, options=ReadOptions()
    )
    assert (len(records), records.invalid, records.names) == (3, {}, {2: "The third"})
    assert [str(puzzle) for puzzle in parse(data.decode())] == [OPEN] * 3
