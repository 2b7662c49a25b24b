"""Almost locked sets: n cells of a house with n + 1 candidates, and what links two of them."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, compiled, inner
from solver.compiling.words import lowest, ones
from solver.logic.board import Ints, Words

MOST_SETS = 2048
_MOST_LINKS = 1 << 16


class Sets(NamedTuple):
    """Almost locked sets, in the order of the houses and of their cells, each once."""

    cells: Words  # (·, 2)
    values: Words  # (·,), as bits
    places: Words  # (·, size + 1, 2): its cells by candidate
    peers: Words  # (·, size + 1, 2): the candidates outside that see all of those
    all_peers: Words  # (·, 2): what any of them sees
    counts: Ints  # (1,): how many there are


class SetLinks(NamedTuple):
    """Restricted commons: values that only one of two sets can hold, ordered by the sets."""

    one: Ints  # the earlier set
    other: Ints  # the later one
    values: Ints  # (·, 2), the second is 0 if there is only one
    starts: Ints  # by set: where the links to later sets begin
    incoming: Ints  # links to earlier sets, set after set
    incoming_starts: Ints
    counts: Ints  # (1,)


@inner
def _room(most: int, size: int) -> Any:
    """Return room for so many sets."""
    return Sets(
        np.empty((most, 2), np.int64),
        np.empty(most, np.int64),
        np.zeros((most, size + 1, 2), np.int64),
        np.zeros((most, size + 1, 2), np.int64),
        np.zeros((most, 2), np.int64),
        np.zeros(1, np.int32),
    )


@compiled
def no_sets() -> Any:
    """Return no sets at all, for what can do without them."""
    return _room(1, 1)


@compiled
def almost_locked_sets(board: Any, grid: Any) -> Any:
    """Return all almost locked sets of a grid, cells with two candidates among them."""
    size = board.value_count
    sets = _room(MOST_SETS, size)
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
                ones(union[level]) == level + 1
                and sets.counts[0] < MOST_SETS
                and not _in_earlier_house(board, house, cell, low[level], high[level])
            ):
                _add(board, grid, sets, low[level], high[level], union[level])
            if level < size - 1:
                level += 1
                chosen[level] = chosen[level - 1]
    return sets


@bare
def _in_earlier_house(board: Any, house: int, cell: int, low: int, high: int) -> bool:
    """Return whether all cells of a set are in a house before this one."""
    number = 0
    while board.cell_houses[cell, number] < house:
        earlier = board.cell_houses[cell, number]
        if (low & ~board.house_sets[earlier, 0]) | (high & ~board.house_sets[earlier, 1]) == 0:
            return True
        number += 1
    return False


@bare
def _add(board: Any, grid: Any, sets: Any, low: int, high: int, values: int) -> None:
    number = sets.counts[0]
    sets.counts[0] = number + 1
    sets.cells[number, 0], sets.cells[number, 1] = low, high
    sets.values[number] = values
    sets.all_peers[number] = 0
    rest = values
    while rest:
        value = lowest(rest) + 1
        rest &= rest - 1
        a, b = low & grid.places[value, 0], high & grid.places[value, 1]
        sets.places[number, value, 0], sets.places[number, value, 1] = a, b
        peers_low, peers_high = grid.places[value, 0] & ~low, grid.places[value, 1] & ~high
        while a:
            peers_low &= board.peer_sets[lowest(a), 0]
            peers_high &= board.peer_sets[lowest(a), 1]
            a &= a - 1
        while b:
            peers_low &= board.peer_sets[64 + lowest(b), 0]
            peers_high &= board.peer_sets[64 + lowest(b), 1]
            b &= b - 1
        sets.peers[number, value, 0], sets.peers[number, value, 1] = peers_low, peers_high
        sets.all_peers[number, 0] |= peers_low
        sets.all_peers[number, 1] |= peers_high


@compiled
def set_links(sets: Any, overlap: int) -> Any:
    """Return the links between sets; between those with common cells only if `overlap`."""
    count = sets.counts[0]
    links = SetLinks(
        np.empty(_MOST_LINKS, np.int32),
        np.empty(_MOST_LINKS, np.int32),
        np.zeros((_MOST_LINKS, 2), np.int32),
        np.zeros(count + 1, np.int32),
        np.empty(_MOST_LINKS, np.int32),
        np.zeros(count + 2, np.int32),
        np.zeros(1, np.int32),
    )
    end = 0
    for one in range(count):
        links.starts[one] = end
        low, high = sets.cells[one, 0], sets.cells[one, 1]
        peers_low, peers_high = sets.all_peers[one, 0], sets.all_peers[one, 1]
        for other in range(one + 1, count):
            other_low, other_high = sets.cells[other, 0], sets.cells[other, 1]
            if (peers_low & other_low) | (peers_high & other_high) == 0:
                continue
            both_low, both_high = low & other_low, high & other_high
            if both_low | both_high and not overlap:
                continue
            rest = sets.values[one] & sets.values[other]
            found = 0
            while rest and end < _MOST_LINKS:
                value = lowest(rest) + 1
                rest &= rest - 1
                a_low, a_high = sets.places[one, value, 0], sets.places[one, value, 1]
                b_low, b_high = sets.places[other, value, 0], sets.places[other, value, 1]
                if ((a_low | b_low) & both_low) | ((a_high | b_high) & both_high):
                    continue
                if (b_low & ~sets.peers[one, value, 0]) | (b_high & ~sets.peers[one, value, 1]):
                    continue
                if found == 0:
                    links.one[end], links.other[end] = one, other
                    links.values[end, 0], links.values[end, 1] = value, 0
                    end += 1
                else:
                    links.values[end - 1, 1] = value
                found += 1
    links.starts[count] = end
    links.counts[0] = end
    for link in range(end):
        links.incoming_starts[links.other[link] + 2] += 1
    for number in range(2, count + 2):
        links.incoming_starts[number] += links.incoming_starts[number - 1]
    for link in range(end):
        number = links.other[link] + 1
        links.incoming[links.incoming_starts[number]] = link
        links.incoming_starts[number] += 1
    return links
