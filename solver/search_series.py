"""Run computations that need the results of many searches, such as one for each given.

Such a computation is a generator. It yields `Searches`, receives what was `Found`, and finally
returns its result. `run_series` runs several computations at once, so that their searches share
calls of the solver, and saves a checkpoint when it is interrupted:

computation ──Searches──► run_series ──puzzles──► solve_many
            ◄───Found────            ◄───Batch───
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.engines.engine import ABANDON, FINISH, GO_ON, StopFlag
from solver.solving import solve_many

# Puzzles per call of the solver. If a call is abandoned, only its first unfinished search leaves a
# checkpoint, and the work on later ones is lost. On classic boards, that is a moment.
_AT_A_TIME = 256
_CLASSIC_AT_A_TIME = 8_192
_CLASSIC = Layout.boxed(3, 3)

T = TypeVar("T")
# the givens (n, cells), and the candidates (n, cells) or None
Puzzles = tuple[NDArray[np.uint8], NDArray[np.uint64] | None]


@dataclass(frozen=True, slots=True)
class Searches:
    """Searches on one layout whose results a computation needs before it can continue.

    layout     returns the layout. It isn't called if a checkpoint has the results.
    count      the number of searches
    build      build(start, stop) returns the puzzles start…stop−1, counted from 0. They are created
               just before they are solved, because all together can be large.
    is_marked  whether the puzzles have candidates
    """

    layout: Callable[[], Layout]
    count: int
    build: Callable[[int, int], Puzzles]
    is_marked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The results of n searches.

    outcomes  (n,) uint8  codes of `Outcome`
    counts    (n,) int64  solutions found, at most the limit
    """

    outcomes: NDArray[np.uint8]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.outcomes)

    def part(self, start: int, stop: int) -> "Found":
        """Return the results start…stop−1."""
        return Found(self.outcomes[start:stop], self.counts[start:stop])

    def followed_by(self, other: "Found") -> "Found":
        """Return these results and then those of `other`."""
        return Found(
            np.concatenate([self.outcomes, other.outcomes]),
            np.concatenate([self.counts, other.counts]),
        )


Computation = Generator[Searches, Found, T]
_NOTHING = Found(np.zeros(0, np.uint8), np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The results of the first computations of a series.

    If there are fewer results than computations, the series was interrupted. Then `checkpoint` is
    the progress of the next computation, or None if this call made no progress on it.
    """

    results: list[T]
    checkpoint: Checkpoint | None = None


class _Running(Generic[T]):
    """A computation, and the results of its searches so far."""

    def __init__(self, computation: Computation[T], known: Found = _NOTHING) -> None:
        """Start a computation. `known` has the results of its first searches."""
        self.known = known
        self.searches: Searches | None = None  # that the computation waits for
        self.results: list[T] = []  # the only result, when the computation is complete
        self._computation = computation
        self._used = 0  # how many of the known results the computation has received
        self._layout: Layout | None = None  # of the searches
        self._resume(None)
        self._continue_if_known()

    @property
    def is_complete(self) -> bool:
        """Whether the computation has returned its result."""
        return self.searches is None

    @property
    def layout(self) -> Layout | None:
        """The layout of the searches, or None if the computation is complete."""
        if self._layout is None and self.searches is not None:
            self._layout = self.searches.layout()
        return self._layout

    def build(self, most: int) -> Puzzles:
        """Return the next puzzles that must be solved, at most `most`.

        Raises TypeError if the computation is complete.
        """
        if self.searches is None:
            raise TypeError("the computation is complete")
        start = len(self.known) - self._used
        return self.searches.build(start, min(start + most, self.searches.count))

    def receive(self, found: Found) -> None:
        """Store the results of the next searches.

        Continues the computation once all results that it waits for are known.
        """
        self.known = self.known.followed_by(found)
        self._continue_if_known()

    def _continue_if_known(self) -> None:
        """Continue the computation as long as the results that it waits for are known."""
        while self.searches is not None and self._used + self.searches.count <= len(self.known):
            start, self._used = self._used, self._used + self.searches.count
            self._resume(self.known.part(start, self._used))

    def _resume(self, found: Found | None) -> None:
        """Run the computation until it needs more results or ends.

        `found` are the results that it waits for, or None to start it. Stores what it needs next in
        `searches`, or its result in `results`.
        """
        self._layout = None
        try:
            self.searches = (
                next(self._computation) if found is None else self._computation.send(found)
            )
        except StopIteration as end:
            self.searches = None
            self.results.append(end.value)


def run_series(
    computations: Sequence[Computation[T]],
    *,
    limit: int,
    step_limit: int,
    stop: StopFlag,
    sources: str,
    checkpoint: Checkpoint | None = None,
) -> Finished[T]:
    """Run computations, with each search up to `limit` solutions and `step_limit` guesses.

    If `stop` becomes FINISH, at least the first computation is still completed. If it becomes
    ABANDON, the series ends immediately. The first computation resumes from `checkpoint`, if given.
    `sources` is a digest of the code. A checkpoint of other code is ignored.
    """
    earlier = None if checkpoint is None else checkpoint.arrays_of(sources)
    known, search = _NOTHING, None
    if earlier is not None:
        known = Found(earlier["outcomes"], earlier["counts"])
        search = Checkpoint.unpack(earlier["search"].tobytes())
    waiting = deque(
        _Running(each, known if n == 0 else _NOTHING) for n, each in enumerate(computations)
    )
    results: list[T] = []
    while waiting:
        search = _solve_together(
            waiting if stop[0] == GO_ON else [waiting[0]],
            limit=limit,
            step_limit=step_limit,
            stop=stop,
            checkpoint=search,
        )
        while waiting and waiting[0].is_complete:
            results += waiting.popleft().results
            known = _NOTHING
        if waiting and stop[0] == ABANDON:
            found = waiting[0].known
            has_progress = len(found) > len(known) or search is not None
            return Finished(results, _checkpoint(found, search, sources) if has_progress else None)
        if results and stop[0] == FINISH:
            break
    return Finished(results)


def _solve_together(
    running: Iterable[_Running[T]],
    *,
    limit: int,
    step_limit: int,
    stop: StopFlag,
    checkpoint: Checkpoint | None,
) -> Checkpoint | None:
    """Solve the next puzzles of the first computation, and of others with the same layout.

    All puzzles have candidates, or none has. At most `_AT_A_TIME` are solved, or on classic boards
    without candidates `_CLASSIC_AT_A_TIME`, so a computation may receive only some of its results.
    Each search ends after `limit` solutions or `step_limit` guesses. Complete computations are
    skipped. The next search of the first computation resumes from `checkpoint`, if given. If it is
    suspended, returns its new checkpoint, else None.
    """
    together: list[tuple[_Running[T], Puzzles]] = []
    layout, is_marked = None, False
    room = 0
    for each in running:
        if each.searches is None:
            continue
        if layout is None:
            layout, is_marked = each.layout, each.searches.is_marked
            room = _CLASSIC_AT_A_TIME if layout is _CLASSIC and not is_marked else _AT_A_TIME
        if each.layout is layout and each.searches.is_marked == is_marked:
            puzzles = each.build(room)
            together.append((each, puzzles))
            room -= len(puzzles[0])
            if room == 0:
                break
    if layout is None:
        return None
    marks = [marks for _, (_, marks) in together if marks is not None]
    batch = solve_many(
        np.concatenate([givens for _, (givens, _) in together]),
        layout=layout,
        limit=limit,
        listed=False,
        step_limit=step_limit,
        stop=stop,
        candidates=np.concatenate(marks) if marks else None,
        checkpoint=checkpoint,
    )
    found = Found(batch.outcomes, batch.counts)
    start = 0
    for each, (givens, _) in together:
        each.receive(found.part(start, start + len(givens)))
        start += len(givens)
    return batch.checkpoint if len(batch) < len(together[0][1][0]) else None


def _checkpoint(found: Found, search: Checkpoint | None, sources: str) -> Checkpoint:
    """Return the checkpoint of a suspended computation.

    found    the results of its searches so far
    search   the checkpoint of the next search, or None to start it again
    sources  the digest of the code that suspends it
    """
    packed = b"" if search is None else search.pack()
    arrays: dict[str, NDArray[Any]] = {
        "outcomes": found.outcomes,
        "counts": found.counts,
        "search": np.frombuffer(packed, np.uint8),
    }
    return Checkpoint(arrays, sources=sources)
