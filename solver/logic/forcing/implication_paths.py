"""Shortest paths through the implications: from a literal to everything that follows from it."""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.deduction_buffer import CHAIN, FIRST, MORE, STRONG, WEAK, note, note_cells
from solver.logic.hodoku_order import jot
from solver.logic.implications import STEP, cell_of, cells_of, is_group, value_of


@kernel
def reach(found: Any, start: int, order: Any, parent: Any, far: Any, seen: Any, stamp: int) -> Any:
    """Find everything that follows from a literal, nearest first. Return the number of literals.

    `order` lists the literals, beginning with the start. `parent` and `far` are indexed by literal
    and valid where `seen` equals `stamp`. If links have different costs, a shorter path to a
    literal may be found later and replaces the first one, except for literals that follow directly
    from the start.
    """
    order[0] = start
    seen[start] = stamp
    far[start] = 0
    parent[start] = start
    count = 1
    at = 0
    costly = len(found.costs) > 1
    while at < count:
        of = order[at]
        at += 1
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            further = far[of] + (found.costs[of, number] if costly else STEP)
            if seen[then] != stamp:
                seen[then] = stamp
                order[count] = then
                count += 1
            elif not costly or parent[then] == start or far[then] <= further:
                continue
            parent[then] = of
            far[then] = further
    return count


@kernel
def follow_back(parent: Any, start: int, end: int, path: Any) -> Any:
    """Write the path that `reach` found between two literals. Return its length."""
    length = 1
    of = end
    while of != start:
        of = parent[of]
        length += 1
    of = end
    for at in range(length - 1, -1, -1):
        path[at] = of
        of = parent[of]
    return length


@kernel
def trace(board: Any, found: Any, start: int, end: int, parent: Any, path: Any, loop: int) -> Any:
    """Write the path between two literals. Return its length, or 0 if it crosses itself."""
    length = follow_back(parent, start, end, path)
    first = cell_of(board, found, start)
    if loop and cell_of(board, found, path[length - 2]) == cell_of(board, found, end):
        return 0
    low, high = 0, 0
    for at in range(length):
        cell = cell_of(board, found, path[at])
        if (low if cell < 64 else high) >> (cell & 63) & 1:
            return 0
        # Neighbors in the chain may share a cell, and a loop may return to its first cell.
        if at > 0:
            before = path[at - 1]
            if not loop or cell_of(board, found, before) != first:
                a, b = cells_of(board, found, before)
                low |= a
                high |= b
    return length


@kernel
def jot_path(board: Any, found: Any, choice: Any, path: Any, length: int) -> None:
    """Add a chain of literals to the latest option of a choice."""
    jot(choice, CHAIN, 0, 0)
    for at in range(length):
        of = path[at]
        link = STRONG if of & 1 else WEAK
        cell, value = cell_of(board, found, of), value_of(board, found, of)
        jot(choice, link if at else FIRST, cell, value)
        if is_group(found, of):
            low, high = cells_of(board, found, of)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            while low:
                jot(choice, MORE, ctz(low), 0)
                low &= low - 1
            while high:
                jot(choice, MORE, 64 + ctz(high), 0)
                high &= high - 1


@kernel
def note_path(board: Any, found: Any, buffer: Any, path: Any, length: int, side: int) -> None:
    """Write a chain of literals. The first one is assumed, or already known in a side chain."""
    note(buffer, CHAIN, 0, 0)
    for at in range(length):
        of = path[at]
        link = STRONG if of & 1 else WEAK
        cell = cell_of(board, found, of)
        note(buffer, link if at or side else FIRST, cell, value_of(board, found, of))
        if is_group(found, of):
            low, high = cells_of(board, found, of)
            if cell < 64:
                low &= ~(1 << cell)
            else:
                high &= ~(1 << (cell & 63))
            note_cells(buffer, MORE, low, high, 0)
