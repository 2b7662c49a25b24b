"""Clues outside the grid, about the cells of a row or column as seen from the clue."""

from collections.abc import Hashable
from itertools import islice
from typing import Any

import numpy as np

from solver.board.budget import charge
from solver.board.layout import Layout
from solver.board.number_combinations import adding_up_to
from solver.board.primitive_constraints import Domain, Part, Regular
from solver.board.tuple_automata import NOWHERE, Held, Numbers, Registers
from solver.rules.rule import (
    Cells,
    Constraint,
    Machine,
    MachineFor,
    Rule,
    fault_in,
    one_phase,
    read_by,
    read_with_clues,
    unrolled,
)
from solver.rules.sandwich_fillings import sandwich_of
from solver.rules.wording import Wording


def _sandwich(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that accepts if the numbers between the crusts add up to `value`.

    The crusts are the least and the greatest number of the board, in either order. `length` is
    unused. States: before the sandwich, (the second crust, the sum so far), after the sandwich.
    """
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

    return Machine("before", follow, lambda state: state == "after", one_phase)


def _sandwich_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a sandwich clue.

    If all cells differ and the possible fillings aren't too many, this returns a `Sandwich`.
    Otherwise, it returns an automaton, or an error message if that is too large.
    """
    cells, total = constraint.cells, constraint.number
    if len(cells) > 1 and _do_differ(cells, layout):
        sandwich = sandwich_of(cells, total, layout, outermost=True)
        if sandwich is not None:
            return (sandwich,)
    return _SANDWICH(constraint, layout)


_SANDWICH = read_by(_sandwich)


def _x_sum(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts if the first X numbers add up to `value`.

    X is the first number. State: how many more numbers count toward the sum, and the rest of the
    sum, which they must have.
    """

    def follow(place: int, number: Numbers, more: Numbers, left: Numbers) -> tuple[Held, ...]:
        if place == 0:
            # If X is 0, no numbers are added up, so only a sum of 0 is possible.
            return np.maximum(number - 1, 0 if value == 0 else NOWHERE), value - number
        wrong = np.where(left == 0, 0, NOWHERE)
        return np.maximum(more - 1, 0), np.where(more == 0, wrong, left - number)

    most = min(max(value, 0), length * numbers[-1])  # the largest sum of the cells
    return Registers((length, most + 1), [(0, 0)], follow, _are_none, lambda place: place == 0)


def _are_none(more: Numbers, left: Numbers) -> Any:
    return (more == 0) & (left == 0)


def _chosen_x_sum(
    length: int, value: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...], numbers: range
) -> Registers:
    """Return the automaton of an X-sum with an auxiliary cell for the set of the first X numbers.

    X is the first number. `value` lists, for each X, the sets of X numbers with the right sum, as
    (X, sets). All cells of the clue must differ. The automaton reads the auxiliary cell first, then
    the cells of the clue. The auxiliary cell's value, counted from 0, is the index of a set in the
    list for X. State: the chosen set, and how many of its numbers are still to come. Before X is
    read, the set is known only by its index in the list for X, then by its index in all lists, one
    after the other. `length` is unused.
    """
    del length
    lists = dict(value)
    counts = np.array([len(lists.get(number, ())) for number in range(numbers[-1] + 1)])
    begins = counts.cumsum() - counts
    sets = [each for own in lists.values() for each in own]
    has = np.zeros((max(len(sets), len(numbers)), len(counts)), np.bool_)
    for own, each in zip(has, sets, strict=False):
        own[list(each)] = True

    def follow(place: int, number: Numbers, chosen: Numbers, more: Numbers) -> tuple[Held, ...]:
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
    """Compile an X-sum clue.

    If all cells differ and the sets of the first numbers aren't too many, an auxiliary cell chooses
    the set. Otherwise, an automaton adds up the numbers. Returns an error message if it is too
    large.
    """
    cells, total = constraint.cells, constraint.number
    lists = []
    for many in layout.numbers:
        others = [number for number in layout.numbers if number != many]
        if 0 < many <= len(cells):
            rests = adding_up_to(total - many, others, many - 1)
            few = islice(rests, layout.size + 1)  # there can be millions
            lists.append((many, tuple([(many, *rest) for rest in few])))
    most = max((len(sets) for _, sets in lists), default=0)
    if not _do_differ(cells, layout) or not 0 < most <= layout.size:
        return _X_SUM(constraint, layout)
    return _with_chosen(constraint, _chosen_x_sum, tuple(lists), most, layout)


_X_SUM = read_by(_x_sum)


def _do_differ(cells: Cells, layout: Layout) -> bool:
    """Return whether one house contains all of the cells, so that they must differ."""
    if cells in layout.lines or cells[::-1] in layout.lines:
        return True
    charge(sum([len(house.cells) for house in layout.houses]) // 30)
    houses = [house.cells for house in layout.houses if cells[0] in house.cells]
    return any(map(set(cells).issubset, houses))


def _with_chosen(
    constraint: Constraint, machine_for: MachineFor, value: Hashable, most: int, layout: Layout
) -> tuple[Part, ...] | str:
    """Compile a constraint whose automaton reads an auxiliary cell, then the constraint's cells.

    The auxiliary cell has one of `most` values. `machine_for` and `value` define the automaton, see
    `unrolled`. Returns an error message if it is too large.
    """
    automaton = unrolled(machine_for, 1 + len(constraint.cells), value, layout.numbers)
    if isinstance(automaton, str):
        return fault_in(constraint, automaton, layout)
    return (Domain(-1, (1 << most) - 1), Regular((-1, *constraint.cells), automaton))


def _skyscraper(length: int, value: tuple[Numbers, bool], numbers: range) -> Registers:
    """Return automata that accept if as many skyscrapers are visible as the clue says.

    `value` is (all clues as an array, whether the cells differ). There is one start per clue.
    Numbers of height 0 aren't visible. If all cells differ, a visible number can hide at most as
    many cells as there are lower numbers. State: the highest number so far, how many more must be
    visible, and how many more cells can be hidden (only if all differ). `length` is unused.
    """
    del length
    every, differ = value
    top = numbers[-1]
    # How many must be visible, or one more than possible.
    starts = [number if 0 <= number <= top else top + 1 for number in every.tolist()]

    def follow(
        place: int, number: Numbers, highest: Numbers, more: Numbers, hidden: Numbers
    ) -> tuple[Held, ...]:
        del place
        rises = number > highest
        lower = hidden + (number - highest - 1 if differ else 0)
        # Each further visible number must be higher than this one.
        too_many = rises & (more > top - number + 1)
        return (
            np.maximum(highest, number),
            np.where(too_many, NOWHERE, more - rises),
            np.where(rises, lower, hidden - differ),
        )

    lowest = 1 - numbers[0] if differ else 0  # a 0 can be hidden before any number is visible
    sizes = (top + 1, max(starts) + 1, max(top, lowest) + 1 if differ else 1)
    return Registers(
        sizes,
        [(0, seen, lowest) for seen in starts],
        follow,
        lambda _, more, __: more == 0,
        one_phase,
    )


def _skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return read_with_clues(_skyscraper, constraint, _do_differ(constraint.cells, layout), layout)


def _hidden_skyscraper(length: int, value: tuple[Numbers, bool], numbers: range) -> Registers:
    """Return automata that accept if the first hidden number is the clue.

    A number is hidden if a greater one comes before it. `value` is (all clues as an array, whether
    the cells differ). There is one machine per clue. State: the greatest number so far (counted
    from 1, 0 at the start), or satisfied. If all cells differ, the clue's number must not be read
    while it is visible. `length` is unused.
    """
    del length
    every, differ = value
    hidden = every[:, None, None]
    kept = len(numbers) + 1

    def follow(place: int, number: Numbers, highest: Numbers) -> tuple[Held, ...]:
        del place
        height = number - numbers[0] + 1
        is_wanted = number == hidden
        seen = np.where(differ & (is_wanted | (height == highest)), NOWHERE, height)
        after = np.where(height >= highest, seen, np.where(is_wanted, kept, NOWHERE))
        return (np.where(highest == kept, kept, after),)

    return Registers(
        (kept + 1,), [(0,)], follow, lambda highest: highest == kept, one_phase, machines=len(every)
    )


def _hidden_skyscraper_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return read_with_clues(
        _hidden_skyscraper, constraint, _do_differ(constraint.cells, layout), layout
    )


def _numbered_room(length: int, value: tuple[Numbers, None], numbers: range) -> Registers:
    """Return automata that accept if the Nth number is the clue, where N is the first number.

    `value` is (all clues as an array, None). There is one machine per clue. State: how many cells
    ahead the Nth number is, 0 once it was found. `numbers` is unused.
    """
    del numbers
    every, _ = value
    wanted = every[:, None, None]

    def follow(place: int, number: Numbers, ahead: Numbers) -> tuple[Held, ...]:
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
    return read_with_clues(_numbered_room, constraint, None, layout)


def _row(name: str, key: str, number: int) -> str:
    """Return an example in JSON of the rule on row 1, with a number as its clue under `key`."""
    cells = ", ".join(f'"r1c{column}"' for column in range(1, 10))
    return f'{{"type": "{name}", "cells": [{cells}], "{key}": {number}}}'


OUTSIDE_RULES = (
    Rule(
        "sandwich",
        Wording(
            "Sandwich",
            "The clue is the sum of the digits between the {lowest} and the {highest}.",
            other_names=("Sandwich sum",),
        ),
        _row("sandwich", "sum", 5),
        _sandwich_parts,
        value="sum",
        reified_as=_SANDWICH,
    ),
    Rule(
        "xsum",
        Wording("X-sum", "The first X digits sum to the clue, where X is the first digit."),
        _row("xsum", "sum", 12),
        _x_sum_parts,
        least=1,
        value="sum",
        reified_as=_X_SUM,
        hides=True,
    ),
    Rule(
        "skyscraper",
        Wording(
            "Skyscrapers",
            "The clue is the number of skyscrapers visible from that side; "
            "taller ones hide shorter ones behind them.",
            note="A 0 is an empty lot and is never visible.",
        ),
        _row("skyscraper", "value", 2),
        _skyscraper_parts,
        least=1,
        value="value",
    ),
    Rule(
        "hiddenskyscraper",
        Wording(
            "Hidden skyscraper",
            "The clue is the height of the first skyscraper from that side "
            "that a taller one hides.",
        ),
        _row("hiddenskyscraper", "value", 2),
        _hidden_skyscraper_parts,
        value="value",
    ),
    Rule(
        "numberedroom",
        Wording(
            "Numbered rooms",
            "The clue is the digit in the Nth cell from that side, where N is the first digit.",
        ),
        _row("numberedroom", "value", 5),
        _numbered_room_parts,
        least=1,
        value="value",
    ),
)
