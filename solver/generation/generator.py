"""Generate puzzles: make attempts at each puzzle until one meets all conditions.

Attempt k at puzzle n of a request uses the random stream with the keys (seed, n, k). The first
attempt that meets all conditions is the puzzle. So a puzzle depends neither on the number of
attempts that run at a time nor on the other puzzles. Only if puzzles must be distinct, it also
depends on the puzzles before it, because the attempt must not be equivalent to one of these.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.board.symbols import Symbols
from solver.compiling.cache_folder import source_digest
from solver.engines.engine import ABANDON, GO_ON, NEVER, StopFlag
from solver.generation.attempts import Attempts, FixedBoard, Maker
from solver.generation.climbing import Climbing
from solver.generation.distinct import Seen, digests_of
from solver.generation.random_boards import RandomBoards
from solver.generation.request import PuzzleRequest

# The number of attempts in a batch doubles or halves until a batch takes about this CPU time. More
# attempts make better use of the vector engine, and fewer ones react sooner to the stop flag.
_BATCH_SECONDS = 0.2
_MOST_IN_BATCH = 4096
_BATCHES_PER_PUZZLE = 8

_SOURCES = source_digest(Path(__file__))  # of checkpoints

DISTINCT = "distinct"  # why attempts failed that are equivalent to another puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The result for puzzle `number`.

    `layout` is the puzzle's board. `givens` and `solution` are None if all attempts failed. Then
    `layout` is the board of the request. `rejected` counts the failed attempts by the reason: the
    name of a condition, DISTINCT, or one of the names in `solver.generation.attempts` and
    `solver.generation.random_boards`. `digest` identifies the puzzle up to symmetry, if the puzzles
    must be distinct.
    """

    number: int
    layout: Layout
    givens: NDArray[np.uint8] | None
    solution: NDArray[np.uint8] | None
    attempts: int
    rejected: dict[str, int]
    digest: int | None = None


def symbols_of(layout: Layout) -> Symbols:
    """Return the symbols of generated puzzles on a board.

    They are the usual ones if its lowest number is 1. Otherwise, they are its numbers in decimal
    notation, and a dot for empty cells.
    """
    if layout.lowest == 1:
        return Symbols.usual(layout.size)
    return Symbols(tuple(map(str, layout.numbers)), ".")


@dataclass(slots=True)
class _Pending:
    """A puzzle that is being made.

    attempts  the number of attempts so far
    rejected  how many of them failed, by the reason
    found     the result, if an attempt meets all conditions
    """

    number: int
    attempts: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    found: Generated | None = None

    def reject(self, reason: str) -> None:
        self.rejected[reason] = self.rejected.get(reason, 0) + 1

    def is_settled(self, tries: int) -> bool:
        return self.found is not None or self.attempts >= tries


@dataclass(slots=True)
class Pace:
    """Measurements of a request's attempts, which determine the size of batches.

    They change the speed of generators, but not the puzzles. Generators that run one after the
    other can share them.

    maker     makes the attempts
    batch     the number of attempts in a batch
    attempts  the number of attempts so far. Divided by `settled`, it estimates the attempts that a
              puzzle takes.
    settled   the number of puzzles that these attempts settled. Both numbers start at 1, so that
              there always is an estimate.
    """

    maker: Maker
    batch: int
    attempts: int = 1
    settled: int = 1

    @classmethod
    def of(cls, request: PuzzleRequest) -> "Pace":
        """Return the pace before a request's first attempt, with the smallest batch."""
        maker = _maker_of(request)
        return cls(maker, maker.fewest)

    def adapt(self, seconds: float) -> None:
        """Adapt the size of batches to the CPU seconds that the last batch took.

        It doubles after a batch that took less than half of the intended time, and halves after one
        that took more than twice this time. It stays within fixed limits.
        """
        if seconds < _BATCH_SECONDS / 2:
            self.batch = min(self.batch * 2, _MOST_IN_BATCH)
        elif seconds > _BATCH_SECONDS * 2:
            self.batch = max(self.batch // 2, self.maker.fewest)


def _maker_of(request: PuzzleRequest) -> Maker:
    if request.random is not None:
        return RandomBoards(request)
    return Climbing(request) if request.climbs else FixedBoard(request)


class Generator:
    """Makes the puzzles with given numbers for one part of a request, in any number of calls."""

    def __init__(
        self,
        request: PuzzleRequest,
        numbers: Iterable[int],
        *,
        seed: int,
        checkpoint: Checkpoint | None = None,
        pace: Pace | None = None,
        seen: Seen | None = None,
    ) -> None:
        """Prepare to make the puzzles with the given numbers.

        The first one resumes from `checkpoint`, if given. `pace` comes from earlier generators for
        this request, if any. If puzzles must be distinct, `seen` has the puzzles before the first
        one, and the others are added when they are returned.
        """
        self._request = request
        self._seed = seed
        self._pace = pace or Pace.of(request)
        self._seen = seen
        self._numbers = iter(numbers)
        self._pending: deque[_Pending] = deque()  # followed by the puzzles of `_numbers`
        if checkpoint is not None and not self._is_done():
            _resume(self._pending[0], checkpoint)

    def __iter__(self) -> Iterator[Generated]:
        while not self._is_done():
            yield from self.advance()

    def _is_done(self) -> bool:
        """Return whether no puzzle is left to make. If one is, it is in `_pending` afterwards."""
        if not self._pending:
            self._pending.extend(map(_Pending, islice(self._numbers, 1)))
        return not self._pending

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The progress on the next puzzle, or None if it hasn't been attempted or there is none."""
        if not self._pending or not self._pending[0].attempts:
            return None
        return _suspend(self._pending[0])

    def advance(
        self, *, stop: StopFlag = NEVER, seconds: float = _BATCH_SECONDS
    ) -> list[Generated]:
        """Return the results for the next puzzles, in order.

        The call ends when all puzzles are done. It also ends when there are results and `seconds`
        have passed or `stop` is FINISH. If `stop` is ABANDON, it ends immediately, perhaps without
        results.
        """
        ready: list[Generated] = []
        ends = time.monotonic() + seconds
        while not self._is_done():
            self._check_found(self._pending[0])
            if self._pending[0].is_settled(self._request.tries):
                ready.append(self._generated(self._pending.popleft()))
            elif stop[0] == ABANDON or (ready and (stop[0] != GO_ON or time.monotonic() > ends)):
                break
            else:
                self._attempt(stop)
        return ready

    def _check_found(self, pending: _Pending) -> None:
        """Reject the attempt found for a puzzle if it is equivalent to an earlier puzzle.

        Puzzles are earlier if they have a lower number. The other puzzle may have been finished
        after the attempt was found.
        """
        found = pending.found
        if found is not None and not self._is_new(found.digest, pending.number):
            pending.found = None
            pending.reject(DISTINCT)

    def _is_new(self, digest: int | None, number: int) -> bool:
        return self._seen is None or digest is None or self._seen.is_new(digest, number=number)

    def _generated(self, pending: _Pending) -> Generated:
        self._pace.settled += 1
        found = pending.found
        if found is None:
            return Generated(
                number=pending.number,
                layout=self._request.layout,
                givens=None,
                solution=None,
                attempts=pending.attempts,
                rejected=pending.rejected,
            )
        if self._seen is not None and found.digest is not None:
            self._seen.add(found.digest, number=pending.number)
        return found

    def _unsettled(self) -> Iterator[_Pending]:
        """Yield the puzzles that need further attempts: first those in progress, then new ones.

        New ones are also appended to `_pending`.
        """
        yield from (one for one in self._pending if not one.is_settled(self._request.tries))
        for number in self._numbers:
            self._pending.append(_Pending(number))
            yield self._pending[-1]

    def _attempt(self, stop: StopFlag) -> None:
        """Make a batch of attempts at the next puzzles.

        Attempts after the first successful one are wasted. So if there are enough puzzles, each
        gets only some of the attempts that it will probably take. If `stop` becomes ABANDON, the
        batch doesn't count.
        """
        tries, pace = self._request.tries, self._pace
        expected = max(pace.attempts // pace.settled, 1)
        each = min(max(expected // _BATCHES_PER_PUZZLE, 1), pace.batch)
        chosen = list(islice(self._unsettled(), pace.batch // each))
        each = max(each, min(pace.batch // len(chosen), expected // 2))
        counts = [min(each, tries - one.attempts) for one in chosen]
        numbers = np.repeat([one.number for one in chosen], counts)
        ends = np.cumsum(counts)
        begun = [one.attempts for one in chosen]
        attempts = np.arange(ends[-1]) + np.repeat(begun - ends + counts, counts)
        began = time.thread_time()
        streams = RandomStreams(self._seed, numbers, attempts)
        made = pace.maker.attempt_many(streams, stop=stop)
        if stop[0] == ABANDON:
            return
        digests = self._digests(made)
        pace.adapt(time.thread_time() - began)
        row = 0
        reasons = made.reasons.tolist()
        for one, end in zip(chosen, ends.tolist(), strict=True):
            before = one.attempts
            while row < end and one.found is None:
                one.attempts += 1
                if reasons[row]:
                    one.reject(reasons[row])
                elif not self._is_new(digests[row], one.number):
                    one.reject(DISTINCT)
                else:
                    one.found = Generated(
                        number=one.number,
                        layout=made.layouts[row],
                        givens=made.puzzles[row],
                        solution=made.solutions[row],
                        attempts=one.attempts,
                        rejected=one.rejected,
                        digest=digests[row],
                    )
                row += 1
            pace.attempts += one.attempts - before
            row = end

    def _digests(self, made: Attempts) -> Sequence[int | None]:
        """Return a digest for each attempt that meets all conditions, and None for the others.

        If puzzles needn't be distinct, all are None.
        """
        digests: list[int | None] = [None] * len(made.puzzles)
        good = np.flatnonzero(made.reasons == "")
        if self._seen is not None and len(good):
            found = digests_of(self._request.layout, made.puzzles[good])
            for row, digest in zip(good.tolist(), found, strict=True):
                digests[row] = digest
        return digests


def _suspend(pending: _Pending) -> Checkpoint:
    """Return the progress on a puzzle: how many attempts failed, by the reason."""
    reasons = list(pending.rejected)
    return Checkpoint(
        {
            "attempts": np.array(sum(pending.rejected.values())),
            "reasons": np.array(reasons, np.str_),
            "counts": np.array([pending.rejected[reason] for reason in reasons], np.int64),
        },
        sources=_SOURCES,
    )


def _resume(pending: _Pending, checkpoint: Checkpoint) -> None:
    """Restore the progress on a puzzle, unless another version of this code saved it.

    In that case, `pending` stays as it is.
    """
    arrays = checkpoint.arrays_of(_SOURCES)
    if arrays is not None:
        pending.attempts = int(arrays["attempts"])
        counted = zip(arrays["reasons"].tolist(), arrays["counts"].tolist(), strict=True)
        pending.rejected = dict(counted)
