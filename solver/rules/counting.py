"""Constraints that count values, index constraints, and cages whose cells must avoid a sum."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate, chain, islice
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import MOST_EDGES, Automaton, limited, too_large, translated
from solver.board.budget import ELEMENTS, charge, kept_table
from solver.board.layout import Layout
from solver.board.number_combinations import adding_up_to, has_sum
from solver.board.primitive_constraints import Combination, Domain, Part, Regular
from solver.board.tuple_automata import NOWHERE, Held, Numbers, Registers
from solver.rules.relations import relate
from solver.rules.rule import (
    Constraint,
    Machine,
    Rule,
    all_differ,
    fault_in,
    one_phase,
    read_by,
    sets_that,
)
from solver.rules.wording import Wording

_MOST_STEPS = 3_000_000  # of the automaton of a quadruple
_FEW = 10  # numbers. With at most this many, all of their sets are enumerated.
# of values in circles. A constraint with more sets hardly ever eliminates anything.
_MOST_SETS = 500


@kept_table
def _quadruple(length: int, counts: tuple[int, ...]) -> Automaton | str:
    """Return an automaton that accepts if the i-th wanted number occurs at least counts[i] times.

    It reads `length` letters: 1, 2, … for the wanted numbers, 0 for any other. State 0 is the
    start. The other states encode how often each wanted number must still occur: 1 + Σ (that
    count × the number's stride). Returns an error message if the automaton is too large.
    """
    sizes = [min(often, length + 1) + 1 for often in counts]
    states = prod(sizes)
    if states * (len(counts) + 1) > _MOST_STEPS:
        return too_large(MOST_EDGES)
    charge(50 + 3 * states * (len(counts) + 1) // ELEMENTS)
    every = np.arange(states, dtype=np.int32)[:, None]
    strides = states // np.cumprod(sizes, dtype=np.int32)
    left = every // strides % sizes
    steps = np.empty((states, len(counts) + 1), np.int32)
    steps[:, :1] = every + 1
    np.subtract(every + 1, np.where(left > 0, strides, 0), out=steps[:, 1:])
    rows = np.arange(-1, states, dtype=np.int32)[None]
    rows[0, 0] = states - 1
    ends = np.zeros(states + 1, np.bool_)
    ends[1] = True
    kinds = np.arange(len(counts) + 1, dtype=np.int32)
    edges = length * (states + 1) * (len(counts) + 1)
    automaton = Automaton(np.zeros(length, np.int32), kinds, rows, steps, ends, edges)
    return limited(automaton, MOST_EDGES)


def _quadruple_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    wanted = Counter(sorted(constraint.values))
    letter_of = {number: letter for letter, number in enumerate(wanted, 1)}
    letters = tuple([letter_of.get(number, 0) for number in layout.numbers])
    automaton = _quadruple(len(constraint.cells), (*wanted.values(),))
    if not isinstance(automaton, str):
        automaton = translated(automaton, letters)
    if isinstance(automaton, str):
        return fault_in(constraint, automaton, layout)
    return (Regular(constraint.cells, automaton),)


@kept_table
def _occurring(most: int, *, inside: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the rows and steps of an automaton that counts a number's occurrences in circles.

    They are those of `solver.board.automaton.Automaton`, which also explains phases and kinds. The
    automaton reads groups of cells one after the other, and counts up to `most`. The number must
    not occur twice in a group. If the groups are complete houses (`inside`), it must occur once in
    each.

    state  2c + h: c occurrences in circles so far, h = 1 if the number occurred in this group
    phase  2 if the cell isn't a circle, plus 1 if it is the last of its group
    kind   1 for the number, 0 for all others
    """
    states = 2 * most + 2
    charge(50 + states)
    kept = np.arange(states, dtype=np.int32)
    is_here = kept & 1 == 1
    after = np.where(is_here | (not inside), kept & ~1, -1)
    more = np.where(kept < states - 2, kept + 3, -1)
    steps = np.empty((4, states, 2), np.int32)
    steps[::2, :, 0], steps[1::2, :, 0] = kept, after
    for phase, here in enumerate((more, more - 1, kept + 1, kept)):
        steps[phase, :, 1] = np.where(is_here | (here < 0), -1, here)
    return np.arange(4 * states, dtype=np.int32).reshape(4, states), steps.reshape(-1, 2)


def _counts(constraint: Constraint, layout: Layout) -> dict[int, tuple[int, ...]]:
    """Return how often each number can occur in the circles, as a tuple of possible counts.

    The number n can occur n times in all, or possibly not at all, so its tuple is (0, n) or (n,).
    Numbers that can never occur are left out.
    """
    circles = len(constraint.cells)
    charge(layout.size**2 // 2)
    counts: dict[int, tuple[int, ...]] = {}
    for number in layout.numbers:
        sums = 1  # possible sums of other numbers, as bits
        for other in layout.numbers:
            sums |= sums << other if other not in (0, number) else 0
        if 0 < number <= circles and sums >> circles - number & 1:
            counts[number] = (0, number) if sums >> circles & 1 else (number,)
    return counts


def _circles(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile counting circles to domains, and to automata that count each number.

    The domains restrict the circles. There is an automaton per number and kind of house. The
    possible sets of numbers in the circles are added if there are few enough of them.
    """
    counts = _counts(constraint, layout)
    numbers = layout.numbers
    allowed = sum([1 << number - numbers[0] for number in counts])
    parts: list[Part] = [Domain(cell, allowed) for cell in constraint.cells]
    # one row per number, with kind 1 for itself and 0 for all others
    kinds_of = np.eye(len(numbers), dtype=np.int32)
    most = max(counts, default=0)
    ends_of = np.zeros((len(counts), 2 * most + 2), np.bool_)
    for ends, wanted in zip(ends_of, counts.values(), strict=True):
        for count in wanted:
            ends[2 * count : 2 * count + 2] = True
    charge(sum([len(house.cells) for house in layout.houses]) // 4)
    # If there are no houses, the circles are still counted, as groups of one.
    for kind in dict.fromkeys([house.kind for house in layout.houses]) or (None,):
        houses = [house.cells for house in layout.houses if house.kind == kind]
        groups, inside = _groups(constraint.cells, houses), False
        if _fill_most(constraint.cells, houses, layout.size):
            groups, inside = [*map(list, houses)], True
        cells = tuple(chain(*groups))
        circles = {*constraint.cells}
        phases = np.array([0 if cell in circles else 2 for cell in cells], np.int32)
        phases[np.array([*accumulate(map(len, groups))]) - 1] += 1
        rows, steps = _occurring(most, inside=inside)
        for number, ends in zip(counts, ends_of, strict=True):
            edges = len(cells) * (2 * number + 2) * len(numbers)
            kinds = kinds_of[number - numbers[0]]
            parts.append(Regular(cells, Automaton(phases, kinds, rows, steps, ends, edges)))
    sets = _sets(len(constraint.cells), tuple(counts), layout.lowest)
    if len(sets) <= _MOST_SETS:
        parts.append(Combination(constraint.cells, sets))
    return tuple(parts)


def _fill_most(cells: Collection[int], houses: Sequence[tuple[int, ...]], size: int) -> bool:
    """Return whether the cells are more than half of the cells of all these houses.

    Returns False unless the houses are full and disjoint, and contain all of `cells`. A full house
    has `size` cells.
    """
    # The automaton then reads the houses' other cells, too. That each house contains each value
    # eliminates many candidates.
    every = {*chain(*houses)}
    are_full = all(len(house) == size for house in houses) and len(houses) * size == len(every)
    return are_full and every.issuperset(cells) and 2 * len(cells) > len(every)


def _sets(total: int, numbers: Sequence[int], lowest: int) -> tuple[int, ...]:
    """Return the sets of numbers with the sum `total`, as bits (bit 0 = `lowest`).

    `numbers` are positive and ascending. With more than `_FEW` of them, the empty set doesn't
    count, and the search stops after `_MOST_SETS` + 1 sets, so that the caller sees that there are
    too many.
    """
    if len(numbers) <= _FEW:
        sums, sets = np.zeros((2, 1), np.int64)
        for number in numbers:  # each number doubles the sets: without it and with it
            sums = np.concatenate((sums, sums + number))
            sets = np.concatenate((sets, sets | 1 << number - lowest))
        return tuple(sets[sums == total].tolist())
    found = (
        sum([1 << number - lowest for number in choice])
        for length in range(1, len(numbers) + 1)
        for choice in adding_up_to(total, numbers, length)
    )
    return tuple(islice(found, _MOST_SETS + 1))


def _groups(cells: Collection[int], houses: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return the cells as groups: each cell is in the group of the first house that contains it.

    Cells that aren't in any house form groups of one.
    """
    left = set(cells)
    groups = []
    for house in houses:
        groups.append(sorted(left.intersection(house)))
        left.difference_update(house)
    return [group for group in (*groups, *([cell] for cell in sorted(left))) if group]


def _equality(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts as many even as odd, and as many low as high numbers.

    It reads `length` cells, and rejects the middle number of the board. `value` is unused. State:
    the count of even minus odd numbers, and the count of low minus high numbers. Both are offset by
    half the number of cells, so that they aren't negative.
    """
    del value
    middle = numbers[0] + numbers[-1]  # twice the middle number
    half = length // 2

    def follow(place: int, number: Numbers, parity: Numbers, height: Numbers) -> tuple[Held, ...]:
        del place
        is_middle = 2 * number == middle
        return (
            np.where(is_middle, NOWHERE, parity + np.where(number % 2, -1, 1)),
            height + np.where(2 * number < middle, 1, -1),
        )

    def accepts(parity: Numbers, height: Numbers) -> Any:
        return (parity == half) & (height == half)

    def kind(number: int) -> tuple[int, int]:
        return number % 2, (2 * number > middle) - (2 * number < middle)

    return Registers((2 * half + 1,) * 2, [(half, half)], follow, accepts, one_phase, kind)


def _equality_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    read = read_by(_equality)(constraint, layout)
    return read if isinstance(read, str) else (all_differ(constraint.cells, "cage", layout), *read)


def _rellik(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that accepts numbers of which no selection adds up to `value`.

    `value` must be 1 or more. `length` and `numbers` are unused. State: the set of sums of
    selections so far, as bits.
    """
    del length, numbers

    def follow(sums: int, number: int, place: int) -> int | None:
        del place
        sums |= sums << number
        return None if sums >> value & 1 else sums & (1 << value) - 1

    return Machine(1, follow, lambda _: True, one_phase)


def _rellik_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    if constraint.number < 1:
        return fault_in(constraint, f"needs a 'sum' of 1 or more, not {constraint.number}", layout)
    read = read_by(_rellik)(constraint, layout)
    differ = all_differ(constraint.cells, "cage", layout)
    return read if isinstance(read, str) else (differ, *read)


def _rellik_and_sets(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a rellik cage, with the sets of numbers that it can hold if they are few enough.

    Returns an error message if the sum is below 1, or if the automaton is too large.
    """
    cells, total = constraint.cells, constraint.number
    read = _rellik_parts(constraint, layout)
    sets = sets_that(layout, len(cells), lambda numbers: not has_sum(numbers, total))
    return read if isinstance(read, str) or sets is None else (*read, Combination(cells, sets))


def _indexing(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return _all_indexing([constraint], layout)


def _all_indexing(constraints: Sequence[Constraint], layout: Layout) -> tuple[Part, ...] | str:
    """Compile indexing constraints: domains of the pointers, and relations with their targets.

    A constraint's number n is a position from 1. The pointer is its nth cell, whose value p
    requires that its pth cell, the target, has the value n. In a house, n occurs only once, so if
    the pth cell has the value n, the pointer must also have the value p. Returns an error message
    if n isn't the position of a cell.
    """
    parts: list[Part] = []
    pairs: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
    houses = {frozenset(house.cells) for house in layout.houses}
    for constraint in constraints:
        cells, place = constraint.cells, constraint.number
        if not 1 <= place <= len(cells):
            fault = f"needs a 'value' from 1 to {len(cells)}, its number of cells, not {place}"
            return fault_in(constraint, fault, layout)
        pointer = cells[place - 1]
        reach = sum(
            [1 << n for n, number in enumerate(layout.numbers) if 1 <= number <= len(cells)]
        )
        parts.append(Domain(pointer, reach))
        is_house = frozenset(cells) in houses
        for at, cell in enumerate(cells, 1):
            if at != place:
                pairs.setdefault((at, place, is_house), []).append((pointer, cell))
    for wanted, bound in pairs.items():
        parts += relate(bound, _points_to, wanted, layout)
    return tuple(parts)


def _points_to(pointer: int, there: int, wanted: tuple[int, int, bool]) -> bool:
    """Return whether the values of a pointer and of another cell fit together.

    `wanted` is (position of the other cell, number, whether the cells are a house). If `pointer`,
    the value of the pointer, is this position, then `there`, the value of the other cell, must be
    the number. In a house, the converse holds, too.
    """
    place, number, is_house = wanted
    if is_house:
        return (pointer == place) == (there == number)
    return pointer != place or there == number


COUNTING_RULES = (
    Rule(
        "quadruple",
        Wording(
            "Quadruple",
            "The digits in the circle all appear in the four surrounding "
            "cells, as often as listed.",
            other_names=("Quad",),
            note="The digits can appear more often than listed, and there can be "
            "more or fewer than four cells.",
        ),
        '{"type": "quadruple", "cells": ["r1c1", "r1c2", "r2c1", "r2c2"], "values": [1, 2, 5]}',
        _quadruple_parts,
        least=1,
        value="values",
        many=True,
    ),
    Rule(
        "countingcircles",
        Wording(
            "Counting circles",
            "The digit in a circle is the number of circles that contain that digit.",
            note="One constraint lists all circles.",
        ),
        '{"type": "countingcircles", "cells": ["r1c1", "r4c4", "r5c8"]}',
        _circles,
        least=1,
    ),
    Rule(
        "equality",
        Wording(
            "Equality cage",
            "Digits in the cage don't repeat; as many are even as odd, and as "
            "many are low ({low_half}) as high ({high_half}).",
        ),
        '{"type": "equality", "cells": ["r2c2", "r2c3", "r3c2", "r3c3"]}',
        _equality_parts,
    ),
    Rule(
        "rellik",
        Wording(
            "Rellik cage",
            "Digits in the cage don't repeat, and no selection of one or more "
            "of them sums to {value}.",
            parameter="the clue",
        ),
        '{"type": "rellik", "cells": ["r1c1", "r1c2"], "sum": 9}',
        _rellik_and_sets,
        least=1,
        most=12,
        value="sum",
        reified_as=_rellik_parts,
    ),
    Rule(
        "index",
        Wording(
            "Indexing",
            "The digit in position {number} of the row or column is the "
            "position of the digit {digits}.",
            parameter="N",
            other_names=("Index row", "Index column", "159"),
        ),
        '{"type": "index", "cells": ["r2c1", "r2c2", "r2c3", "r2c4", "r2c5", "r2c6", "r2c7", '
        '"r2c8", "r2c9"], "value": 1}',
        _indexing,
        least=1,
        value="value",
        together=_all_indexing,
    ),
)
