"""Clues outside the grid: the cells of a row or a column, as they are seen from the clue."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from solver.board.automaton import Automaton, tabulated
from solver.board.choices import adding_up_to
from solver.board.layout import Domain, Layout, Part, Regular
from solver.rules.rule import (
    Cells,
    Constraint,
    Machine,
    MachineFor,
    Rule,
    read_by,
    read_cells,
    same,
    unrolled,
)

_MOST_MOVES = 3_000_000  # of one table


def _sandwich(length: int, value: Any, numbers: range) -> Machine:
    """States: nothing, (the crust to come, the sum so far), the end of the sandwich."""
    del length
    crusts = (numbers[0], numbers[-1])

    def follow(state: Any, number: int, place: int) -> Any:
        del place
        if state == "before":
            return (sum(crusts) - number, 0) if number in crusts else state
        if not isinstance(state, tuple):
            return state
        crust, total = state
        if number == crust:
            return "after" if total == value else None
        return (crust, total + number) if total + number <= value else None

    return Machine("before", follow, lambda state: state == "after", same)


def _filled_sandwich(length: int, value: Any, numbers: range) -> Machine:
    """Read which of some sets of numbers the filling is, then cells that all differ.

    States: nothing, (the filling, "before", how much of it came, or "after").
    """
    del length
    crusts = (numbers[0], numbers[-1])
    fillings = value

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            chosen = number - numbers[0]
            return (fillings[chosen], -1) if chosen < len(fillings) else None
        filling, came = state
        over = len(filling) + 1
        if number in crusts:
            return (filling, 0) if came < 0 else (filling, over) if came == over - 1 else None
        if came in (-1, over):
            return None if number in filling else state
        return (filling, came + 1) if number in filling and came < over - 1 else None

    return Machine(
        None, follow, lambda state: state[1] == len(state[0]) + 1, lambda place: place == 0
    )


def _sandwich_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Let an unseen cell say what the filling is, where all cells differ."""
    inner = layout.numbers[1:-1]
    fillings = tuple(
        filling
        for many in range(len(inner) + 1)
        for filling in adding_up_to(constraint.number, inner, many)
    )
    if not _do_differ(constraint.cells, layout) or not 0 < len(fillings) <= layout.size:
        return _SANDWICH(constraint, layout)
    return _with_chosen(constraint, _filled_sandwich, fillings, len(fillings), layout)


_SANDWICH = read_by(_sandwich)


def _x_sum(length: int, value: Any, numbers: range) -> Machine:
    """States: nothing, (how many more numbers, what is left of the sum)."""
    del numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return (number - 1, value - number) if 0 < number <= length else None
        more, left = state
        if more == 0:
            return state if left == 0 else None
        return (more - 1, left - number) if left >= number else None

    return Machine(None, follow, lambda state: state == (0, 0), lambda place: place == 0)


def _chosen_x_sum(length: int, value: Any, numbers: range) -> Machine:
    """Read which of some sets the first X numbers are, then cells that all differ.

    There are lists of such sets for each X. States: nothing, the place of the set in its list,
    (the set, how many more of it there are).
    """
    del length
    lists = dict(value)

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return number - numbers[0]
        if place == 1:
            sets = lists.get(number, ())
            return (sets[state], number - 1) if state < len(sets) else None
        chosen, more = state
        if (number in chosen) != (more > 0):
            return None
        return (chosen, max(0, more - 1))

    return Machine(None, follow, lambda state: state[1:] == (0,), lambda place: min(place, 2))


def _x_sum_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Let an unseen cell say which numbers are added up, where all cells differ."""
    cells, total = constraint.cells, constraint.number
    lists = []
    for many in layout.numbers:
        others = [number for number in layout.numbers if number != many]
        if 0 < many <= len(cells):
            sets = [(many, *rest) for rest in adding_up_to(total - many, others, many - 1)]
            lists.append((many, tuple(sets)))
    most = max((len(sets) for _, sets in lists), default=0)
    if not _do_differ(cells, layout) or not 0 < most <= layout.size:
        return _X_SUM(constraint, layout)
    return _with_chosen(constraint, _chosen_x_sum, tuple(lists), most, layout)


_X_SUM = read_by(_x_sum)


def _do_differ(cells: Cells, layout: Layout) -> bool:
    """Return whether cells lie in one house."""
    return any(set(cells).issubset(house.cells) for house in layout.houses)


def _with_chosen(
    constraint: Constraint, machine_for: MachineFor, value: Hashable, most: int, layout: Layout
) -> tuple[Part, ...] | str:
    """Return what reads an unseen cell, which chooses one of so many, before those of a rule."""
    automaton = unrolled(machine_for, 1 + len(constraint.cells), value, layout.numbers)
    if isinstance(automaton, str):
        return f"the constraint {constraint.name!r} {automaton}"
    return (Domain(-1, (1 << most) - 1), Regular((-1, *constraint.cells), automaton))


@lru_cache(maxsize=256)
def _skyscraper(length: int, seen: int, numbers: range, *, differ: bool) -> Automaton | str:
    """State: (the highest so far, how many are seen). What has no height is not seen.

    Where all `differ`, there are as many at each place as are lower than the highest, at most.
    """
    top, width = numbers[-1], seen + 1
    if not 0 <= seen <= length:
        return tabulated([0] * length, start=0, after=[[-1] * len(numbers)], ends=[False])
    if length * len(numbers) ** 2 * width > _MOST_MOVES:
        return f"needs more than {_MOST_MOVES:,} moves of an automaton"
    many, number = np.arange(width)[:, None], np.array(numbers)
    highest = np.arange(top + 1)[:, None, None]
    rises = number > highest
    # No more can be seen than there are higher ones.
    is_possible = (seen - many <= top - highest) & (many <= highest)
    is_possible &= (many > 0) == (highest > 0)
    higher = (many < seen) & (seen - many - 1 <= top - number)
    goes_on = is_possible & (higher | ~rises)
    after = np.where(rises, number * width + many + 1, highest * width + many)
    phases: Sequence[int] = [0] * length
    if differ:
        phases = range(length)
        place = np.arange(length)[:, None, None, None]
        lower = highest + (1 - numbers[0])  # numbers up to the highest; all that is before is one
        goes_on = goes_on & (many <= place) & (place + ~rises <= lower)
    after = np.where(goes_on, after, -1).reshape(-1, (top + 1) * width, len(numbers))
    ends = [False] * seen + [True]
    return tabulated(phases, start=0, after=after, ends=ends * (top + 1))


def _skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, seen = constraint.cells, constraint.number
    differ = _do_differ(cells, layout)
    return read_cells(
        constraint, cells, _skyscraper(len(cells), seen, layout.numbers, differ=differ)
    )


@lru_cache(maxsize=256)
def _hidden_skyscraper(
    length: int, hidden: int, numbers: range, *, differ: bool
) -> Automaton | str:
    """States: nothing, the highest so far, all is well.

    Where all `differ`, what is hidden is never seen.
    """
    values = [*range(1, len(numbers) + 1)]  # 0 is nothing
    never, kept = hidden - numbers[0] + 1, len(numbers) + 1
    after = []
    for highest in range(kept):
        lower = max(0, highest - 1)
        row = [-1] * lower + values[lower:]
        if 0 < never < highest:
            row[never - 1] = kept
        elif 0 < never < kept and differ:
            row[never - 1] = -1
        if highest and differ:
            row[highest - 1] = -1
        after.append(row)
    return tabulated(
        [0] * length, start=0, after=[*after, [kept] * len(values)], ends=[False] * kept + [True]
    )


def _hidden_skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, hidden = constraint.cells, constraint.number
    differ = _do_differ(cells, layout)
    return read_cells(
        constraint, cells, _hidden_skyscraper(len(cells), hidden, layout.numbers, differ=differ)
    )


@lru_cache(maxsize=256)
def _numbered_room(length: int, wanted: int, numbers: range) -> Automaton | str:
    """States: all is well, how many cells ahead the number is, nothing."""
    kept, nothing = 0, length
    after = [[ahead - 1] * len(numbers) for ahead in range(length)]
    after[kept] = [kept] * len(numbers)
    if length > 1:
        after[1] = [kept if number == wanted else -1 for number in numbers]
    begins = [number - 1 if 0 < number <= length else -1 for number in numbers]
    if wanted != 1:
        begins = [-1 if ahead == kept else ahead for ahead in begins]
    return tabulated(
        [0] * length, start=nothing, after=[*after, begins], ends=[True] + [False] * length
    )


def _numbered_room_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, wanted = constraint.cells, constraint.number
    return read_cells(constraint, cells, _numbered_room(len(cells), wanted, layout.numbers))


def _row(name: str, key: str, number: int) -> str:
    return f'{{"type": "{name}", "cells": ["r1c1", "r1c2", "r1c3"], "{key}": {number}}}'


OUTSIDE_RULES = (
    Rule(
        "sandwich",
        "The values between the least and the greatest one (1 and 9) add up to the sum.",
        _row("sandwich", "sum", 5),
        _sandwich_parts,
        value="sum",
        judged=_SANDWICH,
    ),
    Rule(
        "xsum",
        "The first X cells add up to the sum; X is the value of the first.",
        _row("xsum", "sum", 12),
        _x_sum_parts,
        least=1,
        value="sum",
        judged=_X_SUM,
    ),
    Rule(
        "skyscraper",
        "So many values are greater than all before them; 0 has no height, and is not counted.",
        _row("skyscraper", "value", 2),
        _skyscraper_parts,
        least=1,
        value="value",
    ),
    Rule(
        "hiddenskyscraper",
        "The first value that is less than one before it is this one.",
        _row("hiddenskyscraper", "value", 2),
        _hidden_skyscraper_parts,
        value="value",
    ),
    Rule(
        "numberedroom",
        "The value is in the Nth cell; N is the value of the first cell.",
        _row("numberedroom", "value", 5),
        _numbered_room_parts,
        least=1,
        value="value",
    ),
)
