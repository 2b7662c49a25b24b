"""Propagation of full rank: lines compared with all other lines that start with the same value.

A line is a row or column read from one side of the grid. A ranked line is one with a clue, which
determines how many of these other lines are lower. Lines are compared lexicographically, as far as
they can still be equal. This is an idea of Interactive Sudoku Solver.
"""

import numpy as np

from solver.board.full_rank_automaton import EQUAL, LESS, MORE
from solver.compiling.bitops import ONE, ZERO, at_most_one_bit, ctz, lowest_bit, msb
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.domains import set_domain

_LESS, _EQUAL, _MORE = (np.uint64(1 << order) for order in (LESS, EQUAL, MORE))
_ANY = _LESS | _EQUAL | _MORE


@kernel
def propagate_full_rank(full_ranks, weight, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate all full-rank clues: compare each ranked line with lines of other sides.

    Returns False on a conflict. In this case, the conflict weights of the ranked line's cells and
    comparison variables grow by equal shares of twice `weight`.
    """
    for number in range(full_ranks.lines.shape[0]):
        line, comparisons = full_ranks.lines[number], full_ranks.comparisons[number]
        if not _place(number, line, comparisons, full_ranks, dependents, work):
            share = 2 * weight / (line.shape[0] + comparisons.shape[0])
            for cell in line:
                conflict_weights[cell] += share
            for cell in comparisons:
                conflict_weights[cell] += share
            return False
    return True


@kernel
def choose_place(full_ranks, most, conflict_weights, grid):  # type: ignore[no-untyped-def]
    """Choose a guess about the start of a line that is compared with a ranked line.

    For each clue and side, the candidates are the cells in which a line of the side can start with
    the ranked line's first value, if there are two or more. The score of a cell is its conflict
    weight, divided by the number of these cells. The cell with the highest score of all is chosen.
    Its score must be above `most`.

    Returns the cell and the line's first value as a bit, or −1 and 0 if no score is high enough.
    """
    best, value = np.int64(-1), ZERO
    for number in range(full_ranks.lines.shape[0]):
        first_value = full_ranks.first_values[number]
        for k in range(full_ranks.sides.shape[0]):
            side = full_ranks.sides[k]
            many, score, found = 0, 0.0, np.int64(-1)
            for i in range(side.shape[0]):
                cell = np.int64(side[i, 0])
                if grid[cell] & first_value != ZERO:
                    many += 1
                    if conflict_weights[cell] > score:
                        score = conflict_weights[cell]
                        found = cell
            if many > 1 and score / many > most:
                most = score / many
                best, value = found, first_value
    return best, value


@always_inline
def _place(number, line, comparisons, full_ranks, dependents, work):  # type: ignore[no-untyped-def]
    """Compare a ranked line with the lines of the other sides, and apply its number of lower lines.

    `number` is the index of the clue, `line` are the line's cells, and `comparisons` are the
    variables with the results, one per other side. Once enough other lines are known to be lower,
    or known not to be, the remaining variables are restricted. Returns False on a conflict.
    """
    first_value = full_ranks.first_values[number]
    known, possible = 0, 0
    for k in range(comparisons.shape[0]):
        side = full_ranks.sides[k + (k >= full_ranks.own_sides[number])]
        if not _find(side, line, first_value, comparisons[k], dependents, work):
            return False
        orders = work.grid[comparisons[k]]
        known += orders == _LESS
        possible += orders & _LESS != ZERO
    lower_lines = full_ranks.lower_lines[number]
    if known > lower_lines or possible < lower_lines:
        return False
    if known < possible and lower_lines in (known, possible):
        for cell in comparisons:
            orders = work.grid[cell]
            if orders & _LESS != ZERO and orders != _LESS:
                set_domain(
                    cell, orders ^ _LESS if known == lower_lines else _LESS, dependents, work
                )
    return True


@always_inline
def _find(side, line, first_value, comparison, dependents, work):  # type: ignore[no-untyped-def]
    """Compare a ranked line with the lines of one side that may start with the same value.

    `side` are the cells of the side's lines, `line` are those of the ranked line, and `first_value`
    is the value as a bit. `comparison` is the variable with the result. The variable and the cells
    of the lines are restricted to what is consistent. A line that can't give an allowed result
    loses the value at its start. Returns False on a conflict.
    """
    grid = work.grid
    allowed, orders = grid[comparison], ZERO
    for k in range(side.shape[0]):
        start = side[k, 0]
        if grid[start] & first_value == ZERO:
            continue
        possible = _compare(side[k], line, 1, first_value, grid) & allowed
        if possible != ZERO:
            orders |= possible
        elif not set_domain(start, grid[start] ^ first_value, dependents, work):
            return False
    if orders == ZERO:
        return False
    set_domain(comparison, orders, dependents, work)
    return _order(side, line, first_value, orders, dependents, work)


@kernel
def _compare(one, other, place, values, grid):  # type: ignore[no-untyped-def]
    """Return how the line `one` may compare with the line `other`.

    The result is a set of _LESS, _EQUAL, and _MORE. Both lines are arrays of cells, which are
    compared from index `place` on. Before it, the lines are equal and use up the set `values` (a
    bit mask).
    """
    orders = ZERO
    for k in range(place, one.shape[0]):
        left, right = grid[one[k]] & ~values, grid[other[k]] & ~values
        if left == ZERO or right == ZERO:
            return orders
        if one[k] == other[k]:
            if at_most_one_bit(left):
                values |= left
            continue
        if right >> ONE >= lowest_bit(left):
            orders |= _LESS
        if left >> ONE >= lowest_bit(right):
            orders |= _MORE
        if left & right == ZERO:
            return orders
        if orders == _LESS | _MORE:
            return _ANY
        # only for a single pair: of two lines, either could be the lower one
        values |= left & right
    return orders | _EQUAL


@always_inline
def _order(side, line, first_value, orders, dependents, work):  # type: ignore[no-untyped-def]
    """Restrict the first undecided cells of a ranked line and of the lines of another side.

    The lines of `side` that can start with `first_value` are its possible lines. `orders` is a set
    of _LESS, _EQUAL, and _MORE: how one of them may compare with the ranked line, `line`. If all
    possible lines need the same value at an index, it is removed from the other lines of the side
    at that index. Returns False on a conflict.
    """
    grid = work.grid
    values = first_value
    for place in range(1, line.shape[0]):
        kept, others, many, found = ZERO, ZERO, 0, 0
        for k in range(side.shape[0]):
            if grid[side[k, 0]] & first_value != ZERO:
                left, right = _keep(side[k], line, place, values, orders, grid)
                if left != ZERO and right != ZERO:
                    others |= left
                    kept |= right
                    many += 1
                    found = k
        if many == 0:
            return False
        before = grid[line[place]]
        if not set_domain(line[place], before & kept, dependents, work):
            return False
        if many == 1:
            cell = side[found, place]
            if not set_domain(cell, grid[cell] & others, dependents, work):
                return False
        elif at_most_one_bit(others):
            for k in range(side.shape[0]):
                cell = side[k, place]
                is_out = grid[side[k, 0]] & first_value == ZERO
                if is_out and not set_domain(cell, grid[cell] & ~others, dependents, work):
                    return False
        if not at_most_one_bit(others) or grid[line[place]] != others:
            return True
        values |= others
    return orders & _EQUAL != ZERO


@kernel
def _keep(one, other, place, values, orders, grid):  # type: ignore[no-untyped-def]
    """Return the values at index `place` with which two lines can compare as one of the `orders`.

    Both lines are equal before this index and use up the set `values` there. `orders` is a set of
    _LESS, _EQUAL, and _MORE for the line `one` compared with the line `other`. Returns a set of
    values for each of the two lines, as bit masks.
    """
    left, right = grid[one[place]] & ~values, grid[other[place]] & ~values
    kept_left, kept_right = ZERO, ZERO
    if left == ZERO or right == ZERO:
        return kept_left, kept_right
    both = left & right
    if one[place] != other[place]:
        if orders & _LESS != ZERO:
            kept_left |= left & _below(msb(right))
            kept_right |= right & ~_below(ctz(left) + 1)
        if orders & _MORE != ZERO:
            kept_left |= left & ~_below(ctz(right) + 1)
            kept_right |= right & _below(msb(left))
    while both != ZERO:
        bit = lowest_bit(both)
        both ^= bit
        if _compare(one, other, place + 1, values | bit, grid) & orders != ZERO:
            kept_left |= bit
            kept_right |= bit
    return kept_left, kept_right


@always_inline
def _below(value):  # type: ignore[no-untyped-def]
    """Return the set of all values below a value (from 0), as a bit mask."""
    return (ONE << np.uint64(value)) - ONE
