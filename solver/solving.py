"""Solving: picks the engine, refuses givens that conflict, verifies every answer."""

import logging
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Batch, Outcome, Result, decide_unique
from solver.checks.grids import find_conflict
from solver.engines.classic.engine import ClassicEngine
from solver.engines.engine import GO_ON, Engine, StopFlag
from solver.engines.general.engine import GeneralEngine
from solver.formats import parse

logger = logging.getLogger(__name__)

# The first engine that accepts a layout solves it.
ENGINES: tuple[Engine, ...] = (ClassicEngine(), GeneralEngine())

_CLASSIC = Layout.boxed(3, 3)


def engine_for(layout: Layout, *, candidates: bool = False) -> Engine:
    """Return the engine for a layout, for puzzles with candidates if need be."""
    return next(engine for engine in ENGINES if engine.accepts(layout, candidates=candidates))


def warm_up() -> None:
    """Make every engine ready, so that the first puzzle does not wait for a compiler."""
    for engine in ENGINES:
        engine.warm_up()


def solve(puzzle: Puzzle | str, *, limit: int = 2, step_limit: int = 1_000_000) -> Result:
    """Solve one puzzle, or the one puzzle in a text of any format."""
    if isinstance(puzzle, str):
        found = parse(puzzle)
        if len(found) != 1:
            return Result(Outcome.INVALID, detail=f"{len(found)} puzzles where one was expected")
        if isinstance(found[0], Invalid):
            return Result(Outcome.INVALID, detail=found[0].detail)
        puzzle = found[0]
    givens = np.array([puzzle.givens], np.uint8)
    marked = puzzle.candidates
    candidates = None if marked is None else np.array([marked], np.uint64)
    batch = solve_many(
        givens, layout=puzzle.layout, limit=limit, step_limit=step_limit, candidates=candidates
    )
    outcome, count = Outcome(int(batch.outcomes[0])), int(batch.counts[0])
    detail = None
    if outcome is Outcome.INVALID:
        detail = find_conflict(puzzle.layout, givens[0], puzzle.symbols)
    listed = batch.listed[0].tolist() if batch.listed is not None else []
    return Result(
        outcome,
        solution=tuple(batch.solutions[0].tolist()) if count else None,
        solutions=count,
        unique=decide_unique(outcome, count, limit=limit),
        steps=int(batch.steps[0]),
        detail=detail,
        listed=tuple(tuple(solution) for solution in listed),
    )


def solve_many(
    givens: NDArray[np.uint8],
    *,
    layout: Layout = _CLASSIC,
    limit: int = 2,
    step_limit: int = 1_000_000,
    stop: StopFlag | None = None,
    candidates: NDArray[np.uint64] | None = None,
) -> Batch:
    """Solve puzzles (n, cells), 0 = blank, up to `limit` solutions and `step_limit` guesses.

    `candidates` (n, cells) are the values left to each cell, as bits, bit 0 for 1; all if None.
    Givens that conflict are `invalid`. The batch is shorter than n only when `stop` was
    raised meanwhile, see `solver.engines.engine`. Raises ValueError for arrays of another shape.
    """
    if givens.ndim != 2 or givens.shape[1] != layout.cells:
        raise ValueError(f"givens must have the shape (n, {layout.cells}), not {givens.shape}")
    stop = np.full(1, GO_ON, np.uint8) if stop is None else stop
    engine = engine_for(layout, candidates=candidates is not None)
    invalid = engine.have_conflicts(layout, givens)
    if not invalid.any():
        batch = engine.solve_many(
            layout, givens, limit=limit, step_limit=step_limit, stop=stop, candidates=candidates
        )
        return _verified(engine, layout, givens, batch, candidates)
    asked = np.flatnonzero(~invalid)
    left = None if candidates is None else candidates[asked]
    batch = engine.solve_many(
        layout, givens[asked], limit=limit, step_limit=step_limit, stop=stop, candidates=left
    )
    done = len(givens) if len(batch) == len(asked) else int(asked[len(batch)])
    return _spread(_verified(engine, layout, givens[asked], batch, left), asked, done)


def _verified(
    engine: Engine,
    layout: Layout,
    givens: NDArray[np.uint8],
    batch: Batch,
    candidates: NDArray[np.uint64] | None,
) -> Batch:
    """Return the batch with every answer that breaks a rule turned into `failed`."""
    wrong = np.zeros(len(batch), np.bool_)
    found = batch.counts > 0
    if found.all():
        wrong = ~engine.are_solutions(layout, givens[: len(batch)], batch.solutions)
    else:
        wrong[found] = ~engine.are_solutions(
            layout, givens[: len(batch)][found], batch.solutions[found]
        )
    if candidates is not None:
        wrong |= found & ~_are_among(candidates[: len(batch)], batch.solutions)
    for row, listed in enumerate(batch.listed or ()):
        same_givens = np.broadcast_to(givens[row], listed.shape)
        wrong[row] |= not engine.are_solutions(layout, same_givens, listed).all()
        if candidates is not None:
            wrong[row] |= not _are_among(candidates[row], listed).all()
    if not wrong.any():
        return batch
    logger.error("%d answers of an engine did not pass verification", int(wrong.sum()))
    blank = np.zeros((0, layout.cells), np.uint8)
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


def _spread(batch: Batch, asked: NDArray[np.int64], done: int) -> Batch:
    """Return a batch of `done` rows: the given rows at the places asked, `invalid` elsewhere."""
    places = asked[: len(batch)]
    cells = batch.solutions.shape[1]
    outcomes = np.full(done, Outcome.INVALID, np.uint8)
    solutions = np.zeros((done, cells), np.uint8)
    counts, steps = np.zeros(done, np.int64), np.zeros(done, np.int64)
    outcomes[places], solutions[places] = batch.outcomes, batch.solutions
    counts[places], steps[places] = batch.counts, batch.steps
    listed = None
    if batch.listed is not None:
        rows = [np.zeros((0, cells), np.uint8)] * done
        for place, array in zip(cast("list[int]", places.tolist()), batch.listed, strict=True):
            rows[place] = array
        listed = tuple(rows)
    return Batch(outcomes, solutions, counts, steps, listed)
