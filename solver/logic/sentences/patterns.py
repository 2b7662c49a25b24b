"""Sentences about singles, locked candidates, subsets, fish, and uniqueness patterns."""

from collections.abc import Callable

from solver.logic.deduction import Deduction
from solver.logic.sentences.wording import Wording, listed

Sentence = Callable[[Deduction, Wording], str]

_TWO_LEFT = (
    "every open cell has two candidates, and each of them has two places in each of its houses; "
    "such a grid never has exactly one solution"
)


def _full_house(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    name = words.layout.cell_name(cell)
    return f"{name} is the last open cell of {words.house(deduction.base[0])}: {words.value(value)}"


def _naked_single(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    return f"{words.layout.cell_name(cell)} can only be {words.value(value)}"


def _hidden_single(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    house = words.house(deduction.base[0])
    return f"in {house}, only {words.layout.cell_name(cell)} can be {words.value(value)}"


def _locked(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    house, other = words.house(deduction.base[0]), words.house(deduction.cover[0])
    return f"{value} of {house} must be in {other}, so {words.outcome(deduction)}"


def _naked_subset(deduction: Deduction, words: Wording) -> str:
    cells, values = words.cells(deduction.cells), words.values(deduction.values)
    houses = words.houses(deduction.base)
    return f"in {houses}, {cells} take {values}, so {words.outcome(deduction)}"


def _hidden_subset(deduction: Deduction, words: Wording) -> str:
    cells, values = words.cells(deduction.cells), words.values(deduction.values)
    houses = words.houses(deduction.base)
    return f"in {houses}, {values} can only be in {cells}, so {words.outcome(deduction)}"


def _fish(deduction: Deduction, words: Wording) -> str:
    value = words.values(deduction.values)
    base, cover = words.houses(deduction.base), words.houses(deduction.cover)
    fins = tuple(dict.fromkeys((*deduction.fins, *deduction.endo_fins)))
    reason = f"in {base}, {value} can only be in {cover}"
    if not fins:
        return f"{reason}, once in each, so {words.outcome(deduction)}"
    if len(deduction.cover) > len(deduction.base):
        return f"{reason}, in one of them twice, so {words.outcome(deduction)}"
    several = "one of the fins" if len(fins) > 1 else "the fin"
    names = words.candidates(fins)
    return f"{reason} or {several} {names}; either way {words.outcome(deduction)}"


def _bug(deduction: Deduction, words: Wording) -> str:
    cells, values = (
        words.cells(deduction.cells, last="or"),
        words.values(deduction.values, last="or"),
    )
    return f"unless {cells} is {values}, {_TWO_LEFT}, so {words.outcome(deduction)}"


def _bug_with_subset(deduction: Deduction, words: Wording) -> str:
    extra = [one for one in deduction.fins if one.cell in deduction.cells]
    others = [one for one in deduction.fins if one.cell not in deduction.cells]
    cells = words.cells(dict.fromkeys(cell for cell, _ in others))
    values, house = words.values(deduction.values), words.house(deduction.base[0])
    return (
        f"unless there is {words.candidates(extra, last='or')}, {_TWO_LEFT}; it takes {values} "
        f"with {cells} in {house}, so {words.outcome(deduction)}"
    )


def _bug_with_pair(deduction: Deduction, words: Wording) -> str:
    value, house = words.value(deduction.values[0]), words.house(deduction.base[0])
    return (
        f"unless there is {words.candidates(deduction.fins, last='or')}, {_TWO_LEFT}; {value} has "
        f"no other place in {house} and is in the other cell, so {words.outcome(deduction)}"
    )


def _rectangle(reason: Callable[[Deduction, Wording], str]) -> Sentence:
    def sentence(deduction: Deduction, words: Wording) -> str:
        corners, values = words.cells(deduction.cells), words.values(deduction.values[:2])
        return (
            f"{corners} must not be {values} alone, which could be swapped; "
            f"{reason(deduction, words)}, so {words.outcome(deduction)}"
        )

    return sentence


def _last_corner(deduction: Deduction, words: Wording) -> str:
    cells = {cell for cell, _ in deduction.eliminations}
    rest = [cell for cell in deduction.cells if cell not in cells]
    return f"{words.cells(rest)} can be nothing else"


def _same_extra(deduction: Deduction, words: Wording) -> str:
    extra = deduction.fins or deduction.endo_fins or deduction.eliminations
    value = words.value(extra[0].value)
    if not deduction.fins and not deduction.endo_fins:
        return f"one of them is {value}"
    return f"one of {words.cells(cell for cell, _ in extra)} is {value}"


def _subset_of_extra(deduction: Deduction, words: Wording) -> str:
    house = words.house(deduction.base[0])
    cells = dict.fromkeys(cell for cell, _ in deduction.fins)
    corners = words.cells((cell for cell in cells if cell in deduction.cells), last="or")
    others = words.cells(cell for cell in cells if cell not in deduction.cells)
    values = words.values(sorted({value for _, value in deduction.fins}))
    if any(cell in cells for cell, _ in deduction.eliminations):  # a hidden subset
        return (
            f"{corners} is something else, and in {house}, {values} have no places but {others} "
            "beside them"
        )
    return f"{corners} is something else, and takes {values} with {others} in {house}"


def _bound(deduction: Deduction, words: Wording) -> str:
    gone = {value for _, value in deduction.eliminations}
    kept = [value for value in deduction.values[:2] if value not in gone] or deduction.values[:1]
    house = words.house(deduction.base[0]) if deduction.base else "the houses that they share"
    return f"{words.values(kept)} has no other place in {house}"


def _crossed(deduction: Deduction, words: Wording) -> str:
    gone = words.values(sorted({value for _, value in deduction.eliminations}))
    return f"{gone} has no other place in their rows and columns, and would force it"


def _hidden_rectangle(deduction: Deduction, words: Wording) -> str:
    gone = {value for _, value in deduction.eliminations}
    other = words.values([value for value in deduction.values[:2] if value not in gone])
    houses = words.houses(deduction.base) if deduction.base else "the row and the column opposite"
    forced = f"{words.values(gone)} in {words.cells(cell for cell, _ in deduction.eliminations)}"
    return f"{other} has no other place in {houses}, so that {forced} would force it"


def _avoidable(deduction: Deduction, words: Wording) -> str:
    del deduction, words
    return "none of them is a given, and the others are filled that way"


def _sue_de_coq(deduction: Deduction, words: Wording) -> str:
    meeting = f"{words.cells(deduction.cells)} {{{' '.join(map(words.value, deduction.values))}}}"
    sets = listed(map(words.almost_locked, deduction.sets))
    return f"{meeting} and {sets} use all their values up, so {words.outcome(deduction)}"


def _aligned(deduction: Deduction, words: Wording) -> str:
    cells = words.cells(deduction.cells)
    return (
        f"whatever {cells} are together, cells that they see must keep a candidate, "
        f"so {words.outcome(deduction)}"
    )


def _direct_locked(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    house, other = words.house(deduction.base[0]), words.house(deduction.cover[0])
    ((cell, _),) = deduction.placements
    name = words.layout.cell_name(cell)
    single = _house_of_hidden_single(deduction, words)
    where = "one of its houses" if single is None else words.house(single)
    return (
        f"in {house}, {value} can only be in {other}; without the other places there, only {name} "
        f"can be {value} in {where}"
    )


def _house_of_hidden_single(deduction: Deduction, words: Wording) -> int | None:
    """Return the house of the hidden single that direct pointing or claiming leaves, or None.

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
    cells, values = words.cells(deduction.cells), words.values(deduction.values)
    house = words.house(deduction.base[0])
    ((cell, value),) = deduction.placements
    name = words.layout.cell_name(cell)
    return (
        f"in {house}, {values} can only be in {cells}, so only {name} there can be "
        f"{words.value(value)}"
    )


PATTERNS: dict[str, Sentence] = {
    "0000": _full_house,
    "0003": _naked_single,
    "0002": _hidden_single,
    **dict.fromkeys(("0100", "0101"), _locked),
    **dict.fromkeys(("0110", "0111", "0200", "0201", "0202"), _naked_subset),
    **dict.fromkeys(("0210", "0211", "0212"), _hidden_subset),
    **{f"03{number:02}": _fish for number in range(43)},
    "0610": _bug,
    "0600": _rectangle(_last_corner),
    "0601": _rectangle(_same_extra),
    "0602": _rectangle(_subset_of_extra),
    "0603": _rectangle(_bound),
    "0604": _rectangle(_same_extra),
    "0605": _rectangle(_crossed),
    "0606": _rectangle(_hidden_rectangle),
    "0607": _rectangle(_avoidable),
    "0608": _rectangle(_same_extra),
    "1101": _sue_de_coq,
    "2000": _direct_locked,
    "2001": _direct_locked,
    "2002": _direct_subset,
    "2003": _direct_subset,
    "2010": _rectangle(_last_corner),
    "2011": _rectangle(_same_extra),
    "2012": _rectangle(_subset_of_extra),
    "2013": _rectangle(_bound),
    "2020": _bug,
    "2021": _bug_with_subset,
    "2022": _bug_with_pair,
    "2030": _aligned,
    "2031": _aligned,
}
