"""Reasons for steps from counting circles: how many circles a digit needs, and how many it can get.

A digit n is in exactly n circles or in none, so the different digits in the circles sum to their
number.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from solver.board.primitive_constraints import House
from solver.logic.deduction import Deduction
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Wording, listed

_KINDS = ("row", "column", "box", "region")
_MOST_SETS = 4  # of digits that are listed
_MOST_REASONS = 3  # sentences of one step


@dataclass(frozen=True)
class _Circles:
    """The circles of a counting circles rule (their `cells`), and the candidates of the grid.

    Values count from 1.
    """

    cells: tuple[int, ...]
    words: Wording

    def number(self, value: int) -> int:
        """Return how many circles have a value if any has it: its number on the board."""
        return value + self.words.layout.lowest - 1

    def places(self, value: int) -> list[int]:
        """Return the circles that have a value as a candidate."""
        return [cell for cell in self.cells if self.words.can_be(cell, value)]

    @cached_property
    def fixed(self) -> list[int]:
        """The values of the circles that have only one candidate, in ascending order."""
        known = (self.words.candidates_of(cell) for cell in self.cells)
        return sorted({own[0] for own in known if len(own) == 1})

    @cached_property
    def sets(self) -> list[tuple[int, ...]]:
        """All sets of values that can be the different values in the circles, as tuples.

        Their numbers sum to the number of circles, there is room for each value, and the `fixed`
        values are included.
        """
        layout, peers = self.words.layout, peers_of_cells(self.words.layout)
        possible = [
            value
            for value in range(1, layout.size + 1)
            if self.number(value) > 0
            and most_apart(self.places(value), peers, self.number(value)) == self.number(value)
        ]
        return [
            values
            for count in range(1, len(possible) + 1)
            for values in combinations(possible, count)
            if sum(map(self.number, values)) == len(self.cells) and {*self.fixed} <= {*values}
        ]

    def is_needed(self, value: int) -> bool:
        """Return whether all possible sets of values contain a value. False if there are none."""
        return bool(self.sets) and all(value in values for values in self.sets)


def reasons_of_circles(
    deduction: Deduction, cells: Collection[int], words: Wording
) -> list[str] | None:
    """Return sentences on why a step from counting circles excludes candidates, or None.

    `cells` are the circles. Returns None if the candidates are unknown, or if one of them has no
    simple reason, or if there are too many reasons.
    """
    if words.domains is None:
        return None
    circles = _Circles(tuple(cells), words)
    by_reason: dict[tuple[str, str], list[int]] = {}
    for cell, value in deduction.placements:
        missed = _missed(cell, value, circles)
        others = [other for other in words.candidates_of(cell) if other != value]
        reasons = [missed] if missed else [_against(cell, other, circles) for other in others]
        if None in reasons:
            return None
        for reason in filter(None, reasons):
            by_reason.setdefault(reason, []).append(cell)
    for cell, value in deduction.eliminations:
        against = _against(cell, value, circles)
        if against is None:
            return None
        by_reason.setdefault(against, []).append(cell)
    if len(by_reason) > _MOST_REASONS:
        return None
    return [
        f"{before}{words.cells(sorted(set(own)), last='or')}{after}" if after else before
        for (before, after), own in by_reason.items()
    ]


Reason = tuple[str, str]  # a sentence, or what is before and after the cells in it


def _against(cell: int, value: int, circles: _Circles) -> Reason | None:
    """Return why a cell can't have a value, or None if there is no simple reason."""
    words, number = circles.words, circles.number(value)
    peers, symbol = peers_of_cells(words.layout), circles.words.value(value)
    places = circles.places(value)
    if cell not in circles.cells:
        return _outside(cell, value, circles)
    if number == 0:
        return f"{symbol} cannot be in a circle, because no circle would hold it", ""
    needs = f"{symbol} needs {_counted(number)}, but"
    most = most_apart(places, peers, number)
    if most < number:
        return f"{needs} at most {most} can hold it, {_limit(places, most, words)}", ""
    full = _full(cell, value, circles)
    if full:
        return full, ""
    if not any(value in values for values in circles.sets):
        return _of_sets(circles, value), ""
    left = [other for other in places if other != cell and other not in peers[cell]]
    others = most_apart(left, peers, number - 1)
    if others < number - 1:
        plural = "" if others == 1 else "s"
        end = f"at most {others} other{plural} can hold it, {_limit(left, others, words)}"
        return f"{needs} with {symbol} in ", f", {end if others else 'no other can hold it'}"
    return None


def _missed(cell: int, value: int, circles: _Circles) -> Reason | None:
    """Return why a circle must have a value: without it, too few circles could.

    Returns None if that isn't the reason, or if `cell` isn't one of the circles.
    """
    words, number = circles.words, circles.number(value)
    left = [other for other in circles.places(value) if other != cell]
    most = most_apart(left, peers_of_cells(words.layout), number)
    if cell not in circles.cells or most >= number or not circles.is_needed(value):
        return None
    needed = f"{words.value(value)} is in {_counted(number)}"
    if value not in circles.fixed:
        needed = f"{_of_sets(circles, value)}. So {needed}"
    end = f"at most {most}" if most else "no other circle"
    return f"{needed}. Without ", f", {end} could hold it"


def _full(cell: int, value: int, circles: _Circles) -> str:
    """Return the sentence that other circles than `cell` have a value often enough, or ""."""
    words, number = circles.words, circles.number(value)
    symbol = words.value(value)
    fixed = [one for one in circles.cells if words.candidates_of(one) == [value]]
    if len(fixed) == number:
        verb = "is" if number == 1 else "are"
        named = words.cells(sorted(fixed))
        return (
            f"{named} {verb} the {_counted(number)} with {symbol}, so no other circle is {symbol}"
        )
    for kind in _KINDS:
        houses = _houses(circles, kind, lambda house: _within(house, value, circles))
        if len(houses) == number and not any(cell in house.cells for house in houses):
            every = "the" if number == 1 else "every"
            where = f"in {_named(houses, words)}, {every} {symbol} is in a circle"
            return f"{where}, so no other circle is {symbol}"
    return ""


def _counted(number: int) -> str:
    return f"{number} circle{'' if number == 1 else 's'}"


def _outside(cell: int, value: int, circles: _Circles) -> Reason | None:
    """Return why a cell without a circle can't have a value, or None if there is no simple reason.

    The reason is that the value must be in a circle of each house of a kind.
    """
    words, number, size = circles.words, circles.number(value), circles.words.layout.size
    if not circles.is_needed(value):
        return None
    symbol = words.value(value)
    for kind in _KINDS:
        free = _houses(circles, kind, lambda house: not _circled(house, value, circles))
        every = [house for house in words.layout.houses if house.kind == kind]
        if len(every) - len(free) == number and not any(cell in house.cells for house in free):
            missing = f" but {_named(free, words)}" if free else ""
            if len(every) == size:
                return f"{symbol} is in {_counted(number)}, one in each {kind}{missing}", ""
    return None


def _houses(circles: _Circles, kind: str, test: Callable[[House], bool]) -> list[House]:
    """Return the houses of a kind, such as "row", that pass a test."""
    layout = circles.words.layout
    return [house for house in layout.houses if house.kind == kind and test(house)]


def _circled(house: House, value: int, circles: _Circles) -> bool:
    """Return whether a value can be in at least one of the circles in a house."""
    return any(cell in circles.cells and circles.words.can_be(cell, value) for cell in house.cells)


def _within(house: House, value: int, circles: _Circles) -> bool:
    """Return whether a house contains every value, and only circles in it can have this value."""
    return len(house.cells) == circles.words.layout.size and all(
        cell in circles.cells for cell in house.cells if circles.words.can_be(cell, value)
    )


def _named(houses: Sequence[House], words: Wording) -> str:
    return words.houses([words.layout.houses.index(house) for house in houses])


def _of_sets(circles: _Circles, value: int) -> str:
    """Return the sentence on the sums of the digits in the circles, with the few that are possible.

    If there are many sets of digits, it only states whether they need `value` or can't contain it.
    """
    words, sets, count = circles.words, circles.sets, len(circles.cells)
    text = f"the different {words.noun} in the circles sum to {count}, the number of circles"
    if not 0 < len(sets) <= _MOST_SETS:
        possible = "needs" if circles.is_needed(value) else "is impossible with"
        return f"{text}, which {possible} {words.value(value)}"
    given = f"with {words.values(circles.fixed)}, " if circles.fixed else ""
    options = ["+".join(map(words.value, values)) for values in sets]
    return f"{text}: {given}only {listed(options, last='or')}"


def _limit(places: Sequence[int], most: int, words: Wording) -> str:
    """Return why at most `most` of the circles `places` can have a value: "one in each row".

    If no kind of house shows that, it is "because some see each other".
    """
    for kind in _KINDS:
        houses = [{*house.cells} for house in words.layout.houses if house.kind == kind]
        used = [house for house in houses if house & {*places}]
        if len(used) == most and {*places}.issubset(set().union(*used)):
            return f"one in each {kind}"
    return "because some see each other"


def most_apart(places: Sequence[int], peers: Sequence[Collection[int]], enough: int) -> int:
    """Return how many cells, up to `enough`, can be chosen so that none sees another one."""
    best = 0
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, tuple(places))]
    while waiting and best < enough:
        count, left = waiting.pop()
        best = max(best, count)
        if count + len(left) <= best or not left:
            continue
        first = min(left, key=lambda cell: len({*left} & {*peers[cell]}))
        rest = tuple(cell for cell in left if cell != first)
        if {*rest} & {*peers[first]}:
            waiting.append((count, rest))
        waiting.append((count + 1, tuple(c for c in rest if c not in peers[first])))
    return min(best, enough)
