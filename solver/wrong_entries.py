"""Find the entries of an unsolvable puzzle that are probably wrong.

Without any one of them, the puzzle has exactly one solution.
"""

from collections.abc import Collection

import numpy as np

from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.engines.engine import StopFlag
from solver.solving import solve_many

_MOST_SUSPECTS = 3  # entries that may be wrong; more are not worth naming
_MOST_ENTRIES = 100
_MOST_GUESSES = 1_000  # for each entry that is removed


def wrong_entries_advice(
    puzzle: Puzzle, *, among: Collection[int] | None = None, stop: StopFlag | None = None
) -> str | None:
    """Name up to three entries of an unsolvable puzzle of which one may be wrong.

    The text continues a sentence about the missing solution: "It would have exactly one without the
    5 in r1c3, so check this entry". Returns None if `wrong_entries` finds none or more than three.
    `among` and `stop` are as for `wrong_entries`.
    """
    cells = wrong_entries(puzzle, among=among, stop=stop)
    if not 0 < len(cells) <= _MOST_SUSPECTS:
        return None
    entries = [
        f"the {puzzle.symbols.values[puzzle.givens[cell] - 1]} in {puzzle.layout.cell_name(cell)}"
        for cell in cells
    ]
    check = "check this entry" if len(entries) == 1 else "check these entries"
    return f"It would have exactly one without {' or '.join(entries)}, so {check}"


def wrong_entries(
    puzzle: Puzzle, *, among: Collection[int] | None = None, stop: StopFlag | None = None
) -> list[int]:
    """Return the filled cells of an unsolvable puzzle that leave exactly one solution when emptied.

    Each filled cell is emptied alone, or only those in `among`. The list is empty if no cell is
    found, if there are too many to try, if the puzzle has pencil marks, if a short search doesn't
    prove that it is unsolvable, or if `stop` ended the search early.
    """
    filled = [cell for cell, value in enumerate(puzzle.givens) if value]
    cells = filled if among is None else [cell for cell in filled if cell in among]
    if puzzle.candidates is not None or not 0 < len(cells) <= _MOST_ENTRIES:
        return []
    grids = np.tile(np.array(puzzle.givens, np.uint8), (len(cells) + 1, 1))  # the last is whole
    grids[np.arange(len(cells)), cells] = 0
    batch = solve_many(grids, layout=puzzle.layout, limit=2, step_limit=_MOST_GUESSES, stop=stop)
    if len(batch) < len(grids):
        return []
    solved = (batch.outcomes[:-1] == Outcome.SOLVED).tolist()
    if batch.outcomes[-1] not in (Outcome.UNSOLVABLE, Outcome.INVALID):
        return []
    return [cell for cell, is_solved in zip(cells, solved, strict=True) if is_solved]
