"""What a worker does when somebody looks at one result: explain it, once the job is done."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from solver.board.layout import Combination, Domain, Layout, Regular, Relation, Sum
from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from worker.explanations import StoredExplanation
from worker.job import ChunkResult
from worker.service import Service

# People look at one puzzle; what takes longer is cut off and shown as far as it came.
_SECONDS = 10.0
_MADE_OF_PARTS: dict[str, type] = {
    "relations": Relation,
    "sums": Sum,
    "regulars": Regular,
    "combinations": Combination,
    "domains": Domain,
}


def explain_record(service: Service, job_id: str, number: int) -> None:
    """Explain one record of a job, from 1, unless it has no solution or several."""
    if service.explained.explanation(job_id, number) is not None:
        return
    for _, result in service.store.results(job_id, offset=number - 1, count=1):
        stored = _explain(result)
        if stored is not None:
            service.explained.keep(job_id, number, stored)


def _explain(result: ChunkResult) -> StoredExplanation | None:
    from solver.explaining import explain_unique  # noqa: PLC0415

    (board,) = result.boards()
    if board is None or result.outcomes[0] != Outcome.SOLVED:
        return None
    givens, solution = board.read(result.puzzles), board.read(result.solutions)
    if givens is None or solution is None:
        return None
    left = result.candidates.get(0)
    candidates = None if left is None else tuple(np.frombuffer(left, "<u8").tolist())
    puzzle = Puzzle(_with_parts(board.layout), givens, board.symbols, candidates)
    with _stopping_after(_SECONDS) as stop:
        return StoredExplanation.of(explain_unique(puzzle, solution, stop=stop))


def _with_parts(layout: Layout) -> Layout:
    """Return a stored layout with what its constraints are made of, which is not stored."""
    if not layout.constraints:
        return layout
    made = [constraint.parts(layout) for constraint in layout.constraints]
    parts = [part for parts in made if not isinstance(parts, str) for part in parts]
    fields: dict[str, Any] = {
        name: tuple(part for part in parts if isinstance(part, kind))
        for name, kind in _MADE_OF_PARTS.items()
    }
    return replace(layout, **fields)


@contextmanager
def _stopping_after(seconds: float) -> Iterator[StopFlag]:
    flag: StopFlag = np.full(1, GO_ON, np.uint8)
    timer = threading.Timer(seconds, flag.fill, (ABANDON,))
    timer.daemon = True
    timer.start()
    try:
        yield flag
    finally:
        timer.cancel()
