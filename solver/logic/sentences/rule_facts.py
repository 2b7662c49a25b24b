"""Facts for checking a rule step: the candidates it relies on, and the values that remain."""

import atexit
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from solver.board.layout import Layout
from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Wording

if TYPE_CHECKING:
    from solver.logic.rule_steps.house_search import HouseSearch

_BY_RULE = ("4000", "4001")
_WITH_HOUSES = "4001"
_MOST_CELLS = 6  # of a rule for which the possible sets of values are listed
_MOST_SETS = 4
_MOST_TRIED = 300  # partly filled rules in the search for these sets


@lru_cache(maxsize=16)
def _searches(layout: Layout) -> "dict[tuple[int, tuple[int, ...]], HouseSearch]":
    """Return the search for each unit of a layout's rules, by its constraint and its cells."""
    # They load the compiler, which classic puzzles don't need.
    from solver.logic.rule_steps.house_search import HouseSearch
    from solver.logic.rule_steps.units import rule_units

    peers = peers_of_cells(layout)
    return {
        (unit.constraint, unit.cells): HouseSearch(unit, layout, peers)
        for unit in rule_units(layout)
    }


@lru_cache(maxsize=256)
def _search_of_rule_alone(layout: Layout, rule: int, cells: tuple[int, ...]) -> "HouseSearch":
    """Return the search of a unit in which all values are possible in each of its cells.

    Usually, the values that other rules exclude in an empty grid are impossible.
    """
    from solver.logic.rule_steps.house_search import HouseSearch

    every = ((1 << layout.size) - 1,) * len(cells)
    unit = replace(_searches(layout)[rule, cells].unit, full=every)
    return HouseSearch(unit, layout, peers_of_cells(layout))


# A SAT solver can't be deleted any more after Python has unloaded its module.
atexit.register(_searches.cache_clear)
atexit.register(_search_of_rule_alone.cache_clear)


def search_of(deduction: Deduction, words: Wording) -> "HouseSearch | None":
    """Return the search of a step's rule unit, or None if the step isn't a step from a rule."""
    if deduction.rule is None:
        return None
    return _searches(words.layout).get((deduction.rule, deduction.cells))


def facts_of(deduction: Deduction, words: Wording) -> list[Candidate]:
    """Return the removed candidates that a step needs as a reason.

    These are its `absent` candidates. If they don't prove the step, other removed candidates are
    included, such as 0 in a circle, which another clue excludes even in an empty grid.
    """
    known, search = [*deduction.absent], search_of(deduction, words)
    every = (1 << words.layout.size) - 1
    if search is None or deduction.code not in _BY_RULE or words.domains is None:
        return known
    stated = _without_absent([every] * len(deduction.cells), deduction)
    left = [words.domains[cell] for cell in deduction.cells]
    refuted = [*_refuted(deduction, words.domains)]
    alone = _search_of_rule_alone(words.layout, search.unit.constraint, deduction.cells)
    is_impossible = _impossibility_test(alone, with_houses=deduction.code == _WITH_HOUSES)

    def proves(domains: Sequence[int]) -> bool:
        return all(
            is_impossible([*domains[:place], mask, *domains[place + 1 :]])
            for place, mask in refuted
        )

    if proves(stated):
        return known

    def narrowed_to(bounds: Sequence[int]) -> list[int]:
        return [mask & bound for mask, bound in zip(stated, bounds, strict=True)]

    bounds = (narrowed_to(one) for one in (search.unit.full, left))
    domains = next(filter(proves, bounds), None)
    if domains is None:
        return known
    for place, mask in enumerate(stated):
        own, domains[place] = domains[place], mask
        if own != mask and not proves(domains):
            domains[place] = own
    own_facts = zip(deduction.cells, domains, strict=True)
    return [
        Candidate(cell, value)
        for cell, mask in own_facts
        for value in range(1, words.layout.size + 1)
        if not mask >> (value - 1) & 1
    ]


def narrowed(deduction: Deduction, words: Wording) -> list[Candidate]:
    """Return the placements of a step that don't follow from its rule and facts alone.

    They also need that their cells have lost other values before. The list is empty if the step
    isn't from a rule.
    """
    search = search_of(deduction, words)
    if search is None:
        return []
    domains = _without_absent([(1 << words.layout.size) - 1] * len(deduction.cells), deduction)
    is_impossible = _impossibility_test(search, with_houses=deduction.code == _WITH_HOUSES)
    found: list[Candidate] = []
    for cell, value in deduction.placements:
        place = deduction.cells.index(cell)
        others = ((1 << words.layout.size) - 1) & ~(1 << (value - 1))
        if not is_impossible([*domains[:place], others, *domains[place + 1 :]]):
            found.append(Candidate(cell, value))
    return found


def forced_twice(
    deduction: Deduction, words: Wording
) -> tuple[Candidate, tuple[Candidate, Candidate]] | None:
    """Return a removed candidate that would force a value into two cells that see each other.

    The candidate comes first, then a pair of candidates: the two cells with the value. The step's
    rule and facts have to force the value. Returns None if no candidate does this.
    """
    search = search_of(deduction, words)
    if search is None:
        return None
    peers = peers_of_cells(words.layout)
    known = _without_absent(search.unit.full, deduction)
    for candidate in deduction.eliminations:
        if candidate.cell not in deduction.cells:
            continue
        domains = list(known)
        domains[deduction.cells.index(candidate.cell)] &= 1 << (candidate.value - 1)
        left = search.unit.filtered(domains) if 0 not in domains else None
        forced: dict[int, list[int]] = {}
        for cell, mask in zip(deduction.cells, left or (), strict=bool(left)):
            if mask.bit_count() == 1:
                forced.setdefault(mask.bit_length(), []).append(cell)
        for value, cells in forced.items():
            for one, other in combinations(cells, 2):
                if other in peers[one]:
                    return candidate, (Candidate(one, value), Candidate(other, value))
    return None


def possible_sets(deduction: Deduction, words: Wording) -> list[tuple[int, ...]]:
    """Return the sets of values that a rule and the facts of a step leave for the rule's cells.

    Returns [] if there are too many, if one of them lacks the value that the step requires, if the
    rule has many cells, or if the step doesn't use all of them.
    """
    search = search_of(deduction, words)
    if search is None or len(deduction.cells) > _MOST_CELLS or not is_whole(deduction, words):
        return []
    left = _without_absent(search.unit.full, deduction)
    if words.layout.constraints[search.unit.constraint].name == "renban":
        return _runs(left, words.layout.size)
    is_impossible = _impossibility_test(search, with_houses=bool(deduction.base))
    waiting = [tuple(left)]
    sets: set[tuple[int, ...]] = set()
    tried = 0
    while waiting:
        domains = waiting.pop()
        tried += 1
        if tried > _MOST_TRIED or len(sets) > _MOST_SETS:
            return []
        place = next((place for place, mask in enumerate(domains) if mask & (mask - 1)), -1)
        if place < 0:
            sets.add(tuple(sorted(mask.bit_length() for mask in domains)))
            continue
        choices = ((*domains[:place], bit, *domains[place + 1 :]) for bit in _bits(domains[place]))
        waiting += [choice for choice in choices if not is_impossible(choice)]
    value = deduction.fins[0].value
    return sorted(sets) if len(sets) <= _MOST_SETS and all(value in one for one in sets) else []


def _runs(domains: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return the runs of consecutive values that cells with these `domains` (bits) can hold.

    A run has one value per cell, and the board has the values 1 to `size`. Returns [] if there are
    too many runs.
    """
    count = len(domains)
    runs = [range(low, low + count) for low in range(1, size - count + 2)]
    found = [tuple(run) for run in runs if _can_be_assigned(run, domains)]
    return found if len(found) <= _MOST_SETS else []


def _can_be_assigned(values: Sequence[int], domains: Sequence[int]) -> bool:
    """Return whether the cells with these domains can hold each of the values once."""
    if not values:
        return True
    first, *others = values
    return any(
        mask >> (first - 1) & 1
        and _can_be_assigned(others, [*domains[:place], *domains[place + 1 :]])
        for place, mask in enumerate(domains)
    )


def is_whole(deduction: Deduction, words: Wording) -> bool:
    """Return whether a step uses all cells of its rule, and not only a pair or a group of them."""
    rule = words.layout.constraints[deduction.rule or 0]
    return {*deduction.cells} == {cell for cell in rule.cells if cell < words.layout.cells}


def _impossibility_test(
    search: "HouseSearch", *, with_houses: bool
) -> Callable[[Sequence[int]], bool]:
    """Return a function that tests whether no values within given domains satisfy a rule.

    The function takes the domains of the rule's cells, as bits. If `with_houses`, cells must also
    differ if they see each other.
    """
    if with_houses:
        return search.is_impossible
    return lambda domains: search.unit.filtered(domains) is None


def _without_absent(full: Sequence[int], deduction: Deduction) -> list[int]:
    """Return the domains `full` without the candidates that the reason of a step excludes."""
    domains = dict(zip(deduction.cells, full, strict=True))
    for cell, value in deduction.absent:
        domains[cell] &= ~(1 << (value - 1))
    return [*domains.values()]


def values_to_refute(deduction: Deduction, words: Wording) -> Iterator[list[int]]:
    """Yield domains of a rule's cells, as bits, that must be impossible if a step holds.

    They contain only values that the facts of the step allow. If the step requires a value in some
    cells, there is one list of domains, in which these cells lack it. Otherwise, there is one list
    for each cell that loses values, in which the cell has only these.
    """
    every = (1 << words.layout.size) - 1
    known = _without_absent([every] * len(deduction.cells), deduction)
    if deduction.fins:
        places = {cell for cell, _ in deduction.fins}
        bit = 1 << (deduction.fins[0].value - 1)
        own = zip(deduction.cells, known, strict=True)
        yield [mask & ~bit if cell in places else mask for cell, mask in own]
        return
    for place, values in _refuted(deduction, words.domains or (every,) * words.layout.cells):
        yield [*known[:place], values, *known[place + 1 :]]


def _refuted(deduction: Deduction, domains: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each cell of a rule that loses values in a step, with these values as bits.

    The cell is given as its index in the deduction's cells.
    """
    gone: dict[int, int] = {}
    for cell, value in deduction.eliminations:
        gone[cell] = gone.get(cell, 0) | 1 << (value - 1)
    for cell, value in deduction.placements:
        gone[cell] = domains[cell] & ~(1 << (value - 1))
    for place, cell in enumerate(deduction.cells):
        if gone.get(cell):
            yield place, gone[cell]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
