"""Choices in plain search: what all options that are still possible have in common.

Where nothing else is left to deduce, each option is tried by itself (constructive disjunction: P.
Van Hentenryck et al., 1998): its parts are asked once, and what they leave goes from peers and
along relations. Houses and all other readers are not asked meanwhile, that a try costs little. An
option from which nothing follows ends it, for the others cannot rule out more together; so it is
the first to be tried the next time.
"""

import numpy as np

from solver.compiling.bits import ALL, ZERO
from solver.compiling.copying import copy, copy_rows
from solver.compiling.filling import fill
from solver.compiling.jit import bare, inlined
from solver.engines.general.backtracking.propagation import allowed_by, deduce
from solver.engines.general.backtracking.state import forget_work, leave, wake

_NO, _YES = np.False_, np.True_


@bare
def propagate(weight, tables, state):  # type: ignore[no-untyped-def]
    """Deduce until nothing is left, choices last; False at a dead end.

    At a dead end the cells of what failed share the weight, so that they are guessed sooner.
    """
    waiting = state.choosing.waiting
    while deduce(weight, tables, state):
        choice = 0
        while choice < waiting.shape[0] and not waiting[choice]:
            choice += 1
        if choice == waiting.shape[0]:
            return True
        waiting[choice] = False
        if not _choose(choice, weight, tables, state):
            break
    fill(waiting, _NO)
    return False


@inlined
def _choose(choice, weight, tables, state):  # type: ignore[no-untyped-def]
    """Leave what some option has; False if none is possible."""
    choices, room, work = tables.choices, state.choosing, state.work
    copy(work.grid, room.grid)
    copy_rows(work.places, room.places)
    fill(room.kept, ZERO)
    begin = choices.options[choice]
    many = choices.options[choice + 1] - begin
    is_possible, says_nothing = False, False
    for turn in range(many):
        option = (room.idle[choice] + turn) % many
        if _try(begin + option, tables, state):
            is_possible, says_nothing = True, True
            for cell in range(work.grid.shape[0]):
                room.kept[cell] |= work.grid[cell]
                says_nothing &= work.grid[cell] == room.grid[cell]
        copy(room.grid, work.grid)
        copy_rows(room.places, work.places)
        if says_nothing:
            room.idle[choice] = option
            break
    fill(work.is_waiting, _NO)
    fill(work.lost, ZERO)
    for i in range(choices.readers.shape[0]):
        work.is_waiting[choices.readers[i]] = True
    if not is_possible:
        share = 2 * weight / (choices.ranges[choice + 1] - choices.ranges[choice])
        for i in range(choices.ranges[choice], choices.ranges[choice + 1]):
            state.scores[choices.cells[i]] += share
        return False
    for cell in range(work.grid.shape[0] if not says_nothing else 0):
        leave(cell, room.kept[cell], tables.dependents, work)
    return True


@inlined
def _try(option, tables, state):  # type: ignore[no-untyped-def]
    """Keep an option, and see what follows; False at a dead end.

    That all others seem to wait already is what keeps them from being asked.
    """
    choices, work, dependents = tables.choices, state.work, tables.dependents
    fill(work.is_waiting, _YES)
    fill(work.lost, ALL)
    is_possible = True
    for i in range(choices.narrow_ranges[option], choices.narrow_ranges[option + 1]):
        cell = choices.narrow[i]
        is_possible &= leave(cell, work.grid[cell] & choices.words[i], dependents, work)
    for i in range(choices.pair_ranges[option], choices.pair_ranges[option + 1]):
        other = choices.pairs[i, 1]
        allowed = allowed_by(work.grid[choices.pairs[i, 0]], choices.tables[i], choices.allowed)
        is_possible &= leave(other, work.grid[other] & allowed, dependents, work)
    if not is_possible:
        forget_work(work)
        return False
    for i in range(choices.reader_ranges[option], choices.reader_ranges[option + 1]):
        work.is_waiting[choices.readers[i]] = False
        wake(choices.readers[i], work)
    return deduce(0.0, tables, state)
