"""Rate a puzzle of any board with our own rating, from the steps that solve it."""

import time
from dataclasses import replace

import numpy as np

from solver.board.checkpoint import Checkpoint
from solver.board.puzzle import Puzzle
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board_tables import any_board_of
from solver.logic.deduction import pack, unpack
from solver.logic.explanation import Ending, Explanation, start_position
from solver.logic.grid import OPEN, grid_of
from solver.logic.progress import Progress, progress_in
from solver.logic.rating.own_rating import OwnRating
from solver.logic.rule_path import rule_solving_steps
from solver.logic.rule_steps.deductions import SEARCHED


def rate_by_steps(
    puzzle: Puzzle,
    solution: tuple[int, ...],
    *,
    seconds: float,
    stop: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> OwnRating | Checkpoint | None:
    """Return our own rating of a puzzle that isn't classic and whose only solution is known.

    The steps are those of the puzzle's explanation. They end where only a complete search finds the
    next value, because the puzzle then counts as not rated by logic. Returns None if they take more
    than `seconds` of CPU time, including earlier calls, which is tested after each step. If `stop`
    becomes ABANDON, returns a checkpoint from which a later call resumes, or None if there is no
    step beyond `checkpoint`.
    """
    began = time.thread_time()
    earlier = progress_in(checkpoint) or Progress()
    layout, rows = puzzle.layout, earlier.rows.tobytes()
    board = any_board_of(layout)
    grid = grid_of(board, puzzle.givens, candidates=puzzle.candidates)
    taken = np.frombuffer(rows, "<i2").astype(np.int32)
    spent, is_searched = 0.0, False
    for step in rule_solving_steps(layout, board, grid, solution, taken=taken, stop=stop):
        rows += pack(step)
        spent = float(earlier.seconds[0]) + time.thread_time() - began
        is_searched = int(step[1]) == SEARCHED
        if is_searched or spent > seconds or stop[0] == ABANDON:
            break
    if grid.counts[OPEN] and not is_searched:
        progress = replace(earlier, rows=np.frombuffer(rows, np.uint8), seconds=np.array([spent]))
        is_suspended = spent <= seconds and progress.is_beyond(earlier)
        return progress.to_checkpoint() if is_suspended else None
    start = start_position(layout, puzzle.givens, puzzle.candidates)
    ending = Ending.CUT if grid.counts[OPEN] else Ending.SOLVED
    return Explanation(
        layout, puzzle.symbols, start, "hodoku", ending, unpack(rows), rows=rows
    ).own_rating
