"""Constructive disjunction: keep only the values that some option of an `or` constraint allows.

When nothing else propagates, each option is tried on its own (P. Van Hentenryck et al., 1998): its
constraints run once, and the results propagate to peers and along binary relations. Houses and
other propagators don't run during a trial, so that trials stay cheap. An option that restricts
nothing ends the trials, because the union with the other options can't restrict more. It is then
the first option to be tried the next time.
"""

import numpy as np

from solver.compiling.array_loops import copy, copy_rows, fill
from solver.compiling.bitops import ALL_ONES, ZERO
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.propagation import allowed_by, propagate
from solver.engines.general.backtracking.state import clear_work, schedule, set_domain

_NO, _YES = np.False_, np.True_


@kernel
def propagate_all(weight, tables, state):  # type: ignore[no-untyped-def]
    """Propagate to a fixpoint, disjunctions last; return False on a conflict.

    On a conflict, the cells of the failed constraint share the weight, so they are guessed sooner.
    """
    waiting = state.choosing.waiting
    while propagate(weight, tables, state):
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


@always_inline
def _choose(choice, weight, tables, state):  # type: ignore[no-untyped-def]
    """Restrict the grid to the union of a disjunction's options.

    Returns False if none is possible.
    """
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
    fill(work.in_queue, _NO)
    fill(work.lost, ZERO)
    for i in range(choices.propagators.shape[0]):
        work.in_queue[choices.propagators[i]] = True
    if not is_possible:
        share = 2 * weight / (choices.ranges[choice + 1] - choices.ranges[choice])
        for i in range(choices.ranges[choice], choices.ranges[choice + 1]):
            state.conflict_weights[choices.cells[i]] += share
        return False
    for cell in range(work.grid.shape[0] if not says_nothing else 0):
        set_domain(cell, room.kept[cell], tables.dependents, work)
    return True


@always_inline
def _try(option, tables, state):  # type: ignore[no-untyped-def]
    """Propagate one option; return False if it fails.

    All other propagators are marked as queued already, which keeps them from being scheduled.
    """
    choices, work, dependents = tables.choices, state.work, tables.dependents
    fill(work.in_queue, _YES)
    fill(work.lost, ALL_ONES)
    is_possible = True
    for i in range(choices.narrow_ranges[option], choices.narrow_ranges[option + 1]):
        cell = choices.narrow[i]
        is_possible &= set_domain(cell, work.grid[cell] & choices.words[i], dependents, work)
    for i in range(choices.pair_ranges[option], choices.pair_ranges[option + 1]):
        other = choices.pairs[i, 1]
        allowed = allowed_by(work.grid[choices.pairs[i, 0]], choices.tables[i], choices.allowed)
        is_possible &= set_domain(other, work.grid[other] & allowed, dependents, work)
    if not is_possible:
        clear_work(work)
        return False
    for i in range(choices.propagator_ranges[option], choices.propagator_ranges[option + 1]):
        work.in_queue[choices.propagators[i]] = False
        schedule(choices.propagators[i], work)
    return propagate(0.0, tables, state)
