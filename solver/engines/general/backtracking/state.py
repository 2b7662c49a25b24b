"""The tables of a layout for backtracking search, and the state of a search.

A grid is one 64-bit word per cell, one bit per candidate:

    bit   63 … 8 7 6 5 4 3 2 1 0
    value 64 … 9 8 7 6 5 4 3 2 1

Lists of unequal length are concatenated, with the range of each, or end with −1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import zero_rows, zeros
from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz
from solver.compiling.jit import always_inline, helper, kernel
from solver.engines.general.automaton_tables import AutomatonTables
from solver.engines.general.backtracking.region_tables import Groups, Regions, new_groups
from solver.engines.general.backtracking.sets_by_sum import SetsByTotal, sets_of
from solver.engines.general.mdd_propagation import Supports, new_supports

FEW = 3  # open cells of a sum up to which every combination is checked
MOST_VALUES = 9  # values of a board up to which all sets of values are listed
Ints = NDArray[np.int32]
Places = NDArray[np.uint32]  # concatenated lists, see `solver.compiling.ragged.csr`
Words = NDArray[np.uint64]

COUNTERS = np.dtype(
    [
        ("singles", np.int64),  # the lengths of the queues of singles,
        ("houses", np.int64),  # of houses,
        ("changed", np.int64),  # and of changed cells
        # both ends of the ring buffer of propagators, as ever-increasing numbers
        ("queue_start", np.int64),
        ("queue_end", np.int64),
    ],
    align=True,
)


class Dependents(NamedTuple):
    """What has to be examined again when a cell changes.

    The propagators are the sums, automata, value sets, sandwiches, full ranks, connected regions,
    and disjunctions, numbered consecutively. A propagator isn't scheduled if the cell lost only
    some of the values that the propagator doesn't distinguish (its `commons`).
    """

    houses: Ints  # per cell (cells, most), ended by −1
    propagators: Places  # per cell
    propagator_ranges: Ints
    commons: Words  # per propagator of each cell
    is_related: NDArray[np.bool_]  # per cell: whether a relation starts there


class Houses(NamedTuple):
    """The full houses: those with as many cells as there are values."""

    cells: Places  # (houses, size)
    words: Words  # (houses, words): the same as bits, see `solver.engines.general.graph`
    full: np.uint64  # the domain with all values
    few: np.int64  # number of places of a value that other cells may all see


class Relations(NamedTuple):
    """Binary relations: allowed[table, value] is the set of values allowed in the other cell."""

    ranges: Ints  # per cell
    others: Places
    tables: Ints
    allowed: Words  # (tables, size)


class Sums(NamedTuple):
    """Sum i has the cells in its range, run by run.

    A run consists of cells that all differ and have the same factor. `run_starts` and `run_ends`
    are given for each of its cells. Values count from 0, and the targets are adjusted for that.
    """

    cells: Places
    ranges: Ints  # per sum
    factors: NDArray[np.int64]
    run_starts: Ints
    run_ends: Ints
    targets: NDArray[np.int64]  # per sum


class Combinations(NamedTuple):
    """Value sets: constraint n has the cells in its range and the allowed sets in its range."""

    cells: Places
    ranges: Ints
    sets: Words
    set_ranges: Ints


class Enclosures(NamedTuple):
    """Sandwich sums: constraint n has the cells in its range.

    Its fillings with k cells between the crusts begin at the k-th of its `first_ways` and end at
    the next one.
    """

    cells: Places
    ranges: Ints
    every: Words  # per constraint: the possible values of the crusts,
    asked: Words  # and the values for which no full house checks the places
    first_ways: Ints  # parallel to `cells`
    lows: Words  # per filling: the values of the two crusts
    highs: Words
    inside: Words  # per filling: the values between the crusts
    outside: Words  # per filling: the values allowed outside


class Rankings(NamedTuple):
    """The lines with full-rank clues; other lines are identified by the side where they start."""

    sides: Ints  # (4, lines, size): the cells of all lines, by side
    lines: Ints  # (clues, size): the cells of the lines with clues
    own: Ints  # per clue: the side where the line starts
    answers: Ints  # (clues, 3): the variables that hold the comparison with the other sides
    begins: Words  # per clue: the first value of the line, as a bit
    less: Ints  # per clue: the number of lower lines with the same first value


class Choices(NamedTuple):
    """Disjunctions: constraint n reads the cells in its range and has the options in its range.

    An option restricts the domains of some cells, relates pairs of cells, and has propagators of
    its own, which run only when the option is tried.
    """

    first: np.int64  # number of the first propagator that is a disjunction
    cells: Places
    ranges: Ints  # per disjunction
    options: Ints  # per disjunction
    narrow: Places
    words: Words
    narrow_ranges: Ints  # per option
    pairs: Places  # (pairs, 2): the first cell restricts the second
    tables: Ints  # per pair
    pair_ranges: Ints  # per option
    allowed: Words  # (tables, size)
    propagators: Places
    propagator_ranges: Ints  # per option


class Tables(NamedTuple):
    """All tables of a layout.

    They are split so that compiled functions receive only the tables that they use. Passing all of
    them would copy hundreds of words per call and take long to compile.
    """

    dependents: Dependents
    present: Ints  # the cells that aren't holes
    # (planes, cells, words): peers as bits. If peers depend on the value, there is a plane per
    # value, and the last plane is for all values.
    peer_words: Words
    houses: Houses
    relations: Relations
    sums: Sums
    automata: AutomatonTables
    read_twice: NDArray[np.bool_]  # per automaton: whether it reads a cell twice
    combinations: Combinations
    enclosures: Enclosures
    rankings: Rankings
    regions: Regions
    choices: Choices
    # initial conflict weights per cell: how constrained it is
    conflict_weights: NDArray[np.float64]


class Runs(NamedTuple):
    """Working memory for the runs of a sum."""

    unions: Words  # the union of the open cells' domains
    opens: NDArray[np.int64]  # the number of open cells
    sums: Words  # the sums that the run can contribute, as bits
    before: Words  # the sums that the preceding runs can reach
    spans: NDArray[np.int64]  # the difference between the run's greatest and least sum
    rows: NDArray[np.int64]  # the run's first row in `reach`
    reach: Words  # [row of the n-th candidate, c]: the sums of c of the preceding candidates
    rest: Words  # [c]: the remainders after c candidates were chosen
    cells: Words  # per cell: the sums that the preceding cells can reach
    steps: Words  # per cell: its contributions, as bits


class Open(NamedTuple):
    """Working memory for the open cells of a sum."""

    cells: Places
    factors: NDArray[np.int64]
    words: Words  # their domains
    kept: Words  # their remaining values, or these reversed


class Enclosing(NamedTuple):
    """Working memory for a sandwich sum."""

    words: Words  # the domains of the cells
    before: Words  # the union of the domains of the preceding cells
    kept: Words  # the values that occur in some filling


class Combining(NamedTuple):
    """Working memory for a value-set constraint."""

    words: Words  # the domains of the cells
    own: Words  # the values of one set that each cell can take
    kept: Words  # the union over all sets


class Choosing(NamedTuple):
    """Working memory for trying options, and the disjunctions that are queued."""

    grid: Words  # the grid before the trial
    places: Words  # (values, words): the places before the trial
    kept: Words  # the union of the options' domains
    waiting: NDArray[np.bool_]  # per disjunction: whether it is queued
    idle: Ints  # per disjunction: the option that restricted nothing the last time


class Work(NamedTuple):
    """The grid, and the queues of what is still to be propagated."""

    grid: Words
    places: Words  # (values, words): the cells that can have each value, as bits
    singles: Ints
    houses: Ints
    # per house: the values that lost a place since its last visit; 0 if it isn't queued
    lost: Words
    changed: Ints
    is_changed: NDArray[np.bool_]  # per cell: whether it is queued
    queue: Ints
    in_queue: NDArray[np.bool_]  # per propagator: whether it is queued
    counters: NDArray[np.void]  # (1,), COUNTERS


class State(NamedTuple):
    """The state of a search with its working memory."""

    work: Work
    # per cell: the weight of the conflicts that it took part in
    conflict_weights: NDArray[np.float64]
    runs: Runs
    opened: Open
    sets: SetsByTotal
    ways: Supports
    enclosing: Enclosing
    combining: Combining
    choosing: Choosing
    groups: Groups


@helper
def new_state(tables):  # type: ignore[no-untyped-def]
    """Return the state of a search that hasn't started."""
    _, cells, words = tables.peer_words.shape
    houses = tables.houses.cells.shape[0]
    size = tables.houses.cells.shape[1]
    propagators = (
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
        np.empty(max(1, propagators), np.int32),
        zeros(propagators, np.bool_),
        np.zeros(1, COUNTERS),
    )
    conflict_weights = zeros(cells, np.float64)
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
    for i in range(tables.choices.propagators.shape[0]):
        # permanently, so that they are never scheduled
        work.in_queue[tables.choices.propagators[i]] = True
    groups = new_groups(tables.regions)
    return State(
        work,
        conflict_weights,
        runs,
        opened,
        sets,
        new_supports(tables.automata),
        enclosing,
        combining,
        choosing,
        groups,
    )


@helper
def _most_of_a_sum(sums):  # type: ignore[no-untyped-def]
    """Return the largest number of cells, and of runs, in any sum."""
    most_cells, most_runs = 1, 1
    for i in range(sums.targets.shape[0]):
        runs = 0
        for k in range(sums.ranges[i], sums.ranges[i + 1]):
            runs += sums.run_starts[k] == k
        most_cells = max(most_cells, sums.ranges[i + 1] - sums.ranges[i])
        most_runs = max(most_runs, runs)
    return most_cells, most_runs


@always_inline
def restrict_domain(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Set a cell's domain to a smaller one and schedule its dependents.

    Returns False if it is empty.
    """
    gone = work.grid[cell] ^ word
    work.grid[cell] = word
    if word == ZERO:
        return False
    if gone == ZERO:  # the domain was written to the grid before; anything may have changed
        gone = ALL_ONES
    else:
        _take_away(cell, gone, work.places)
    counters = work.counters[0]
    if at_most_one_bit(word):
        work.singles[counters.singles] = cell
        counters.singles += 1
    for i in range(dependents.houses.shape[1]):
        house = dependents.houses[cell, i]
        if house < 0:
            break
        mark_dirty(house, gone, work)
    for i in range(dependents.propagator_ranges[cell], dependents.propagator_ranges[cell + 1]):
        common = dependents.commons[i]
        if gone & ~common != ZERO or word & common == ZERO:
            schedule(dependents.propagators[i], work)
    if dependents.is_related[cell] and not work.is_changed[cell]:
        work.is_changed[cell] = True
        work.changed[counters.changed] = cell
        counters.changed += 1
    return True


@always_inline
def _take_away(cell, gone, places):  # type: ignore[no-untyped-def]
    """Record that a cell lost some values."""
    number = np.uint64(cell) >> np.uint64(6)
    if number >= np.uint64(places.shape[1]):
        return
    bit = ONE << (np.uint64(cell) & np.uint64(63))
    while gone != ZERO:
        places[np.uint64(ctz(gone)), number] ^= bit
        gone &= gone - ONE


@kernel
def list_places(grid, places):  # type: ignore[no-untyped-def]
    """Recompute the places of each value from the grid, for the cells that have peers."""
    for value in range(places.shape[0]):
        by = np.uint64(value)
        for number in range(places.shape[1]):
            begin = 64 * number
            word = ZERO
            for k in range(min(64, grid.shape[0] - begin)):
                word |= ((grid[begin + k] >> by) & ONE) << np.uint64(k)
            places[value, number] = word


@kernel
def set_domain(cell, word, dependents, work):  # type: ignore[no-untyped-def]
    """Set a cell's domain to the same or a smaller one; return False if it is empty."""
    return work.grid[cell] == word or restrict_domain(cell, word, dependents, work)


@always_inline
def mark_dirty(house, gone, work):  # type: ignore[no-untyped-def]
    """Queue a house, given the values that lost a place there."""
    if work.lost[house] == ZERO:
        counters = work.counters[0]
        work.houses[counters.houses] = house
        counters.houses += 1
    work.lost[house] |= gone


@always_inline
def schedule(propagator, work):  # type: ignore[no-untyped-def]
    """Queue a propagator unless it is queued already."""
    if not work.in_queue[propagator]:
        counters = work.counters[0]
        work.in_queue[propagator] = True
        work.queue[counters.queue_end % work.queue.shape[0]] = propagator
        counters.queue_end += 1


@always_inline
def clear_work(work):  # type: ignore[no-untyped-def]
    """Empty all queues after a conflict."""
    counters = work.counters[0]
    counters.singles = 0
    while counters.houses > 0:
        counters.houses -= 1
        work.lost[work.houses[counters.houses]] = ZERO
    while counters.changed > 0:
        counters.changed -= 1
        work.is_changed[work.changed[counters.changed]] = False
    while counters.queue_start < counters.queue_end:
        work.in_queue[work.queue[counters.queue_start % work.queue.shape[0]]] = False
        counters.queue_start += 1
