"""Shortest paths through the implications: from a literal to everything that follows from it."""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.board import Board, Ints
from solver.logic.deduction_buffer import note, note_cells
from solver.logic.deduction_rows import CHAIN, FIRST, MORE, STRONG, WEAK
from solver.logic.hodoku_order import Options, note_option
from solver.logic.implications import STEP, Implications, cell_of, cells_of, is_group, value_of


@kernel
def reach(
    implications: Implications,
    start: int,
    order: Ints,
    parent: Ints,
    far: Ints,
    seen: Ints,
    stamp: int,
) -> Any:
    """Find the literals that follow from a literal, breadth first. Return their number.

    A literal states that a candidate, a group, or a value of an almost locked set is true or false.
    The start itself counts, too. The four arrays are written. `order` lists the literals, beginning
    with the start. The others are indexed by literal: `parent` is the previous literal on the path,
    and `far` is the distance from the start. They are valid only where `seen` equals `stamp`, a
    number that is different for each call.

    If links have different costs, a shorter path to a literal may be found later and replaces the
    first one, except for literals that follow directly from the start.
    """
    order[0] = start
    seen[start] = stamp
    far[start] = 0
    parent[start] = start
    count = 1
    at = 0
    costly = len(implications.costs) > 1
    while at < count:
        literal = order[at]
        at += 1
        for number in range(implications.counts[literal]):
            implied = implications.follows[literal, number]
            further = far[literal] + (implications.costs[literal, number] if costly else STEP)
            if seen[implied] != stamp:
                seen[implied] = stamp
                order[count] = implied
                count += 1
            elif not costly or parent[implied] == start or far[implied] <= further:
                continue
            parent[implied] = literal
            far[implied] = further
    return count


@kernel
def follow_back(parent: Ints, start: int, end: int, path: Ints) -> Any:
    """Write the path that `reach` found from `start` to `end` to the array `path`.

    `parent` is the array that `reach` wrote. The path consists of literals and includes both ends.
    Returns its length.
    """
    length = 1
    literal = end
    while literal != start:
        literal = parent[literal]
        length += 1
    literal = end
    for at in range(length - 1, -1, -1):
        path[at] = literal
        literal = parent[literal]
    return length


@kernel
def trace(
    board: Board,
    implications: Implications,
    start: int,
    end: int,
    parent: Ints,
    path: Ints,
    loop: int,
) -> Any:
    """Write the path between two literals to `path`. Return its length, or 0 if it is unusable.

    The path leads from `start` to `end`, and `parent` is the array that `reach` wrote. A path may
    not visit a cell twice, but two consecutive literals may be in the same cell. With `loop`, it
    may also return to its first cell, and its last two literals must be in different cells.
    """
    length = follow_back(parent, start, end, path)
    first = cell_of(board, implications, start)
    if loop and cell_of(board, implications, path[length - 2]) == cell_of(board, implications, end):
        return 0
    low, high = 0, 0
    for at in range(length):
        cell = cell_of(board, implications, path[at])
        if (low if cell < 64 else high) >> (cell & 63) & 1:
            return 0
        # Neighbors in the chain may share a cell, and a loop may return to its first cell.
        if at > 0:
            before = path[at - 1]
            if not loop or cell_of(board, implications, before) != first:
                a, b = cells_of(board, implications, before)
                low |= a
                high |= b
    return length


@kernel
def note_option_path(
    board: Board, implications: Implications, options: Options, path: Ints, length: int
) -> None:
    """Add a chain to the description of the deduction last completed in `options`.

    The chain's nodes are the literals `path[:length]`.
    """
    note_option(options, CHAIN, 0, 0)
    for at in range(length):
        literal = path[at]
        link = STRONG if literal & 1 else WEAK
        cell, value = cell_of(board, implications, literal), value_of(board, implications, literal)
        note_option(options, link if at else FIRST, cell, value)
        if is_group(implications, literal):
            low, high = cells_of(board, implications, literal)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            while low:
                note_option(options, MORE, ctz(low), 0)
                low &= low - 1
            while high:
                note_option(options, MORE, 64 + ctz(high), 0)
                high &= high - 1


@kernel
def note_path(
    board: Board, implications: Implications, buffer: Ints, path: Ints, length: int, side: int
) -> None:
    """Write a chain, the literals `path[:length]`, to the buffer.

    Its first literal is an assumption or, in a side chain (`side` is 1), a literal of an earlier
    chain. A literal of a group is written with all of the group's cells.
    """
    note(buffer, CHAIN, 0, 0)
    for at in range(length):
        literal = path[at]
        link = STRONG if literal & 1 else WEAK
        cell = cell_of(board, implications, literal)
        note(buffer, link if at or side else FIRST, cell, value_of(board, implications, literal))
        if is_group(implications, literal):
            low, high = cells_of(board, implications, literal)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            note_cells(buffer, MORE, low, high, 0)
