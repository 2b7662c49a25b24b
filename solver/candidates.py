"""Find the true candidates of a puzzle: the values that each cell takes in some solution."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.board.true_candidates import TrueCandidates
from solver.checks.grids import candidates as left_by_givens
from solver.compiling.archive import pack_arrays, unpack_arrays
from solver.compiling.jit import digest_of
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.single import PuzzleLike, single_puzzle
from solver.solving import solve_many

# Candidates per call of the solver. If a call is abandoned, only its first unfinished search leaves
# a checkpoint, and the work on later ones is lost.
_AT_A_TIME = 256


def true_candidates(
    source: PuzzleLike, *, bound: int = 1, step_limit: int = 1_000_000
) -> TrueCandidates:
    """Return the values that each cell takes in some solution, with counts up to `bound`.

    `source` is as for `solver.solve`. Each value that the givens allow is added as another given,
    and the resulting puzzle is solved within the step limit. Raises ValueError if `bound` is below
    1 or `source` isn't a valid puzzle, and TypeError for anything that can't be a puzzle.
    """
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        raise ValueError(puzzle.detail)
    stop = np.full(1, GO_ON, np.uint8)
    counted = candidates_until(puzzle, bound=bound, step_limit=step_limit, stop=stop)
    if not isinstance(counted, TrueCandidates):
        raise ArithmeticError("the count ended early without a stop flag")
    return counted


@dataclass(frozen=True, slots=True, eq=False)
class SetAside:
    """Checkpoint of a suspended count: the results for the candidates tried so far, in order.

    found      (tried,) number of solutions with the candidate, up to the bound
    undecided  (tried,) whether the step limit was reached first
    search     packed checkpoint of the search for the next candidate, empty to start it again
    """

    found: NDArray[np.int64]
    undecided: NDArray[np.bool_]
    search: NDArray[np.uint8]

    def pack(self) -> bytes:
        """Serialize the checkpoint for `_unpack`."""
        arrays = {"found": self.found, "undecided": self.undecided, "search": self.search}
        return pack_arrays(arrays, made_by=_sources())


def _unpack(packed: bytes | None) -> SetAside:
    """Return the checkpoint given to `SetAside.pack`.

    It is the initial checkpoint if `packed` is None or comes from other sources.
    """
    arrays = None if packed is None else unpack_arrays(packed, made_by=_sources())
    if arrays is None:
        return SetAside(np.zeros(0, np.int64), np.zeros(0, np.bool_), np.zeros(0, np.uint8))
    return SetAside(**arrays)


@cache
def _sources() -> str:
    return digest_of(Path(__file__))


def candidates_until(
    puzzle: Puzzle,
    *,
    bound: int,
    step_limit: int,
    stop: StopFlag,
    standing: bytes | None = None,
) -> TrueCandidates | SetAside | None:
    """Return the result of `true_candidates`, or a checkpoint if the count is abandoned.

    If `stop` becomes ABANDON, this returns a checkpoint, or None if there was no progress. To
    resume, pass the packed checkpoint as `standing`.
    """
    if bound < 1:
        raise ValueError(f"bound must be 1 or more, not {bound}")
    layout = puzzle.layout
    givens = np.array(puzzle.givens, np.uint8)
    tried = [
        (cell, value)
        for cell, values in enumerate(left_by_givens(layout, givens))
        for value in values or ([int(givens[cell])] if givens[cell] else [])
    ]
    places = np.array(tried, np.int64).reshape(-1, 2)
    begun = _unpack(standing)
    found = np.zeros(len(tried), np.int64)
    undecided = np.zeros(len(tried), np.bool_)
    done = len(begun.found)
    found[:done], undecided[:done] = begun.found, begun.undecided
    search = begun.search.tobytes() or None
    while done < len(tried):
        cells, values = places[done : done + _AT_A_TIME].T
        rows = np.tile(givens, (len(cells), 1))
        rows[np.arange(len(cells)), cells] = values
        left = None
        if puzzle.candidates is not None:
            left = np.tile(np.array(puzzle.candidates, np.uint64), (len(cells), 1))
        batch = solve_many(
            rows, layout=layout, limit=bound, listed=False, step_limit=step_limit,
            stop=stop, candidates=left, standing=search,
        )  # fmt: skip
        part = slice(done, done + len(batch))  # Shorter than the request if `stop` is FINISH.
        found[part] = np.minimum(batch.counts, bound)
        undecided[part] = (batch.outcomes == Outcome.STEP_LIMIT) & (batch.counts < bound)
        done += len(batch)
        search = None
        if stop[0] == ABANDON and done < len(tried):
            search = b"" if batch.standing is None else batch.standing.pack()
            if done == len(begun.found) and not search:
                return None
            return SetAside(found[:done], undecided[:done], np.frombuffer(search, np.uint8))
    counts = np.zeros((layout.cells, layout.size), np.int64)
    decided = np.ones((layout.cells, layout.size), np.bool_)
    cells, values = places[:, 0], places[:, 1] - 1
    counts[cells, values] = found
    decided[cells, values] = ~undecided
    return TrueCandidates(counts, decided, bound, puzzle.symbols)
