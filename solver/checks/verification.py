"""Checks of many puzzles and solutions at once, compiled where possible."""

import logging
from functools import cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Batch, Outcome
from solver.checks import grids

logger = logging.getLogger(__name__)

_CLASSIC = Layout.boxed(3, 3)
# The bit of each value; 0 is a hole, for which any candidates will do.
_BITS = np.array([2**64 - 1, *(1 << place for place in range(64))], np.uint64)


def have_conflicts(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Like `solver.checks.grids.have_conflicts`, but faster."""
    compiled = _compiled_checks()
    if compiled is None:
        return grids.have_conflicts(layout, givens)
    classic, boards = compiled
    conflicting: NDArray[np.bool_] = (
        classic.have_conflicts(givens)
        if layout is _CLASSIC
        else boards.have_conflicts(layout, givens)
    )
    return conflicting


def are_solutions(
    layout: Layout, givens: NDArray[np.uint8], solutions: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Like `solver.checks.grids.are_solutions`, but faster."""
    compiled = _compiled_checks()
    if compiled is None:
        return grids.are_solutions(layout, givens, solutions)
    classic, boards = compiled
    if layout is _CLASSIC:
        right: NDArray[np.bool_] = classic.are_solutions(givens, solutions)
        return right
    filled = boards.are_filled(layout, givens, solutions[:, : layout.cells])
    return grids.keeping_constraints(layout, solutions, filled)


def warm_up() -> None:
    """Compile the checks, or load them from the cache on disk."""
    _compiled_checks()


@cache
def _compiled_checks() -> tuple[ModuleType, ModuleType] | None:
    """Return the compiled checks of classic and other boards; None if they don't work here."""
    lone = np.zeros((1, 81), np.uint8)
    lone[0, 0] = 1
    try:
        from solver.checks import boards, classic

        found = (
            classic.have_conflicts(lone)[0],
            classic.are_solutions(lone, lone)[0],
            boards.have_conflicts(_CLASSIC, lone)[0],
            boards.are_filled(_CLASSIC, lone, lone)[0],
        )
        if any(found):
            raise ArithmeticError("a lone given is no solution, and has no conflict")
    except Exception:
        # Any compiler error ends here, because the NumPy checks don't need a compiler.
        logger.warning("the fast checks do not work here; using the plain ones", exc_info=True)
        return None
    return classic, boards


def verified(
    layout: Layout,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
) -> Batch:
    """Return the batch with the outcome `failed` for every solution that breaks a rule."""
    asked, solutions = givens[: len(batch)], batch.solutions
    if np.count_nonzero(batch.counts) == len(batch):  # avoids copies
        right = are_solutions(layout, asked, solutions)
    else:
        answered = batch.counts > 0
        right = np.ones(len(batch), np.bool_)
        right[answered] = are_solutions(layout, asked[answered], solutions[answered])
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
    logger.error("%d answers of an engine did not pass verification", np.count_nonzero(~right))
    blank = np.zeros((0, solutions.shape[1]), np.uint8)
    return Batch(
        outcomes=np.where(right, batch.outcomes, np.uint8(Outcome.FAILED)),
        solutions=np.where(right[:, None], solutions, np.uint8(0)),
        counts=np.where(right, batch.counts, 0),
        steps=batch.steps,
        listed=None
        if batch.listed is None
        else tuple(array if right[row] else blank for row, array in enumerate(batch.listed)),
    )


def _are_among(candidates: NDArray[np.uint64], grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which full grids (n, cells) have only candidates in their cells."""
    return np.asarray((candidates & _BITS.take(grids) > 0).all(axis=1))
