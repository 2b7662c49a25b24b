"""Check the reasons of steps from counting circles by brute force.

Each reason must be true in the grid, and together they must exclude all candidates of the step.
"""

import re
from collections.abc import Collection, Iterator
from itertools import chain, combinations

from sentence_checker.step import Step
from solver.board.primitive_constraints import House
from solver.logic.sentences.links import peers_of_cells

Removed = set[tuple[int, int]]
_WHY = r", (?:one in each (?P<kind>\w+)|because some see each other)\."
_SUM = r"The different \w+ in the circles sum to (?P<total>\d+), the number of circles"


def has_circle_reasons(text: str) -> bool:
    """Return whether a text without the rule has reasons about the number of circles."""
    return re.search(r"hold it|no other circle|number of circles|, one in each", text) is not None


class CircleReasons:
    """The reasons of a step's text, one after the other."""

    def __init__(self, step: Step, cells: Collection[int]) -> None:
        self._step = step
        self._cells = tuple(cells)
        self._peers = peers_of_cells(step.layout)
        self._excluded: Removed = set()
        values, value = step.names.patterns["values"], step.names.patterns["value"]
        cells_, houses = step.names.patterns["cells"], step.names.patterns["house"]
        list_of_houses = rf"{houses}(?:(?:, | and |, and ){houses})*"
        self._forms = {
            rf"{value} cannot be in a circle, because no circle would hold it\.": self._zero,
            rf"(?P<value>{value}) needs (?P<count>\d+) circles?, but at most (?P<most>\d+) can "
            rf"hold it{_WHY}": self._at_most,
            rf"(?P<value>{value}) needs (?P<count>\d+) circles?, but with (?P=value) in "
            rf"(?P<cells>{cells_}), (?:at most (?P<most>\d+) others?|no other) can hold it"
            rf"(?:{_WHY}|\.)": self._with,
            rf"(?:So )?(?P<value>{value}) is in (?P<count>\d+) circles?\.": self._is_needed,
            rf"Without (?P<cells>{cells_}), (?:at most (?P<most>\d+)|no other circle) could hold "
            rf"it\.": self._without,
            rf"(?P<cells>{cells_}) (?:is|are) the (?P<count>\d+) circles? with (?P<value>{value}), "
            rf"so no other circle is (?P=value)\.": self._filled,
            rf"In (?P<houses>{list_of_houses}), (?:the|every) (?P<value>{value}) is in a circle, "
            rf"so no other circle is (?P=value)\.": self._in_houses,
            rf"{_SUM}, which (?P<verb>needs|is impossible with) (?P<value>{value})\.": self._sum,
            rf"{_SUM}: (?:with (?P<fixed>{values}), )?only (?P<sets>[^.]*)\.": self._sets,
            rf"(?P<value>{value}) is in (?P<count>\d+) circles?, one in each (?P<kind>\w+)"
            rf"(?: but (?P<houses>{list_of_houses}))?\.": self._outside,
        }
        self._needed = 0

    def complaints(self, text: str) -> Iterator[str]:
        """Yield what is wrong with the reasons in a text."""
        for sentence in re.split(r"(?<=\.) ", text):
            found = [(re.fullmatch(form, sentence), check) for form, check in self._forms.items()]
            matches = [(match, check) for match, check in found if match]
            if not matches and " are in " not in sentence and " is in " not in sentence:
                yield f"has an unknown reason {sentence!r}"
            for match, check in matches[:1]:
                yield from check(match)
        missing = {*_removed(self._step)} - self._excluded
        if missing:
            yield f"gives no reason for {sorted(missing)}"

    def _value(self, match: re.Match[str]) -> int:
        (value,) = self._step.names.values(match["value"])
        count = match.groupdict().get("count")
        self._count_is_right = count is None or int(count) == self._number(value)
        return value

    def _number(self, value: int) -> int:
        return value + self._step.layout.lowest - 1

    def _exclude(self, value: int, cells: Collection[int]) -> None:
        self._excluded |= {(cell, value) for cell in cells}

    def _zero(self, match: re.Match[str]) -> Iterator[str]:
        if self._step.layout.lowest or not match[0].startswith("0 "):
            yield "this isn't 0"
        self._exclude(1, self._cells)

    def _at_most(self, match: re.Match[str]) -> Iterator[str]:
        value, most = self._value(match), int(match["most"])
        places = self._places(value)
        if not self._count_is_right or most >= self._number(value):
            yield f"the digit doesn't need more circles in {match[0]!r}"
        yield from self._wrong_maximum(places, most, match)
        self._exclude(value, self._cells)

    def _wrong_maximum(
        self, places: Collection[int], most: int, match: re.Match[str]
    ) -> Iterator[str]:
        if self._maximum(places) != most:
            yield f"{self._maximum(places)} circles can hold it in {match[0]!r}"
        kind = match["kind"]
        if kind and len(self._houses_of(kind, places)) != most:
            yield f"there is another number of houses in {match[0]!r}"

    def _with(self, match: re.Match[str]) -> Iterator[str]:
        value, most = self._value(match), int(match["most"] or 0)
        if not self._count_is_right or most >= self._number(value) - 1:
            yield f"the digit doesn't need more circles in {match[0]!r}"
        cells = self._step.names.cells(match["cells"])
        for cell in cells:
            left = [c for c in self._places(value) if c != cell and c not in self._peers[cell]]
            if self._maximum(left) > most:
                yield f"more circles can hold it in {match[0]!r}"
        self._exclude(value, cells)

    def _is_needed(self, match: re.Match[str]) -> Iterator[str]:
        value = self._needed = self._value(match)
        sets = self._possible_sets()
        if not self._count_is_right or not sets or not all(value in one for one in sets):
            yield f"no circle needs the digit in {match[0]!r}"

    def _without(self, match: re.Match[str]) -> Iterator[str]:
        value, cells = self._needed, self._step.names.cells(match["cells"])
        most = int(match["most"] or 0)
        if not value or most >= self._number(value):
            yield f"{match[0]!r} excludes nothing"
        for cell in cells:
            if self._maximum([c for c in self._places(value) if c != cell]) > most:
                yield f"more circles can hold it in {match[0]!r}"
            size = self._step.layout.size
            self._excluded |= {(cell, one) for one in range(1, size + 1) if one != value}

    def _filled(self, match: re.Match[str]) -> Iterator[str]:
        value, cells = self._value(match), self._step.names.cells(match["cells"])
        is_right = all(self._step.domains[cell] == 1 << (value - 1) for cell in cells)
        if not self._count_is_right or not is_right or len(cells) != self._number(value):
            yield f"the circles don't have the digit in {match[0]!r}"
        self._exclude(value, {*self._cells} - {*cells})

    def _in_houses(self, match: re.Match[str]) -> Iterator[str]:
        value, houses = self._value(match), self._step.names.houses(match["houses"])
        inside = set(chain(*(house.cells for house in houses)))
        for house in houses:
            own = [cell for cell in house.cells if self._step.can_be(cell, value)]
            if len(house.cells) != self._step.layout.size or not {*own} <= {*self._cells}:
                yield f"{house.name} has other places"
        if sum(len(house.cells) for house in houses) != len(inside):
            yield "the houses overlap"
        if len(houses) != self._number(value):
            yield f"that are other circles than those of {match[0]!r}"
        self._exclude(value, {*self._cells} - inside)

    def _sum(self, match: re.Match[str]) -> Iterator[str]:
        value, sets = self._value(match), self._possible_sets()
        if int(match["total"]) != len(self._cells):
            yield "the number of circles is another"
        if match["verb"] == "needs" and not all(value in one for one in sets):
            yield "the sum doesn't need the digit"
        if match["verb"] != "needs":
            if any(value in one for one in sets):
                yield "the sum is possible with the digit"
            self._exclude(value, self._cells)

    def _sets(self, match: re.Match[str]) -> Iterator[str]:
        names, found = self._step.names, set[frozenset[int]]()
        for one in re.split(r", or | or |, ", match["sets"]):
            found.add(frozenset(chain(*(names.values(symbol) for symbol in one.split("+")))))
        if int(match["total"]) != len(self._cells) or found != self._possible_sets():
            yield f"other sets are possible than in {match[0]!r}"
        fixed = {
            self._step.domains[cell].bit_length() for cell in self._cells if self._is_fixed(cell)
        }
        if {*(names.values(match["fixed"]) if match["fixed"] else ())} != fixed:
            yield f"other digits are known than in {match[0]!r}"
        for value in range(1, self._step.layout.size + 1):
            if not any(value in one for one in found):
                self._exclude(value, self._cells)

    def _outside(self, match: re.Match[str]) -> Iterator[str]:
        value, kind = self._value(match), match["kind"]
        free = self._step.names.houses(match["houses"] or "")
        every = [house for house in self._step.layout.houses if house.kind == kind]
        others = [house for house in every if not any(house.cells == own.cells for own in free)]
        sets = self._possible_sets()
        if not self._count_is_right or not sets or not all(value in one for one in sets):
            yield f"no circle needs the digit in {match[0]!r}"
        if len(others) != self._number(value) or len(every) != self._step.layout.size:
            yield f"there is another number of houses in {match[0]!r}"
        for house in free:
            if {*house.cells} & {*self._places(value)}:
                yield f"a circle of {house.name} can have the digit"
        inside = set(chain(*(house.cells for house in others)))
        self._exclude(value, inside - {*self._cells})

    def _is_fixed(self, cell: int) -> bool:
        return self._step.domains[cell].bit_count() == 1

    def _places(self, value: int) -> list[int]:
        return [cell for cell in self._cells if self._step.can_be(cell, value)]

    def _houses_of(self, kind: str, places: Collection[int]) -> list[House]:
        own = [house for house in self._step.layout.houses if house.kind == kind]
        return [house for house in own if {*house.cells} & {*places}]

    def _possible_sets(self) -> set[frozenset[int]]:
        fixed = {self._step.domains[c].bit_length() for c in self._cells if self._is_fixed(c)}
        values = [
            value
            for value in range(1, self._step.layout.size + 1)
            if 0 < self._number(value) <= self._maximum(self._places(value))
        ]
        every = chain(*(combinations(values, count) for count in range(1, len(values) + 1)))
        return {
            frozenset(one)
            for one in every
            if sum(map(self._number, one)) == len(self._cells) and fixed <= {*one}
        }

    def _maximum(self, places: Collection[int]) -> int:
        """Return how many of the places can have the same value, by trying all ways."""
        columns, by_row = self._step.layout.columns, dict[int, list[int]]()
        for cell in places:
            by_row.setdefault(cell // columns, []).append(cell)
        groups = [
            group
            for row in by_row.values()
            for group in ([row] if self._all_see(row) else [[cell] for cell in row])
        ]
        best = 0

        def choose(number: int, seen: frozenset[int], count: int) -> None:
            nonlocal best
            best = max(best, count)
            if count + len(groups) - number <= best:
                return
            for cell in groups[number]:
                if cell not in seen:
                    choose(number + 1, seen | self._peers[cell], count + 1)
            choose(number + 1, seen, count)

        choose(0, frozenset(), 0)
        return best

    def _all_see(self, cells: Collection[int]) -> bool:
        return all(other in self._peers[one] for one, other in combinations(cells, 2))


def _removed(step: Step) -> Iterator[tuple[int, int]]:
    """Yield the candidates that a step removes, also those of the cells that it fills."""
    yield from ((cell, value) for cell, value in step.deduction.eliminations)
    for cell, placed in step.deduction.placements:
        for value in range(1, step.layout.size + 1):
            if value != placed and step.can_be(cell, value):
                yield cell, value
