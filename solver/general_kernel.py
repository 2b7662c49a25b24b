"""The compiled search of the general engine.

All of it lives here, because Numba's cache on disk notices edits in one file only.

A grid is one 64-bit word per cell, a bit per candidate:

    bit   63 … 8 7 6 5 4 3 2 1 0
    value 64 … 9 8 7 6 5 4 3 2 1

Propagation runs from two work lists: cells that have just got a single candidate, and houses
in which something changed. When both are empty, the pairs of overlapping houses are looked
at for locked candidates. When nothing is left to deduce, the search guesses: the guess goes
on, its complement (the same grid without that candidate) waits on the stack.
"""

from typing import Any

import numpy as np
from numba import njit

ZERO = np.uint64(0)
ONE = np.uint64(1)

EXHAUSTED = 0
LIMIT_REACHED = 1
STEP_LIMIT_REACHED = 2
STOPPED = 3
TOO_HARD = 4

_FINISH = 1
_ABANDON = 2
_STACK_AT_FIRST = 16
_KEPT_AT_FIRST = 4


@njit(cache=True, nogil=True, inline="always")
def _is_single(word: Any) -> Any:
    return word & (word - ONE) == ZERO


@njit(cache=True, nogil=True, inline="always")
def _bits(word: Any) -> Any:
    """Count the bits of a word by adding neighbours: pairs, nibbles, bytes, then all bytes."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True, nogil=True, inline="always")
def _touch(cell, cell_houses, dirty, houses, work):  # type: ignore[no-untyped-def]
    """Put the houses of a cell on the work list."""
    for i in range(cell_houses.shape[1]):
        house = cell_houses[cell, i]
        if house < 0:
            break
        if not dirty[house]:
            dirty[house] = True
            houses[work[1]] = house
            work[1] += 1


@njit(cache=True, nogil=True, inline="always")
def _reduce(cell, word, grid, cell_houses, singles, dirty, houses, work):  # type: ignore[no-untyped-def]
    """Leave the given candidates in a cell; False if there are none."""
    grid[cell] = word
    if word == ZERO:
        return False
    if _is_single(word):
        singles[work[0]] = cell
        work[0] += 1
    _touch(cell, cell_houses, dirty, houses, work)
    return True


@njit(cache=True, nogil=True)
def _propagate(grid, tables, singles, dirty, houses, work, stale):  # type: ignore[no-untyped-def]
    """Deduce until nothing is left; False if a cell or a house has nothing left to hold.

    work = [number of singles, number of houses] on the lists; both are empty in the end.
    stale[i] says that the i-th pair of overlapping houses is to be looked at.
    """
    house_cells, cell_houses, peers, overlaps, house_overlaps, full, relations, allowed = tables
    size = house_cells.shape[1]
    alive = True
    while alive:
        if work[0] > 0:
            work[0] -= 1
            cell = singles[work[0]]
            value = grid[cell]
            for i in range(peers.shape[1]):
                peer = peers[cell, i]
                if peer < 0:
                    break
                word = grid[peer]
                if word & value != ZERO and alive:
                    alive = _reduce(
                        peer, word & ~value, grid, cell_houses, singles, dirty, houses, work
                    )
        elif work[1] > 0:
            work[1] -= 1
            house = houses[work[1]]
            dirty[house] = False
            once = ZERO
            twice = ZERO
            for i in range(size):
                word = grid[house_cells[house, i]]
                twice |= once & word
                once |= word
            if once != full:
                alive = False
                break
            hidden = once & ~twice
            if hidden != ZERO:
                for i in range(size):
                    cell = house_cells[house, i]
                    word = grid[cell]
                    found = word & hidden
                    if found != ZERO and found != word:
                        if not _is_single(found):
                            alive = False
                            break
                        _reduce(cell, found, grid, cell_houses, singles, dirty, houses, work)
            for i in range(house_overlaps.shape[1]):
                pair = house_overlaps[house, i]
                if pair < 0:
                    break
                stale[pair] = True
        else:
            changed = False
            for pair in range(overlaps.shape[0]):
                if not stale[pair]:
                    continue
                stale[pair] = False
                alive = _lock(pair, overlaps, grid, cell_houses, singles, dirty, houses, work)
                changed = work[1] > 0
                if changed or not alive:
                    break
            if not changed and alive and relations.shape[0] > 0:
                alive = _relate(relations, allowed, grid, cell_houses, singles, dirty, houses, work)
                changed = work[1] > 0
            if not changed:
                break
    if not alive:
        while work[1] > 0:
            work[1] -= 1
            dirty[houses[work[1]]] = False
        work[0] = 0
        stale[:] = False
    return alive


@njit(cache=True, nogil=True)
def _lock(pair, overlaps, grid, cell_houses, singles, dirty, houses, work):  # type: ignore[no-untyped-def]
    """Remove what is locked into the cells that two houses share.

    overlaps[pair] = three rows of cells, each closed by −1: shared, first's rest, second's.
    """
    shared = ZERO
    rest_1 = ZERO
    rest_2 = ZERO
    width = overlaps.shape[2]
    for i in range(width):
        cell = overlaps[pair, 0, i]
        if cell < 0:
            break
        shared |= grid[cell]
    for i in range(width):
        cell = overlaps[pair, 1, i]
        if cell < 0:
            break
        rest_1 |= grid[cell]
    for i in range(width):
        cell = overlaps[pair, 2, i]
        if cell < 0:
            break
        rest_2 |= grid[cell]
    for side in range(1, 3):
        locked = shared & ~(rest_1 if side == 2 else rest_2)
        if locked & (rest_2 if side == 2 else rest_1) == ZERO:
            continue
        for i in range(width):
            cell = overlaps[pair, side, i]
            if cell < 0:
                break
            word = grid[cell]
            if word & locked != ZERO and not _reduce(
                cell, word & ~locked, grid, cell_houses, singles, dirty, houses, work
            ):
                return False
    return True


@njit(cache=True, nogil=True)
def _relate(relations, tables, grid, cell_houses, singles, dirty, houses, work):  # type: ignore[no-untyped-def]
    """Remove what relations rule out; False if a cell has nothing left.

    relations[i] = first cell, second cell, number of its table; tables[t, v] = what value
    v + 1 of the first allows in the second.
    """
    for i in range(relations.shape[0]):
        word = grid[relations[i, 0]]
        other = relations[i, 1]
        allowed = ZERO
        while word != ZERO:
            allowed |= tables[relations[i, 2], _bits(~word & (word - ONE))]
            word &= word - ONE
        left = grid[other] & allowed
        if left != grid[other] and not _reduce(
            other, left, grid, cell_houses, singles, dirty, houses, work
        ):
            return False
    return True


@njit(cache=True, nogil=True)
def _choose(grid):  # type: ignore[no-untyped-def]
    """Return the first cell with the fewest candidates above one, −1 if there is none."""
    best = -1
    fewest = np.uint64(65)
    for cell in range(grid.shape[0]):
        word = grid[cell]
        more = word & (word - ONE)
        if more != ZERO:
            if _is_single(more):
                return cell
            count = _bits(word)
            if count < fewest:
                fewest = count
                best = cell
    return best


@njit(cache=True, nogil=True)
def search(domains, tables, limit, step_limit, patience, kept, stop):  # type: ignore[no-untyped-def]
    """Search one puzzle, given the values left to each cell (cells,) as bits.

    It is given up as too hard after more dead ends than `patience` without another solution.
    Returns (verdict, solutions found, guesses, the first `kept` solutions (kept, cells) uint8).
    """
    house_cells, cell_houses, _, overlaps, _, _, _, _ = tables
    cells = domains.shape[0]
    grid = domains.copy()
    stack = np.empty((_STACK_AT_FIRST, cells), np.uint64)
    branch_cell = np.empty(_STACK_AT_FIRST, np.int64)
    depth = 0
    found = np.zeros((min(kept, _KEPT_AT_FIRST), cells), np.uint8)
    count = 0
    steps = 0
    fruitless = 0
    singles = np.empty(2 * cells, np.int64)
    dirty = np.ones(house_cells.shape[0], np.bool_)
    houses = np.arange(house_cells.shape[0])
    stale = np.zeros(overlaps.shape[0], np.bool_)
    work = np.array([0, house_cells.shape[0]])
    for cell in range(cells):
        if grid[cell] == ZERO:
            return EXHAUSTED, 0, 0, found
        if _is_single(grid[cell]):
            singles[work[0]] = cell
            work[0] += 1
    while True:
        alive = _propagate(grid, tables, singles, dirty, houses, work, stale)
        if alive:
            cell = _choose(grid)
            if cell >= 0:
                if steps == step_limit:
                    return STEP_LIMIT_REACHED, count, steps, found
                if stop[0] == _ABANDON:
                    return STOPPED, count, steps, found
                steps += 1
                if depth == stack.shape[0]:
                    higher = np.empty((2 * depth, cells), np.uint64)
                    higher[:depth] = stack
                    stack = higher
                    more_cells = np.empty(2 * depth, np.int64)
                    more_cells[:depth] = branch_cell
                    branch_cell = more_cells
                word = grid[cell]
                rest = word & (word - ONE)
                stack[depth] = grid
                stack[depth, cell] = rest
                branch_cell[depth] = cell
                depth += 1
                _reduce(cell, word ^ rest, grid, cell_houses, singles, dirty, houses, work)
                continue
            if count < kept:
                if count == found.shape[0]:
                    more = np.zeros((min(kept, 2 * count), cells), np.uint8)
                    more[:count] = found
                    found = more
                for i in range(cells):
                    found[count, i] = _bits(grid[i] - ONE) + ONE
            count += 1
            fruitless = 0
            if count == limit:
                return LIMIT_REACHED, count, steps, found
        else:
            fruitless += 1
        if depth == 0:
            return EXHAUSTED, count, steps, found
        if fruitless > patience:
            return TOO_HARD, count, steps, found
        depth -= 1
        cell = branch_cell[depth]
        grid[:] = stack[depth]
        _reduce(cell, grid[cell], grid, cell_houses, singles, dirty, houses, work)


@njit(cache=True, nogil=True)
def search_many(  # type: ignore[no-untyped-def]
    domains, tables, limit, step_limit, patience, stop, verdicts, solutions, counts, steps
):
    """Search puzzles (n, cells) one by one into the four arrays; return how many were done."""
    for i in range(domains.shape[0]):
        if i > 0 and stop[0] == _FINISH:
            return i
        verdict, count, step, found = search(
            domains[i], tables, limit, step_limit, patience, 1, stop
        )
        if verdict == STOPPED:
            return i
        verdicts[i] = verdict
        counts[i] = count
        steps[i] = step
        if count > 0:
            solutions[i] = found[0]
    return domains.shape[0]
