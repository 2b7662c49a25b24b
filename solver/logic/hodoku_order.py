"""Select the deduction that HoDoKu would apply: sort the options and take the first.

HoDoKu's comparison is not a consistent order, because different eliminations can have equal sums.
The first element then depends on the sorting algorithm. So this module sorts exactly as Java does
(TimSort): natural runs, extended with binary insertion and merged.

Source: Tim Peters, listsort.txt, for the sorting algorithm.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import Ints, Words

# Columns of `Choice.options`.
TYPE, COUNT, SUM, FIRST_KEY, SECOND_KEY, GONE_FROM, NOTES_FROM, NOTES_TO, HASH = range(9)
_RUN = 32  # shorter arrays are sorted with insertion alone


class Choice(NamedTuple):
    """The options to choose from: sort keys, eliminations, and the rows that describe them.

    An option is built in two steps. Its eliminations are collected first (the "pending" option),
    then `add` completes it.
    """

    options: Words  # (·, 9): columns as above
    gone: Ints  # eliminations of all options as 1024 × value + cell, sorted within each option
    notes: Ints  # rows of all options, in the format of `solver.logic.deduction_buffer`
    ends: Words  # (4,): used lengths of `options`, `gone`, and `notes`; 1 if one of them overflowed
    order: Words  # (2, ·): the sorted options, and scratch space for merging
    runs: Words  # (2, 64): starts and lengths of the runs that wait to be merged


@helper
def new_choice(options: int) -> Any:
    """Return an empty `Choice` with room for `options` options."""
    return Choice(
        np.empty((options, 9), np.int64),
        np.empty(32 * options, np.int32),
        np.empty(96 * options, np.int32),
        np.zeros(4, np.int64),
        np.empty((2, options), np.int64),
        np.empty((2, 64), np.int64),
    )


@kernel
def eliminate(choice: Any, low: int, high: int, value: int) -> None:
    """Add the elimination of `value` from a set of cells (two words) to the pending option."""
    while low:
        eliminate_one(choice, ctz(low), value)
        low &= low - 1
    while high:
        eliminate_one(choice, 64 + ctz(high), value)
        high &= high - 1


@kernel
def eliminate_set(choice: Any, cells: Any, value: int) -> None:
    """Like `eliminate`, for a set of cells with any number of words."""
    for word in range(len(cells)):
        rest = cells[word]
        while rest:
            eliminate_one(choice, 64 * word + ctz(rest), value)
            rest &= rest - 1


@kernel
def eliminate_one(choice: Any, cell: int, value: int) -> None:
    """Add an elimination to the pending option, in sorted order and without duplicates."""
    start = _gone_from(choice)
    end = choice.ends[1]
    if end >= len(choice.gone):
        choice.ends[3] = 1
        return
    name = 1024 * value + cell
    place_of = end
    while place_of > start and choice.gone[place_of - 1] >= name:
        place_of -= 1
    if place_of < end and choice.gone[place_of] == name:
        return
    for index in range(end, place_of, -1):
        choice.gone[index] = choice.gone[index - 1]
    choice.gone[place_of] = name
    choice.ends[1] = end + 1


@always_inline
def _gone_from(choice: Any) -> Any:
    """Return the index of the pending option's first elimination."""
    count = choice.ends[0]
    if count == 0:
        return 0
    last = choice.options[count - 1]
    return last[GONE_FROM] + last[COUNT]


@kernel
def eliminations(choice: Any) -> Any:
    """Return the number of eliminations that the pending option has so far."""
    return choice.ends[1] - _gone_from(choice)


@kernel
def same_as(choice: Any) -> Any:
    """Return the latest option with the same eliminations as the pending one, or −1."""
    start = _gone_from(choice)
    count = choice.ends[1] - start
    name = _hash(choice, start, count)
    for option in range(choice.ends[0] - 1, -1, -1):
        row = choice.options[option]
        if row[HASH] == name and row[COUNT] == count:
            same = True
            for index in range(count):
                if choice.gone[row[GONE_FROM] + index] != choice.gone[start + index]:
                    same = False
                    break
            if same:
                return option
    return -1


@kernel
def drop(choice: Any) -> None:
    """Discard the eliminations of the pending option."""
    choice.ends[1] = _gone_from(choice)


@kernel
def add(choice: Any, code: int, first_key: int, second_key: int) -> bool:
    """Complete the pending option. Return False if it doesn't fit."""
    count = choice.ends[0]
    if count >= len(choice.options):
        choice.ends[3] = 1
        drop(choice)
        return False
    start = _gone_from(choice)
    row = choice.options[count]
    row[TYPE] = code
    row[GONE_FROM] = start
    row[COUNT] = choice.ends[1] - start
    row[FIRST_KEY] = first_key
    row[SECOND_KEY] = second_key
    row[NOTES_FROM] = row[NOTES_TO] = choice.ends[2]
    row[HASH] = _hash(choice, start, row[COUNT])
    row[SUM] = _sum(choice, start, row[COUNT])
    choice.ends[0] = count + 1
    return True


@kernel
def jot(choice: Any, tag: int, a: int, b: int) -> None:
    """Add a row to the description of the latest option."""
    end = choice.ends[2]
    if end + 3 > len(choice.notes):
        choice.ends[3] = 1
        return
    choice.notes[end] = tag
    choice.notes[end + 1] = a
    choice.notes[end + 2] = b
    choice.ends[2] = end + 3
    choice.options[choice.ends[0] - 1, NOTES_TO] = end + 3


@kernel
def _hash(choice: Any, start: int, count: int) -> Any:
    name = count
    for index in range(count):
        name = (name ^ choice.gone[start + index]) * 1099511628211
    return name


@kernel
def _sum(choice: Any, start: int, count: int) -> Any:
    """Return HoDoKu's sum: the values, plus the cells weighted by their position in the list."""
    total = 0
    for index in range(count):
        name = choice.gone[start + index]
        total += (name & 1023) * (1 + 80 * index) + (name >> 10)
    return total


@kernel
def _before(choice: Any, one: int, other: int) -> Any:
    """Compare two options: negative if `one` comes first, positive if `other` does, 0 if equal."""
    a, b = choice.options[one], choice.options[other]
    if a[COUNT] != b[COUNT]:
        return b[COUNT] - a[COUNT]
    equal = a[TYPE] == b[TYPE] and a[HASH] == b[HASH]
    if equal:
        for index in range(a[COUNT]):
            if choice.gone[a[GONE_FROM] + index] != choice.gone[b[GONE_FROM] + index]:
                equal = False
                break
    if not equal:
        return a[SUM] - b[SUM]
    if a[FIRST_KEY] != b[FIRST_KEY]:
        return a[FIRST_KEY] - b[FIRST_KEY]
    return a[SECOND_KEY] - b[SECOND_KEY]


@kernel
def best(choice: Any) -> Any:
    """Return the option that comes first after sorting, or −1 if there are no options."""
    count = choice.ends[0]
    order = choice.order
    for option in range(count):
        order[0, option] = option
    if count < _RUN:
        if count > 1:
            _insert(choice, 0, count, _run(choice, 0, count))
        return order[0, 0] if count else -1
    least, odd = count, 0
    while least >= _RUN:
        odd |= least & 1
        least >>= 1
    least += odd
    # A stack of runs to merge. The loop below keeps their lengths decreasing, as TimSort requires.
    starts, lengths = choice.runs[0], choice.runs[1]
    waiting = 0
    start = 0
    while start < count:
        length = _run(choice, start, count)
        if length < least:
            forced = min(least, count - start)
            _insert(choice, start, start + forced, start + length)
            length = forced
        starts[waiting], lengths[waiting] = start, length
        waiting += 1
        start += length
        while waiting > 1:
            at = waiting - 2
            if (at > 0 and lengths[at - 1] <= lengths[at] + lengths[at + 1]) or (
                at > 1 and lengths[at - 2] <= lengths[at] + lengths[at - 1]
            ):
                if lengths[at - 1] < lengths[at + 1]:
                    at -= 1
            elif lengths[at] > lengths[at + 1]:
                break
            waiting = _merge(choice, starts, lengths, at, waiting)
    while waiting > 1:
        at = waiting - 2
        if at > 0 and lengths[at - 1] < lengths[at + 1]:
            at -= 1
        waiting = _merge(choice, starts, lengths, at, waiting)
    return order[0, 0]


@kernel
def _run(choice: Any, start: int, end: int) -> Any:
    """Return the length of the run that begins at `start`, after reversing it if it descends."""
    order = choice.order
    at = start + 1
    if at == end:
        return 1
    descends = _before(choice, order[0, at], order[0, start]) < 0
    at += 1
    while at < end and (_before(choice, order[0, at], order[0, at - 1]) < 0) == descends:
        at += 1
    if descends:
        left, right = start, at - 1
        while left < right:
            order[0, left], order[0, right] = order[0, right], order[0, left]
            left += 1
            right -= 1
    return at - start


@kernel
def _insert(choice: Any, start: int, end: int, at: int) -> None:
    """Sort a range with binary insertion. The part before `at` is already sorted."""
    order = choice.order
    for index in range(max(at, start + 1), end):
        option = order[0, index]
        left, right = start, index
        while left < right:
            middle = (left + right) >> 1
            if _before(choice, option, order[0, middle]) < 0:
                right = middle
            else:
                left = middle + 1
        for place_of in range(index, left, -1):
            order[0, place_of] = order[0, place_of - 1]
        order[0, left] = option


@kernel
def _merge(choice: Any, starts: Any, lengths: Any, at: int, waiting: int) -> Any:
    """Merge a waiting run with the next one. Return the number of runs still waiting."""
    order = choice.order
    start, middle = starts[at], starts[at + 1]
    end = middle + lengths[at + 1]
    left, right = start, middle
    for index in range(start, end):
        if right >= end or (
            left < middle and _before(choice, order[0, right], order[0, left]) >= 0
        ):
            order[1, index] = order[0, left]
            left += 1
        else:
            order[1, index] = order[0, right]
            right += 1
    for index in range(start, end):
        order[0, index] = order[1, index]
    lengths[at] += lengths[at + 1]
    for index in range(at + 1, waiting - 1):
        starts[index], lengths[index] = starts[index + 1], lengths[index + 1]
    return waiting - 1
