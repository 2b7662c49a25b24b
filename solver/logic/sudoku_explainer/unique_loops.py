"""Unique rectangles and loops, types 1 to 4.

A unique loop is a loop of cells that have the same two candidates in common, with exactly two cells
in each house that it visits. If none of them had extra candidates, the two values could be swapped,
and the puzzle would have two solutions. A rectangle is a loop of four cells. Sudoku Explainer
collects all loops and takes the one with the lowest rating, then the lowest type, then the first
one.
"""

from typing import Annotated, Protocol

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Ints, Words
from solver.logic.deduction_buffer import begin, note, note_cells, note_mask, reset
from solver.logic.deduction_buffer import note_values as note_values_of
from solver.logic.deduction_rows import BASE, CELL, FIN, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import CELL_PLACES, HOUSE_CELLS
from solver.logic.sudoku_explainer.rules import house_of, kind_count
from solver.logic.sudoku_explainer.sight import is_any_seeing, is_restricted, note_seeing
from solver.logic.sudoku_explainer.state import SETS, SETS_FROM, State, is_pair
from solver.logic.sudoku_explainer.subsets import candidates_of, places_of
from solver.logic.sudoku_explainer.techniques import LOOP_OF_8, LOOP_OF_10, RATINGS, SUBSET_CELL

_LONGEST = 18  # maximum number of cells in a loop: two in each of nine rows


class Loop(Protocol):
    """State of the search for unique loops: the growing loop, and the best one so far.

    All cells of a loop have two candidates in common, and some of them have extra candidates. The
    search adds cells to the growing loop until it closes. Item n of each array is about its cell at
    position n:

        cells   the cell
        houses  the houses of the cells at positions n, n − 2, n − 4, …, as bits
        kinds   the kind of the house in which this cell follows the previous one, or −1 for the
                first cell
        tries   the next cell to try at position n + 1, as 9 × kind of house + place in the house.
                9 × the number of kinds means that all have been tried.
        spare   2 minus the number of cells with extra candidates up to position n. If it is 0 or
                less, another cell with extra candidates is added only if all extra candidates of
                the loop have the same value. So it can be negative.
        extra   the extra candidates of all cells up to position n, as bits

    `type` (1 to 4) and `rating` are those of the best loop so far, and the rating is 0.0 without
    one. The cells of the best loop are in the deduction buffer.
    """

    cells: Annotated[Words, _LONGEST + 1]
    houses: Annotated[Words, _LONGEST + 1]
    kinds: Annotated[Words, _LONGEST + 1]
    tries: Annotated[Words, _LONGEST + 1]
    spare: Annotated[Words, _LONGEST + 1]
    extra: Annotated[Words, _LONGEST + 1]
    type: int
    rating: float


LOOP = record_dtype(Loop)


@kernel
def find_unique_loop(state: State, loop: Loop, buffer: Ints) -> float:
    """Write the unique rectangle or loop with the lowest rating to the buffer.

    Among several, the one with the lowest type is written, then the first one found. Returns its
    rating, or 0.0 if there is none.
    """
    loop.rating = 0.0
    for cell in range(81):
        values = state.cells[cell]
        if is_pair(values):
            one, other = ctz(values), ctz(values & (values - 1))
            low = state.sets[one, 0] & state.sets[other, 0]
            high = state.sets[one, 1] & state.sets[other, 1]
            if popcount(low) + popcount(high) >= 4:
                _grow(state, loop, buffer, cell, values)
    return float(loop.rating)


@kernel
def _grow(state: State, loop: Loop, buffer: Ints, start: int, values: int) -> None:
    """Visit all loops that begin at the cell `start`, and write those that are the best so far.

    The loops are visited in the order of Sudoku Explainer's recursion. `values` are the two
    candidates that all cells of a loop have in common (bits).
    """
    size = 1
    house_bits, attempts = state.rules.house_bits, 9 * kind_count(state.rules)
    loop.cells[0] = start
    loop.houses[0] = house_bits[start]
    loop.kinds[0] = -1
    loop.tries[0] = 0
    loop.spare[0] = 2
    loop.extra[0] = 0
    while size:
        last = size - 1
        attempt = loop.tries[last]
        if attempt == attempts:
            size -= 1
            continue
        loop.tries[last] = attempt + 1
        kind = attempt // 9
        house = house_of(state.rules, loop.cells[last], kind)
        if house < 0 or kind == loop.kinds[last]:
            loop.tries[last] = 9 * kind + 9
            continue
        cell = HOUSE_CELLS[house, attempt % 9]
        if cell == start:
            if size >= 4 and size % 2 == 0 and loop.houses[last] == loop.houses[last - 1]:
                _check_types(state, loop, buffer, size, values)
            continue
        candidates = state.cells[cell]
        if candidates & values != values or size == _LONGEST:
            continue
        houses = house_bits[cell]
        before = loop.houses[size - 2] if size >= 2 else 0
        if before & houses or _is_inside(loop, size, cell):
            continue
        extra = loop.extra[last] | (candidates & ~values)
        is_plain = candidates == values
        if is_plain or popcount(extra) == 1 or loop.spare[last] > 0:
            loop.cells[size] = cell
            loop.houses[size] = before | houses
            loop.kinds[size] = kind
            loop.tries[size] = 0
            loop.spare[size] = loop.spare[last] - (0 if is_plain else 1)
            loop.extra[size] = extra
            size += 1


@kernel
def _is_inside(loop: Loop, size: int, cell: int) -> bool:
    """Return whether a cell is among the first `size` cells of the growing loop."""
    for number in range(size):  # noqa: SIM110
        if loop.cells[number] == cell:
            return True
    return False


@kernel
def _check_types(state: State, loop: Loop, buffer: Ints, size: int, values: int) -> None:
    """Check a complete loop for types 1 to 4, and write it if it is the best one so far.

    The loop consists of the first `size` cells of `loop.cells`. `values` are its two common
    candidates (bits). On variants, a loop is ignored if another rule restricts these values in one
    of its cells.
    """
    if state.rules.is_variant and _is_restricted(state, loop, size, values):
        return
    count = 0
    one = other = -1
    low = high = -1
    for number in range(size):
        cell = loop.cells[number]
        if state.cells[cell] != values:
            one = cell if count == 0 else one
            other = cell if count == 1 else other
            count += 1
            low &= state.rules.peer_sets[cell, 0]
            high &= state.rules.peer_sets[cell, 1]
    extra = loop.extra[size - 1]
    base = RATINGS[techniques.UNIQUE_RECTANGLE if size == 4 else techniques.UNIQUE_LOOP]
    if size > 6:
        base = LOOP_OF_8 if size == 8 else LOOP_OF_10
    if count == 1:
        if _begin_loop(loop, buffer, size, values, base, 1):
            note_values_of(buffer, REMOVE, one, values)
    elif count >= 2 and popcount(extra) == 1:
        value = ctz(extra)
        low &= state.sets[value, 0]
        high &= state.sets[value, 1]
        if low | high and _begin_loop(loop, buffer, size, values, base, 2):
            note(buffer, VALUE, value + 1, 0)
            note_cells(buffer, REMOVE, low, high, value + 1)
    elif count == 2:
        _check_subsets(state, loop, buffer, size, values, base, one, other)
    if count == 2:
        _check_locked(state, loop, buffer, size, values, base, one, other)


@kernel
def _is_restricted(state: State, loop: Loop, size: int, values: int) -> bool:
    """Return whether other rules may prevent that the two values of a loop are swapped.

    That is so if `sight.is_restricted` holds for any of the loop's first `size` cells.
    """
    for number in range(size):  # noqa: SIM110
        if is_restricted(state, loop.cells[number], values):
            return True
    return False


@kernel
def _check_subsets(
    state: State,
    loop: Loop,
    buffer: Ints,
    size: int,
    values: int,
    base: float,
    one: int,
    other: int,
) -> None:
    """Check a loop for type 3: its cells with extra candidates are part of a subset.

    There are two such cells, `one` and `other`. They count as a single cell of a naked or hidden
    subset, in a house that contains both. If the subset removes candidates and the loop is better
    than the best one so far, it is written to `buffer` and becomes the best one. Lower ratings are
    better, then lower types.

    size    the number of cells of the loop
    values  the two candidates that its cells have in common (bits)
    base    its rating without the addition for the size of the subset
    """
    extra = (state.cells[one] | state.cells[other]) & ~values
    for degree in range(2, 8):
        for kind in range(kind_count(state.rules)):
            house = house_of(state.rules, one, kind)
            if house < 0 or house != house_of(state.rules, other, kind):
                continue
            if 2 * degree <= state.open[house] and degree >= popcount(extra):
                _check_naked_subset(
                    state, loop, buffer, size, values, base, one, other, kind, degree
                )
            if 2 * degree < state.open[house]:
                _check_hidden_subset(
                    state, loop, buffer, size, values, base, one, other, kind, degree
                )


@kernel
def _check_naked_subset(
    state: State, loop: Loop, buffer: Ints, size: int, values: int, base: float, one: int,
    other: int, kind: int, degree: int,
) -> None:  # fmt: skip
    """Check a loop for type 3 with a naked subset of `degree` cells in the house of a kind.

    The house contains the cells `one` and `other`, which count as a single cell. The other
    arguments and the result are as for `_check_subsets`.
    """
    rating = base + (degree - 1) * SUBSET_CELL
    if not _is_better(loop, rating, 3):
        return
    house = house_of(state.rules, one, kind)
    here, there = 1 << CELL_PLACES[one, kind], 1 << CELL_PLACES[other, kind]
    extra = (state.cells[one] | state.cells[other]) & ~values
    common = extra & state.cells[one] & state.cells[other]
    for number in range(SETS_FROM[degree], SETS_FROM[degree + 1]):
        places = SETS[number]
        if not places & here or places & there or not _several(state, house, places & ~here):
            continue
        others = candidates_of(state, house, places & ~here)
        naked = others | extra
        if popcount(common | others) != degree or popcount(naked) != degree:
            continue
        outside = 0x1FF & ~(places | there)
        members = places | there
        if state.rules.has_more_peers:
            is_removing = is_any_seeing(state, house, members, naked)
        else:
            is_removing = candidates_of(state, house, outside) & naked != 0
        if is_removing:
            _begin_loop(loop, buffer, size, values, rating, 3)
            note(buffer, BASE, house, 0)
            note_mask(buffer, VALUE, naked)
            note_values_of(buffer, FIN, one, state.cells[one] & extra)
            note_values_of(buffer, FIN, other, state.cells[other] & extra)
            _note_members(state, buffer, house, places & ~here, naked)
            if state.rules.has_more_peers:
                note_seeing(state, buffer, house, members, naked)
                return
            for place in range(9):
                if outside >> place & 1:
                    cell = HOUSE_CELLS[house, place]
                    note_values_of(buffer, REMOVE, cell, state.cells[cell] & naked)
            return


@kernel
def _note_members(state: State, buffer: Ints, house: int, places: int, values: int) -> None:
    """Write the candidates of some cells of a house to the buffer, as fins.

    `places` are the positions of the cells in the house, as bits. Only candidates that are in
    `values` (bits) are written.
    """
    while places:
        cell = HOUSE_CELLS[house, ctz(places)]
        places &= places - 1
        note_values_of(buffer, FIN, cell, state.cells[cell] & values)


@kernel
def _several(state: State, house: int, places: int) -> bool:
    """Return whether all cells at these `places` of a house have two or more candidates."""
    while places:
        if popcount(state.cells[HOUSE_CELLS[house, ctz(places)]]) < 2:
            return False
        places &= places - 1
    return True


@kernel
def _check_hidden_subset(
    state: State, loop: Loop, buffer: Ints, size: int, values: int, base: float, one: int,
    other: int, kind: int, degree: int,
) -> None:  # fmt: skip
    """Check a loop for type 3 with a hidden subset of `degree` values in the house of a kind.

    The house contains the cells `one` and `other`. The other arguments and the result are as for
    `_check_subsets`.
    """
    rating = base + (degree - 2) * SUBSET_CELL
    if not _is_better(loop, rating, 3):
        return
    house = house_of(state.rules, one, kind)
    pair = 1 << CELL_PLACES[one, kind] | 1 << CELL_PLACES[other, kind]
    there = 1 << CELL_PLACES[other, kind]
    extra = (state.cells[one] | state.cells[other]) & ~values
    left = 0x1FF & ~(values | extra)
    if left == 0 or degree - 2 > popcount(left):
        return
    for number in range(SETS_FROM[degree - 2], SETS_FROM[degree - 1]):
        if SETS[number] & ~left:
            continue
        hidden = SETS[number] | values
        if not _all_placed(state, house, hidden, ~there):
            continue
        places = places_of(state, house, hidden) & ~there
        if popcount(places) == degree and candidates_of(state, house, places & ~pair) & ~hidden:
            _begin_loop(loop, buffer, size, values, rating, 3)
            note(buffer, BASE, house, 0)
            note_mask(buffer, VALUE, hidden)
            _note_members(state, buffer, house, pair | places, hidden)
            for place in range(9):
                if (places & ~pair) >> place & 1:
                    cell = HOUSE_CELLS[house, place]
                    note_values_of(buffer, REMOVE, cell, state.cells[cell] & ~hidden)
            return


@kernel
def _all_placed(state: State, house: int, values: int, allowed: int) -> bool:
    """Return whether each of the values has a place among the `allowed` positions of a house."""
    while values:
        if state.places[house, ctz(values)] & allowed == 0:
            return False
        values &= values - 1
    return True


@kernel
def _check_locked(
    state: State,
    loop: Loop,
    buffer: Ints,
    size: int,
    values: int,
    base: float,
    one: int,
    other: int,
) -> None:
    """Check a loop for type 4: two cells must hold one of the loop's two values.

    These cells, `one` and `other`, are the only ones with extra candidates. One of the values has
    no other place in a house that both share. So both lose the loop's other value. `size` is the
    number of cells of the loop, `values` are its two common candidates (bits), and `base` is its
    rating. The loop is written if it is the best one so far.
    """
    first, second = ctz(values), ctz(values & (values - 1))
    first_house = second_house = -1
    for kind in range(kind_count(state.rules)):
        house = house_of(state.rules, one, kind)
        if house >= 0 and house == house_of(state.rules, other, kind):
            if is_pair(state.places[house, first]):
                first_house = house
            if is_pair(state.places[house, second]):
                second_house = house
    house = first_house if first_house >= 0 else second_house
    if house >= 0 and _begin_loop(loop, buffer, size, values, base, 4):
        note(buffer, BASE, house, 0)
        gone = second if first_house >= 0 else first
        note(buffer, REMOVE, one, gone + 1)
        note(buffer, REMOVE, other, gone + 1)


@kernel
def _is_better(loop: Loop, rating: float, kind: int) -> bool:
    """Return whether a loop of type `kind` with this rating comes before the best one so far.

    Lower ratings come first, then lower types.
    """
    best = loop.rating
    return bool(best == 0.0 or rating < best or (rating == best and kind < loop.type))


@kernel
def _begin_loop(loop: Loop, buffer: Ints, size: int, values: int, rating: float, kind: int) -> bool:
    """Begin to write a loop of type `kind` to the buffer, in place of the best one so far.

    `size` is its number of cells, and `values` are its two common candidates (bits). Returns False,
    and writes nothing, if the loop isn't better.
    """
    if not _is_better(loop, rating, kind):
        return False
    loop.rating = rating
    loop.type = kind
    reset(buffer)
    begin(buffer, (techniques.UNIQUE_RECTANGLE if size == 4 else techniques.UNIQUE_LOOP) + kind - 1)
    for number in range(size):
        note(buffer, CELL, loop.cells[number], 0)
    note_mask(buffer, VALUE, values)
    return True
