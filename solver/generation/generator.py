"""Generation of puzzles: attempts at each puzzle until one meets all conditions.

Attempt k at puzzle n of a request uses the random stream with the keys (seed, n, k). The first
attempt that meets all conditions is the puzzle. So a puzzle depends neither on the number of
attempts that run at a time nor on the other puzzles.
"""

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.compiling.cache_folder import source_digest
from solver.engines.engine import ABANDON, GO_ON, NEVER, StopFlag
from solver.generation.attempts import attempt_many
from solver.generation.conditions import conditions_of
from solver.generation.request import PuzzleRequest

# The number of attempts in a batch doubles or halves until a batch takes about this time. More
# attempts make better use of the vector engine, and fewer ones react sooner to the stop flag.
_BATCH_SECONDS = 0.2
_FIRST_BATCH = 64
_MOST_BATCH = 4096

_SOURCES = source_digest(Path(__file__))  # of checkpoints


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The result for puzzle `number`.

    `layout` is the puzzle's board. `givens` and `solution` are None if all attempts failed. Then
    `layout` is the board of the request. `rejected` counts the failed attempts by the reason: the
    name of a condition, or one of the names in `solver.generation.attempts`.
    """

    number: int
    request: PuzzleRequest
    layout: Layout
    givens: NDArray[np.uint8] | None
    solution: NDArray[np.uint8] | None
    attempts: int
    rejected: Counter[str]


@dataclass(slots=True)
class _Pending:
    """A puzzle that is being made: its failed attempts so far, and the result if it is settled."""

    number: int
    attempts: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    found: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None = None

    def is_settled(self, tries: int) -> bool:
        return self.found is not None or self.attempts >= tries


class Generator:
    """Makes puzzles of a request, in any number of calls.

    `checkpoint` is the progress on the first puzzle that the last call of `generate` didn't settle,
    or None.
    """

    def __init__(self, request: PuzzleRequest, *, seed: int, stop: StopFlag = NEVER) -> None:
        self.checkpoint: Checkpoint | None = None
        self._request = request
        self._seed = seed
        self._stop = stop
        self._conditions = conditions_of(request, stop=stop)
        self._batch = _FIRST_BATCH
        # An estimate of the attempts that a puzzle takes
        self._attempts, self._settled = 1, 1

    def generate(
        self, numbers: range, *, checkpoint: Checkpoint | None = None
    ) -> Iterator[Generated]:
        """Yield the puzzles with the given numbers, in order.

        Ends early if the stop flag becomes ABANDON, or if it becomes FINISH after at least one
        puzzle. The first puzzle resumes from `checkpoint`, if given.
        """
        self.checkpoint = None
        pending = deque(map(_Pending, numbers))
        if pending and checkpoint is not None:
            _resume(pending[0], checkpoint)
        yielded = 0
        while pending:
            if pending[0].is_settled(self._request.tries):
                yield self._generated(pending.popleft())
                yielded += 1
            elif self._stop[0] == ABANDON or (self._stop[0] != GO_ON and yielded):
                break
            else:
                self._attempt(pending)
        if pending:
            self.checkpoint = _suspend(pending[0])

    def _generated(self, pending: _Pending) -> Generated:
        self._attempts += pending.attempts
        self._settled += 1
        givens, solution = pending.found or (None, None)
        return Generated(
            number=pending.number,
            request=self._request,
            layout=self._request.layout,
            givens=givens,
            solution=solution,
            attempts=pending.attempts,
            rejected=pending.rejected,
        )

    def _attempt(self, pending: Iterable[_Pending]) -> None:
        """Make a batch of attempts, for as many of the next puzzles as will probably be settled."""
        tries = self._request.tries
        each = min(max(self._attempts // self._settled, 1), self._batch)
        unsettled = (one for one in pending if not one.is_settled(tries))
        chosen = list(islice(unsettled, self._batch // each))
        each = max(self._batch // max(len(chosen), 1), 1) if each > 1 else 1
        counts = [min(each, tries - one.attempts) for one in chosen]
        numbers = np.repeat([one.number for one in chosen], counts)
        attempts = np.concatenate(
            [
                np.arange(one.attempts, one.attempts + count)
                for one, count in zip(chosen, counts, strict=True)
            ]
        )
        began = time.monotonic()
        puzzles, solutions, reasons = attempt_many(
            self._request,
            self._conditions,
            RandomStreams(self._seed, numbers, attempts),
            stop=self._stop,
        )
        if self._stop[0] == ABANDON:
            return
        self._adapt(time.monotonic() - began)
        start = 0
        for one, count in zip(chosen, counts, strict=True):
            for row in range(start, start + count):
                one.attempts += 1
                if reasons[row]:
                    one.rejected[reasons[row]] += 1
                else:
                    one.found = puzzles[row], solutions[row]
                    break
            start += count

    def _adapt(self, seconds: float) -> None:
        if seconds < _BATCH_SECONDS / 2:
            self._batch = min(self._batch * 2, _MOST_BATCH)
        elif seconds > _BATCH_SECONDS * 2:
            self._batch = max(self._batch // 2, 1)


def _suspend(pending: _Pending) -> Checkpoint:
    """Return the progress on a puzzle: its failed attempts."""
    reasons = list(pending.rejected)
    return Checkpoint(
        {
            "attempts": np.array(pending.rejected.total()),
            "reasons": np.array(reasons, np.str_),
            "counts": np.array([pending.rejected[reason] for reason in reasons], np.int64),
        },
        sources=_SOURCES,
    )


def _resume(pending: _Pending, checkpoint: Checkpoint) -> None:
    """Restore the progress on a puzzle, unless other code saved it."""
    arrays = checkpoint.arrays_of(_SOURCES)
    if arrays is not None:
        pending.attempts = int(arrays["attempts"])
        counted = zip(arrays["reasons"].tolist(), arrays["counts"].tolist(), strict=True)
        pending.rejected = Counter(dict(counted))
