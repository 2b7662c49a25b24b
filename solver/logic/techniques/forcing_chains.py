"""Forcing chains: links refute an assumption, or lead from all alternatives to one conclusion."""

import numpy as np

from solver.compiling.jit import compiled
from solver.logic.board import Board, Ints
from solver.logic.closure import transitive_closure
from solver.logic.forcing.conclusions import begin_conclusion, derive, find_conclusions, take_next
from solver.logic.forcing.implication_paths import follow_back, note_path, reach
from solver.logic.grid import Grid
from solver.logic.implications import GROUPS, find_implications
from solver.logic.technique import Search, small_board


@compiled
def find_forcing_chain(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for everything that forcing chains prove, and write it to the buffer.

    A forcing chain proves a conclusion by contradiction, or because it follows from all
    alternatives. Unless `all_steps` is set, only the first placement is written, or the first
    elimination if there is none.
    """
    implications = find_implications(board, grid, GROUPS)
    literals = len(implications.counts)
    order = np.empty(literals, np.int32)
    parent = np.empty(literals, np.int32)
    depth = np.empty(literals, np.int32)
    seen = np.zeros(literals, np.int32)
    closure = transitive_closure(board, grid, implications)
    conclusions = find_conclusions(board, grid, closure, all_steps)
    derivation = conclusions.derivation
    stamp = 0
    while True:
        target = take_next(closure, conclusions)
        if target < 0:
            return
        code = derive(closure, conclusions, target, 0)
        begin_conclusion(board, buffer, code, target)
        for number in range(derivation.counts[0]):
            start, end = derivation.ends[number, 0], derivation.ends[number, 1]
            stamp += 1
            reach(implications, start, order, parent, depth, seen, stamp)
            length = follow_back(parent, start, end, order)
            note_path(board, implications, buffer, order, length, 0)
        if not all_steps:
            return


FORCING_CHAIN = Search(("1301", "1302"), find_forcing_chain, (), small_board)
