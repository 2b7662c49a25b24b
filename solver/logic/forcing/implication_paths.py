"""Ways through implications: from a literal to all that follows from it, nearest first."""

from typing import Any

from solver.compiling.jit import bare
from solver.compiling.words import lowest
from solver.logic.hodoku_order import jot
from solver.logic.implications import STEP, cell_of, cells_of, is_group, value_of
from solver.logic.record import CHAIN, FIRST, MORE, STRONG, WEAK, note, note_cells


@bare
def reach(found: Any, start: int, order: Any, parent: Any, far: Any, seen: Any, stamp: int) -> Any:
    """Find all that follows from a literal, nearest first; return how many literals there are.

    `order` lists them from the start on; `parent` and `far` go by literal, where `seen` is the
    stamp. Where a link costs more than a step, a shorter way may be found later; what follows
    from the start itself stays so.
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


@bare
def follow_back(parent: Any, start: int, end: int, path: Any) -> Any:
    """Write the way that `reach` found from one literal to another; return its length."""
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


@bare
def trace(board: Any, found: Any, start: int, end: int, parent: Any, path: Any, loop: int) -> Any:
    """Write the way from one literal to another; return its length, 0 if it crosses itself."""
    length = follow_back(parent, start, end, path)
    first = cell_of(board, found, start)
    if loop and cell_of(board, found, path[length - 2]) == cell_of(board, found, end):
        return 0
    low, high = 0, 0
    for at in range(length):
        cell = cell_of(board, found, path[at])
        if (low if cell < 64 else high) >> (cell & 63) & 1:
            return 0
        # Neighbours in the chain may share a cell, and a loop may come back to its first one.
        if at > 0:
            before = path[at - 1]
            if not loop or cell_of(board, found, before) != first:
                a, b = cells_of(board, found, before)
                low |= a
                high |= b
    return length


@bare
def jot_path(board: Any, found: Any, choice: Any, path: Any, length: int) -> None:
    """Note a chain of literals."""
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
                jot(choice, MORE, lowest(low), 0)
                low &= low - 1
            while high:
                jot(choice, MORE, 64 + lowest(high), 0)
                high &= high - 1


@bare
def note_path(board: Any, found: Any, buffer: Any, path: Any, length: int, side: int) -> None:
    """Write a chain of literals, the first of which is assumed, or for a side chain known."""
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
