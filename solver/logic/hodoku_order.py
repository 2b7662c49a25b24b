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
from solver.logic.deduction_buffer import OVERFLOW, begin, note
from solver.logic.deduction_rows import REMOVE

# Columns of `Options.entries`.
TYPE, COUNT, SUM, FIRST_KEY, SECOND_KEY, GONE_FROM, NOTES_FROM, NOTES_TO, HASH = range(9)
# Indices into `Options.ends`.
ENTRIES, ELIMINATIONS, NOTES, IS_FULL = range(4)
_RUN = 32  # shorter arrays are sorted with insertion alone


class Options(NamedTuple):
    """The deductions to choose from (options): their sort keys, eliminations, and descriptions.

    An option is built in three steps. `eliminate` collects its eliminations, `add` completes it,
    and `note_option` describes it.

        entries  (·, 9): one row per option: TYPE (the technique code), COUNT (the number of
                 eliminations), SUM (see `_sum`), FIRST_KEY and SECOND_KEY (further sort keys),
                 GONE_FROM (where its eliminations begin in `gone`), NOTES_FROM and NOTES_TO (the
                 range of its description in `notes`), HASH (of its eliminations)
        gone     the eliminations of all options as 1024 × value + cell, sorted within each option
        notes    the descriptions of all options, as rows (see `deduction_rows`)
        ends     (4,): the used lengths of `entries`, `gone`, and `notes`, and 1 if one of them
                 overflowed
        order    (2, ·): the sorted options, and scratch space for merging
        runs     (2, 64): the starts and lengths of the runs that wait to be merged
    """

    entries: Words
    gone: Ints
    notes: Ints
    ends: Words
    order: Words
    runs: Words


@helper
def new_options(entries: int) -> Any:
    """Return an empty `Options` with room for `entries` deductions to choose from."""
    return Options(
        np.empty((entries, 9), np.int64),
        np.empty(32 * entries, np.int32),
        np.empty(96 * entries, np.int32),
        np.zeros(4, np.int64),
        np.empty((2, entries), np.int64),
        np.empty((2, 64), np.int64),
    )


@kernel
def eliminate(options: Options, low: int, high: int, value: int) -> None:
    """Add eliminations of one value to the deduction being built in `options`.

    The value is removed from the set of cells `low`, `high` (two 64-bit words).
    """
    while low:
        eliminate_one(options, ctz(low), value)
        low &= low - 1
    while high:
        eliminate_one(options, 64 + ctz(high), value)
        high &= high - 1


@kernel
def eliminate_set(options: Options, cells: Words, value: int) -> None:
    """Add eliminations of one value to the deduction being built in `options`.

    The value is removed from the set `cells`, an array of 64-bit words.
    """
    for word in range(len(cells)):
        rest = cells[word]
        while rest:
            eliminate_one(options, 64 * word + ctz(rest), value)
            rest &= rest - 1


@kernel
def eliminate_one(options: Options, cell: int, value: int) -> None:
    """Add an elimination to the deduction being built in `options`.

    The eliminations are kept sorted and without duplicates. If there is no room for another one,
    the overflow flag is set instead.
    """
    start = _gone_from(options)
    end = options.ends[ELIMINATIONS]
    if end >= len(options.gone):
        options.ends[IS_FULL] = 1
        return
    name = 1024 * value + cell
    position = end
    while position > start and options.gone[position - 1] >= name:
        position -= 1
    if position < end and options.gone[position] == name:
        return
    for index in range(end, position, -1):
        options.gone[index] = options.gone[index - 1]
    options.gone[position] = name
    options.ends[ELIMINATIONS] = end + 1


@always_inline
def _gone_from(options: Options) -> Any:
    """Return the index in `options.gone` at which the deduction's eliminations begin.

    The deduction is the one that is being built.
    """
    count = options.ends[ENTRIES]
    if count == 0:
        return 0
    last = options.entries[count - 1]
    return last[GONE_FROM] + last[COUNT]


@kernel
def eliminations(options: Options) -> Any:
    """Return the number of distinct eliminations of the deduction being built so far."""
    return options.ends[ELIMINATIONS] - _gone_from(options)


@kernel
def same_as(options: Options) -> Any:
    """Return the index of a completed deduction with the eliminations of the unfinished one.

    The unfinished one is at the end of `options`. Returns the latest such deduction, −1 if there is
    none.
    """
    start = _gone_from(options)
    count = options.ends[ELIMINATIONS] - start
    name = _hash(options, start, count)
    for option in range(options.ends[ENTRIES] - 1, -1, -1):
        row = options.entries[option]
        if row[HASH] == name and row[COUNT] == count:
            same = True
            for index in range(count):
                if options.gone[row[GONE_FROM] + index] != options.gone[start + index]:
                    same = False
                    break
            if same:
                return option
    return -1


@kernel
def drop(options: Options) -> None:
    """Discard the eliminations collected so far for the deduction being built."""
    options.ends[ELIMINATIONS] = _gone_from(options)


@kernel
def add(options: Options, code: int, first_key: int, second_key: int) -> bool:
    """Store the deduction being built, with its technique code and two sort keys.

    Its eliminations must have been collected in `options`. Its description is added after this
    call, with `note_option`. If there is no room, discards the eliminations, sets the overflow
    flag, and returns False, otherwise returns True.
    """
    count = options.ends[ENTRIES]
    if count >= len(options.entries):
        options.ends[IS_FULL] = 1
        drop(options)
        return False
    start = _gone_from(options)
    row = options.entries[count]
    row[TYPE] = code
    row[GONE_FROM] = start
    row[COUNT] = options.ends[ELIMINATIONS] - start
    row[FIRST_KEY] = first_key
    row[SECOND_KEY] = second_key
    row[NOTES_FROM] = row[NOTES_TO] = options.ends[NOTES]
    row[HASH] = _hash(options, start, row[COUNT])
    row[SUM] = _sum(options, start, row[COUNT])
    options.ends[ENTRIES] = count + 1
    return True


@kernel
def note_option(options: Options, tag: int, a: int, b: int) -> None:
    """Append the row (tag, a, b) to the description of the latest deduction.

    This is the deduction that was last completed in `options`. If there is no room for the row, the
    overflow flag is set instead.
    """
    end = options.ends[NOTES]
    if end + 3 > len(options.notes):
        options.ends[IS_FULL] = 1
        return
    options.notes[end] = tag
    options.notes[end + 1] = a
    options.notes[end + 2] = b
    options.ends[NOTES] = end + 3
    options.entries[options.ends[ENTRIES] - 1, NOTES_TO] = end + 3


@kernel
def _hash(options: Options, start: int, count: int) -> Any:
    """Return a hash of a range of eliminations in `options.gone`, for fast comparisons."""
    name = count
    for index in range(count):
        name = (name ^ options.gone[start + index]) * 1099511628211
    return name


@kernel
def _sum(options: Options, start: int, count: int) -> Any:
    """Return HoDoKu's sort key for a range of eliminations in `options.gone`.

    The range has `count` eliminations and begins at index `start`. The key is the sum of their
    values and their cell numbers. Each cell number is multiplied by 1 + 80 × the position of the
    elimination in the range, from 0.
    """
    total = 0
    for index in range(count):
        name = options.gone[start + index]
        total += (name & 1023) * (1 + 80 * index) + (name >> 10)
    return total


@kernel
def _before(options: Options, one: int, other: int) -> Any:
    """Compare two deductions, given by their indices in `options`.

    Returns a negative number if `one` comes first, a positive one if `other` does, else 0.
    Deductions with more eliminations come first. With different techniques or eliminations, the
    lower `_sum` decides, otherwise the lower first key, then the lower second key.
    """
    a, b = options.entries[one], options.entries[other]
    if a[COUNT] != b[COUNT]:
        return b[COUNT] - a[COUNT]
    equal = a[TYPE] == b[TYPE] and a[HASH] == b[HASH]
    if equal:
        for index in range(a[COUNT]):
            if options.gone[a[GONE_FROM] + index] != options.gone[b[GONE_FROM] + index]:
                equal = False
                break
    if not equal:
        return a[SUM] - b[SUM]
    if a[FIRST_KEY] != b[FIRST_KEY]:
        return a[FIRST_KEY] - b[FIRST_KEY]
    return a[SECOND_KEY] - b[SECOND_KEY]


@kernel
def best(options: Options) -> Any:
    """Return the index of the deduction that HoDoKu would sort first, or −1 for none.

    It is an index into `options.entries`.
    """
    count = options.ends[ENTRIES]
    order = options.order
    for option in range(count):
        order[0, option] = option
    if count < _RUN:
        if count > 1:
            _insert(options, 0, count, _run(options, 0, count))
        return order[0, 0] if count else -1
    least, odd = count, 0
    while least >= _RUN:
        odd |= least & 1
        least >>= 1
    least += odd
    # A stack of runs to merge. The loop below keeps their lengths decreasing, as TimSort requires.
    starts, lengths = options.runs[0], options.runs[1]
    waiting = 0
    start = 0
    while start < count:
        length = _run(options, start, count)
        if length < least:
            forced = min(least, count - start)
            _insert(options, start, start + forced, start + length)
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
            waiting = _merge(options, starts, lengths, at, waiting)
    while waiting > 1:
        at = waiting - 2
        if at > 0 and lengths[at - 1] < lengths[at + 1]:
            at -= 1
        waiting = _merge(options, starts, lengths, at, waiting)
    return order[0, 0]


@kernel
def _run(options: Options, start: int, end: int) -> Any:
    """Return the length of a run of sorted deductions, and make it ascend.

    The run begins at position `start` of `options.order[0]`, and ends before position `end` at the
    latest. A descending run is reversed in place.
    """
    order = options.order
    at = start + 1
    if at == end:
        return 1
    descends = _before(options, order[0, at], order[0, start]) < 0
    at += 1
    while at < end and (_before(options, order[0, at], order[0, at - 1]) < 0) == descends:
        at += 1
    if descends:
        left, right = start, at - 1
        while left < right:
            order[0, left], order[0, right] = order[0, right], order[0, left]
            left += 1
            right -= 1
    return at - start


@kernel
def _insert(options: Options, start: int, end: int, at: int) -> None:
    """Sort a range of `options.order[0]` with binary insertion.

    The range has the positions `start` to `end` − 1. Those before position `at` are already sorted.
    """
    order = options.order
    for index in range(max(at, start + 1), end):
        option = order[0, index]
        left, right = start, index
        while left < right:
            middle = (left + right) >> 1
            if _before(options, option, order[0, middle]) < 0:
                right = middle
            else:
                left = middle + 1
        for position in range(index, left, -1):
            order[0, position] = order[0, position - 1]
        order[0, left] = option


@kernel
def _merge(options: Options, starts: Words, lengths: Words, at: int, waiting: int) -> Any:
    """Merge the sorted run number `at` with the next one. Return the number of runs left.

    `starts` and `lengths` describe the `waiting` runs that are still to be merged.
    """
    order = options.order
    start, middle = starts[at], starts[at + 1]
    end = middle + lengths[at + 1]
    left, right = start, middle
    for index in range(start, end):
        if right >= end or (
            left < middle and _before(options, order[0, right], order[0, left]) >= 0
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


@kernel
def write_option(buffer: Ints, options: Options, option: int) -> None:
    """Append an option, which is a deduction to choose from, to the deduction buffer.

    `option` is its index in `options`. Its technique, eliminations, and description become the rows
    of a new deduction. If they don't fit, the buffer's overflow flag is set.
    """
    row = options.entries[option]
    begin(buffer, row[TYPE])
    for index in range(row[GONE_FROM], row[GONE_FROM] + row[COUNT]):
        note(buffer, REMOVE, options.gone[index] & 1023, options.gone[index] >> 10)
    for index in range(row[NOTES_FROM], row[NOTES_TO], 3):
        note(buffer, options.notes[index], options.notes[index + 1], options.notes[index + 2])


@kernel
def write_options(buffer: Ints, options: Options, option: int, all_steps: int) -> None:
    """Write one deduction to the buffer, or all if `all_steps` is set.

    `option` is the index of the one in `options`, or −1 to write nothing. With `all_steps`, also
    sets the buffer's overflow flag if `options` overflowed. Options whose descriptions had no room
    are left out then.
    """
    if all_steps:
        for number in range(options.ends[ENTRIES]):
            if options.entries[number, NOTES_TO] < len(options.notes):
                write_option(buffer, options, number)
        if options.ends[IS_FULL]:
            buffer[OVERFLOW] = 1
    elif option >= 0:
        write_option(buffer, options, option)
