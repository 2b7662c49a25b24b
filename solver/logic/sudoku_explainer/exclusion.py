"""Aligned pair and triplet exclusion.

Consider two or three cells, and the excluders: cells that see all of them and have at most as many
candidates as there are cells. A combination of candidates that leaves an excluder without
candidates is impossible.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints, Words
from solver.logic.deduction_buffer import begin, note, note_values
from solver.logic.deduction_rows import CELL, REMOVE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.state import State
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def _collect(state: State, degree: int, cells: Words, excluders: Words) -> int:
    """Write the cells that see an excluder to `cells`. Return their number.

    An excluder is a cell with two to `degree` candidates. `excluders` (81, 2) gets the set of
    excluders that each cell sees, as two words. No cell has a single candidate, because naked
    singles come before.
    """
    few_low = few_high = 0
    for cell in range(81):
        if 2 <= popcount(state.cells[cell]) <= degree:
            if cell < 64:
                few_low |= 1 << cell
            else:
                few_high |= 1 << (cell - 64)
    count = 0
    for cell in range(81):
        excluders[cell, 0] = state.rules.peer_sets[cell, 0] & few_low
        excluders[cell, 1] = state.rules.peer_sets[cell, 1] & few_high
        if state.cells[cell] and excluders[cell, 0] | excluders[cell, 1]:
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
def find_aligned_triplet(
    state: State, cells: Words, excluders: Words, barren: Words, buffer: Ints
) -> float:
    """Search for an aligned triplet exclusion (three cells with common excluders).

    The third cell is an excluder of one of the others. The three cells need at least two common
    excluders. Writes the deduction to `buffer`, and returns its rating, or 0.0 if there is none.
    `cells` (81,) and `excluders` (81, 2) are scratch space.

    `barren` (81,) has the candidates of all cells when a search last found nothing, in this puzzle
    or another one, and is updated if this search finds nothing. Three cells needn't be tried again
    if they and their common excluders still have the same candidates.
    """
    count = _collect(state, 3, cells, excluders)
    changed_low = changed_high = 0
    for cell in range(81):
        if state.cells[cell] != barren[cell]:
            if cell < 64:
                changed_low |= 1 << cell
            else:
                changed_high |= 1 << (cell - 64)
    for second in range(1, count):
        for first in range(second):
            one, other = cells[first], cells[second]
            low = excluders[one, 0] & excluders[other, 0]
            high = excluders[one, 1] & excluders[other, 1]
            if popcount(low) + popcount(high) < 2:
                continue
            is_changed = (
                low & changed_low | high & changed_high
                or state.cells[one] != barren[one]
                or state.cells[other] != barren[other]
            )
            for turn in range(2):
                twin_low, twin_high = excluders[one, 0], excluders[one, 1]
                if turn:
                    twin_low = excluders[other, 0] & ~twin_low
                    twin_high = excluders[other, 1] & ~twin_high
                if not is_changed:
                    twin_low &= changed_low
                    twin_high &= changed_high
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
    for cell in range(81):
        barren[cell] = state.cells[cell]
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
        others = second_values & ~first if _sees(state, one, other) else second_values
        while others:
            second = others & -others
            others &= others - 1
            if first & first_ok and second & second_ok and third_ok == third_values:
                continue
            last = third_values & ~_forbidden(state, low, high, first | second)
            if third >= 0 and _sees(state, one, third):
                last &= ~first
            if third >= 0 and _sees(state, other, third):
                last &= ~second
            if last:
                first_ok |= first
                second_ok |= second
                third_ok |= last
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
def _forbidden(state: State, low: int, high: int, values: int) -> int:
    """Return the values (bits) whose loss would leave a cell of a set without candidates.

    `low` and `high` are the two words of the set. Its cells have lost `values` before. If that
    alone leaves a cell without candidates, all values are returned (−1).
    """
    forbidden = 0
    while low | high:
        if low:
            left = state.cells[ctz(low)] & ~values
            low &= low - 1
        else:
            left = state.cells[64 + ctz(high)] & ~values
            high &= high - 1
        if left == 0:
            return -1
        if left & (left - 1) == 0:
            forbidden |= left
    return forbidden
