"""Almost locked sets (n cells of a house with n + 1 candidates) and the links between them."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel
from solver.logic.almost_locked_sets.storage import MOST_LINKS, MOST_SETS, Sets
from solver.logic.board import Board, Ints, Words
from solver.logic.grid import CHANGES, SEEN, Grid


@compiled
def find_sets(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Find all almost locked sets of the grid and store them in `grid.sets`.

    Single cells with two candidates are included. At most MOST_SETS sets are stored. Does nothing
    if the grid has not changed since the last call. The parameters `buffer` and `all_steps` are
    unused.
    """
    sets = grid.sets
    if sets.changes == grid.counts[CHANGES]:
        return
    sets.changes = grid.counts[CHANGES]
    sets.counts[0] = 0
    size = board.value_count
    cells = np.empty(size, np.int64)
    chosen = np.empty(size + 1, np.int64)
    union = np.zeros(size + 1, np.int64)
    low = np.zeros(size + 1, np.int64)
    high = np.zeros(size + 1, np.int64)
    for house in range(board.house_count):
        count = 0
        number = 0
        while board.house_cells[house, number] >= 0:
            if grid.cells[board.house_cells[house, number]]:
                cells[count] = board.house_cells[house, number]
                count += 1
            number += 1
        level = 1
        chosen[1] = -1
        while level:
            chosen[level] += 1
            if chosen[level] >= count:
                level -= 1
                continue
            cell = cells[chosen[level]]
            union[level] = union[level - 1] | grid.cells[cell]
            low[level], high[level] = low[level - 1], high[level - 1]
            if cell < 64:
                low[level] |= 1 << cell
            else:
                high[level] |= 1 << (cell & 63)
            if (
                popcount(union[level]) == level + 1
                and sets.counts[0] < MOST_SETS
                and not _in_earlier_house(board, house, cell, low[level], high[level])
            ):
                _add(board, grid, sets, low[level], high[level], union[level])
            if level < size - 1:
                level += 1
                chosen[level] = chosen[level - 1]


@kernel
def _in_earlier_house(board: Board, house: int, cell: int, low: int, high: int) -> bool:
    """Return whether a house with a lower number than `house` contains the cells.

    If so, their set is already stored. The cells are two words (`low`, `high`), and `cell` is one
    of them.
    """
    number = 0
    while board.cell_houses[cell, number] < house:
        earlier = board.cell_houses[cell, number]
        if (low & ~board.house_sets[earlier, 0]) | (high & ~board.house_sets[earlier, 1]) == 0:
            return True
        number += 1
    return False


@kernel
def _add(board: Board, grid: Grid, sets: Sets, low: int, high: int, values: int) -> None:
    """Store an almost locked set: its cells `low`, `high` (two words), and its values (bits).

    There must be room for it. What follows from these, such as its peers, is stored, too.
    """
    number = sets.counts[0]
    sets.counts[0] = number + 1
    sets.cells[number, 0], sets.cells[number, 1] = low, high
    sets.values[number] = values
    all_low, all_high = 0, 0
    rest = values
    while rest:
        value = ctz(rest) + 1
        rest &= rest - 1
        a, b = low & grid.places[value, 0], high & grid.places[value, 1]
        sets.places[number, value, 0], sets.places[number, value, 1] = a, b
        peers_low, peers_high = grid.places[value, 0] & ~low, grid.places[value, 1] & ~high
        while a:
            peers_low &= board.peer_sets[ctz(a), 0]
            peers_high &= board.peer_sets[ctz(a), 1]
            a &= a - 1
        while b:
            peers_low &= board.peer_sets[64 + ctz(b), 0]
            peers_high &= board.peer_sets[64 + ctz(b), 1]
            b &= b - 1
        sets.peers[number, value, 0], sets.peers[number, value, 1] = peers_low, peers_high
        all_low |= peers_low
        all_high |= peers_high
    sets.all_peers[number, 0], sets.all_peers[number, 1] = all_low, all_high


@always_inline
def changed_cells(board: Board, grid: Grid) -> Any:
    """Return the cells that have changed since the running search last found nothing, as two words.

    A cell changes when it loses a candidate or is filled. `grid.counts[SEEN]` is the number of
    changes up to the last time when the running search found nothing on this grid. If that has
    never happened, all cells are returned.
    """
    low, high = 0, 0
    for cell in range(board.cell_count):
        is_new = 1 if grid.cell_changes[cell] > grid.counts[SEEN] else 0
        if cell < 64:
            low |= is_new << cell
        else:
            high |= is_new << (cell & 63)
    return low, high


@compiled
def find_links(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Find the links between almost locked sets that share no cell.

    Two sets are linked if they have a restricted common: a value that only one of them can contain.
    The links between the sets in `grid.sets` (see `find_sets`) are stored in `grid.set_links`. Does
    nothing if exactly these links are stored there already. The parameters `buffer` and `all_steps`
    are unused. They exist because all search functions have them.
    """
    _find_links(board, grid, 0)


@compiled
def find_all_links(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:  # noqa: ARG001
    """Find the links between almost locked sets, even between sets that share cells.

    Two sets are linked if they have a restricted common: a value that only one of them can contain.
    A value that is a candidate of a shared cell doesn't link the sets. Otherwise like `find_links`.
    """
    _find_links(board, grid, 1)


@helper
def _find_links(board: Board, grid: Grid, overlap: int) -> None:
    """Find the links between almost locked sets and store them in `grid.set_links`.

    A value links two sets if both contain it, and if each of its places in one set sees each of its
    places in the other. Sets that share cells are linked only with `overlap`. At most MOST_LINKS
    links are stored. Does nothing if the links of the current sets are stored already. Many sets
    are tested together, as bits by set number.
    """
    sets, links = grid.sets, grid.set_links
    if links.changes == sets.changes and links.overlap == overlap:
        return
    links.changes, links.overlap = sets.changes, overlap
    count = sets.counts[0]
    words = (count + 63) >> 6
    holders = np.zeros((board.cell_count, words), np.int64)  # sets that contain a cell
    having = np.zeros((board.value_count + 1, words), np.int64)  # sets that contain a value …
    # … and contain it in a cell
    having_at = np.zeros((board.value_count + 1, board.cell_count, words), np.int64)
    linked = np.empty((board.value_count + 1, words), np.int64)
    apart = np.empty(words, np.int64)
    for number in range(count):
        word, bit = number >> 6, 1 << (number & 63)
        low, high = sets.cells[number, 0], sets.cells[number, 1]
        while low | high:
            cell = ctz(low) if low else 64 + ctz(high)
            low, high = (low & (low - 1), high) if low else (0, high & (high - 1))
            holders[cell, word] |= bit
            rest = grid.cells[cell]
            while rest:
                having_at[ctz(rest) + 1, cell, word] |= bit
                having[ctz(rest) + 1, word] |= bit
                rest &= rest - 1
    end = 0
    for one in range(count):
        links.starts[one] = end
        first = one >> 6
        for word in range(first, words):
            apart[word] = -1
        low, high = sets.cells[one, 0], sets.cells[one, 1]
        if not overlap:
            _exclude(holders, low, high, apart, first)
        apart[first] &= -2 << (one & 63)
        rest = sets.values[one]
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            is_seen = sets.peers[one, value, 0] | sets.peers[one, value, 1] != 0
            for word in range(first, words):
                linked[value, word] = having[value, word] & apart[word] if is_seen else 0
            if not is_seen:
                continue
            low = grid.places[value, 0] & ~sets.peers[one, value, 0]
            high = grid.places[value, 1] & ~sets.peers[one, value, 1]
            _exclude(having_at[value], low, high, linked[value], first)
            if overlap:
                low, high = sets.places[one, value, 0], sets.places[one, value, 1]
                _exclude(holders, low, high, linked[value], first)
        for word in range(first, words):
            some = 0
            rest = sets.values[one]
            while rest:
                some |= linked[ctz(rest) + 1, word]
                rest &= rest - 1
            while some and end < MOST_LINKS:
                other = 64 * word + ctz(some)
                some &= some - 1
                links.one[end], links.other[end] = one, other
                links.values[end, 0] = links.values[end, 1] = 0
                rest = sets.values[one]
                while rest:
                    value = ctz(rest) + 1
                    rest &= rest - 1
                    if linked[value, word] >> (other & 63) & 1:
                        links.values[end, 1 if links.values[end, 0] else 0] = value
                end += 1
    links.starts[count] = end
    links.counts[0] = end
    for number in range(count + 2):
        links.incoming_starts[number] = 0
    for link in range(end):
        links.incoming_starts[links.other[link] + 2] += 1
    for number in range(2, count + 2):
        links.incoming_starts[number] += links.incoming_starts[number - 1]
    for link in range(end):
        number = links.other[link] + 1
        links.incoming[links.incoming_starts[number]] = link
        links.incoming_starts[number] += 1


@kernel
def _exclude(by_cell: Words, low: int, high: int, sets: Words, first: int) -> None:
    """Remove the numbers of the sets that contain any of the given cells from the bit set `sets`.

    The cells are two words, `low` and `high`. `by_cell[cell]` contains the numbers of the sets that
    contain a cell, as bits. Words of `sets` before index `first` stay unchanged.
    """
    while low:
        cell = ctz(low)
        low &= low - 1
        for word in range(first, len(sets)):
            sets[word] &= ~by_cell[cell, word]
    while high:
        cell = 64 + ctz(high)
        high &= high - 1
        for word in range(first, len(sets)):
            sets[word] &= ~by_cell[cell, word]
