"""Chains of one value (turbot fish, X-chains) or of bivalue cells (XY-chains, remote pairs).

A chain begins and ends with a strong link, so at least one of its two ends is true.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_rows import CHAIN, FIRST, STRONG, VALUE, WEAK
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.hodoku_order import (
    FIRST_KEY,
    Options,
    add,
    best,
    drop,
    eliminate_set,
    new_options,
    note_option,
    same_as,
    write_options,
)
from solver.logic.sets import common_places, no_cells
from solver.logic.technique import Search, small_board

TURBOT_CODE, X_CODE, XY_CODE, REMOTE_CODE = 403, 701, 702, 703
_MOST_LINKS = 20
_MOST_OPTIONS = 2048


@kernel
def _peer_links(
    board: Board, grid: Grid, cell: int, value: int, pairs: int, known: Words, links: Ints
) -> Any:
    """Write the links from a cell to its peers that have the value as a candidate to `links`.

    They are ordered by rows, columns, boxes, then other peers. A link is 2 × cell, plus 1 if it is
    strong. With `pairs`, only peers with two candidates count, and no link is strong. `known` is
    scratch space for a set of cells. Returns the number of links.
    """
    for word in range(len(known)):
        known[word] = 0
    known[cell >> 6] = 1 << (cell & 63)
    count = 0
    number = 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        number += 1
        strong = 0
        if not pairs and board.complete[house] and grid.free[house, value] == 2:
            strong = 1
        for word in range(len(known)):
            rest = board.house_sets[house, word] & grid.places[value, word] & ~known[word]
            known[word] |= board.house_sets[house, word]
            count = _add_links(grid, links, count, word, rest, pairs, strong)
    for word in range(len(known)):
        rest = board.peer_sets[cell, word] & grid.places[value, word] & ~known[word]
        count = _add_links(grid, links, count, word, rest, pairs, 0)
    return count


@kernel
def _add_links(
    grid: Grid, links: Ints, count: int, word: int, cells: int, pairs: int, strong: int
) -> Any:
    """Append links to the `cells` in word number `word` of a set. Return the new number of links.

    With `pairs`, only cells with two candidates are added. A link is 2 × cell + `strong`.
    """
    while cells:
        other = 64 * word + ctz(cells)
        cells &= cells - 1
        if not pairs or popcount(grid.cells[other]) == 2:
            links[count] = 2 * other + strong
            count += 1
    return count


@compiled
def find_x_chain(board: Board, grid: Grid, buffer: Ints, all_steps: int, code: int) -> None:
    """Search for chains of one value: turbot fish (3 links) or X-chains (up to 20 links).

    `code` selects the technique. Cells that see both ends of a chain lose the value. Writes the
    deduction that HoDoKu would choose, or all of them if `all_steps` is set.
    """
    cells = board.cell_count
    most = 3 if code == TURBOT_CODE else _MOST_LINKS
    gone = no_cells(board)
    used = np.zeros(cells, np.uint8)
    links = np.empty((board.value_count + 1, cells, board.peers.shape[1] + 1), np.int32)
    counts = np.zeros((board.value_count + 1, cells), np.int32)
    changed = 0
    for value in range(1, board.value_count + 1):
        changed |= (not is_value_unchanged(grid, value)) << (value - 1)
    for cell in range(cells):
        rest = grid.cells[cell] & changed
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            counts[value, cell] = _peer_links(board, grid, cell, value, 0, gone, links[value, cell])
    options = new_options(_MOST_OPTIONS)
    path = np.empty(most + 1, np.int64)
    nexts = np.empty(most + 1, np.int64)
    for start in range(cells):
        rest = grid.cells[start] & changed
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            for number in range(counts[value, start]):
                if not links[value, start, number] & 1:
                    continue
                level = 1
                path[0], path[1] = start, links[value, start, number] >> 1
                nexts[1] = 0
                while True:
                    while nexts[level] >= counts[value, path[level]]:
                        level -= 1
                        if level == 0:
                            break
                        used[path[level]] = 0
                    if level == 0:
                        break
                    cell = path[level]
                    link = links[value, cell, nexts[level]]
                    nexts[level] += 1
                    strong = level & 1 == 0  # the next link must be strong
                    if strong and not link & 1:
                        continue
                    other = link >> 1
                    if used[other]:
                        continue
                    used[cell] = 1
                    level += 1
                    path[level] = other
                    if (
                        strong
                        and (code == X_CODE or level == 3)
                        and common_places(board, grid, value, start, other, gone)
                    ):
                        eliminate_set(options, gone, value)
                        _keep_chain(options, code, level, value, path)
                    if level < most and other != start:
                        nexts[level] = 0
                    else:
                        nexts[level] = counts[value, other]
    write_options(buffer, options, best(options), all_steps)


@kernel
def _keep_chain(options: Options, code: int, level: int, value: int, path: Words) -> None:
    """Complete a chain as a deduction, or discard it if an earlier one is as good.

    Its eliminations have been collected in `options` before. An earlier deduction there is as good
    if it has the same eliminations and isn't longer. Turbot fish are never discarded. The chain's
    cells are `path[:level + 1]`.
    """
    known = same_as(options)
    if code != TURBOT_CODE and known >= 0 and options.entries[known, FIRST_KEY] <= level + 1:
        drop(options)
        return
    if add(options, code, level + 1, value):
        note_option(options, VALUE, value, 0)
        note_option(options, CHAIN, 0, 0)
        for number in range(level + 1):
            link = STRONG if number & 1 else WEAK
            note_option(options, link if number else FIRST, path[number], value)


@compiled
def find_xy_chain(board: Board, grid: Grid, buffer: Ints, all_steps: int, code: int) -> None:
    """Search for XY-chains of cells with two candidates, or for remote pairs.

    `code` selects the technique. One end of an XY-chain has the chain's value, so cells that see
    both ends lose it. All cells of a remote pair have the same two candidates, and cells that see
    two of them with different values lose both. Chains have at most ten cells. Writes the deduction
    that HoDoKu would choose, or all of them if `all_steps` is set.
    """
    cells = board.cell_count
    if code == REMOTE_CODE and not _has_four(board, grid):
        return
    gone = no_cells(board)
    used = np.zeros(cells, np.uint8)
    links = np.empty((2, cells, board.peers.shape[1] + 1), np.int32)
    counts = np.zeros((2, cells), np.int32)
    for cell in range(cells):
        pair = grid.cells[cell]
        if popcount(pair) == 2:
            lower, upper = ctz(pair) + 1, ctz(pair & (pair - 1)) + 1
            counts[0, cell] = _peer_links(board, grid, cell, lower, 1, gone, links[0, cell])
            counts[1, cell] = _peer_links(board, grid, cell, upper, 1, gone, links[1, cell])
    options = new_options(_MOST_OPTIONS)
    half = _MOST_LINKS // 2
    path = np.empty(half + 2, np.int64)  # cells
    entered = np.empty(half + 2, np.int64)  # the value that the chain forces in each cell
    nexts = np.empty(half + 2, np.int64)
    least = 4 if code == REMOTE_CODE else 2
    for start in range(cells):
        pair = grid.cells[start]
        if popcount(pair) != 2:
            continue
        rest = pair
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            level = 1
            path[1] = start
            entered[1] = ctz(pair & ~(1 << (value - 1))) + 1
            used[start] = 1
            nexts[1] = 0
            while level:
                cell = path[level]
                side = 0 if entered[level] == ctz(grid.cells[cell]) + 1 else 1
                if nexts[level] >= counts[side, cell]:
                    used[cell] = 0
                    level -= 1
                    continue
                other = links[side, cell, nexts[level]] >> 1
                nexts[level] += 1
                if used[other]:
                    continue
                if code == REMOTE_CODE and grid.cells[other] != pair:
                    continue
                left = ctz(grid.cells[other] & ~(1 << (entered[level] - 1))) + 1
                if level == half:
                    continue
                level += 1
                path[level] = other
                entered[level] = left
                nexts[level] = 0
                used[other] = 1
                if (
                    left == value
                    and level >= least
                    and common_places(board, grid, value, start, other, gone)
                ):
                    if code == XY_CODE:
                        eliminate_set(options, gone, value)
                    else:
                        _eliminate_remote(
                            board, grid, options, level, value, entered[1], path, gone
                        )
                    _keep_xy_chain(options, code, level, value, path, entered)
    write_options(buffer, options, best(options), all_steps)


@kernel
def _has_four(board: Board, grid: Grid) -> bool:
    """Return whether at least four cells have the same two candidates, as remote pairs need."""
    for start in range(board.cell_count):
        if popcount(grid.cells[start]) == 2:
            same = 1
            for cell in range(start + 1, board.cell_count):
                same += grid.cells[cell] == grid.cells[start]
            if same > 3:
                return True
    return False


@kernel
def _eliminate_remote(
    board: Board,
    grid: Grid,
    options: Options,
    level: int,
    value: int,
    other: int,
    path: Words,
    gone: Words,
) -> None:
    """Eliminate both values of a remote pair from cells that see two of its cells.

    The two cells must have different values, so they are an odd number of steps apart in
    `path[1:level + 1]`, and at least 3. The values are `value` and `other`. The eliminations are
    added to the deduction being built in `options`. `gone` is scratch space.
    """
    for one in range(1, level + 1):
        for two in range(one + 3, level + 1, 2):
            for removed in (value, other):
                if common_places(board, grid, removed, path[one], path[two], gone):
                    eliminate_set(options, gone, removed)


@kernel
def _keep_xy_chain(
    options: Options, code: int, level: int, value: int, path: Words, entered: Words
) -> None:
    """Complete a chain as a deduction, or discard it if an earlier one is as good.

    Its eliminations have been collected in `options` before. An earlier deduction there is as good
    if it has the same eliminations and isn't longer. The chain's cells are `path[1:level + 1]`, and
    the values that it forces there are at the same indices of `entered`.
    """
    length = 2 * level
    known = same_as(options)
    if known >= 0 and options.entries[known, FIRST_KEY] <= length:
        drop(options)
        return
    if add(options, code, length, value + (entered[1] if code == REMOTE_CODE else 0)):
        note_option(options, VALUE, value, 0)
        if code == REMOTE_CODE:
            note_option(options, VALUE, entered[1], 0)
        note_option(options, CHAIN, 0, 0)
        into = value
        for number in range(1, level + 1):
            note_option(options, WEAK if number > 1 else FIRST, path[number], into)
            note_option(options, STRONG, path[number], entered[number])
            into = entered[number]


TURBOT_FISH = Search(("0403",), find_x_chain, (TURBOT_CODE,))
X_CHAIN = Search(("0701",), find_x_chain, (X_CODE,), small_board)
XY_CHAIN = Search(("0702",), find_xy_chain, (XY_CODE,), small_board)
REMOTE_PAIR = Search(("0703",), find_xy_chain, (REMOTE_CODE,))
