"""Sentences about singles, locked candidates, subsets, fish, and Sue de Coq."""

from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.links import seen_through
from solver.logic.sentences.places import located
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph

_QUANTITIES = {2: "both", 3: "all three", 4: "all four"}
_NUMBERS = {2: "two", 3: "three", 4: "four"}


def _full_house(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    house, name = words.house(deduction.base[0]), words.layout.cell_name(cell)
    return f"{located(house)}, only {name} is empty, so it must be {words.value(value)}"


def _naked_single(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    return f"{words.layout.cell_name(cell)} can only be {words.value(value)}"


def _hidden_single(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    house = words.house(deduction.base[0])
    return f"{located(house)}, only {words.layout.cell_name(cell)} can be {words.value(value)}"


def _locked(deduction: Deduction, words: Wording) -> str:
    return paragraph(_locked_places(deduction, words), words.outcome(deduction))


def _locked_places(deduction: Deduction, words: Wording) -> str:
    """Return two sentences on why the rest of the cover house can't have a value.

    All places of the value in the base house are also in the cover house.
    """
    house, other = words.house(deduction.base[0]), words.house(deduction.cover[0])
    shared = set(words.layout.houses[deduction.cover[0]].cells)
    cells = [
        cell
        for cell in words.layout.houses[deduction.base[0]].cells
        if cell in shared and words.can_be(cell, deduction.values[0])
    ]
    value = words.value(deduction.values[0])
    return paragraph(
        f"{located(house)}, only {words.cells(cells)} can be {value}",
        f"{'both' if len(cells) == 2 else 'all'} are {located(other)}, so no other cell of {other} "
        f"can be {value}",
    )


def _naked_subset(deduction: Deduction, words: Wording) -> str:
    cells = words.cells(sorted(deduction.cells))
    values = words.values(sorted(deduction.values), last="or")
    houses, every = words.houses(deduction.base), _QUANTITIES[len(deduction.values)]
    if len(deduction.base) == 2:
        return paragraph(
            f"{cells} are in both {houses} and can only be {values}",
            f"they use up these {words.noun} in both",
            words.outcome(deduction),
        )
    return paragraph(
        f"{located(houses)}, {cells} can only be {values}, so they use up {every} {words.noun}",
        words.outcome(deduction),
    )


def _locked_subset(deduction: Deduction, words: Wording) -> str:
    kinds = [words.layout.houses[house].kind for house in deduction.base]
    if sorted(kinds) not in (["box", "row"], ["box", "column"]):
        return _naked_subset(deduction, words)
    line, box = sorted(deduction.base, key=lambda house: words.layout.houses[house].kind == "box")
    return paragraph(
        f"{words.cells(sorted(deduction.cells))} are in both {words.house(line)} and "
        f"{words.house(box)} and can only be {words.values(sorted(deduction.values), last='or')}",
        f"they use up these {words.noun} in both",
        words.outcome(deduction),
    )


def _hidden_subset(deduction: Deduction, words: Wording) -> str:
    cells = words.cells(sorted(deduction.cells))
    values = words.values(sorted(deduction.values))
    house = words.houses(deduction.base)
    return paragraph(
        f"{located(house)}, the {words.noun} {values} fit only in {cells}, so these cells hold "
        "nothing else",
        words.outcome(deduction),
    )


def _fish(deduction: Deduction, words: Wording) -> str:
    houses = words.layout.houses
    base_cells = {cell for house in deduction.base for cell in houses[house].cells}
    if not base_cells.isdisjoint(cell for cell, _ in deduction.eliminations):
        reasons = _fish_within_its_base(deduction, words)
    elif deduction.fins or deduction.endo_fins:
        reasons = _finned_fish(deduction, words)
    else:
        reasons = _bare_fish(deduction, words)
    # The reasons of the fins name the special rules.
    is_said = _sight_of_fins(deduction, words) is not None
    outcome = words.result if is_said else words.outcome
    return paragraph(*reasons, outcome(deduction, is_either_way=bool(_fins(deduction))))


def _fish_within_its_base(deduction: Deduction, words: Wording) -> list[str]:
    """Return the sentences on a fish that removes a candidate from its own base houses."""
    value, fins = words.value(deduction.values[0]), _fins(deduction)
    base, cover = words.houses(deduction.base), words.houses(deduction.cover)
    every = f"every {value} of {base} must be in {cover}"
    if not fins:
        return [f"{every}, so these hold no other {value}"]
    fin = "a fin" if len(fins) > 1 else "the fin"
    return [
        f"unless {fin} ({words.cells(fins, last='or')}) is {value}, {every}",
        _reason_of_fins(deduction, words),
    ]


def _bare_fish(deduction: Deduction, words: Wording) -> list[str]:
    value, size = words.value(deduction.values[0]), len(deduction.base)
    base, cover = words.houses(deduction.base), words.houses(deduction.cover)
    return [
        f"{located(base)}, {value} fits only in {cover}",
        f"so these {_NUMBERS[size]} {words.kind(deduction.base)} use up the {value}s of "
        f"{_QUANTITIES[size]} {words.kind(deduction.cover)}, and no other cell of {cover} can be "
        f"{value}",
    ]


def _finned_fish(deduction: Deduction, words: Wording) -> list[str]:
    value, fins = words.value(deduction.values[0]), _fins(deduction)
    base, cover = words.houses(deduction.base), words.houses(deduction.cover)
    without_fins = (
        f"the fin {words.cells(fins)} is not {value}"
        if len(fins) == 1
        else f"{words.none_of(fins)} (the fins) is {value}"
    )
    return [
        f"if {without_fins}, every {value} of {base} is in {cover}, so no other cell of these "
        f"{words.kind(deduction.cover)} is {value}",
        _reason_of_fins(deduction, words),
    ]


def _reason_of_fins(deduction: Deduction, words: Wording) -> str:
    """Return the sentence on why the removed candidates are false if a fin is true."""
    value, fins = deduction.values[0], _fins(deduction)
    removed = tuple(sorted({cell for cell, _ in deduction.eliminations}))
    false = words.assertion(Node(value, removed), is_true=False)
    reason = _sight_of_fins(deduction, words) or "seen"
    return f"if {'the' if len(fins) == 1 else 'a'} fin is {words.value(value)}, {false} ({reason})"


def _sight_of_fins(deduction: Deduction, words: Wording) -> str | None:
    """Return how all fins see all removed candidates, such as "row 1", or None if one doesn't.

    The text names houses and rules, see `seen_through`.
    """
    removed = tuple(sorted({cell for cell, _ in deduction.eliminations}))
    return seen_through(words.layout, _fins(deduction), removed)


def _fins(deduction: Deduction) -> list[int]:
    """Return the cells of the fins and endo fins, in ascending order."""
    return sorted({cell for cell, _ in (*deduction.fins, *deduction.endo_fins)})


def _sue_de_coq(deduction: Deduction, words: Wording) -> str:
    sets = [f"{words.cells(deduction.cells)} {{{words.compact(deduction.values)}}}"]
    sets += map(words.almost_locked, deduction.sets)
    # Values that don't fit in the intersection can be in both sets, which don't see each other.
    shared = set.intersection(*(set(group.values) for group in deduction.sets))
    twice = sorted(shared.difference(deduction.values))
    every = {*deduction.values}.union(*(group.values for group in deduction.sets))
    count = len(deduction.cells) + sum(len(group.cells) for group in deduction.sets)
    digit = words.noun.removesuffix("s")
    often = f"each {digit} fits only once, because the cells that can hold it see each other"
    if twice:
        often += f", but {words.values(twice)} {'fits' if len(twice) == 1 else 'fit'} twice"
    times = "this often" if twice else "once"
    return paragraph(
        f"{listed(sets)} are {count} cells that can only hold the {len(every)} {words.noun} "
        f"{words.ranges(sorted(every))}",
        often,
        f"so each {digit} appears exactly {times}, and a cell that sees all places of a {digit} "
        "cannot hold it",
        words.outcome(deduction),
    )


def _direct_locked(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    ((cell, _),) = deduction.placements
    single = _house_of_hidden_single(deduction, words)
    where = "one of its houses" if single is None else words.house(single)
    return paragraph(
        _locked_places(deduction, words),
        f"{located(where)}, only {words.layout.cell_name(cell)} is left for {value}",
        words.outcome(deduction),
    )


def _house_of_hidden_single(deduction: Deduction, words: Wording) -> int | None:
    """Return the index of the house of the hidden single that a direct step leaves, or None.

    In this house, the eliminations leave the placed cell as the only place for its value.
    """
    ((cell, value),) = deduction.placements
    houses = words.layout.houses
    base, cover = (set(houses[house].cells) for house in (deduction.base[0], deduction.cover[0]))
    removed = cover - base
    for number, house in enumerate(houses):
        others = [one for one in house.cells if one != cell and one not in removed]
        if cell in house.cells and not any(words.can_be(one, value) for one in others):
            return number
    return None


def _direct_subset(deduction: Deduction, words: Wording) -> str:
    cells = words.cells(sorted(deduction.cells))
    values = words.values(sorted(deduction.values))
    where = located(words.house(deduction.base[0]))
    ((cell, value),) = deduction.placements
    return paragraph(
        f"{where}, {values} fit only in {cells}, so these cells hold nothing else",
        f"that leaves only {words.layout.cell_name(cell)} for {words.value(value)} {where}",
        words.outcome(deduction),
    )


PATTERNS: dict[str, Sentence] = {
    "0000": _full_house,
    "0003": _naked_single,
    "0002": _hidden_single,
    **dict.fromkeys(("0100", "0101"), _locked),
    **dict.fromkeys(("0110", "0111"), _locked_subset),
    **dict.fromkeys(("0200", "0201", "0202"), _naked_subset),
    **dict.fromkeys(("0210", "0211", "0212"), _hidden_subset),
    **{f"03{number:02}": _fish for number in range(43)},
    "1101": _sue_de_coq,
    "2000": _direct_locked,
    "2001": _direct_locked,
    "2002": _direct_subset,
    "2003": _direct_subset,
}
