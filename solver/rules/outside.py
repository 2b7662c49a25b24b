"""Clues outside the grid: the cells of a row or a column, as they are seen from the clue."""

from collections.abc import Hashable
from typing import Any

from solver.board.choices import adding_up_to
from solver.board.layout import Domain, Layout, Part, Regular
from solver.rules.rule import (
    Cells,
    Constraint,
    Machine,
    MachineFor,
    Rule,
    read_by,
    same,
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


def _skyscraper(length: int, value: Any, numbers: range) -> Machine:
    """State: (the highest so far, how many more can be seen, how many can be hidden by it).

    What has no height is not seen. Where all `differ`, so many are hidden as are lower, at most.
    """
    seen, differ = value
    top = numbers[-1]

    def follow(state: tuple[int, int, int], number: int, place: int) -> Any:
        del place
        highest, more, hidden = state
        if number > highest:
            lower = number - highest - 1 if differ else 0
            # No more can be seen than there are higher ones.
            return (number, more - 1, hidden + lower) if 0 < more <= top - number + 1 else None
        return (highest, more, hidden - differ) if hidden else None

    lowest = 1 - numbers[0] if differ else length
    return Machine((0, seen, lowest), follow, lambda state: state[1] == 0, same)


def _skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    seen = constraint.number, _do_differ(constraint.cells, layout)
    return _SKYSCRAPER(constraint._replace(value=seen), layout)


_SKYSCRAPER = read_by(_skyscraper)


def _hidden_skyscraper(length: int, value: Any, numbers: range) -> Machine:
    """States: the highest so far, all is well. Where all `differ`, what is hidden is never seen."""
    del length
    hidden, differ = value

    def follow(state: Any, number: int, place: int) -> Any:
        del place
        if state == "kept":
            return state
        if number >= state:
            return None if differ and number in (hidden, state) else number
        return "kept" if number == hidden else None

    return Machine(numbers[0] - 1, follow, lambda state: state == "kept", same)


def _hidden_skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    hidden = constraint.number, _do_differ(constraint.cells, layout)
    return _HIDDEN_SKYSCRAPER(constraint._replace(value=hidden), layout)


_HIDDEN_SKYSCRAPER = read_by(_hidden_skyscraper)


def _numbered_room(length: int, value: Any, numbers: range) -> Machine:
    """States: nothing, how many cells ahead the number is, all is well."""
    del numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            if not 0 < number <= length:
                return None
            return number - 1 if number > 1 else "kept" if value == 1 else None
        if state == "kept":
            return state
        if state == 1:
            return "kept" if number == value else None
        return state - 1

    return Machine(None, follow, lambda state: state == "kept", lambda place: place == 0)


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
        read_by(_numbered_room),
        least=1,
        value="value",
    ),
)
