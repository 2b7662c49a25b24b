"""The reasons of steps for hints: why a single is one, and which cells show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.logic.deduction import Deduction
from solver.logic.explanation import Position
from solver.logic.marks import marks_of
from solver.logic.sentences.wording import Wording, joined, listed, paragraph

_NAKED_SINGLE, _HIDDEN_SINGLE = "0003", "0002"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a step: a text, which may be empty, and the cells that show it."""

    text: str
    cells: tuple[int, ...]


def reason_of(deduction: Deduction, position: Position, words: Wording) -> Reason:
    """Return the reason of a deduction.

    For a naked or hidden single, the cells are filled ones that exclude the other values of its
    cell, or the other cells of its house, and the text states what excludes them. For another
    technique, the text is empty, because its sentence contains the reason, and the cells are those
    of its pattern in which nothing changes.
    """
    if deduction.code == _NAKED_SINGLE:
        return _of_naked_single(deduction, position, words)
    if deduction.code == _HIDDEN_SINGLE and deduction.base:
        return _of_hidden_single(deduction, position, words)
    marks = marks_of(deduction, position.candidates)
    changed = {one.cell for one in (*deduction.placements, *deduction.eliminations)}
    shown = {one.cell for members in marks.candidates.values() for one in members}
    return Reason("", tuple(sorted((shown | set(marks.cells)) - changed)))


def _of_naked_single(deduction: Deduction, position: Position, words: Wording) -> Reason:
    """Return the reason of a naked single: filled cells that exclude the other values of its cell.

    The text states which houses exclude which values.
    """
    ((cell, value),) = deduction.placements
    layout = words.layout
    by_house = {
        number: {position.values[other]: other for other in house.cells if position.values[other]}
        for number, house in enumerate(layout.houses)
        if cell in house.cells
    }
    left = {other for other in range(1, layout.size + 1) if other != value}
    clauses, cells = [], []
    for house, excluded in _cover(left, by_house):
        clauses.append(f"{words.house(house)} excludes {words.values(sorted(excluded))}")
        cells += [by_house[house][other] for other in sorted(excluded)]
        left -= excluded
    if left and clauses:
        clauses.append(f"the other rules or pencil marks exclude {words.values(sorted(left))}")
    return Reason(paragraph(joined(clauses)) if clauses else "", tuple(cells))


def _of_hidden_single(deduction: Deduction, position: Position, words: Wording) -> Reason:
    """Return the reason of a hidden single: cells with its value that exclude other empty cells.

    The text is empty if no cell with the value sees any of these in a house.
    """
    ((cell, value),) = deduction.placements
    layout, values = words.layout, position.values
    house = layout.houses[deduction.base[0]].cells
    empty = {other for other in house if other != cell and not values[other]}
    seen_by = {
        other: {seen for one in layout.houses if other in one.cells for seen in one.cells} & empty
        for other, its_value in enumerate(values)
        if its_value == value
    }
    cells = [other for other, _ in _cover(empty, seen_by)]
    left = sorted(empty.difference(*(seen_by[other] for other in cells)))
    if not cells:
        return Reason("", ())
    others = f"the other empty cells of {words.house(deduction.base[0])}"
    if left:
        others = words.cells(sorted(empty.difference(left)))
    verb = "excludes" if len(cells) == 1 else "exclude"
    names = listed(f"the {words.value(value)} in {layout.cell_name(one)}" for one in sorted(cells))
    text = f"{names} {verb} {others}"
    if left:
        text += f", and other rules or pencil marks exclude {words.cells(left)}"
    return Reason(paragraph(text), tuple(sorted(cells)))


def _cover(left: Iterable[int], sets: Mapping[int, Iterable[int]]) -> list[tuple[int, set[int]]]:
    """Choose sets that together contain as many elements of `left` as possible.

    Each set is the one that adds the most elements to those chosen before. Returns the keys of the
    chosen sets, each with the elements that it adds.
    """
    remaining, chosen = set(left), []
    while sets:
        key = max(sets, key=lambda key: len(remaining.intersection(sets[key])))
        added = remaining.intersection(sets[key])
        if not added:
            break
        chosen.append((key, added))
        remaining -= added
    return chosen
