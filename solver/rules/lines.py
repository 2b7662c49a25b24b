"""Constraints that read the cells of a line in order: each is a small automaton."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from solver.board.automaton import Automaton, tabulated
from solver.board.branching import Branching, unroll_branching
from solver.board.layout import Branched, Layout, Part
from solver.rules.rule import (
    Cells,
    Constraint,
    Machine,
    MachineFor,
    Rule,
    read_by,
    read_cells,
    same,
)


def _ends_first(cells: Cells) -> Cells:
    return (cells[0], cells[-1], *cells[1:-1])


@lru_cache(maxsize=64)
def _both_ends(length: int, apart: int, numbers: range, *, inside: bool) -> Automaton | str:
    """Read both ends, which differ by so much, then the rest, inside or outside of them.

    States: the lesser and the greater end, a single one, nothing.
    """
    count = len(numbers)
    single, nothing = count**2, count**2 + count
    value = np.arange(count)
    end, least, most = value[:, None], value[:, None, None], value[:, None]
    after = np.full((3, nothing + 1, count), -1)
    after[0, nothing] = single + value
    both = np.minimum(end, value) * count + np.maximum(end, value)
    after[1, single:nothing] = np.where(abs(end - value) >= apart, both, -1)
    goes_on = (least < value) & (value < most) if inside else (value < least) | (most < value)
    goes_on &= most - least >= max(apart, 0)
    after[2, :single] = np.where(goes_on, least * count + most, -1).reshape(single, count)
    phases = [0, 1, *[2] * (length - 2)]
    return tabulated(phases, start=nothing, after=after, ends=[True] * (nothing + 1))


def _between(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells = _ends_first(constraint.cells)
    return read_cells(constraint, cells, _both_ends(len(cells), 0, layout.numbers, inside=True))


def _lockout(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, apart = _ends_first(constraint.cells), constraint.number
    return read_cells(
        constraint, cells, _both_ends(len(cells), apart, layout.numbers, inside=False)
    )


def _split(length: int, value: Any, numbers: range) -> Machine:
    """State: the sum of the segment so far."""
    del length, numbers
    target = value

    def follow(total: int, number: int, place: int) -> int | None:
        del place
        total += number
        return None if total > target else total % target

    return Machine(0, follow, lambda total: total == 0, same)


def _loop(length: int, value: Any, numbers: range) -> Machine:
    """State: (sums that the segment may have so far, the sum of all, any but zeros?).

    The first sums are what may stand of the segment at the end of the cells, as bits. Each number
    adds to all of them alike, so that what stood there is there again if the sum of all is 0, but
    for whole segments. Zeros alone are no segment.
    """
    del length, numbers
    every = (1 << value) - 1

    def follow(
        state: tuple[int, int, bool], number: int, place: int
    ) -> tuple[int, int, bool] | None:
        del place
        sums, total, began = state
        if number > value:
            return None
        after = sums << number & every | sums >> value - number & 1  # a whole segment is 0
        return (after, (total + number) % value, began or number > 0) if after else None

    return Machine((every, 0, False), follow, lambda state: state[2] and state[1] == 0, same)


@lru_cache(maxsize=64)
def _long_loop(length: int, target: int, numbers: range) -> Branching | str:
    """Return an automaton that guesses what stands at the end of the cells.

    State: nothing; (the sum of the segment so far, what stands at the end, any but zeros?).
    """

    def follow(state: Any, number: int, place: int) -> Iterator[Any]:
        begun = [(rest, rest, False) for rest in range(target)] if place == 0 else [state]
        for total, rest, some in begun:
            if total + number <= target:
                yield (total + number) % target, rest, some or number > 0

    return unroll_branching(
        length,
        numbers=numbers,
        start=None,
        follow=follow,
        accepts=lambda state: state[2] and state[0] == state[1],
    )


def _sum_loop(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    parts = _cut_by(_loop)(constraint, layout)
    if not isinstance(parts, str) or constraint.number < 1:
        return parts
    automaton = _long_loop(len(constraint.cells), constraint.number, layout.numbers)
    if isinstance(automaton, str):
        return f"the constraint {constraint.name!r} {automaton}"
    return (Branched(constraint.cells, automaton),)


def _cut_by(machine_for: MachineFor) -> Callable[[Constraint, Layout], tuple[Part, ...] | str]:
    """Return the `parts` of a rule whose line is cut into pieces, which must not be empty."""
    read = read_by(machine_for)

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        if constraint.number < 1:
            return f"the constraint {constraint.name!r} needs a sum of 1 or more"
        return read(constraint, layout)

    return parts


def _index(length: int, value: Any, numbers: range) -> Machine:
    """States: nothing, the number looked for, (it, how many cells ahead), all is well."""
    del value, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return number
        if place == 1:
            return (state, number) if 0 < number < length - 1 else None
        if state == "kept":
            return state
        wanted, ahead = state
        if ahead > 1:
            return (wanted, ahead - 1)
        return "kept" if number == wanted else None

    return Machine(None, follow, lambda state: state == "kept", lambda place: min(place, 2))


LINE_RULES = (
    Rule(
        "between",
        "What is on the line is greater than one of its ends and less than the other.",
        '{"type": "between", "cells": ["r1c1", "r1c2", "r1c3"]}',
        _between,
        least=3,
        repeats=True,
    ),
    Rule(
        "lockout",
        "The ends differ by so much or more (4), and nothing on the line is one or between them.",
        '{"type": "lockout", "cells": ["r1c1", "r1c2", "r1c3"]}',
        _lockout,
        value="value",
        usual=4,
        repeats=True,
    ),
    Rule(
        "sumline",
        "The line can be cut into pieces that each add up to the sum.",
        '{"type": "sumline", "cells": ["r1c1", "r1c2", "r1c3"], "sum": 10}',
        _cut_by(_split),
        least=1,
        value="sum",
        repeats=True,
    ),
    Rule(
        "sumloop",
        "The closed line can be cut into pieces that each add up to the sum.",
        '{"type": "sumloop", "cells": ["r1c1", "r1c2", "r2c2", "r2c1"], "sum": 10}',
        _sum_loop,
        least=1,
        value="sum",
        repeats=True,
    ),
    Rule(
        "indexline",
        "The first value comes again, so many cells behind the second cell as that one says.",
        '{"type": "indexline", "cells": ["r1c3", "r1c4", "r2c5"]}',
        read_by(_index),
        least=3,
        repeats=True,
    ),
)
