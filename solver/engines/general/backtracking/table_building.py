"""What reads cells, relations and sums, arranged for plain search by compiled code.

For a small puzzle NumPy's calls would take as long as the search. Lists of unequal length are
given one after the other, with the range of each.
"""

import numpy as np

from solver.compiling.bits import ONE
from solver.compiling.copying import copy
from solver.compiling.filling import fill, starts
from solver.compiling.jit import bare, compiled, inner
from solver.engines.general.graph import are_peers

# How much a relation counts where a cell is chosen; a sum, an automaton, a combination count as 1.
# Thousands of guesses on the 84 public variants: 203; 0: 210; 0.15: 209; 0.6: 207.
_RELATION = 0.3


@compiled
def arrange(cells, ranges, commons, pairs, pair_ranges, numbers, tables, peer_words):  # type: ignore[no-untyped-def]
    """Return what `state.Dependents` and `state.Relations` say of cells, in their order.

    Given are the cells and the commons of readers; the pairs of relations, the number of the table
    of each relation, and the tables. Where cells of a pair differ besides, no value goes with
    itself: that makes another table. Returned besides: which readers read some cell twice, and how
    much cells are bound at first.
    """
    count = peer_words.shape[0]
    reads_twice, readers, reader_ranges = _find_readers(cells, ranges, count)
    their_commons = np.empty(readers.shape[0], np.uint64)
    for i in range(readers.shape[0]):
        their_commons[i] = commons[readers[i]]
    related = np.empty(count, np.int32)  # of cells: in how many relations they are first
    fill(related, 0)
    for i in range(pairs.shape[0]):
        related[pairs[i, 0]] += 1
    ranges_of_cells = starts(related)
    is_related = np.empty(count, np.bool_)
    scores = np.empty(count, np.float64)
    places = np.empty(count, np.int32)
    for cell in range(count):
        is_related[cell] = related[cell] > 0
        read = reader_ranges[cell + 1] - reader_ranges[cell]
        scores[cell] = 1 + _RELATION * related[cell] + read
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
        (readers, reader_ranges, their_commons, is_related),
        (ranges_of_cells, others, table_of, allowed),
        reads_twice,
        scores,
    )


@inner
def _find_readers(cells, ranges, count):  # type: ignore[no-untyped-def]
    """Return which readers read a cell twice, and of each cell its readers, one after the other."""
    reads_twice = np.empty(ranges.shape[0] - 1, np.bool_)
    last = np.empty(count, np.int32)  # that read each cell
    fill(last, -1)
    many = np.empty(count, np.int32)
    fill(many, 0)
    for reader in range(reads_twice.shape[0]):
        reads_twice[reader] = False
        for i in range(ranges[reader], ranges[reader + 1]):
            if last[cells[i]] == reader:
                reads_twice[reader] = True
            else:
                last[cells[i]] = reader
                many[cells[i]] += 1
    reader_ranges = starts(many)
    places = many
    copy(reader_ranges[:count], places)
    fill(last, -1)
    readers = np.empty(reader_ranges[count], np.uint32)
    for reader in range(reads_twice.shape[0]):
        for i in range(ranges[reader], ranges[reader + 1]):
            cell = cells[i]
            if last[cell] != reader:
                last[cell] = reader
                readers[places[cell]] = reader
                places[cell] += 1
    return reads_twice, readers, reader_ranges


@compiled
def arrange_sums(cells, ranges, factors, house_cells, house_ranges, peer_words):  # type: ignore[no-untyped-def]
    """Return what `state.Sums` says of cells: them and their factors run by run, and the runs.

    Given are the cells of sums and their factors, and those of all houses. The cells of a sum with
    one factor are a run if they all differ, or else the most that lie in one house are the first.
    """
    run_cells = np.empty(cells.shape[0], np.uint32)
    run_factors = np.empty(cells.shape[0], np.int64)
    run_starts = np.empty(cells.shape[0], np.int32)
    run_ends = np.empty(cells.shape[0], np.int32)
    is_taken = np.empty(cells.shape[0], np.int32)
    fill(is_taken, 0)
    marks = np.empty(peer_words.shape[0], np.int32)  # 1 still without a run, 2 in the next
    fill(marks, 0)
    made = 0
    for number in range(ranges.shape[0] - 1):
        for i in range(ranges[number], ranges[number + 1]):
            if is_taken[i] > 0:
                continue
            left = 0
            for j in range(i, ranges[number + 1]):
                if factors[j] == factors[i]:
                    is_taken[j] = 1
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


@bare
def _do_differ(marks, peer_words):  # type: ignore[no-untyped-def]
    """Return whether all cells that are marked must differ."""
    for cell in range(marks.shape[0]):
        for other in range(cell if marks[cell] != 0 else 0):
            if marks[other] != 0 and not are_peers(peer_words, cell, other):
                return False
    return True


@bare
def _mark_run(is_one, marks, house_cells, house_ranges):  # type: ignore[no-untyped-def]
    """Mark the next run by 2: all cells if they are one, else the most in a house, or the first."""
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
