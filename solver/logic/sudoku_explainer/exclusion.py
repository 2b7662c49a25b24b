"""Aligned pair and triplet exclusion.

Consider two or three cells, and the excluders: cells that see all of them and have at most as many
candidates as there are cells. A combination of candidates that leaves an excluder without
candidates is impossible.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints, Words
from solver.logic.deduction_buffer import begin, note, note_values
from solver.logic.rows import CELL, REMOVE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.state import State
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def _collect(state: State, degree: int, cells: Words, excluders: Words) -> int:
    """Write the cells that see an excluder to `cells`. Return their number.

    An excluder is a cell with two to `degree` candidates. `excluders` (81, 2) gets the set of
    excluders that each cell sees, as two words. Cells with fewer than two candidates are skipped,
    and so are cells that see a cell with a single candidate.
    """
    single_low = single_high = few_low = few_high = 0
    for cell in range(81):
        size = popcount(state.cells[cell])
        if size == 0 or size > degree:
            continue
        low = 1 << cell if cell < 64 else 0
        high = 0 if cell < 64 else 1 << (cell - 64)
        if size == 1:
            single_low |= low
            single_high |= high
        else:
            few_low |= low
            few_high |= high
    count = 0
    for cell in range(81):
        low, high = state.rules.peer_sets[cell, 0], state.rules.peer_sets[cell, 1]
        excluders[cell, 0] = excluders[cell, 1] = 0
        if popcount(state.cells[cell]) < 2 or low & single_low or high & single_high:
            continue
        if low & few_low or high & few_high:
            excluders[cell, 0] = low & few_low
            excluders[cell, 1] = high & few_high
            cells[count] = cell
            count += 1
    return count


@kernel
def find_aligned_pair(state: State, cells: Words, excluders: Words, buffer: Ints) -> float:
    """Search for an aligned pair exclusion (two cells with common excluders) and write it.

    The two cells need at least two common excluders. Returns the rating of the deduction, or 0.0 if
    there is none. `cells` (81,) and `excluders` (81, 2) are scratch space.
    """
    count = _collect(state, 2, cells, excluders)
    for second in range(1, count):
        for first in range(second):
            one, other = cells[first], cells[second]
            low = excluders[one, 0] & excluders[other, 0]
            high = excluders[one, 1] & excluders[other, 1]
            if popcount(low) + popcount(high) >= 2 and _exclude(
                state, buffer, one, other, -1, low, high
            ):
                return float(RATINGS[techniques.ALIGNED_PAIR])
    return 0.0


@kernel
def find_aligned_triplet(state: State, cells: Words, excluders: Words, buffer: Ints) -> float:
    """Search for an aligned triplet exclusion (three cells with common excluders) and write it.

    The third cell is an excluder of one of the others. The three cells need at least two common
    excluders. Returns the rating of the deduction, or 0.0 if there is none. `cells` (81,) and
    `excluders` (81, 2) are scratch space.
    """
    count = _collect(state, 3, cells, excluders)
    for second in range(1, count):
        for first in range(second):
            one, other = cells[first], cells[second]
            low = excluders[one, 0] & excluders[other, 0]
            high = excluders[one, 1] & excluders[other, 1]
            if popcount(low) + popcount(high) < 2:
                continue
            for turn in range(2):
                twin_low, twin_high = excluders[one, 0], excluders[one, 1]
                if turn:
                    twin_low = excluders[other, 0] & ~twin_low
                    twin_high = excluders[other, 1] & ~twin_high
                number = 0
                while twin_low | twin_high:
                    if state.rules.has_more_peers:  # in the order in which the cell's peers follow
                        third = int(state.rules.peers[other if turn else one, number])
                        number += 1
                        if not _is_in(twin_low, twin_high, third):
                            continue
                        if third < 64:
                            twin_low &= ~(1 << third)
                        else:
                            twin_high &= ~(1 << (third - 64))
                    elif twin_low:
                        third = ctz(twin_low)
                        twin_low &= twin_low - 1
                    else:
                        third = 64 + ctz(twin_high)
                        twin_high &= twin_high - 1
                    if third in (one, other):
                        continue
                    few = low & excluders[third, 0]
                    few_high = high & excluders[third, 1]
                    if popcount(few) + popcount(few_high) >= 2 and _exclude(
                        state, buffer, one, other, third, few, few_high
                    ):
                        return float(RATINGS[techniques.ALIGNED_TRIPLET])
    return 0.0


@kernel
def _is_in(low: int, high: int, cell: int) -> bool:
    return (low >> cell if cell < 64 else high >> (cell - 64)) & 1 == 1


@kernel
def _sees(state: State, one: int, other: int) -> bool:
    return bool(_is_in(state.rules.peer_sets[one, 0], state.rules.peer_sets[one, 1], other))


@kernel
def _exclude(
    state: State, buffer: Ints, one: int, other: int, third: int, low: int, high: int
) -> bool:
    """Write the eliminations of candidates that are in no possible combination.

    A combination has one candidate of each cell: `one`, `other`, and `third`, which is −1 if there
    are only two. It is possible if cells that see each other have different values, and if each
    excluder keeps a candidate. `low` and `high` are the two words of the set of excluders. Returns
    whether there are any eliminations.
    """
    first_values, second_values = state.cells[one], state.cells[other]
    third_values = state.cells[third] if third >= 0 else 1 << 9
    first_ok = second_ok = third_ok = 0
    rest = first_values
    while rest:
        first = rest & -rest
        rest &= rest - 1
        others = second_values
        while others:
            second = others & -others
            others &= others - 1
            if first == second and _sees(state, one, other):
                continue
            last = third_values
            while last:
                bit = last & -last
                last &= last - 1
                if first & first_ok and second & second_ok and bit & third_ok:
                    continue
                if (bit == first and _sees(state, one, third)) or (
                    bit == second and _sees(state, other, third)
                ):
                    continue
                if not _is_empty(state, low, high, first | second | bit):
                    first_ok |= first
                    second_ok |= second
                    third_ok |= bit
    if first_ok == first_values and second_ok == second_values and third_ok == third_values:
        return False
    begin(buffer, techniques.ALIGNED_PAIR if third < 0 else techniques.ALIGNED_TRIPLET)
    note(buffer, CELL, one, 0)
    note(buffer, CELL, other, 0)
    note_values(buffer, REMOVE, one, first_values & ~first_ok)
    note_values(buffer, REMOVE, other, second_values & ~second_ok)
    if third >= 0:
        note(buffer, CELL, third, 0)
        note_values(buffer, REMOVE, third, third_values & ~third_ok)
    return True


@kernel
def _is_empty(state: State, low: int, high: int, values: int) -> bool:
    """Return whether any cell of a set has no candidates except `values` (bits).

    `low` and `high` are the two words of the set.
    """
    while low:
        if state.cells[ctz(low)] & ~values == 0:
            return True
        low &= low - 1
    while high:
        if state.cells[64 + ctz(high)] & ~values == 0:
            return True
        high &= high - 1
    return False
