"""The interface of an engine: everything the rest of the project knows about one."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Batch

# A stop flag is an array of shape (1,), dtype uint8, that another thread may write while an
# engine runs (engines release the interpreter lock):
GO_ON = 0
FINISH = 1  # finish the puzzles under way, start no other, return the shorter batch
ABANDON = 2  # return at once with the puzzles finished so far
StopFlag = NDArray[np.uint8]


class Engine(Protocol):
    """A way to solve puzzles of some layouts; the answers depend on puzzle and options alone."""

    name: str

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the engine can solve puzzles of this layout, or with candidates."""
        ...

    def warm_up(self) -> None:
        """Compile or load whatever the first puzzle would otherwise wait for."""
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
        standing: bytes | None = None,
    ) -> Batch:
        """Solve puzzles (n, cells), 0 = blank, up to `limit` solutions and `step_limit` guesses.

        Where the limit is above 2 and `listed` is True, all solutions are kept, else the first.
        Solutions have the values of variables behind those of the cells.

        `candidates` (n, cells) are the values left to each cell, as bits, bit 0 for 1; only
        an engine that `accepts` them is given some.

        Givens that break a rule outright make a puzzle `unsolvable`; naming the conflict is
        not an engine's work. The batch is shorter than n only when `stop` was raised.

        `standing` is what a shorter batch said of its first puzzle without an answer, packed: the
        first puzzle here. The search goes on from there; where it cannot, it begins anew, with
        the same answer.
        """
        ...
