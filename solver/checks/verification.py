"""Verify many puzzles and solutions at once. It shares no code with the engines."""

import logging
from functools import cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Batch, Outcome
from solver.checks import boards
from solver.checks.constraints import keeping_constraints

logger = logging.getLogger(__name__)

_CLASSIC = Layout.boxed(3, 3)
# The bit of each value. 0 is a hole, for which all candidates are allowed.
_BITS = np.array([2**64 - 1, *(1 << place for place in range(64))], np.uint64)


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the puzzles (n, cells), 0 = empty, that have a conflict.

    In a conflict, a value repeats in a house or in a pair of cells that must differ, or is above
    the board's size.
    """
    if layout is _CLASSIC and (classic := _classic_checks()) is not None:
        conflicting: NDArray[np.bool_] = classic.have_conflicts(givens)
        return conflicting
    return boards.have_conflicts(layout, givens)


def are_solutions(
    layout: Layout, givens: NDArray[np.uint8], solutions: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return a mask (n,) of the grids (n, cells) that solve their puzzles.

    `givens` are the puzzles (n, cells), 0 = empty. A grid solves the puzzle with the same index.
    In `solutions`, the values of variables can follow the cells. Without them, constraints on
    variables aren't checked.
    """
    if layout is _CLASSIC and (classic := _classic_checks()) is not None:
        right: NDArray[np.bool_] = classic.are_solutions(givens, solutions)
        return right
    filled = boards.are_filled(layout, givens, solutions[:, : layout.cells])
    return keeping_constraints(layout, solutions, filled)


def is_solution(layout: Layout, givens: NDArray[np.uint8], grid: NDArray[np.uint8]) -> bool:
    """Return whether a grid (cells,) solves the puzzle with these givens (cells,), 0 = empty."""
    return bool(are_solutions(layout, givens[None], grid[None])[0])


def warm_up() -> None:
    """Compile the checks of houses and pairs and those of classic grids, or load them from disk."""
    blank = np.zeros((1, _CLASSIC.cells), np.uint8)
    blank[0, 0] = 1
    boards.have_conflicts(_CLASSIC, blank)
    _classic_checks()


@cache
def _classic_checks() -> ModuleType | None:
    """Return the module with the fast checks of 9×9 grids, or None if it doesn't work here.

    On some processors, its vector instructions don't compile. The first call tries them, and logs a
    warning if they don't work.
    """
    lone = np.zeros((1, _CLASSIC.cells), np.uint8)
    lone[0, 0] = 1
    try:
        from solver.checks import classic

        if classic.have_conflicts(lone)[0] or classic.are_solutions(lone, lone)[0]:
            raise ArithmeticError("a grid with one given is neither a conflict nor a solution")
    except Exception:
        # Catches all compiler errors.
        logger.warning("the fast checks of 9×9 grids don't work here", exc_info=True)
        return None
    return classic


def verified(
    layout: Layout,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
) -> Batch:
    """Check the solutions in an engine's batch. Return it with the outcome `failed` for wrong ones.

    A puzzle fails if its solution or one of its listed solutions is wrong. In the result, its
    solutions are removed, and its count is 0. Steps and the checkpoint stay. Failures are logged.
    If no puzzle fails, the batch itself is returned.

    givens      (n, cells) at least as many puzzles as the batch has results, 0 = empty
    candidates  (n, cells) the puzzles' pencil marks as bit masks (bit 0 = value 1), or None
    """
    own_givens, solutions = givens[: len(batch)], batch.solutions
    if np.count_nonzero(batch.counts) == len(batch):  # avoids copies
        right = are_solutions(layout, own_givens, solutions)
    else:
        solved = batch.counts > 0
        right = np.ones(len(batch), np.bool_)
        right[solved] = are_solutions(layout, own_givens[solved], solutions[solved])
    if candidates is not None:
        grids = solutions[:, : layout.cells]
        right &= (batch.counts == 0) | _are_among(candidates[: len(batch)], grids)
    for row, listed in enumerate(batch.listed or ()):
        same_givens = givens[row : row + 1].repeat(len(listed), axis=0)
        right[row] &= are_solutions(layout, same_givens, listed).all()
        if candidates is not None:
            right[row] &= _are_among(candidates[row], listed[:, : layout.cells]).all()
    if np.count_nonzero(right) == len(batch):
        return batch
    logger.error("%d results of an engine failed verification", np.count_nonzero(~right))
    blank = np.zeros((0, solutions.shape[1]), np.uint8)
    return Batch(
        outcomes=np.where(right, batch.outcomes, np.uint8(Outcome.FAILED)),
        solutions=np.where(right[:, None], solutions, np.uint8(0)),
        counts=np.where(right, batch.counts, 0),
        steps=batch.steps,
        listed=None
        if batch.listed is None
        else tuple(array if right[row] else blank for row, array in enumerate(batch.listed)),
        checkpoint=batch.checkpoint,  # of the next puzzle, whose search was suspended
    )


def _are_among(candidates: NDArray[np.uint64], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the full grids (n, cells) whose values all are candidates.

    `candidates` are bit masks (bit 0 = value 1): (n, cells), or (cells,) for all grids. Zeros in
    the grids, which are holes, are always allowed.
    """
    return np.asarray((candidates & _BITS.take(grids) > 0).all(axis=1))
