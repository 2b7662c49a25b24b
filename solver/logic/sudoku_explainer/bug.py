"""Bivalue universal graves (BUG), types 1 to 4.

Apart from some extra candidates, every open cell has two candidates, and every value has two places
or none in each house. One of the extra candidates must be true. Otherwise the candidates would form
two solutions that can be exchanged for each other.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints, Words
from solver.logic.deduction_buffer import begin, note, note_cells, note_mask, note_values, reset
from solver.logic.deduction_rows import BASE, CELL, FIN, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import (
    ALL_HOUSES,
    ASCENDING_CELLS,
    CELL_PLACES,
    HOUSE_CELLS,
    HOUSE_SETS,
)
from solver.logic.sudoku_explainer.rules import house_count, house_of, kind_count
from solver.logic.sudoku_explainer.sight import is_any_seeing, is_restricted, note_seeing
from solver.logic.sudoku_explainer.state import SETS, SETS_FROM, State, is_pair
from solver.logic.sudoku_explainer.techniques import RATINGS, SUBSET_CELL


@kernel
def find_bug(state: State, extra: Words, cells: Words, buffer: Ints) -> float:
    """Search for a BUG of type 1 to 4 and write it to the buffer.

    Returns its rating, or 0.0 if there is none. `extra` and `cells` (81,) are scratch space.
    """
    extra[:] = 0
    count = _collect(state, extra, cells)
    if count == 0 or not _is_bug(state, extra):
        return 0.0
    low = high = -1
    union = 0
    for number in range(count):
        low &= state.rules.peer_sets[cells[number], 0]
        high &= state.rules.peer_sets[cells[number], 1]
        union |= extra[cells[number]]
    if count == 1:
        begin(buffer, techniques.BUG)
        _note_cells(buffer, cells, count)
        note_mask(buffer, VALUE, union)
        note_values(buffer, REMOVE, cells[0], state.cells[cells[0]] & ~union)
        return float(RATINGS[techniques.BUG])
    if popcount(union) == 1:
        value = ctz(union)
        if low & state.sets[value, 0] or high & state.sets[value, 1]:
            begin(buffer, techniques.BUG_2)
            _note_cells(buffer, cells, count)
            note(buffer, VALUE, value + 1, 0)
            note_cells(
                buffer, REMOVE, low & state.sets[value, 0], high & state.sets[value, 1], value + 1
            )
            return float(RATINGS[techniques.BUG_2])
        return _locked(state, extra, cells, buffer, union) if count == 2 else 0.0
    if low | high:
        rating = _locked(state, extra, cells, buffer, union) if count == 2 else 0.0
        return rating or _naked(state, extra, cells, count, low, high, union, buffer)
    return 0.0


@kernel
def _collect(state: State, extra: Words, cells: Words) -> int:
    """Write the extra candidates to `extra` (bits by cell), and the cells that have any to `cells`.

    Returns the number of these cells, or 0 if there is no BUG, or if the extra candidates have
    several values and no cell sees all of them. `extra` must be all 0 before.

    The function looks at each house and value with one place or more than two places. Of these
    places, only cells with three or more candidates count. If there is none, there is no BUG. If
    there is exactly one, its candidate is extra. If all such houses concern the same value, all
    cells that count have it as an extra candidate.
    """
    count = 0
    only = -1  # the value of all extra candidates, −2 if they differ
    all_low = all_high = 0
    for number in range(house_count(state.rules)):
        house = ALL_HOUSES[number]
        for value in range(9):
            places = state.places[house, value]
            if places == 0 or is_pair(places):
                continue
            large = 0
            chosen = -1
            while places:
                cell = HOUSE_CELLS[house, ctz(places)]
                places &= places - 1
                if popcount(state.cells[cell]) >= 3:
                    large += 1
                    chosen = cell
                    if only in (-1, value):
                        if cell < 64:
                            all_low |= 1 << cell
                        else:
                            all_high |= 1 << (cell - 64)
            if large == 0:
                return 0
            only = value if only in (-1, value) else -2
            if large == 1:
                if extra[chosen] == 0:
                    cells[count] = chosen
                    count += 1
                extra[chosen] |= 1 << value
                if _has_no_common_peer(state, extra, cells, count):
                    return 0
    if count and only >= 0 and popcount(all_low) + popcount(all_high) > count:
        for cell in range(81):
            inside = all_low >> cell & 1 if cell < 64 else all_high >> (cell - 64) & 1
            if inside and extra[cell] == 0:
                cells[count] = cell
                count += 1
                extra[cell] = 1 << only
    return count


@kernel
def _has_no_common_peer(state: State, extra: Words, cells: Words, count: int) -> bool:
    """Return whether the extra candidates have several values, and no cell sees all their cells.

    Their cells are the first `count` entries of `cells`. Returns False for fewer than two cells.
    """
    if count < 2:
        return False
    low = high = -1
    union = 0
    for number in range(count):
        union |= extra[cells[number]]
        low &= state.rules.peer_sets[cells[number], 0]
        high &= state.rules.peer_sets[cells[number], 1]
    return popcount(union) > 1 and low | high == 0


@kernel
def _is_bug(state: State, extra: Words) -> bool:
    """Return whether the grid without the extra candidates is a bivalue universal grave.

    That means that every open cell has two candidates, and that every value has two places or none
    in each house. No other rule may restrict the values of a cell.
    """
    for cell in range(81):
        if state.values[cell] == 0 and not is_pair(state.cells[cell] & ~extra[cell]):
            return False
        if state.rules.is_variant and is_restricted(state, cell, state.cells[cell] & ~extra[cell]):
            return False
    for number in range(house_count(state.rules)):
        house = ALL_HOUSES[number]
        if state.open[house] == 0:
            continue
        for value in range(9):
            places = 0
            for place in range(9):
                cell = HOUSE_CELLS[house, place]
                places |= ((state.cells[cell] & ~extra[cell]) >> value & 1) << place
            if places and not is_pair(places):
                return False
    return True


@kernel
def _locked(state: State, extra: Words, cells: Words, buffer: Ints, union: int) -> float:
    """Write type 4 of a BUG. Return its rating, or 0.0 if it doesn't apply.

    It applies if the two cells with extra candidates share a house and exactly one value outside
    `union`, the values of all extra candidates. One of the two cells must have that value. So they
    keep only this value and their extra candidates.
    """
    one, other = cells[0], cells[1]
    common = state.cells[one] & state.cells[other] & ~union
    if popcount(common) != 1:
        return 0.0
    for kind in range(kind_count(state.rules)):
        house = house_of(state.rules, one, kind)
        if house >= 0 and house == house_of(state.rules, other, kind):
            begin(buffer, techniques.BUG_4)
            _note_cells(buffer, cells, 2)
            _note_extra(buffer, extra, cells, 2)
            note(buffer, BASE, house, 0)
            note_mask(buffer, VALUE, common)
            note_values(buffer, REMOVE, one, state.cells[one] & ~extra[one] & ~common)
            note_values(buffer, REMOVE, other, state.cells[other] & ~extra[other] & ~common)
            return float(RATINGS[techniques.BUG_4])
    return 0.0


@kernel
def _naked(
    state: State,
    extra: Words,
    cells: Words,
    count: int,
    low: int,
    high: int,
    union: int,
    buffer: Ints,
) -> float:
    """Write type 3 of a BUG. Return its rating, or 0.0 if it doesn't apply.

    It applies if the extra candidates, one of which is true, form a naked set with other cells of a
    house. The first `count` entries of `cells` are the cells with extra candidates. `low` and
    `high` are the two words of the set of cells that see all of them. `union` are the values of the
    extra candidates (bits).
    """
    for degree in range(2, 7):
        for kind in range(kind_count(state.rules)):
            house = house_of(state.rules, cells[0], kind)
            is_shared = house >= 0
            for number in range(count):
                is_shared = is_shared and house_of(state.rules, cells[number], kind) == house
            if not is_shared:
                continue
            low_here, high_here = low & HOUSE_SETS[house, 0], high & HOUSE_SETS[house, 1]
            if popcount(low_here) + popcount(high_here) < degree:
                continue
            for number in range(SETS_FROM[degree - 1], SETS_FROM[degree]):
                naked = _naked_values(state, house, low_here, high_here, SETS[number], union)
                if popcount(naked) == degree and _note_naked(
                    state, cells, count, house, low_here, high_here, SETS[number], naked, buffer
                ):
                    _note_extra(buffer, extra, cells, count)
                    return float(RATINGS[techniques.BUG_3] + (degree - 2) * SUBSET_CELL)
    return 0.0


@kernel
def _is_in(low: int, high: int, cell: int) -> bool:
    return (low >> cell if cell < 64 else high >> (cell - 64)) & 1 == 1


@kernel
def _naked_values(state: State, house: int, low: int, high: int, chosen: int, union: int) -> int:
    """Return the values of a naked set that chosen cells form with the extra candidates, or 0.

    The candidate cells are those cells of the house that are in the set (`low`, `high`). Bit n of
    `chosen` chooses the nth of them, from 0. `union` are the values of the extra candidates (bits).
    The result is 0 if the chosen cells don't form a naked set with these.
    """
    others = 0
    size = 0
    place = 0
    for number in range(9):
        cell = ASCENDING_CELLS[house, number]
        if _is_in(low, high, cell):
            if chosen >> place & 1:
                if popcount(state.cells[cell]) < 2:
                    return 0
                others |= state.cells[cell]
                size += 1
            place += 1
    if chosen >> place or popcount(others) != size + 1 or union & ~others or popcount(union) < 2:
        return 0
    return others


@kernel
def _note_naked(
    state: State, cells: Words, count: int, house: int, low: int, high: int, chosen: int,
    naked: int, buffer: Ints,
) -> bool:  # fmt: skip
    """Write type 3 of a BUG if it removes any candidates. Return whether it does.

    The naked set consists of the chosen cells, together with the extra candidates. Its values are
    `naked` (bits). Bit n of `chosen` chooses the nth, from 0, of those cells of the house that are
    in the set `low`, `high` (two 64-bit words). The other ones of these cells lose the values, or,
    with more peers than on classic boards, all cells that see the set (see `note_seeing`). The
    first `count` entries of `cells` are the cells with extra candidates. If there is nothing to
    remove, the buffer is cleared.
    """
    begin(buffer, techniques.BUG_3)
    _note_cells(buffer, cells, count)
    note(buffer, BASE, house, 0)
    note_mask(buffer, VALUE, naked)
    if state.rules.has_more_peers:
        members = 0
        for number in range(count):
            members |= 1 << CELL_PLACES[cells[number], house // 9]
        place = 0
        for number in range(9):
            cell = ASCENDING_CELLS[house, number]
            if _is_in(low, high, cell):
                members |= (chosen >> place & 1) << CELL_PLACES[cell, house // 9]
                place += 1
        if is_any_seeing(state, house, members, naked):
            _note_chosen(state, buffer, house, low, high, chosen)
            note_seeing(state, buffer, house, members, naked)
            return True
        reset(buffer)
        return False
    is_removing = False
    place = 0
    for number in range(9):
        cell = ASCENDING_CELLS[house, number]
        if _is_in(low, high, cell):
            if chosen >> place & 1:
                note_values(buffer, FIN, cell, state.cells[cell])
            elif state.cells[cell] & naked:
                note_values(buffer, REMOVE, cell, state.cells[cell] & naked)
                is_removing = True
            place += 1
    if not is_removing:
        reset(buffer)
    return is_removing


@kernel
def _note_chosen(state: State, buffer: Ints, house: int, low: int, high: int, chosen: int) -> None:
    """Write the candidates of the chosen cells of a naked set to the buffer, as fins."""
    place = 0
    for number in range(9):
        cell = ASCENDING_CELLS[house, number]
        if _is_in(low, high, cell):
            if chosen >> place & 1:
                note_values(buffer, FIN, cell, state.cells[cell])
            place += 1


@kernel
def _note_cells(buffer: Ints, cells: Words, count: int) -> None:
    for number in range(count):
        note(buffer, CELL, cells[number], 0)


@kernel
def _note_extra(buffer: Ints, extra: Words, cells: Words, count: int) -> None:
    """Write the extra candidates of the first `count` cells in `cells` to the buffer as fins."""
    for number in range(count):
        note_values(buffer, FIN, cells[number], extra[cells[number]])
