"""Find the pattern that removes a candidate once others are removed, and put it into words.

The patterns are those of Sudoku Explainer's chains with (+): locked candidates, hidden and naked
pairs, and X-Wings.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations

from solver.logic.deduction import Candidate
from solver.logic.sentences.links import houses_of_cells
from solver.logic.sentences.wording import Wording


def pattern_that_removes(
    candidate: Candidate, gone: Iterable[Candidate], words: Wording
) -> str | None:
    """Return in words the pattern that removes a candidate once others are removed, or None.

    The others are `gone`. For example, "the 7 of box 4 is in row 4". Returns None if there is no
    such pattern.
    """
    left = without(gone, words)
    finders: tuple[Callable[[Candidate, Wording], str | None], ...] = (
        _locked,
        _hidden_pair,
        _naked_pair,
        _x_wing,
    )
    found = (find(candidate, left) for find in finders)
    return next((text for text in found if text is not None), None)


def without(gone: Iterable[Candidate], words: Wording) -> Wording:
    """Return a copy of the wording for a grid without the candidates in `gone`."""
    layout, removed = words.layout, frozenset(gone)
    domains = tuple(
        sum(
            1 << (value - 1)
            for value in range(1, layout.size + 1)
            if words.can_be(cell, value) and (cell, value) not in removed
        )
        for cell in range(layout.cells)
    )
    return replace(words, domains=domains)


def values_of(cell: int, words: Wording) -> list[int]:
    """Return the candidates of a cell, in ascending order."""
    return [value for value in range(1, words.layout.size + 1) if words.can_be(cell, value)]


def places_in(house: int, value: int, words: Wording) -> list[int]:
    """Return the cells of a house, given by its index, that have a value as a candidate."""
    return [cell for cell in words.layout.houses[house].cells if words.can_be(cell, value)]


def is_complete(house: int, words: Wording) -> bool:
    """Return whether a house has as many cells as there are values.

    In the solution, such a house contains every value. A smaller house lacks some values.
    """
    return len(words.layout.houses[house].cells) == words.layout.size


def _locked(candidate: Candidate, words: Wording) -> str | None:
    """Return the clause that locked candidates remove a candidate, or None if none do."""
    cell, value = candidate
    layout = words.layout
    own = houses_of_cells(layout)[cell]
    for house in range(len(layout.houses)):
        if house in own or not is_complete(house, words):
            continue
        places = places_in(house, value, words)
        for other in own:
            if places and set(places) <= set(layout.houses[other].cells):
                return (
                    f"the {words.value(value)} of {words.house(house)} is in {words.house(other)}"
                )
    return None


def _hidden_pair(candidate: Candidate, words: Wording) -> str | None:
    """Return the clause that a hidden pair removes a candidate, or None if none does."""
    others = [value for value in values_of(candidate.cell, words) if value != candidate.value]
    for house in houses_of_cells(words.layout)[candidate.cell]:
        if not is_complete(house, words):
            continue
        for pair in combinations(others, 2):
            places = places_in(house, pair[0], words)
            if len(places) == 2 and places == places_in(house, pair[1], words):
                return (
                    f"{words.cells(places)} hold the {words.values(pair)} of {words.house(house)}"
                )
    return None


def _naked_pair(candidate: Candidate, words: Wording) -> str | None:
    """Return the clause that a naked pair removes a candidate, or None if none does."""
    for house in houses_of_cells(words.layout)[candidate.cell]:
        pairs = [
            cell
            for cell in words.layout.houses[house].cells
            if cell != candidate.cell
            and len(values_of(cell, words)) == 2
            and words.can_be(cell, candidate.value)
        ]
        for one, other in combinations(pairs, 2):
            if values_of(one, words) == values_of(other, words):
                values = words.values(values_of(one, words))
                return f"{words.cells((one, other))} use up {values} in {words.house(house)}"
    return None


def _x_wing(candidate: Candidate, words: Wording) -> str | None:
    """Return the clause that an X-Wing removes a candidate, or None if none does."""
    layout, value = words.layout, candidate.value
    for kind, across in (("row", "column"), ("column", "row")):
        lines = [
            house
            for house, entry in enumerate(layout.houses)
            if entry.kind == kind
            and candidate.cell not in entry.cells
            and is_complete(house, words)
        ]
        for pair in combinations(lines, 2):
            places = [places_in(house, value, words) for house in pair]
            covers = [
                house
                for house, entry in enumerate(layout.houses)
                if entry.kind == across and set(entry.cells).intersection(*places[:1])
            ]
            cells = {cell for house in covers for cell in layout.houses[house].cells}
            if (
                len(places[0]) == len(covers) == 2
                and candidate.cell in cells
                and places[1]
                and set(places[1]) <= cells
            ):
                return (
                    f"in {words.houses(pair)}, {words.value(value)} is only in "
                    f"{words.houses(covers)}"
                )
    return None
