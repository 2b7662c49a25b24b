"""Patterns that remove candidates in the lines of nets.

These are locked candidates, hidden and naked pairs, and X-Wings.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from sentence_checker.statements import Statement, removed_by
from sentence_checker.step import Step
from solver.board.primitive_constraints import House


def wrong_pattern(
    step: Step, pattern: str, statement: Statement, before: Iterable[Statement]
) -> Iterator[str]:
    """Complain unless a pattern is there after the statements `before`, and proves a statement.

    The statement must be false. The nested argument "otherwise …" isn't a pattern, so it's not
    checked here.
    """
    if pattern.startswith("otherwise "):
        return
    gone = removed_by(step, before)
    numbers = range(1, step.layout.size + 1)
    left = {
        cell: {value for value in numbers if step.can_be(cell, value) and (cell, value) not in gone}
        for cell in range(step.layout.cells)
    }
    for cell in statement.cells:
        if statement.is_true or not _removes(step, left, pattern, cell, statement.value):
            yield "the pattern does not remove this candidate"


def _removes(step: Step, left: dict[int, set[int]], pattern: str, cell: int, value: int) -> bool:
    """Return whether the pattern that a text names exists and removes a value from a cell.

    `left` are the values that each cell can still have. The pattern must exist among them.
    """
    names = step.names
    houses, values = names.houses(pattern), names.values(_without_names(step, pattern))
    cells = set(names.cells(pattern))
    if match := re.fullmatch(r"the (\S+) of (.*) is in (.*)", pattern):
        (house,), (other,) = names.houses(match[2]), names.houses(match[3])
        places = _places(left, house, value)
        return (
            values == (value,)
            and _is_complete(step, house)
            and bool(places)
            and places <= set(other.cells)
            and cell in set(other.cells) - set(house.cells)
        )
    if len(cells) == len(set(values)) == 2 and len(houses) == 1:
        (house,), pair = houses, set(values)
        if " hold the " in pattern:
            places = set().union(*(_places(left, house, one) for one in pair))
            is_hidden = _is_complete(step, house) and places == cells
            return is_hidden and cell in cells and value not in pair
        return (
            " use up " in pattern
            and cells <= set(house.cells)
            and set().union(*(left[one] for one in cells)) == pair
            and cell in set(house.cells) - cells
            and value in pair
        )
    if match := re.fullmatch(r"in (.*), \S+ is only in (.*)", pattern):
        lines, covers = names.houses(match[1]), names.houses(match[2])
        covered = set(chain.from_iterable(house.cells for house in covers))
        places = set().union(*(_places(left, house, value) for house in lines))
        return (
            values == (value,)
            and len(lines) == len(covers) == 2
            and all(_is_complete(step, house) for house in lines)
            and places <= covered
            and all(not places.isdisjoint(house.cells) for house in covers)
            and cell in covered.difference(*(house.cells for house in lines))
        )
    return False


def _without_names(step: Step, pattern: str) -> str:
    """Return a text without the names of cells and houses, whose numbers aren't values."""
    patterns = step.names.patterns
    return re.sub(rf"{patterns['houses']}|{patterns['cells']}", "", pattern)


def _places(left: dict[int, set[int]], house: House, value: int) -> set[int]:
    return {cell for cell in house.cells if value in left[cell]}


def _is_complete(step: Step, house: House) -> bool:
    """Return whether a house contains every value."""
    return len(house.cells) == step.layout.size
