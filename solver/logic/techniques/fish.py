"""Complex fish: finned, sashimi, or with boxes (franken).

A fish has equally many base and cover houses. The cover houses contain all places of the value in
the base houses, except for the fins. Other places in the cover houses, and places in two cover
houses, can be removed if they see all fins.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX, COLUMN, ROW, Board, Ints, Words
from solver.logic.deduction_buffer import END, begin, note, note_cells, undo
from solver.logic.deduction_rows import BASE, CELL, COVER, ENDO_FIN, FIN, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.sets import first_of, size_of
from solver.logic.technique import Search, small_board
from solver.logic.template_filter import find_eliminable

BASIC, FRANKEN = range(2)
_BARE, _FINNED = range(2)
_MOST_FINS = 5
_MOST_ENDO_FINS = 2
# Codes of fish of size 2. A sashimi fish is a finned basic fish.
_BASIC_CODE, _FINNED_CODE, _SASHIMI_CODE = 300, 310, 320
_FRANKEN_CODE, _FINNED_FRANKEN_CODE = 330, 340


@compiled
def find_fish(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, size: int, shape: int, fins: int
) -> None:
    """Search for fish of one size, value by value, with rows as base houses first.

    shape  BASIC (lines only) or FRANKEN (with boxes)
    fins   whether the fish have fins, _FINNED or _BARE

    Only eliminable candidates (see `solver.logic.template_filter`) are removed. Fish have at most
    `_MOST_FINS` fins, and at most `_MOST_ENDO_FINS` of them are endo fins. Without `all_steps`, the
    first fish is written. A finned basic fish is preferred even to an earlier sashimi fish.
    """
    houses = board.house_count
    eliminable = grid.eliminable
    base_houses = np.empty(houses, np.int64)
    cover_houses = np.empty(houses, np.int64)
    near = np.empty(houses, np.int64)  # possible cover houses: those that contain a base place
    sets = np.empty((houses, 2), np.int64)
    base = np.zeros((size + 1, 2), np.int64)
    endo = np.zeros((size + 1, 2), np.int64)
    cover = np.zeros((size + 1, 2), np.int64)
    cannibal = np.zeros((size + 1, 2), np.int64)
    bases = np.zeros(size + 1, np.int64)
    covers = np.zeros(size + 1, np.int64)
    spare = -1  # position of the first sashimi fish in the buffer
    spare_end = 0
    for value in range(1, board.value_count + 1):
        if is_value_unchanged(grid, value) or eliminable[value, 0] | eliminable[value, 1] == 0:
            continue
        for house in range(houses):
            sets[house, 0] = board.house_sets[house, 0] & grid.places[value, 0]
            sets[house, 1] = board.house_sets[house, 1] & grid.places[value, 1]
        for kind in (ROW, COLUMN):
            base_count = 0
            cover_count = 0
            for house in range(houses):
                of = board.kinds[house]
                if (sets[house, 0] | sets[house, 1]) == 0 or (shape == BASIC and of >= BOX):
                    continue
                fits = fins != _BARE or size_of(sets[house, 0], sets[house, 1]) <= size
                if fits and (of == kind or of >= BOX) and board.complete[house]:
                    base_houses[base_count] = house
                    base_count += 1
                if of != kind:
                    cover_houses[cover_count] = house
                    cover_count += 1
            level = 1
            bases[1] = -1
            while level:
                bases[level] += 1
                if bases[level] >= base_count:
                    level -= 1
                    continue
                house = base_houses[bases[level]]
                double_low = base[level - 1, 0] & sets[house, 0]
                double_high = base[level - 1, 1] & sets[house, 1]
                if double_low | double_high:
                    endo_fins = size_of(endo[level - 1, 0], endo[level - 1, 1])
                    endo_fins += size_of(double_low, double_high)
                    if fins == _BARE or shape == BASIC or endo_fins > _MOST_ENDO_FINS:
                        continue
                base[level, 0] = base[level - 1, 0] | sets[house, 0]
                base[level, 1] = base[level - 1, 1] | sets[house, 1]
                endo[level, 0] = endo[level - 1, 0] | double_low
                endo[level, 1] = endo[level - 1, 1] | double_high
                if level < size:
                    level += 1
                    bases[level] = bases[level - 1]
                    continue

                # All base houses are chosen. Now choose the covers.
                low, high = base[size, 0], base[size, 1]
                near_count = 0
                most = 0
                for index in range(cover_count):
                    house = cover_houses[index]
                    shared = size_of(sets[house, 0] & low, sets[house, 1] & high)
                    if shared == 0:
                        continue
                    for position in range(1, size + 1):
                        if base_houses[bases[position]] == house:
                            shared = 0
                    if shared:
                        near[near_count] = house
                        near_count += 1
                        most = max(most, shared)
                endo_fins = size_of(endo[size, 0], endo[size, 1])
                allowed = 0 if fins == _BARE else _MOST_FINS
                rest_low, rest_high = low & ~endo[size, 0], high & ~endo[size, 1]
                if size_of(rest_low, rest_high) - size * most > allowed - endo_fins:
                    continue
                if not _could_go(board, eliminable[value], low, high, endo[size], size * most):
                    continue
                depth = 1
                covers[1] = -1
                while depth:
                    covers[depth] += 1
                    if covers[depth] >= near_count - size + depth:
                        depth -= 1
                        continue
                    house = near[covers[depth]]
                    cover[depth, 0] = cover[depth - 1, 0] | sets[house, 0]
                    cover[depth, 1] = cover[depth - 1, 1] | sets[house, 1]
                    bare_low = rest_low & ~cover[depth, 0]
                    bare_high = rest_high & ~cover[depth, 1]
                    open_fins = size_of(bare_low, bare_high) + endo_fins
                    if open_fins - (size - depth) * most > allowed:
                        continue
                    cannibal[depth, 0] = cannibal[depth - 1, 0] | (
                        cover[depth - 1, 0] & sets[house, 0]
                    )
                    cannibal[depth, 1] = cannibal[depth - 1, 1] | (
                        cover[depth - 1, 1] & sets[house, 1]
                    )
                    if depth < size:
                        depth += 1
                        covers[depth] = covers[depth - 1]
                        continue
                    gone_low = (cover[size, 0] & ~low | cannibal[size, 0]) & eliminable[value, 0]
                    gone_high = (cover[size, 1] & ~high | cannibal[size, 1]) & eliminable[value, 1]
                    if (gone_low | gone_high) == 0 or (open_fins == 0 and fins == _FINNED):
                        continue
                    fins_low = bare_low | endo[size, 0]
                    fins_high = bare_high | endo[size, 1]
                    a, b = fins_low, fins_high
                    while a | b and gone_low | gone_high:
                        fin = first_of(a, b)
                        gone_low &= board.peer_sets[fin, 0]
                        gone_high &= board.peer_sets[fin, 1]
                        if a:
                            a &= a - 1
                        else:
                            b &= b - 1
                    if (gone_low | gone_high) == 0:
                        continue
                    code = _code(board, sets, base_houses, bases, near, covers, fins_low, fins_high)
                    sashimi = code == _SASHIMI_CODE
                    if not all_steps and sashimi and spare >= 0:
                        continue
                    before = buffer[END]
                    begin(buffer, code + size - 2)
                    note(buffer, VALUE, value, 0)
                    for position in range(1, size + 1):
                        note(buffer, BASE, base_houses[bases[position]], 0)
                    for position in range(1, size + 1):
                        note(buffer, COVER, near[covers[position]], 0)
                    note_cells(buffer, CELL, low & ~fins_low, high & ~fins_high, 0)
                    note_cells(buffer, FIN, bare_low, bare_high, value)
                    note_cells(buffer, ENDO_FIN, endo[size, 0], endo[size, 1], value)
                    note_cells(buffer, REMOVE, gone_low, gone_high, value)
                    if all_steps:
                        continue
                    if not (sashimi and shape == BASIC):
                        if spare >= 0:
                            _move(buffer, before, spare)
                        return
                    spare = before
                    spare_end = buffer[END]
    if spare >= 0:
        undo(buffer, spare_end, 1)


@kernel
def _could_go(board: Board, eliminable: Words, low: int, high: int, endo: Words, most: int) -> bool:
    """Return whether a fish with these base places could remove any eliminable candidate.

    low, high   the base places
    eliminable  the candidates that could be removed, as two words
    endo        the endo fins, as two words
    most        the number of base places that the cover houses can contain at most

    Such a candidate must see all endo fins, and all base places except for at most `most`.
    """
    a, b = eliminable[0], eliminable[1]
    while a | b:
        cell = first_of(a, b)
        if a:
            a &= a - 1
        else:
            b &= b - 1
        unseen_low, unseen_high = ~board.peer_sets[cell, 0], ~board.peer_sets[cell, 1]
        if (endo[0] & unseen_low) | (endo[1] & unseen_high):
            continue
        if size_of(low & unseen_low, high & unseen_high) <= most:
            return True
    return False


@kernel
def _code(
    board: Board,
    sets: Words,
    base_houses: Words,
    bases: Words,
    near: Words,
    covers: Words,
    fins_low: int,
    fins_high: int,
) -> Any:
    """Return the technique code that a fish would have if its size were 2.

    The base houses are base_houses[b] for b in `bases`, and the cover houses near[c] for c in
    `covers`, both without the first entry. `sets` contains the places of the value by house.
    `fins_low` and `fins_high` are the two words of the set of fins.
    """
    has_boxes = False
    is_sashimi = False
    for position in range(1, len(bases)):
        house = base_houses[bases[position]]
        has_boxes |= board.kinds[house] >= BOX or board.kinds[near[covers[position]]] >= BOX
        if size_of(sets[house, 0] & ~fins_low, sets[house, 1] & ~fins_high) <= 1:
            is_sashimi = True
    is_finned = fins_low | fins_high != 0
    if has_boxes:
        return _FINNED_FRANKEN_CODE if is_finned else _FRANKEN_CODE
    if is_sashimi:
        return _SASHIMI_CODE
    return _FINNED_CODE if is_finned else _BASIC_CODE


@kernel
def _move(buffer: Ints, start: int, to: int) -> None:
    """Move the latest deduction, which begins at `start`, to index `to` of the buffer.

    It becomes the only deduction there.
    """
    length = buffer[END] - start
    for index in range(length):
        buffer[to + index] = buffer[start + index]
    undo(buffer, to + length, 1)


def _fish(codes: tuple[str, ...], size: int, shape: int, fins: int) -> Search:
    return Search(codes, find_fish, (size, shape, fins), small_board, (find_eliminable,))


FINNED_X_WING = _fish(("0310", "0320"), 2, BASIC, _FINNED)
FINNED_SWORDFISH = _fish(("0311", "0321"), 3, BASIC, _FINNED)
FINNED_JELLYFISH = _fish(("0312", "0322"), 4, BASIC, _FINNED)
FRANKEN_X_WING = _fish(("0330",), 2, FRANKEN, _BARE)
FRANKEN_SWORDFISH = _fish(("0331",), 3, FRANKEN, _BARE)
FRANKEN_JELLYFISH = _fish(("0332",), 4, FRANKEN, _BARE)
FINNED_FRANKEN_X_WING = _fish(("0340",), 2, FRANKEN, _FINNED)
FINNED_FRANKEN_SWORDFISH = _fish(("0341",), 3, FRANKEN, _FINNED)
FINNED_FRANKEN_JELLYFISH = _fish(("0342",), 4, FRANKEN, _FINNED)
