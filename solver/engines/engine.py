"""The interface of an engine: solve requests, stop flags, and the methods that every engine has."""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.result import Batch

# A stop flag is an array of shape (1,), dtype uint8. Another thread may write it while an engine
# runs (engines release the interpreter lock):
GO_ON = 0
FINISH = 1  # finish the current puzzles, start no others, and return the shorter batch
ABANDON = 2  # return immediately with the puzzles finished so far
StopFlag = NDArray[np.uint8]
NEVER = np.full(1, GO_ON, np.uint8)  # a flag that is never raised


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolveRequest:
    """The puzzles for an engine, all of one layout, and the limits of the search for each.

    layout      the board and its rules
    givens      (n, cells) uint8, 0 for an empty cell
    candidates  (n, cells) uint64, the values allowed in each cell (bit 0 = value 1), or None if the
                puzzles have no pencil marks
    limit       solutions of a puzzle after which its search ends, 1 or more
    listed      whether to return all solutions found, or only the first; None returns them if the
                limit is above 2
    step_limit  guesses after which the search for a puzzle ends, 0 or more
    stop        the flag (GO_ON, FINISH, or ABANDON) with which another thread ends the call early
    checkpoint  the checkpoint of the first puzzle, from the shorter batch of an earlier call
    """

    layout: Layout
    givens: NDArray[np.uint8]
    candidates: NDArray[np.uint64] | None = None
    limit: int = 2
    listed: bool | None = None
    step_limit: int = 1_000_000
    stop: StopFlag = field(default_factory=lambda: NEVER)
    checkpoint: Checkpoint | None = None

    def __len__(self) -> int:
        return len(self.givens)

    @property
    def lists_all(self) -> bool:
        """Whether to return all solutions found, instead of the first for each puzzle."""
        return self.limit > 2 if self.listed is None else self.listed and self.limit > 1

    @property
    def max_solutions(self) -> int:
        """The largest number of solutions to return for each puzzle: the limit, or 1."""
        return self.limit if self.lists_all else 1

    def rows(self, rows: NDArray[np.int64]) -> "SolveRequest":
        """Return a request for some of the puzzles, given their indices in ascending order.

        It keeps the checkpoint only if the first puzzle of this request is among them.
        """
        begins_with_first = len(rows) > 0 and rows[0] == 0
        return replace(
            self,
            givens=self.givens[rows],
            candidates=None if self.candidates is None else self.candidates[rows],
            checkpoint=self.checkpoint if begins_with_first else None,
        )


class Engine(Protocol):
    """A solver for the puzzles of some layouts. Results depend on the puzzle and the limits alone.

    `name` identifies the engine, for example in benchmarks.
    """

    name: str

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the engine supports this layout, and pencil marks if `candidates`."""
        ...

    def warm_up(self) -> None:
        """Compile or load the code in advance, so that the first puzzle doesn't have to wait."""
        ...

    def solve_many(self, request: SolveRequest) -> Batch:
        """Solve puzzles of a layout that the engine accepts.

        In the solutions, the values of the layout's variables follow those of the cells. Puzzles
        whose givens break a rule become `unsolvable`, and engines don't describe the conflict. The
        batch is shorter than the request only if `stop` was raised.

        The search of the first puzzle resumes from the checkpoint. If the engine can't use the
        checkpoint, the search starts again. Both give the same result.
        """
        ...
