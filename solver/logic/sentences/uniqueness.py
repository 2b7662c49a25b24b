"""Sentences about patterns that contradict a unique solution.

These are unique rectangles and loops, avoidable rectangles, and bivalue universal graves (BUGs).
"""

from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph

_BUG = (
    "otherwise, every empty cell would have two candidates, and each candidate two places in its "
    "row, column, and box",
    "such a grid never has exactly one solution",
)


def _deadly(deduction: Deduction, words: Wording, *, names: str = "") -> str:
    """Return that the cells of a rectangle or loop would form a deadly pattern.

    `names` replaces the names of the cells.
    """
    cells, pair = names or words.cells(deduction.cells), words.values(deduction.values[:2])
    return f"{cells} would form a deadly pattern: swapping {pair} would give a second solution"


def _wide_corners(deduction: Deduction, words: Wording) -> list[int]:
    """Return the cells of a rectangle or loop that have candidates besides its two values.

    If the candidates are unknown, these are the cells that lose candidates.
    """
    if words.domains is None:
        gone = {cell for cell, _ in deduction.eliminations}
        return [cell for cell in deduction.cells if cell in gone]
    pair = sum(1 << (value - 1) for value in deduction.values[:2])
    return [cell for cell in deduction.cells if words.domains[cell] & ~pair]


def _last_corner(deduction: Deduction, words: Wording) -> str:
    corner = deduction.eliminations[0].cell
    others = words.cells(cell for cell in deduction.cells if cell != corner)
    pair = words.values(deduction.values[:2], last="or")
    deadly = _deadly(deduction, words, names="these cells")
    return paragraph(
        f"{others} can only be {pair}",
        f"if {words.layout.cell_name(corner)} were {pair} as well, {deadly}",
        words.outcome(deduction),
    )


def _same_extra(deduction: Deduction, words: Wording) -> str:
    value = deduction.eliminations[0].value
    fins = [cell for cell, _ in deduction.fins or deduction.endo_fins]
    cells = words.cells(fins or _wide_corners(deduction, words), last="or")
    return paragraph(
        f"{cells} must be {words.value(value)}",
        f"otherwise, {_deadly(deduction, words)}",
        words.outcome(deduction),
    )


def _subset_of_extra(deduction: Deduction, words: Wording) -> str:
    corners = dict.fromkeys(cell for cell, _ in deduction.fins if cell in deduction.cells)
    others = dict.fromkeys(cell for cell, _ in deduction.fins if cell not in deduction.cells)
    house = words.house(deduction.base[0])
    values = sorted({value for _, value in deduction.fins})
    if others.keys() & {cell for cell, _ in deduction.eliminations}:  # a hidden subset
        pair = words.values(deduction.values[:2], last="nor")
        return paragraph(
            f"one of {words.cells(corners)} is neither {pair}",
            f"otherwise, {_deadly(deduction, words)}",
            f"in {house}, the {words.noun} {words.values(values)} fit only in these two cells and "
            f"{words.cells(others)}, so {words.cells(others)} must hold "
            f"{'one' if len(others) == 1 else 'some'} of them",
            words.outcome(deduction),
        )
    extra = sorted({value for cell, value in deduction.fins if cell in corners})
    return paragraph(
        f"{words.cells(corners, last='or')} must be {words.values(extra, last='or')}",
        f"otherwise, {_deadly(deduction, words)}",
        f"{listed(['that cell', *map(words.layout.cell_name, others)])} use up "
        f"{words.values(values)} in {house}",
        words.outcome(deduction),
    )


def _bound(deduction: Deduction, words: Wording) -> str:
    gone = deduction.eliminations[0].value
    (kept,) = (value for value in deduction.values[:2] if value != gone)
    corners = _wide_corners(deduction, words)
    value = words.value(kept)
    return paragraph(
        f"in {_house_of_bound(corners, kept, deduction, words)}, only {words.cells(corners)} can "
        f"be {value}, so one of them is {value}",
        f"if the other were {words.value(gone)}, {_deadly(deduction, words)}",
        words.outcome(deduction),
    )


def _house_of_bound(corners: list[int], value: int, deduction: Deduction, words: Wording) -> str:
    """Return the name of a house in which only these corners can have the value."""
    if deduction.base:
        return words.house(deduction.base[0])
    for number, house in enumerate(words.layout.houses):
        others = [cell for cell in house.cells if cell not in corners]
        if set(corners) <= set(house.cells) and not any(words.can_be(c, value) for c in others):
            return words.house(number)
    return "a house that they share"


def _crossed(deduction: Deduction, words: Wording) -> str:
    gone = words.value(deduction.eliminations[0].value)
    wide = words.cells(_wide_corners(deduction, words), last="or")
    return paragraph(
        f"in their rows and columns, only {words.cells(deduction.cells)} can be {gone}",
        f"if {wide} were {gone}, the opposite corner would be {gone}, too, and "
        f"{_deadly(deduction, words, names='these cells')}",
        words.outcome(deduction),
    )


def _hidden_rectangle(deduction: Deduction, words: Wording) -> str:
    ((cell, gone),) = deduction.eliminations
    (kept,) = (value for value in deduction.values[:2] if value != gone)
    lines = {one for house in deduction.base for one in words.layout.houses[house].cells}
    beside = words.cells(one for one in deduction.cells if one in lines and one != cell)
    opposite = words.cells(one for one in deduction.cells if one not in lines)
    return paragraph(
        f"if {words.layout.cell_name(cell)} were {words.value(gone)}, only {beside} could be "
        f"{words.value(kept)} in {words.houses(deduction.base)}",
        f"together with {opposite}, {_deadly(deduction, words, names='they')}",
        words.outcome(deduction),
    )


def _avoidable(deduction: Deduction, words: Wording) -> str:
    ((cell, gone),) = deduction.eliminations
    return paragraph(
        f"{words.none_of(deduction.cells)} is a given",
        f"if {words.layout.cell_name(cell)} were {words.value(gone)}, "
        f"{_deadly(deduction, words, names='they')}",
        words.outcome(deduction),
    )


def _avoidable_extra(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.eliminations[0].value)
    cells = words.cells((cell for cell, _ in deduction.endo_fins), last="or")
    return paragraph(
        f"{words.none_of(deduction.cells)} is a given",
        f"{cells} must be {value}",
        f"otherwise, {_deadly(deduction, words, names='these cells')}",
        words.outcome(deduction),
    )


def _bug(deduction: Deduction, words: Wording) -> str:
    cells, values = (
        words.cells(deduction.cells, last="or"),
        words.values(deduction.values, last="or"),
    )
    return paragraph(f"{cells} must be {values}", *_BUG, words.outcome(deduction))


def _bug_with_subset(deduction: Deduction, words: Wording) -> str:
    extra = [one for one in deduction.fins if one.cell in deduction.cells]
    others = dict.fromkeys(cell for cell, _ in deduction.fins if cell not in deduction.cells)
    values, house = words.values(deduction.values), words.house(deduction.base[0])
    return paragraph(
        _one_of(extra, words),
        *_BUG,
        f"{listed(['that cell', *map(words.layout.cell_name, others)])} use up {values} in {house}",
        words.outcome(deduction),
    )


def _bug_with_pair(deduction: Deduction, words: Wording) -> str:
    value, house = words.value(deduction.values[0]), words.house(deduction.base[0])
    return paragraph(
        _one_of(deduction.fins, words),
        *_BUG,
        f"in {house}, only these two cells can be {value}, so the other one is {value}",
        words.outcome(deduction),
    )


def _one_of(candidates: list[Candidate] | tuple[Candidate, ...], words: Wording) -> str:
    return f"one of these must be true: {words.candidates(candidates, last='or')}"


UNIQUENESS: dict[str, Sentence] = {
    "0600": _last_corner,
    "0601": _same_extra,
    "0602": _subset_of_extra,
    "0603": _bound,
    "0604": _same_extra,
    "0605": _crossed,
    "0606": _hidden_rectangle,
    "0607": _avoidable,
    "0608": _avoidable_extra,
    "0610": _bug,
    "2010": _last_corner,
    "2011": _same_extra,
    "2012": _subset_of_extra,
    "2013": _bound,
    "2020": _bug,
    "2021": _bug_with_subset,
    "2022": _bug_with_pair,
}
