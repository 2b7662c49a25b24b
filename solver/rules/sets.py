"""Constraints on what is in groups of cells, whatever the order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, permutations, product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton, unroll_codes
from solver.board.budget import charge, kept_table
from solver.board.choices import has_sum
from solver.board.layout import Layout
from solver.board.parts import Combination, Part, Regular, Sum
from solver.board.registers import NOWHERE, Registers
from solver.rules.chaos import is_told
from solver.rules.enclosing import enclosed
from solver.rules.judging import YES, answer
from solver.rules.rule import (
    Cells,
    Constraint,
    Rule,
    all_differ,
    read_by,
    same,
    sets_that,
    spelt,
)
from solver.rules.sums import equal_sums

_SHORT = 6  # cells of a lunchbox, which are read alone; of more, there are too many states


def _pairs_of(constraint: Constraint) -> list[tuple[int, int]] | None:
    """Return the counts and their numbers; None where they are no pairs."""
    values = constraint.values
    return None if len(values) % 2 else list(zip(values[::2], values[1::2], strict=True))


def _occurs(length: int, value: Any, numbers: range) -> Registers:
    """Read whether a number is the one, 1 or 0. State: how often it was."""
    del numbers

    def follow(place: int, number: Any, seen: Any) -> tuple[Any, ...]:
        del place
        return (seen + number,)

    most = min(max(value, 0), length)
    return Registers((most + 1,), [(0,)], follow, lambda seen: seen == value, same)


def _look_and_say(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    pairs = _pairs_of(constraint)
    if pairs is None:
        return "the constraint 'lookandsay' needs pairs of a count and a number as 'values'"
    readers = [(_occurs, constraint.cells, count, _are(number, layout)) for count, number in pairs]
    return _read_each(constraint, readers, 2)


def _are(number: int, layout: Layout) -> tuple[int, ...]:
    """Return for each number of a board whether it is this one, 1 or 0."""
    return tuple([int(each == number) for each in layout.numbers])


def _read_each(
    constraint: Constraint, readers: Iterable[tuple[Any, Cells, Any, tuple[int, ...]]], most: int
) -> tuple[Part, ...] | str:
    """Return automata (machine, cells, value, letters) that read cells each, letters below most."""
    parts = []
    for machine_for, cells, value, letters in readers:
        charge(5 + (len(cells) + len(letters)) // 8)
        automaton = spelt(machine_for, len(cells), value, letters, most)
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r} {automaton}"
        parts.append(Regular(cells, automaton))
    return tuple(parts)


def _as_often(length: int, value: Any, numbers: range) -> Registers:
    """Read whether a number is the one. State: how much more often in the first half it was."""
    del value, numbers

    def follow(place: int, number: Any, more: Any) -> tuple[Any, ...]:
        return (more + number if 2 * place < length else more - number,)

    return Registers(
        ((length + 1) // 2 + 1,),
        [(0,)],
        follow,
        lambda more: more == 0,
        lambda place: 2 * place < length,
    )


def _linking(groups: Sequence[Cells]) -> Iterator[Cells]:
    """Yield the cells of pairs of groups that link all of them, without those that both have.

    What both have counts in either. So pairs that share most come first: less is left to read.
    """
    charge(len(groups) ** 2 * (4 + len(next(iter(groups), ())) // 16))
    shared = {
        (one, other): len({*one}.intersection(other)) for one, other in permutations(groups, 2)
    }
    nearest = dict.fromkeys(groups[1:], next(iter(groups), ()))  # of those that are linked
    while nearest:
        there = max(nearest, key=lambda group: shared[group, nearest[group]])
        here = nearest.pop(there)
        if {*here} != {*there}:
            ours = (cell for cell in here if cell not in there)
            yield (*ours, *(cell for cell in there if cell not in here))
        for group, near in nearest.items():
            if shared[group, there] >= shared[group, near]:
                nearest[group] = there


def same_values(constraint: Constraint, groups: Sequence[Cells], layout: Layout) -> Any:
    """Return that groups of as many cells hold the same values, each as often."""
    letters = [_are(number, layout) for number in layout.numbers]
    readers = product([_as_often], _linking(groups), [0], letters)
    return _read_each(constraint, readers, 2)


def _same_value_sets(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells, sets = constraint.cells, constraint.number
    if sets < 1 or len(cells) % sets:
        return f"the constraint 'samevalues' has {len(cells)} cells for {sets} sets"
    if is_told(constraint, layout):
        return ()
    length = len(cells) // sets
    groups = [cells[start : start + length] for start in range(0, len(cells), length)]
    parts: tuple[Part, ...] | str = same_values(constraint, groups, layout)
    return parts


def _equal_sums(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    del layout
    lengths = constraint.values
    if min(lengths) < 1 or sum(lengths) != len(constraint.cells):
        return f"the constraint 'equalsum' has other lengths than its {len(constraint.cells)} cells"
    ends = list(accumulate(lengths, initial=0))
    return equal_sums([constraint.cells[start:end] for start, end in pairwise(ends)])


_WANTED = 3  # more than what an answer may be: 0 for no, 1 for yes, 2 for neither


def _is_there(length: int, value: Any, numbers: range) -> Registers:
    """Read the answer, then the cells. State: whether it was yes, whether the number came."""
    del length, value, numbers

    def follow(place: int, number: Any, wanted: Any, came: Any) -> tuple[Any, ...]:
        if place == 0:
            return number % _WANTED, 0
        came = came | (number >= _WANTED)
        return wanted, np.where(came > wanted, NOWHERE, came)

    def accepts(wanted: Any, came: Any) -> Any:
        return wanted == came

    return Registers((2, 2), [(0, 0)], follow, accepts, lambda place: place == 0)


def _count_distinct(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Ask of each number whether it is there; as many answers are yes as the first cell says.

    That of regions is asked otherwise, for which number one has makes no difference.
    """
    if is_told(constraint, layout):
        return ()
    counter, *counted = constraint.cells
    numbers = layout.numbers
    answers = [-place for place in range(1, len(numbers) + 1)]
    usual = [min(place, 2) for place in range(len(numbers))]
    readers = [
        (_is_there, (cell, *counted), 0, (*usual[:n], usual[n] + _WANTED, *usual[n + 1 :]))
        for n, cell in enumerate(answers)
    ]
    read = _read_each(constraint, readers, 2 * _WANTED)
    if isinstance(read, str) or len(numbers) < YES:
        return read if isinstance(read, str) else ()
    total = Sum((counter, *answers), (-1, *(1 for _ in answers)), len(numbers) * layout.lowest)
    return (*map(answer, answers), *read, total)


def _lunchbox_machine(length: int, value: Any, numbers: range) -> Registers:
    """Read the least number, the greatest one, the cells, which all differ.

    State: the least; the greatest; 0 before the first of them, then 1 more than the sum inside,
    or the most behind the other.
    """
    cells, top = length - 2, numbers[-1]
    total = value if 0 <= value <= cells * top else cells * top + 1  # that no cells add up to
    behind = total + 2

    def follow(place: int, number: Any, least: Any, most: Any, inside: Any) -> tuple[Any, ...]:
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

    def accepts(_: Any, __: Any, inside: Any) -> Any:
        return inside == behind

    sizes = (top + 1, top + 1, behind + 1)
    return Registers(sizes, [(0, 0, 0)], follow, accepts, lambda place: min(place, 2))


@kept_table
def _short_lunchbox(length: int, total: int, numbers: range) -> Automaton | str:
    """Read the cells alone. State: (least, greatest, whether that came last, two sums).

    The sums are those of what lies between the two, and of what came behind both, one more than
    the one asked for where they are more.
    """
    total = min(total, length * numbers[-1] + 1)  # that no cells add up to
    more = total + 1
    every = np.array(numbers)
    sizes = (numbers[-1] + 1, numbers[-1] + 1, 2, more + 1, more + 1)

    def code(least: Any, most: Any, rises: Any, between: Any, behind: Any) -> Any:
        ends = (least * sizes[1] + most) * 2 + rises
        return (ends * sizes[3] + between) * sizes[4] + behind

    def follow(states: NDArray[np.int64]) -> NDArray[np.int64]:
        least, most, rises, between, behind = np.unravel_index(states[:, None], sizes)
        inside = (least < every) & (every < most)
        # From the later one to this, or else from the earlier one.
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
    """Return the ways to fill the cells, or else what reads them and which sets they may hold."""
    cells, total = constraint.cells, constraint.number
    ways = enclosed(cells, total, layout, outermost=False) if len(cells) > 1 else None
    if ways is not None:
        return all_differ(cells, "lunchbox", layout), ways
    read = _lunchbox(constraint, layout)
    sets = sets_that(layout, len(cells), lambda numbers: has_sum(numbers[1:-1], total))
    return read if isinstance(read, str) or sets is None else (*read, Combination(cells, sets))


SET_RULES = (
    Rule(
        "lookandsay",
        "The cells hold each number as often as is said: a count, a number, a count, a number …",
        '{"type": "lookandsay", "cells": ["r1c1", "r2c5", "r4c9"], "values": [2, 3, 0, 5]}',
        _look_and_say,
        least=1,
        value="values",
        many=True,
    ),
    Rule(
        "samevalues",
        "The cells, cut into so many sets, hold the same values in each of them, each as often.",
        '{"type": "samevalues", "cells": ["r1c1", "r1c2", "r5c5", "r5c6"], "sets": 2}',
        _same_value_sets,
        value="sets",
    ),
    Rule(
        "equalsum",
        "The cells, cut into pieces of these lengths, have the same sum in each of them.",
        '{"type": "equalsum", "cells": ["r1c1", "r1c2", "r5c5"], "lengths": [2, 1]}',
        _equal_sums,
        value="lengths",
        many=True,
        repeats=True,
    ),
    Rule(
        "countdistinct",
        "The first cell says how many different values are in the others.",
        '{"type": "countdistinct", "cells": ["r1c1", "r4c4", "r5c8"]}',
        _count_distinct,
        hides=True,
    ),
    Rule(
        "lunchbox",
        "What lies between the least and the greatest of the cells adds up to the sum; none twice.",
        '{"type": "lunchbox", "cells": ["r1c1", "r1c2", "r2c3"], "sum": 5}',
        _lunchbox_parts,
        value="sum",
        judged=_lunchbox,
        hides=True,
    ),
)
