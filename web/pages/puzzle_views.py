"""Arrange the views of a result: the puzzle, its candidates, its solution, and differences.

The last view shows where several solutions differ. The board is drawn once. Elements that appear
only in some views are overlays, which the style sheet shows or hides.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.board.true_candidates import TrueCandidates
from web.boards.canvas import Shape
from web.boards.coordinates import with_coordinates
from web.boards.deduction_drawing import LARGEST_SIZE, any_value, pencil_marks
from web.boards.drawing import Drawing
from web.boards.geometry import outline
from web.boards.several_values import several_values
from web.boards.svg import Overlay, Picture, Text, make_picture
from worker.records.boards import StoredBoard

_UNDECIDED = "Some values were not decided within the maximum number of guesses."
_MAY_DIFFER = "Empty cells may differ as well."


@dataclass(frozen=True, slots=True)
class Views:
    """A board with its overlays, and the titles of its views by name, in the order of the page.

    The first view is shown initially. `names` is empty if the puzzle itself is the only view.
    `any_value` is the text in cells that can have any value, or "" if there are no such cells.
    """

    picture: Picture
    names: dict[str, str]
    any_value: str


@dataclass(frozen=True, slots=True)
class Differences:
    """Cells in which the solutions of a puzzle differ, as far as that is proven.

    values   for each cell, its values in the known solutions, or () if there is only one
    agreed   cells that are proven to have the same value in all solutions
    note     why other cells may differ, too, or None if no other cell can
    """

    values: tuple[tuple[int, ...], ...]
    agreed: frozenset[int]
    note: str | None

    @property
    def cells(self) -> frozenset[int]:
        """The cells in which solutions are proven to differ."""
        return frozenset(cell for cell, values in enumerate(self.values) if values)

    @classmethod
    def of_candidates(cls, true: TrueCandidates) -> "Differences":
        """Return in which cells the solutions differ, as far as true candidates prove it.

        `true` has, for each value of each cell, the number of solutions that were found with it. A
        cell differs if two or more values occur in solutions. These values, from 1, are its entry
        in `values`. `agreed` has the cells that are proven to be the same in all solutions. `note`
        is None if it was decided for all values whether they occur.
        """
        taken = (tuple((np.flatnonzero(counts) + 1).tolist()) for counts in true.counts)
        return cls(
            tuple(values if len(values) > 1 else () for values in taken),
            frozenset(true.same_in_all),
            None if true.decided.all() else f"{_UNDECIDED} {_MAY_DIFFER}",
        )

    @classmethod
    def of_solutions(cls, grids: Sequence[Sequence[int]], *, total: int | None) -> "Differences":
        """Return the differences between some solutions of a puzzle.

        `grids` contains the solutions, with the values of their cells from 1. `total` is the number
        of all solutions of the puzzle, or None if that is unknown.
        """
        taken = [tuple(sorted({*values})) for values in zip(*grids, strict=True)]
        same = frozenset(cell for cell, values in enumerate(taken) if len(values) == 1)
        note = None
        if total is None:
            note = f"Based on {len(grids):,} solutions; there may be more. {_MAY_DIFFER}"
        elif len(grids) < total:
            note = f"Based on {len(grids):,} of {total:,} solutions. {_MAY_DIFFER}"
        values = tuple(values if len(values) > 1 else () for values in taken)
        return cls(values, same if note is None else frozenset(), note)


def views_of(
    drawing: Drawing,
    pictures: int,
    *,
    candidates: Sequence[Sequence[int]],
    are_true: bool = False,
    differences: Differences | None,
    is_unique: bool,
    has_steps: bool = False,
) -> Views:
    """Return the board of a result with all views that apply to it.

    `pictures` is the number of images that are stored for the job. `candidates` contains the values
    to show in each cell, and `are_true` states whether they are true candidates. If they aren't, a
    cell of a board with rules that can have any value has a single text, such as 1–9. Large boards
    have a view of candidates only if `has_steps` is set. `differences` are those of the puzzle's
    solutions, if there are several. `is_unique` states whether the solution is unique, and
    `has_steps` whether the page can show how a person would solve the puzzle.
    """
    board = StoredBoard(drawing.layout, drawing.symbols)
    names, overlays = {}, []
    differing = frozenset[int]() if differences is None else differences.cells
    if differences is not None and differing:
        names["differences"] = "Differences"
        several = several_values(board.layout, board.symbols, differences.values)
        same = _found(drawing, differences.agreed)
        overlays.append(Overlay("differences", (), (*several, *same)))
    names["puzzle"] = "Puzzle"
    # A solver wouldn't write down the candidates of a cell that can have any value.
    with_ranges = bool(board.layout.constraints) and not are_true
    lengths = {len(values) for values in candidates} - {0}
    says_something = bool(lengths - {board.layout.size} if with_ranges else lengths)
    # Where all candidates would be too small, the keys show those of the chosen cell.
    if says_something and (board.layout.size <= LARGEST_SIZE or has_steps):
        names["candidates"] = "True candidates" if are_true else "Candidates"
        texts = pencil_marks(board.layout, board.symbols, candidates, with_ranges=with_ranges)
        overlays.append(Overlay("candidates", (), texts))
    if has_steps:
        names["steps"] = "Steps"
    # The solution comes last, because it would spoil the puzzle for users who want a hint.
    if drawing.count("found"):
        names["solution"] = "Solution" if is_unique else "A solution"
    wrong = _wrong(drawing)
    picture = with_ground(drawing, pictures, "conflict" if wrong else "differs", wrong or differing)
    picture = with_coordinates(replace(picture, overlays=tuple(overlays)), board.layout)
    has_ranges = with_ranges and board.layout.size in lengths and board.layout.size <= LARGEST_SIZE
    text = any_value(board.symbols) if has_ranges else ""
    return Views(picture, names if len(names) > 1 else {}, text)


def _found(drawing: Drawing, cells: Collection[int]) -> tuple[Text, ...]:
    """Return SVG texts with the values of the drawn solution in `cells`, except for givens."""
    columns = drawing.layout.columns
    rows = [
        [
            cell if row * columns + column in cells else replace(cell, symbol="")
            for column, cell in enumerate(line)
        ]
        for row, line in enumerate(drawing.rows)
    ]
    texts = make_picture(replace(drawing, rows=rows)).texts
    return tuple(text for text in texts if text.kind == "found")


def _wrong(drawing: Drawing) -> list[int]:
    cells = [cell for row in drawing.rows for cell in row]
    return [number for number, cell in enumerate(cells) if cell.kind == "wrong"]


def with_ground(drawing: Drawing, pictures: int, kind: str, cells: Collection[int]) -> Picture:
    """Return the picture of a board in which `cells` have a colored background.

    `kind` is the CSS class of the background. `pictures` is the number of images that are stored
    for the job.
    """
    picture = make_picture(drawing, pictures)
    if not cells:
        return picture
    ground, *others = picture.shapes
    columns = drawing.layout.columns
    marked = Shape(kind, outline(divmod(cell, columns) for cell in sorted(cells)))
    return replace(picture, shapes=(ground, marked, *others))
