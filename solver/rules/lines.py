"""Constraints that read the cells of a line in order: each is a small automaton."""

from collections.abc import Sequence
from typing import Any

from solver.board.layout import Layout
from solver.rules.rule import Cells, Constraint, Machine, Rule, read_by

Numbers = Sequence[int]


def _ends_first(cells: Cells) -> Cells:
    return (cells[0], cells[-1], *cells[1:-1])


def _between(length: int, value: Any, numbers: range) -> Machine:
    """Read both ends, then the rest. States: nothing, an end, (least, greatest) allowed."""
    del length, value, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return number
        if isinstance(state, int):
            return (min(state, number) + 1, max(state, number) - 1)
        return state if state[0] <= number <= state[1] else None

    return Machine(None, follow, lambda _: True)


def _between_holds(numbers: Numbers, constraint: Constraint, layout: Layout) -> bool:
    del constraint, layout
    low, high = sorted((numbers[0], numbers[-1]))
    return all(low < number < high for number in numbers[1:-1])


def _lockout(length: int, value: Any, numbers: range) -> Machine:
    """Read both ends, then the rest. States: nothing, an end, (least, greatest) locked out."""
    del length, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return number
        if isinstance(state, int):
            apart = abs(state - number) >= value
            return (min(state, number), max(state, number)) if apart else None
        return None if state[0] <= number <= state[1] else state

    return Machine(None, follow, lambda _: True)


def _lockout_holds(numbers: Numbers, constraint: Constraint, layout: Layout) -> bool:
    del layout
    low, high = sorted((numbers[0], numbers[-1]))
    outside = all(not low <= number <= high for number in numbers[1:-1])
    return high - low >= constraint.number and outside


def _split(length: int, value: Any, numbers: range) -> Machine:
    """State: the sum of the segment so far."""
    del length, numbers
    target = value

    def follow(total: int, number: int, place: int) -> int | None:
        del place
        total += number
        return None if total > target else total % target

    return Machine(0, follow, lambda total: total == 0)


def _split_holds(numbers: Numbers, constraint: Constraint, layout: Layout) -> bool:
    del layout
    total = 0
    for number in numbers:
        total += number
        if total == constraint.number:
            total = 0
    return total == 0


def _loop(length: int, value: Any, numbers: range) -> Machine:
    """State: (the sum of the segment so far, what of it stands at the end of the cells), all."""
    del length, numbers

    def follow(
        states: frozenset[tuple[int, int]], number: int, place: int
    ) -> frozenset[tuple[int, int]] | None:
        del place
        moved = {
            ((total + number) % value, rest) for total, rest in states if total + number <= value
        }
        return frozenset(moved) or None

    start = frozenset((rest, rest) for rest in range(value))
    return Machine(start, follow, lambda states: any(total == rest for total, rest in states))


def _loop_holds(numbers: Numbers, constraint: Constraint, layout: Layout) -> bool:
    turned = [[*numbers[at:], *numbers[:at]] for at in range(len(numbers))]
    return any(_split_holds(cells, constraint, layout) for cells in turned)


def _index(length: int, value: Any, numbers: range) -> Machine:
    """States: nothing, the number looked for, (it, where it must be), all is well."""
    del value, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return number
        if place == 1:
            return (state, 1 + number) if 0 < number < length - 1 else None
        if state != "found" and place == state[1]:
            return "found" if number == state[0] else None
        return state

    return Machine(None, follow, lambda state: state == "found")


def _index_holds(numbers: Numbers, constraint: Constraint, layout: Layout) -> bool:
    del constraint, layout
    first, distance = numbers[0], numbers[1]
    return 0 < distance < len(numbers) - 1 and numbers[1 + distance] == first


LINE_RULES = (
    Rule(
        "between",
        "What is on the line is greater than one of its ends and less than the other.",
        '{"type": "between", "cells": ["r1c1", "r1c2", "r1c3"]}',
        read_by(_between, _ends_first),
        _between_holds,
        least=3,
    ),
    Rule(
        "lockout",
        "The ends differ by so much or more (4), and nothing on the line is one or between them.",
        '{"type": "lockout", "cells": ["r1c1", "r1c2", "r1c3"]}',
        read_by(_lockout, _ends_first),
        _lockout_holds,
        value="value",
        usual=4,
    ),
    Rule(
        "sumline",
        "The line can be cut into pieces that each add up to the sum.",
        '{"type": "sumline", "cells": ["r1c1", "r1c2", "r1c3"], "sum": 10}',
        read_by(_split),
        _split_holds,
        least=1,
        value="sum",
    ),
    Rule(
        "sumloop",
        "The closed line can be cut into pieces that each add up to the sum.",
        '{"type": "sumloop", "cells": ["r1c1", "r1c2", "r2c2", "r2c1"], "sum": 10}',
        read_by(_loop),
        _loop_holds,
        least=1,
        value="sum",
    ),
    Rule(
        "indexline",
        "The first value comes again, so many cells behind the second cell as that one says.",
        '{"type": "indexline", "cells": ["r1c3", "r1c4", "r2c5"]}',
        read_by(_index),
        _index_holds,
        least=3,
    ),
)
