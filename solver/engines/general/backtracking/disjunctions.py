"""Constructive disjunction: keep only the values that some option of an `or` constraint allows.

When nothing else propagates, each option is tried on its own (P. Van Hentenryck et al., 1998): its
constraints run, and the results propagate to peers and along binary relations. Houses and all other
propagators don't run during a trial, so that trials stay cheap. An option that restricts nothing
ends the trials, because the union with the other options can't restrict anything then. It will be
the first option to be tried the next time.
"""

import numpy as np

from solver.compiling.array_loops import copy, copy_rows, fill
from solver.compiling.bitops import ALL_ONES, ZERO
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.domains import clear_work, schedule, set_domain
from solver.engines.general.backtracking.propagation import allowed_by, bump_weights, propagate

_NO, _YES = np.False_, np.True_


@kernel
def propagate_all(weight, tables, state):  # type: ignore[no-untyped-def]
    """Propagate all constraints to a fixpoint, disjunctions last.

    Returns False on a conflict. All queues are then empty, and the conflict weights of the cells
    that take part in the conflict have grown, in proportion to `weight`.
    """
    in_queue = state.trial.in_queue
    while propagate(weight, tables, state):
        number = 0
        while number < in_queue.shape[0] and not in_queue[number]:
            number += 1
        if number == in_queue.shape[0]:
            return True
        in_queue[number] = False
        if not _propagate_disjunction(number, tables, state):
            propagator = tables.disjunctions.first_propagator + number
            bump_weights(propagator, weight, tables.propagators, state.conflict_weights)
            break
    fill(in_queue, _NO)
    return False


@always_inline
def _propagate_disjunction(number, tables, state):  # type: ignore[no-untyped-def]
    """Restrict each cell to the values that it has in some option of a disjunction.

    `number` is the index of the disjunction. All other queues must be empty. The options are tried
    one after the other. If one of them restricts nothing, the trials end, and it will be tried
    first the next time. Returns False if no option is possible.
    """
    disjunctions, trial, work = tables.disjunctions, state.trial, state.work
    copy(work.grid, trial.grid)
    copy_rows(work.places, trial.places)
    fill(trial.kept, ZERO)
    start = disjunctions.option_ranges[number]
    options = disjunctions.option_ranges[number + 1] - start
    is_possible, restricts_nothing = False, False
    for turn in range(options):
        option = (trial.idle[number] + turn) % options
        if _try(start + option, tables, state):
            is_possible, restricts_nothing = True, True
            for cell in range(work.grid.shape[0]):
                trial.kept[cell] |= work.grid[cell]
                restricts_nothing &= work.grid[cell] == trial.grid[cell]
        copy(trial.grid, work.grid)
        copy_rows(trial.places, work.places)
        if restricts_nothing:
            trial.idle[number] = option
            break
    fill(work.in_queue, _NO)
    fill(work.lost, ZERO)
    for i in range(disjunctions.propagators.shape[0]):
        work.in_queue[disjunctions.propagators[i]] = True
    if not is_possible:
        return False
    for cell in range(work.grid.shape[0] if not restricts_nothing else 0):
        set_domain(cell, trial.kept[cell], tables.dependents, work)
    return True


@always_inline
def _try(option, tables, state):  # type: ignore[no-untyped-def]
    """Restrict the grid by one option of a disjunction. Return False on a conflict.

    `option` is the number of the option among those of all disjunctions. Only its own propagators
    run. All others, and the houses, are marked as queued already, so that they aren't scheduled.
    The caller restores the grid and these marks.
    """
    disjunctions, work, dependents = tables.disjunctions, state.work, tables.dependents
    fill(work.in_queue, _YES)
    fill(work.lost, ALL_ONES)
    is_possible = True
    ranges = disjunctions.domain_ranges
    for i in range(ranges[option], ranges[option + 1]):
        cell = disjunctions.domain_cells[i]
        domain = work.grid[cell] & disjunctions.domains[i]
        is_possible &= set_domain(cell, domain, dependents, work)
    ranges = disjunctions.pair_ranges
    for i in range(ranges[option], ranges[option + 1]):
        cell, other = disjunctions.pairs[i, 0], disjunctions.pairs[i, 1]
        allowed = allowed_by(work.grid[cell], disjunctions.pair_tables[i], disjunctions.allowed)
        is_possible &= set_domain(other, work.grid[other] & allowed, dependents, work)
    if not is_possible:
        clear_work(work)
        return False
    ranges = disjunctions.propagator_ranges
    for i in range(ranges[option], ranges[option + 1]):
        work.in_queue[disjunctions.propagators[i]] = False
        schedule(disjunctions.propagators[i], work)
    return propagate(0.0, tables, state)
