"""Finds which givens and constraints of a batch of puzzles are needed."""

from dataclasses import dataclass

import numpy as np

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.result import Batch, Outcome
from solver.board.symbols import Symbols
from solver.engines.engine import StopFlag
from solver.formats.format import Group
from solver.formats.write import write_puzzle
from solver.minimizing import minimality_until
from worker.job import JobOptions
from worker.records.minimality import StoredMinimality

_CLASSIC = Layout.boxed(3, 3)
_DIGITS = Symbols.usual(9)


@dataclass(frozen=True, slots=True)
class Tested:
    """The minimality of the first puzzles of a batch, one item per puzzle.

    The item is None for a puzzle without a unique solution. `checkpoint` is the saved state of the
    next puzzle, or None if it wasn't suspended.
    """

    minimality: list[StoredMinimality | None]
    checkpoint: Checkpoint | None = None


def find_redundant(
    group: Group,
    batch: Batch,
    *,
    options: JobOptions,
    flag: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> Tested:
    """Find which givens and constraints the first puzzles of a group need.

    These are the puzzles that have results in the batch. If `flag` becomes FINISH, at least one
    puzzle is still done, so that every call makes progress. The first puzzle resumes from
    `checkpoint`, if given.
    """
    unique = np.flatnonzero((batch.outcomes == Outcome.SOLVED) & (batch.counts == 1)).tolist()
    finished = minimality_until(
        [(group.puzzle(row), batch.solutions[row].tolist()) for row in unique],
        reduce=options.reduce,
        step_limit=options.step_limit,
        stop=flag,
        checkpoint=checkpoint if unique[:1] == [0] else None,
    )
    done = unique[len(finished.results)] if len(finished.results) < len(unique) else len(batch)
    minimality: list[StoredMinimality | None] = [None] * done
    for row, found in zip(unique, finished.results, strict=False):
        minimality[row] = StoredMinimality.of(found, _written(found.reduced))
    return Tested(minimality, finished.checkpoint)


def _written(puzzle: Puzzle | None) -> str | None:
    """Return a minimal puzzle as text in the form that `StoredMinimality` stores.

    Returns None if `puzzle` is None, and "" if it can't be written as text.
    """
    if puzzle is None:
        return None
    if puzzle.layout is _CLASSIC and puzzle.symbols == _DIGITS and puzzle.candidates is None:
        return str(puzzle)
    return write_puzzle(puzzle) or ""
