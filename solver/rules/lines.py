"""Line constraints that read the cells in order, each with a small automaton."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from solver.board.automaton import Automaton
from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.primitive_constraints import Part, Regular
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
)
from solver.rules.wording import Wording

_BITS = 400  # of sums, which cost one unit of work


def _ends_first(cells: Cells) -> Cells:
    return (cells[0], cells[-1], *cells[1:-1])


def _between(length: int, value: int, numbers: range) -> Registers:
    """Return the automaton of a between line, which reads both ends, then the other cells.

    It accepts if the other cells are strictly between the ends. `length` and `value` are unused.
    State: the lesser and the greater end.
    """
    del length, value
    top = numbers[-1]

    def follow(place: int, number: Numbers, least: Numbers, most: Numbers) -> tuple[Held, ...]:
        if place < 2:
            return np.minimum(least, number), np.maximum(most, number)
        return np.where((least < number) & (number < most), least, NOWHERE), most

    return Registers((top + 1,) * 2, [(top, 0)], follow, lambda *_: True, lambda place: place < 2)


def _lockout(length: int, value: int, numbers: range) -> Registers:
    """Return the automaton of a lockout line, which reads both ends, then the other cells.

    It accepts if the ends differ by at least `value`, and no other cell is equal to one of them or
    between them. State: the lesser and the greater end.
    """
    del length
    top = numbers[-1]

    def follow(place: int, number: Numbers, least: Numbers, most: Numbers) -> tuple[Held, ...]:
        if place == 0:
            return number, number
        if place == 1:
            far = abs(number - least) >= value
            return np.where(far, np.minimum(least, number), NOWHERE), np.maximum(most, number)
        return np.where((least <= number) & (number <= most), NOWHERE, least), most

    return Registers((top + 1,) * 2, [(0, 0)], follow, lambda *_: True, _beginning)


def _beginning(place: int) -> int:
    """Return the phase of a place: 0 for the first one, 1 for the second, 2 for all others."""
    return min(place, 2)


def _split(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts lines that fall into segments with the sum `value`.

    The sum must be 1 or more. State: the sum of the current segment so far.
    """
    target = value

    def follow(place: int, number: Numbers, total: Numbers) -> tuple[Held, ...]:
        del place
        total = total + number
        return (np.where(total > target, NOWHERE, total % target),)

    sums = min(target, length * numbers[-1] + 1)  # up to the largest sum of the cells
    return Registers((sums,), [(0,)], follow, lambda total: total == 0, one_phase)


@lru_cache(maxsize=64)
def _loop(length: int, target: int, numbers: range) -> Automaton:
    """Return an automaton that accepts closed lines that fall into segments with the sum `target`.

    A closed line continues from its last cell to its first. State: the sum of the current segment
    so far. The cells may begin in the middle of a segment, so the automaton is closed, too: it must
    end in the state where it began. It also accepts lines of zeros alone.
    """
    totals = np.arange(target)[:, None] + np.array(numbers)
    steps = np.where(totals > target, -1, totals % target).astype(np.int32)
    return Automaton(
        np.zeros(length, np.int32),
        np.arange(len(numbers), dtype=np.int32),
        np.arange(target, dtype=np.int32)[None],
        steps,
        np.zeros(target, np.bool_),
        length * int(np.count_nonzero(steps >= 0)),
        is_closed=True,
    )


def _loop_by_sets(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that accepts the lines of `_loop`, but begins in a fixed state.

    Unlike `_loop`, it isn't closed, and doesn't accept lines of zeros alone. It is used for large
    sums or reification, which don't allow closed automata. `value` is the sum of a segment, the
    target. State: (possible sums of the segment so far as bits, sum of all cells modulo the target,
    whether any cell was not 0). `length` and `numbers` are unused.
    """
    del length, numbers
    # At first, the possible sums are those that the last cells of the line can contribute to the
    # first segment. A number shifts all of them by the same amount, so the line closes if the sum
    # of all cells is a multiple of the target.
    every = (1 << value) - 1

    def follow(
        state: tuple[int, int, bool], number: int, place: int
    ) -> tuple[int, int, bool] | None:
        del place
        sums, total, began = state
        if number > value:
            return None
        # complete segments start again at 0
        after = sums << number & every | sums >> value - number & 1
        return (after, (total + number) % value, began or number > 0) if after else None

    work = 2 + value // _BITS
    return Machine(
        (every, 0, False), follow, lambda state: state[2] and state[1] == 0, one_phase, work=work
    )


def _are_some(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that accepts if at least one number is greater than 0.

    All three parameters are unused. State: whether there was one.
    """
    del length, value, numbers
    return Registers(
        (2,),
        [(0,)],
        lambda _, number, some: (some | (number > 0),),
        lambda some: some == 1,
        one_phase,
    )


def _sum_loop(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a sum loop: the closed line falls into segments, and some cell isn't 0.

    Returns an error message if the sum is below 1, or if an automaton is too large.
    """
    if not 1 <= constraint.number <= MOST_IN_A_WORD:
        return _LOOP_BY_SETS(constraint, layout)
    cells = constraint.cells
    loop = Regular(cells, _loop(len(cells), constraint.number, layout.numbers))
    if layout.lowest > 0:
        return (loop,)
    some = _SOME(constraint, layout)
    return some if isinstance(some, str) else (loop, *some)


def _cut_by(machine_for: MachineFor) -> Callable[[Constraint, Layout], tuple[Part, ...] | str]:
    """Return the function that compiles constraints whose lines are cut into segments of one sum.

    The sum is the constraint's parameter, and `machine_for` defines the automaton. The function
    returns the constraint's parts, or an error message for a sum below 1.
    """
    read = read_by(machine_for)

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        if constraint.number < 1:
            return fault_in(
                constraint, f"needs a 'sum' of 1 or more, not {constraint.number}", layout
            )
        return read(constraint, layout)

    return parts


_LOOP_BY_SETS = _cut_by(_loop_by_sets)
_SOME = read_by(_are_some)


def _index(length: int, value: int, numbers: range) -> Registers:
    """Return the automaton of an index line: the first number must appear a second time.

    Its cell is as many cells after the second cell as the number in the second cell. `value` is
    unused. State: the number to find, and the cells left until it, or 0 if it was found.
    """
    del value
    most = min(length - 2, numbers[-1])

    def follow(place: int, number: Numbers, wanted: Numbers, ahead: Numbers) -> tuple[Held, ...]:
        if place == 0:
            return number, 0
        if place == 1:
            return wanted, np.where(number > 0, number, NOWHERE)
        missed = (ahead == 1) & (number != wanted)
        return wanted, np.where(missed, NOWHERE, np.maximum(ahead - 1, 0))

    return Registers(
        (numbers[-1] + 1, most + 1), [(0, 0)], follow, lambda _, ahead: ahead == 0, _beginning
    )


LINE_RULES = (
    Rule(
        "between",
        Wording(
            "Between line", "Digits on the line lie strictly between the digits in the end circles."
        ),
        '{"type": "between", "cells": ["r2c2", "r2c3", "r3c4", "r3c5"]}',
        read_by(_between, _ends_first, settled=3),
        least=3,
        repeats=True,
    ),
    Rule(
        "lockout",
        Wording(
            "Lockout line",
            "The end digits differ by at least {value}; no digit on the line "
            "is equal to or between them.",
            parameter="N (4 unless stated)",
        ),
        '{"type": "lockout", "cells": ["r2c2", "r2c3", "r3c4", "r3c5"]}',
        read_by(_lockout, _ends_first, settled=3),
        value="value",
        usual=4,
        repeats=True,
    ),
    Rule(
        "sumline",
        Wording(
            "Sum line",
            "The line divides into segments that each sum to {value}.",
            parameter="N",
            other_names=("10-line",),
        ),
        '{"type": "sumline", "cells": ["r2c2", "r2c3", "r3c4", "r3c5"], "sum": 10}',
        _cut_by(_split),
        least=1,
        value="sum",
        repeats=True,
    ),
    Rule(
        "sumloop",
        Wording(
            "Sum loop",
            "The closed line divides into segments that each sum to {value}.",
            parameter="N",
        ),
        '{"type": "sumloop", "cells": ["r2c2", "r2c3", "r3c3", "r3c2"], "sum": 10}',
        _sum_loop,
        least=1,
        value="sum",
        repeats=True,
        reified_as=_LOOP_BY_SETS,
    ),
    Rule(
        "indexline",
        Wording(
            "Value indexing",
            "The digit in the ring appears again N cells after the dot, where "
            "N is the digit at the dot.",
            other_names=("Indexing line",),
            note="The first cell has the ring, the second cell has the dot.",
        ),
        '{"type": "indexline", "cells": ["r2c2", "r2c3", "r3c4", "r3c5"]}',
        read_by(_index),
        least=3,
        repeats=True,
    ),
)
