"""Checks of rules for the whole grid; their cells are all cells in reading order."""

from collections.abc import Collection, Iterator
from itertools import combinations

from solver.board.layout import Layout
from solver.checks.rules.filled import Check, Filled, third_of

Place = tuple[int, int]

_DOTS = ("white", "black", "difference", "ratio")


def _places(layout: Layout) -> dict[Place, int]:
    """Return the cells that aren't holes, by (row, column), counted from 0."""
    every = range(layout.cells)
    return {divmod(cell, layout.columns): cell for cell in every if cell not in layout.holes}


def _neighbors(filled: Filled, marks: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield the two numbers of each pair of orthogonally adjacent cells.

    Pairs between which the layout has a constraint with one of the names `marks` are left out.
    """
    marked = {frozenset(mark.cells) for mark in filled.layout.constraints if mark.name in marks}
    places = _places(filled.layout)
    for (row, column), here in places.items():
        for place in ((row, column + 1), (row + 1, column)):
            there = places.get(place)
            if there is not None and frozenset((here, there)) not in marked:
                yield filled.numbers[here], filled.numbers[there]


def _squares(filled: Filled) -> Iterator[list[int]]:
    """Yield the four numbers of each 2×2 square without holes."""
    places = _places(filled.layout)
    for row, column in places:
        corners = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        if all(corner in places for corner in corners):
            yield [filled.numbers[places[corner]] for corner in corners]


def _no_neighbors_differ_by_1(filled: Filled, marks: Collection[str] = ()) -> bool:
    return all(abs(here - there) != 1 for here, there in _neighbors(filled, marks))


def _no_neighbors_are_in(ratio: int, filled: Filled, marks: Collection[str]) -> bool:
    """Return whether no number is `ratio` times one of its neighbors.

    Pairs of neighbors with a constraint that has one of the names `marks` are left out.
    """
    pairs = _neighbors(filled, marks)
    return all(here != ratio * there and there != ratio * here for here, there in pairs)


def _ratio_negative(filled: Filled) -> bool:
    asked = [2 if mark.name == "black" else mark.value for mark in filled.layout.constraints
             if mark.name in ("black", "ratio")]  # fmt: skip
    ratios = [ratio for ratio in asked if isinstance(ratio, int)]
    return all(_no_neighbors_are_in(ratio, filled, _DOTS) for ratio in ratios or [2])


def _kropki_negative(filled: Filled) -> bool:
    dots = ("white", "black")
    return _no_neighbors_differ_by_1(filled, dots) and _no_neighbors_are_in(2, filled, dots)


def _xv_negative(filled: Filled) -> bool:
    return all(here + there not in (5, 10) for here, there in _neighbors(filled, ("x", "v")))


def _anti_taxicab(filled: Filled) -> bool:
    places_of: dict[int, list[Place]] = {}
    for place, cell in _places(filled.layout).items():
        places_of.setdefault(filled.numbers[cell], []).append(place)
    return all(
        abs(here[0] - there[0]) + abs(here[1] - there[1]) != number
        for number, places in places_of.items()
        for here, there in combinations(places, 2)
    )


def _global_entropy(filled: Filled) -> bool:
    board = filled.layout.numbers
    return all(
        {third_of(number, board) for number in square} == {0, 1, 2} for square in _squares(filled)
    )


def _global_modular(filled: Filled) -> bool:
    return all({number % 3 for number in square} == {0, 1, 2} for square in _squares(filled))


NEIGHBOR_CHECKS: dict[str, Check] = {
    "antitaxicab": _anti_taxicab,
    "globalentropy": _global_entropy,
    "globalmodular": _global_modular,
    "nonconsecutive": _no_neighbors_differ_by_1,
    "kropkinegative": _kropki_negative,
    "differencenegative": lambda filled: _no_neighbors_differ_by_1(filled, _DOTS),
    "rationegative": _ratio_negative,
    "xvnegative": _xv_negative,
}
