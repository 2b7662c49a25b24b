"""Compiled code that builds the tables of propagators, relations, and sums.

NumPy calls would take as long as the search of a small puzzle. Lists of unequal length are
concatenated to one array, and list n has the items from ranges[n] to ranges[n + 1].

A run is a group of cells of one sum that have the same factor and must all differ, so that they
have fewer possible sums (see `run_sums`).
"""

import numpy as np

from solver.compiling.array_loops import copy, fill, offsets_from, zeros
from solver.compiling.bitops import ONE
from solver.compiling.jit import compiled, helper, kernel
from solver.engines.general.graph import are_peers

# Initial weight of a relation in the choice of a cell; a sum, an automaton, and a value set count
# 1. Thousands of guesses on the 84 public variants: 203; with 0: 210; 0.15: 209; 0.6: 207.
_RELATION = 0.3


@compiled
def build_tables(cells, ranges, commons, pairs, pair_ranges, numbers, tables, peer_words):  # type: ignore[no-untyped-def]
    """Return the fields of `Dependents` without its houses, and the fields of `Relations`.

    These are two tuples in the order of the fields. Also returns, per propagator, whether it reads
    a cell twice, and the initial conflict weights of the cells.

    cells, ranges       the cells of each propagator
    commons             per propagator: the values that it doesn't distinguish
    pairs, pair_ranges  the cell pairs of each relation
    numbers             per relation: the index of its table in `tables`
    tables              (tables, size): the values allowed in the second cell, by that of the first
    peer_words          (cells, words): the peers of each cell as bits

    The returned relations have each table twice. The second half are copies that don't allow equal
    values. They are used for pairs of cells that must differ.
    """
    count = peer_words.shape[0]
    reads_twice, propagators, propagator_ranges = _find_propagators(cells, ranges, count)
    propagator_commons = np.empty(propagators.shape[0], np.uint64)
    for i in range(propagators.shape[0]):
        propagator_commons[i] = commons[propagators[i]]
    related = zeros(count, np.int32)  # per cell: the number of relations that start there
    for i in range(pairs.shape[0]):
        related[pairs[i, 0]] += 1
    ranges_of_cells = offsets_from(related)
    is_related = np.empty(count, np.bool_)
    conflict_weights = np.empty(count, np.float64)
    places = np.empty(count, np.int32)
    for cell in range(count):
        is_related[cell] = related[cell] > 0
        read = propagator_ranges[cell + 1] - propagator_ranges[cell]
        conflict_weights[cell] = 1 + _RELATION * related[cell] + read
        places[cell] = ranges_of_cells[cell]
    others = np.empty(pairs.shape[0], np.uint32)
    table_of = np.empty(pairs.shape[0], np.int32)
    for relation in range(numbers.shape[0]):
        for i in range(pair_ranges[relation], pair_ranges[relation + 1]):
            first, second = pairs[i, 0], pairs[i, 1]
            others[places[first]] = second
            besides = tables.shape[0] * are_peers(peer_words, first, second)
            table_of[places[first]] = numbers[relation] + besides
            places[first] += 1
    allowed = np.empty((2 * tables.shape[0], tables.shape[1]), np.uint64)
    for table in range(tables.shape[0]):
        for value in range(tables.shape[1]):
            word = tables[table, value]
            allowed[table, value] = word
            allowed[tables.shape[0] + table, value] = word & ~(ONE << np.uint64(value))
    return (
        (propagators, propagator_ranges, propagator_commons, is_related),
        (ranges_of_cells, others, table_of, allowed),
        reads_twice,
        conflict_weights,
    )


@helper
def _find_propagators(cells, ranges, count):  # type: ignore[no-untyped-def]
    """Return whether each propagator reads a cell twice, and which propagators read each cell.

    `cells` and `ranges` are the cells of each propagator, and `count` is the number of cells of the
    board. The propagators that read each cell are returned in CSR form: the concatenated numbers,
    and the offsets per cell.
    """
    reads_twice = np.empty(ranges.shape[0] - 1, np.bool_)
    last = np.empty(count, np.int32)  # the last propagator that read each cell
    fill(last, -1)
    many = zeros(count, np.int32)
    for propagator in range(reads_twice.shape[0]):
        reads_twice[propagator] = False
        for i in range(ranges[propagator], ranges[propagator + 1]):
            if last[cells[i]] == propagator:
                reads_twice[propagator] = True
            else:
                last[cells[i]] = propagator
                many[cells[i]] += 1
    propagator_ranges = offsets_from(many)
    places = many
    copy(propagator_ranges[:count], places)
    fill(last, -1)
    propagators = np.empty(propagator_ranges[count], np.uint32)
    for propagator in range(reads_twice.shape[0]):
        for i in range(ranges[propagator], ranges[propagator + 1]):
            cell = cells[i]
            if last[cell] != propagator:
                last[cell] = propagator
                propagators[places[cell]] = propagator
                places[cell] += 1
    return reads_twice, propagators, propagator_ranges


@compiled
def build_sum_tables(cells, ranges, factors, house_cells, house_ranges, peer_words):  # type: ignore[no-untyped-def]
    """Split each sum into runs, and return the sums' cells in the order of the runs.

    The cells of a sum with the same factor are one run if they all differ. Otherwise, the first run
    has as many of them as possible that lie in one house, the next run has as many as possible of
    the rest, and so on.

    The arguments are the cells of the sums with their ranges and factors, the cells of all houses
    with their ranges, and the peers of each cell as bits. Returns four arrays with one item per
    cell of the sums: the cell, its factor, and the start and the end of its run.
    """
    run_cells = np.empty(cells.shape[0], np.uint32)
    run_factors = np.empty(cells.shape[0], np.int64)
    run_starts = np.empty(cells.shape[0], np.int32)
    run_ends = np.empty(cells.shape[0], np.int32)
    is_taken = zeros(cells.shape[0], np.bool_)
    marks = zeros(peer_words.shape[0], np.int32)  # 1: not in a run yet; 2: in the next run
    made = 0
    for number in range(ranges.shape[0] - 1):
        for i in range(ranges[number], ranges[number + 1]):
            if is_taken[i]:
                continue
            left = 0
            for j in range(i, ranges[number + 1]):
                if factors[j] == factors[i]:
                    is_taken[j] = True
                    left += marks[cells[j]] == 0
                    marks[cells[j]] = 1
            is_one = _do_differ(marks, peer_words)
            while left > 0:
                start = made
                _mark_run(is_one, marks, house_cells, house_ranges)
                for cell in range(marks.shape[0]):
                    if marks[cell] == 2:
                        marks[cell] = 0
                        run_cells[made] = cell
                        made += 1
                for place in range(start, made):
                    run_factors[place] = factors[i]
                    run_starts[place], run_ends[place] = start, made
                left -= made - start
    return run_cells, run_factors, run_starts, run_ends


@kernel
def _do_differ(marks, peer_words):  # type: ignore[no-untyped-def]
    """Return whether all cells with a nonzero mark must differ from each other."""
    for cell in range(marks.shape[0]):
        for other in range(cell if marks[cell] != 0 else 0):
            if marks[other] != 0 and not are_peers(peer_words, cell, other):
                return False
    return True


@kernel
def _mark_run(is_one, marks, house_cells, house_ranges):  # type: ignore[no-untyped-def]
    """Choose the cells of the next run, and change their marks from 1 (in no run yet) to 2.

    If `is_one`, all cells marked with 1 are one run. Otherwise, the run consists of those in the
    house that contains the most of them, or only of the lowest one if no house contains two.
    """
    best, most = -1, 1
    for house in range(0 if is_one else house_ranges.shape[0] - 1):
        many = 0
        for i in range(house_ranges[house], house_ranges[house + 1]):
            many += marks[house_cells[i]]
        if many > most:
            best, most = house, many
    if best >= 0:
        for i in range(house_ranges[best], house_ranges[best + 1]):
            marks[house_cells[i]] *= 2
        return
    for cell in range(marks.shape[0]):
        if marks[cell] == 1:
            marks[cell] = 2
            if not is_one:
                return
