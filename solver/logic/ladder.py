"""Searches one after the other in compiled code, each looking only at what is new to it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.compiling.calls import address_of, call
from solver.compiling.jit import compiled
from solver.logic.board import Board, Ints, Words
from solver.logic.grid import CHANGES, SEEN, Grid
from solver.logic.record import reset
from solver.logic.technique import Technique

_MOST_ARGUMENTS = 3


class Ladder(NamedTuple):
    """Techniques as a table of searches, and what each has seen of the one grid it is for."""

    rows: Words  # (searches, 6): address, how many arguments, `every`, arguments
    seen: Words  # (searches,): how often the grid had changed when it last found nothing


def ladder_of(techniques: Sequence[Technique], board: Board, grid: Grid, buffer: Ints) -> Ladder:
    """Return techniques as a ladder; what is not compiled yet is compiled."""
    searches = [search for technique in techniques for search in technique.searches]
    rows = np.zeros((len(searches), 3 + _MOST_ARGUMENTS), np.int64)
    for row, (find, arguments) in zip(rows, searches, strict=True):
        row[0] = address_of(find, board, grid, buffer, 0, *arguments)
        row[1] = len(arguments)
        row[3 : 3 + len(arguments)] = arguments
    return Ladder(rows, np.zeros(len(rows), np.int64))


@compiled
def find_first(board: Any, grid: Any, buffer: Any, ladder: Any) -> bool:
    """Write what the first search finds that finds anything; return whether there is one."""
    for number in range(len(ladder.rows)):
        row = ladder.rows[number]
        address, arguments, every = row[0], row[1], row[2]
        reset(buffer)
        grid.counts[SEEN] = ladder.seen[number]
        if arguments == 0:
            call(address, (board, grid, buffer, every))
        elif arguments == 1:
            call(address, (board, grid, buffer, every, row[3]))
        elif arguments == 2:
            call(address, (board, grid, buffer, every, row[3], row[4]))
        else:
            call(address, (board, grid, buffer, every, row[3], row[4], row[5]))
        if buffer[1]:
            return True
        ladder.seen[number] = grid.counts[CHANGES]
    return False
