"""Solve puzzles: choose the engine, reject conflicting givens, and verify every result."""

from dataclasses import replace
from itertools import chain
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.puzzle import Invalid
from solver.board.result import Batch, Outcome, Result, decide_unique
from solver.checks import verification
from solver.checks.givens import find_conflict
from solver.checks.verification import have_conflicts, verified
from solver.engines.classic.engine import ClassicEngine
from solver.engines.engine import FINISH, NEVER, Engine, SolveRequest, StopFlag
from solver.engines.filling import fill, is_fillable
from solver.engines.general.engine import GeneralEngine
from solver.engines.sat.engine import SatEngine
from solver.single import PuzzleLike, single_puzzle

# The first engine that accepts a layout solves it.
ENGINES: tuple[Engine, ...] = (ClassicEngine(), GeneralEngine(), SatEngine())

_CLASSIC = Layout.boxed(3, 3)
_NO_VALUE = 255


def engine_for(layout: Layout, *, candidates: bool = False) -> Engine:
    """Return the engine for puzzles of a layout, with pencil marks if `candidates` is set."""
    return next(engine for engine in ENGINES if engine.accepts(layout, candidates=candidates))


def warm_up(*, classic_only: bool = False) -> None:
    """Prepare the checks and the engines, so that no puzzle waits for the compiler.

    With `classic_only`, only the engine for classic puzzles is prepared. That is the next one if
    the first one doesn't compile on this machine.
    """
    verification.warm_up()
    for engine in ENGINES:
        engine.warm_up()
        if classic_only and engine.accepts(_CLASSIC):
            break


def solve(source: PuzzleLike, *, limit: int = 2, step_limit: int = 1_000_000) -> Result:
    """Solve one puzzle: a Puzzle, text in any format, a file's path, an array, or nested lists.

    A string is always text, so a path must be a `Path`. The search stops after `limit` solutions or
    `step_limit` guesses. With a limit above 2, the result lists all solutions found. With a limit
    of 1, it never proves that the solution is unique. Expected failures, such as conflicting givens
    or text without exactly one puzzle, are results with the outcome `invalid`.

    Raises ValueError for a limit below 1 or a step limit below 0, TypeError for anything that can't
    be a puzzle, and OSError if a file can't be read.

    >>> solve([[1, 0, 0, 0], [0, 0, 3, 0], [0, 2, 0, 0], [0, 0, 0, 4]]).unique
    True
    """
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        return Result(Outcome.INVALID, detail=puzzle.detail)
    givens = np.array([puzzle.givens], np.uint8)
    marked = puzzle.candidates
    candidates = None if marked is None else np.array([marked], np.uint64)
    batch = solve_many(
        givens, layout=puzzle.layout, limit=limit, step_limit=step_limit, candidates=candidates
    )
    outcome, count = Outcome(batch.outcomes.item()), batch.counts.item()
    detail = None
    if outcome is Outcome.INVALID:
        detail = find_conflict(puzzle.layout, givens[0], puzzle.symbols)
    listed = batch.listed[0].tolist() if batch.listed is not None else ()
    return Result(
        outcome,
        solution=tuple(batch.solutions.ravel().tolist()) if count else None,
        solutions=count,
        unique=decide_unique(outcome, count, limit=limit),
        steps=batch.steps.item(),
        detail=detail,
        listed=tuple(map(tuple, listed)),
        regions=tuple(batch.regions[0].tolist()) if batch.regions is not None and count else None,
    )


def _check_candidates(candidates: NDArray[np.uint64], shape: tuple[int, int]) -> None:
    """Raise ValueError if candidates have another shape, and TypeError if they aren't uint64."""
    if candidates.shape != shape:
        raise ValueError(f"candidates must have the shape {shape}, not {candidates.shape}")
    if candidates.dtype != np.uint64:
        raise TypeError(f"candidates must be uint64, not {candidates.dtype}")


def solve_many(
    givens: NDArray[np.uint8],
    *,
    layout: Layout = _CLASSIC,
    limit: int = 2,
    listed: bool | None = None,
    step_limit: int = 1_000_000,
    stop: StopFlag | None = None,
    candidates: NDArray[np.uint64] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Batch:
    """Solve n puzzles of one layout, each up to `limit` solutions and `step_limit` guesses.

    givens      (n, cells) or (n, rows, columns) integers, 0 = empty
    layout      classic 9×9 by default
    candidates  (n, cells) uint64, the values allowed in each cell (bit 0 = value 1), or None

    With a limit above 2, the batch lists all solutions found, unless `listed` is False. With a
    limit of 2, it lists them only if `listed` is True. Puzzles with conflicting givens, or with
    values that the board doesn't have, get the outcome `invalid`. The batch is shorter than n only
    if `stop` was raised. For `stop` and `checkpoint`, see `solver.engines.engine`. Raises
    ValueError for arrays of another shape, a limit below 1, or a step limit below 0, and TypeError
    for givens that aren't integers and candidates that aren't uint64.
    """
    givens = np.asarray(givens)
    if limit < 1 or step_limit < 0:
        raise ValueError(
            f"limit must be 1 or more, and step_limit 0 or more, not {limit} and {step_limit}"
        )
    board = layout.rows, layout.columns
    if givens.ndim == 3 and givens.shape[1:] == board:
        givens = givens.reshape(len(givens), layout.cells)
    if givens.ndim != 2 or givens.shape[1] != layout.cells:
        raise ValueError(
            f"givens must have the shape (n, {layout.cells}) or (n, {board[0]}, {board[1]}), "
            f"not {givens.shape}"
        )
    if givens.dtype.kind not in "iu":
        raise TypeError(
            f"givens must be integers such as uint8, with 0 for an empty cell, not {givens.dtype}"
        )
    if candidates is not None:
        _check_candidates(candidates, (len(givens), layout.cells))
    if givens.dtype != np.uint8:  # Values that don't fit must not wrap around.
        givens = np.where((givens >= 0) & (givens < _NO_VALUE), givens, _NO_VALUE).astype(np.uint8)
    request = SolveRequest(
        layout=layout,
        givens=givens,
        candidates=candidates,
        limit=limit,
        listed=listed,
        step_limit=step_limit,
        stop=NEVER if stop is None else stop,
        checkpoint=checkpoint,
    )
    invalid = have_conflicts(layout, givens)
    if not np.count_nonzero(invalid):
        return _verified(request)
    valid = np.flatnonzero(~invalid)
    batch = _verified(request.rows(valid))
    done = len(request) if len(batch) == len(valid) else int(valid[len(batch)])
    return _spread(batch, valid, done)


def _verified(request: SolveRequest) -> Batch:
    """Solve puzzles without conflicts, and check all solutions.

    Wrong solutions get the outcome `failed`. The values of variables are removed from solutions,
    and the regions that they encode are added.
    """
    layout = request.layout
    batch = verified(layout, request.givens, _search(request), request.candidates)
    return _of_grid(batch, layout)


def _search(request: SolveRequest) -> Batch:
    """Solve puzzles whose givens have no conflicts.

    Large boards with few givens are filled in directly. An engine solves all others. The batch is
    shorter than the request if the request's `stop` ends the search.
    """
    engine = engine_for(request.layout, candidates=request.candidates is not None)
    if request.candidates is not None or len(request) == 0 or not is_fillable(request.layout):
        return engine.solve_many(request)
    batches: list[Batch] = []
    for row, givens in enumerate(request.givens):
        if batches and request.stop[0] == FINISH:
            break
        solutions = fill(request.layout, givens, request.limit)
        if solutions is not None:
            batches.append(_filled(solutions, listed=request.lists_all))
            continue
        batches.append(engine.solve_many(request.rows(np.array([row]))))
        if len(batches[-1]) == 0:  # The search was abandoned.
            break
    return _joined(batches)


def _filled(solutions: NDArray[np.uint8], *, listed: bool) -> Batch:
    """Return the batch for one puzzle from its known solutions. Their number is the limit.

    With `listed`, the batch lists them.
    """
    count = len(solutions)
    return Batch(
        outcomes=np.array([Outcome.SOLVED if count == 1 else Outcome.MULTIPLE], np.uint8),
        solutions=solutions[:1],
        counts=np.array([count], np.int64),
        steps=np.zeros(1, np.int64),
        listed=(solutions,) if listed else None,
    )


def _joined(batches: list[Batch]) -> Batch:
    """Concatenate batches of one layout without regions. The checkpoint is that of the last one."""
    listed = [batch.listed for batch in batches if batch.listed is not None]
    return Batch(
        outcomes=np.concatenate([batch.outcomes for batch in batches]),
        solutions=np.concatenate([batch.solutions for batch in batches]),
        counts=np.concatenate([batch.counts for batch in batches]),
        steps=np.concatenate([batch.steps for batch in batches]),
        listed=tuple(chain(*listed)) if listed else None,
        checkpoint=batches[-1].checkpoint,
    )


def _of_grid(batch: Batch, layout: Layout) -> Batch:
    """Remove the named variables from a batch's solutions, and add its regions.

    The engines append the values of named variables to the cells of each solution. In the returned
    batch, `solutions` and `listed` have only the cells of the grid. If the variables divide the
    grid into regions (chaos construction), `regions` (n, cells) has the region of each cell, see
    `_regions`. Without named variables, the batch itself is returned.
    """
    if not layout.variables:
        return batch
    listed = batch.listed
    return replace(
        batch,
        solutions=batch.solutions[:, : layout.cells],
        listed=None if listed is None else tuple(each[:, : layout.cells] for each in listed),
        regions=_regions(batch.solutions, layout),
    )


def _regions(solutions: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8] | None:
    """Return the region of each cell in solutions (n, cells and variables).

    Regions are numbered from 1 in reading order. A puzzle without a solution gets zeros. Returns
    None unless the layout has exactly one partition.
    """
    if len(layout.partitions) != 1:
        return None
    labels = solutions[:, list(layout.partitions[0].labels)]
    regions = np.zeros_like(labels)
    for own, row in zip(regions, labels, strict=True):
        _, begins, region_of = np.unique(row, return_index=True, return_inverse=True)
        own[:] = begins.argsort().argsort()[region_of] + 1 if row.any() else 0
    return regions


def _spread(batch: Batch, valid: NDArray[np.int64], done: int) -> Batch:
    """Return a batch of `done` rows, with row i of `batch` at index valid[i].

    All other rows are `invalid`. The checkpoint stays.
    """
    places = valid[: len(batch)]
    cells = batch.solutions.shape[1]
    outcomes = np.full(done, Outcome.INVALID, np.uint8)
    solutions = np.zeros((done, cells), np.uint8)
    counts, steps = np.zeros(done, np.int64), np.zeros(done, np.int64)
    outcomes[places], solutions[places] = batch.outcomes, batch.solutions
    counts[places], steps[places] = batch.counts, batch.steps
    regions = None
    if batch.regions is not None:
        regions = np.zeros((done, cells), np.uint8)
        regions[places] = batch.regions
    listed = None
    if batch.listed is not None:
        rows = [np.zeros((0, cells), np.uint8)] * done
        for place, array in zip(cast("list[int]", places.tolist()), batch.listed, strict=True):
            rows[place] = array
        listed = tuple(rows)
    return Batch(outcomes, solutions, counts, steps, listed, batch.checkpoint, regions)
