"""Constraints on the contents of groups of cells: which values they have, how often, and sums."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, permutations, product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton, unroll_codes
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.number_combinations import has_sum
from solver.board.primitive_constraints import Combination, Part, Regular, Sum
from solver.board.tuple_automata import NOWHERE, Held, Numbers, Registers
from solver.rules.chaos import is_in_construction
from solver.rules.reification import YES, answer
from solver.rules.rule import (
    Cells,
    Constraint,
    MachineFor,
    Rule,
    all_differ,
    fault_in,
    one_phase,
    read_by,
    sets_that,
    unrolled_with_letters,
)
from solver.rules.sandwich_fillings import sandwich_of
from solver.rules.sums import equal_sums
from solver.rules.wording import Wording

_SHORT = 6  # cells of a lunchbox without auxiliary cells. Longer ones would need too many states.


def _pairs_of(constraint: Constraint) -> list[tuple[int, int]] | None:
    """Return the constraint's pairs of a count and a number, or None if the last is incomplete."""
    values = constraint.values
    return None if len(values) % 2 else list(zip(values[::2], values[1::2], strict=True))


def _occurs(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts `value` occurrences of a number in `length` cells.

    It reads one letter per cell: 1 if the cell holds the number, otherwise 0. Its state is the
    count so far. `numbers` is unused.
    """
    del numbers

    def follow(place: int, number: Numbers, seen: Numbers) -> tuple[Held, ...]:
        del place
        return (seen + number,)

    most = min(max(value, 0), length)
    return Registers((most + 1,), [(0,)], follow, lambda seen: seen == value, one_phase)


def _look_and_say(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    pairs = _pairs_of(constraint)
    if pairs is None:
        fault = "needs pairs of a count and a number as 'values', such as [2, 3, 0, 5]"
        odd = f"{fault}, not an odd count ({len(constraint.values)})"
        return fault_in(constraint, odd, layout)
    readers = [(_occurs, constraint.cells, count, _are(number, layout)) for count, number in pairs]
    return _read_each(constraint, readers, 2, layout)


def _are(number: int, layout: Layout) -> tuple[int, ...]:
    """Return a letter for each number of the board: 1 for `number`, 0 for all others."""
    return tuple([int(each == number) for each in layout.numbers])


def _read_each(
    constraint: Constraint,
    readers: Iterable[tuple[MachineFor, Cells, int, tuple[int, ...]]],
    most: int,
    layout: Layout,
) -> tuple[Regular, ...] | str:
    """Return one automaton constraint for each reader, or an error message.

    A reader is (machine_for, cells, value, letters): the machine that reads the cells, its
    parameter, and the letter as which it reads each number of the board. The letters are below
    `most`. The error message names `constraint`. It is returned if an automaton is too large.
    """
    parts = []
    for machine_for, cells, value, letters in readers:
        charge(5 + (len(cells) + len(letters)) // 8)
        automaton = unrolled_with_letters(machine_for, len(cells), value, letters, most)
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        parts.append(Regular(cells, automaton))
    return tuple(parts)


def _as_often(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts if a number occurs equally often in both halves of a word.

    The number is read as 1 and all others as 0. State: how much more often it occurred in the first
    half than in the second so far. `value` and `numbers` are unused.
    """
    del value, numbers

    def follow(place: int, number: Numbers, more: Numbers) -> tuple[Held, ...]:
        return (more + number if 2 * place < length else more - number,)

    return Registers(
        ((length + 1) // 2 + 1,),
        [(0,)],
        follow,
        lambda more: more == 0,
        lambda place: 2 * place < length,
    )


def _linking(groups: Sequence[Cells]) -> Iterator[Cells]:
    """Yield the cells to compare for pairs of groups, so that the pairs connect all groups.

    The result for a pair has the cells of one group, then those of the other, without the cells
    that both share, because these count equally in both. Pairs with equal cells are skipped. The
    pairs form a spanning tree with the most shared cells, so that as few cells as possible are left
    to read.
    """
    charge(len(groups) ** 2 * (4 + len(next(iter(groups), ())) // 16))
    shared = {
        (one, other): len({*one}.intersection(other)) for one, other in permutations(groups, 2)
    }
    # for each group to connect, the connected group that shares the most cells with it
    nearest = dict.fromkeys(groups[1:], next(iter(groups), ()))
    while nearest:
        there = max(nearest, key=lambda group: shared[group, nearest[group]])
        here = nearest.pop(there)
        if {*here} != {*there}:
            ours = (cell for cell in here if cell not in there)
            yield (*ours, *(cell for cell in there if cell not in here))
        for group, near in nearest.items():
            if shared[group, there] >= shared[group, near]:
                nearest[group] = there


def same_values(
    constraint: Constraint, groups: Sequence[Cells], layout: Layout
) -> tuple[Regular, ...] | str:
    """Return constraints that make all groups hold the same multiset of values.

    All groups must have the same number of cells. Each value then occurs as often in one group as
    in any other. The result has one automaton constraint for each compared pair of groups and each
    number of the board. Returns an error message, which names `constraint`, if an automaton is too
    large.
    """
    letters = [_are(number, layout) for number in layout.numbers]
    readers = product([_as_often], _linking(groups), [0], letters)
    return _read_each(constraint, readers, 2, layout)


def _same_value_sets(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, sets = constraint.cells, constraint.number
    if sets < 1 or len(cells) % sets:
        fault = f"can't divide its {len(cells)} cells into {sets} equal parts; change 'sets'"
        return fault_in(constraint, fault, layout)
    if is_in_construction(constraint, layout):
        return ()
    length = len(cells) // sets
    groups = [cells[start : start + length] for start in range(0, len(cells), length)]
    return same_values(constraint, groups, layout)


def _equal_sums(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    lengths = constraint.values
    if min(lengths) < 1 or sum(lengths) != len(constraint.cells):
        fault = "needs 'lengths' of 1 or more that sum to its number of cells"
        return fault_in(constraint, f"{fault} ({len(constraint.cells)})", layout)
    ends = list(accumulate(lengths, initial=0))
    return equal_sums([constraint.cells[start:end] for start, end in pairwise(ends)])


# The letter of a value is 0 for "no", 1 for "yes", and 2 for others, plus this for the number.
_WANTED = 3


def _is_there(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that checks an answer to whether a number occurs in some cells.

    It reads letters: one for the answer, then one per cell. The letter of the number is 3 or more,
    all others are less. The answer's letter modulo 3 is 0 for no and 1 for yes. The automaton
    accepts if the answer is right. State: whether the answer was yes, whether the number has
    occurred. All three parameters are unused.
    """
    del length, value, numbers

    def follow(place: int, number: Numbers, wanted: Numbers, came: Numbers) -> tuple[Held, ...]:
        if place == 0:
            return number % _WANTED, 0
        came = came | (number >= _WANTED)
        return wanted, np.where(came > wanted, NOWHERE, came)

    def accepts(wanted: Numbers, came: Numbers) -> Any:
        return wanted == came

    return Registers((2, 2), [(0, 0)], follow, accepts, lambda place: place == 0)


def _count_distinct(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a constraint that counts the distinct values in some cells.

    The first cell is the count, and the others are counted. The first cell may also occur among the
    other cells, and is then counted, too. A cell that occurs several times there is counted once.
    Returns primitive constraints: for each number of the board, an automaton sets an auxiliary cell
    to 2 if the number occurs, otherwise to 1, and a sum compares these cells with the first cell.

    Returns () if a chaos construction compiles the constraint as a count of regions, or if the
    board has only one number. Returns an error message if an automaton is too large.
    """
    if is_in_construction(constraint, layout):
        return ()
    counter, *listed = constraint.cells
    counted = tuple(dict.fromkeys(listed))
    numbers = layout.numbers
    answers = [-place for place in range(1, len(numbers) + 1)]
    usual = [min(place, 2) for place in range(len(numbers))]
    readers = [
        (_is_there, (cell, *counted), 0, (*usual[:n], usual[n] + _WANTED, *usual[n + 1 :]))
        for n, cell in enumerate(answers)
    ]
    read = _read_each(constraint, readers, 2 * _WANTED, layout)
    if isinstance(read, str) or len(numbers) < YES:
        return read if isinstance(read, str) else ()
    total = Sum((counter, *answers), (-1, *(1 for _ in answers)), len(numbers) * layout.lowest)
    return (*map(answer, answers), *read, total)


def _lunchbox_machine(length: int, value: int, numbers: range) -> Registers:
    """Return the automaton of a lunchbox with two auxiliary cells, which accepts the sum `value`.

    It reads the least number and the greatest number from the auxiliary cells, then the numbers of
    the lunchbox. `length` includes the auxiliary cells. Another constraint must make the numbers of
    the lunchbox differ. State: the least, the greatest, and the progress. The progress is 0 before
    the cell with one of the two numbers, 1 plus the sum so far between the two, and its maximum
    after the second of them.
    """
    cells, top = length - 2, numbers[-1]
    # more than any sum of the cells
    total = value if 0 <= value <= cells * top else cells * top + 1
    behind = total + 2

    def follow(
        place: int, number: Numbers, least: Numbers, most: Numbers, inside: Numbers
    ) -> tuple[Held, ...]:
        if place == 0:
            return number, 0, 0
        if place == 1:
            return np.where(number - least >= cells - 1, least, NOWHERE), number, 0
        at_end = np.where(inside == 0, 1, np.where(inside == total + 1, behind, NOWHERE))
        is_open = (inside > 0) & (inside < behind)
        added = np.where(inside + number < behind, inside + number, NOWHERE)
        between = np.where(is_open, added, inside)
        is_between = (least < number) & (number < most)
        is_end = (number == least) | (number == most)
        after = np.where(is_between, between, np.where(is_end, at_end, NOWHERE))
        return least, most, after

    def accepts(_: Numbers, __: Numbers, inside: Numbers) -> Any:
        return inside == behind

    sizes = (top + 1, top + 1, behind + 1)
    return Registers(sizes, [(0, 0, 0)], follow, accepts, lambda place: min(place, 2))


@kept_table
def _short_lunchbox(length: int, total: int, numbers: range) -> Automaton | str:
    """Return the automaton of a lunchbox without auxiliary cells, or an error if it is too large.

    It accepts if the numbers between the least and the greatest one add up to `total`. State: (the
    least number so far, the greatest, whether the greatest came last, the sum between the two, the
    sum after both). The sums are capped at one more than the target.
    """
    total = min(total, length * numbers[-1] + 1)  # more than any sum of the cells
    more = total + 1
    every = np.array(numbers)
    sizes = (numbers[-1] + 1, numbers[-1] + 1, 2, more + 1, more + 1)

    def code(least: Any, most: Any, rises: Any, between: Any, behind: Any) -> Any:
        ends = (least * sizes[1] + most) * 2 + rises
        return (ends * sizes[3] + between) * sizes[4] + behind

    def follow(states: NDArray[np.int64]) -> NDArray[np.int64]:
        least, most, rises, between, behind = np.unravel_index(states[:, None], sizes)
        inside = (least < every) & (every < most)
        # The new sum between the ends, counted from the later old end or else from the earlier one.
        shorter = (least == most) | (rises != (every > most))
        longer = np.minimum(between + np.where(rises, most, least) + behind, more)
        at_end = code(
            np.minimum(least, every),
            np.maximum(most, every),
            every > most,
            np.where(shorter, behind, longer),
            0,
        )
        within = states[:, None] - behind + np.minimum(behind + every, more)
        after = np.where(inside, within, at_end)
        return np.where((every == least) | (every == most), -1, after)

    return unroll_codes(
        length,
        codes=prod(sizes),
        first=code(every, every, 1, 0, 0),
        follow=follow,
        accepts=lambda states: np.unravel_index(states, sizes)[3] == total,
    )


_LUNCHBOX = read_by(_lunchbox_machine, lambda cells: (-1, -2, *cells))


def _lunchbox(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, total = constraint.cells, constraint.number
    differ = all_differ(cells, "lunchbox", layout)
    if len(cells) <= _SHORT and total >= 0:
        short = _short_lunchbox(len(cells), total, layout.numbers)
        if isinstance(short, Automaton):
            return differ, Regular(cells, short)
    read = _LUNCHBOX(constraint, layout)
    return read if isinstance(read, str) else (differ, *read)


def _lunchbox_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a lunchbox to its possible fillings, if they aren't too many.

    Otherwise, it becomes an automaton, and the sets of numbers that the cells can hold if these
    aren't too many. Returns an error message if the automaton is too large.
    """
    cells, total = constraint.cells, constraint.number
    sandwich = sandwich_of(cells, total, layout, outermost=False) if len(cells) > 1 else None
    if sandwich is not None:
        return all_differ(cells, "lunchbox", layout), sandwich
    read = _lunchbox(constraint, layout)
    sets = sets_that(layout, len(cells), lambda numbers: has_sum(numbers[1:-1], total))
    return read if isinstance(read, str) or sets is None else (*read, Combination(cells, sets))


SET_RULES = (
    Rule(
        "lookandsay",
        Wording(
            "Look-and-say cage",
            "Each digit of the clue appears in the cage exactly as often as the clue shows.",
            note="The list alternates between a count and a digit.",
        ),
        '{"type": "lookandsay", "cells": ["r2c2", "r2c3", "r3c2", "r3c3"], "values": [2, 3, 0, 5]}',
        _look_and_say,
        least=1,
        value="values",
        many=True,
    ),
    Rule(
        "samevalues",
        Wording(
            "Same digits",
            "All groups contain the same digits, each digit equally often.",
            note="The number is how many groups of equal size the cells form, in order.",
        ),
        '{"type": "samevalues", "cells": ["r1c1", "r1c2", "r5c5", "r5c6"], "sets": 2}',
        _same_value_sets,
        value="sets",
    ),
    Rule(
        "equalsum",
        Wording(
            "Equal sums",
            "All groups have the same sum.",
            note="The list contains the number of cells in each group, in order.",
        ),
        '{"type": "equalsum", "cells": ["r1c1", "r1c2", "r5c5"], "lengths": [2, 1]}',
        _equal_sums,
        value="lengths",
        many=True,
        repeats=True,
    ),
    Rule(
        "countdistinct",
        Wording(
            "Count distinct",
            "The digit in the circle is the number of different digits in the other marked cells.",
            note="The first cell is the circle.",
        ),
        '{"type": "countdistinct", "cells": ["r2c2", "r3c3", "r3c4", "r4c3"]}',
        _count_distinct,
        repeats=True,
        hides=True,
    ),
    Rule(
        "lunchbox",
        Wording(
            "Lunchbox",
            "Digits in the cage don't repeat; along its cells, those between the smallest and "
            "the largest one sum to {value}.",
            parameter="the clue",
        ),
        '{"type": "lunchbox", "cells": ["r2c2", "r2c3", "r2c4", "r3c4"], "sum": 5}',
        _lunchbox_parts,
        value="sum",
        reified_as=_lunchbox,
        hides=True,
    ),
)
