"""Simple and multi coloring: the places of a value, connected by strong links, get two colors."""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_buffer import begin, note, note_set
from solver.logic.deduction_rows import COLOR, REMOVE, VALUE
from solver.logic.grid import Grid, is_value_unchanged
from solver.logic.sets import no_cells, places_in
from solver.logic.technique import Search

TRAP_CODE, WRAP_CODE = 500, 501
MULTI_1_CODE, MULTI_2_CODE = 502, 503


@kernel
def color(board: Board, grid: Grid, value: int, colors: Words, left: Words, stack: Words) -> Any:
    """Color the places of a value in two colors per cluster. Return the number of clusters.

    A cluster consists of the places that strong links connect. A strong link joins the two places
    in a house that has no other place. `colors` (clusters, 2, words) gets the cells of each color.
    Clusters with a single color aren't counted.

    `left` is scratch space for a set of cells, empty before and afterwards. `stack` is scratch
    space for cells with their colors.
    """
    for house in range(board.house_count):
        if board.complete[house] and grid.free[house, value] == 2:
            for word in range(len(left)):
                left[word] |= board.house_sets[house, word] & grid.places[value, word]
    count = 0
    for cell in range(board.cell_count):
        if not left[cell >> 6] >> (cell & 63) & 1:
            continue
        colors[count] = 0
        # Depth first: if a cell could get both colors, the first path to it decides.
        top = 1
        stack[0, 0], stack[0, 1] = cell, 0
        while top:
            top -= 1
            at, side = stack[top, 0], stack[top, 1]
            word, bit = at >> 6, 1 << (at & 63)
            if left[word] & bit:
                left[word] &= ~bit
                colors[count, side, word] |= bit
                top = _link(board, grid, value, at, 1 - side, stack, top)
        if _is_nonempty(colors[count, 0]) and _is_nonempty(colors[count, 1]):
            count += 1
    return count


@kernel
def _link(
    board: Board, grid: Grid, value: int, cell: int, side: int, stack: Words, top: int
) -> Any:
    """Push the cells that have a strong link with `cell`, with their color.

    Each entry of `stack` is a cell and its color, and `side` is the color (0 or 1) of the pushed
    cells. A strong link joins the only two places of `value` in a house. The link in the last house
    of `cell` is pushed first, so the one in the first house is popped first. Cells that are colored
    already are pushed, too. `top` is the number of entries on the stack. Returns the new number.
    """
    number = 0
    while board.cell_houses[cell, number] >= 0:
        number += 1
    while number:
        number -= 1
        house = board.cell_houses[cell, number]
        if board.complete[house] and grid.free[house, value] == 2:
            places = places_in(board, grid, house, value)
            other = board.house_cells[house, ctz(places)]
            if other == cell:
                other = board.house_cells[house, ctz(places & (places - 1))]
            stack[top, 0], stack[top, 1] = other, side
            top += 1
    return top


@kernel
def _is_nonempty(cells: Words) -> bool:
    """Return whether a set of cells, an array of 64-bit words, has any member."""
    some = 0
    for word in range(len(cells)):
        some |= cells[word]
    return some != 0


@kernel
def _seen(board: Board, cells: Words, seen: Words) -> None:
    """Write the cells that see any cell of the set `cells` to `seen`.

    Both sets are arrays of 64-bit words.
    """
    for word in range(len(seen)):
        seen[word] = 0
    for word in range(len(cells)):
        rest = cells[word]
        while rest:
            cell = 64 * word + ctz(rest)
            rest &= rest - 1
            for other in range(len(seen)):
                seen[other] |= board.peer_sets[cell, other]


@kernel
def _sees(board: Board, one: Any, other: Any, seen: Words) -> bool:
    """Return whether a cell of one set sees a cell of the other.

    The sets are arrays of 64-bit words, and `seen` is scratch space for one.
    """
    _seen(board, one, seen)
    some = 0
    for word in range(len(seen)):
        some |= seen[word] & other[word]
    return some != 0


@kernel
def _common(board: Board, grid: Grid, value: int, one: Any, other: Any, seen: Words) -> Any:
    """Find the places of a value that see a cell of each of two sets. Return whether there are any.

    All sets are arrays of 64-bit words. `one` and `other` are the two sets, and the places are
    written to `seen[0]`. `seen[1]` is scratch space.
    """
    _seen(board, one, seen[0])
    _seen(board, other, seen[1])
    for word in range(len(seen[0])):
        seen[0, word] &= seen[1, word] & grid.places[value, word]
    return _is_nonempty(seen[0])


@kernel
def _open(buffer: Ints, code: int, value: int, cluster: Words, first: int) -> None:
    """Note the cells of a cluster's two colors in the buffer.

    The numbers of the colors are `first` and `first` + 1. If `first` is 0, this begins the
    deduction with its `code` and `value` before.
    """
    if first == 0:
        begin(buffer, code)
        note(buffer, VALUE, value, 0)
    for side in range(2):
        note_set(buffer, COLOR, cluster[side], value + 64 * (first + side))


@compiled
def find_simple_colors(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for colors that see themselves, and for cells that see both colors of a cluster.

    A color sees itself if two of its cells see each other. Cells lose the value if their color sees
    itself (color wrap), or if they see both colors (color trap). Writes the first deduction, or all
    of them if `all_steps` is set.
    """
    left = no_cells(board)
    colors = np.zeros((board.cell_count, 2, len(left)), np.int64)
    seen = np.zeros((2, len(left)), np.int64)
    stack = np.empty((8 * board.cell_count, 2), np.int64)
    for value in range(1, board.value_count + 1):
        if is_value_unchanged(grid, value):
            continue
        count = color(board, grid, value, colors, left, stack)
        for number in range(count):
            cluster = colors[number]
            first = _sees(board, cluster[0], cluster[0], seen[0])
            second = _sees(board, cluster[1], cluster[1], seen[0])
            if first or second:
                _open(buffer, WRAP_CODE, value, cluster, 0)
                if first:
                    note_set(buffer, REMOVE, cluster[0], value)
                if second:
                    note_set(buffer, REMOVE, cluster[1], value)
                if not all_steps:
                    return
            if _common(board, grid, value, cluster[0], cluster[1], seen):
                _open(buffer, TRAP_CODE, value, cluster, 0)
                note_set(buffer, REMOVE, seen[0], value)
                if not all_steps:
                    return


@compiled
def find_multi_colors(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for pairs of clusters in which colors see each other, and write the eliminations.

    A color that sees both colors of the other cluster is impossible (Multi Colors 2). If two colors
    see each other, at least one of them is false, so one of the opposite colors is true. Cells that
    see both opposite colors then lose the value (Multi Colors 1). Writes the first deduction, or
    all of them if `all_steps` is set.
    """
    left = no_cells(board)
    colors = np.zeros((board.cell_count, 2, len(left)), np.int64)
    seen = np.zeros((2, len(left)), np.int64)
    gone = no_cells(board)
    stack = np.empty((8 * board.cell_count, 2), np.int64)
    for value in range(1, board.value_count + 1):
        if is_value_unchanged(grid, value):
            continue
        count = color(board, grid, value, colors, left, stack)
        for one in range(count):
            for other in range(count):
                if one == other:
                    continue
                a, b = colors[one], colors[other]
                first = _sees_both(board, a[0], b, seen[0])
                second = _sees_both(board, a[1], b, seen[0])
                if first or second:
                    _open(buffer, MULTI_2_CODE, value, a, 0)
                    _open(buffer, MULTI_2_CODE, value, b, 2)
                    if first:
                        note_set(buffer, REMOVE, a[0], value)
                    if second:
                        note_set(buffer, REMOVE, a[1], value)
                    if not all_steps:
                        return
                gone[:] = 0
                for side in range(2):
                    for other_side in range(2):
                        # Two colors that see each other can't both be true, so one of their
                        # opposites is.
                        opposite, other_opposite = a[1 - side], b[1 - other_side]
                        if _sees(board, a[side], b[other_side], seen[0]) and _common(
                            board, grid, value, opposite, other_opposite, seen
                        ):
                            for word in range(len(gone)):
                                gone[word] |= seen[0, word]
                if _is_nonempty(gone):
                    _open(buffer, MULTI_1_CODE, value, a, 0)
                    _open(buffer, MULTI_1_CODE, value, b, 2)
                    note_set(buffer, REMOVE, gone, value)
                    if not all_steps:
                        return


@kernel
def _sees_both(board: Board, cells: Words, cluster: Words, seen: Words) -> Any:
    """Return whether each of the two colors of a cluster is seen by a cell of the set `cells`.

    If all of these cells have the same color, that color is impossible, because one of the two
    colors has the value. `seen` is scratch space.
    """
    return _sees(board, cells, cluster[0], seen) and _sees(board, cells, cluster[1], seen)


SIMPLE_COLORS = Search(("0500", "0501"), find_simple_colors)
MULTI_COLORS = Search(("0502", "0503"), find_multi_colors)
