"""Sudoku Explainer's ratings (ER, EP, ED) alone, and its solving path for one puzzle."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.logic.board import Ints, Words
from solver.logic.deduction import Deduction, read
from solver.logic.deduction_buffer import new_buffer, written
from solver.logic.deduction_rows import BASE, COVER, RATING
from solver.logic.sudoku_explainer.houses import HOUSE_CELLS
from solver.logic.sudoku_explainer.rules import rules_of
from solver.logic.sudoku_explainer.state import ALL_VALUES, RATED
from solver.logic.sudoku_explainer.variants import CLASSIC

_LAYOUT = Layout.boxed(3, 3)
_NUMBERS = {frozenset(house.cells): number for number, house in enumerate(_LAYOUT.houses)}
_HOUSES = np.array([_NUMBERS.get(frozenset(cells), -1) for cells in HOUSE_CELLS.tolist()])
_ALL_LEFT = np.full(81, ALL_VALUES, np.int64)
_PROGRESS = np.dtype([("values", "u1", 81), ("candidates", "i2", 81), ("rated", RATED)])


class Ratings(NamedTuple):
    """ER, EP, and ED of n puzzles, in tenths (see `solver.logic.rating.difficulty`).

    Each array has the shape (n,) and the dtype int32. If the techniques don't solve a puzzle, its
    `er` is 200. Then `ep` is 0 if no step placed a value, and `ed` is 0 if there was no step.
    """

    er: NDArray[np.int32]
    ep: NDArray[np.int32]
    ed: NDArray[np.int32]


class Step(NamedTuple):
    """A deduction of the solving path, with Sudoku Explainer's rating of it."""

    rating: float
    deduction: Deduction


def new_memory(variant: frozenset[str] = CLASSIC) -> Any:
    """Return working memory that can be used for any number of puzzles, one after the other.

    `variant` are the names of the rules of their board (see `variants.variant_of`).
    """
    from solver.logic.sudoku_explainer import solving_order

    memory = np.zeros(1, solving_order.MEMORY)[0]
    for search in (memory["outer"], memory["inner"]):
        search["state"]["rules"] = search["tree"]["state"]["rules"] = rules_of(variant)
    return memory


def rate_many(
    givens: NDArray[np.uint8],
    *,
    variant: frozenset[str] = CLASSIC,
    stop: StopFlag,
    memory: Any | None = None,
    progress: NDArray[np.uint8] | None = None,
) -> Ratings:
    """Rate puzzles (n, 81), 0 for empty cells, with one solution each.

    `variant` are the names of the rules of their board (see `variants.variant_of`).

    If `stop` is raised, the result can contain fewer than n ratings. FINISH takes effect after the
    current puzzle, so at least one puzzle is rated. ABANDON takes effect during a puzzle, which
    isn't rated.

    Pass `memory`, created for the same variant, to reuse it between calls, and to get the progress
    on an abandoned puzzle with `progress_of`. To resume, pass this progress as `progress`, with the
    puzzle as the first one.
    """
    from solver.logic.sudoku_explainer import solving_order

    ratings = np.zeros((len(givens), 3), np.int32)
    rows = np.ascontiguousarray(givens, np.uint8).reshape(-1, 81)
    memory = new_memory(variant) if memory is None else memory
    memory["is_begun"] = progress is not None
    if progress is not None:
        (begun,) = progress.view(_PROGRESS)
        solving_order.start(begun["values"], begun["candidates"].astype(np.int64), memory)
        memory["rated"] = begun["rated"]
    done = solving_order.rate(rows, memory, new_buffer(), stop, ratings, False)
    return Ratings(*ratings[:done].T)


def progress_of(memory: Any) -> NDArray[np.uint8]:
    """Return the progress on a puzzle that `rate_many` abandoned, as bytes.

    `memory` is the working memory that was passed to it.
    """
    progress = np.zeros(1, _PROGRESS)
    state = memory["outer"]["state"]
    progress["values"], progress["candidates"] = state["values"], state["cells"]
    progress["rated"] = memory["rated"]
    return progress.view(np.uint8)


def step_rows(
    givens: NDArray[np.uint8], *, left: NDArray[np.int64] = _ALL_LEFT, stop: StopFlag
) -> Iterator[NDArray[np.int32]]:
    """Yield the rows of each deduction that solves a puzzle (81,), including its rating.

    Each array contains the rows of one deduction (see `deduction_rows`). `left` (81,) are the
    candidates that earlier deductions have left in each cell, as bits. Ends early where Sudoku
    Explainer's techniques find nothing, or if `stop` is ABANDON.
    """
    from solver.logic.sudoku_explainer import solving_order

    memory, buffer = new_memory(), new_buffer()
    no_givens = np.zeros((0, 81), np.uint8)
    rating = np.zeros((1, 3), np.int32)
    solving_order.start(np.ascontiguousarray(givens, np.uint8), left, memory)
    while (memory["outer"]["state"]["values"] == 0).any() and stop[0] != ABANDON:
        solving_order.rate(no_givens, memory, buffer, stop, rating, True)
        if rating[0, 0] == 0:
            return
        rated = np.array([RATING, rating[0, 0], 0], np.int32)
        yield np.concatenate([_numbered(buffer), rated])


def step_from(
    values: Ints, candidates: Words, buffer: Ints, *, stop: StopFlag, memory: Any
) -> Ints:
    """Search for the next deduction on a grid. Return its rows, or an empty array if there is none.

    `values` (81,) are 0 for open cells. `candidates` (81,) are bits, 0 for filled cells. The
    deduction is also written to `buffer`. `memory` comes from `new_memory`. If `stop` is ABANDON,
    there may be no deduction.
    """
    from solver.logic.sudoku_explainer import solving_order

    solving_order.start(values.astype(np.uint8), candidates.astype(np.int64), memory)
    rating = np.zeros((1, 3), np.int32)
    solving_order.rate(np.zeros((0, 81), np.uint8), memory, buffer, stop, rating, True)
    return _numbered(buffer) if rating[0, 0] else buffer[:0]


def steps(givens: NDArray[np.uint8], *, left: NDArray[np.int64] = _ALL_LEFT) -> Iterator[Step]:
    """Yield the deductions that solve a puzzle (81,), each with its rating.

    `left` (81,) are the candidates that earlier deductions have left in each cell, as bits. Ends
    early where Sudoku Explainer's techniques find nothing.
    """
    for rows in step_rows(givens, left=left, stop=np.full(1, GO_ON, np.uint8)):
        (deduction,) = read(rows)
        yield Step(deduction.rating or 0.0, deduction)


def _numbered(buffer: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a copy of the rows in a buffer, with house numbers as in the layout.

    The rows in the buffer have Sudoku Explainer's house numbers.
    """
    rows = written(buffer).copy()
    tags, numbers = rows[::3], rows[1::3]
    is_house = (tags == BASE) | (tags == COVER)
    numbers[is_house] = _HOUSES[numbers[is_house]]
    return rows
