"""Clues outside the grid: the cells of a row or a column, as they are seen from the clue."""

from collections.abc import Hashable
from itertools import islice
from typing import Any

import numpy as np

from solver.board.budget import charge
from solver.board.choices import adding_up_to
from solver.board.layout import Layout
from solver.board.parts import Domain, Part, Regular
from solver.board.registers import NOWHERE, Registers
from solver.rules.enclosing import enclosed
from solver.rules.rule import (
    Cells,
    Constraint,
    Machine,
    MachineFor,
    Rule,
    read_by,
    same,
    told_by,
    unrolled,
)


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


def _sandwich_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Return the ways to fill cells that all differ, unless they are too many."""
    cells, total = constraint.cells, constraint.number
    if len(cells) > 1 and _do_differ(cells, layout):
        ways = enclosed(cells, total, layout, outermost=True)
        if ways is not None:
            return (ways,)
    return _SANDWICH(constraint, layout)


_SANDWICH = read_by(_sandwich)


def _x_sum(length: int, value: Any, numbers: range) -> Registers:
    """State: how many more numbers, what is left of the sum."""

    def follow(place: int, number: Any, more: Any, left: Any) -> tuple[Any, ...]:
        if place == 0:
            # None at all, where X is 0, add up to 0 and to nothing else.
            return np.maximum(number - 1, 0 if value == 0 else NOWHERE), value - number
        wrong = np.where(left == 0, 0, NOWHERE)
        return np.maximum(more - 1, 0), np.where(more == 0, wrong, left - number)

    most = min(max(value, 0), length * numbers[-1])  # that cells can add up to
    return Registers((length, most + 1), [(0, 0)], follow, _are_none, lambda place: place == 0)


def _are_none(more: Any, left: Any) -> Any:
    return (more == 0) & (left == 0)


def _chosen_x_sum(length: int, value: Any, numbers: range) -> Registers:
    """Read which of some sets the first X numbers are, then cells that all differ.

    There are lists of such sets for each X. State: the place of the set in its list, then among
    all sets; how many more of it there are.
    """
    del length
    lists = dict(value)
    counts = np.array([len(lists.get(number, ())) for number in range(numbers[-1] + 1)])
    begins = counts.cumsum() - counts
    sets = [each for own in lists.values() for each in own]
    has = np.zeros((max(len(sets), len(numbers)), len(counts)), np.bool_)
    for own, each in zip(has, sets, strict=False):
        own[list(each)] = True

    def follow(place: int, number: Any, chosen: Any, more: Any) -> tuple[Any, ...]:
        if place == 0:
            return number - numbers[0], 0
        if place == 1:
            return np.where(chosen < counts[number], begins[number] + chosen, NOWHERE), number - 1
        fits = has[chosen, number] == (more > 0)
        return np.where(fits, chosen, NOWHERE), np.maximum(more - 1, 0)

    return Registers(
        (len(has), numbers[-1]),
        [(0, 0)],
        follow,
        lambda _, more: more == 0,
        lambda place: min(place, 2),
    )


def _x_sum_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Let an unseen cell say which numbers are added up, where all cells differ."""
    cells, total = constraint.cells, constraint.number
    lists = []
    for many in layout.numbers:
        others = [number for number in layout.numbers if number != many]
        if 0 < many <= len(cells):
            rests = adding_up_to(total - many, others, many - 1)
            few = islice(rests, layout.size + 1)  # there may be millions
            lists.append((many, tuple([(many, *rest) for rest in few])))
    most = max((len(sets) for _, sets in lists), default=0)
    if not _do_differ(cells, layout) or not 0 < most <= layout.size:
        return _X_SUM(constraint, layout)
    return _with_chosen(constraint, _chosen_x_sum, tuple(lists), most, layout)


_X_SUM = read_by(_x_sum)


def _do_differ(cells: Cells, layout: Layout) -> bool:
    """Return whether cells lie in one house."""
    if cells in layout.lines or cells[::-1] in layout.lines:
        return True
    charge(sum([len(house.cells) for house in layout.houses]) // 30)
    houses = [house.cells for house in layout.houses if cells[0] in house.cells]
    return any(map(set(cells).issubset, houses))


def _with_chosen(
    constraint: Constraint, machine_for: MachineFor, value: Hashable, most: int, layout: Layout
) -> tuple[Part, ...] | str:
    """Return what reads an unseen cell, which chooses one of so many, before those of a rule."""
    automaton = unrolled(machine_for, 1 + len(constraint.cells), value, layout.numbers)
    if isinstance(automaton, str):
        return f"the constraint {constraint.name!r} {automaton}"
    return (Domain(-1, (1 << most) - 1), Regular((-1, *constraint.cells), automaton))


def _skyscraper(length: int, value: Any, numbers: range) -> Registers:
    """State: the highest so far, how many more can be seen, how many can be hidden by it.

    There is one start for each number that is to be seen. What has no height is not seen. Where all
    `differ`, so many are hidden as are lower, at most.
    """
    del length
    every, differ = value
    top = numbers[-1]
    # How many are seen, or one more than there may be.
    starts = [number if 0 <= number <= top else top + 1 for number in every.tolist()]

    def follow(place: int, number: Any, highest: Any, more: Any, hidden: Any) -> tuple[Any, ...]:
        del place
        rises = number > highest
        lower = hidden + (number - highest - 1 if differ else 0)
        # No more can be seen than there are higher ones.
        too_many = rises & (more > top - number + 1)
        return (
            np.maximum(highest, number),
            np.where(too_many, NOWHERE, more - rises),
            np.where(rises, lower, hidden - differ),
        )

    lowest = 1 - numbers[0] if differ else 0  # a 0 is hidden before any is seen
    sizes = (top + 1, max(starts) + 1, max(top, lowest) + 1 if differ else 1)
    return Registers(
        sizes, [(0, seen, lowest) for seen in starts], follow, lambda _, more, __: more == 0, same
    )


def _skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return told_by(_skyscraper, constraint, _do_differ(constraint.cells, layout), layout)


def _hidden_skyscraper(length: int, value: Any, numbers: range) -> Registers:
    """State: the highest so far, from 1 on, or that all is well.

    There is one machine for each number that is hidden. Where all `differ`, it is never seen.
    """
    del length
    every, differ = value
    hidden = every[:, None, None]
    kept = len(numbers) + 1

    def follow(place: int, number: Any, highest: Any) -> tuple[Any, ...]:
        del place
        height = number - numbers[0] + 1
        is_wanted = number == hidden
        seen = np.where(differ & (is_wanted | (height == highest)), NOWHERE, height)
        after = np.where(height >= highest, seen, np.where(is_wanted, kept, NOWHERE))
        return (np.where(highest == kept, kept, after),)

    return Registers(
        (kept + 1,), [(0,)], follow, lambda highest: highest == kept, same, machines=len(every)
    )


def _hidden_skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return told_by(_hidden_skyscraper, constraint, _do_differ(constraint.cells, layout), layout)


def _numbered_room(length: int, value: Any, numbers: range) -> Registers:
    """State: how many cells ahead the number is, 0 if all is well.

    There is one machine for each number.
    """
    del numbers
    every, _ = value
    wanted = every[:, None, None]

    def follow(place: int, number: Any, ahead: Any) -> tuple[Any, ...]:
        if place == 0:
            ahead = np.where(number > 0, number, NOWHERE)
        missed = (ahead == 1) & (number != wanted)
        return (np.where(missed, NOWHERE, np.where(ahead == 0, 0, ahead - 1)),)

    return Registers(
        (length,),
        [(0,)],
        follow,
        lambda ahead: ahead == 0,
        lambda place: place == 0,
        machines=len(every),
    )


def _numbered_room_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return told_by(_numbered_room, constraint, None, layout)


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
        hides=True,
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
