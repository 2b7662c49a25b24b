"""Sentences about patterns that contradict a unique solution.

These are unique rectangles and loops, avoidable rectangles, and bivalue universal graves (BUGs).
"""

from collections.abc import Iterable, Sequence

from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.places import last_place, located
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph

_RECTANGLE = 4  # cells
_QUANTITIES = {2: "both", 3: "all three", 4: "all four"}
_USUAL_EXTRA = 1  # candidates of the only cell with more than two, in addition to those two
_SUBSETS = {2: "pair", 3: "triple", 4: "quadruple"}


def _pattern(deduction: Deduction, words: Wording) -> str:
    """Return the names of the cells of a rectangle, or of a loop in its order."""
    cells = deduction.cells
    return words.cells(sorted(cells) if len(cells) == _RECTANGLE else cells)


def _pair(deduction: Deduction, words: Wording, *, last: str = "and") -> str:
    """Return the two values of a rectangle or loop in words, such as "3 and 4".

    `last` is the word between them.
    """
    return words.values(sorted(deduction.values[:2]), last=last)


def _deadly(deduction: Deduction, words: Wording, *, names: str = "") -> str:
    """Return the clause that the cells of a rectangle or loop would form a deadly pattern.

    The reason follows after a colon: swapping the two values would give a second solution. `names`
    replaces the names of the cells.
    """
    cells, pair = names or _pattern(deduction, words), _pair(deduction, words)
    return f"{cells} would form a deadly pattern: swapping {pair} would give a second solution"


def _only_pair(deduction: Deduction, words: Wording) -> str:
    """Return the clause that the cells of a rectangle or loop could then only be the two values.

    It completes a sentence that begins with "if", and explains that this is a deadly pattern.
    """
    return (
        f"then {_pattern(deduction, words)} could only be {_pair(deduction, words, last='or')}: a "
        f"deadly pattern, since swapping {_pair(deduction, words)} would give a second solution"
    )


def _wide_corners(deduction: Deduction, words: Wording) -> list[int]:
    """Return the cells of a rectangle or loop that have candidates other than its two values.

    If the candidates are unknown, these are the cells that lose candidates.
    """
    if words.domains is None:
        gone = {cell for cell, _ in deduction.eliminations}
        return [cell for cell in deduction.cells if cell in gone]
    pair = sum(1 << (value - 1) for value in deduction.values[:2])
    return [cell for cell in deduction.cells if words.domains[cell] & ~pair]


def _last_corner(deduction: Deduction, words: Wording) -> str:
    corner = deduction.eliminations[0].cell
    cells = sorted(deduction.cells) if len(deduction.cells) == _RECTANGLE else deduction.cells
    others = words.cells(cell for cell in cells if cell != corner)
    pair = _pair(deduction, words, last="or")
    deadly = _deadly(deduction, words, names="these cells")
    return paragraph(
        f"{others} can only be {pair}",
        f"if {words.layout.cell_name(corner)} were {pair} as well, {deadly}",
        words.outcome(deduction),
    )


def _same_extra(deduction: Deduction, words: Wording) -> str:
    return paragraph(*_reasons_of_extra(deduction, words), words.outcome(deduction))


def _reasons_of_extra(deduction: Deduction, words: Wording) -> list[str]:
    """Return two sentences on why one of the corners must have the extra value.

    All corners with extra candidates have this value as a candidate. The first sentence names the
    deadly pattern that would arise if none of them took it, the second one the conclusion.
    """
    value = words.value(deduction.eliminations[0].value)
    fins = {cell for cell, _ in deduction.fins or deduction.endo_fins}
    corners = sorted(fins or _wide_corners(deduction, words))
    every = _QUANTITIES.get(len(corners), "all of them")
    return [
        f"if {words.none_of(corners)} were {value}, {_only_pair(deduction, words)}",
        f"so {words.cells(corners, last='or')} is {value}, and no other cell that sees {every} can "
        f"be {value}",
    ]


def _subset_of_extra(deduction: Deduction, words: Wording) -> str:
    corners = sorted({cell for cell, _ in deduction.fins if cell in deduction.cells})
    others = sorted({cell for cell, _ in deduction.fins if cell not in deduction.cells})
    house = words.house(deduction.base[0])
    values = sorted({value for _, value in deduction.fins})
    if not {cell for cell, _ in deduction.eliminations}.isdisjoint(others):  # a hidden subset
        pair = _pair(deduction, words, last="or")
        return paragraph(
            f"if both {words.cells(corners)} were {pair}, {_only_pair(deduction, words)}",
            f"so {words.cells(corners, last='or')} is neither "
            f"{_pair(deduction, words, last='nor')}",
            f"{located(house)}, the {words.noun} {words.values(values)} fit only in these two "
            f"cells and {words.cells(others)}, so {words.cells(others)} must hold "
            f"{'one' if len(others) == 1 else 'some'} of them",
            words.outcome(deduction),
        )
    extra = sorted({value for cell, value in deduction.fins if cell in corners})
    needed = words.values(extra, last="or")
    return paragraph(
        f"if {words.none_of(corners)} were {needed}, {_only_pair(deduction, words)}",
        f"so {words.cells(corners, last='or')} is {needed}",
        _naked_subset("that cell", others, values, house, words),
        words.outcome(deduction),
    )


def _naked_subset(
    cell: str, others: Iterable[int], values: Sequence[int], house: str, words: Wording
) -> str:
    """Return the clause that a cell and some others form a naked subset of a house.

    `cell` is the name of the first cell in the text, `values` are the values of the subset, and
    `house` is the name of the house. The candidates of the others follow their names.
    """
    names = [
        words.layout.cell_name(other)
        if words.domains is None
        else f"{words.layout.cell_name(other)} "
        f"({words.values(words.candidates_of(other), last='or')})"
        for other in others
    ]
    subset = _SUBSETS.get(len(values), "subset")
    return (
        f"{listed([cell, *names])} form a naked {subset} {located(house)} that uses up "
        f"{words.values(values)}"
    )


def _bound(deduction: Deduction, words: Wording) -> str:
    gone = deduction.eliminations[0].value
    (kept,) = (value for value in deduction.values[:2] if value != gone)
    corners = sorted(_wide_corners(deduction, words))
    value = words.value(kept)
    house = _house_of_bound(corners, kept, deduction, words)
    return paragraph(
        f"{located(house)}, only {words.cells(corners)} can be {value}, so one of them is {value}",
        f"if the other were {words.value(gone)}, {_deadly(deduction, words)}",
        words.outcome(deduction),
    )


def _house_of_bound(corners: list[int], value: int, deduction: Deduction, words: Wording) -> str:
    """Return the name of a house in which only these corners can have the value.

    If none is found, returns "a house that they share".
    """
    if deduction.base:
        return words.house(deduction.base[0])
    for number, house in enumerate(words.layout.houses):
        others = [cell for cell in house.cells if cell not in corners]
        if set(corners) <= set(house.cells) and not any(words.can_be(c, value) for c in others):
            return words.house(number)
    return "a house that they share"


def _crossed(deduction: Deduction, words: Wording) -> str:
    gone = words.value(deduction.eliminations[0].value)
    wide = words.cells(sorted(_wide_corners(deduction, words)), last="or")
    return paragraph(
        f"in their rows and columns, only {words.cells(sorted(deduction.cells))} can be {gone}",
        f"if {wide} were {gone}, the opposite corner would be {gone}, too, and "
        f"{_deadly(deduction, words, names='these cells')}",
        words.outcome(deduction),
    )


def _hidden_rectangle(deduction: Deduction, words: Wording) -> str:
    ((cell, gone),) = deduction.eliminations
    (kept,) = (value for value in deduction.values[:2] if value != gone)
    value, other = words.value(gone), words.value(kept)
    others = set(deduction.cells) - {cell}
    beside: list[int] = []  # the other corner in each of the two houses
    for house in deduction.base:
        beside += others.intersection(words.layout.houses[house].cells)
    one, two = (
        f"{words.layout.cell_name(corner)} would be {other} "
        f"({last_place(words.house(house), [corner])})"
        for corner, house in zip(beside, deduction.base, strict=True)
    )
    opposite = words.cells(others.difference(beside))
    return paragraph(
        f"if {words.layout.cell_name(cell)} were {value}, {one}, {two}, and {opposite} "
        f"({words.values(sorted((gone, kept)), last='or')}) would be {value}",
        _deadly(deduction, words, names="the four cells"),
        words.outcome(deduction),
    )


def _avoidable(deduction: Deduction, words: Wording) -> str:
    ((cell, gone),) = deduction.eliminations
    return paragraph(
        f"{words.none_of(sorted(deduction.cells))} is a given",
        f"if {words.layout.cell_name(cell)} were {words.value(gone)}, "
        f"{_deadly(deduction, words, names='they')}",
        words.outcome(deduction),
    )


def _avoidable_extra(deduction: Deduction, words: Wording) -> str:
    return paragraph(
        f"{words.none_of(sorted(deduction.cells))} is a given",
        *_reasons_of_extra(deduction, words),
        words.outcome(deduction),
    )


def _bug(deduction: Deduction, words: Wording) -> str:
    cells, values = sorted(deduction.cells), sorted(deduction.values)
    where = f"so {words.cells(cells, last='or')} is {words.values(values, last='or')}"
    if len(cells) == 1:
        (name,) = map(words.layout.cell_name, cells)
        usual = len(values) == _USUAL_EXTRA
        return paragraph(
            f"{name} is the only cell with {'three' if usual else 'more than two'} candidates",
            _grave(f"{words.values(values)} there"),
            f"such a grid never has exactly one solution, {where}",
            words.outcome(deduction),
        )
    (value,) = map(words.value, values)
    every = _QUANTITIES.get(len(cells), "all of them")
    return paragraph(
        _grave(f"{value} in {words.cells(cells)}"),
        f"such a grid never has exactly one solution, {where}, and no other cell that sees {every} "
        f"can be {value}",
        words.outcome(deduction),
    )


def _bug_with_subset(deduction: Deduction, words: Wording) -> str:
    extra = [one for one in deduction.fins if one.cell in deduction.cells]
    others = sorted({cell for cell, _ in deduction.fins if cell not in deduction.cells})
    house = words.house(deduction.base[0])
    return paragraph(
        *_one_is_true(extra, words),
        _naked_subset("its cell", others, sorted(deduction.values), house, words),
        words.outcome(deduction),
    )


def _bug_with_pair(deduction: Deduction, words: Wording) -> str:
    value, house = words.value(deduction.values[0]), words.house(deduction.base[0])
    return paragraph(
        *_one_is_true(deduction.fins, words),
        f"{located(house)}, only these two cells can be {value}, so the other one is {value}",
        words.outcome(deduction),
    )


def _one_is_true(candidates: Iterable[Candidate], words: Wording) -> list[str]:
    """Return two sentences: why one of the candidates that prevent a BUG is true, and that it is.

    A BUG is a bivalue universal grave.
    """
    extra = listed(
        f"{words.value(value)} in {words.layout.cell_name(cell)}"
        for cell, value in sorted(candidates)
    )
    return [
        _grave(extra),
        "such a grid never has exactly one solution, so one of these candidates is true",
    ]


def _grave(extra: str) -> str:
    """Return the clause that without some candidates, the grid would be a bivalue universal grave.

    `extra` names these candidates.
    """
    return (
        f"without {extra}, every empty cell would have exactly two candidates, and each candidate "
        "exactly two places in its row, column, and box"
    )


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
