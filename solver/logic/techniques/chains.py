"""Chains of one value (turbot fish, X-chains) or of cells with two values (XY, remote pairs).

A chain starts with a strong link and ends with one: one of its two ends is true.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.compiling.words import lowest, ones
from solver.logic.choice import FIRST_KEY, add, best, drop, eliminate, jot, new_choice, same_as
from solver.logic.record import CHAIN, FIRST, STRONG, VALUE, WEAK, write_choices
from solver.logic.technique import Search, small_board

TURBOT_CODE, X_CODE, XY_CODE, REMOTE_CODE = 403, 701, 702, 703
_MOST_LINKS = 20
_ROOM = 2048


@bare
def _peer_links(board: Any, grid: Any, cell: int, value: int, pairs: int, links: Any) -> Any:
    """Write the cells that see a cell and can have a value: rows, columns, boxes, then the rest.

    `pairs` leaves cells with other than two candidates out. A link is 2 × cell, 1 more if strong.
    """
    count = 0
    number = 0
    seen_low, seen_high = 0, 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        strong = not pairs and board.complete[house] and grid.free[house, value] == 2
        low = board.house_sets[house, 0] & grid.places[value, 0] & ~seen_low
        high = board.house_sets[house, 1] & grid.places[value, 1] & ~seen_high
        seen_low |= board.house_sets[house, 0]
        seen_high |= board.house_sets[house, 1]
        while low | high:
            other = lowest(low) if low else 64 + lowest(high)
            if low:
                low &= low - 1
            else:
                high &= high - 1
            if other != cell and (not pairs or ones(grid.cells[other]) == 2):
                links[count] = 2 * other + strong
                count += 1
    low = board.peer_sets[cell, 0] & grid.places[value, 0] & ~seen_low
    high = board.peer_sets[cell, 1] & grid.places[value, 1] & ~seen_high
    while low | high:
        other = lowest(low) if low else 64 + lowest(high)
        if low:
            low &= low - 1
        else:
            high &= high - 1
        if not pairs or ones(grid.cells[other]) == 2:
            links[count] = 2 * other
            count += 1
    return count


@compiled
def find_x_chain(board: Any, grid: Any, buffer: Any, every: int, code: int) -> None:
    """Look for chains of one value, of three links (turbot fish) or of up to twenty."""
    cells = board.cell_count
    most = 3 if code == TURBOT_CODE else _MOST_LINKS
    links = np.empty((board.value_count + 1, cells, board.peers.shape[1] + 1), np.int32)
    counts = np.zeros((board.value_count + 1, cells), np.int32)
    for cell in range(cells):
        rest = grid.cells[cell]
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            counts[value, cell] = _peer_links(board, grid, cell, value, 0, links[value, cell])
    choice = new_choice(_ROOM)
    path = np.empty(most + 1, np.int64)
    nexts = np.empty(most + 1, np.int64)
    for start in range(cells):
        rest = grid.cells[start]
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            start_low = board.peer_sets[start, 0] & grid.places[value, 0]
            start_high = board.peer_sets[start, 1] & grid.places[value, 1]
            for number in range(counts[value, start]):
                if not links[value, start, number] & 1:
                    continue
                level = 1
                path[0], path[1] = start, links[value, start, number] >> 1
                used_low, used_high = 0, 0
                if start < 64:
                    used_low = 1 << start
                else:
                    used_high = 1 << (start & 63)
                nexts[1] = 0
                while True:
                    while nexts[level] >= counts[value, path[level]]:
                        level -= 1
                        if level == 0:
                            break
                        if path[level] < 64:
                            used_low &= ~(1 << path[level])
                        else:
                            used_high &= ~(1 << (path[level] & 63))
                    if level == 0:
                        break
                    cell = path[level]
                    link = links[value, cell, nexts[level]]
                    nexts[level] += 1
                    strong = level & 1 == 0  # this link has to be
                    if strong and not link & 1:
                        continue
                    other = link >> 1
                    if (used_low if other < 64 else used_high) >> (
                        other & 63
                    ) & 1 and other != start:
                        continue
                    if cell < 64:
                        used_low |= 1 << cell
                    else:
                        used_high |= 1 << (cell & 63)
                    level += 1
                    path[level] = other
                    if strong and (code == X_CODE or level == 3):
                        low = start_low & board.peer_sets[other, 0]
                        high = start_high & board.peer_sets[other, 1]
                        if low | high:
                            eliminate(choice, low, high, value)
                            _keep_chain(choice, code, level, value, path)
                    if level < most and other != start:
                        nexts[level] = 0
                    else:
                        nexts[level] = counts[value, other]
    write_choices(buffer, choice, best(choice), every)


@bare
def _keep_chain(choice: Any, code: int, level: int, value: int, path: Any) -> None:
    """Keep a chain if it is shorter than others that remove the same."""
    known = same_as(choice)
    if code != TURBOT_CODE and known >= 0 and choice.options[known, FIRST_KEY] <= level + 1:
        drop(choice)
        return
    if add(choice, code, level + 1, value):
        jot(choice, VALUE, value, 0)
        jot(choice, CHAIN, 0, 0)
        for number in range(level + 1):
            link = STRONG if number & 1 else WEAK
            jot(choice, link if number else FIRST, path[number], value)


@compiled
def find_xy_chain(board: Any, grid: Any, buffer: Any, every: int, code: int) -> None:
    """Look for chains of cells with two candidates; of the same two (remote pairs), if asked."""
    cells = board.cell_count
    links = np.empty((2, cells, board.peers.shape[1] + 1), np.int32)
    counts = np.zeros((2, cells), np.int32)
    for cell in range(cells):
        pair = grid.cells[cell]
        if ones(pair) == 2:
            lower, upper = lowest(pair) + 1, lowest(pair & (pair - 1)) + 1
            counts[0, cell] = _peer_links(board, grid, cell, lower, 1, links[0, cell])
            counts[1, cell] = _peer_links(board, grid, cell, upper, 1, links[1, cell])
    choice = new_choice(_ROOM)
    half = _MOST_LINKS // 2
    path = np.empty(half + 2, np.int64)  # cells
    entered = np.empty(half + 2, np.int64)  # the value that each cell is left with
    nexts = np.empty(half + 2, np.int64)
    least = 4 if code == REMOTE_CODE else 2
    for start in range(cells):
        pair = grid.cells[start]
        if ones(pair) != 2:
            continue
        rest = pair
        while rest:
            value = lowest(rest) + 1
            rest &= rest - 1
            start_low = board.peer_sets[start, 0] & grid.places[value, 0]
            start_high = board.peer_sets[start, 1] & grid.places[value, 1]
            level = 1
            path[1] = start
            entered[1] = lowest(pair & ~(1 << (value - 1))) + 1
            used_low, used_high = 0, 0
            if start < 64:
                used_low = 1 << start
            else:
                used_high = 1 << (start & 63)
            nexts[1] = 0
            while level:
                cell = path[level]
                side = 0 if entered[level] == lowest(grid.cells[cell]) + 1 else 1
                if nexts[level] >= counts[side, cell]:
                    if cell < 64:
                        used_low &= ~(1 << cell)
                    else:
                        used_high &= ~(1 << (cell & 63))
                    level -= 1
                    continue
                other = links[side, cell, nexts[level]] >> 1
                nexts[level] += 1
                if (used_low if other < 64 else used_high) >> (other & 63) & 1:
                    continue
                if code == REMOTE_CODE and grid.cells[other] != pair:
                    continue
                left = lowest(grid.cells[other] & ~(1 << (entered[level] - 1))) + 1
                if level == half:
                    continue
                level += 1
                path[level] = other
                entered[level] = left
                nexts[level] = 0
                if other < 64:
                    used_low |= 1 << other
                else:
                    used_high |= 1 << (other & 63)
                if left == value and level >= least:
                    low = start_low & board.peer_sets[other, 0]
                    high = start_high & board.peer_sets[other, 1]
                    if low | high and code == XY_CODE:
                        eliminate(choice, low, high, value)
                        _keep_xy_chain(choice, code, level, value, path, entered)
                    elif low | high:
                        _eliminate_remote(board, grid, choice, level, value, entered[1], path)
                        _keep_xy_chain(choice, code, level, value, path, entered)
    write_choices(buffer, choice, best(choice), every)


@bare
def _eliminate_remote(
    board: Any, grid: Any, choice: Any, level: int, value: int, other: int, path: Any
) -> None:
    """Remove both values from what sees two cells of a chain at an odd distance, three or more."""
    for one in range(1, level + 1):
        for two in range(one + 3, level + 1, 2):
            low = board.peer_sets[path[one], 0] & board.peer_sets[path[two], 0]
            high = board.peer_sets[path[one], 1] & board.peer_sets[path[two], 1]
            eliminate(choice, low & grid.places[value, 0], high & grid.places[value, 1], value)
            eliminate(choice, low & grid.places[other, 0], high & grid.places[other, 1], other)


@bare
def _keep_xy_chain(choice: Any, code: int, level: int, value: int, path: Any, entered: Any) -> None:
    """Keep a chain if it is shorter than others that remove the same."""
    length = 2 * level
    known = same_as(choice)
    if known >= 0 and choice.options[known, FIRST_KEY] <= length:
        drop(choice)
        return
    if add(choice, code, length, value + (entered[1] if code == REMOTE_CODE else 0)):
        jot(choice, VALUE, value, 0)
        if code == REMOTE_CODE:
            jot(choice, VALUE, entered[1], 0)
        jot(choice, CHAIN, 0, 0)
        into = value
        for number in range(1, level + 1):
            jot(choice, WEAK if number > 1 else FIRST, path[number], into)
            jot(choice, STRONG, path[number], entered[number])
            into = entered[number]


TURBOT_FISH = Search(("0403",), find_x_chain, (TURBOT_CODE,), small_board)
X_CHAIN = Search(("0701",), find_x_chain, (X_CODE,), small_board)
XY_CHAIN = Search(("0702",), find_xy_chain, (XY_CODE,), small_board)
REMOTE_PAIR = Search(("0703",), find_xy_chain, (REMOTE_CODE,), small_board)
