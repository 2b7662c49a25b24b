"""Forcing chains.

Links alone refute a candidate, or lead from all alternatives to one conclusion.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import compiled
from solver.logic.closure import close
from solver.logic.forcing.conclusions import derive, open_verdict, take_next, verdicts
from solver.logic.forcing.implication_paths import follow_back, note_path, reach
from solver.logic.implications import GROUPS, implications
from solver.logic.technique import Search, small_board


@compiled
def find_forcing_chain(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Search for everything that forcing chains prove.

    Unless `every` is set, the first placement is written, or the first elimination if there is
    none.
    """
    found = implications(board, grid, GROUPS)
    literals = len(found.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    depth = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    reached = close(board, grid, found)
    certain = verdicts(board, grid, reached, every)
    ways = certain.ways
    stamp = 0
    while True:
        target = take_next(reached, certain)
        if target < 0:
            return
        code = derive(reached, certain, target, 0)
        open_verdict(board, buffer, code, target)
        for number in range(ways.many[0]):
            start, end = ways.ends[number, 0], ways.ends[number, 1]
            stamp += 1
            reach(found, start, order, parent, depth, seen, stamp)
            length = follow_back(parent, start, end, order)
            note_path(board, found, buffer, order, length, 0)
        if not every:
            return


FORCING_CHAIN = Search(("1301", "1302"), find_forcing_chain, (), small_board)
