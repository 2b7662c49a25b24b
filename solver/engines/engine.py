"""The interface of an engine: everything that the rest of the project depends on."""

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


class Engine(Protocol):
    """Solves puzzles of some layouts. Results depend on the puzzle and the options alone."""

    name: str

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the engine supports this layout, and pencil marks if `candidates`."""
        ...

    def warm_up(self) -> None:
        """Compile or load whatever the first puzzle would otherwise have to wait for."""
        ...

    def solve_many(
        self,
        layout: Layout,
        givens: NDArray[np.uint8],
        *,
        limit: int,
        listed: bool = True,
        step_limit: int,
        stop: StopFlag,
        candidates: NDArray[np.uint64] | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Batch:
        """Solve puzzles (n, cells), 0 = empty, up to `limit` solutions and `step_limit` guesses.

        If the limit is above 2 and `listed` is True, all solutions are kept, else only the first.
        The values of variables follow those of the cells in solutions.

        `candidates` (n, cells) are the values allowed in each cell (bit 0 = value 1). Only engines
        that accept candidates receive any.

        Givens that break a rule make a puzzle `unsolvable`; engines don't describe the conflict.
        The batch is shorter than n only if `stop` was raised.

        `checkpoint` is that of the first puzzle, from the shorter batch of an earlier call. The
        search resumes from it, or starts again if it can't. Both give the same result.
        """
        ...
