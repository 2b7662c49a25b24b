"""What plain search knows of a layout, and the state of a search.

A grid is one 64-bit word per cell, a bit per candidate:

    bit   63 … 8 7 6 5 4 3 2 1 0
    value 64 … 9 8 7 6 5 4 3 2 1

Lists of unequal length lie one after the other, with the range of each, or are closed by −1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bits import ALL, ONE, ZERO, first, is_single
from solver.compiling.filling import zero_rows, zeros
from solver.compiling.jit import bare, inlined, inner
from solver.engines.general.automaton_tables import AutomatonTables
from solver.engines.general.backtracking.region_tables import Groups, Regions, new_groups
from solver.engines.general.backtracking.sets_by_sum import SetsByTotal, sets_of
from solver.engines.general.mdd_propagation import Ways, new_ways

FEW = 3  # open cells of a sum of which all ways are looked at
MOST_VALUES = 9  # of boards all of whose sets are listed
Ints = NDArray[np.int32]
Places = NDArray[np.uint32]  # see `solver.compiling.arrays.joined`
Words = NDArray[np.uint64]

COUNTERS = np.dtype(
    [
        ("singles", np.int64),  # the lengths of the lists of singles,
        ("houses", np.int64),  # of houses
        ("changed", np.int64),  # and of changed cells
        ("queue_start", np.int64),  # both ends of the queue of readers, counted on and on
        ("queue_end", np.int64),
    ],
    align=True,
)


class Dependents(NamedTuple):
    """What must be looked at again when a cell changes.

    Its readers are the sums, the automata, the combinations, the enclosures, what compares lines
    of known ranks and what cuts the grid into regions, numbered one after the other. They need not
    look where only some of the values are gone that are one to them, their commons.
    """

    houses: Ints  # of cells (cells, most), closed by −1
    readers: Places  # of each cell
    reader_ranges: Ints
    commons: Words  # of each reader of each cell
    is_related: NDArray[np.bool_]  # of cells: relations begin there


class Houses(NamedTuple):
    """The full houses."""

    cells: Places  # (houses, size)
    words: Words  # (houses, words): the same as bits, see `solver.engines.general.graph`
    full: np.uint64  # all candidates
    few: np.int64  # places of a value that other cells may see all


class Relations(NamedTuple):
    """What the value of a cell allows in others: allowed[table, value] are bits."""

    ranges: Ints  # of cells
    others: Places
    tables: Ints
    allowed: Words  # (tables, size)


class Sums(NamedTuple):
    """Sum i has the cells in its range, run by run.

    A run is made of cells that all differ and have the same factor; `run_starts` and `run_ends`
    are given for each of its cells. Values are counted from 0, and targets made for that.
    """

    cells: Places
    ranges: Ints  # of sums
    factors: NDArray[np.int64]
    run_starts: Ints
    run_ends: Ints
    targets: NDArray[np.int64]  # of sums


class Combinations(NamedTuple):
    """The n-th has the cells in its range and the sets in its range."""

    cells: Places
    ranges: Ints
    sets: Words
    set_ranges: Ints


class Enclosures(NamedTuple):
    """The n-th has the cells in its range.

    The ways where k cells lie inside begin where the k-th of its first ways says, and end where
    the next one does.
    """

    cells: Places
    ranges: Ints
    every: Words  # of enclosures: all that the two cells may be,
    asked: Words  # and what may be needed of what no house asks for
    first_ways: Ints  # beside the cells
    lows: Words  # of ways: the values of the two cells
    highs: Words
    inside: Words  # of ways: the values between them
    outside: Words  # of ways: what the others may hold


class Rankings(NamedTuple):
    """The lines whose rank is known; others are given by the side of the grid where they begin."""

    sides: Ints  # (4, lines, size): their cells
    lines: Ints  # (rankings, size): their cells
    own: Ints  # of rankings: the side where the line begins
    answers: Ints  # (rankings, 3): the cells that say what the lines of the other sides are
    begins: Words  # of rankings: the value, as a bit
    less: Ints  # of rankings: how many lines that begin with it are less


class Choices(NamedTuple):
    """The n-th reads the cells in its range and has the options in its range.

    An option narrows some cells to words, relates pairs of cells, and has readers of its own, which
    are asked when it is tried.
    """

    first: np.int64  # reader that is a choice
    cells: Places
    ranges: Ints  # of choices
    options: Ints  # of choices
    narrow: Places
    words: Words
    narrow_ranges: Ints  # of options
    pairs: Places  # (pairs, 2): what the first cell has allows in the second
    tables: Ints  # of pairs
    pair_ranges: Ints  # of options
    allowed: Words  # (tables, size)
    readers: Places
    reader_ranges: Ints  # of options


class Tables(NamedTuple):
    """A layout as plain search wants it.

    In parts, for compiled functions are handed no more than they use: all of it would be
    hundreds of words to copy for each call, and long to compile.
    """

    dependents: Dependents
    present: Ints  # the cells that are no holes
    # (planes, cells, words): peers as bits, in a plane for each value if that matters, and then in
    # one, the last, for all values.
    peer_words: Words
    houses: Houses
    relations: Relations
    sums: Sums
    automata: AutomatonTables
    read_twice: NDArray[np.bool_]  # of automata: whether they read some cell twice
    combinations: Combinations
    enclosures: Enclosures
    rankings: Rankings
    regions: Regions
    choices: Choices
    scores: NDArray[np.float64]  # of cells, at first: how much they are bound


class Runs(NamedTuple):
    """Room for the runs of a sum."""

    unions: Words  # the candidates of open cells
    opens: NDArray[np.int64]  # how many are open
    sums: Words  # what the run can add, as bits
    before: Words  # what the runs before it can add up to
    spans: NDArray[np.int64]  # what it can add more than the least, or less than the most
    rows: NDArray[np.int64]  # where it begins in `reach`
    reach: Words  # [row of the n-th candidate, c]: sums of c of the candidates before it
    rest: Words  # [c]: what c chosen candidates leave to the others
    cells: Words  # of the n-th cell: what the cells before it can add up to
    steps: Words  # of the n-th cell: what it can add, as bits


class Open(NamedTuple):
    """Room for the open cells of a sum."""

    cells: Places
    factors: NDArray[np.int64]
    words: Words  # their candidates
    kept: Words  # what is left of these, or these turned


class Enclosing(NamedTuple):
    """Room for the cells of an enclosure."""

    words: Words  # their candidates
    before: Words  # those of the cells before each one, together
    kept: Words  # what is in some way


class Combining(NamedTuple):
    """Room for the cells of a combination."""

    words: Words  # their candidates
    own: Words  # what they can hold of a set
    kept: Words  # what they can hold of any


class Choosing(NamedTuple):
    """Room to try options, and which choices wait."""

    grid: Words  # before
    places: Words  # (values, words): before
    kept: Words  # what some option leaves
    waiting: NDArray[np.bool_]  # of choices
    idle: Ints  # of choices: the option from which nothing followed the last time


class Work(NamedTuple):
    """The grid, and what is still to be looked at."""

    grid: Words
    places: Words  # (values, words): which cells have a value left, bits like those of peers
    singles: Ints
    houses: Ints
    lost: Words  # of houses: what lost a place since they were looked at; 0: not in the list
    changed: Ints
    is_changed: NDArray[np.bool_]  # of cells: are in the list
    queue: Ints
    is_waiting: NDArray[np.bool_]  # of readers: are in the queue
    counters: NDArray[np.void]  # (1,), COUNTERS


class State(NamedTuple):
    """The state of a search, and room to work in."""

    work: Work
    scores: NDArray[np.float64]  # of cells: how often they were in a dead end
    runs: Runs
    opened: Open
    sets: SetsByTotal
    ways: Ways
    enclosing: Enclosing
    combining: Combining
    choosing: Choosing
    groups: Groups


@inner
def new_state(tables):  # type: ignore[no-untyped-def]
    """Return room for searches."""
    _, cells, words = tables.peer_words.shape
    houses = tables.houses.cells.shape[0]
    size = tables.houses.cells.shape[1]
    readers = (
        tables.sums.targets.shape[0]
        + tables.automata.first_states.shape[0]
        + tables.combinations.ranges.shape[0]
        + tables.enclosures.ranges.shape[0]
        - 2
        + (tables.rankings.lines.shape[0] > 0)
        + (tables.regions.total > 0)
        + tables.choices.ranges.shape[0]
        - 1
    )
    most_cells, most_runs = _most_of_a_sum(tables.sums)
    runs = Runs(
        zeros(most_runs, np.uint64),
        zeros(most_runs, np.int64),
        zeros(most_runs, np.uint64),
        zeros(most_runs, np.uint64),
        zeros(most_runs, np.int64),
        zeros(most_runs, np.int64),
        zero_rows(most_runs * (size + 1), size + 1, np.uint64),
        zeros(size + 1, np.uint64),
        zeros(most_cells, np.uint64),
        zeros(most_cells, np.uint64),
    )
    room = max(FEW, most_cells)
    opened = Open(
        zeros(room, np.uint32),
        zeros(room, np.int64),
        zeros(room, np.uint64),
        zeros(room, np.uint64),
    )
    sets = sets_of(size if most_cells > FEW and size <= MOST_VALUES else 0)
    work = Work(
        zeros(cells, np.uint64),
        zero_rows(size, words, np.uint64),
        np.empty(2 * cells, np.int32),
        np.empty(houses, np.int32),
        zeros(houses, np.uint64),
        np.empty(cells, np.int32),
        zeros(cells, np.bool_),
        np.empty(max(1, readers), np.int32),
        zeros(readers, np.bool_),
        np.zeros(1, COUNTERS),
    )
    scores = zeros(cells, np.float64)
    enclosed = tables.enclosures.cells.shape[0] + 1
    enclosing = Enclosing(
        zeros(enclosed, np.uint64), zeros(enclosed, np.uint64), zeros(enclosed, np.uint64)
    )
    combined = tables.combinations.cells.shape[0] + 1
    combining = Combining(
        zeros(combined, np.uint64), zeros(combined, np.uint64), zeros(combined, np.uint64)
    )
    choices = tables.choices.ranges.shape[0] - 1
    choosing = Choosing(
        zeros(cells, np.uint64),
        zero_rows(size, words, np.uint64),
        zeros(cells, np.uint64),
        zeros(choices, np.bool_),
        zeros(choices, np.int32),
    )
    for i in range(tables.choices.readers.shape[0]):
        work.is_waiting[tables.choices.readers[i]] = True  # for ever, that nobody asks them
    groups = new_groups(tables.regions)
    return State(
        work,
        scores,
        runs,
        opened,
        sets,
        new_ways(tables.automata),
        enclosing,
        combining,
        choosing,
        groups,
    )


@inner
def _most_of_a_sum(sums):  # type: ignore[no-untyped-def]
    """Return how many cells and how many runs a sum has at most."""
    most_cells, most_runs = 1, 1
    for i in range(sums.targets.shape[0]):
        runs = 0
        for k in range(sums.ranges[i], sums.ranges[i + 1]):
            runs += sums.run_starts[k] == k
        most_cells = max(most_cells, sums.ranges[i + 1] - sums.ranges[i])
        most_runs = max(most_runs, runs)
    return most_cells, most_runs


@inlined
def reduce(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Leave the given candidates, fewer than before, in a cell; False if there are none."""
    gone = work.grid[cell] ^ word
    work.grid[cell] = word
    if word == ZERO:
        return False
    if gone == ZERO:  # it was written before, with whatever else
        gone = ALL
    else:
        _take_away(cell, gone, work.places)
    counters = work.counters[0]
    if is_single(word):
        work.singles[counters.singles] = cell
        counters.singles += 1
    for i in range(dependents.houses.shape[1]):
        house = dependents.houses[cell, i]
        if house < 0:
            break
        touch(house, gone, work)
    for i in range(dependents.reader_ranges[cell], dependents.reader_ranges[cell + 1]):
        common = dependents.commons[i]
        if gone & ~common != ZERO or word & common == ZERO:
            wake(dependents.readers[i], work)
    if dependents.is_related[cell] and not work.is_changed[cell]:
        work.is_changed[cell] = True
        work.changed[counters.changed] = cell
        counters.changed += 1
    return True


@inlined
def _take_away(cell, gone, places):  # type: ignore[no-untyped-def]
    """Note that values are gone from a cell."""
    number = np.uint64(cell) >> np.uint64(6)
    if number >= np.uint64(places.shape[1]):
        return
    bit = ONE << (np.uint64(cell) & np.uint64(63))
    while gone != ZERO:
        places[np.uint64(first(gone)), number] ^= bit
        gone &= gone - ONE


@bare
def list_places(grid, places):  # type: ignore[no-untyped-def]
    """List the cells that have each value, of those that have peers."""
    for value in range(places.shape[0]):
        by = np.uint64(value)
        for number in range(places.shape[1]):
            begin = 64 * number
            word = ZERO
            for k in range(min(64, grid.shape[0] - begin)):
                word |= ((grid[begin + k] >> by) & ONE) << np.uint64(k)
            places[value, number] = word


@bare
def leave(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Leave the given candidates, or all as before, in a cell; False if there are none."""
    return work.grid[cell] == word or reduce(cell, word, dependents, work)


@inlined
def touch(house, gone, work):  # type: ignore[no-untyped-def]
    """Put a house on the list, given the values that lost a place there."""
    if work.lost[house] == ZERO:
        counters = work.counters[0]
        work.houses[counters.houses] = house
        counters.houses += 1
    work.lost[house] |= gone


@inlined
def wake(reader, work):  # type: ignore[no-untyped-def]
    """Put a reader into the queue."""
    if not work.is_waiting[reader]:
        counters = work.counters[0]
        work.is_waiting[reader] = True
        work.queue[counters.queue_end % work.queue.shape[0]] = reader
        counters.queue_end += 1


@inlined
def forget_work(work):  # type: ignore[no-untyped-def]
    """Empty all lists, after a dead end."""
    counters = work.counters[0]
    counters.singles = 0
    while counters.houses > 0:
        counters.houses -= 1
        work.lost[work.houses[counters.houses]] = ZERO
    while counters.changed > 0:
        counters.changed -= 1
        work.is_changed[work.changed[counters.changed]] = False
    while counters.queue_start < counters.queue_end:
        work.is_waiting[work.queue[counters.queue_start % work.queue.shape[0]]] = False
        counters.queue_start += 1
