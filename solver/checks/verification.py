"""Checks of many puzzles and answers at once; compiled for plain 9×9 boards, where it can be."""

import logging
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Batch, Outcome
from solver.checks import grids

logger = logging.getLogger(__name__)

_CLASSIC = Layout.boxed(3, 3)


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return what `solver.checks.grids.have_conflicts` does, faster for plain 9×9 puzzles."""
    if layout is _CLASSIC and is_compiled():
        from solver.checks import classic

        return classic.have_conflicts(givens)
    return grids.have_conflicts(layout, givens)


def are_solutions(
    layout: Layout, givens: NDArray[np.uint8], solutions: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return what `solver.checks.grids.are_solutions` does, faster for plain 9×9 puzzles."""
    if layout is _CLASSIC and is_compiled():
        from solver.checks import classic

        return classic.are_solutions(givens, solutions)
    return grids.are_solutions(layout, givens, solutions)


def warm_up() -> None:
    """Compile the checks, or load them from the cache on disk."""
    is_compiled()


@cache
def is_compiled() -> bool:
    """Return whether the fast checks compile here and say what the plain ones do."""
    blank = np.zeros((1, 81), np.uint8)
    try:
        from solver.checks import classic

        if classic.have_conflicts(blank)[0] or classic.are_solutions(blank, blank)[0]:
            raise ArithmeticError("a blank grid is no solution, and has no conflict")
    except Exception:
        # Whatever a compiler may stumble over here, the plain checks need none.
        logger.warning("the fast checks do not work here; using the plain ones", exc_info=True)
        return False
    return True


def verified(
    layout: Layout,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
) -> Batch:
    """Return the batch with every answer that breaks a rule turned into `failed`."""
    answered = batch.counts > 0
    asked, solutions = givens[: len(batch)], batch.solutions
    if np.count_nonzero(answered) == len(batch):  # no copies then
        wrong = ~are_solutions(layout, asked, solutions)
    else:
        wrong = np.zeros(len(batch), np.bool_)
        wrong[answered] = ~are_solutions(layout, asked[answered], solutions[answered])
    if candidates is not None:
        grids = solutions[:, : layout.cells]
        wrong |= answered & ~_are_among(candidates[: len(batch)], grids)
    for row, listed in enumerate(batch.listed or ()):
        same_givens = np.broadcast_to(givens[row], (len(listed), layout.cells))
        wrong[row] |= not are_solutions(layout, same_givens, listed).all()
        if candidates is not None:
            wrong[row] |= not _are_among(candidates[row], listed[:, : layout.cells]).all()
    if not np.count_nonzero(wrong):
        return batch
    logger.error("%d answers of an engine did not pass verification", int(wrong.sum()))
    blank = np.zeros((0, solutions.shape[1]), np.uint8)
    return Batch(
        outcomes=np.where(wrong, np.uint8(Outcome.FAILED), batch.outcomes),
        solutions=np.where(wrong[:, None], np.uint8(0), batch.solutions),
        counts=np.where(wrong, 0, batch.counts),
        steps=batch.steps,
        listed=None
        if batch.listed is None
        else tuple(blank if wrong[row] else array for row, array in enumerate(batch.listed)),
    )


def _are_among(candidates: NDArray[np.uint64], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which full grids (n, cells) have nothing but candidates."""
    shifts = np.maximum(grids, 1).astype(np.uint64) - np.uint64(1)
    kept = (candidates >> shifts) & np.uint64(1) > 0
    return np.asarray(kept.all(axis=1))
