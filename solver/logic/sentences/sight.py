"""Which cells of a rule must differ so that a step from it holds, with their houses."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from solver.logic.deduction import Deduction
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.places import reason_to_differ
from solver.logic.sentences.rule_facts import is_whole, search_of, values_to_refute
from solver.logic.sentences.wording import Wording, joined

if TYPE_CHECKING:
    from solver.logic.rule_steps.house_search import HouseSearch

_LINES = ("row", "column")
_KINDS = (*_LINES, "box", "region")
_MOST_CELLS = 16  # of a rule whose pairs of cells are tested
_MOST_HOUSES = 3  # that are named

Groups = dict[int, tuple[int, ...]]  # cells by the index of their house


def cells_that_differ(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a clause such as "r1c1 and r1c5 differ (row 1)", which the step needs.

    The list is empty if it needs none in rows, columns, boxes, and regions, if there are too many
    pairs, or if the rule has too many cells or only those of a row or column. Pairs that differ for
    other reasons aren't included.
    """
    cells, houses = deduction.cells, words.layout.houses
    if len(cells) > _MOST_CELLS or search_of(deduction, words) is None:
        return []
    groups = {
        house: own
        for house, each in enumerate(houses)
        if each.kind.endswith(_KINDS)
        and len(own := tuple(cell for cell in cells if cell in each.cells)) > 1
    }
    if any(len(own) == len(cells) and houses[h].kind in _LINES for h, own in groups.items()):
        return []  # Readers know that the digits of a row differ.
    proves = _test(deduction, words)
    if proves({}) or not proves(groups):
        return []
    needed = _smallest(groups, proves)
    if len(needed) > _MOST_HOUSES:
        return []
    clauses = [
        f"{_named(own, deduction, words)} differ ({words.house(house)})"
        for house, own in needed.items()
    ]
    return [joined(clauses)] if clauses else []


def _named(cells: Sequence[int], deduction: Deduction, words: Wording) -> str:
    if {*cells} == {*deduction.cells} and is_whole(deduction, words):
        return "its cells"
    return words.cells(in_runs(words.layout, cells))


def _smallest(groups: Groups, proves: Callable[[Groups], bool]) -> Groups:
    """Return groups without the houses and cells that a proof doesn't need.

    `proves` returns whether some groups suffice. They are reduced one by one, so a smaller result
    may exist. If many houses are needed, their cells aren't reduced.
    """
    left = dict(groups)
    for house in sorted(groups, key=lambda house: len(groups[house])):
        without = {other: own for other, own in left.items() if other != house}
        if proves(without):
            left = without
    for house in [*left] if len(left) <= _MOST_HOUSES else []:
        for cell in left[house]:
            fewer = tuple(other for other in left[house] if other != cell)
            if len(fewer) > 1 and proves(left | {house: fewer}):
                left[house] = fewer
    return left


def _test(deduction: Deduction, words: Wording) -> Callable[[Groups], bool]:
    """Return a function that tests whether a step holds if the cells of each group differ.

    Other cells that share a row, column, box, or region may be equal. Cells that must differ for
    another reason always count as different.
    """
    # It loads the compiler, which classic puzzles don't need.
    from solver.logic.rule_steps.house_search import HouseSearch  # noqa: PLC0415

    search = cast("HouseSearch", search_of(deduction, words))
    unit = search.unit
    special = [_special_peers(cell, unit.cells, words) for cell in range(words.layout.cells)]
    refuted = [*values_to_refute(deduction, words)]

    def proves(groups: Groups) -> bool:
        peers = [set(own) for own in special]
        for own in groups.values():
            for cell in own:
                peers[cell].update(own)
        limited = [frozenset(own - {cell}) for cell, own in enumerate(peers)]
        limited_search = HouseSearch(unit, words.layout, limited)
        return all(map(limited_search.is_impossible, refuted))

    return proves


def _special_peers(cell: int, cells: Sequence[int], words: Wording) -> Iterator[int]:
    """Yield those of `cells` that differ from `cell` for another reason than a usual house.

    Usual houses are rows, columns, boxes, and regions. Yields nothing if `cell` isn't one of
    `cells`.
    """
    for other in peers_of_cells(words.layout)[cell] if cell in cells else ():
        if other in cells and reason_to_differ(words.layout, cell, other) is not None:
            yield other
