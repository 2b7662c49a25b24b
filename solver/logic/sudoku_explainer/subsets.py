"""Naked and hidden pairs, triplets, and quads, also those that leave a single.

Sets of values, and sets of the positions of cells in a house, are nine bits.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note, note_mask, note_values
from solver.logic.deduction_rows import BASE, CELL, PLACE, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import FALLING, HOUSE_CELLS, HOUSE_ORDER
from solver.logic.sudoku_explainer.rules import house_count
from solver.logic.sudoku_explainer.state import SETS, SETS_FROM, State
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def candidates_of(state: State, house: int, places: int) -> int:
    """Return the union of the candidates of some cells of a house. `places` are their positions."""
    union = 0
    while places:
        union |= state.cells[HOUSE_CELLS[house, ctz(places)]]
        places &= places - 1
    return union


@kernel
def places_of(state: State, house: int, values: int) -> int:
    """Return the places in a house of any of the values, as bits. `values` are bits, too."""
    union = 0
    while values:
        union |= state.places[house, ctz(values)]
        values &= values - 1
    return union


@kernel
def few_candidates(state: State, house: int, degree: int) -> int:
    """Return the positions of a house's cells that have two to `degree` candidates, as bits."""
    places = 0
    for place in range(9):
        if 2 <= popcount(state.cells[HOUSE_CELLS[house, place]]) <= degree:
            places |= 1 << place
    return places


@kernel
def few_places(state: State, house: int, degree: int) -> int:
    """Return the values that have two to `degree` places in a house, as bits."""
    values = 0
    for value in range(9):
        if 2 <= popcount(state.places[house, value]) <= degree:
            values |= 1 << value
    return values


@kernel
def naked_rest(state: State, house: int, places: int, values: int) -> bool:
    """Return whether a house's cells outside `places` have any of the `values` as candidates.

    Both are bits. If so, a naked set at these places removes candidates.
    """
    return bool(candidates_of(state, house, 0x1FF & ~places) & values != 0)


@kernel
def find_naked_set(state: State, buffer: Ints, degree: int) -> float:
    """Search for `degree` cells of a house that have `degree` candidates together.

    Diagonals are left out, as in SukakuExplainer, and so are houses with fewer than 2 · `degree`
    open cells. Writes the first such set that removes candidates. Returns its rating, or 0.0 if
    there is none.
    """
    for number in range(house_count(state.rules)):
        house = HOUSE_ORDER[number]
        if house >= 9 * FALLING or state.open[house] < 2 * degree:
            continue
        few = few_candidates(state, house, degree)
        if popcount(few) < degree:
            continue
        for chosen in range(SETS_FROM[degree], SETS_FROM[degree + 1]):
            places = SETS[chosen]
            if places & ~few:
                continue
            values = candidates_of(state, house, places)
            if popcount(values) == degree and naked_rest(state, house, places, values):
                _note_naked(state, buffer, house, places, values)
                return float(RATINGS[techniques.NAKED_PAIR + degree - 2])
    return 0.0


@kernel
def _note_naked(state: State, buffer: Ints, house: int, places: int, values: int) -> None:
    """Write a naked set and its eliminations. `places` are its positions in the house, as bits."""
    begin(buffer, techniques.NAKED_PAIR + popcount(values) - 2)
    note(buffer, BASE, house, 0)
    note_mask(buffer, VALUE, values)
    for place in range(9):
        cell = HOUSE_CELLS[house, place]
        if places >> place & 1:
            note(buffer, CELL, cell, 0)
        else:
            note_values(buffer, REMOVE, cell, state.cells[cell] & values)


@kernel
def find_hidden_set(state: State, buffer: Ints, degree: int) -> float:
    """Search for `degree` values that have `degree` places in a house together.

    Houses with at most 2 · `degree` open cells are skipped. Writes the first such set that removes
    candidates. Returns its rating, or 0.0 if there is none.
    """
    for number in range(house_count(state.rules)):
        house = HOUSE_ORDER[number]
        if state.open[house] <= 2 * degree:
            continue
        few = few_places(state, house, degree)
        if popcount(few) < degree:
            continue
        for chosen in range(SETS_FROM[degree], SETS_FROM[degree + 1]):
            values = SETS[chosen]
            if values & ~few:
                continue
            places = places_of(state, house, values)
            if popcount(places) == degree and candidates_of(state, house, places) & ~values:
                begin(buffer, techniques.HIDDEN_PAIR + degree - 2)
                _note_hidden(buffer, house, places, values)
                for place in range(9):
                    if places >> place & 1:
                        cell = HOUSE_CELLS[house, place]
                        note_values(buffer, REMOVE, cell, state.cells[cell] & ~values)
                return float(RATINGS[techniques.HIDDEN_PAIR + degree - 2])
    return 0.0


@kernel
def find_direct_hidden_set(state: State, buffer: Ints, degree: int) -> float:
    """Search for a hidden set of `degree` values that leaves a single place for another value.

    The other value's place is in the same house. Writes the set and the placement of that value.
    Returns their rating, or 0.0 if there is none.
    """
    for number in range(house_count(state.rules)):
        house = HOUSE_ORDER[number]
        if state.open[house] <= degree:
            continue
        few = few_places(state, house, degree)
        if popcount(few) < degree:
            continue
        for chosen in range(SETS_FROM[degree], SETS_FROM[degree + 1]):
            values = SETS[chosen]
            if values & ~few:
                continue
            places = places_of(state, house, values)
            if popcount(places) != degree:
                continue
            for value in range(9):
                left = state.places[house, value] & ~places
                if (
                    not values >> value & 1
                    and popcount(state.places[house, value]) > 1
                    and popcount(left) == 1
                ):
                    begin(buffer, techniques.DIRECT_HIDDEN_PAIR + degree - 2)
                    note(buffer, PLACE, HOUSE_CELLS[house, ctz(left)], value + 1)
                    _note_hidden(buffer, house, places, values)
                    return float(RATINGS[techniques.DIRECT_HIDDEN_PAIR + degree - 2])
    return 0.0


@kernel
def _note_hidden(buffer: Ints, house: int, places: int, values: int) -> None:
    """Write the house, the values, and the cells of a hidden set, without its eliminations."""
    note(buffer, BASE, house, 0)
    note_mask(buffer, VALUE, values)
    while places:
        note(buffer, CELL, HOUSE_CELLS[house, ctz(places)], 0)
        places &= places - 1
